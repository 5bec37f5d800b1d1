//===- test/robustness/fault_program.cpp - a bit of everything ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/robustness/faults: an OpenCL program that uses what WarpSan's layer
// stands in front of, goes on whatever fails, and prints what it saw: results,
// sizes, counts and errors, the same in each run.
//
//   fault_program [vector_add.spv] [linked]
//
// One kernel writes beyond the end of a sub-buffer. That is inside of its
// parent, where nobody looks: harmless, and a finding.
//
//===----------------------------------------------------------------------===//
#include "layer/objects/driver.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

namespace {

cl_context Ctx;
cl_device_id Device;
cl_command_queue Queue;
cl_program Shared; ///< of Source; one, since drivers take their time

/// Says what failed.
bool good(cl_int Error, const char *What) {
  if (Error != CL_SUCCESS)
    std::printf("%s: %d\n", What, Error);
  return Error == CL_SUCCESS;
}

void print(const char *What, const std::vector<cl_int> &Values) {
  std::printf("%s:", What);
  for (cl_int Each : Values)
    std::printf(" %d", Each);
  std::printf("\n");
}

cl_mem buffer(size_t Count, cl_mem_flags Flags = CL_MEM_READ_WRITE,
              void *From = nullptr) {
  cl_int Error = CL_SUCCESS;
  cl_mem New = clCreateBuffer(Ctx, Flags, Count * sizeof(cl_int), From, &Error);
  good(Error, "clCreateBuffer");
  return New;
}

void release(cl_mem Each) {
  if (Each)
    good(clReleaseMemObject(Each), "clReleaseMemObject");
}

void read(const char *What, cl_mem From, size_t Count) {
  if (!From)
    return;
  std::vector<cl_int> To(Count, -1);
  if (good(clEnqueueReadBuffer(Queue, From, CL_TRUE, 0, Count * sizeof(cl_int),
                               To.data(), 0, nullptr, nullptr),
           "clEnqueueReadBuffer"))
    print(What, To);
}

cl_program build(const char *Source, const char *Options = "") {
  cl_int Error = CL_SUCCESS;
  cl_program New = clCreateProgramWithSource(Ctx, 1, &Source, nullptr, &Error);
  if (!good(Error, "clCreateProgramWithSource"))
    return nullptr;
  good(clBuildProgram(New, 0, nullptr, Options, nullptr, nullptr),
       "clBuildProgram");
  return New;
}

cl_kernel kernel(cl_program Of, const char *Name) {
  cl_int Error = CL_SUCCESS;
  cl_kernel New = Of ? clCreateKernel(Of, Name, &Error) : nullptr;
  good(Error, "clCreateKernel");
  return New;
}

/// Kernels that must not be launched: an argument is missing.
std::set<cl_kernel> Unready;

/// \p Set is what came of it.
void note(cl_kernel K, bool Set) {
  if (!Set)
    Unready.insert(K);
}

template <typename T> void set(cl_kernel K, cl_uint Index, T Given) {
  if (K)
    note(K, Given != T() && good(clSetKernelArg(K, Index, sizeof(Given),
                                                static_cast<void *>(&Given)),
                                 "clSetKernelArg"));
}

bool launch(cl_kernel K, size_t Items, cl_event *Event = nullptr) {
  return K && !Unready.contains(K) &&
         good(clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &Items, nullptr, 0,
                                     nullptr, Event),
              "clEnqueueNDRangeKernel");
}

void release(cl_kernel Each) {
  Unready.erase(Each);
  if (Each)
    good(clReleaseKernel(Each), "clReleaseKernel");
}
void release(cl_program Each) {
  if (Each)
    good(clReleaseProgram(Each), "clReleaseProgram");
}
void release(cl_event Each) {
  if (Each)
    good(clReleaseEvent(Each), "clReleaseEvent");
}

const char *Source = R"(
kernel void twice(global int *x, int n) {
  int i = get_global_id(0);
  if (i < n) x[i] *= 2;
}
kernel void gather(global int *to, global const int *from,
                   global const int *at) {
  int i = get_global_id(0);
  to[i] = from[at[i]];
}
kernel void beyond(global int *x, int by) {
  x[get_global_id(0) + by] = 7;
}
struct node { global struct node *next; int value; };
kernel void walk(global struct node *first, global int *sum) {
  int s = 0;
  for (global struct node *n = first; n; n = n->next) s += n->value;
  sum[0] = s;
}
kernel void tile(global int *x, local int *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
)";

const char *ImageSource = R"(
kernel void pixels(read_only image2d_t from, sampler_t s, global int *to) {
  int2 at = (int2)(get_global_id(0), 0);
  to[at.x] = read_imagei(from, s, at).x;
}
)";

/// Each twin has variables of its own.
const char *ScopeSource = R"(
global int *where;
global int from[4] = {1, 2, 3, 4};
kernel void point(global int *to) { where = to; }
kernel void store(int x, int n) {
  if (get_global_id(0) < n) where[get_global_id(0)] = x;
}
)";
const char *CountingSource = R"(
global int count = 5;
kernel void next(global int *to, int n) {
  if (n < 16) to[n] = count++;
}
)";

cl_int Numbers[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

void buffers() {
  cl_mem A = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  cl_mem B = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  if (A && B) {
    size_t Size = 0;
    good(clGetMemObjectInfo(A, CL_MEM_SIZE, sizeof(Size), &Size, nullptr),
         "clGetMemObjectInfo");
    cl_uint Count = 0;
    const bool Retained = good(clRetainMemObject(A), "clRetainMemObject");
    good(clGetMemObjectInfo(A, CL_MEM_REFERENCE_COUNT, sizeof(Count), &Count,
                            nullptr),
         "clGetMemObjectInfo");
    if (Retained)
      good(clReleaseMemObject(A), "clReleaseMemObject");
    std::printf("size %zu, references %u\n", Size, Count);
    const cl_int Nine = 9;
    good(clEnqueueFillBuffer(Queue, B, &Nine, sizeof(Nine), 0,
                             16 * sizeof(cl_int), 0, nullptr, nullptr),
         "clEnqueueFillBuffer");
    good(clEnqueueCopyBuffer(Queue, A, B, 0, 0, 4 * sizeof(cl_int), 0, nullptr,
                             nullptr),
         "clEnqueueCopyBuffer");
    // Too much: the driver's own error.
    good(clEnqueueCopyBuffer(Queue, A, B, 0, 32, 16 * sizeof(cl_int), 0,
                             nullptr, nullptr),
         "clEnqueueCopyBuffer");
    cl_int Error = CL_SUCCESS;
    auto *Mapped = static_cast<cl_int *>(
        clEnqueueMapBuffer(Queue, B, CL_TRUE, CL_MAP_WRITE, 0,
                           16 * sizeof(cl_int), 0, nullptr, nullptr, &Error));
    if (good(Error, "clEnqueueMapBuffer") && Mapped) {
      Mapped[15] = 77;
      good(clEnqueueUnmapMemObject(Queue, B, Mapped, 0, nullptr, nullptr),
           "clEnqueueUnmapMemObject");
    }
    good(clEnqueueWriteBuffer(Queue, B, CL_TRUE, 8, 8, Numbers, 0, nullptr,
                              nullptr),
         "clEnqueueWriteBuffer");
    read("buffers", B, 16);
  }
  release(A);
  release(B);
}

void kernels() {
  cl_mem X = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  cl_mem To = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  cl_int Order[16];
  for (int I = 0; I < 16; ++I)
    Order[I] = 15 - I;
  cl_mem At = buffer(16, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, Order);
  cl_kernel Twice = kernel(Shared, "twice");
  set(Twice, 0, X);
  set(Twice, 1, 16);
  launch(Twice, 16);
  cl_int Error = CL_SUCCESS;
  cl_kernel Clone = Twice ? clCloneKernel(Twice, &Error) : nullptr;
  good(Error, "clCloneKernel");
  set(Clone, 1, 4);
  launch(Clone, 16);
  cl_kernel Gather = kernel(Shared, "gather");
  set(Gather, 0, To);
  set(Gather, 1, X);
  set(Gather, 2, At);
  for (int I = 0; I < 3; ++I)
    launch(Gather, 16);
  read("gather", To, 16);
  launch(Gather, 16);
  cl_kernel Tile = kernel(Shared, "tile");
  set(Tile, 0, To);
  if (Tile)
    note(Tile, good(clSetKernelArg(Tile, 1, 4 * sizeof(cl_int), nullptr),
                    "clSetKernelArg"));
  if (Tile && !Unready.contains(Tile)) {
    const size_t Items = 16, Group = 4;
    good(clEnqueueNDRangeKernel(Queue, Tile, 1, nullptr, &Items, &Group, 0,
                                nullptr, nullptr),
         "clEnqueueNDRangeKernel");
  }
  read("tile", To, 16);

  const cl_buffer_region Part = {0, 4 * sizeof(cl_int)};
  cl_mem Start =
      X ? clCreateSubBuffer(X, 0, CL_BUFFER_CREATE_TYPE_REGION, &Part, &Error)
        : nullptr;
  good(Error, "clCreateSubBuffer");
  cl_kernel Beyond = kernel(Shared, "beyond");
  set(Beyond, 0, Start);
  set(Beyond, 1, 2);
  for (int I = 0; I < 2; ++I)
    launch(Beyond, 4);
  good(clFinish(Queue), "clFinish");

  char Name[64] = "";
  cl_uint Count = 0;
  size_t Largest = 0;
  if (Twice) {
    good(clGetKernelInfo(Twice, CL_KERNEL_FUNCTION_NAME, sizeof(Name), Name,
                         nullptr),
         "clGetKernelInfo");
    good(clGetKernelInfo(Twice, CL_KERNEL_NUM_ARGS, sizeof(Count), &Count,
                         nullptr),
         "clGetKernelInfo");
    good(clGetKernelWorkGroupInfo(Twice, Device, CL_KERNEL_WORK_GROUP_SIZE,
                                  sizeof(Largest), &Largest, nullptr),
         "clGetKernelWorkGroupInfo");
  }
  std::printf("kernel %s of %u arguments, %zu work-items\n", Name, Count,
              Largest);
  cl_kernel All[8] = {};
  Count = 0;
  if (Shared && good(clCreateKernelsInProgram(Shared, 8, All, &Count),
                     "clCreateKernelsInProgram"))
    for (cl_uint I = 0; I < Count; ++I)
      release(All[I]);
  std::printf("%u kernels\n", Count);
  for (cl_kernel Each : {Twice, Clone, Gather, Tile, Beyond})
    release(Each);
  for (cl_mem Each : {Start, X, To, At})
    release(Each);
}

struct Node {
  Node *Next;
  cl_int Value;
};

void sharedMemory() {
  cl_kernel Walk = kernel(Shared, "walk");
  cl_mem Sum = buffer(1, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  std::vector<void *> Nodes;
  Node *First = nullptr;
  for (int I = 0; I < 4; ++I) {
    auto *New = static_cast<Node *>(
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE, sizeof(Node), 0));
    if (!New) {
      std::printf("clSVMAlloc\n");
      continue;
    }
    good(clEnqueueSVMMap(Queue, CL_TRUE, CL_MAP_WRITE, New, sizeof(Node), 0,
                         nullptr, nullptr),
         "clEnqueueSVMMap");
    *New = {First, I + 1};
    good(clEnqueueSVMUnmap(Queue, New, 0, nullptr, nullptr),
         "clEnqueueSVMUnmap");
    First = New;
    Nodes.push_back(New);
  }
  if (Walk) {
    note(Walk, good(clSetKernelArgSVMPointer(Walk, 0, First),
                    "clSetKernelArgSVMPointer"));
    note(Walk,
         good(clSetKernelExecInfo(Walk, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                  Nodes.size() * sizeof(void *), Nodes.data()),
              "clSetKernelExecInfo"));
  }
  set(Walk, 1, Sum);
  launch(Walk, 1);
  read("walk", Sum, 1);
  constexpr size_t Large = 3 << 20;
  void *Big = clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Large, 0);
  if (Big) {
    const cl_int Five = 5;
    std::memset(Big, 0, Large);
    good(clEnqueueSVMMemFill(Queue, Big, &Five, sizeof(Five), Large, 0, nullptr,
                             nullptr),
         "clEnqueueSVMMemFill");
    cl_int Got[2] = {};
    good(clEnqueueSVMMemcpy(Queue, CL_TRUE, Got, Big, sizeof(Got), 0, nullptr,
                            nullptr),
         "clEnqueueSVMMemcpy");
    std::printf("large: %d\n", Got[1]);
  } else {
    std::printf("clSVMAlloc\n");
  }
  if (Nodes.size() == 4) {
    good(clEnqueueSVMFree(Queue, 2, Nodes.data(), nullptr, nullptr, 0, nullptr,
                          nullptr),
         "clEnqueueSVMFree");
    Nodes.erase(Nodes.begin(), Nodes.begin() + 2);
  }
  good(clFinish(Queue), "clFinish");
  for (void *Each : Nodes)
    clSVMFree(Ctx, Each);
  if (Big)
    clSVMFree(Ctx, Big);
  release(Walk);
  release(Sum);
}

void images() {
  cl_bool Has = CL_FALSE;
  good(clGetDeviceInfo(Device, CL_DEVICE_IMAGE_SUPPORT, sizeof(Has), &Has,
                       nullptr),
       "clGetDeviceInfo");
  if (!Has)
    return;
  const cl_image_format Format = {CL_RGBA, CL_SIGNED_INT32};
  cl_image_desc Shape = {};
  Shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  Shape.image_width = 4;
  Shape.image_height = 1;
  cl_int Error = CL_SUCCESS;
  cl_mem Image = clCreateImage(Ctx, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                               &Format, &Shape, Numbers, &Error);
  good(Error, "clCreateImage");
  cl_sampler Sampler = clCreateSampler(Ctx, CL_FALSE, CL_ADDRESS_CLAMP,
                                       CL_FILTER_NEAREST, &Error);
  good(Error, "clCreateSampler");
  cl_program P = build(ImageSource);
  cl_kernel Pixels = kernel(P, "pixels");
  cl_mem To = buffer(4, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  set(Pixels, 0, Image);
  set(Pixels, 1, Sampler);
  set(Pixels, 2, To);
  launch(Pixels, 4);
  read("pixels", To, 4);
  const size_t Origin[3] = {}, Region[3] = {4, 1, 1};
  cl_int Got[16] = {};
  if (Image && good(clEnqueueReadImage(Queue, Image, CL_TRUE, Origin, Region, 0,
                                       0, Got, 0, nullptr, nullptr),
                    "clEnqueueReadImage"))
    print("image", {Got[0], Got[5], Got[10], Got[15]});
  if (Sampler)
    good(clReleaseSampler(Sampler), "clReleaseSampler");
  release(Pixels);
  release(P);
  release(Image);
  release(To);
}

void variables() {
  size_t Size = 0;
  good(clGetDeviceInfo(Device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(Size),
                       &Size, nullptr),
       "clGetDeviceInfo");
  if (!Size)
    return;
  cl_mem X = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  cl_mem Y = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  cl_program P = build(ScopeSource, "-cl-std=CL3.0");
  cl_kernel Point = kernel(P, "point"), Store = kernel(P, "store");
  int Value = 40;
  bool Points = true;
  for (cl_mem Each : {X, Y, X}) {
    set(Point, 0, Each);
    Points = launch(Point, 1) && Points;
    set(Store, 0, ++Value);
    set(Store, 1, Value - 36);
    if (Points)
      launch(Store, 16);
  }
  read("pointed", X, 16);
  read("pointed", Y, 16);
  cl_program C = build(CountingSource, "-cl-std=CL3.0");
  cl_kernel Next = kernel(C, "next");
  set(Next, 0, X);
  for (cl_int I = 1; I < 5; ++I) {
    set(Next, 1, I);
    launch(Next, 1);
  }
  read("counted", X, 16);
  for (cl_kernel Each : {Point, Store, Next})
    release(Each);
  for (cl_program Each : {P, C})
    release(Each);
  for (cl_mem Each : {X, Y})
    release(Each);
}

std::atomic<int> Called = 0;
void CL_CALLBACK called(cl_event, cl_int, void *) { ++Called; }

void events() {
  cl_kernel Twice = kernel(Shared, "twice");
  cl_mem X = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  set(Twice, 0, X);
  set(Twice, 1, 8);
  cl_int Error = CL_SUCCESS;
  cl_event Go = clCreateUserEvent(Ctx, &Error), Done = nullptr, All = nullptr;
  good(Error, "clCreateUserEvent");
  const size_t Items = 16;
  if (Twice && Go && !Unready.contains(Twice))
    good(clEnqueueNDRangeKernel(Queue, Twice, 1, nullptr, &Items, nullptr, 1,
                                &Go, &Done),
         "clEnqueueNDRangeKernel");
  if (Done)
    good(clSetEventCallback(Done, CL_COMPLETE, called, nullptr),
         "clSetEventCallback");
  good(clEnqueueMarkerWithWaitList(Queue, 0, nullptr, &All),
       "clEnqueueMarkerWithWaitList");
  good(clFlush(Queue), "clFlush");
  if (Go)
    good(clSetUserEventStatus(Go, CL_COMPLETE), "clSetUserEventStatus");
  if (All)
    good(clWaitForEvents(1, &All), "clWaitForEvents");
  good(clFinish(Queue), "clFinish"); // if there was nothing to wait for
  cl_int Status = -1;
  if (Done)
    good(clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(Status),
                        &Status, nullptr),
         "clGetEventInfo");
  cl_command_type Type = 0;
  if (Done)
    good(clGetEventInfo(Done, CL_EVENT_COMMAND_TYPE, sizeof(Type), &Type,
                        nullptr),
         "clGetEventInfo");
  cl_ulong Time = 0;
  if (Done)
    good(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(Time),
                                 &Time, nullptr),
         "clGetEventProfilingInfo");
  std::printf("event: status %d, type %x, time %d\n", Status, Type, Time != 0);
  read("events", X, 16);
  release(Go);
  release(Done);
  release(All);
  release(Twice);
  release(X);
}

void binaries() {
  cl_program P = Shared;
  size_t Size = 0;
  std::vector<unsigned char> Bytes;
  if (P && good(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, sizeof(Size),
                                 &Size, nullptr),
                "clGetProgramInfo"))
    Bytes.resize(Size);
  unsigned char *To = Bytes.data();
  if (Size && good(clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof(To),
                                    static_cast<void *>(&To), nullptr),
                   "clGetProgramInfo")) {
    const unsigned char *From = Bytes.data();
    cl_int Error = CL_SUCCESS;
    cl_program Again = clCreateProgramWithBinary(Ctx, 1, &Device, &Size, &From,
                                                 nullptr, &Error);
    if (good(Error, "clCreateProgramWithBinary")) {
      good(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr),
           "clBuildProgram");
      cl_kernel Twice = kernel(Again, "twice");
      cl_mem X = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
      set(Twice, 0, X);
      set(Twice, 1, 2);
      if (launch(Twice, 16))
        read("binary", X, 16);
      release(Twice);
      release(X);
      release(Again);
    }
  }
}

void linked() {
  const char *Parts[] = {"int half_of(int x) { return x / 2; }",
                         "int half_of(int x);"
                         "kernel void halve(global int *x) {"
                         "  x[get_global_id(0)] = half_of(x[get_global_id(0)]);"
                         "}"};
  cl_program Compiled[2] = {};
  cl_int Error = CL_SUCCESS;
  for (int I = 0; I < 2; ++I) {
    Compiled[I] = clCreateProgramWithSource(Ctx, 1, &Parts[I], nullptr, &Error);
    if (good(Error, "clCreateProgramWithSource"))
      good(clCompileProgram(Compiled[I], 0, nullptr, "", 0, nullptr, nullptr,
                            nullptr, nullptr),
           "clCompileProgram");
  }
  cl_program P = nullptr;
  if (Compiled[0] && Compiled[1]) {
    P = clLinkProgram(Ctx, 0, nullptr, "", 2, Compiled, nullptr, nullptr,
                      &Error);
    good(Error, "clLinkProgram");
  }
  cl_kernel Halve = kernel(P, "halve");
  cl_mem X = buffer(16, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Numbers);
  set(Halve, 0, X);
  if (launch(Halve, 16))
    read("linked", X, 16);
  release(Halve);
  release(X);
  release(P);
  release(Compiled[0]);
  release(Compiled[1]);
}

void intermediate(const char *Path) {
  std::ifstream In(Path, std::ios::binary);
  const std::string Words(std::istreambuf_iterator<char>(In), {});
  cl_int Error = CL_SUCCESS;
  cl_program P = clCreateProgramWithIL(Ctx, Words.data(), Words.size(), &Error);
  if (!good(Error, "clCreateProgramWithIL"))
    return;
  good(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel Add = kernel(P, "vector_add");
  std::vector<cl_float> Values(8, 3.0F);
  cl_mem Mems[3];
  for (cl_uint I = 0; I < 3; ++I) {
    Mems[I] =
        buffer(8, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Values.data());
    set(Add, I, Mems[I]);
  }
  set(Add, 3, 0.5F);
  if (launch(Add, 8) &&
      good(clEnqueueReadBuffer(Queue, Mems[2], CL_TRUE, 0, 32, Values.data(), 0,
                               nullptr, nullptr),
           "clEnqueueReadBuffer"))
    std::printf("vector_add: %g\n", static_cast<double>(Values[7]));
  release(Add);
  for (cl_mem Each : Mems)
    release(Each);
  release(P);
}

/// Nothing but buffers, so many that what the layer knows of them fills its
/// reserve of memory if there is no other; then a launch.
void crowd() {
  std::vector<cl_mem> Many(20'000);
  for (cl_mem &Each : Many)
    Each = buffer(1);
  cl_program Program = build(Source);
  cl_kernel Twice = kernel(Program, "twice");
  set(Twice, 0, Many[0]);
  set(Twice, 1, 1);
  launch(Twice, 1);
  good(clFinish(Queue), "clFinish");
  release(Twice);
  release(Program);
  for (cl_mem Each : Many)
    release(Each);
}

bool start() {
  cl_platform_id Platform = nullptr;
  if (!good(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs") ||
      !good(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
            "clGetDeviceIDs"))
    return false;
  cl_int Error = CL_SUCCESS;
  Ctx = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
  if (!good(Error, "clCreateContext"))
    return false;
  Queue = clCreateCommandQueue(Ctx, Device, CL_QUEUE_PROFILING_ENABLE, &Error);
  return good(Error, "clCreateCommandQueue");
}

} // namespace

int main(int Count, char **Arguments) {
  if (!start())
    return 4;
  if (Count == 2 && std::strcmp(Arguments[1], "crowd") == 0) {
    crowd();
    return 0;
  }
  buffers();
  Shared = build(Source);
  kernels();
  // Once more, in case that it failed: commands may hold references.
  good(clFinish(Queue), "clFinish");
  cl_uint References = 0;
  good(clGetContextInfo(Ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(References),
                        &References, nullptr),
       "clGetContextInfo");
  std::printf("context: references %u\n", References);
  sharedMemory();
  images();
  variables();
  events();
  binaries();
  for (int I = 1; I < Count; ++I)
    if (std::strcmp(Arguments[I], "linked") == 0)
      linked();
    else
      intermediate(Arguments[I]);
  release(Shared);
  good(clReleaseCommandQueue(Queue), "clReleaseCommandQueue");
  good(clReleaseContext(Ctx), "clReleaseContext");
  std::printf("the end\n");
  return 3;
}
