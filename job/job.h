//===- job/job.h - what the layer asks of the compiler, and its answer ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seam between libwarpsan_layer.so and warpsan-clc. A BuildRecipe says how
// a program was made, in the application's own words; it is self-contained, so
// that it can be kept beside a program's binary and compiled again in a later
// run. A Job is a recipe for one device in one variant. A CompileResult is the
// answer.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_JOB_JOB_H
#define WARPSAN_JOB_JOB_H

#include "job/variant.h"
#include "job/wire.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

/// Changes whenever a struct below changes its fields.
inline constexpr uint32_t JobVersion = 7;

/// A header given to clCompileProgram: the name it is included by, its text.
struct Header {
  std::string Name;
  std::string Text;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Name);
    Ar.field(Text);
  }
};

/// A value from clSetProgramSpecializationConstant.
struct SpecConstant {
  uint32_t Id = 0;
  std::string Value; ///< raw bytes, as many as the application gave
  template <typename A> void serialize(A &Ar) {
    Ar.field(Id);
    Ar.field(Value);
  }
};

/// A file that the front end opened, or looked for in vain, on disk
/// (#include through -I, __has_include): a result is valid only while all of
/// them are as they were.
struct Dependency {
  enum class State : uint8_t {
    Read = 0,    ///< it has this Text
    Present = 1, ///< it exists; its content was not used
    Absent = 2,
  };

  std::string Path; ///< absolute
  State Found = State::Read;
  std::string Text; ///< if Read
  template <typename A> void serialize(A &Ar) {
    Ar.field(Path);
    Ar.field(Found);
    Ar.field(Text);
  }
};

/// One translation unit: what one clBuildProgram or clCompileProgram compiled.
struct Unit {
  enum class Language : uint8_t { OpenCLC = 0, SPIRV = 1 };

  Language Lang = Language::OpenCLC;
  std::string Text;    ///< OpenCL C (all strings joined) or SPIR-V words
  std::string Options; ///< the build options string, verbatim
  std::vector<Header> Headers;
  std::vector<SpecConstant> SpecConstants;
  /// 1: compiled as if the disk had only Files, from Directory; the disk may
  /// have changed since the application compiled it. 0: files are read from
  /// disk.
  uint8_t Closed = 0;
  std::vector<Dependency> Files; ///< if Closed
  std::string Directory;         ///< if Closed: the working directory

  template <typename A> void serialize(A &Ar) {
    Ar.field(Lang);
    Ar.field(Text);
    Ar.field(Options);
    Ar.field(Headers);
    Ar.field(SpecConstants);
    Ar.field(Closed);
    Ar.field(Files);
    Ar.field(Directory);
  }
};

/// How a program was made. Built from source or IL: one unit. Linked: the
/// units of all inputs, libraries included, in link order.
struct BuildRecipe {
  std::vector<Unit> Units;
  std::string LinkOptions; ///< clLinkProgram's options; empty if not linked
  /// The application's working directory at the time: relative -I paths.
  std::string WorkingDirectory;

  template <typename A> void serialize(A &Ar) {
    Ar.field(Units);
    Ar.field(LinkOptions);
    Ar.field(WorkingDirectory);
  }
};

/// What the compiler must know of the device, as the driver's queries gave it.
struct DeviceInfo {
  std::string Platform; ///< CL_PLATFORM_NAME: chooses how SPIR-V is emitted
  std::string DriverVersion; ///< CL_DRIVER_VERSION
  std::string Extensions;    ///< CL_DEVICE_EXTENSIONS, separated by spaces
  std::string Features;      ///< CL_DEVICE_OPENCL_C_FEATURES' names, likewise
  std::string ILVersions; ///< CL_DEVICE_IL_VERSION, "SPIR-V_1.2 SPIR-V_1.1 ..."
  std::string DeviceVersion; ///< CL_DEVICE_VERSION, "OpenCL 3.0 ..."
  std::string CVersion;      ///< CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 ..."
  uint32_t AddressBits = 64;
  uint8_t Images = 0; ///< CL_DEVICE_IMAGE_SUPPORT

  template <typename A> void serialize(A &Ar) {
    Ar.field(Platform);
    Ar.field(DriverVersion);
    Ar.field(Extensions);
    Ar.field(Features);
    Ar.field(ILVersions);
    Ar.field(DeviceVersion);
    Ar.field(CVersion);
    Ar.field(AddressBits);
    Ar.field(Images);
  }
};

/// One request to the compiler.
struct Job {
  uint32_t Version = JobVersion;
  BuildRecipe Recipe;
  DeviceInfo Device;
  Variant Which;
  /// How its accesses are checked; empty: as WarpSan does. The others are for
  /// comparison (docs/explanation/schemes.md).
  std::string Scheme;
  AccessSelection Only; ///< if Which.Lean

  template <typename A> void serialize(A &Ar) {
    Ar.field(Version);
    Ar.field(Recipe);
    Ar.field(Device);
    Ar.field(Which);
    Ar.field(Scheme);
    Ar.field(Only);
  }
};

/// The compiler's answer.
struct CompileResult {
  uint32_t Version = JobVersion;
  /// Empty on success; otherwise one plain sentence for the closing summary:
  /// why this program cannot be instrumented.
  std::string Reason;
  std::string Log;      ///< diagnostics, for verbosity and for people
  std::string Manifest; ///< JSON, docs/reference/formats/manifest.md
  std::string SpirV;    ///< validated words
  std::vector<Dependency> Dependencies;

  bool ok() const { return Reason.empty(); }

  template <typename A> void serialize(A &Ar) {
    Ar.field(Version);
    Ar.field(Reason);
    Ar.field(Log);
    Ar.field(Manifest);
    Ar.field(SpirV);
    Ar.field(Dependencies);
  }
};

/// The other request: what are these host addresses called?
struct SymbolJob {
  struct Address {
    std::string Module;  ///< path of the program or library
    uint64_t Offset = 0; ///< as the module's own symbol table counts
    template <typename A> void serialize(A &Ar) {
      Ar.field(Module);
      Ar.field(Offset);
    }
  };
  uint32_t Version = JobVersion;
  std::vector<Address> Addresses;

  template <typename A> void serialize(A &Ar) {
    Ar.field(Version);
    Ar.field(Addresses);
  }
};

/// Of a host's source code. Whatever is not known is empty or 0.
struct SymbolFrame {
  std::string Function; ///< demangled
  std::string File;
  uint32_t Line = 0;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Function);
    Ar.field(File);
    Ar.field(Line);
  }
};

/// Its answer: for each address the frames there, innermost first; more than
/// one where functions were inlined, none if nothing is known.
struct SymbolResult {
  uint32_t Version = JobVersion;
  std::vector<std::vector<SymbolFrame>> Frames;

  template <typename A> void serialize(A &Ar) {
    Ar.field(Version);
    Ar.field(Frames);
  }
};

/// Sent over the socket to `warpsan-clc --serve`, with descriptors attached:
/// 1. where to read the Job or SymbolJob: a memory file, from its start to its
///    end;
/// 2. where to write the answer: a memory file of its own, so that nobody
///    blocks on a large one (a pipe works too);
/// 3. optionally the write end of a pipe, held until the result is written or
///    the compiler has died: its closing wakes the layer.
struct JobTicket {
  enum class Kind : uint32_t { Compile = 0, Symbolize = 1 };

  uint32_t Version = JobVersion;
  uint32_t TimeoutSeconds = 0; ///< 0 = none
  Kind What = Kind::Compile;
  uint32_t Reserved = 0;
  uint64_t MemoryBytes = 0; ///< address space limit; 0 = none
};

} // namespace warpsan

#endif // WARPSAN_JOB_JOB_H
