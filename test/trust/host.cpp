//===- test/trust/host.cpp - launches generated kernels next to guard pages ==//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     trust_host LAYER STATE JOB [--after KERNEL] [--twins] [--exact] [--once]
//                [--sizes FILE]
//
// Runs the kernels of a job (test/trust/generate.py writes it) under WarpSan,
// with the guard layer below. For each launch it looks for the smallest buffers
// with which WarpSan launches the native kernel, so with which it claims that
// every access is in bounds: there a wrong claim shows most easily. The guard
// layer tells native launches from twins; WarpSan is not asked. The native
// kernel does nothing during the search, and runs with the buffers found.
//
// STATE holds, at any time, what is running ("run ..."), and at the end "done"
// with counts or "outside ..." if bytes next to a buffer changed. A process
// that died left the launch that killed it.
//
// --after KERNEL: continues with the kernel after this one. --twins: twins run
// too; otherwise they are not launched, which saves most of the drivers'
// compilation. --exact: sizes are those of the job. --once: such launches are
// made once, not also with the guard page before the buffers. --sizes FILE:
// appends a job of exact launches: those made, and others near the sizes found.
//
//===----------------------------------------------------------------------===//
#include "test/trust/guard_layer.h"

#include <CL/cl.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// Elements of the largest buffers that are tried.
constexpr size_t MostElements = 4096;
/// The same for buffers of indices, which WarpSan reads.
constexpr size_t MostIndices = 512;
constexpr unsigned LaunchSeconds = 30;
/// Index buffers are read by WarpSan from the second launch on.
constexpr unsigned LaunchesWithIndices = 3;

struct Argument {
  enum class Kind { Buffer, Indices, Scalar, Local } Is = Kind::Scalar;
  size_t Bytes = 0;          ///< of one element
  int64_t Low = 0, High = 0; ///< Indices: range of the values
  [[nodiscard]] bool isMemory() const {
    return Is == Kind::Buffer || Is == Kind::Indices;
  }
};

struct Launch {
  cl_uint Dims = 1;
  std::array<size_t, 3> Global{}, Local{}, Offset{};
  std::vector<int64_t> Values; ///< of scalars, then elements of buffers
};

struct Kernel {
  std::string Name;
  std::string Text; ///< its lines of the job, without launches
  std::vector<Argument> Arguments;
  std::vector<Launch> Launches;
};

struct Counts {
  unsigned long Kernels = 0, Launches = 0, Native = 0, Proven = 0, Refused = 0;
  unsigned long Edges = 0;    ///< launches of the job that are proven at all
  unsigned long Searched = 0; ///< launches of the job
};

[[noreturn]] void fail(const std::string &Text) {
  std::cerr << "trust_host: " << Text << '\n';
  _exit(3);
}

void check(cl_int Error, const char *Call) {
  if (Error != CL_SUCCESS)
    fail(std::string(Call) + " gives " + std::to_string(Error));
}

/// The functions of the layer that the loader has loaded. Those that it does
/// not have, as a layer without guards, do nothing.
struct Guard {
  decltype(&guardSetMode) SetMode = [](GuardMode /*Mode*/) {};
  decltype(&guardSkipTwins) SkipTwins = [](int /*Skips*/) {};
  decltype(&guardSkipNative) SkipNative = [](int /*Skips*/) {};
  decltype(&guardNativeLaunches) NativeLaunches =
      [](const char * /*Kernel*/) -> unsigned long { return 0; };
  decltype(&guardDamaged) Damaged = []() -> unsigned long { return 0; };
  decltype(&guardSlack) Slack = [](cl_mem /*Buffer*/) -> size_t { return 0; };

  explicit Guard(const char *Path) {
    void *Library = dlopen(Path, RTLD_NOW | RTLD_NOLOAD);
    if (!Library)
      fail(std::string(Path) + " is not loaded");
    find(Library, "guardSetMode", SetMode);
    find(Library, "guardSkipTwins", SkipTwins);
    find(Library, "guardSkipNative", SkipNative);
    find(Library, "guardNativeLaunches", NativeLaunches);
    find(Library, "guardDamaged", Damaged);
    find(Library, "guardSlack", Slack);
  }

private:
  template <typename Function>
  static void find(void *Library, const char *Name, Function &To) {
    if (void *Found = dlsym(Library, Name))
      To = reinterpret_cast<Function>(Found);
  }
};

/// What is running, for whoever finds this process dead.
class State {
  static constexpr size_t Bytes = 4096;
  char *Text;

public:
  explicit State(const char *Path) {
    const int File = open(Path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (File < 0 || ftruncate(File, Bytes) != 0)
      fail(std::string("cannot write ") + Path);
    void *Map =
        mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
    if (Map == MAP_FAILED)
      fail(std::string("cannot map ") + Path);
    Text = static_cast<char *>(Map);
    close(File);
  }
  void set(const std::string &To) {
    const size_t Length = std::min(To.size(), Bytes - 1);
    std::memcpy(Text, To.data(), Length);
    std::memset(Text + Length, 0, Bytes - Length);
  }
};

/// Bytes that look random and are the same in every run.
const std::vector<uint64_t> &noise() {
  static const std::vector<uint64_t> Bytes = [] {
    std::vector<uint64_t> Made(MostElements * 16 / sizeof(uint64_t));
    uint64_t X = 88172645463325252U;
    for (uint64_t &Word : Made) {
      X ^= X << 13U;
      X ^= X >> 7U;
      X ^= X << 17U;
      Word = X;
    }
    return Made;
  }();
  return Bytes;
}

/// 32-bit values within a range, both ends among them.
std::vector<int32_t> indicesOf(const Argument &Of, size_t Count) {
  std::vector<int32_t> Made(Count);
  const auto Span = static_cast<uint64_t>(Of.High - Of.Low + 1);
  for (size_t I = 0; I < Count; ++I)
    Made[I] = static_cast<int32_t>(Of.Low + int64_t(noise()[I] % Span));
  if (Count > 0)
    Made[0] = static_cast<int32_t>(Of.High);
  if (Count > 1)
    Made[Count - 1] = static_cast<int32_t>(Of.Low);
  return Made;
}

struct Options {
  std::string After;
  std::string Sizes;
  bool RunsTwins = false;
  bool IsExact = false;
  bool IsOnce = false;
};

class Runner {
  const Guard Layer;
  State Now;
  const Options &Given;
  std::ofstream Sizes;
  bool MayBeNonUniform = false;
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;

public:
  Counts Count;

  Runner(const char *LayerPath, const char *StatePath, const Options &Given)
      : Layer((start(), LayerPath)), Now(StatePath), Given(Given) {
    if (!Given.Sizes.empty())
      Sizes.open(Given.Sizes, std::ios::app);
    Now.set("start");
    cl_platform_id Platform = nullptr;
    check(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
          "clGetDeviceIDs");
    cl_int Error = CL_SUCCESS;
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    check(Error, "clCreateContext");
    Queue =
        clCreateCommandQueueWithProperties(Context, Device, nullptr, &Error);
    check(Error, "clCreateCommandQueueWithProperties");
    cl_bool Supported = CL_FALSE;
    clGetDeviceInfo(Device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                    sizeof(Supported), &Supported, nullptr);
    MayBeNonUniform = Supported == CL_TRUE;
    Layer.SkipTwins(!Given.RunsTwins);
  }

  cl_program build(const std::string &Path) {
    Now.set("build " + Path);
    std::ifstream File(Path);
    std::stringstream Text;
    Text << File.rdbuf();
    const std::string Source = Text.str();
    const char *Characters = Source.c_str();
    cl_program Program =
        clCreateProgramWithSource(Context, 1, &Characters, nullptr, nullptr);
    if (clBuildProgram(Program, 1, &Device, "-cl-std=CL3.0 -w", nullptr,
                       nullptr) == CL_SUCCESS)
      return Program;
    std::vector<char> Log(100000);
    clGetProgramBuildInfo(Program, Device, CL_PROGRAM_BUILD_LOG, Log.size() - 1,
                          Log.data(), nullptr);
    fail(Path + " does not build:\n" + Log.data());
  }

  void run(cl_program Program, Kernel Of) {
    ++Count.Kernels;
    if (!MayBeNonUniform && !Given.IsExact)
      for (Launch &Each : Of.Launches)
        for (size_t I = 0; I < 3 && Each.Local[0]; ++I)
          Each.Global[I] +=
              (Each.Local[I] - Each.Global[I] % Each.Local[I]) % Each.Local[I];
    if (Sizes.is_open())
      Sizes << Of.Text;
    cl_int Error = CL_SUCCESS;
    cl_kernel Made = clCreateKernel(Program, Of.Name.c_str(), &Error);
    check(Error, "clCreateKernel");
    bool Proven = false;
    for (size_t I = 0; I < Of.Launches.size(); ++I)
      Proven |=
          Given.IsExact ? launchExactly(Made, Of, I) : search(Made, Of, I);
    Count.Proven += Proven;
    clReleaseKernel(Made);
  }

  void finish() {
    Now.set("done kernels " + std::to_string(Count.Kernels) + " launches " +
            std::to_string(Count.Launches) + " native " +
            std::to_string(Count.Native) + " proven " +
            std::to_string(Count.Proven) + " edges " +
            std::to_string(Count.Edges) + " searched " +
            std::to_string(Count.Searched) + " refused " +
            std::to_string(Count.Refused));
  }

private:
  /// Has the loader load its layers.
  static void start() {
    cl_uint Platforms = 0;
    clGetPlatformIDs(0, nullptr, &Platforms);
  }

  static std::vector<size_t> mostSizes(const Kernel &Of) {
    std::vector<size_t> Sizes;
    for (const Argument &Each : Of.Arguments)
      if (Each.isMemory())
        Sizes.push_back(Each.Is == Argument::Kind::Indices ? MostIndices
                                                           : MostElements);
    return Sizes;
  }

  bool launchExactly(cl_kernel Made, const Kernel &Of, size_t Which) {
    const Launch &With = Of.Launches[Which];
    std::vector<size_t> Sizes = mostSizes(Of);
    const size_t Scalars = With.Values.size() - Sizes.size();
    for (size_t I = 0; I < Sizes.size(); ++I)
      Sizes[I] = static_cast<size_t>(With.Values[Scalars + I]);
    const bool AtEnd = launch(Made, Of, Which, Sizes, GuardMode::End);
    if (Given.IsOnce)
      return AtEnd;
    return launch(Made, Of, Which, Sizes, GuardMode::Begin) && AtEnd;
  }

  /// Looks for the smallest buffers with which the native kernel is launched,
  /// and launches it with them. True if it ever ran.
  bool search(cl_kernel Made, const Kernel &Of, size_t Which) {
    const std::vector<size_t> Most = mostSizes(Of);
    ++Count.Searched;
    Layer.SkipNative(1);
    const bool Native = launch(Made, Of, Which, Most, GuardMode::Off);
    std::vector<size_t> Least = Most;
    for (size_t I = 0; I < Most.size() && Native; ++I) {
      size_t Bad = 0;
      std::vector<size_t> Tried = Most;
      while (Least[I] - Bad > 1) {
        Tried[I] = Bad + (Least[I] - Bad) / 2;
        (launch(Made, Of, Which, Tried, GuardMode::Off) ? Least[I] : Bad) =
            Tried[I];
      }
    }
    Layer.SkipNative(0);
    if (Native) {
      ++Count.Edges;
      note(Of, Which, Most);
      launch(Made, Of, Which, Most, GuardMode::Begin);
      note(Of, Which, Least);
      launch(Made, Of, Which, Least, GuardMode::End);
      launch(Made, Of, Which, Least, GuardMode::Begin);
    } else {
      note(Of, Which, Most);
    }
    // A claim may hold for one size and not for another, and one access be
    // proven where others are not.
    for (size_t Try = 1; Try <= 3; ++Try) {
      std::vector<size_t> Some = Least;
      for (size_t I = 0; I < Some.size(); ++I) {
        const uint64_t Noise = noise()[Which * 31 + Try * 7 + I];
        Some[I] = Native ? 1 + size_t(Noise % (2 * Least[I]))
                         : size_t(1) << (Noise % 9);
      }
      note(Of, Which, Some);
      if (Native)
        launch(Made, Of, Which, Some, GuardMode::End);
    }
    for (size_t I = 0; I < Least.size() && Native; ++I) {
      std::vector<size_t> Less = Least;
      Less[I] = std::max<size_t>(Least[I] - 1, 1);
      note(Of, Which, Less);
    }
    return Native;
  }

  /// Writes an exact launch to the job that --sizes names, before it is made.
  void note(const Kernel &Of, size_t Which, const std::vector<size_t> &With) {
    if (!Sizes.is_open())
      return;
    const Launch &As = Of.Launches[Which];
    Sizes << "launch " << As.Dims;
    for (const auto *Three : {&As.Global, &As.Local, &As.Offset})
      for (const size_t Size : *Three)
        Sizes << ' ' << Size;
    for (const int64_t Value : As.Values)
      Sizes << ' ' << Value;
    for (const size_t Size : With)
      Sizes << ' ' << Size;
    Sizes << std::endl; // this process may die
  }

  static unsigned triesOf(const Kernel &Of) {
    const bool HasIndices =
        std::ranges::any_of(Of.Arguments, [](const Argument &Each) {
          return Each.Is == Argument::Kind::Indices;
        });
    return HasIndices ? LaunchesWithIndices : 1;
  }

  static std::string describe(const Kernel &Of, size_t Which,
                              const std::vector<size_t> &Sizes,
                              GuardMode Mode) {
    std::string Text = Of.Name + " " + std::to_string(Which) +
                       (Mode == GuardMode::End ? " end" : " begin");
    for (const size_t Size : Sizes)
      Text += " " + std::to_string(Size);
    return Text;
  }

  cl_mem makeBuffer(const Argument &Of, size_t Elements, GuardMode Mode) {
    const std::vector<int32_t> Indices = Of.Is == Argument::Kind::Indices
                                             ? indicesOf(Of, Elements)
                                             : std::vector<int32_t>();
    const void *Contents = Indices.empty()
                               ? static_cast<const void *>(noise().data())
                               : Indices.data();
    cl_int Error = CL_SUCCESS;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    cl_mem Made =
        clCreateBuffer(Context, CL_MEM_COPY_HOST_PTR, Elements * Of.Bytes,
                       const_cast<void *>(Contents), &Error);
    check(Error, "clCreateBuffer");
    static const char *Align = getenv("WARPSAN_GUARD_ALIGN");
    const size_t Most = Align ? strtoul(Align, nullptr, 10) : 128;
    if (Mode == GuardMode::End && Layer.Slack(Made) >= Most)
      fail("a buffer of " + std::to_string(Elements * Of.Bytes) +
           " bytes does not end at the guard page");
    return Made;
  }

  /// Whether the driver ran the native kernel. \p Sizes are in elements.
  bool launch(cl_kernel Made, const Kernel &Of, size_t Which,
              const std::vector<size_t> &Sizes, GuardMode Mode) {
    const std::string Text = describe(Of, Which, Sizes, Mode);
    Now.set("run " + Text);
    Layer.SetMode(Mode);
    const Launch &With = Of.Launches[Which];
    std::vector<cl_mem> Buffers;
    size_t Scalar = 0;
    for (size_t I = 0; I < Of.Arguments.size(); ++I) {
      const Argument &Each = Of.Arguments[I];
      cl_int Error = CL_SUCCESS;
      if (Each.isMemory()) {
        Buffers.push_back(makeBuffer(Each, Sizes[Buffers.size()], Mode));
        Error =
            clSetKernelArg(Made, cl_uint(I), sizeof(cl_mem), &Buffers.back());
      } else if (Each.Is == Argument::Kind::Local) {
        Error = clSetKernelArg(Made, cl_uint(I), Each.Bytes, nullptr);
      } else {
        Error = clSetKernelArg(Made, cl_uint(I), Each.Bytes,
                               &With.Values[Scalar++]);
      }
      check(Error, "clSetKernelArg");
    }
    bool Native = false;
    cl_int Error = CL_SUCCESS;
    for (unsigned Try = 0; Try < triesOf(Of) && !Native; ++Try) {
      const unsigned long Before = Layer.NativeLaunches(Of.Name.c_str());
      alarm(LaunchSeconds);
      Error = clEnqueueNDRangeKernel(
          Queue, Made, With.Dims, With.Offset.data(), With.Global.data(),
          With.Local[0] ? With.Local.data() : nullptr, 0, nullptr, nullptr);
      clFinish(Queue);
      alarm(0);
      Native = Layer.NativeLaunches(Of.Name.c_str()) > Before;
    }
    ++Count.Launches;
    if (Error != CL_SUCCESS) {
      ++Count.Refused;
      if (Given.IsExact)
        std::cerr << "trust_host: refused " << Of.Name << ": " << Error << '\n';
    }
    Count.Native += Native;
    if (Layer.Damaged() > 0) {
      Now.set("outside " + Text);
      std::cerr << "trust_host: bytes outside changed: " << Text << '\n';
      _exit(4);
    }
    for (cl_mem Buffer : Buffers)
      clReleaseMemObject(Buffer);
    return Native && Error == CL_SUCCESS;
  }
};

Argument argumentOf(const std::string &Kind, std::istringstream &Line) {
  Argument Made;
  Line >> Made.Bytes;
  if (Kind == "buffer") {
    Made.Is = Argument::Kind::Buffer;
  } else if (Kind == "indices") {
    Made.Is = Argument::Kind::Indices;
    Line >> Made.Low >> Made.High;
  } else if (Kind == "local") {
    Made.Is = Argument::Kind::Local;
  }
  return Made;
}

Launch launchOf(std::istringstream &Line) {
  Launch Made;
  Line >> Made.Dims;
  for (auto *Sizes : {&Made.Global, &Made.Local, &Made.Offset})
    for (size_t &Size : *Sizes)
      Line >> Size;
  for (int64_t Value = 0; Line >> Value;)
    Made.Values.push_back(Value);
  return Made;
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 4)
    fail("usage: trust_host LAYER STATE JOB [--after KERNEL] [--twins] "
         "[--exact] [--once] [--sizes FILE]");
  Options Given;
  for (int I = 4; I < Argc; ++I) {
    const std::string Word = Argv[I];
    if (Word == "--after" && I + 1 < Argc)
      Given.After = Argv[++I];
    if (Word == "--sizes" && I + 1 < Argc)
      Given.Sizes = Argv[++I];
    Given.RunsTwins |= Word == "--twins";
    Given.IsExact |= Word == "--exact";
    Given.IsOnce |= Word == "--once";
  }
  std::string After = Given.After;
  Runner Run(Argv[1], Argv[2], Given);
  std::ifstream Job(Argv[3]);
  cl_program Program = nullptr;
  std::string File;
  Kernel Next;
  const auto RunNext = [&] {
    if (!Next.Name.empty() && After.empty()) {
      if (!Program)
        Program = Run.build(File);
      Run.run(Program, Next);
    }
    if (Next.Name == After)
      After.clear();
    Next = Kernel();
  };
  for (std::string Text; std::getline(Job, Text);) {
    std::istringstream Line(Text);
    std::string Word;
    Line >> Word;
    if (Word == "program") {
      RunNext();
      if (Program)
        clReleaseProgram(Program);
      Program = nullptr;
      Line >> File;
    } else if (Word == "kernel") {
      RunNext();
      Line >> Next.Name;
      Next.Text = Text + "\n";
    } else if (Word == "launch") {
      Next.Launches.push_back(launchOf(Line));
    } else if (!Word.empty()) {
      Next.Arguments.push_back(argumentOf(Word, Line));
      Next.Text += Text + "\n";
    }
  }
  RunNext();
  Run.finish();
  return 0;
}
