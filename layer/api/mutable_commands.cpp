//===- layer/api/mutable_commands.cpp - recorded kernels that may change --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/mutable_commands.h"

#include "layer/api/intercept.h"
#include "layer/launch/twin_kernel.h"
#include "layer/process/no_destructor.h"
#include "layer/twin/build.h"

#include <atomic>
#include <cstring>

using namespace warpsan;

static auto &MutableCommands =
    noDestructor<HandleTable<cl_mutable_command_khr, MutableCommand>>();

/// Of the last buffer with mutable commands: for commands that are no kernels.
static std::atomic<const ExtensionFunctions *> LastDriver = nullptr;

/// Which fields the application may update; all if it does not say.
static cl_mutable_dispatch_fields_khr *
fieldsIn(std::vector<cl_command_properties_khr> &Properties) {
  for (size_t I = 0; I + 1 < Properties.size(); I += 2)
    if (Properties[I] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR)
      return &Properties[I + 1];
  return nullptr;
}

static std::vector<cl_command_properties_khr>
copied(const cl_command_properties_khr *Theirs) {
  std::vector<cl_command_properties_khr> All;
  for (; Theirs && *Theirs; Theirs += 2)
    All.insert(All.end(), {Theirs[0], Theirs[1]});
  if (Theirs)
    All.push_back(0);
  return All;
}

std::vector<cl_command_properties_khr>
warpsan::withArguments(const cl_command_properties_khr *Theirs) {
  auto All = copied(Theirs);
  auto *Fields = fieldsIn(All);
  if (!Fields)
    return {};
  *Fields |= CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
  return All;
}

/// A kernel of its own that has \p From's arguments.
static std::shared_ptr<Kernel> copyOf(Kernel &From) {
  auto New =
      std::make_shared<Kernel>(From.Ctx, From.From, From.Twin, 0, From.Info);
  New->Args.copyFrom(From.Args);
  return New;
}

void warpsan::noteMutable(cl_mutable_command_khr Handle, const Launch &L,
                          cl_kernel Native, cl_device_id Device,
                          const NDRange &Range,
                          const cl_command_properties_khr *Properties,
                          const ExtensionFunctions &Driver) {
  LastDriver = &Driver;
  auto M = std::make_shared<MutableCommand>();
  M->Driver = &Driver;
  M->Device = Device;
  M->Native = Native;
  M->Pool = L.Outcome.isTwin() ? L.Outcome.Pool : nullptr;
  M->Properties = copied(Properties);
  if (L.Of)
    M->Now = copyOf(*L.Of);
  M->Dimensions = Range.Dimensions;
  if (Range.Global)
    M->Global.assign(Range.Global, Range.Global + Range.Dimensions);
  MutableCommands.add(Handle, std::move(M));
}

void warpsan::copyMutable(cl_mutable_command_khr Handle,
                          cl_mutable_command_khr To) {
  auto From = MutableCommands.find(Handle);
  if (!From)
    return;
  auto M = std::make_shared<MutableCommand>();
  std::lock_guard Lock(From->Mutex);
  M->Driver = From->Driver;
  M->Device = From->Device;
  M->Native = From->Native;
  M->Pool = From->Pool;
  M->Properties = From->Properties;
  M->Now = From->Now;
  M->Dimensions = From->Dimensions;
  M->Global = From->Global;
  MutableCommands.add(To, std::move(M));
}

void warpsan::forgetMutable(cl_mutable_command_khr Handle) {
  MutableCommands.release(Handle);
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

MutableUpdate::MutableUpdate(cl_uint Count,
                             const cl_command_buffer_update_type_khr *Types,
                             const void **Configs) {
  if (!Types || !Configs)
    return;
  Given.assign(Configs, Configs + Count);
  for (cl_uint I = 0; I < Count && Wrong == CL_SUCCESS; ++I)
    if (Types[I] == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR && Given[I])
      prepare(I,
              *static_cast<const cl_mutable_dispatch_config_khr *>(Configs[I]));
}

void MutableUpdate::prepare(size_t Index,
                            const cl_mutable_dispatch_config_khr &Theirs) {
  auto Of = MutableCommands.find(Theirs.command);
  if (!Of || !Of->Pool)
    return;
  const size_t ArgCount = Of->Pool->Plan->Args.size();
  // The driver knows of more arguments, and may have been asked to let them
  // change.
  if (const auto *Fields = fieldsIn(Of->Properties);
      Fields && !(*Fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) &&
      (Theirs.num_args || Theirs.num_svm_args))
    Wrong = CL_INVALID_OPERATION;
  One &New = All.emplace_back();
  New.Of = Of;
  {
    std::lock_guard Lock(Of->Mutex);
    New.Now = copyOf(*Of->Now);
    New.Dimensions = Of->Dimensions;
    New.Global = Of->Global;
  }
  for (cl_uint I = 0; I < Theirs.num_args && Theirs.arg_list; ++I) {
    const auto &[At, Size, Value] = Theirs.arg_list[I];
    if (At >= ArgCount)
      Wrong = CL_INVALID_ARG_INDEX;
    else
      New.Now->Args.set(
          At, Value ? KernelArg::Source::Value : KernelArg::Source::Null, Size,
          Value, memoryIn(Size, Value));
    New.Args.push_back(Theirs.arg_list[I]);
  }
  for (cl_uint I = 0; I < Theirs.num_svm_args && Theirs.arg_svm_list; ++I) {
    const cl_mutable_dispatch_arg_khr &Arg = Theirs.arg_svm_list[I];
    if (Arg.arg_index >= ArgCount)
      Wrong = CL_INVALID_ARG_INDEX;
    else
      New.Now->Args.set(Arg.arg_index, KernelArg::Source::SVMPointer,
                        sizeof(Arg.arg_value), &Arg.arg_value);
    New.SvmArgs.push_back(Arg);
  }
  if (Wrong != CL_SUCCESS)
    return;
  if (Theirs.work_dim)
    New.Dimensions = Theirs.work_dim;
  if (Theirs.global_work_size)
    New.Global.assign(Theirs.global_work_size,
                      Theirs.global_work_size + New.Dimensions);
  const NDRange Range{"clUpdateMutableCommandsKHR", New.Dimensions,
                      Theirs.global_work_offset, New.Global.data(),
                      Theirs.local_work_size};
  std::string Why;
  auto Instance = Of->Pool->borrow(*New.Now, New.Now->Args.pointers().ExecStamp,
                                   Of->Device, Range, /*Shadow=*/nullptr, Why);
  // The driver might take it, with sizes that are no longer those of its
  // memory.
  if (!Instance) {
    Wrong = CL_OUT_OF_RESOURCES;
    return;
  }
  New.Hidden = Of->Pool->hiddenValues(*Instance, *New.Now, Of->Device, Range);
  New.Number = Instance->Number;
  if (New.Number)
    logLaunch(New.Number, Of->Pool->Of, Instance->Memories, Range);
  Of->Pool->giveBack(std::move(Instance));
  if (New.Hidden.empty() && !Of->Pool->Plan->HiddenArgs.empty()) {
    Wrong = CL_OUT_OF_RESOURCES;
    return;
  }
  New.Changed.begin(New.Now->Args, Of->Pool->Plan, /*Recorded=*/true);
  for (size_t I = 0; I < New.Hidden.size(); ++I) {
    const HiddenValue &Value = New.Hidden[I];
    const auto At = static_cast<cl_uint>(ArgCount + I);
    if (Value.Size && Value.Is == HiddenValue::SVMPointer)
      New.SvmArgs.push_back({At, 0, Value.pointer()});
    else if (Value.Size)
      New.Args.push_back({At, Value.Size, Value.bytes()});
  }
  New.Config = Theirs;
  New.Config.num_args = static_cast<cl_uint>(New.Args.size());
  New.Config.arg_list = New.Args.empty() ? nullptr : New.Args.data();
  New.Config.num_svm_args = static_cast<cl_uint>(New.SvmArgs.size());
  New.Config.arg_svm_list = New.SvmArgs.empty() ? nullptr : New.SvmArgs.data();
  Given[Index] = &New.Config;
}

std::vector<uint64_t> MutableUpdate::commit() {
  std::vector<uint64_t> Numbers;
  for (One &Each : All) {
    if (Each.Number)
      Numbers.push_back(Each.Number);
    std::lock_guard Lock(Each.Of->Mutex);
    Each.Of->Now = Each.Now;
    Each.Of->Dimensions = Each.Dimensions;
    Each.Of->Global = Each.Global;
  }
  return Numbers;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static cl_int answer(const void *From, size_t Bytes, size_t Size, void *Value,
                     size_t *SizeReturn) {
  if (Value && Size < Bytes)
    return CL_INVALID_VALUE;
  if (Value && Bytes)
    std::memcpy(Value, From, Bytes);
  if (SizeReturn)
    *SizeReturn = Bytes;
  return CL_SUCCESS;
}

cl_int CL_API_CALL ext::clGetMutableCommandInfoKHR(
    cl_mutable_command_khr Handle, cl_mutable_command_info_khr Name,
    size_t Size, void *Value, size_t *SizeReturn) {
  auto M = MutableCommands.find(Handle);
  if (M && M->Pool && Name == CL_MUTABLE_DISPATCH_KERNEL_KHR)
    return answer(static_cast<void *>(&M->Native), sizeof(M->Native), Size,
                  Value, SizeReturn);
  if (M && M->Pool && Name == CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR)
    return answer(M->Properties.data(),
                  M->Properties.size() * sizeof(M->Properties[0]), Size, Value,
                  SizeReturn);
  const ExtensionFunctions *Driver = M ? M->Driver : LastDriver.load();
  return Driver ? Driver->clGetMutableCommandInfoKHR(Handle, Name, Size, Value,
                                                     SizeReturn)
                : CL_INVALID_MUTABLE_COMMAND_KHR;
}
