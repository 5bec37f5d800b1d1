//===- test/schemes/against_model.cpp - twins against a scheme's model ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   warpsan run --scheme=lmi against_model lmi
//
// Random pointer arithmetic and a load, in kernels that the scheme watches. A
// load that it does not let through gives zero, and there is no zero to be
// read: so the kernel's results say what it let through. The model of the
// paper's hardware (schemes/) says what it should have.
//
// The buffer is a part of a larger one, so that what a scheme lets through
// beyond its end is memory of ours.
//
//===----------------------------------------------------------------------===//
#include "bench/setup.h"
#include "schemes/cusafe.h"
#include "schemes/gpushield.h"
#include "schemes/lmi.h"
#include "schemes/nofat.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace warpsan;
using namespace warpsan::bench;

namespace {

constexpr size_t Items = 4096, Rounds = 24;
constexpr size_t WholeBytes = 4 << 20, PartAt = 2 << 20; // both ways 2 MiB

/// Three moves, the second of them in a loop, and a load. And one that follows
/// from the ids: of such a scheme may check both ends of a work-group.
const char Text[] = R"(
kernel void walk(global const int *part, global const int *moves,
                 global int *results) {
  const size_t i = get_global_id(0);
  global const int *p = part + moves[4 * i];
  for (int k = 0; k < moves[4 * i + 2]; ++k)
    p += moves[4 * i + 1];
  results[i] = p[moves[4 * i + 3]];
}
kernel void line(global const int *part, uint first, uint step, uint back,
                 int last, global int *results) {
  const uint i = get_global_id(0) - get_global_offset(0);
  const int at = first + step * i - back * (uint)get_local_id(0);
  results[i] = part[(long)at + last];
}
)";

struct Moves {
  int32_t First, Step, Steps, Last;
};

/// What LMI's units make of them, for a buffer of \p Size bytes.
bool lmiLets(const Moves &M, uint64_t Size) {
  uint64_t Pointer = lmi::pointerTo(uint64_t(1) << 42, Size);
  auto Move = [&](int64_t Elements) {
    Pointer = lmi::ocu(Pointer, Pointer + static_cast<uint64_t>(Elements) * 4);
  };
  Move(M.First);
  for (int32_t I = 0; I < M.Steps; ++I)
    Move(M.Step);
  Move(M.Last);
  return lmi::ec(Pointer);
}

/// What CuSafe's checks make of them.
bool cuSafeLets(const Moves &M, uint64_t Size) {
  uint64_t Pointer =
      cusafe::globalBase(cusafe::classOf(Size), 0) + cusafe::HeaderBytes;
  auto Move = [&](int64_t Elements) {
    Pointer =
        cusafe::moved(Pointer, Pointer + static_cast<uint64_t>(Elements) * 4);
  };
  Move(M.First);
  for (int32_t I = 0; I < M.Steps; ++I)
    Move(M.Step);
  Move(M.Last);
  return cusafe::allows(Pointer, 4, Size);
}

/// What a secure load of No-FAT does.
bool noFatLets(const Moves &M, uint64_t Size) {
  static const WsBins Mast = [] {
    WsBins All{};
    for (unsigned Bin = 0; Bin < nofat::Bins; ++Bin)
      All.All[Bin] = nofat::entryOf(Bin);
    return All;
  }();
  const uint64_t Given = nofat::addressIn(nofat::binOf(Size), 3);
  const int64_t Elements = M.First + int64_t(M.Step) * M.Steps + M.Last;
  return nofat::allows(Given + static_cast<uint64_t>(Elements) * 4,
                       nofat::computeBase(Given, Mast), 4, Mast);
}

/// What GPUShield's unit does, for a region with a random number and key.
bool gpuShieldLets(const Moves &M, uint64_t Size, std::mt19937 &Random) {
  static auto &Table = *new WsRegions();
  const uint64_t Id = Random() & gpushield::IdMask, Base = uint64_t(1) << 42;
  const gpushield::Key Key = gpushield::keyOf(Random());
  Table.All[Id] = {Base | WS_REGION_VALID, Size};
  const int64_t Elements = M.First + int64_t(M.Step) * M.Steps + M.Last;
  return gpushield::bcu(gpushield::pointerTo(Base, Id, Key) +
                            static_cast<uint64_t>(Elements) * 4,
                        4, /*Writes=*/false, Key, Table);
}

/// What came of all loads.
struct Tally {
  size_t Let = 0, Denied = 0, Wrong = 0;

  void add(const Moves &M, size_t Size, bool Should, int32_t Read) {
    ++(Should ? Let : Denied);
    if (Should == (Read != 0))
      return;
    if (++Wrong <= 5)
      std::printf("%zu bytes: +%d, %d times +%d, +%d: the model %s, the twin "
                  "read %#x\n",
                  Size, M.First, M.Steps, M.Step, M.Last,
                  Should ? "lets it through" : "does not", Read);
  }
};

/// Intel's runtime takes (int)(step * i), with an unsigned step, for a number
/// that never wraps around when it makes vectors of work-items, bare too.
bool wrapsAround(const Setup &On) {
  char Name[256] = "";
  must(clGetPlatformInfo(On.Platform, CL_PLATFORM_NAME, sizeof(Name), Name,
                         nullptr),
       "clGetPlatformInfo");
  return !std::string_view(Name).starts_with("Intel");
}

/// Launches them with \p Kernel's arguments set, of which the last is made
/// here: what each work-item read.
std::vector<int32_t> resultsOf(Setup &On, cl_kernel Kernel, cl_uint Args,
                               size_t Offset) {
  constexpr size_t Group = 64;
  cl_mem Taken = On.buffer(4 * Items);
  must(clSetKernelArg(Kernel, Args, sizeof(cl_mem), &Taken), "clSetKernelArg");
  must(clEnqueueNDRangeKernel(On.Queue, Kernel, 1, &Offset, &Items, &Group, 0,
                              nullptr, nullptr),
       "clEnqueueNDRangeKernel");
  std::vector<int32_t> Results(Items);
  must(clEnqueueReadBuffer(On.Queue, Taken, CL_TRUE, 0, 4 * Items,
                           Results.data(), 0, nullptr, nullptr),
       "clEnqueueReadBuffer");
  must(clReleaseMemObject(Taken), "clReleaseMemObject");
  return Results;
}

} // namespace

int main(int Count, char **Words) {
  const std::string Scheme = Count > 1 ? Words[1] : "";
  const bool IsGpuShield = Scheme.starts_with("gpushield");
  auto Lets = [&](const Moves &M, uint64_t Size, std::mt19937 &Random) {
    if (Scheme == "cusafe")
      return cuSafeLets(M, Size);
    if (Scheme == "no-fat")
      return noFatLets(M, Size);
    if (IsGpuShield)
      return gpuShieldLets(M, Size, Random);
    return lmiLets(M, Size);
  };
  std::mt19937 Random(Count > 2 ? std::atoi(Words[2]) : 1);
  Setup On(0);
  cl_program Program = On.build(Text);
  cl_kernel Walk = On.kernel(Program, "walk"),
            Line = On.kernel(Program, "line");
  const std::vector<int32_t> Full(WholeBytes / 4, 0x5a5a5a5a);
  cl_mem Whole = On.buffer(WholeBytes, Full.data());
  Tally Walks, Lines;
  const bool Wraps = wrapsAround(On);
  for (size_t Round = 0; Round < Rounds; ++Round) {
    const size_t Size = 4 + 4 * (Random() % (Round < 8 ? 128 : 20000));
    const auto Near = static_cast<int32_t>(Size / 4 + 70);
    auto Upto = [&](int32_t Most) {
      return static_cast<int32_t>(Random() % (2 * Most + 1)) - Most;
    };
    const cl_buffer_region Region{PartAt, Size};
    cl_int Error = CL_SUCCESS;
    cl_mem Part =
        clCreateSubBuffer(Whole, CL_MEM_READ_WRITE,
                          CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error);
    must(Error, "clCreateSubBuffer");
    for (cl_kernel Each : {Walk, Line})
      must(clSetKernelArg(Each, 0, sizeof(cl_mem), &Part), "clSetKernelArg");

    std::vector<Moves> All(Items);
    for (Moves &M : All) {
      M = {Upto(Near), Upto(64), static_cast<int32_t>(Random() % 8),
           Upto(Near)};
      if (Random() % 4 == 0) // stays where it is
        M.First = static_cast<int32_t>(Random() % (Size / 4)), M.Steps = 0,
        M.Last = 0;
    }
    cl_mem Given = On.buffer(sizeof(Moves) * Items, All.data());
    must(clSetKernelArg(Walk, 1, sizeof(Given), &Given), "clSetKernelArg");
    std::vector<int32_t> Results = resultsOf(On, Walk, 2, 0);
    for (size_t I = 0; I < Items; ++I)
      Walks.add(All[I], Size, Lets(All[I], Size, Random), Results[I]);

    // Now and then steps that wrap around in 32 bits, for every fourth
    // work-item to something near; or sums that some of them do, and that would
    // be near if they did not. (Of two moves other schemes check both.)
    const bool Far = Wraps && IsGpuShield && Round % 3 == 1;
    const int32_t Last = Far ? 40 - INT32_MAX : 0;
    const uint32_t First =
        static_cast<uint32_t>(Upto(Near / 2)) - static_cast<uint32_t>(Last);
    const uint32_t Step = static_cast<uint32_t>(Upto(2)) +
                          (Wraps && Round % 3 == 0 ? uint32_t(1) << 30 : 0);
    const auto Back = static_cast<uint32_t>(Upto(3));
    for (cl_uint I = 1;
         const uint32_t Each : {First, Step, Back, static_cast<uint32_t>(Last)})
      must(clSetKernelArg(Line, I++, sizeof(Each), &Each), "clSetKernelArg");
    Results = resultsOf(On, Line, 5, Round % 2 * 192);
    for (uint32_t I = 0; I < Items; ++I) {
      const uint32_t At = First + Step * I - Back * (I % 64);
      const Moves M{static_cast<int32_t>(At), 0, 0, Last};
      Lines.add(M, Size, Lets(M, Size, Random), Results[I]);
    }
    for (cl_mem Each : {Part, Given})
      must(clReleaseMemObject(Each), "clReleaseMemObject");
  }
  bool Failed = false;
  for (const Tally &Each : {Walks, Lines}) {
    std::printf("%zu let through, %zu denied, %zu otherwise than the model\n",
                Each.Let, Each.Denied, Each.Wrong);
    // Both must have been asked for, or nothing was tried.
    Failed |= Each.Wrong || Each.Let < Items || Each.Denied < Items;
  }
  return Failed;
}
