//===- proof/forms.h - sums of unknowns, and how large they can get -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_FORMS_H
#define WARPSAN_PROOF_FORMS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpsan {

/// Exact: whatever does not fit is given up on.
__extension__ using Int = __int128;
/// Larger than anything that a program calculates with 64 bits.
inline constexpr Int Huge = Int(1) << 100;
inline Int powerOfTwo(unsigned Bits) { return Int(1) << Bits; }

/// Constant + sum of Times * the unknown Of.
struct Form {
  struct Term {
    uint32_t Of;
    Int Times; ///< not 0

    bool operator==(const Term &) const = default;
  };
  static constexpr size_t MostTerms = 8;

  Int Constant = 0;
  uint32_t Count = 0;
  std::array<Term, MostTerms> Terms; ///< the first Count, by Of

  Form() = default;
  Form(Int Constant) : Constant(Constant) {}
  static Form unknown(uint32_t Of);

  std::span<const Term> terms() const { return {Terms.data(), Count}; }
  bool isConstant() const { return Count == 0; }
  bool operator==(const Form &Other) const {
    return Constant == Other.Constant &&
           std::ranges::equal(terms(), Other.terms());
  }
  Int timesOf(uint32_t Unknown) const;
};

/// A * X + B * Y. None if that has too many terms or too large numbers.
std::optional<Form> combine(Int A, const Form &X, Int B, const Form &Y);

/// What is not negative says most as this: unknowns are whole numbers, so the
/// constant may go down to a multiple of what all of them are multiplied with.
Form tightened(Form NotNegative);

/// Rounded down; \p By is positive.
Int floorDivide(Int N, Int By);

/// A form that is not negative.
struct Fact {
  static constexpr uint32_t Anybody = ~uint32_t(0);
  Form Is;
  /// The unknown that it says something of, by how that was made of the others:
  /// of them it says nothing new.
  uint32_t Owner = Anybody;
  mutable uint32_t TakenFor = 0; ///< Unknowns::Asked when it was last of use
};

/// Facts of one place. Many are found by the unknowns that they are of use for.
class FactSet {
public:
  void add(const Fact &New);
  bool empty() const { return All.empty(); }
  const std::vector<Fact> &all() const { return All; }
  /// One says that something negative is not.
  bool isImpossible() const { return Impossible; }

  bool isIndexed() const { return !ByUnknown.empty(); }
  /// The numbers of those that say something of \p Unknown.
  std::span<const uint32_t> about(uint32_t Unknown) const;

private:
  void index(uint32_t Number);

  static constexpr size_t Few = 24; ///< quicker to look at than to find
  std::vector<Fact> All;
  std::unordered_map<uint32_t, std::vector<uint32_t>> ByUnknown;
  bool Impossible = false;
};
/// Facts of several places.
using Facts = std::span<const FactSet *const>;

/// Unknowns, and what each may be.
class Unknowns {
public:
  struct Range {
    Int Least, Most;
  };

  uint32_t add(Int Least, Int Most);
  Range &operator[](uint32_t Unknown) { return All[Unknown]; }
  const Range &operator[](uint32_t Unknown) const { return All[Unknown]; }

  /// No value of \p F is larger where \p Known holds. Huge if nothing can be
  /// said. Stops looking at \p Enough.
  Int most(const Form &F, Facts Known, Int Enough = -Huge);
  Int least(const Form &F, Facts Known, Int Enough = Huge);

  /// The same by nothing but the range of each unknown.
  Int mostAlone(const Form &F) const;
  Int leastAlone(const Form &F) const;

  /// Steps that may still be taken.
  int Budget = 20000;
  /// Facts that may still be looked at: a kernel of thousands of operations has
  /// as many, and each question goes through those of its place.
  int64_t Patience = 20'000;

private:
  Int mostNow(const Form &F) const;
  Int mostOfWhole(const Form &F, Int Enough);
  Int searchBoth(const Form &F, Int Enough);
  Int descend(const Form &F, Int Enough);
  Int search(const Form &F, Int Enough, int Depth);

  void choose(const Form &F, Facts Known);
  void narrow();
  const Range &now(uint32_t Unknown) const {
    const Mark &M = Marks[Unknown];
    return M.Narrowed == Asked ? M.Now : All[Unknown];
  }
  Range &narrowed(uint32_t Unknown);

  std::vector<Range> All;
  // Of the form that is asked for:
  std::vector<const Form *> Useful; ///< not negative
  std::vector<const Fact *> Left;   ///< of small sets, the others
  std::vector<uint32_t> Work;       ///< unknowns that were just reached
  /// By unknown, true if its number is Asked: Useful is about it, and Now is
  /// its range in All and what facts about it alone say.
  struct Mark {
    uint32_t Reached = 0, Narrowed = 0;
    Range Now = {};
  };
  std::vector<Mark> Marks;
  uint32_t Asked = 0;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_FORMS_H
