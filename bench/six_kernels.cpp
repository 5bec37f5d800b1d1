//===- bench/six_kernels.cpp - device time of six kernels
//------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A naive matrix product, a five-point stencil, a sparse product, a gather, a
// reduction in local memory and a tiled matrix product. Each is launched many
// times; its result is compared with the host's; the least time by event
// profiling is printed, a line each: "gemm 41.27 ms".
//
//   six_kernels [NAME=SCALE...]   multiplies the work of NAME by about SCALE
//
//===----------------------------------------------------------------------===//
#include "bench/setup.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace warpsan::bench;

namespace {

const char *Source = R"(
kernel void gemm(global const float *a, global const float *b, global float *c, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

kernel void stencil(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = 0.5f * in[y * w + x] +
                     0.125f * (in[y * w + x - 1] + in[y * w + x + 1] +
                               in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

kernel void spmv(global const int *starts, global const int *columns,
                 global const float *values, global const float *x,
                 global float *y, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

kernel void gather(global const float *in, global const int *at, global float *out) {
  int i = get_global_id(0);
  out[i] = in[at[i]];
}

kernel void reduce(global const float *in, global float *out, local float *tile) {
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
    if (l < width)
      tile[l] += tile[l + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = tile[0];
}

#define TILE 16
kernel void tiled(global const float *a, global const float *b, global float *c, int n) {
  local float as[TILE][TILE], bs[TILE][TILE];
  int lx = get_local_id(0), ly = get_local_id(1);
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[ly][lx] = a[i * n + t + lx];
    bs[ly][lx] = b[(t + ly) * n + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += as[ly][k] * bs[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[i * n + j] = sum;
}
)";

/// Launches of a kernel that count. Many short ones: on a busy machine some are
/// not disturbed, and the least is theirs.
constexpr int Repetitions = 30;

using Floats = std::vector<float>;
using Ints = std::vector<int>;

class Kernels {
public:
  explicit Kernels(std::map<std::string, double> Scales)
      : S(CL_QUEUE_PROFILING_ENABLE), Program(S.build(Source)),
        Scales(std::move(Scales)) {}

  void all() {
    matrix("gemm");
    stencil();
    spmv();
    gather();
    reduce();
    matrix("tiled");
  }

private:
  double scale(const char *Name) const {
    auto It = Scales.find(Name);
    return It == Scales.end() ? 1 : It->second;
  }
  template <typename T> cl_mem device(const std::vector<T> &From) {
    return S.buffer(From.size() * sizeof(T), From.data());
  }
  Floats back(cl_mem From, size_t Count) {
    Floats Out(Count);
    S.read(From, Out.data(), Count * sizeof(float));
    return Out;
  }
  Floats numbers(size_t Count) {
    std::uniform_real_distribution<float> Between(-1, 1);
    Floats Out(Count);
    for (float &Each : Out)
      Each = Between(Random);
    return Out;
  }
  template <typename... Ts> cl_kernel with(const char *Name, Ts... Args) {
    cl_kernel Kernel = S.kernel(Program, Name);
    cl_uint Index = 0;
    (must(clSetKernelArg(Kernel, Index++, sizeof(Args), &Args),
          "clSetKernelArg"),
     ...);
    return Kernel;
  }

  /// Launches and prints the least time.
  void time(const char *Name, cl_kernel Kernel, std::vector<size_t> Global,
            std::vector<size_t> Local) {
    double Least = std::numeric_limits<double>::infinity();
    for (int R = 0; R <= Repetitions; ++R) {
      cl_event Done = nullptr;
      must(clEnqueueNDRangeKernel(
               S.Queue, Kernel, static_cast<cl_uint>(Global.size()), nullptr,
               Global.data(), Local.data(), 0, nullptr, &Done),
           "clEnqueueNDRangeKernel");
      must(clFinish(S.Queue), "clFinish");
      cl_ulong Start = 0, End = 0;
      must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START,
                                   sizeof(Start), &Start, nullptr),
           "clGetEventProfilingInfo");
      must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(End),
                                   &End, nullptr),
           "clGetEventProfilingInfo");
      clReleaseEvent(Done);
      if (R > 0) // the first launch may compile, and touches the pages
        Least = std::min(Least, static_cast<double>(End - Start));
    }
    std::printf("%s %.3f ms\n", Name, Least * 1e-6);
  }

  /// Compares \p Got with what \p Want computes, at every \p Step.
  void verify(const char *Name, const Floats &Got, size_t Step,
              const std::function<double(size_t)> &Want) {
    for (size_t I = 0; I < Got.size(); I += Step)
      if (double W = Want(I); std::abs(Got[I] - W) > 1e-3 * (1 + std::abs(W))) {
        std::fprintf(stderr, "%s: element %zu is %g, not %g\n", Name, I, Got[I],
                     W);
        std::exit(1);
      }
  }

  /// The naive and the tiled product.
  void matrix(const char *Name) {
    int N = static_cast<int>(256 * std::cbrt(scale(Name))) / 16 * 16;
    size_t Size = static_cast<size_t>(N) * N;
    Floats A = numbers(Size), B = numbers(Size);
    cl_mem C = S.buffer(Size * sizeof(float));
    time(Name, with(Name, device(A), device(B), C, N),
         {static_cast<size_t>(N), static_cast<size_t>(N)}, {16, 16});
    verify(Name, back(C, Size), 101, [&](size_t At) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += static_cast<double>(A[At / N * N + K]) * B[K * N + At % N];
      return Sum;
    });
  }

  void stencil() {
    int W = static_cast<int>(2048 * std::sqrt(scale("stencil"))) / 64 * 64,
        H = W;
    size_t Size = static_cast<size_t>(W) * H;
    Floats In = numbers(Size);
    cl_mem Out = device(Floats(Size, 0));
    time("stencil", with("stencil", device(In), Out, W, H),
         {static_cast<size_t>(W), static_cast<size_t>(H)}, {64, 4});
    verify("stencil", back(Out, Size), 7, [&](size_t At) {
      size_t X = At % W, Y = At / W;
      if (X == 0 || Y == 0 || X == static_cast<size_t>(W) - 1 ||
          Y == static_cast<size_t>(H) - 1)
        return 0.0;
      return 0.5 * In[At] +
             0.125 * (In[At - 1] + In[At + 1] + In[At - W] + In[At + W]);
    });
  }

  void spmv() {
    int Rows = static_cast<int>(100'000 * scale("spmv")) / 64 * 64;
    std::uniform_int_distribution<int> Length(0, 48), Column(0, Rows - 1);
    Ints Starts{0}, Columns;
    for (int Row = 0; Row < Rows; ++Row) {
      for (int K = Length(Random); K > 0; --K)
        Columns.push_back(Column(Random));
      Starts.push_back(static_cast<int>(Columns.size()));
    }
    Floats Values = numbers(Columns.size()), X = numbers(Rows);
    cl_mem Y = S.buffer(Rows * sizeof(float));
    time("spmv",
         with("spmv", device(Starts), device(Columns), device(Values),
              device(X), Y, Rows),
         {static_cast<size_t>(Rows)}, {64});
    verify("spmv", back(Y, Rows), 1, [&](size_t Row) {
      double Sum = 0;
      for (int K = Starts[Row]; K < Starts[Row + 1]; ++K)
        Sum += static_cast<double>(Values[K]) * X[Columns[K]];
      return Sum;
    });
  }

  void gather() {
    size_t Count = static_cast<size_t>(1'000'000 * scale("gather")) / 256 * 256;
    Floats In = numbers(Count);
    std::uniform_int_distribution<int> Where(0, static_cast<int>(Count) - 1);
    Ints At(Count);
    for (int &Each : At)
      Each = Where(Random);
    cl_mem Out = S.buffer(Count * sizeof(float));
    time("gather", with("gather", device(In), device(At), Out), {Count}, {256});
    verify("gather", back(Out, Count), 1,
           [&](size_t I) { return static_cast<double>(In[At[I]]); });
  }

  void reduce() {
    constexpr size_t Group = 256;
    size_t Count =
        static_cast<size_t>(1'000'000 * scale("reduce")) / Group * Group;
    Floats In = numbers(Count);
    cl_mem Out = S.buffer(Count / Group * sizeof(float));
    cl_kernel Kernel = with("reduce", device(In), Out);
    must(clSetKernelArg(Kernel, 2, Group * sizeof(float), nullptr),
         "clSetKernelArg");
    time("reduce", Kernel, {Count}, {Group});
    verify("reduce", back(Out, Count / Group), 1, [&](size_t G) {
      double Sum = 0;
      for (size_t I = 0; I < Group; ++I)
        Sum += In[G * Group + I];
      return Sum;
    });
  }

  Setup S;
  cl_program Program;
  std::map<std::string, double> Scales;
  std::mt19937 Random{1};
};

} // namespace

int main(int Argc, char **Argv) {
  std::map<std::string, double> Scales;
  for (int I = 1; I < Argc; ++I) {
    std::string Argument = Argv[I];
    size_t Equals = Argument.find('=');
    if (Equals == std::string::npos) {
      std::fprintf(stderr, "%s: not NAME=SCALE\n", Argv[I]);
      return 2;
    }
    Scales[Argument.substr(0, Equals)] =
        std::atof(Argument.c_str() + Equals + 1);
  }
  Kernels(std::move(Scales)).all();
  return 0;
}
