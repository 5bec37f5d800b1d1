//===- test/zoo/host/zoo_heap.h - SVM of the zoo's launches ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ZOO_HOST_ZOO_HEAP_H
#define WARPSAN_TEST_ZOO_HOST_ZOO_HEAP_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <map>
#include <string>
#include <vector>

namespace zoo {

using Bytes = std::vector<unsigned char>;

void must(cl_int Error, const char *Call);

/// The allocations of one launch, by name.
class Heap {
public:
  Heap(cl_context Context, cl_device_id Device, cl_command_queue Queue);
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;
  ~Heap();

  /// Arguments by clSetKernelArgSVMPointer, copies by clEnqueueSVMMemcpy and
  /// every allocation named to the driver, whatever the kind of memory.
  bool LikeChip = false;

  /// \p Kind: svm; or host, device, shared: unified shared memory.
  void make(const std::string &Name, const std::string &Kind, Bytes Data);
  /// Writes an address of \p To into \p Name.
  void link(const std::string &Name, size_t At, const std::string &To,
            long Offset);
  void setArgument(cl_kernel Kernel, cl_uint Index, const std::string &Name,
                   long Offset);
  char *addressOf(const std::string &Name, long Offset);
  void free(const std::string &Name, bool Enqueued);
  /// With the call for its kind of memory. What has this address counts as
  /// freed.
  void freeAddress(char *Address);
  /// The address that is written into \p Name.
  char *linkedAt(const std::string &Name, size_t At);
  /// Makes and frees \p Count allocations of each kind that there is.
  void churn(size_t Count, size_t Size);
  /// Tells the driver which allocations the kernel may follow pointers into.
  void announce(cl_kernel Kernel);
  Bytes contents(const std::string &Name, size_t Offset, size_t Size);

private:
  struct Block {
    std::string Kind;
    char *Start = nullptr;
    size_t Size = 0;
    bool Freed = false;
  };
  void *allocate(const std::string &Kind, size_t Size);
  void release(const std::string &Kind, void *Start);
  void name(cl_kernel Kernel, cl_kernel_exec_info What,
            const std::vector<void *> &All);
  void copy(void *To, const void *From, size_t Size, const std::string &Kind);

  cl_context Context;
  cl_device_id Device;
  cl_command_queue Queue;
  std::map<std::string, Block> Blocks;
  clHostMemAllocINTEL_fn HostAlloc = nullptr;
  clDeviceMemAllocINTEL_fn DeviceAlloc = nullptr;
  clSharedMemAllocINTEL_fn SharedAlloc = nullptr;
  clMemFreeINTEL_fn Free = nullptr;
  clSetKernelArgMemPointerINTEL_fn SetArg = nullptr;
  clEnqueueMemcpyINTEL_fn Copy = nullptr;
};

} // namespace zoo

#endif // WARPSAN_TEST_ZOO_HOST_ZOO_HEAP_H
