//===- test/layer/errors/structs.cpp - errors in structs ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/structs: structs KERNEL... launches each kernel of the
// list below, prints what its buffer holds after that, and "end". Buffers have
// 8 structs and end in a struct that no kernel may touch.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>
#include <cstring>

using namespace warpsan::test;

namespace {

constexpr size_t Count = 8;

const char *const Text = R"(
typedef struct { char tag; int value; } rec;
kernel void members(global rec *r) {
  int i = get_global_id(0) + 1;
  r[i].tag = i;
  r[i].value = i * i;
}
kernel void ok_members(global rec *r) {
  int i = get_global_id(0);
  r[i].tag = i;
  r[i].value = i * i;
}

typedef struct { int id; struct { float pos[3]; float mass; } body; } particle;
kernel void nested(global particle *p) {
  p[get_global_id(0) + 1].body.mass = 2.0f;
}
kernel void nested_array(global particle *p, int c) {
  p[get_global_id(0) + 1].body.pos[c] = 2.0f;
}
kernel void vectors(global float4 *v) {
  ((global float *)v)[4 * get_global_id(0) + 5] = 2.0f;
}

typedef struct { int n; int w[4]; } params;
kernel void by_value(global int *o, params p) {
  o[get_global_id(0)] = p.w[get_global_id(0) % 5];
}
kernel void ok_by_value(global int *o, params p) {
  o[get_global_id(0)] = p.w[get_global_id(0) % 4];
}
kernel void changed_by_value(global int *o, params p) {
  p.w[get_global_id(0) % 4] = p.n;
  o[get_global_id(0)] = p.w[get_global_id(0) % 5];
}
int pick(params q, int i) { q.n = i; return q.w[i % 5] + q.n; }
kernel void of_a_function(global int *o) {
  params mine = {1, {2, 3, 4, 5}};
  o[get_global_id(0)] = pick(mine, get_global_id(0));
}

typedef struct { float pos[3]; float mass; } body;
kernel void add(global body *b) {
  for (int c = 0; c <= 3; c++)
    b[get_global_id(0)].pos[c] += 0.5f;
}
kernel void ok_add(global body *b) {
  for (int c = 0; c < 3; c++)
    b[get_global_id(0)].pos[c] += 0.5f;
}
kernel void add_null(global int *a, global int *none) {
  none[get_global_id(0)] += 1;
}
)";

/// The bytes of a struct in the kernel's buffer, and what else it is given.
struct Subject {
  const char *Name;
  size_t Bytes;
  enum { Nothing, Number, Params, Null } More = Nothing;
};

const Subject Subjects[] = {
    {"members", 8},
    {"ok_members", 8},
    {"nested", 20},
    {"nested_array", 20, Subject::Number},
    {"vectors", 16},
    {"by_value", 4, Subject::Params},
    {"ok_by_value", 4, Subject::Params},
    {"changed_by_value", 4, Subject::Params},
    {"of_a_function", 4},
    {"add", 16},
    {"ok_add", 16},
    {"add_null", 4, Subject::Null},
};

class Run : public OpenCL {
public:
  Run() {
    SetUp();
    P = build(Text);
  }
  void TestBody() override {}

  void launchOf(const Subject &S) {
    Kernel K = kernel(P, S.Name);
    std::vector<cl_uchar> Start(S.Bytes * (Count + 1), 0);
    Mem Whole = bufferOf(Start);
    const cl_buffer_region Region = {0, S.Bytes * Count};
    cl_int Error = CL_SUCCESS;
    Mem Part(clCreateSubBuffer(Whole, CL_MEM_READ_WRITE,
                               CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error));
    must(Error, "clCreateSubBuffer");
    setArgs(K, Part);
    const cl_int Params[5] = {1, 2, 3, 4, 5};
    switch (S.More) {
    case Subject::Nothing:
      break;
    case Subject::Number:
      must(setArg(K, 1, cl_int(1)), "clSetKernelArg");
      break;
    case Subject::Params:
      must(clSetKernelArg(K, 1, sizeof(Params), Params), "clSetKernelArg");
      break;
    case Subject::Null:
      must(clSetKernelArg(K, 1, sizeof(cl_mem), nullptr), "clSetKernelArg");
    }
    must(launch(Q, K, {{Count}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    const auto After = read<cl_uchar>(Whole, Start.size());
    std::printf("%s:", S.Name);
    for (size_t I = 0; I + 4 <= After.size(); I += 4) {
      cl_int Word = 0;
      std::memcpy(&Word, &After[I], 4);
      std::printf(" %x", static_cast<unsigned>(Word));
    }
    std::puts("");
  }

private:
  Program P;
};

} // namespace

int main(int Argc, char **Argv) {
  leaveLaunchesUncounted();
  Run R;
  for (int I = 1; I < Argc; ++I)
    for (const Subject &S : Subjects)
      if (!std::strcmp(S.Name, Argv[I]))
        R.launchOf(S);
  std::puts("end");
  return 0;
}
