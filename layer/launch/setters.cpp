//===- layer/launch/setters.cpp - variables that all copies of a program
// have -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/setters.h"

#include "layer/launch/twin_kernel.h"
#include "layer/objects/extension_functions.h"
#include "layer/process/no_destructor.h"
#include "layer/svm/svm_ranges.h"
#include "text/names.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

using namespace warpsan;

using Arguments = std::vector<std::pair<cl_uint, KernelArg>>;

/// A kernel of a copy with arguments; null if the driver does not take them.
static cl_kernel makeKernel(cl_program Program, const std::string &Name,
                            const Context &Ctx, const Arguments &Args) {
  cl_kernel Handle = Next->clCreateKernel(Program, Name.c_str(), nullptr);
  if (!Handle)
    return nullptr;
  for (const auto &[Index, Arg] : Args)
    if (setArgument(Handle, Ctx, Index, Arg) != CL_SUCCESS) {
      Next->clReleaseKernel(Handle);
      return nullptr;
    }
  return Handle;
}

static bool anyReleased(const Arguments &Args) {
  return std::ranges::any_of(
      Args, [](const auto &Each) { return isReleased(Each.second); });
}

static std::vector<size_t> copied(const size_t *Sizes, cl_uint Count) {
  return Sizes ? std::vector(Sizes, Sizes + Count) : std::vector<size_t>();
}

/// Names outlive what they are names of: one each.
static const std::string *kept(const std::string &Name) {
  static std::mutex &Mutex = noDestructor<std::mutex>();
  static std::set<std::string> &Names = noDestructor<std::set<std::string>>();
  std::lock_guard Lock(Mutex);
  return &*Names.insert(Name).first;
}

/// chipStar keeps a __device__ or __constant__ variable in an allocation, and
/// tells the program where that is by a setter of this name.
static void nameVariable(const std::string &Setter, const Arguments &Args) {
  constexpr std::string_view Binds = "__chip_var_bind_";
  if (!Setter.starts_with(Binds) || Args.size() != 1 ||
      !Args.front().second.isPointer())
    return;
  auto Of = svmPlaceOf(Args.front().second.pointer()).Of;
  if (Of)
    Of->Variable = kept(shortName(demangled(Setter.substr(Binds.size()))));
}

cl_int Setters::setAll(cl_device_id Device, const EventArgs *Events,
                       const SetCopy &OnCopy, const SetNative &OnNative,
                       size_t &SeenCopies) {
  EventArgs Theirs = Events ? *Events : EventArgs();
  // The driver may take a list that is none, or refuse it: it is asked first.
  const bool NativeFirst = !Theirs.isWellFormed();
  cl_int Error = NativeFirst ? OnNative(Theirs) : CL_SUCCESS;
  if (Error != CL_SUCCESS)
    return Error;
  if (NativeFirst)
    Theirs.WaitCount = 0, Theirs.WaitList = nullptr;
  std::vector<Copy> Now;
  {
    std::lock_guard Lock(Mutex);
    Now = Copies;
    SeenCopies = CopiesAdded;
  }
  std::vector<cl_event> Before(Theirs.WaitList,
                               Theirs.WaitList + Theirs.WaitCount);
  const size_t Own = Before.size();
  size_t Set = 0, NotSet = 0; // of the copies
  for (const Copy &Each : Now) {
    if (Each.Device != Device)
      continue;
    EventArgs Given = Theirs;
    cl_event Done = nullptr;
    Given.Event = Events ? &Done : nullptr;
    ++(OnCopy(Each.Program, Given) == CL_SUCCESS ? Set : NotSet);
    if (Done)
      Before.push_back(Done);
  }
  if (!NativeFirst) {
    EventArgs Last = Theirs;
    Last.WaitCount = static_cast<cl_uint>(Before.size());
    Last.WaitList = Before.empty() ? nullptr : Before.data();
    Error = OnNative(Last);
  }
  for (size_t I = Own; I < Before.size(); ++I)
    Next->clReleaseEvent(Before[I]);
  if (Error == CL_SUCCESS ? NotSet : Set)
    Incomplete = true;
  return Error;
}

void Setters::noteChange(size_t SeenCopies) {
  ++Changes;
  // A copy that came meanwhile has neither been set nor repeats this setting.
  if (CopiesAdded != SeenCopies)
    Incomplete = true;
}

cl_int Setters::launch(Kernel &K, cl_kernel Native, cl_device_id Device,
                       const NDRange &Range, const EventArgs *Events,
                       const EnqueueKernel &Enqueue) {
  Arguments Args;
  std::vector<uint64_t> Stamps;
  K.Args.changedSince(Stamps, Args);
  nameVariable(K.Twin->Name, Args);
  auto OnCopy = [&](cl_program Program, const EventArgs &Given) -> cl_int {
    // What is gone is gone for the application's own copy too.
    if (anyReleased(Args))
      return CL_SUCCESS;
    cl_kernel Handle = makeKernel(Program, K.Twin->Name, *K.Ctx, Args);
    if (!Handle)
      return CL_INVALID_KERNEL;
    const cl_int Error = Enqueue(Handle, Range.Local, Given);
    Next->clReleaseKernel(Handle);
    return Error;
  };
  size_t SeenCopies = 0;
  const cl_int Error = setAll(
      Device, Events, OnCopy,
      [&](const EventArgs &Given) {
        return Enqueue(Native, Range.Local, Given);
      },
      SeenCopies);
  if (Error == CL_SUCCESS) {
    std::lock_guard Lock(Mutex);
    noteChange(SeenCopies);
    std::erase_if(All, [&](const Setting &Old) {
      return Old.Device == Device && Old.Kernel == K.Twin->Name;
    });
    All.push_back({Device, K.Twin->Name, std::move(Args),
                   copied(Range.Offset, Range.Dimensions),
                   copied(Range.Global, Range.Dimensions),
                   copied(Range.Local, Range.Dimensions), Range.Dimensions});
  }
  return Error;
}

/// False if the driver does not want it.
bool Setters::repeat(const Setting &Each, const Context &Ctx,
                     cl_command_queue Queue, cl_program Program) {
  if (anyReleased(Each.Args))
    return true;
  cl_kernel Handle = makeKernel(Program, Each.Kernel, Ctx, Each.Args);
  if (!Handle)
    return false;
  auto Sizes = [](const std::vector<size_t> &Of) {
    return Of.empty() ? nullptr : Of.data();
  };
  const cl_int Error = Next->clEnqueueNDRangeKernel(
      Queue, Handle, Each.Dimensions, Sizes(Each.Offset), Sizes(Each.Global),
      Sizes(Each.Local), 0, nullptr, nullptr);
  Next->clReleaseKernel(Handle);
  return Error == CL_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Variables that the host writes
//===----------------------------------------------------------------------===//

cl_int Setters::write(cl_command_queue Queue, cl_device_id Device,
                      cl_program Native, const Variable &To, cl_bool Blocking,
                      const void *From, const EventArgs &Events) {
  auto Write = [&](cl_program Program, const EventArgs &Given) {
    return extensionsOf(Queue).clEnqueueWriteGlobalVariableINTEL(
        Queue, Program, To.Name.c_str(), Blocking, To.End - To.Begin, To.Begin,
        From, Given.WaitCount, Given.WaitList, Given.Event);
  };
  cl_event Own = nullptr;
  EventArgs Given = Events;
  if (!Given.Event)
    Given.Event = &Own;
  size_t SeenCopies = 0;
  const cl_int Error = setAll(
      Device, &Given, Write,
      [&](const EventArgs &Last) { return Write(Native, Last); }, SeenCopies);
  if (Error != CL_SUCCESS)
    return Error;
  if (Events.Event && Next->clRetainEvent(*Events.Event) == CL_SUCCESS)
    Own = *Events.Event;
  std::shared_ptr<_cl_event> Done(Own, [](cl_event Last) {
    if (Last)
      Next->clReleaseEvent(Last);
  });
  std::lock_guard Lock(Mutex);
  noteChange(SeenCopies);
  auto Old = std::ranges::find_if(Variables, [&](const Written &Each) {
    return Each.Device == Device && Each.Of.Name == To.Name;
  });
  if (Old == Variables.end()) {
    Variables.push_back({Device, Native, To, Done});
    return Error;
  }
  Old->Of.Begin = std::min(Old->Of.Begin, To.Begin);
  Old->Of.End = std::max(Old->Of.End, To.End);
  Old->Done.swap(Done); // what was there is released without the lock
  return Error;
}

cl_program Setters::copyOn(cl_device_id Device) {
  std::lock_guard Lock(Mutex);
  auto Found = std::ranges::find(Copies, Device, &Copy::Device);
  return Found == Copies.end() ? nullptr : Found->Program;
}

/// Waits for a command, but not for ever: it may depend on what the application
/// does next.
static bool awaitComplete(cl_event Event) {
  using namespace std::chrono;
  if (auto *Queue = queryValue<cl_command_queue>(
          Next->clGetEventInfo, Event, CL_EVENT_COMMAND_QUEUE, nullptr))
    Next->clFlush(Queue);
  const auto End = steady_clock::now() + seconds(2);
  while (queryValue<cl_int>(Next->clGetEventInfo, Event,
                            CL_EVENT_COMMAND_EXECUTION_STATUS,
                            CL_COMPLETE) > CL_COMPLETE) {
    if (steady_clock::now() > End)
      return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

/// Gives a copy what the native program's variable has.
bool Setters::copyWritten(const Written &Each, const Context &Ctx,
                          cl_command_queue Queue, cl_program Program) {
  if (Each.Done && !awaitComplete(Each.Done.get()))
    return false;
  const ExtensionFunctions &Driver = extensionsOf(Ctx.Platform);
  const auto &[Name, Begin, End] = Each.Of;
  std::string Bytes(End - Begin, '\0');
  return Driver.clEnqueueReadGlobalVariableINTEL &&
         Driver.clEnqueueReadGlobalVariableINTEL(
             Queue, Each.Native, Name.c_str(), CL_TRUE, Bytes.size(), Begin,
             Bytes.data(), 0, nullptr, nullptr) == CL_SUCCESS &&
         Driver.clEnqueueWriteGlobalVariableINTEL(
             Queue, Program, Name.c_str(), CL_TRUE, Bytes.size(), Begin,
             Bytes.data(), 0, nullptr, nullptr) == CL_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Setters::addCopy(const Context &Ctx, cl_device_id Device,
                      cl_program Program) {
  cl_command_queue Queue = nullptr; // ours: nothing else is in it to wait for
  for (size_t Done = 0;;) {
    std::vector<Setting> Missing;
    std::vector<Written> MissingVariables;
    {
      std::lock_guard Lock(Mutex);
      if (Done == Changes) {
        Copies.push_back({Device, Program});
        ++CopiesAdded;
        break;
      }
      Done = Changes;
      Missing = All;
      MissingVariables = Variables;
    }
    if (!Queue)
      Queue = Next->clCreateCommandQueueWithProperties(Ctx.Handle, Device,
                                                       nullptr, nullptr);
    for (const Setting &Each : Missing)
      if (Each.Device == Device &&
          (!Queue || !repeat(Each, Ctx, Queue, Program)))
        Incomplete = true;
    if (Queue && Next->clFinish(Queue) != CL_SUCCESS)
      Incomplete = true;
    for (const Written &Each : MissingVariables)
      if (Each.Device == Device &&
          (!Queue || !copyWritten(Each, Ctx, Queue, Program)))
        Incomplete = true;
  }
  if (Queue)
    Next->clReleaseCommandQueue(Queue);
}

void Setters::removeCopy(cl_program Program) {
  std::lock_guard Lock(Mutex);
  std::erase_if(Copies,
                [&](const Copy &Each) { return Each.Program == Program; });
}
