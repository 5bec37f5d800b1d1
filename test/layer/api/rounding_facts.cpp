//===- test/layer/api/rounding_facts.cpp - how a * b + c is rounded -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what kernels calculate, to the last bit: a driver may contract
// a * b + c, and a twin has to do the same.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace warpsan::test;

namespace {

/// With REAL as float or double. Four results a work-item.
constexpr char Source[] = R"(
#define KERNEL(Name) kernel void Name( \
    global REAL *o, global const float *x, global const float *y, \
    global const float *z, REAL n) { \
    int i = get_global_id(0); \
    REAL a = x[i] / (REAL)3, b = y[i] / (REAL)7, c = z[i] / (REAL)11; o += 4 * i;
REAL product(REAL a, REAL b) { return a * b; }
REAL sum(REAL a, REAL b, REAL c) { return a * b + c; }
KERNEL(expressions)
  o[0] = a * b + c; o[1] = c - a * b; o[2] = a * b - c * a; o[3] = a * b + c * a;
}
KERNEL(statements)
  REAL t = a * b; o[0] = t + c; t += b; o[1] = t; if (c > 0) t -= a; o[2] = t * c;
}
KERNEL(shared_products)
  o[0] = a * b + c; o[1] = a * b - c; o[2] = a * b; o[3] = c - a * b;
}
KERNEL(squares)
  REAL r = a * a + b * b; o[0] = r; o[1] = a * a > 2 ? r * c + a * a : r; o[2] = a * a + c;
}
KERNEL(functions)
  o[0] = product(a, b) + c; o[1] = sum(a, b, sum(b, c, a)); o[2] = sum(a, product(b, c), a);
}
KERNEL(polynomial)
  o[0] = ((a * b + c) * b + a) * c + b; REAL d = a * (REAL)3.7 - b; o[1] = b * d - a * d;
}
KERNEL(loops)
  REAL s = 0, t = c, u = a;
  for (int k = 0; k < 8; ++k) {
    s += x[i + k] * (REAL)y[i + k]; t = t * a + b; u += a * b; o[3] = n * n + u;
  }
  o[0] = s; o[1] = t; o[2] = u;
}
KERNEL(uniform)
  o[0] = n * n + a; o[1] = n * 3 + b; o[2] = n * x[3] + c; o[3] = n * a + n;
}
KERNEL(memory)
  o[0] = c; for (int k = 0; k < 4; ++k) o[0] += a * x[i + k];
  o[1] += a * b; o[2] = o[1] * o[0] + o[2];
}
KERNEL(vectors)
  VECTOR v = (VECTOR)(a, b, c, n), w = v.wzyx, u = v.yxwz;
  VECTOR r = v * w + u; r += v * u; o[0] = r.x; o[1] = r.y; o[2] = r.z; o[3] = r.w;
}
KERNEL(builtins)
  o[0] = length((VECTOR)(a, b, c, n)) * a + b; o[1] = a / b + sqrt(fabs(c)) * a;
  o[2] = fma(a, b, c) + a * b; o[3] = mix(a, b, c);
}
#pragma OPENCL FP_CONTRACT OFF
KERNEL(uncontracted)
  o[0] = a * b + c; o[1] = c - a * b; o[2] = a * b - c * a; o[3] = a * b + c * a;
}
)";

class Rounding : public OpenCL {
protected:
  /// Prints a number a kernel that depends on every bit of its results.
  template <typename Real> void printResults(const std::string &Options) {
    constexpr size_t Count = 256;
    std::vector<cl_float> In[3];
    uint32_t State = 12345;
    for (std::vector<cl_float> &Each : In)
      for (size_t I = 0; I < Count + 8; ++I) {
        State = State * 1664525U + 1013904223U;
        Each.push_back(static_cast<cl_float>(State >> 8) / (1 << 20) - 7.5F);
      }
    Mem X = bufferOf(In[0]), Y = bufferOf(In[1]), Z = bufferOf(In[2]);
    Program P = build(Source, Options.c_str());
    for (const char *Name :
         {"expressions", "statements", "shared_products", "squares",
          "functions", "polynomial", "loops", "uniform", "memory", "vectors",
          "builtins", "uncontracted"}) {
      Kernel K = kernel(P, Name);
      Mem Out = bufferOf(std::vector<Real>(4 * Count, 1));
      setArgs(K, Out, X, Y, Z, Real(1.7));
      must(launch(Q, K, {{Count}, {16}}), "clEnqueueNDRangeKernel");
      const std::vector<Real> Got = read<Real>(Out, 4 * Count);
      uint64_t Hash = 14695981039346656037U;
      for (const Real Each : Got) {
        unsigned char Bytes[sizeof(Real)];
        std::memcpy(Bytes, &Each, sizeof(Real));
        for (const unsigned char Byte : Bytes)
          Hash = (Hash ^ Byte) * 1099511628211U;
      }
      std::printf("%s %s %016llx\n", Options.c_str(), Name,
                  static_cast<unsigned long long>(Hash));
    }
  }
};

TEST_F(Rounding, Floats) {
  for (const std::string Option : {"", " -cl-mad-enable", " -cl-std=CL1.2",
                                   " -cl-fp32-correctly-rounded-divide-sqrt"})
    if (Option != " -cl-fp32-correctly-rounded-divide-sqrt" ||
        (deviceNumber<cl_device_fp_config>(Device, CL_DEVICE_SINGLE_FP_CONFIG) &
         CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
      printResults<cl_float>("-DREAL=float -DVECTOR=float4" + Option);
}

TEST_F(Rounding, Doubles) {
  if (!deviceHas(Device, "cl_khr_fp64"))
    GTEST_SKIP() << "the device has no doubles";
  for (const std::string Option : {"", " -cl-mad-enable"})
    printResults<cl_double>("-DREAL=double -DVECTOR=double4" + Option);
}

} // namespace
