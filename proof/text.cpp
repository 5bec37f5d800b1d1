//===- proof/text.cpp - proof expressions as text -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/text.h"

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace warpsan;
using Op = Node::Op;

namespace {
constexpr int MaxDepth = 24;
/// Precedences, the lowest first.
enum { Or = 1, Shift, Sum, Product };

class Writer {
public:
  Writer(const Claims &Kernel, const std::vector<std::string> &ArgNames)
      : Kernel(Kernel), ArgNames(ArgNames) {}

  std::string node(uint32_t Index, int Above = 0, int Depth = 0) const;
  std::string condition(const Condition &C) const;

private:
  std::string leaf(const Node &N) const;
  std::string counter(const Node &N, int Above, int Depth) const;
  std::optional<uint64_t> smallConstant(uint32_t Index, int Depth = 0) const;
  std::string nameOfArg(uint32_t Index) const;

  const Claims &Kernel;
  const std::vector<std::string> &ArgNames;
};
} // namespace

std::string Writer::nameOfArg(uint32_t Index) const {
  return Index < ArgNames.size() && !ArgNames[Index].empty()
             ? ArgNames[Index]
             : "argument " + std::to_string(Index);
}

std::string Writer::leaf(const Node &N) const {
  switch (N.Opcode) {
  case Op::constant:
    return std::to_string(N.Value);
  case Op::argument:
    return nameOfArg(N.A) +
           (N.B ? "[byte " + std::to_string(N.B) + "]" : std::string());
  case Op::loaded: {
    const Content &From = Kernel.Contents[N.A];
    const bool Whole = From.Stride == From.Bytes;
    return nameOfArg(From.Arg) +
           (Whole ? "[...]" : "[... byte " + std::to_string(From.First) + "]");
  }
  case Op::opaque:
  case Op::poison:
    return "?";
  default:
    return "get_" + std::string(nameOf(N.Opcode)) + "(" + std::to_string(N.A) +
           ")";
  }
}

/// The value of a constant, or of a sum or product of constants, if it and they
/// are so small that none of them wraps.
std::optional<uint64_t> Writer::smallConstant(uint32_t Index, int Depth) const {
  constexpr int MaxSums = 4;
  const Node &N = Kernel.Nodes[Index];
  const uint64_t Small = uint64_t(1) << std::clamp(N.Width - 1, 0, 15);
  std::optional<uint64_t> Value;
  if (N.Opcode == Op::constant)
    Value = static_cast<uint64_t>(N.Value);
  else if (Depth < MaxSums && (N.Opcode == Op::add || N.Opcode == Op::mul)) {
    const std::optional<uint64_t> A = smallConstant(N.A, Depth + 1);
    const std::optional<uint64_t> B =
        A ? smallConstant(N.B, Depth + 1) : std::nullopt;
    if (B)
      Value = N.Opcode == Op::add ? *A + *B : *A * *B;
  }
  return Value && *Value < Small ? Value : std::nullopt;
}

/// "start + step * iteration0", without a start of 0 and a step of 1.
std::string Writer::counter(const Node &N, int Above, int Depth) const {
  const bool HasStart = smallConstant(N.A) != 0U;
  const bool HasStep = smallConstant(N.B) != 1U;
  std::string Text = HasStart ? node(N.A, Sum, Depth + 1) + " + " : "";
  if (HasStep)
    Text += node(N.B, Product, Depth + 1) + " * ";
  Text += "iteration" + std::to_string(N.Value);
  const bool Encloses =
      (HasStart && Sum < Above) || (!HasStart && HasStep && Product < Above);
  return Encloses ? "(" + Text + ")" : Text;
}

/// \p Above: the precedence of the enclosing operator.
std::string Writer::node(uint32_t Index, int Above, int Depth) const {
  if (Depth > MaxDepth)
    return "...";
  const Node &N = Kernel.Nodes[Index];
  if (const std::optional<uint64_t> Value = smallConstant(Index))
    return std::to_string(*Value);
  auto Two = [&](const char *Between, int Binds) {
    std::string Text =
        node(N.A, Binds, Depth + 1) + Between + node(N.B, Binds + 1, Depth + 1);
    return Binds < Above ? "(" + Text + ")" : Text;
  };
  auto Call = [&](const char *Name) {
    return std::string(Name) + "(" + node(N.A, 0, Depth + 1) + ", " +
           node(N.B, 0, Depth + 1) + ")";
  };
  auto Is = [&](uint32_t Operand, uint64_t Value) {
    return smallConstant(Operand) == Value;
  };
  switch (N.Opcode) {
  case Op::add:
    if (Is(N.A, 0) || Is(N.B, 0))
      return node(Is(N.A, 0) ? N.B : N.A, Above, Depth + 1);
    return Two(" + ", Sum);
  case Op::sub:
    return Is(N.B, 0) ? node(N.A, Above, Depth + 1) : Two(" - ", Sum);
  case Op::mul:
    if (Is(N.A, 1) || Is(N.B, 1))
      return node(Is(N.A, 1) ? N.B : N.A, Above, Depth + 1);
    return Two(" * ", Product);
  case Op::udiv:
  case Op::sdiv:
    return Two(" / ", Product);
  case Op::urem:
  case Op::srem:
    return Two(" % ", Product);
  case Op::shl:
    return Two(" << ", Shift);
  case Op::lshr:
  case Op::ashr:
    return Two(" >> ", Shift);
  case Op::bit_and:
    return Two(" & ", Or);
  case Op::bit_or:
    return Two(" | ", Or);
  case Op::bit_xor:
    return Two(" ^ ", Or);
  case Op::umin:
  case Op::smin:
    return Call("min");
  case Op::umax:
  case Op::smax:
    return Call("max");
  case Op::phi:
  case Op::select:
    return Call("either");
  case Op::zext:
  case Op::sext:
  case Op::trunc:
  case Op::freeze:
    return node(N.A, Above, Depth + 1);
  case Op::mixed:
    return "?";
  case Op::counter:
    return counter(N, Above, Depth);
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided: {
    std::string Text = node(N.A, Product, Depth + 1) +
                       (N.Opcode == Op::multiplied ? " * " : " / ") +
                       node(N.B, Product + 1, Depth + 1) + "^iteration" +
                       std::to_string(N.Value);
    return Product < Above ? "(" + Text + ")" : Text;
  }
  default:
    return leaf(N);
  }
}

std::string Writer::condition(const Condition &C) const {
  using Predicate = Condition::Predicate;
  const char *Between = C.Pred == Predicate::Equal      ? " == "
                        : C.Pred == Predicate::NotEqual ? " != "
                        : C.Pred == Predicate::SLT || C.Pred == Predicate::ULT
                            ? " < "
                            : " <= ";
  return node(C.A) + Between + node(C.B);
}

std::string warpsan::conditionText(const Claims &Kernel, const Condition &C,
                                   const std::vector<std::string> &ArgNames) {
  return Writer(Kernel, ArgNames).condition(C);
}

std::string warpsan::nodeText(const Claims &Kernel, uint32_t Node,
                              const std::vector<std::string> &ArgNames) {
  return Writer(Kernel, ArgNames).node(Node);
}
