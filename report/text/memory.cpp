//===- report/text/memory.cpp - what memory an access was in --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

using namespace warpsan;

namespace {

using MemoryKind = MemoryInfo::Kind;
using RootKind = RootInfo::Kind;

/// Of CUDA the mangled name says what the types of its arguments are.
std::string cudaType(const Finding &F) {
  const std::vector<std::string> All = parametersOf(demangled(F.Kernel));
  return F.Root.Arg < All.size() ? printable(All[F.Root.Arg]) : "";
}

/// "float*" of a global const argument as "__global const float *".
std::string declaredType(const Finding &F) {
  if (F.Cuda)
    return cudaType(F);
  const ArgInfo &Arg = *F.Arg;
  if (Arg.Type.empty())
    return {};
  std::string Type = printable(Arg.Type);
  if (!Type.ends_with('*'))
    return Type; // an image
  size_t Stars = Type.find_last_not_of('*') + 1;
  if (Stars > 0 && Type[Stars - 1] != ' ')
    Type.insert(Stars, " ");
  std::string Space;
  if (Arg.Kind == "global" || Arg.Kind == "constant" || Arg.Kind == "local")
    Space = "__" + Arg.Kind + " ";
  bool SaysConst = Arg.Kind == "constant" || Type.starts_with("const ");
  return Space + (Arg.Const && !SaysConst ? "const " : "") + Type;
}

std::string flags(const MemoryInfo &Memory) {
  if (Memory.ReadOnly)
    return "CL_MEM_READ_ONLY";
  if (Memory.WriteOnly)
    return "CL_MEM_WRITE_ONLY";
  return "read and write";
}

/// "of work-group (2, 0)".
std::string ofWorkGroup(const Finding &F) {
  return std::string("of ") + wordsFor(F).Group + " " +
         position(F.GroupId, dimensionsOf(F));
}

/// "a buffer of 1,048,576 bytes, read and write".
std::string poolOf(const Finding &F) {
  const std::string Size = " of " + bytes(F.Memory.ParentSize);
  switch (F.Memory.What) {
  case MemoryKind::SVM:
    return "shared virtual memory" + Size;
  case MemoryKind::USM:
    return "unified shared memory" + Size;
  default:
    return "a buffer" + Size + ", " + flags(F.Memory);
  }
}

std::string memoryKind(const Finding &F) {
  const MemoryInfo &Memory = F.Memory;
  if (Memory.Object)
    return (Memory.Name.empty() ? "an object"
                                : "object " + warpsan::quoted(Memory.Name)) +
           ", " + bytes(Memory.Size) + " at byte " + number(Memory.SubOffset) +
           " of " + poolOf(F);
  switch (Memory.What) {
  case MemoryKind::Buffer:
    // Where an access is wrong its size is next to it.
    return "a buffer" +
           (F.Call.empty() || !Memory.Size ? "" : " of " + bytes(Memory.Size)) +
           ", " + flags(Memory);
  case MemoryKind::SubBuffer: {
    std::string Out = "a sub-buffer";
    if (Memory.Size && Memory.ParentSize)
      Out += ", bytes " + number(Memory.SubOffset) + " to " +
             number(Memory.SubOffset + (Memory.Size - 1)) + " of a buffer of " +
             bytes(Memory.ParentSize);
    return Out + ", " + flags(Memory);
  }
  case MemoryKind::Image:
    return "an image, " + flags(Memory);
  case MemoryKind::SVM:
    return allocationOf(F, "shared virtual memory") + " of " +
           bytes(Memory.Size);
  case MemoryKind::USM:
    return allocationOf(F, "unified shared memory") + " of " +
           bytes(Memory.Size);
  case MemoryKind::Local:
    return (F.Cuda ? "__shared__ memory " : "local memory ") + ofWorkGroup(F) +
           ", " + bytes(Memory.Size);
  case MemoryKind::Program:
    return "a program";
  case MemoryKind::Kernel:
    return "a kernel";
  case MemoryKind::Queue:
    return "a command queue";
  case MemoryKind::Context:
    return "a context";
  case MemoryKind::Sampler:
    return "a sampler";
  case MemoryKind::None:
    break;
  }
  return {};
}

std::string argumentLine(const Finding &F, size_t Columns) {
  const std::string Index = "argument " + number(F.Root.Arg);
  const std::string Name = F.Arg->Name.empty() ? F.Root.Name : F.Arg->Name;
  const std::string Type = declaredType(F);
  const std::string Memory = memoryKind(F);
  if (Name.empty() && Type.empty())
    return Memory.empty() ? "" : Index + " is " + Memory;
  std::string Out =
      Name.empty() ? Index + " is" : warpsan::quoted(Name) + " is " + Index;
  if (!Type.empty())
    Out += (Name.empty() ? " " : ", ") + Type;
  if (Memory.empty())
    return Out;
  bool Fits = width(Out) + 2 + width(Memory) <= Columns;
  return Out + (Fits ? ": " : ":\n      ") + Memory;
}

/// "'p' is argument 1, params, passed by value".
std::string byValueLine(const Finding &F) {
  std::string Out = "argument " + number(F.Root.Arg);
  if (!F.Root.Name.empty())
    Out = warpsan::quoted(F.Root.Name) + " is " + Out;
  else
    Out = "it is " + Out;
  if (!F.Root.Type.empty())
    Out += ", " + printable(F.Root.Type);
  return Out + ", passed by value";
}

std::string declaredAt(const Finding &F) {
  if (F.Root.Declared.empty() || !F.Root.Declared.front().Line)
    return {};
  const SourcePlace &Place = F.Root.Declared.front();
  std::string Out = ", declared";
  if (!Place.Function.empty() && Place.Function != F.Kernel)
    Out += " in " + printable(Place.Function);
  Out += " at " + printable(Place.File) + ":" + std::to_string(Place.Line);
  if (Place.Column)
    Out += ":" + std::to_string(Place.Column);
  return Out;
}

std::string variableLine(const Finding &F, const char *Kind,
                         const std::string &Whose) {
  const std::string Type = printable(F.Root.Type);
  const std::string At = declaredAt(F);
  if (F.Root.Name.empty() && Type.empty() && At.empty())
    return {};
  std::string Out =
      F.Root.Name.empty() ? "it is " : warpsan::quoted(F.Root.Name) + " is ";
  Out += Kind;
  if (!Whose.empty())
    Out += " " + Whose;
  if (!Type.empty())
    Out += ", " + Type;
  return Out + At;
}

} // namespace

std::string warpsan::allocationOf(const Finding &F, const char *Kind) {
  const std::string Call = asCalled("", F.Memory.Created).Call;
  return Call.empty() ? Kind : printable(Call) + " memory";
}

bool warpsan::isDynamicShared(const Finding &F) {
  return F.Cuda && F.Root.What == RootKind::Argument && F.Arg &&
         F.Arg->Kind == "local" && F.Arg->Name.empty();
}

std::string warpsan::memoryLine(const Finding &F, size_t Columns) {
  const Vocabulary &Words = wordsFor(F);
  switch (F.Root.What) {
  case RootKind::Argument:
    if (isDynamicShared(F))
      return "its size is given at each launch, for " +
             ofWorkGroup(F).substr(3);
    return F.Arg ? argumentLine(F, Columns) : "";
  case RootKind::Local:
    return variableLine(F, Words.Local, ofWorkGroup(F));
  case RootKind::Private:
    if (F.Root.ByValue)
      return byValueLine(F);
    return variableLine(F, Words.Private, std::string("of the ") + Words.Item);
  case RootKind::Constant:
    return variableLine(F, Words.Constant, "");
  case RootKind::Program:
    return variableLine(F, Words.Program, F.Cuda ? "" : "in global memory");
  case RootKind::Heap:
    if (!F.Memory.Variable.empty())
      return warpsan::quoted(F.Memory.Variable) +
             " is a __device__ or __constant__ variable";
    if (memoryKind(F).empty())
      return {};
    return (F.Call.empty() ? "the pointer points to " : "it is ") +
           memoryKind(F);
  case RootKind::Null:
  case RootKind::Unknown:
    break;
  }
  return {};
}

/// Where the host made it, as far as is known.
static std::string createdAt(const Neighbor &Near) {
  const HostCall Made = asCalled(Near.CreatedBy, Near.Created);
  for (const HostFrame &Frame : Made.Frames)
    if (!Frame.File.empty())
      return ", created at " + printable(Frame.File) +
             (Frame.Line ? ":" + std::to_string(Frame.Line) : "");
  return Made.Call.empty() ? "" : ", created by " + printable(Made.Call);
}

std::string warpsan::nearLine(const Finding &F) {
  for (const Neighbor &Near : F.Memory.Near)
    if (Near.Touched)
      return "it lies " +
             bytes(static_cast<uint64_t>(F.Offset) -
                   static_cast<uint64_t>(Near.Offset)) +
             " into another allocation of " + bytes(Near.Size) +
             createdAt(Near) + (Near.Freed ? ", freed since" : "");
  return {};
}
