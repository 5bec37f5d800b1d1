//===- proof/affine.h - affine expressions and their bounds ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_AFFINE_H
#define WARPSAN_PROOF_AFFINE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpsan {

/// Exact arithmetic: results that do not fit are given up.
__extension__ using Int = __int128;
/// Stands for infinity: larger than any 64-bit number.
inline constexpr Int Unbounded = Int(1) << 100;
/// 2 to the power of \p Bits, which must be less than 127.
inline Int powerOfTwo(unsigned Bits) { return Int(1) << Bits; }

/// Constant + the sum of Coeff * Unknown over all terms.
struct AffineExpr {
  struct Term {
    uint32_t Unknown;
    Int Coeff; ///< not 0

    bool operator==(const Term &) const = default;
  };
  static constexpr size_t MaxTerms = 16;

  Int Constant = 0;
  uint32_t Count = 0;
  std::array<Term, MaxTerms> Terms; ///< the first Count, sorted by Unknown

  AffineExpr() = default;
  AffineExpr(Int Constant) : Constant(Constant) {}
  // Most have few terms: only those are copied.
  AffineExpr(const AffineExpr &Other) { *this = Other; }
  AffineExpr &operator=(const AffineExpr &Other) {
    Constant = Other.Constant;
    Count = Other.Count;
    std::copy_n(Other.Terms.begin(), Count, Terms.begin());
    return *this;
  }
  /// 1 * \p Unknown.
  static AffineExpr unknown(uint32_t Unknown);

  std::span<const Term> terms() const { return {Terms.data(), Count}; }
  bool isConstant() const { return Count == 0; }
  bool operator==(const AffineExpr &Other) const {
    return Constant == Other.Constant &&
           std::ranges::equal(terms(), Other.terms());
  }
  /// The coefficient of \p Unknown; 0 if it has no term.
  Int coeffOf(uint32_t Unknown) const;
};

/// A * X + B * Y. None if that has too many terms or its numbers are too large.
std::optional<AffineExpr> combine(Int A, const AffineExpr &X, Int B,
                                  const AffineExpr &Y);

/// Tightens Expr >= 0: rounds the constant down to a multiple of the
/// coefficients' GCD.
AffineExpr tightened(AffineExpr NotNegative);

/// N / By, rounded down; \p By must be positive.
Int floorDivide(Int N, Int By);

/// States Expr >= 0.
struct Fact {
  static constexpr uint32_t NoOwner = ~uint32_t(0);
  AffineExpr Expr;
  /// The unknown that this fact defines in terms of others: it says nothing new
  /// about those. NoOwner: it constrains all of its unknowns.
  uint32_t Owner = NoOwner;
  mutable uint32_t TakenFor = 0; ///< query that last used it
};

/// Facts of one place. Large sets are indexed by unknown.
class FactSet {
public:
  void add(const Fact &New);
  bool empty() const { return All.empty(); }
  const std::vector<Fact> &all() const { return All; }
  /// True if a fact is a negative constant: the place is unreachable.
  bool isImpossible() const { return Impossible; }

  bool isIndexed() const { return !ByUnknown.empty(); }
  /// Indices into all() of the facts that constrain \p Unknown.
  std::span<const uint32_t> about(uint32_t Unknown) const;

private:
  void index(uint32_t Number);

  static constexpr size_t Few = 24; ///< below this, a scan is faster
  std::vector<Fact> All;
  std::unordered_map<uint32_t, std::vector<uint32_t>> ByUnknown;
  bool Impossible = false;
};
/// The facts of several places.
using Facts = std::span<const FactSet *const>;

/// Integer unknowns with ranges, and bounds of expressions over them.
class ConstraintSystem {
public:
  struct Range {
    Int Min, Max;
  };

  /// Adds an unknown between \p Min and \p Max; returns its index.
  uint32_t add(Int Min, Int Max);
  Range &operator[](uint32_t Unknown) { return All[Unknown]; }
  const Range &operator[](uint32_t Unknown) const { return All[Unknown]; }

  /// An upper bound of \p F where \p Known holds; Unbounded if none is found.
  /// The search stops once the bound is at most \p Enough.
  Int maxOf(const AffineExpr &F, Facts Known, Int Enough = -Unbounded);
  /// A lower bound of \p F; -Unbounded if none is found.
  Int minOf(const AffineExpr &F, Facts Known, Int Enough = Unbounded);

  /// The same bounds by the ranges of the unknowns alone.
  Int maxByRanges(const AffineExpr &F) const;
  Int minByRanges(const AffineExpr &F) const;

  /// Search steps that remain.
  int Budget = 20000;
  /// Facts that may still be visited. Large kernels have thousands, and each
  /// query visits those of its place.
  int64_t FactBudget = 20'000;

private:
  Int maxNow(const AffineExpr &F) const;
  Int maxOfWhole(const AffineExpr &F, Int Enough);
  Int searchBoth(const AffineExpr &F, Int Enough);
  Int descend(const AffineExpr &F, Int Enough);
  Int search(const AffineExpr &F, Int Enough, int Depth);

  void choose(const AffineExpr &F, Facts Known);
  void narrow();
  const Range &now(uint32_t Unknown) const {
    const Mark &M = Marks[Unknown];
    return M.Narrowed == Asked ? M.Now : All[Unknown];
  }
  Range &narrowed(uint32_t Unknown);

  std::vector<Range> All;
  // State of the current query:
  std::vector<const AffineExpr *> Useful; ///< not negative
  std::vector<const Fact *> Left; ///< of sets without an index: not used yet
  std::vector<uint32_t> Work;     ///< unknowns still to visit
  /// By unknown. Reached: a useful fact contains it. Narrowed: Now holds its
  /// range, tightened by facts about it alone. Each is valid if it equals
  /// Asked.
  struct Mark {
    uint32_t Reached = 0, Narrowed = 0;
    Range Now = {};
  };
  std::vector<Mark> Marks;
  uint32_t Asked = 0;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_AFFINE_H
