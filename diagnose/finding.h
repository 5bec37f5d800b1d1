//===- diagnose/finding.h - from a record to a finding --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// diagnose() is a pure function: a record of the device, what the compiler knew
// of the kernel and what the layer knew of the launch give a Finding. Renderers
// (report/) turn Findings into text and JSON; they add no facts.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_DIAGNOSE_FINDING_H
#define WARPSAN_DIAGNOSE_FINDING_H

#include "abi/record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

enum class FindingKind : uint32_t {
#define KIND(id, name, title, help) name = id,
#include "abi/checks.def"
#undef KIND
};

//===----------------------------------------------------------------------===//
// What the compiler knew: read from the manifest
//===----------------------------------------------------------------------===//

struct SourcePlace {
  std::string File;
  uint32_t Line = 0;
  uint32_t Column = 0; ///< 0: unknown
  std::string Function;
  /// Index into the files of the manifest; -1 if none.
  int FileIndex = -1;
  /// anchorOf() of it; 0: the source is not known.
  uint64_t Anchor = 0;
};

/// A member of a struct.
struct FieldInfo {
  std::string Name; ///< "body.pos"
  uint64_t Offset = 0, Bytes = 0;
  uint64_t Element = 0; ///< bytes of an array's element; 0: no array
};

/// What a pointer may belong to.
struct RootInfo {
  enum class Kind : uint8_t {
    Argument, ///< a pointer or image argument: Arg
    Local,    ///< a __local variable
    Private,  ///< a variable of a work-item
    Constant, ///< a __constant variable
    Program,  ///< a program-scope variable in global memory
    Heap,     ///< shared virtual memory that a pointer in memory led to
    Null,
    Unknown, ///< nothing that the compiler could name
  };
  Kind What = Kind::Unknown;
  uint32_t Arg = 0;
  bool ByValue = false; ///< Private: the argument Arg, passed by value
  std::string Name;     ///< in the source; may be empty
  std::string Type;     ///< in the source, "float[16]"; may be empty
  uint64_t Size = 0;    ///< of a variable
  uint64_t Element = 0; ///< bytes of an element: what an index counts; 0: none
  std::vector<FieldInfo> Fields; ///< if an element, or all of it, is a struct
  /// Where a variable is declared; empty if not known.
  std::vector<SourcePlace> Declared;
  /// Where its scope ends, if it can be used after that; empty if not known.
  std::vector<SourcePlace> Ended;
};

struct SiteInfo {
  enum class Access : uint8_t { Read, Write, Atomic };
  Access What = Access::Read;
  std::string Space;   ///< global, constant, local, private, generic, image
  std::string Builtin; ///< "vload4"; empty for plain loads and stores
  std::string Type;    ///< of the accessed value, "float4"; may be empty
  uint64_t Bytes = 0;  ///< 0: depends on a value
  uint64_t Align = 0;  ///< that it must have
  std::string Member;  ///< for WS_TEST_MEMBER: "s.values"; may be empty
  /// Bytes of an element of that member: what its index counts; 0: not known.
  uint64_t MemberElement = 0;
  /// A member of a struct is accessed: an index counts no values of Type.
  bool InStruct = false;
  /// Innermost first; the last is in the kernel itself. Empty: no line
  /// information.
  std::vector<SourcePlace> At;
  /// Position among the kernel's accesses, orderSites().
  uint32_t Order = 0;
  /// The index of its root in KernelInfo::Roots, if that is always the same
  /// one. Not in a finding that was read.
  std::optional<uint32_t> Root = {};
  /// Sites that read, whose values decide about this one, by index: the nearest
  /// (docs/reference/formats/manifest.md). Not in a finding that was read.
  std::vector<uint32_t> DependsOn = {};
};

/// A call that a whole work-group must reach: a barrier, say.
struct CollectiveInfo {
  std::string Builtin; ///< "barrier"
  /// As SiteInfo::At.
  std::vector<SourcePlace> At;
  struct Argument {
    std::string Name; ///< "destination"
    bool IsPointer = false;
  };
  std::vector<Argument> Arguments = {}; ///< that the twin compares
};

struct ArgInfo {
  std::string Name, Type; ///< "dest", "float*"; may be empty
  std::string Kind;       ///< global, constant, local, image, ...
  bool Const = false;
};

struct KernelInfo {
  std::string Name;  ///< as the driver knows it: mangled, if it is C++
  bool Cuda = false; ///< CUDA or HIP
  /// Of the program's source, the same wherever it is built; 0: not known.
  uint64_t SourceHash = 0;
  std::vector<ArgInfo> Args;
  std::vector<RootInfo> Roots;
  std::vector<SiteInfo> Sites;
  /// Those that the twin checks, and the branches that decide who reaches them,
  /// as SiteInfo::At.
  std::vector<CollectiveInfo> Collectives;
  std::vector<std::vector<SourcePlace>> Branches;
};

//===----------------------------------------------------------------------===//
// What the layer knew of the launch
//===----------------------------------------------------------------------===//

/// One line of a host backtrace.
struct HostFrame {
  std::string Function; ///< empty: not known
  std::string File;     ///< source file; empty: not known
  uint32_t Line = 0;
  std::string Module;  ///< the library or program; empty: Python's
  uint64_t Offset = 0; ///< in the module
  bool Python = false; ///< a function of a program in Python
};

/// Other memory near one that an access missed.
struct Neighbor {
  int64_t Offset = 0;    ///< its first byte's, from the start of the one missed
  uint64_t Size = 0;     ///< bytes
  std::string CreatedBy; ///< the call: "clSVMAlloc"
  std::vector<HostFrame> Created;
  bool Freed = false;
  bool Touched = false; ///< the access's first byte is in it
};

/// Memory that an argument points into, or another object that a call is given.
struct MemoryInfo {
  enum class Kind : uint8_t {
    None,
    Buffer,
    SubBuffer,
    Image,
    SVM,
    USM,
    Local,
    Program, ///< this and those below have no size
    Kernel,
    Queue,
    Context,
    Sampler,
  };
  Kind What = Kind::None;
  uint64_t Size = 0;
  bool ReadOnly = false, WriteOnly = false; ///< CL_MEM_READ_ONLY, ..
  /// A part of memory of this kind that the application has marked.
  bool Object = false;
  std::string Name;       ///< that it gave to the object; may be empty
  uint64_t SubOffset = 0; ///< of a sub-buffer or object in what it is a part of
  uint64_t ParentSize = 0; ///< of that
  uint64_t ArgStart = 0;   ///< where in it the argument points to
  std::string CreatedBy;   ///< the call: "clCreateBuffer"
  /// It is what a __device__ or __constant__ variable of CUDA's is kept in.
  std::string Variable;
  std::vector<HostFrame> Created;
  std::string ReleasedBy; ///< the call that freed it; empty: it lived
  std::vector<HostFrame> Released;
  /// What is known to lie near it, in the order of their addresses.
  std::vector<Neighbor> Near;
};

/// Which part of an NDRange failed, as a grid of at most WS_HIT_CELLS cells.
struct HitMap {
  std::array<uint32_t, 3> Cells = {1, 1, 1};
  /// Work-items of a cell, powers of two. The last of a row may have fewer.
  std::array<uint64_t, 3> Each = {1, 1, 1};
  std::vector<bool> Hit; ///< one for each cell, x runs fastest

  /// A map that was read may be anything.
  bool isValid() const;
  /// Of the cell with the work-item \p Id, from the NDRange's offset.
  size_t cellOf(const std::array<uint64_t, 3> &Id) const;
};

/// A map for an NDRange of \p Global work-items, on which nothing is marked.
HitMap emptyHitMap(const std::array<uint64_t, 3> &Global);

struct LaunchInfo {
  uint64_t Number = 0;
  std::string LaunchedBy; ///< the call: "clEnqueueNDRangeKernel"
  uint32_t Dimensions = 1;
  std::array<uint64_t, 3> Offset = {0, 0, 0};
  std::array<uint64_t, 3> Global = {1, 1, 1};
  /// As the application asked for; zeros: left to the driver.
  std::array<uint64_t, 3> Local = {0, 0, 0};
  std::vector<MemoryInfo> Args; ///< one for each of the kernel's arguments
  /// Shared virtual memory that a record of the heap's tells of.
  MemoryInfo Heap;
  /// WS_TEST_OBJECT: the object that the access was in, if that was freed, or
  /// else the nearest; none if there is none.
  MemoryInfo Object;
  std::vector<HostFrame> Launched;
  std::string Device; ///< CL_DEVICE_NAME
};

/// What a canary showed: bytes next to a memory, before and after a launch.
struct CanaryInfo {
  std::string Why; ///< the kernel has no twin
  std::vector<uint8_t> Was, Is;
  /// No other launch with this memory was under way.
  bool Alone = true;
};

/// Work-items of one work-group that were at different collective calls at the
/// same time. Finding::Site is the first of these calls.
struct DivergenceInfo {
  struct Side {
    uint64_t Items = 0; ///< work-items of the group that were there
    std::array<uint64_t, 3> LocalId = {}; ///< of the first of them
  };
  Side Here;  ///< at Finding::Site
  Side There; ///< at Other
  /// Where the others were; none: they were past all such calls that their
  /// branch decides about.
  std::optional<CollectiveInfo> Other;
  /// The branch that decided, as SiteInfo::At; empty: not known.
  std::vector<SourcePlace> Branch;
};

/// An argument of a collective call that differs in a work-group.
struct ArgumentMismatch {
  std::string Name; ///< "destination"
  bool IsPointer = false;
  /// Of the work-item, and of the one with local ID 0 in all dimensions.
  uint64_t Here = 0, First = 0;
};

/// The access that another one races with.
struct RaceInfo {
  std::optional<SiteInfo> Other; ///< none: not known
  /// Of its work-item; none: not known.
  std::optional<std::array<uint64_t, 3>> LocalId;
  bool IsOtherGroup = false; ///< it is of another work-group
  std::optional<std::array<uint64_t, 3>> GroupId; ///< if so; none: not known
};

/// One of two commands that race.
struct RacingCommand {
  std::string Call;   ///< that enqueued it: "clEnqueueReadBuffer"
  std::string Kernel; ///< that it launches; empty: none
  SiteInfo::Access What = SiteInfo::Access::Read;
  /// Of the kernel's access, as SiteInfo::At; empty: not known.
  std::vector<SourcePlace> At;
};

/// Two commands that race: Finding::Call is that of the later one, and the
/// bytes from Finding::Offset on are what both access.
struct CommandRaceInfo {
  RacingCommand Later, Earlier;    ///< in the order of their calls
  std::vector<HostFrame> Enqueued; ///< where the earlier one was
  bool SameQueue = false;          ///< it is out of order
  /// The earlier one maps the bytes, which are not unmapped before the later
  /// one.
  bool Mapped = false;
};

/// A proof that an access is in bounds, which the access refuted: a defect of
/// WarpSan (checks=audit).
struct RefutedProof {
  std::vector<std::string> Claims; ///< what was proven, a sentence each
  std::vector<std::string> Values; ///< of the launch: "n = 100"
};

/// The program that a kernel is of.
struct ProgramInfo {
  uint64_t Number = 0;   ///< the process's first is 1; 0: not known
  std::string CreatedBy; ///< the call; empty: not known
  std::vector<HostFrame> Created;
};

/// Who found it.
struct ProcessInfo {
  uint64_t Pid = 0;    ///< 0: not known
  std::string Program; ///< the executable's name, without directories
};

/// Lines of the source around an access.
struct SourceExcerpt {
  uint32_t FirstLine = 0;
  std::vector<std::string> Lines;
};

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

struct Finding {
  enum class Where : uint8_t { None, Before, Straddles, Past };
  /// What the process has at a wild pointer's address when it is reported.
  enum class Target : uint8_t {
    Unknown,
    Unmapped,   ///< no memory
    Process,    ///< memory, but no allocation of OpenCL's that we know
    Allocation, ///< shared virtual memory, which the launch cannot use
    Freed,      ///< shared virtual memory that was freed
  };

  /// A read of the same launch that failed its check and returned zero.
  struct FailedRead {
    std::string Id;       ///< of its finding, which may be suppressed
    std::string Location; ///< "file:line"; empty: not known
  };

  FindingKind Kind = FindingKind::wild_pointer;
  /// "ws-" and 16 hex digits: a hash of kind, kernel and site (its places in
  /// the source, or its number where there are none): the same in every run.
  /// Of a call: of kind, call and caller.
  std::string Id;
  /// 16 hex digits, a hash of all that Id has, of the program's source and of
  /// what was left: findings are the same if it is.
  std::string Fingerprint;
  std::string Kernel; ///< KernelInfo::Name
  bool Cuda = false;  ///< to be reported in CUDA's words
  /// The application's call that is wrong; empty if a kernel is. Then all that
  /// is of a site or a work-item is empty, Kernel is set only if the call is
  /// about a kernel, and Launch.Launched is the call's backtrace.
  std::string Call;
  SiteInfo Site;
  RootInfo Root;
  std::optional<ArgInfo> Arg; ///< if Root is an argument
  MemoryInfo Memory;
  /// Bytes of what was left: the root, the member; images: width, height,
  /// depth.
  uint64_t Size = 0;
  std::array<uint64_t, 3> ImageSize = {0, 0, 0};
  int64_t Offset = 0; ///< of the access's first byte from the start
  std::array<int64_t, 3> Coordinates = {0, 0, 0}; ///< images
  uint64_t Bytes = 0;                             ///< that the access touches
  bool Performed = false; ///< the access was not suppressed
  Where Fell = Where::None;
  /// Before: from the access's first byte to the start. Past: from the end to
  /// the access's first byte. Straddles: bytes that lie beyond the end.
  uint64_t Distance = 0;
  /// Index of the element that has the access's first byte; none if not known.
  std::optional<int64_t> Element;
  uint64_t ElementSize = 0;   ///< bytes that an index counts; 0: not known
  uint64_t ElementOffset = 0; ///< of the access's first byte in that element
  std::string ElementMember;  ///< that is there, "body.pos[1]"; may be empty
  uint64_t Address = 0;
  Target PointsTo = Target::Unknown; ///< filled in by whoever has the process
  /// The value of this read decides about the access, which may be wrong only
  /// because of it; filled in by whoever has all findings of the launch.
  std::optional<FailedRead> Follows;
  std::array<uint64_t, 3> GlobalId = {}, LocalId = {}, GroupId = {};
  /// What the twin saw; never zero.
  std::array<uint64_t, 3> LocalSize = {1, 1, 1};
  LaunchInfo Launch;
  uint64_t Items = 0; ///< work-items of the launch that failed here
  /// Which ones; none if that is not known.
  std::optional<HitMap> Hits;
  std::optional<SourceExcerpt> Excerpt; ///< filled in by whoever has sources
  /// How an overwritten memory was found: the bytes from Offset on. Nothing is
  /// known then of a site or a work-item.
  std::optional<CanaryInfo> Canary;
  /// Of Kind barrier_divergence; then there is no access, only Site.At and
  /// Site.Builtin.
  std::optional<DivergenceInfo> Divergence;
  /// Of Kind collective_mismatch; then there is no access either.
  std::optional<ArgumentMismatch> Mismatch;
  /// Of Kind data_race. Of two sites that race, Site is the later one in the
  /// kernel's code, if both are known.
  std::optional<RaceInfo> Race;
  /// Of Kind race_between_commands.
  std::optional<CommandRaceInfo> Commands;
  /// The launch had proven this access: filled in by whoever audits proofs.
  std::optional<RefutedProof> Refuted;
  ProgramInfo Program; ///< likewise
  ProcessInfo Process; ///< likewise
};

/// Null if the record is not complete, is not of this launch, names a site or
/// root that the kernel does not have, or tells of an access that nothing is
/// wrong with: a rogue kernel can write anything into the record buffer.
std::optional<Finding> diagnose(const WsRecord &Record,
                                const KernelInfo &Kernel,
                                const LaunchInfo &Launch);

/// An error of the application's own: \p Call with an address \p Offset bytes
/// into \p Memory. Id and Fingerprint are of kind and call alone:
/// identifyCall() adds the caller.
Finding diagnoseCall(FindingKind Kind, const std::string &Call,
                     const MemoryInfo &Memory, int64_t Offset);

/// Bytes next to \p Memory, which is argument \p Arg's, have changed; null if
/// they have not. \p At says on which side: Before or Past. Those next to a
/// sub-buffer's are next to its buffer.
std::optional<Finding> diagnoseCanary(CanaryInfo Canary, Finding::Where At,
                                      const std::string &Kernel, uint32_t Arg,
                                      const MemoryInfo &Memory,
                                      const LaunchInfo &Launch);

/// The lines of \p Text, without their line feeds.
std::vector<std::string_view> splitLines(std::string_view Text);

/// Sets the Order of each of a kernel's sites: by their line in the kernel, of
/// the same line in the order of their instructions, which \p Sites have.
void orderSites(std::vector<SiteInfo> &Sites);

/// Identifies \p Place by the text of its line in \p Source, which edits of
/// other lines do not change: a hash of that text without spaces, the column
/// counted without spaces, and the number of equal lines above it in its
/// function. 0 if there is no such line or it is blank.
uint64_t anchorOf(const std::vector<std::string_view> &Source,
                  const SourcePlace &Place);

/// Finding::Id. \p Site and \p Test are its numbers in the record.
std::string findingId(FindingKind Kind, const std::string &Kernel,
                      const SiteInfo &Info, uint32_t Site, uint32_t Test);

/// Finding::Fingerprint. \p Source: KernelInfo::SourceHash. The rest as in
/// findingId(), and Finding::Root.
std::string findingFingerprint(const Finding &F, uint64_t Source, uint32_t Site,
                               uint32_t Test);

/// Sets Id and Fingerprint of a wrong call, of which Kind, Call, Kernel, Root
/// and Launch.Launched are set. \p Caller: the frame that made the call, as
/// people are shown it. \p Anchor: anchorOf() its line; 0: its source is not
/// known. The id has the caller's function, file name and line of text, the
/// fingerprint all frames with their lines.
void identifyCall(Finding &F, const HostFrame &Caller, uint64_t Anchor);

/// FNV-1a of 64 bits, continued from \p State: the same in every release.
inline constexpr uint64_t HashStart = 0xCBF29CE484222325U;
uint64_t stableHash(std::string_view Text, uint64_t State = HashStart);

const char *nameOf(FindingKind Kind);  ///< "out_of_bounds_read"
const char *titleOf(FindingKind Kind); ///< "out-of-bounds read"

} // namespace warpsan

#endif // WARPSAN_DIAGNOSE_FINDING_H
