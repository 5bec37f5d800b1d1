//===- test/zoo/host/zoo_heap.cpp - SVM of the zoo's launches -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "zoo_heap.h"

#include <cstring>
#include <stdexcept>

using namespace zoo;

void zoo::must(cl_int Error, const char *Call) {
  if (Error != CL_SUCCESS)
    throw std::runtime_error(std::string(Call) + " returned " +
                             std::to_string(Error));
}

Heap::Heap(cl_context Context, cl_device_id Device, cl_command_queue Queue)
    : Context(Context), Device(Device), Queue(Queue) {
  cl_platform_id Platform = nullptr;
  must(clGetDeviceInfo(Device, CL_DEVICE_PLATFORM, sizeof(Platform), &Platform,
                       nullptr),
       "clGetDeviceInfo");
  auto Ask = [&]<typename F>(F &Function, const char *Name) {
    Function = reinterpret_cast<F>(
        clGetExtensionFunctionAddressForPlatform(Platform, Name));
  };
  Ask(HostAlloc, "clHostMemAllocINTEL");
  Ask(DeviceAlloc, "clDeviceMemAllocINTEL");
  Ask(SharedAlloc, "clSharedMemAllocINTEL");
  Ask(Free, "clMemFreeINTEL");
  Ask(SetArg, "clSetKernelArgMemPointerINTEL");
  Ask(Copy, "clEnqueueMemcpyINTEL");
}

Heap::~Heap() {
  for (auto &[Name, B] : Blocks)
    if (!B.Freed)
      release(B.Kind, B.Start);
}

void *Heap::allocate(const std::string &Kind, size_t Size) {
  cl_int Error = CL_SUCCESS;
  void *Start = nullptr;
  if (Kind == "svm")
    Start = clSVMAlloc(
        Context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, Size, 0);
  else if (Kind == "host" && HostAlloc)
    Start = HostAlloc(Context, nullptr, Size, 0, &Error);
  else if (Kind == "device" && DeviceAlloc)
    Start = DeviceAlloc(Context, Device, nullptr, Size, 0, &Error);
  else if (Kind == "shared" && SharedAlloc)
    Start = SharedAlloc(Context, Device, nullptr, Size, 0, &Error);
  if (!Start)
    throw std::runtime_error("no memory of kind " + Kind);
  return Start;
}

void Heap::release(const std::string &Kind, void *Start) {
  if (Kind == "svm")
    clSVMFree(Context, Start);
  else
    Free(Context, Start);
}

void Heap::copy(void *To, const void *From, size_t Size,
                const std::string &Kind) {
  if (LikeChip)
    must(
        clEnqueueSVMMemcpy(Queue, CL_TRUE, To, From, Size, 0, nullptr, nullptr),
        "clEnqueueSVMMemcpy");
  else if (Kind == "device")
    must(Copy(Queue, CL_TRUE, To, From, Size, 0, nullptr, nullptr),
         "clEnqueueMemcpyINTEL");
  else
    std::memcpy(To, From, Size);
}

void Heap::make(const std::string &Name, const std::string &Kind, Bytes Data) {
  Block &B = Blocks[Name];
  B = {Kind, static_cast<char *>(allocate(Kind, Data.size())), Data.size()};
  copy(B.Start, Data.data(), Data.size(), Kind);
}

char *Heap::addressOf(const std::string &Name, long Offset) {
  return Blocks.at(Name).Start + Offset;
}

void Heap::link(const std::string &Name, size_t At, const std::string &To,
                long Offset) {
  const char *Address = addressOf(To, Offset);
  const Block &B = Blocks.at(Name);
  copy(B.Start + At, &Address, sizeof(Address), B.Kind);
}

void Heap::setArgument(cl_kernel Kernel, cl_uint Index, const std::string &Name,
                       long Offset) {
  const char *Address = addressOf(Name, Offset);
  if (LikeChip || Blocks.at(Name).Kind == "svm")
    must(clSetKernelArgSVMPointer(Kernel, Index, Address),
         "clSetKernelArgSVMPointer");
  else
    must(SetArg(Kernel, Index, Address), "clSetKernelArgMemPointerINTEL");
}

void Heap::free(const std::string &Name, bool Enqueued) {
  Block &B = Blocks.at(Name);
  B.Freed = true;
  if (!Enqueued)
    return release(B.Kind, B.Start);
  void *Start = B.Start;
  must(
      clEnqueueSVMFree(Queue, 1, &Start, nullptr, nullptr, 0, nullptr, nullptr),
      "clEnqueueSVMFree");
}

void Heap::freeAddress(char *Address) {
  std::string Kind = "svm"; // of memory that is not ours
  for (auto &[Name, B] : Blocks)
    if (Address >= B.Start && Address < B.Start + B.Size) {
      Kind = B.Kind;
      B.Freed |= B.Start == Address;
    }
  release(Kind, Address);
}

char *Heap::linkedAt(const std::string &Name, size_t At) {
  char *Address = nullptr;
  std::memcpy(&Address, Blocks.at(Name).Start + At, sizeof(Address));
  return Address;
}

void Heap::churn(size_t Count, size_t Size) {
  for (size_t I = 0; I < Count; ++I) {
    void *Start = allocate("svm", Size);
    std::memset(Start, 0x55, Size);
    release("svm", Start);
  }
}

void Heap::name(cl_kernel Kernel, cl_kernel_exec_info What,
                const std::vector<void *> &All) {
  if (!All.empty())
    must(clSetKernelExecInfo(Kernel, What, All.size() * sizeof(void *),
                             All.data()),
         "clSetKernelExecInfo");
}

void Heap::announce(cl_kernel Kernel) {
  std::vector<void *> Svm, Others;
  bool Usm = false;
  for (const auto &[Name, B] : Blocks) {
    if (!B.Freed)
      (B.Kind == "svm" ? Svm : Others).push_back(B.Start);
    Usm |= B.Kind != "svm";
  }
  name(Kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, Svm);
  if (LikeChip)
    name(Kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, Others);
  if (!Usm)
    return;
  for (cl_kernel_exec_info Each :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    const cl_bool Yes = CL_TRUE;
    must(clSetKernelExecInfo(Kernel, Each, sizeof(Yes), &Yes),
         "clSetKernelExecInfo");
  }
}

Bytes Heap::contents(const std::string &Name, size_t Offset, size_t Size) {
  Bytes Found(Size);
  const Block &B = Blocks.at(Name);
  copy(Found.data(), B.Start + Offset, Size, B.Kind);
  return Found;
}
