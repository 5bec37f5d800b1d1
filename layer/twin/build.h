//===- layer/twin/build.h - one successful build of a program, and its
// twins ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program can be built again and again; each build has its own kernels and
// its own twins. A twin is a whole program of the driver's, for one device in
// one variant, made when a launch first needs it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_BUILD_H
#define WARPSAN_LAYER_TWIN_BUILD_H

#include "layer/objects/objects.h"
#include "layer/twin/compile.h"
#include "layer/twin/manifest.h"
#include "layer/twin/twin_info.h"
#include "layer/twin/twin_wish.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

class LaunchSelection;
class Setters;
class TwinKernel;

/// Asks the compiler for the variant that a first launch will want.
std::shared_ptr<PendingResult> requestFirst(const BuildRecipe &Recipe,
                                            cl_device_id Device);
/// closeRecipe for \p First, which requestFirst returned for \p Recipe.
std::shared_ptr<const BuildRecipe>
closeWithFirst(const BuildRecipe &Recipe,
               const std::shared_ptr<PendingResult> &First,
               cl_device_id Device);

/// The instrumented program, for one device.
class TwinProgram {
public:
  TwinProgram(std::shared_ptr<Context> Ctx, cl_device_id Device,
              std::shared_ptr<Setters> Sets)
      : Ctx(std::move(Ctx)), Device(Device), Sets(std::move(Sets)) {}
  TwinProgram(const TwinProgram &) = delete;
  ~TwinProgram();

  /// What the compiler says of it.
  void describe(const std::shared_ptr<PendingResult> &From,
                const std::shared_ptr<const BuildRecipe> &Recipe);

  /// The driver's program, built by the first caller; others wait for it. Null
  /// if it could not be built, with \p Why.
  cl_program handle(std::string &Why);

  std::string Reason; ///< why there is none; empty if there is a Description
  Manifest Description;
  std::shared_ptr<TwinInfo> Info; ///< null if there is no Description

private:
  std::string build();
  std::optional<std::string> knownForm() const;
  bool takeBinary(const std::string &Binary);
  void release();

  const std::shared_ptr<Context> Ctx;
  const cl_device_id Device;
  const std::shared_ptr<Setters> Sets; ///< of its build
  std::shared_ptr<PendingResult> From;
  std::string Options; ///< for clBuildProgram

  std::once_flag Once;
  cl_program Handle = nullptr; ///< since Once, as WhyNot
  std::string WhyNot;
};

class Build {
public:
  /// \p DeviceRecipes: for the devices that the program is built for; may be
  /// empty if there is \p NoRecipe. \p Before: the program's build until now,
  /// which stays that of other devices; may be null. \p Of: the program, null
  /// if it was created outside of WarpSan's sight.
  Build(std::shared_ptr<Context> Ctx, unsigned Number,
        std::shared_ptr<const Life> Of, BuildRecipes DeviceRecipes,
        std::string NoRecipe, const std::shared_ptr<Build> &Before);

  /// The build that \p Device's kernels are of: this one, or an earlier one
  /// that this one was not for.
  Build &on(cl_device_id Device);

  /// Sends the recipe to the compiler, so that it works while the driver
  /// does. \p Devices: those the program is built for; twins for the others
  /// are asked for when a launch needs them.
  void startCompiling(const std::vector<cl_device_id> &Devices);

  /// Waits for the compiler if it may be reading files: the application is
  /// free to change or delete them once its program is built. Returns the
  /// recipe with these files, or null if there is nothing to read, or no
  /// compiler that reads it.
  std::shared_ptr<const BuildRecipe> finishReading();

  /// To be called once it is known which kernels \p Native, the program that
  /// was built, has.
  void choose(cl_program Native);
  /// False if all its kernels are excluded (layer/launch/launch_selection.h):
  /// then it needs no twin.
  bool hasWanted() const { return Wanted.load(std::memory_order_relaxed); }

  /// What all kernels of this name share.
  std::shared_ptr<TwinKernel> kernel(const std::string &Name);

  /// The twin program, described by the first caller; others wait for it.
  std::shared_ptr<TwinProgram> twin(cl_device_id Device,
                                    const TwinWish &Wanted);

  /// Counts the program, once, when a launch first asks for its twin.
  void noteLaunchedFrom(bool Instrumented);

  /// Of a program whose kernels change its variables: whose variables count,
  /// the twin's or the native program's, once something was launched. There is
  /// no way back: the other's are not what they would have to be.
  enum class Copy : uint8_t { Open, Twin, Native };
  /// Decides for \p Wanted, or says what was decided before.
  Copy decideCopy(Copy Wanted) {
    Copy Now = Copy::Open;
    return Variables.compare_exchange_strong(Now, Wanted) ? Wanted : Now;
  }

  bool countsTwinsCopy() const { return Variables.load() == Copy::Twin; }

  /// The application is about to be given the address of a variable on
  /// \p Device. From now on all launches have to be of the program that this
  /// returns, a twin for which \p HasAddress is true, or of the native one if
  /// it is null.
  cl_program pinVariables(cl_device_id Device,
                          const std::function<bool(cl_program)> &HasAddress);
  bool isPinned() const { return Pinned.load(); }

  const std::shared_ptr<Context> Ctx;
  const unsigned Number;                ///< the program's; 0: it has none
  const std::shared_ptr<const Life> Of; ///< the program; may be null
  const std::shared_ptr<Setters> Sets;

private:
  void describeTwin(cl_device_id Device, const TwinWish &Wanted,
                    TwinProgram &Twin);

  /// Never null.
  std::shared_ptr<const BuildRecipe> recipeFor(cl_device_id Device) const;

  const BuildRecipes Recipes;
  const std::string NoRecipe; ///< why Recipes is of no use; empty if it is
  /// Builds for devices (BuiltAs) that are not in Recipes.
  std::map<cl_device_id, std::shared_ptr<Build>> Others;
  std::atomic<Copy> Variables = Copy::Open;
  std::atomic<bool> Pinned = false;
  std::atomic<bool> Wanted = true;
  std::once_flag ChosenOnce;

  std::mutex Mutex; ///< guards all below; never held across a driver call
  std::condition_variable TwinReady;
  std::map<std::string, std::weak_ptr<TwinKernel>> Kernels;
  std::map<std::string, std::shared_ptr<LaunchSelection>> Selections;
  using TwinKey = std::pair<cl_device_id, TwinWish>;
  /// A null entry is being made.
  std::map<TwinKey, std::shared_ptr<TwinProgram>> Twins;
  std::shared_ptr<PendingResult> Started;    ///< keeps the first request alive
  cl_device_id StartedOn = nullptr;          ///< since Started
  std::shared_ptr<const BuildRecipe> Closed; ///< since finishReading
  bool LaunchedFrom = false;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_BUILD_H
