//===- test/instrument/twins.cpp - native kernels against their twins -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs each kernel twice on the first device found: as the driver builds it
// from source, and as the twin that warpsan-clc makes of it. All memory must be
// the same afterwards. A test is one .cl file; comments at its start say how it
// is launched:
//
//   // options: -DX=1             build options
//   // needs: cl_khr_fp64         skipped on devices without this extension or
//                                 feature (as many lines as wanted)
//   // tolerance: rusticl 1e-5    floats may differ so much there, relatively
//   // via: spirv                 the native program is SPIR-V as well: plain
//                                 clang-19 and llvm-spirv-19 make it
//   // launch: KERNEL GLOBAL [LOCAL]   as 64 or 8x8
//   // arg: floats N | ints N LIMIT | doubles N | zeros BYTES | local BYTES
//   //      | int V | uint V | long V | float V | double V | bytes HEX
//   //      | image W H | sampler
//
// Usage: twins [--times] FILE.cl...
//
//===----------------------------------------------------------------------===//
#include "job/job.h"

#include <CL/cl.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace warpsan;

namespace {

struct LaunchSpec {
  std::string Kernel;
  std::vector<size_t> Global, Local;
  std::vector<std::vector<std::string>> Args;
};

struct TestFile {
  std::string Path, Source, Options, Via;
  std::vector<std::string> Needs;
  std::vector<std::pair<std::string, double>> Tolerances;
  std::vector<LaunchSpec> Launches;
};

struct Device {
  cl_platform_id Platform = nullptr;
  cl_device_id Id = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  DeviceInfo Info;
};

/// Memory of one launch; what is in Mem is compared afterwards.
struct Arguments {
  struct Buffer {
    cl_mem Mem;
    size_t Bytes;
    bool Floats;
    bool IsImage;
    size_t Width, Height;
  };
  std::vector<Buffer> Buffers;
  std::vector<uint64_t> Sizes; ///< by argument: what a hidden size is to be
};

} // namespace

static void check(cl_int Code, const std::string &What) {
  if (Code != CL_SUCCESS)
    throw std::runtime_error(What + ": OpenCL error " + std::to_string(Code));
}

static std::string readFile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    throw std::runtime_error("cannot read " + Path);
  return {std::istreambuf_iterator<char>(File), {}};
}

static std::vector<size_t> parseRange(const std::string &Text) {
  std::vector<size_t> Range;
  std::stringstream Parts(Text);
  for (std::string Part; std::getline(Parts, Part, 'x');)
    Range.push_back(std::stoul(Part));
  return Range;
}

static TestFile parseTest(const std::string &Path) {
  TestFile Test;
  Test.Path = Path;
  Test.Source = readFile(Path);
  std::stringstream Lines(Test.Source);
  for (std::string Line; std::getline(Lines, Line);) {
    if (Line.rfind("// ", 0) != 0)
      continue;
    std::stringstream Words(Line.substr(3));
    std::string Key, Word;
    Words >> Key;
    std::vector<std::string> Rest;
    while (Words >> Word)
      Rest.push_back(Word);
    if (Key == "options:")
      Test.Options = Line.substr(3 + Key.size());
    else if (Key == "needs:")
      Test.Needs.push_back(Rest.at(0));
    else if (Key == "via:")
      Test.Via = Rest.at(0);
    else if (Key == "tolerance:")
      Test.Tolerances.emplace_back(Rest.at(0), std::stod(Rest.at(1)));
    else if (Key == "launch:")
      Test.Launches.push_back(
          {Rest.at(0),
           parseRange(Rest.at(1)),
           Rest.size() > 2 ? parseRange(Rest[2]) : std::vector<size_t>{},
           {}});
    else if (Key == "arg:")
      Test.Launches.at(Test.Launches.size() - 1).Args.push_back(Rest);
  }
  if (Test.Launches.empty())
    throw std::runtime_error(Path + " has no line '// launch: ...'");
  return Test;
}

static std::string deviceText(cl_device_id Id, cl_device_info What) {
  size_t Size = 0;
  if (clGetDeviceInfo(Id, What, 0, nullptr, &Size) != CL_SUCCESS || !Size)
    return "";
  std::string Text(Size, '\0');
  clGetDeviceInfo(Id, What, Size, Text.data(), nullptr);
  Text.resize(std::strlen(Text.c_str()));
  return Text;
}

static Device openDevice() {
  Device D;
  check(clGetPlatformIDs(1, &D.Platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(D.Platform, CL_DEVICE_TYPE_ALL, 1, &D.Id, nullptr),
        "clGetDeviceIDs");
  cl_int Code;
  D.Context = clCreateContext(nullptr, 1, &D.Id, nullptr, nullptr, &Code);
  check(Code, "clCreateContext");
  D.Queue = clCreateCommandQueueWithProperties(D.Context, D.Id, nullptr, &Code);
  check(Code, "clCreateCommandQueueWithProperties");
  char Name[256] = "";
  clGetPlatformInfo(D.Platform, CL_PLATFORM_NAME, sizeof(Name), Name, nullptr);
  D.Info.Platform = Name;
  D.Info.DriverVersion = deviceText(D.Id, CL_DRIVER_VERSION);
  D.Info.Extensions = deviceText(D.Id, CL_DEVICE_EXTENSIONS);
  D.Info.ILVersions = deviceText(D.Id, CL_DEVICE_IL_VERSION);
  D.Info.DeviceVersion = deviceText(D.Id, CL_DEVICE_VERSION);
  D.Info.CVersion = deviceText(D.Id, CL_DEVICE_OPENCL_C_VERSION);
  size_t Size = 0;
  clGetDeviceInfo(D.Id, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &Size);
  std::vector<cl_name_version> Features(Size / sizeof(cl_name_version));
  clGetDeviceInfo(D.Id, CL_DEVICE_OPENCL_C_FEATURES, Size, Features.data(),
                  nullptr);
  for (const cl_name_version &Feature : Features)
    D.Info.Features += std::string(Feature.name) + " ";
  cl_bool Images = 0;
  clGetDeviceInfo(D.Id, CL_DEVICE_IMAGE_SUPPORT, sizeof(Images), &Images,
                  nullptr);
  D.Info.Images = Images != 0;
  return D;
}

static std::string runCommand(const std::string &Command) {
  if (std::system(Command.c_str()) != 0)
    throw std::runtime_error("failed: " + Command);
  return Command;
}

static CompileResult makeTwin(const TestFile &Test, const std::string &Il,
                              const Device &D, const std::string &Folder) {
  Job Request;
  Request.Device = D.Info;
  Unit U;
  if (Il.empty()) {
    U.Text = Test.Source;
    U.Options = Test.Options;
  } else {
    U.Lang = Unit::Language::SPIRV;
    U.Text = Il;
  }
  Request.Recipe.Units.push_back(U);
  std::ofstream(Folder + "/job", std::ios::binary) << toBytes(Request);
  runCommand(std::string(WARPSAN_CLC) + " --job " + Folder + "/job --product " +
             Folder + "/product");
  CompileResult Made;
  if (!fromBytes(readFile(Folder + "/product"), Made))
    throw std::runtime_error("warpsan-clc wrote no product");
  if (!Made.ok())
    throw std::runtime_error("no twin: " + Made.Reason + "\n" + Made.Log);
  return Made;
}

static cl_program build(const Device &D, const TestFile &Test,
                        const std::string &Il) {
  cl_int Code;
  const char *Source = Test.Source.c_str();
  cl_program Program =
      Il.empty()
          ? clCreateProgramWithSource(D.Context, 1, &Source, nullptr, &Code)
          : clCreateProgramWithIL(D.Context, Il.data(), Il.size(), &Code);
  check(Code, "creating the program");
  Code =
      clBuildProgram(Program, 1, &D.Id, Il.empty() ? Test.Options.c_str() : "",
                     nullptr, nullptr);
  if (Code != CL_SUCCESS) {
    std::string Log(1 << 16, '\0');
    clGetProgramBuildInfo(Program, D.Id, CL_PROGRAM_BUILD_LOG, Log.size(),
                          Log.data(), nullptr);
    throw std::runtime_error(std::string(Il.empty() ? "native" : "SPIR-V") +
                             " program does not build: " +
                             std::to_string(Code) + "\n" + Log.c_str());
  }
  return Program;
}

template <typename T>
static void setValue(cl_kernel Kernel, unsigned Index, T Value) {
  check(clSetKernelArg(Kernel, Index, sizeof(T), &Value), "clSetKernelArg");
}

/// Sets argument \p Index by its line in the file, the same way each time.
static void setArg(const Device &D, cl_kernel Kernel, unsigned Index,
                   const std::vector<std::string> &Words, Arguments &Set) {
  std::mt19937 Random(Index + 1);
  const std::string &Kind = Words.at(0);
  std::vector<char> Bytes;
  auto Append = [&](const auto &Value) {
    const char *Raw = reinterpret_cast<const char *>(&Value);
    Bytes.insert(Bytes.end(), Raw, Raw + sizeof(Value));
  };
  size_t Count =
      Words.size() > 1 ? std::strtoul(Words[1].c_str(), nullptr, 0) : 0;
  Set.Sizes.push_back(0);
  if (Kind == "floats")
    for (size_t I = 0; I < Count; ++I)
      Append(std::uniform_real_distribution<float>(-1, 1)(Random));
  else if (Kind == "doubles")
    for (size_t I = 0; I < Count; ++I)
      Append(std::uniform_real_distribution<double>(-1, 1)(Random));
  else if (Kind == "ints")
    for (size_t I = 0; I < Count; ++I)
      Append(static_cast<int>(Random() % std::stoul(Words.at(2))));
  else if (Kind == "zeros")
    Bytes.resize(Count);
  else if (Kind == "local") {
    check(clSetKernelArg(Kernel, Index, Count, nullptr), "local argument");
    Set.Sizes.back() = Count;
    return;
  } else if (Kind == "int")
    return setValue(Kernel, Index, std::stoi(Words.at(1)));
  else if (Kind == "uint")
    return setValue(Kernel, Index,
                    static_cast<cl_uint>(std::stoul(Words.at(1))));
  else if (Kind == "long")
    return setValue(Kernel, Index, static_cast<cl_long>(std::stol(Words[1])));
  else if (Kind == "float")
    return setValue(Kernel, Index, std::stof(Words.at(1)));
  else if (Kind == "double")
    return setValue(Kernel, Index, std::stod(Words.at(1)));
  else if (Kind == "bytes") {
    const std::string &Hex = Words.at(1);
    for (size_t I = 0; I + 1 < Hex.size(); I += 2)
      Bytes.push_back(
          static_cast<char>(std::stoi(Hex.substr(I, 2), nullptr, 16)));
    check(clSetKernelArg(Kernel, Index, Bytes.size(), Bytes.data()), "bytes");
    return;
  } else if (Kind == "sampler") {
    cl_int Code;
    cl_sampler_properties Properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_FALSE,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_CLAMP_TO_EDGE,
                                          CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_NEAREST,
                                          0};
    cl_sampler Sampler =
        clCreateSamplerWithProperties(D.Context, Properties, &Code);
    check(Code, "sampler");
    return setValue(Kernel, Index, Sampler);
  } else if (Kind == "image") {
    size_t Width = Count, Height = std::stoul(Words.at(2));
    for (size_t I = 0; I < Width * Height * 4; ++I)
      Append(std::uniform_real_distribution<float>(0, 1)(Random));
    cl_image_format Format = {CL_RGBA, CL_FLOAT};
    cl_image_desc Shape = {};
    Shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    Shape.image_width = Width;
    Shape.image_height = Height;
    cl_int Code;
    cl_mem Image =
        clCreateImage(D.Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                      &Format, &Shape, Bytes.data(), &Code);
    check(Code, "clCreateImage");
    Set.Buffers.push_back({Image, Bytes.size(), true, true, Width, Height});
    return setValue(Kernel, Index, Image);
  } else
    throw std::runtime_error("no argument kind '" + Kind + "'");

  cl_int Code;
  cl_mem Buffer =
      clCreateBuffer(D.Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     Bytes.size(), Bytes.data(), &Code);
  check(Code, "clCreateBuffer");
  Set.Buffers.push_back({Buffer, Bytes.size(), Kind == "floats", false, 0, 0});
  Set.Sizes.back() = Bytes.size();
  setValue(Kernel, Index, Buffer);
}

/// Hidden arguments, as the layer will set them.
static void setHidden(const Device &D, cl_kernel Kernel,
                      const nlohmann::json &Manifest, const LaunchSpec &Launch,
                      const Arguments &Set) {
  for (const auto &Entry : Manifest.at("kernels")) {
    if (Entry.at("name") != Launch.Kernel)
      continue;
    unsigned Index = static_cast<unsigned>(Entry.at("args").size());
    if (Index != Launch.Args.size())
      throw std::runtime_error("the manifest has another number of arguments");
    for (const auto &Hidden : Entry.at("hidden")) {
      std::string Kind = Hidden.at("kind");
      if (Kind == "size") {
        setValue<cl_ulong>(Kernel, Index++,
                           Set.Sizes.at(Hidden.at("arg").get<size_t>()));
      } else if (Kind == "launch") {
        setValue<cl_ulong>(Kernel, Index++, 1);
      } else {
        cl_int Code;
        cl_mem Records =
            clCreateBuffer(D.Context, CL_MEM_READ_WRITE, 4096, nullptr, &Code);
        check(Code, "record buffer");
        setValue(Kernel, Index++, Records);
      }
    }
    return;
  }
  throw std::runtime_error("the manifest lacks kernel " + Launch.Kernel);
}

/// Milliseconds of one launch that has run once before.
static double timeLaunch(const Device &D, cl_kernel Kernel,
                         const LaunchSpec &Launch) {
  double Best = 1e9;
  for (int I = 0; I < 7; ++I) {
    auto Start = std::chrono::steady_clock::now();
    clEnqueueNDRangeKernel(D.Queue, Kernel,
                           static_cast<cl_uint>(Launch.Global.size()), nullptr,
                           Launch.Global.data(),
                           Launch.Local.empty() ? nullptr : Launch.Local.data(),
                           0, nullptr, nullptr);
    clFinish(D.Queue);
    std::chrono::duration<double, std::milli> Took =
        std::chrono::steady_clock::now() - Start;
    Best = std::min(Best, Took.count());
  }
  return Best;
}

static std::vector<std::vector<char>> run(const Device &D, cl_program Program,
                                          const LaunchSpec &Launch,
                                          const nlohmann::json *Manifest,
                                          double *Milliseconds) {
  cl_int Code;
  cl_kernel Kernel = clCreateKernel(Program, Launch.Kernel.c_str(), &Code);
  check(Code, "clCreateKernel " + Launch.Kernel);
  Arguments Set;
  for (unsigned I = 0; I < Launch.Args.size(); ++I)
    setArg(D, Kernel, I, Launch.Args[I], Set);
  if (Manifest)
    setHidden(D, Kernel, *Manifest, Launch, Set);
  check(clEnqueueNDRangeKernel(
            D.Queue, Kernel, static_cast<cl_uint>(Launch.Global.size()),
            nullptr, Launch.Global.data(),
            Launch.Local.empty() ? nullptr : Launch.Local.data(), 0, nullptr,
            nullptr),
        "launching " + Launch.Kernel);
  check(clFinish(D.Queue), "clFinish");
  std::vector<std::vector<char>> Results;
  for (const Arguments::Buffer &B : Set.Buffers) {
    std::vector<char> Bytes(B.Bytes);
    size_t Origin[3] = {}, Region[3] = {B.Width, B.Height, 1};
    check(B.IsImage
              ? clEnqueueReadImage(D.Queue, B.Mem, CL_TRUE, Origin, Region, 0,
                                   0, Bytes.data(), 0, nullptr, nullptr)
              : clEnqueueReadBuffer(D.Queue, B.Mem, CL_TRUE, 0, B.Bytes,
                                    Bytes.data(), 0, nullptr, nullptr),
          "reading back");
    Results.push_back(std::move(Bytes));
  }
  if (Milliseconds)
    *Milliseconds = timeLaunch(D, Kernel, Launch);
  return Results;
}

static bool sameWithin(const std::vector<char> &A, const std::vector<char> &B,
                       double Tolerance) {
  if (A == B)
    return true;
  if (Tolerance == 0 || A.size() != B.size())
    return false;
  for (size_t I = 0; I + 4 <= A.size(); I += 4) {
    float X, Y;
    std::memcpy(&X, &A[I], 4);
    std::memcpy(&Y, &B[I], 4);
    double Scale = std::max({1.0, std::fabs(double(X)), std::fabs(double(Y))});
    if (!(std::fabs(double(X) - double(Y)) <= Tolerance * Scale))
      return false;
  }
  return true;
}

static bool has(const Device &D, const std::string &Name) {
  std::string All = " " + D.Info.Extensions + " " + D.Info.Features + " ";
  return All.find(" " + Name + " ") != std::string::npos;
}

/// Returns false if a launch gave another result.
static bool runTest(const Device &D, const TestFile &Test, bool Times,
                    const std::string &Folder) {
  for (const std::string &Name : Test.Needs)
    if (!has(D, Name)) {
      std::cout << "skipped " << Test.Path << ": no " << Name << "\n";
      return true;
    }
  double Tolerance = 0;
  for (const auto &[Platform, Value] : Test.Tolerances)
    if (D.Info.Platform.rfind(Platform, 0) == 0)
      Tolerance = Value;
  std::string Il;
  if (Test.Via == "spirv") {
    std::string Base = Folder + "/native";
    runCommand("clang-19 -c -x cl -target spir64 -O2 -emit-llvm "
               "-Xclang -finclude-default-header " +
               Test.Options + " -o " + Base + ".bc " + Test.Path);
    runCommand("llvm-spirv-19 --spirv-max-version=1.2 -o " + Base + ".spv " +
               Base + ".bc");
    Il = readFile(Base + ".spv");
  }
  cl_program Native = build(D, Test, Il);
  CompileResult Made = makeTwin(Test, Il, D, Folder);
  cl_program Twin = build(D, Test, Made.SpirV);
  nlohmann::json Manifest = nlohmann::json::parse(Made.Manifest);
  bool Good = true;
  for (const LaunchSpec &Launch : Test.Launches) {
    double NativeMs = 0, TwinMs = 0;
    auto Wanted = run(D, Native, Launch, nullptr, Times ? &NativeMs : nullptr);
    auto Got = run(D, Twin, Launch, &Manifest, Times ? &TwinMs : nullptr);
    for (size_t I = 0; I < Wanted.size(); ++I)
      if (!sameWithin(Wanted[I], Got[I], Tolerance)) {
        size_t At = 0;
        while (Wanted[I][At] == Got[I][At])
          ++At;
        std::cout << "FAIL " << Test.Path << ": kernel " << Launch.Kernel
                  << ": buffer " << I << " differs at byte " << At << " of "
                  << Wanted[I].size() << "\n";
        Good = false;
      }
    if (Times)
      std::cout << Launch.Kernel << ": native " << NativeMs << " ms, twin "
                << TwinMs << " ms, ratio " << TwinMs / NativeMs << "\n";
  }
  if (Good)
    std::cout << "ok " << Test.Path << "\n";
  return Good;
}

int main(int Count, char **Words) {
  bool Times = false, Good = true;
  std::vector<std::string> Paths;
  for (int I = 1; I < Count; ++I)
    if (std::string(Words[I]) == "--times")
      Times = true;
    else
      Paths.push_back(Words[I]);
  char Folder[] = "/tmp/warpsan-twins-XXXXXX";
  if (!mkdtemp(Folder))
    return 1;
  try {
    Device D = openDevice();
    std::cout << "on " << D.Info.Platform << " " << D.Info.DriverVersion
              << "\n";
    for (const std::string &Path : Paths) {
      try {
        Good &= runTest(D, parseTest(Path), Times, Folder);
      } catch (const std::exception &E) {
        std::cout << "FAIL " << Path << ": " << E.what() << "\n";
        Good = false;
      }
    }
    std::filesystem::remove_all(Folder);
  } catch (const std::exception &E) {
    // CTest shows this as skipped: a machine without the driver.
    std::cout << "no device: " << E.what() << "\n";
    return 77;
  }
  std::cout << std::flush;
  std::_Exit(Good ? 0 : 1); // Intel's runtime may abort in its destructors
}
