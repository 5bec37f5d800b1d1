//===- compiler/schemes/tagged.h - schemes that tag pointers --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What four papers have in common: a pointer of 64 bits, of which some say what
// it may be used for. The kernel's own pointers stay as they are, so that every
// driver can follow them; the scheme's pointer is a number that travels beside
// each: a *tag*. The layer gives the tags of arguments, as if the scheme's
// allocator had placed them (schemes/); variables are placed here.
//
// A pointer that was in memory has the tag that its root and its offset there
// give: what came of arithmetic before it was stored is found out again.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SCHEMES_TAGGED_H
#define WARPSAN_COMPILER_SCHEMES_TAGGED_H

#include "abi/schemes.h"
#include "compiler/checks/scheme.h"
#include "compiler/claims/claims.h"
#include "compiler/pointers/lifetimes.h"
#include "compiler/pointers/pointer_metadata.h"
#include "compiler/pointers/provenance.h"

#include <optional>

namespace warpsan {

class Tagged : public Scheme, protected PointerMetadata {
public:
  explicit Tagged(const KernelParts &Of);

  void stored(llvm::StoreInst &Store) override { Where.keep(Store); }
  void plan(const Access &A, unsigned Number,
            std::vector<Check> &Checks) override;
  void finish() override { Left.finish(); }
  Failure later(const Check &C, llvm::ArrayRef<llvm::Value *> Kept,
                llvm::IRBuilderBase &Build) override;

protected:
  enum : Field { Tag };

  /// An access of constant size, or an end of one that is not.
  struct Place {
    const Access &Of;
    llvm::Value *Tag; ///< of its first byte
    uint64_t Bytes;
  };

  // What a scheme says.

  /// Whether accesses to this memory are checked at all.
  virtual bool watches(const Root & /*R*/) const { return true; }
  /// Whether isBad looks at what may not be written.
  virtual bool knowsRights() const { return false; }
  /// Of a variable's first byte; asked once for each.
  virtual uint64_t tagOf(const Root &Variable) = 0;
  /// After arithmetic: \p Out is \p In plus something, in memory \p Of.
  virtual llvm::Value *moved(llvm::Value * /*In*/, llvm::Value *Out,
                             Space /*Of*/, llvm::IRBuilderBase & /*Build*/) {
    return Out;
  }
  /// Of a pointer to the start of shared virtual memory that was found by an
  /// address: where it starts, and its bytes and rights (0: it was freed).
  virtual llvm::Value *ofHeap(llvm::Value *Start, llvm::Value *Size,
                              llvm::IRBuilderBase &Build) = 0;
  /// i1: the variable's scope has ended, as far as the scheme notices.
  virtual llvm::Value *isLate(const Place & /*At*/,
                              llvm::IRBuilderBase &Build) {
    return Build.getFalse();
  }
  /// i1: it must not be made.
  virtual llvm::Value *isBad(const Place &At, llvm::IRBuilderBase &Build) = 0;

  /// What is checked before an access of constant size.
  struct Verdict {
    llvm::Value *Bad;   ///< i1
    llvm::Value *Tag;   ///< of the byte that makes it so
    bool Quiet = false; ///< another access tells of it
    /// As Check has them.
    llvm::Value *Suspect = nullptr;
    std::vector<llvm::Instruction *> Asked = {};
  };
  /// For schemes that check several at once. \p Tag: the access's own.
  virtual Verdict judge(const Access &A, unsigned /*Number*/, llvm::Value *Tag,
                        llvm::IRBuilderBase &Build) {
    return {isBad({A, Tag, A.Bytes}, Build), Tag};
  }

  llvm::Value *number(uint64_t N) { return llvm::ConstantInt::get(I64, N); }
  llvm::Type *typeOf(Field Which) override;
  llvm::Value *atOnce(llvm::Value *Pointer, Field Which) override;
  llvm::Value *ofRoot(unsigned Index, Field Which) override;
  llvm::Value *ofMark(llvm::Instruction &, llvm::Value *, Field) override {
    return nullptr;
  }
  llvm::Value *ofAddress(llvm::GEPOperator &Address, Field Which) override;
  llvm::Value *ofInteger(llvm::Operator &Cast, Field Which) override;
  llvm::Value *ofKept(llvm::LoadInst &Load, Field Which) override;
  llvm::Value *ofUnknown(llvm::Value *Pointer, Field Which) override;

  /// i1: the scope of the variable that \p Pointer is to has ended. Constant
  /// where that cannot be.
  llvm::Value *hasEnded(llvm::Value *Pointer, llvm::IRBuilderBase &Build);
  /// True for an argument in local memory.
  bool isLocalArgument(const Root &R) const {
    return R.What == Root::Kind::Argument &&
           T.kindOf(*Kernel.getArg(R.Arg)) == ArgKind::Local;
  }
  /// The root that all pointers of \p A belong to, if it is one.
  const Root *rootOf(const Access &A);
  Space spaceOf(const llvm::Value &Pointer) const {
    return T.spaceOf(Pointer.getType()->getPointerAddressSpace());
  }

  /// Instructions before \p A that are behind \p Last: null, all in its block.
  static std::vector<llvm::Instruction *> madeSince(llvm::Instruction *Last,
                                                    const Access &A);

  /// Appends a check of \p A.
  void tell(const Access &A, unsigned Number, unsigned Test,
            const Verdict &Said, std::vector<Check> &Checks);

  CheckedTwin &Made;
  const DeviceRuntime &Runtime;
  const Target &T;
  Lifetimes Lives;
  Provenance Where; ///< for pointers that come out of memory
  llvm::IntegerType *I64;

private:
  llvm::Value *fromMemory(llvm::Value *Pointer);
  bool isLeft(const Access &A, unsigned Number);
  /// Adds to \p Tells what follows from its root and from the tag \p At.
  void addPlace(Failure &Tells, llvm::Value *At, llvm::IRBuilderBase &Build);

  LaunchClaims Left;
  llvm::DenseMap<unsigned, uint64_t> Placed; ///< variables' tags, by root
};

/// Where a scheme puts one kind of memory: each variable behind the other, as
/// the scheme rounds and aligns them.
class Layout {
public:
  explicit Layout(uint64_t From) : Next(From) {}
  uint64_t place(uint64_t Bytes, uint64_t Align) {
    Next = (Next + Align - 1) & ~(Align - 1);
    const uint64_t At = Next;
    Next += Bytes;
    return At;
  }

private:
  uint64_t Next;
};

/// One for each kind that variables are in.
class Layouts {
public:
  Layout &of(const Root &Variable) {
    return Variable.What == Root::Kind::Private ? Private
           : Variable.What == Root::Kind::Local ? Local
                                                : Program;
  }

private:
  Layout Private{WS_PRIVATE_BASE}, Local{WS_LOCAL_BASE},
      Program{WS_PROGRAM_BASE};
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_SCHEMES_TAGGED_H
