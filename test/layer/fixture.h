//===- test/layer/fixture.h - a small OpenCL program to start from --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests of this folder are ordinary OpenCL programs: they know nothing of
// WarpSan and pass on the bare driver. `test/layer/unchanged` runs each bare
// and under WarpSan and compares. Programs tell it on standard output how many
// launches they made, and which of them cannot be twins ("warpsan-test: ..."
// lines).
//
// What is set up for a test throws on failure, which GoogleTest reports; what
// is tested is asserted.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_LAYER_FIXTURE_H
#define WARPSAN_TEST_LAYER_FIXTURE_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define ASSERT_OK(Call) ASSERT_EQ(CL_SUCCESS, (Call))
#define EXPECT_OK(Call) EXPECT_EQ(CL_SUCCESS, (Call))

namespace warpsan::test {

/// Owns one reference to an OpenCL object. It may be reset early: the order
/// of releases is a subject of these tests.
template <typename Handle, auto Release> class Own {
public:
  Own() = default;
  explicit Own(Handle Object) : Object(Object) {}
  Own(Own &&Other) noexcept : Object(std::exchange(Other.Object, nullptr)) {}
  Own &operator=(Own &&Other) noexcept {
    std::swap(Object, Other.Object);
    return *this;
  }
  ~Own() { reset(); }

  void reset() {
    if (Object)
      EXPECT_EQ(CL_SUCCESS, Release(std::exchange(Object, nullptr)));
  }
  /// Where an API call may put a new object.
  Handle *out() {
    reset();
    return &Object;
  }
  Handle get() const { return Object; }
  operator Handle() const { return Object; }

private:
  Handle Object = nullptr;
};

// The attributes of the API's function types (CL_API_SUFFIX) are not part of a
// template argument's type; plain functions avoid a warning about that.
inline cl_int releaseContext(cl_context C) { return clReleaseContext(C); }
inline cl_int releaseQueue(cl_command_queue Q) {
  return clReleaseCommandQueue(Q);
}
inline cl_int releaseMem(cl_mem M) { return clReleaseMemObject(M); }
inline cl_int releaseSampler(cl_sampler S) { return clReleaseSampler(S); }
inline cl_int releaseProgram(cl_program P) { return clReleaseProgram(P); }
inline cl_int releaseKernel(cl_kernel K) { return clReleaseKernel(K); }
inline cl_int releaseEvent(cl_event E) { return clReleaseEvent(E); }
inline cl_int releaseDevice(cl_device_id D) { return clReleaseDevice(D); }

using Context = Own<cl_context, releaseContext>;
using Queue = Own<cl_command_queue, releaseQueue>;
using Mem = Own<cl_mem, releaseMem>;
using Sampler = Own<cl_sampler, releaseSampler>;
using Program = Own<cl_program, releaseProgram>;
using Kernel = Own<cl_kernel, releaseKernel>;
using Event = Own<cl_event, releaseEvent>;
using SubDevice = Own<cl_device_id, releaseDevice>;

/// Throws a sentence that names the call and the error code.
void must(cl_int Error, const char *Call);

/// An NDRange. No offset and no local size mean NULL in the call.
struct Range {
  std::vector<size_t> Global;
  std::vector<size_t> Local = {};
  std::vector<size_t> Offset = {};
};

/// clEnqueueNDRangeKernel. Counts the launches that the driver accepted.
cl_int launch(cl_command_queue Q, cl_kernel K, const Range &R,
              const std::vector<cl_event> &Wait = {}, cl_event *Done = nullptr);

/// For launches that do not go through launch().
void countLaunches(unsigned Count);

/// Says that this program does not know how many launches it makes.
void leaveLaunchesUncounted();

/// Tells the runner how many launches there were: the last thing that main
/// does.
void printLaunches();

/// Waits, without a call of OpenCL, until this process's other threads have
/// nothing to do: drivers run callbacks, and let go of what a finished command
/// used, in threads of their own, and a busy machine makes these late.
void waitUntilQuiet();

/// Says that \p Count of the launches so far cannot have run as twins, of
/// which kernel, and why.
void expectNative(unsigned Count, const std::string &KernelName,
                  const std::string &Why);

/// clSetKernelArg for argument \p Index; the size is the value's.
template <typename T> cl_int setArg(cl_kernel K, cl_uint Index, const T &Arg) {
  if constexpr (std::is_same_v<T, Mem>) {
    cl_mem Raw = Arg.get();
    return clSetKernelArg(K, Index, sizeof(Raw), &Raw);
  } else if constexpr (std::is_same_v<T, Sampler>) {
    cl_sampler Raw = Arg.get();
    return clSetKernelArg(K, Index, sizeof(Raw), &Raw);
  } else {
    static_assert(std::is_trivially_copyable_v<T>);
    return clSetKernelArg(K, Index, sizeof(T), &Arg);
  }
}

/// Sets all arguments in order.
template <typename... Ts> void setArgs(cl_kernel K, const Ts &...Args) {
  cl_uint Index = 0;
  (must(setArg(K, Index++, Args), "clSetKernelArg"), ...);
}

/// The device under test: the first of the first platform. Which driver that
/// is, is chosen from outside (OCL_ICD_VENDORS).
cl_platform_id thePlatform();
cl_device_id theDevice();
/// For what one driver is known to do wrong, bare.
std::string platformName();
std::string deviceText(cl_device_id Device, cl_device_info What);
bool deviceHas(cl_device_id Device, const std::string &Extension);
/// True if OpenCL C has the feature (CL_DEVICE_OPENCL_C_FEATURES),
/// "__opencl_c_...".
bool deviceHasFeature(cl_device_id Device, const std::string &Feature);
/// True if the device takes -cl-std=CL<Major>.<Minor>.
bool deviceTakesC(cl_device_id Device, cl_uint Major, cl_uint Minor);

template <typename T> T deviceNumber(cl_device_id Device, cl_device_info What) {
  T Value{};
  must(clGetDeviceInfo(Device, What, sizeof(Value), &Value, nullptr),
       "clGetDeviceInfo");
  return Value;
}

std::string buildLog(cl_program P, cl_device_id Device);

/// An extension function of the platform; throws if it has none.
template <typename Fn> Fn extension(const char *Name) {
  void *Address = clGetExtensionFunctionAddressForPlatform(thePlatform(), Name);
  must(Address ? CL_SUCCESS : CL_INVALID_OPERATION, Name);
  return reinterpret_cast<Fn>(Address);
}

/// A context with the device under test and an in-order queue.
class OpenCL : public testing::Test {
protected:
  void SetUp() override;

  Program source(const std::string &Text) const;
  /// Builds for all devices of the context; throws the log if that fails.
  Program build(const std::string &Text, const char *Options = "") const;
  Kernel kernel(cl_program P, const char *Name) const;
  Queue queue(cl_command_queue_properties Properties) const;
  Mem buffer(size_t Bytes, cl_mem_flags Flags = CL_MEM_READ_WRITE) const;
  /// A row of \p Width pixels that is a view of \p Buffer.
  Mem rowOf(cl_mem Buffer, const cl_image_format &Format, size_t Width,
            cl_int &Error, cl_mem_flags Flags = 0) const;

  template <typename T>
  Mem bufferOf(const std::vector<T> &Items,
               cl_mem_flags Flags = CL_MEM_READ_WRITE) const {
    Mem Out = buffer(Items.size() * sizeof(T), Flags);
    must(clEnqueueWriteBuffer(Q, Out, CL_TRUE, 0, Items.size() * sizeof(T),
                              Items.data(), 0, nullptr, nullptr),
         "clEnqueueWriteBuffer");
    return Out;
  }
  /// A blocking read in the fixture's queue.
  template <typename T>
  std::vector<T> read(cl_mem From, size_t Count, size_t First = 0) const {
    std::vector<T> Out(Count);
    must(clEnqueueReadBuffer(Q, From, CL_TRUE, First * sizeof(T),
                             Count * sizeof(T), Out.data(), 0, nullptr,
                             nullptr),
         "clEnqueueReadBuffer");
    return Out;
  }

  cl_device_id Device = nullptr;
  Context Ctx;
  Queue Q;
};

} // namespace warpsan::test

#endif // WARPSAN_TEST_LAYER_FIXTURE_H
