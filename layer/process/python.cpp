//===- layer/process/python.cpp - which line of Python called -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/python.h"

#include "layer/process/no_destructor.h"

#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <mutex>
#include <string_view>
#include <unordered_map>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

namespace {

/// The beginning of _PyRuntime in CPython 3.13: where members lie, in bytes.
/// Its shape is the same in all of 3.13, and another in 3.14.
struct DebugOffsets {
  char Cookie[8]; ///< "xdebugpy"
  uint64_t Version;
  uint64_t FreeThreaded;
  struct {
    uint64_t Size, Finalizing, InterpretersHead;
  } Runtime;
  uint64_t Interpreter[13];
  struct {
    uint64_t Size, Prev, Next, Interp, CurrentFrame, ThreadId, NativeThreadId,
        DatastackChunk, Status;
  } Thread;
  struct {
    uint64_t Size, Previous, Executable, InstrPtr, Localsplus, Owner;
  } Frame;
  struct {
    uint64_t Size, Filename, Name, Qualname, Linetable, Firstlineno, Argcount,
        Localsplusnames, Localspluskinds, CodeAdaptive;
  } Code;
  struct {
    uint64_t Size, Type;
  } Object;
  uint64_t Others[4 + 3 + 3 + 3 + 2 + 3 + 3]; ///< type, tuple, .. bytes
  struct {
    uint64_t Size, State, Length, AsciiobjectSize;
  } Unicode;
};

struct Interpreter {
  const DebugOffsets *At = nullptr; ///< null: none that we know how to read
  const void *CodeType = nullptr;   ///< &PyCode_Type
  const void *Base = nullptr;       ///< where its module is loaded
  int (*IsInitialized)() = nullptr; ///< these two need no lock
  void *(*ThisThread)() = nullptr;
  int (*LineOf)(void *Frame) = nullptr;
};

} // namespace

static const void *moduleOf(const void *Address) {
  Dl_info Info;
  return dladdr(Address, &Info) ? Info.dli_fbase : nullptr;
}

template <typename T> static void find(T &Into, const char *Name) {
  Into = reinterpret_cast<T>(dlsym(RTLD_DEFAULT, Name));
}

static Interpreter findInterpreter() {
  constexpr uint64_t Python313 = 0x030D;
  const DebugOffsets *At = nullptr;
  Interpreter I;
  find(At, "_PyRuntime");
  find(I.CodeType, "PyCode_Type");
  find(I.IsInitialized, "Py_IsInitialized");
  find(I.ThisThread, "PyGILState_GetThisThreadState");
  find(I.LineOf, "PyUnstable_InterpreterFrame_GetLine");
  if (!At || std::memcmp(At->Cookie, "xdebugpy", 8) != 0 ||
      At->Version >> 16 != Python313 || At->FreeThreaded || !I.CodeType ||
      !I.IsInitialized || !I.ThisThread || !I.LineOf)
    return {};
  I.At = At;
  I.Base = moduleOf(reinterpret_cast<const void *>(I.LineOf));
  return I;
}

static const Interpreter &interpreter() {
  static const Interpreter Only = findInterpreter();
  return Only;
}

bool warpsan::isInterpreter(const void *Address) {
  const Interpreter &I = interpreter();
  return I.At && moduleOf(Address) == I.Base;
}

template <typename T> static T member(const void *Of, uint64_t Offset) {
  T Value;
  std::memcpy(&Value, static_cast<const char *>(Of) + Offset, sizeof(Value));
  return Value;
}

static void appendUtf8(std::string &To, uint32_t Point) {
  auto Tail = [&](uint32_t Bits) {
    To += static_cast<char>(0x80 | (Point >> Bits & 0x3F));
  };
  if (Point < 0x80) {
    To += static_cast<char>(Point);
  } else if (Point < 0x800) {
    To += static_cast<char>(0xC0 | Point >> 6);
    Tail(0);
  } else if (Point < 0x10000) {
    To += static_cast<char>(0xE0 | Point >> 12);
    Tail(6);
    Tail(0);
  } else {
    To += static_cast<char>(0xF0 | (Point >> 18 & 7));
    Tail(12);
    Tail(6);
    Tail(0);
  }
}

/// A str of Python's; empty if it is not of the usual, compact form.
static std::string textOf(const DebugOffsets &At, const void *Text) {
  // PyASCIIObject::state: interned:2, kind:3, compact:1, ascii:1.
  const auto State = member<uint32_t>(Text, At.Unicode.State);
  const uint32_t Width = State >> 2 & 7;
  const bool Compact = State >> 5 & 1, Ascii = State >> 6 & 1;
  // What is not ASCII has a length and a pointer to its UTF-8 before it.
  const uint64_t Start = At.Unicode.AsciiobjectSize + (Ascii ? 0 : 16);
  const auto Length = member<uint64_t>(Text, At.Unicode.Length);
  std::string Out;
  if (!Compact || Length > 4096)
    return Out;
  for (uint64_t I = 0; I < Length; ++I) {
    if (Width == 1)
      appendUtf8(Out, member<uint8_t>(Text, Start + I));
    else if (Width == 2)
      appendUtf8(Out, member<uint16_t>(Text, Start + 2 * I));
    else if (Width == 4)
      appendUtf8(Out, member<uint32_t>(Text, Start + 4 * I));
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// The walk, and what is kept
//===----------------------------------------------------------------------===//

namespace {

/// What tells a place in a program from another, as far as it is seen without
/// reading names. Code that is gone may leave its address to other code, but
/// hardly with the same names at the same addresses too.
struct RawFrame {
  const void *Code, *Instruction, *Filename, *Qualname;
  uint64_t Firstline;
};

struct Walk {
  static constexpr uint32_t MaxFrames = 32;
  uint32_t Count = 0;
  RawFrame Frames[MaxFrames];
  void *Places[MaxFrames]; ///< the interpreter's frames: valid during the call

  std::string_view bytes() const {
    return {reinterpret_cast<const char *>(Frames), Count * sizeof(RawFrame)};
  }
};

struct Traces {
  /// A program that makes code without end is named no further than this.
  static constexpr size_t MaxTraces = 1 << 16;
  std::mutex Mutex; ///< guards all below; what is in All never changes
  std::deque<std::vector<HostFrame>> All = {{}};
  std::unordered_map<std::string, uint32_t> Numbers; ///< by Walk::bytes
};

} // namespace

static Traces &traces() {
  static auto &Only = noDestructor<Traces>();
  return Only;
}

static void walk(const Interpreter &I, Walk &Into) {
  const DebugOffsets &At = *I.At;
  // Once Python has ended, and handles are released by the remains of a
  // process, the key of its threads may be another library's.
  const void *Thread = I.IsInitialized() ? I.ThisThread() : nullptr;
  if (!Thread)
    return;
  auto *Frame = member<void *>(Thread, At.Thread.CurrentFrame);
  for (; Frame && Into.Count < Walk::MaxFrames;
       Frame = member<void *>(Frame, At.Frame.Previous)) {
    const auto *Code = member<const void *>(Frame, At.Frame.Executable);
    // Where C calls Python there is a frame of no code.
    if (!Code || member<const void *>(Code, At.Object.Type) != I.CodeType)
      continue;
    Into.Places[Into.Count] = Frame;
    Into.Frames[Into.Count++] = {
        Code, member<const void *>(Frame, At.Frame.InstrPtr),
        member<const void *>(Code, At.Code.Filename),
        member<const void *>(Code, At.Code.Qualname),
        static_cast<uint64_t>(member<int>(Code, At.Code.Firstlineno))};
  }
}

static std::vector<HostFrame> describe(const Interpreter &I, const Walk &W) {
  std::vector<HostFrame> Frames;
  for (uint32_t Index = 0; Index < W.Count; ++Index) {
    HostFrame &F = Frames.emplace_back();
    F.Python = true;
    F.Function = textOf(*I.At, W.Frames[Index].Qualname);
    F.File = textOf(*I.At, W.Frames[Index].Filename);
    const int Line = I.LineOf(W.Places[Index]);
    F.Line = Line > 0 ? static_cast<uint32_t>(Line) : 0;
  }
  return Frames;
}

PythonTrace PythonTrace::capture() {
  PythonTrace Trace;
  const Interpreter &I = interpreter();
  if (!I.At)
    return Trace;
  Walk W;
  walk(I, W);
  if (!W.Count)
    return Trace;

  // Nothing to destroy: it is thread-local.
  static thread_local struct {
    Walk Last;
    PythonTrace Trace;
  } Cache;
  if (Cache.Last.bytes() == W.bytes())
    return Cache.Trace;

  Traces &T = traces();
  {
    std::lock_guard Lock(T.Mutex);
    auto [Entry, New] = T.Numbers.try_emplace(std::string(W.bytes()), 0);
    if (New && T.All.size() < Traces::MaxTraces) {
      Entry->second = static_cast<uint32_t>(T.All.size());
      T.All.push_back(describe(I, W));
    } else if (New) {
      T.Numbers.erase(Entry);
      return Trace;
    }
    Trace.Number = Entry->second;
  }
  Cache.Last = W;
  Cache.Trace = Trace;
  return Trace;
}

std::span<const HostFrame> PythonTrace::frames() const {
  Traces &T = traces();
  std::lock_guard Lock(T.Mutex);
  return T.All[Number];
}
