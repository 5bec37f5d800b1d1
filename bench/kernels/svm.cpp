//===- bench/kernels/svm.cpp - pointers that kernels find in memory -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>

using namespace warpsan::bench;

namespace {

/// Whether there is fine-grained SVM; if not, the benchmark is skipped.
bool hasSvm(Bench &B) {
  cl_device_svm_capabilities Has = 0;
  if (clGetDeviceInfo(B.S.Device, CL_DEVICE_SVM_CAPABILITIES, sizeof(Has), &Has,
                      nullptr) == CL_SUCCESS &&
      (Has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    return true;
  B.Skipped = "this device has no fine-grained SVM";
  return false;
}

/// Memory that host and kernels share, in blocks: many nodes to an allocation,
/// as PoCL 6 goes through all of them at each.
class Heap {
public:
  explicit Heap(Bench &B) : B(B) {}
  template <typename T> T *make(size_t Count) {
    void *Block = clSVMAlloc(B.S.Context,
                             CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                             Count * sizeof(T), 0);
    must(Block ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    Blocks.push_back(Block);
    return static_cast<T *>(Block);
  }
  /// Nodes in an order that has nothing to do with their addresses.
  template <typename T> std::vector<T *> nodes(size_t Count, size_t Each) {
    std::vector<T *> Out;
    while (Out.size() < Count) {
      T *Block = make<T>(Each);
      for (size_t I = 0; I < Each && Out.size() < Count; ++I)
        Out.push_back(Block + I);
    }
    std::shuffle(Out.begin(), Out.end(), B.Random);
    return Out;
  }
  /// Tells the driver that \p Kernel follows pointers into all of it.
  void lend(cl_kernel Kernel) {
    must(clSetKernelExecInfo(Kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                             Blocks.size() * sizeof(void *), Blocks.data()),
         "clSetKernelExecInfo");
  }
  void free() {
    for (void *Block : Blocks)
      clSVMFree(B.S.Context, Block);
  }

private:
  Bench &B;
  std::vector<void *> Blocks;
};

struct Node {
  Node *Next;
  cl_ulong Value, Weight;
};

struct Entry {
  Entry *Next;
  int Key, Value;
};

} // namespace

void warpsan::bench::svmList(Bench &B) {
  if (!hasSvm(B))
    return;
  Heap H(B);
  Node *Head = nullptr;
  cl_ulong Want = 0;
  for (Node *Each : H.nodes<Node>(B.size(100'000), 1000)) {
    *Each = {Head, B.Random(), B.Random()};
    Want += Each->Value * Each->Weight;
    Head = Each;
  }
  cl_mem Out = B.room<cl_ulong>(1);
  cl_kernel Total = B.kernel("total");
  must(clSetKernelArgSVMPointer(Total, 0, Head), "clSetKernelArgSVMPointer");
  B.set(Total, 1, Out);
  H.lend(Total);
  B.time([&] { B.launch(Total, {1}, {1}); });
  cl_ulong Got = B.back<cl_ulong>(Out, 1)[0];
  B.expect(Got == Want, "the sum", 0, static_cast<double>(Got),
           static_cast<double>(Want));
  H.free();
}

void warpsan::bench::svmChains(Bench &B) {
  if (!hasSvm(B))
    return;
  int Count = B.size(100'000), Queries = B.size(300'000);
  cl_uint Slots = 1;
  while (4 * Slots < static_cast<cl_uint>(Count))
    Slots *= 2;
  Heap H(B);
  auto **Table = H.make<Entry *>(Slots);
  std::fill_n(Table, Slots, nullptr);
  int Key = 0;
  for (Entry *Each : H.nodes<Entry>(Count, 500)) {
    Entry *&Slot = Table[Key & (Slots - 1)];
    *Each = {Slot, Key, 7 * Key};
    Slot = Each;
    ++Key;
  }
  Ints Wanted = B.ints(Queries, 0, Count + Count / 8), Want(Queries);
  for (int I = 0; I < Queries; ++I)
    Want[I] = Wanted[I] < Count ? 7 * Wanted[I] : -1;
  cl_mem Found = B.room<int>(Queries);
  cl_kernel LookUp = B.kernel("look_up");
  must(clSetKernelArgSVMPointer(LookUp, 0, Table), "clSetKernelArgSVMPointer");
  B.set(LookUp, 1, Slots - 1);
  B.set(LookUp, 2, B.device(Wanted));
  B.set(LookUp, 3, Found);
  B.set(LookUp, 4, Queries);
  H.lend(LookUp);
  B.time([&] { B.launch(LookUp, {padded(Queries, 64)}, {64}); });
  B.expect("found", B.back<int>(Found, Queries), Want, 0);
  H.free();
}
