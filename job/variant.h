//===- job/variant.h - which twin of a program is meant -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_JOB_VARIANT_H
#define WARPSAN_JOB_VARIANT_H

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsan {

/// Which checks a twin has. Without Checks, none of the others is set.
struct Variant {
  bool Checks = false;
  /// Pointers may be to shared virtual memory; otherwise every pointer argument
  /// is a buffer or local memory.
  bool Svm = false;
  /// Omits the checks that its claims cover: those claims must hold in a
  /// launch. Not with Objects.
  bool Lean = false;
  /// Accesses to buffers are checked against their marked objects. With Svm.
  bool Objects = false;
  /// Accesses to local and global memory are watched for data races. With Lean
  /// they are described instead, so that a launch can prove that none races,
  /// unless an AccessSelection names those to watch; Svm must be false then.
  bool Races = false;

  /// The variant that omits no check.
  Variant full() const { return {Checks, Svm, false, Objects, Races}; }

  auto operator<=>(const Variant &) const = default;

  template <typename A> void serialize(A &Ar) {
    auto Bits = static_cast<uint8_t>(Checks | Svm << 1 | Lean << 2 |
                                     Objects << 3 | Races << 4);
    Ar.field(Bits);
    if constexpr (A::Reading) {
      if (Bits > 0x1F)
        return Ar.fail();
      Checks = Bits & 1;
      Svm = Bits & 2;
      Lean = Bits & 4;
      Objects = Bits & 8;
      Races = Bits & 16;
    }
  }
};

/// The launches that a lean twin of one kernel is for: they prove all its
/// accesses in bounds but those in Checked, and that no two race of which one
/// is not in Watched. Both are sorted, and numbers of accesses.
struct AccessSelection {
  std::string Kernel; ///< empty: nothing is selected; all kernels
  std::vector<uint32_t> Checked = {};
  std::vector<uint32_t> Watched = {};

  bool checks(uint32_t Access) const {
    return std::ranges::binary_search(Checked, Access);
  }
  bool watches(uint32_t Access) const {
    return std::ranges::binary_search(Watched, Access);
  }
  /// True if its twin does for the launches of \p Other, too.
  bool covers(const AccessSelection &Other) const {
    return std::ranges::includes(Checked, Other.Checked) &&
           std::ranges::includes(Watched, Other.Watched);
  }

  auto operator<=>(const AccessSelection &) const = default;

  template <typename A> void serialize(A &Ar) {
    Ar.field(Kernel);
    Ar.field(Checked);
    Ar.field(Watched);
  }
};

/// True if a twin watches accesses for data races.
inline bool watchesRaces(Variant Which, const AccessSelection &Only) {
  return Which.Races && (!Which.Lean || !Only.Kernel.empty());
}

/// "lean-svm", as the manifest names it; empty if no twin is such.
inline std::string nameOf(Variant Of) {
  if (Of == Variant())
    return "plain";
  if (!Of.Checks || (Of.Objects && (Of.Lean || !Of.Svm)) ||
      (Of.Races && Of.Lean && Of.Svm))
    return {};
  return std::string(Of.Lean ? "lean" : "checked") +
         (Of.Objects ? "-objects"
          : Of.Svm   ? "-svm"
                     : "") +
         (Of.Races ? "-races" : "");
}

/// Every variant that has a name.
inline std::vector<Variant> allVariants() {
  std::vector<Variant> All;
  for (unsigned Bits = 0; Bits < 32; ++Bits) {
    const Variant Each = {(Bits & 1) != 0, (Bits & 2) != 0, (Bits & 4) != 0,
                          (Bits & 8) != 0, (Bits & 16) != 0};
    if (!nameOf(Each).empty())
      All.push_back(Each);
  }
  return All;
}

/// The variant that nameOf() calls \p Name.
inline std::optional<Variant> variantNamed(std::string_view Name) {
  for (const Variant &Each : allVariants())
    if (nameOf(Each) == Name)
      return Each;
  return std::nullopt;
}

} // namespace warpsan

#endif // WARPSAN_JOB_VARIANT_H
