//===- test/layer/api/svm_test.cpp - shared virtual memory ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

using namespace warpsan::test;

namespace {

constexpr size_t Count = 256;

class SVM : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    auto Caps = deviceNumber<cl_device_svm_capabilities>(
        Device, CL_DEVICE_SVM_CAPABILITIES);
    if (!(Caps & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
      GTEST_SKIP() << "the device has no shared virtual memory";
    P = build(R"(
      kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
      struct node { global struct node *next; int value; int pad; };
      kernel void total(global struct node *head, global int *out) {
        int sum = 0;
        for (; head; head = head->next) sum += head->value;
        *out = sum;
      })");
    Add = kernel(P, "add");
  }
  void TearDown() override {
    for (void *Each : Allocated)
      clSVMFree(Ctx, Each);
  }
  void *alloc(size_t Bytes) {
    void *Out = clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Bytes, 0);
    must(Out ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    Allocated.push_back(Out);
    return Out;
  }
  void map(void *Pointer, size_t Bytes) {
    must(clEnqueueSVMMap(Q, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, Pointer, Bytes,
                         0, nullptr, nullptr),
         "clEnqueueSVMMap");
  }
  void unmap(void *Pointer) {
    must(clEnqueueSVMUnmap(Q, Pointer, 0, nullptr, nullptr),
         "clEnqueueSVMUnmap");
  }

  Program P;
  Kernel Add;
  std::vector<void *> Allocated;
};

TEST_F(SVM, PointerAsAnArgument) {
  constexpr size_t Bytes = Count * sizeof(cl_int);
  auto *X = static_cast<cl_int *>(alloc(Bytes));
  map(X, Bytes);
  for (size_t I = 0; I < Count; ++I)
    X[I] = static_cast<cl_int>(I);
  unmap(X);
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, X));
  ASSERT_OK(setArg(Add, 1, cl_int(1000)));
  ASSERT_OK(launch(Q, Add, {{Count}, {16}}));
  map(X, Bytes);
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(static_cast<cl_int>(1000 + I), X[I]);
  unmap(X);
  ASSERT_OK(clFinish(Q));
}

TEST_F(SVM, PointerIntoAnAllocation) {
  constexpr size_t Bytes = Count * sizeof(cl_int);
  auto *X = static_cast<cl_int *>(alloc(Bytes));
  map(X, Bytes);
  std::fill(X, X + Count, 0);
  unmap(X);
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, X + Count / 2));
  ASSERT_OK(setArg(Add, 1, cl_int(7)));
  ASSERT_OK(launch(Q, Add, {{Count / 2}}));
  map(X, Bytes);
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(I < Count / 2 ? 0 : 7, X[I]);
  unmap(X);
  ASSERT_OK(clFinish(Q));
}

TEST_F(SVM, BufferAndPointerTakeTurnsInOneArgument) {
  constexpr size_t Bytes = Count * sizeof(cl_int);
  auto *X = static_cast<cl_int *>(alloc(Bytes));
  map(X, Bytes);
  std::fill(X, X + Count, 1);
  unmap(X);
  Mem Data = bufferOf(std::vector<cl_int>(Count, 100));
  for (int Round = 0; Round < 3; ++Round) {
    ASSERT_OK(setArg(Add, 1, cl_int(1)));
    ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, X));
    ASSERT_OK(launch(Q, Add, {{Count}}));
    ASSERT_OK(setArg(Add, 0, Data));
    ASSERT_OK(launch(Q, Add, {{Count}}));
  }
  EXPECT_EQ(std::vector<cl_int>(Count, 103), read<cl_int>(Data, Count));
  map(X, Bytes);
  EXPECT_EQ(std::vector<cl_int>(Count, 4), std::vector<cl_int>(X, X + Count));
  unmap(X);
  ASSERT_OK(clFinish(Q));
}

struct Node {
  Node *Next;
  cl_int Value;
  cl_int Pad;
};

TEST_F(SVM, ListReachedThroughExecInfo) {
  constexpr int Length = 20;
  std::vector<void *> Nodes;
  for (int I = 0; I < Length; ++I) {
    Nodes.push_back(alloc(sizeof(Node)));
    map(Nodes.back(), sizeof(Node));
    *static_cast<Node *>(Nodes.back()) = {
        I ? static_cast<Node *>(Nodes[I - 1]) : nullptr, I, 0};
    unmap(Nodes.back());
  }
  Kernel Total = kernel(P, "total");
  Mem Out = bufferOf(std::vector<cl_int>(1, -1));
  ASSERT_OK(clSetKernelArgSVMPointer(Total, 0, Nodes.back()));
  ASSERT_OK(setArg(Total, 1, Out));
  ASSERT_OK(clSetKernelExecInfo(Total, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                Nodes.size() * sizeof(void *), Nodes.data()));
  ASSERT_OK(launch(Q, Total, {{1}, {1}}));
  EXPECT_EQ(Length * (Length - 1) / 2, read<cl_int>(Out, 1)[0]);
}

struct Link {
  cl_ulong Other; ///< what leads from here to another allocation
  cl_ulong Value;
};

/// A kernel that goes by integers from one allocation to others, of which the
/// i-th has the value 40 + i.
constexpr char Links[] = R"(
  struct link { ulong other; ulong value; };
  ulong value(ulong at) { return ((global struct link *)at)->value; }
  kernel void exclusive(global struct link *a, global ulong *out) {
    out[0] = value((ulong)a ^ a->other);
  }
  kernel void relative(global struct link *a, global ulong *out) {
    out[0] = value((ulong)a + a->other);
  }
  kernel void tagged(global struct link *a, global ulong *out) {
    out[0] = value((a->other & ~7ul) + ((ulong)a & 7));
  }
  kernel void chosen(global struct link *a, global ulong *out) {
    ulong by = a->value == 40 ? a->other : 0;
    out[0] = value((ulong)a + by);
  }
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
  kernel void swapped(global struct link *a, global ulong *out) {
    out[0] = value((ulong)a + atom_xchg((volatile global ulong *)&a->other, 0));
  }
#endif
  kernel void every(global struct link *a, global ulong *out) {
    ulong before = 0, sum = 0;
    for (ulong at = (ulong)a; at;) {
      sum += value(at);
      ulong next = before ^ ((global struct link *)at)->other;
      before = at;
      at = next;
    }
    out[0] = sum;
  }
)";

TEST_F(SVM, PointersComputedFromLoadedIntegers) {
  enum How { Exclusive, Relative, Absolute, Neighbors };
  const struct {
    const char *Name;
    How Way;
    cl_ulong Wanted;
  } Cases[] = {{"exclusive", Exclusive, 41}, {"relative", Relative, 41},
               {"tagged", Absolute, 41},     {"chosen", Relative, 41},
               {"swapped", Relative, 41},    {"every", Neighbors, 123}};
  Program Made = build(Links);
  std::vector<void *> Nodes = {alloc(sizeof(Link)), alloc(sizeof(Link)),
                               alloc(sizeof(Link))};
  auto Number = [](void *Pointer) {
    return reinterpret_cast<cl_ulong>(Pointer);
  };
  const cl_ulong A = Number(Nodes[0]), B = Number(Nodes[1]),
                 C = Number(Nodes[2]);
  for (const auto &Each : Cases) {
    if (Each.Name == std::string("swapped") &&
        !deviceHas(Device, "cl_khr_int64_base_atomics"))
      continue;
    const cl_ulong Others[] = {Each.Way == Exclusive  ? A ^ B
                               : Each.Way == Relative ? B - A
                                                      : B,
                               A ^ C, B};
    for (size_t I = 0; I < Nodes.size(); ++I) {
      map(Nodes[I], sizeof(Link));
      *static_cast<Link *>(Nodes[I]) = {Others[I], 40 + I};
      unmap(Nodes[I]);
    }
    Kernel K = kernel(Made, Each.Name);
    Mem Out = bufferOf(std::vector<cl_ulong>(1, 7));
    ASSERT_OK(clSetKernelArgSVMPointer(K, 0, Nodes[0]));
    ASSERT_OK(setArg(K, 1, Out));
    ASSERT_OK(clSetKernelExecInfo(K, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                  Nodes.size() * sizeof(void *), Nodes.data()));
    ASSERT_OK(launch(Q, K, {{1}, {1}}));
    EXPECT_EQ(Each.Wanted, read<cl_ulong>(Out, 1)[0]) << Each.Name;
  }
}

TEST_F(SVM, CommandsOnSVMBetweenLaunches) {
  constexpr size_t Bytes = Count * sizeof(cl_int);
  void *A = alloc(Bytes), *B = alloc(Bytes);
  cl_int Pattern = 5;
  ASSERT_OK(clEnqueueSVMMemFill(Q, A, &Pattern, sizeof(Pattern), Bytes, 0,
                                nullptr, nullptr));
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, A));
  ASSERT_OK(setArg(Add, 1, cl_int(1)));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(clEnqueueSVMMemcpy(Q, CL_TRUE, B, A, Bytes, 0, nullptr, nullptr));
  map(B, Bytes);
  auto *X = static_cast<cl_int *>(B);
  EXPECT_EQ(std::vector<cl_int>(Count, 6), std::vector<cl_int>(X, X + Count));
  unmap(B);
  ASSERT_OK(clFinish(Q));
}

TEST_F(SVM, EnqueuedFree) {
  void *X = clSVMAlloc(Ctx, CL_MEM_READ_WRITE, 1024, 0);
  ASSERT_NE(nullptr, X);
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, X));
  ASSERT_OK(setArg(Add, 1, cl_int(1)));
  ASSERT_OK(launch(Q, Add, {{16}}));
  ASSERT_OK(clEnqueueSVMFree(Q, 1, &X, nullptr, nullptr, 0, nullptr, nullptr));
  ASSERT_OK(clFinish(Q));
}

TEST_F(SVM, AllocationAsAHostPointer) {
  constexpr size_t Bytes = Count * sizeof(cl_int);
  void *X = alloc(Bytes);
  cl_int Error = CL_SUCCESS;
  Mem Data(clCreateBuffer(Ctx, CL_MEM_USE_HOST_PTR, Bytes, X, &Error));
  ASSERT_OK(Error);
  cl_int Pattern = 3;
  ASSERT_OK(clEnqueueFillBuffer(Q, Data, &Pattern, sizeof(Pattern), 0, Bytes, 0,
                                nullptr, nullptr));
  setArgs(Add, Data, cl_int(4));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  EXPECT_EQ(std::vector<cl_int>(Count, 7), read<cl_int>(Data, Count));
}

TEST_F(SVM, AnyHostPointerOnSystemSVM) {
  auto Caps = deviceNumber<cl_device_svm_capabilities>(
      Device, CL_DEVICE_SVM_CAPABILITIES);
  if (!(Caps & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    GTEST_SKIP() << "the device has no system shared memory";
  std::vector<cl_int> Heap(Count, 1);
  cl_int Stack[16] = {};
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, Heap.data()));
  ASSERT_OK(setArg(Add, 1, cl_int(8)));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, Stack));
  ASSERT_OK(launch(Q, Add, {{16}}));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(std::vector<cl_int>(Count, 9), Heap);
  EXPECT_EQ(8, Stack[0]);
  EXPECT_EQ(8, Stack[15]);
}

} // namespace
