//===- compiler/emit/mul_adds.cpp - a * b + c, rounded as the driver does -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/emit/mul_adds.h"

#include "compiler/target/target.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <map>
#include <utility>

using namespace llvm;
using namespace warpsan;

namespace {

/// Decides which products of one function stay with their sums.
class Products {
public:
  Products(Function &F, const Target &T)
      : T(T), Dominators(F), Loops(Dominators) {}

  void add(Value *A, Value *B) { ++Uses[keyOf(A, B)]; }
  bool staysWithSum(CallInst &MulAdd) {
    Value *A = MulAdd.getArgOperand(0), *B = MulAdd.getArgOperand(1);
    return Uses[keyOf(A, B)] == 1 && (varies(A, MulAdd) || varies(B, MulAdd));
  }

private:
  using Key = std::pair<Value *, Value *>;

  static Value *withoutSign(Value *V) {
    auto *Negated = dyn_cast<UnaryOperator>(V);
    return Negated && Negated->getOpcode() == Instruction::FNeg
               ? Negated->getOperand(0)
               : V;
  }
  static Key keyOf(Value *A, Value *B) {
    Key Pair(withoutSign(A), withoutSign(B));
    if (Pair.second < Pair.first)
      std::swap(Pair.first, Pair.second);
    return Pair;
  }
  bool varies(Value *V, const CallInst &At);

  const Target &T;
  DominatorTree Dominators;
  LoopInfo Loops;
  std::map<Key, unsigned> Uses;
};

} // namespace

/// True if \p V is another one in each iteration of the innermost loop around
/// \p At, which may be the driver's over work-items: then no product of it
/// leaves that loop.
bool Products::varies(Value *V, const CallInst &At) {
  constexpr unsigned MaxValues = 64;
  const llvm::Loop *In = Loops.getLoopFor(At.getParent());
  SmallSetVector<Value *, 16> Work;
  Work.insert(V);
  for (unsigned I = 0; I < Work.size() && I < MaxValues; ++I) {
    auto *From = dyn_cast<Instruction>(Work[I]);
    if (!From)
      continue;
    if (In && isa<PHINode>(From) && From->getParent() == In->getHeader())
      return true;
    if (auto *Call = dyn_cast<CallBase>(From); Call && !In)
      if (const Function *Callee = Call->getCalledFunction()) {
        const StringRef Name = T.builtinName(*Callee);
        if (Name == openclName(WorkItemQuery::GlobalInvocationId) ||
            Name == openclName(WorkItemQuery::LocalInvocationId))
          return true;
      }
    Work.insert(From->op_begin(), From->op_end());
  }
  return false;
}

static bool isMulAdd(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::fmuladd &&
         (Call->getType()->getScalarType()->isFloatTy() ||
          Call->getType()->getScalarType()->isDoubleTy());
}

static void fuse(CallInst &MulAdd, bool Contract) {
  IRBuilder<> Build(&MulAdd);
  Build.setFastMathFlags(MulAdd.getFastMathFlags());
  Value *A = MulAdd.getArgOperand(0), *B = MulAdd.getArgOperand(1),
        *C = MulAdd.getArgOperand(2), *Result = nullptr;
  if (Contract) {
    FastMathFlags Flags = MulAdd.getFastMathFlags();
    Flags.setAllowContract();
    Build.setFastMathFlags(Flags);
    Result = Build.CreateFAdd(Build.CreateFMul(A, B), C);
  } else {
    Result = Build.CreateIntrinsic(MulAdd.getType(), Intrinsic::fma, {A, B, C});
  }
  MulAdd.replaceAllUsesWith(Result);
  MulAdd.eraseFromParent();
}

void warpsan::fuseMulAdds(Module &Program, bool CanContract, const Target &T) {
  for (Function &F : Program) {
    SmallVector<CallInst *, 16> MulAdds;
    if (F.isDeclaration())
      continue;
    Products Known(F, T);
    for (Instruction &I : instructions(F))
      if (isMulAdd(I)) {
        MulAdds.push_back(cast<CallInst>(&I));
        Known.add(I.getOperand(0), I.getOperand(1));
      } else if (I.getOpcode() == Instruction::FMul) {
        Known.add(I.getOperand(0), I.getOperand(1));
      }
    SmallVector<bool, 16> Contract;
    for (CallInst *Each : MulAdds)
      Contract.push_back(CanContract && Known.staysWithSum(*Each));
    for (auto [Each, Marked] : zip(MulAdds, Contract))
      fuse(*Each, Marked);
  }
}
