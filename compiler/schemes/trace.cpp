//===- compiler/schemes/trace.cpp - traces of what would be checked -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No check, but a call before each access and behind all pointer arithmetic:
// what units in hardware would see (bench/schemes --hardware).
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"

#include "abi/schemes.h"

using namespace llvm;
using namespace warpsan;

namespace {

class Trace : public Tagged {
public:
  explicit Trace(const KernelParts &Of) : Tagged(Of) {
    // The work-item's number: all of them are counted along the first
    // dimension first.
    Builder Build(Start);
    Item = number(0);
    for (unsigned D : {2, 1, 0})
      Item = Build.CreateAdd(
          Build.CreateMul(Item,
                          askWorkItem(WorkItemQuery::GlobalSize, D, Build, T)),
          askWorkItem(WorkItemQuery::GlobalInvocationId, D, Build, T));
  }

  void plan(const Access &A, unsigned Number,
            std::vector<Check> &Checks) override {
    Tagged::plan(A, Number, Checks);
    Made.Sites[Number].Is = Site::State::Untraced; // and not proven
  }

private:
  void note(uint64_t What, uint64_t Bytes, Value *Tag, IRBuilderBase &Build) {
    CallInst *Call = Build.CreateCall(
        Runtime.Trace,
        {Made.hidden(HiddenArg::Kind::Table), Made.hidden(HiddenArg::Kind::Key),
         Item, number(What | std::min<uint64_t>(Bytes, 255) << 8), Tag});
    Call->setCallingConv(Runtime.Trace->getCallingConv());
  }

  uint64_t tagOf(const Root &Variable) override {
    return Places.of(Variable).place(Variable.Size, 16);
  }
  Value *moved(Value *, Value *Out, Space, IRBuilderBase &Build) override {
    note(WS_TRACE_MOVE, 0, Out, Build);
    return Out;
  }
  Value *ofHeap(Value *Start, Value *, IRBuilderBase &Build) override {
    return Build.CreateAnd(Start, (uint64_t(1) << 48) - 1);
  }
  Value *isBad(const Place &At, IRBuilderBase &Build) override {
    note(At.Of.Writes ? WS_TRACE_WRITE : WS_TRACE_READ, At.Bytes, At.Tag,
         Build);
    return Build.getFalse();
  }

  Value *Item;
  Layouts Places;
};

} // namespace

std::unique_ptr<Scheme> warpsan::makeTrace(const KernelParts &Of) {
  return std::make_unique<Trace>(Of);
}
