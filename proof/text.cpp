//===- proof/text.cpp - a kernel's arithmetic as people write it ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/text.h"

using namespace warpsan;
using Op = Node::Op;

namespace {
class Writer {
public:
  Writer(const Claims &Of, const std::vector<std::string> &ArgNames)
      : Of(Of), ArgNames(ArgNames) {}

  std::string node(uint32_t Index, int Above = 0, int Depth = 0) const;
  std::string condition(const Condition &C) const;

private:
  std::string leaf(const Node &N) const;
  std::string nameOfArg(uint32_t Index) const;

  const Claims &Of;
  const std::vector<std::string> &ArgNames;
};
} // namespace

std::string Writer::nameOfArg(uint32_t Index) const {
  return Index < ArgNames.size() && !ArgNames[Index].empty()
             ? ArgNames[Index]
             : "argument " + std::to_string(Index);
}

std::string Writer::leaf(const Node &N) const {
  switch (N.What) {
  case Op::constant:
    return std::to_string(N.Value);
  case Op::argument:
    return nameOfArg(N.A) +
           (N.B ? "[byte " + std::to_string(N.B) + "]" : std::string());
  case Op::loaded: {
    const Content &From = Of.Contents[N.A];
    const bool Whole = From.Stride == From.Bytes;
    return nameOfArg(From.Arg) +
           (Whole ? "[...]" : "[... byte " + std::to_string(From.First) + "]");
  }
  case Op::opaque:
  case Op::poison:
    return "?";
  default:
    return "get_" + std::string(nameOf(N.What)) + "(" + std::to_string(N.A) +
           ")";
  }
}

/// \p Above: how strongly the operator outside binds.
std::string Writer::node(uint32_t Index, int Above, int Depth) const {
  constexpr int Deepest = 24;
  if (Depth > Deepest)
    return "...";
  const Node &N = Of.Nodes[Index];
  auto Two = [&](const char *Between, int Binds) {
    std::string Text =
        node(N.A, Binds, Depth + 1) + Between + node(N.B, Binds + 1, Depth + 1);
    return Binds < Above ? "(" + Text + ")" : Text;
  };
  auto Call = [&](const char *Name) {
    return std::string(Name) + "(" + node(N.A, 0, Depth + 1) + ", " +
           node(N.B, 0, Depth + 1) + ")";
  };
  enum { Or = 1, Shift, Sum, Product };
  switch (N.What) {
  case Op::add:
    return Two(" + ", Sum);
  case Op::sub:
    return Two(" - ", Sum);
  case Op::mul:
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
  case Op::join:
  case Op::choice:
    return Call("either");
  case Op::zext:
  case Op::sext:
  case Op::trunc:
  case Op::freeze:
    return node(N.A, Above, Depth + 1);
  case Op::mixed:
    return "?";
  case Op::counter: {
    std::string Text = node(N.A, Sum, Depth + 1) + " + " +
                       node(N.B, Product, Depth + 1) + " * round" +
                       std::to_string(N.Value);
    return Sum < Above ? "(" + Text + ")" : Text;
  }
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided: {
    std::string Text = node(N.A, Product, Depth + 1) +
                       (N.What == Op::multiplied ? " * " : " / ") +
                       node(N.B, Product + 1, Depth + 1) + "^round" +
                       std::to_string(N.Value);
    return Product < Above ? "(" + Text + ")" : Text;
  }
  default:
    return leaf(N);
  }
}

std::string Writer::condition(const Condition &C) const {
  using Kind = Condition::Kind;
  const char *Between = C.What == Kind::Equal      ? " == "
                        : C.What == Kind::NotEqual ? " != "
                        : C.What == Kind::SLess || C.What == Kind::ULess
                            ? " < "
                            : " <= ";
  return node(C.A) + Between + node(C.B);
}

std::string warpsan::conditionText(const Claims &Of, const Condition &C,
                                   const std::vector<std::string> &ArgNames) {
  return Writer(Of, ArgNames).condition(C);
}

std::string warpsan::nodeText(const Claims &Of, uint32_t Node,
                              const std::vector<std::string> &ArgNames) {
  return Writer(Of, ArgNames).node(Node);
}
