//===- compiler/checks/images.cpp - coordinates against an image's size ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/images.h"

#include "abi/sampler.h"
#include "compiler/target/mangling.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

/// SPIR-V's Dim.
enum class Dim { One = 0, Two = 1, Three = 2, Buffer = 5 };

/// SPIR-V's question for an image's size, as the translator knows it. Sizes are
/// a number, or a vector of them.
static Value *sizeOf(Value *Image, unsigned Parts, bool HasLevels,
                     IRBuilderBase &Build) {
  Module &M = *Build.GetInsertBlock()->getModule();
  Type *I32 = Build.getInt32Ty();
  Type *Result = Parts == 1 ? I32 : FixedVectorType::get(I32, Parts);
  std::string Name = HasLevels ? "__spirv_ImageQuerySizeLod_Rint"
                               : "__spirv_ImageQuerySize_Rint";
  if (Parts > 1)
    Name += std::to_string(Parts);
  // One declaration for each type of image: the number makes names differ.
  auto *Opaque = cast<TargetExtType>(Image->getType());
  std::string Tag = "image";
  for (unsigned Part : Opaque->int_params())
    Tag += "_" + std::to_string(Part);
  std::string Symbol =
      mangled(Name, std::to_string(Tag.size()) + Tag + (HasLevels ? "i" : ""));
  SmallVector<Type *, 2> Parameters = {Image->getType()};
  SmallVector<Value *, 2> Arguments = {Image};
  if (HasLevels) {
    Parameters.push_back(I32);
    Arguments.push_back(Build.getInt32(0));
  }
  auto *Callee =
      cast<Function>(M.getOrInsertFunction(
                          Symbol, FunctionType::get(Result, Parameters, false))
                         .getCallee());
  Callee->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *Call = Build.CreateCall(Callee, Arguments);
  Call->setCallingConv(CallingConv::SPIR_FUNC);
  return Call;
}

/// abi/record.h packs three coordinates into a word.
static constexpr unsigned PackedBits = 21;

/// The nearest coordinate that a report can carry.
static Value *heldTo(Value *Coordinate, IRBuilderBase &Build) {
  Value *Least = Build.getInt32(-(1 << (PackedBits - 1)));
  Value *Most = Build.getInt32((1 << (PackedBits - 1)) - 1);
  Value *Held = Build.CreateSelect(Build.CreateICmpSLT(Coordinate, Least),
                                   Least, Coordinate);
  return Build.CreateSelect(Build.CreateICmpSGT(Held, Most), Most, Held);
}

namespace {

/// One coordinate, against one extent of the image.
struct Part {
  Value *Outside; ///< i1
  Value *At;      ///< i32: the texel, or the nearest that a report can carry
};

} // namespace

/// The greatest integer that is not greater, as far as a report can carry it.
static Value *floorOf(Value *Real, IRBuilderBase &Build) {
  Type *Of = Real->getType();
  constexpr double Limit = 1 << (PackedBits - 1);
  Value *Least = ConstantFP::get(Of, -Limit);
  Value *Most = ConstantFP::get(Of, Limit - 1);
  // What is no number is the least.
  Value *Held =
      Build.CreateSelect(Build.CreateFCmpOGT(Real, Least), Real, Least);
  Held = Build.CreateSelect(Build.CreateFCmpOLT(Held, Most), Held, Most);
  Value *Whole = Build.CreateFPToSI(Held, Build.getInt32Ty());
  Value *Above = Build.CreateFCmpOGT(Build.CreateSIToFP(Whole, Of), Held);
  return Build.CreateSub(Whole, Build.CreateZExt(Above, Build.getInt32Ty()));
}

/// OpenCL C, 8.2: with CLK_FILTER_NEAREST the texel around the coordinate, with
/// CLK_FILTER_LINEAR the two whose centers are next to it, of which one does
/// not count if the other's center is exactly there.
static Part realPart(Value *Real, Value *Limit, Value *Mode,
                     IRBuilderBase &Build) {
  Type *Of = Real->getType();
  auto Has = [&](uint64_t Bit) {
    return Build.CreateICmpNE(Build.CreateAnd(Mode, Bit), Build.getInt64(0));
  };
  Value *Extent = Build.CreateUIToFP(Limit, Of);
  Value *Linear = Has(WS_SAMPLER_LINEAR);
  Value *Scaled = Build.CreateSelect(Has(WS_SAMPLER_NORMALIZED),
                                     Build.CreateFMul(Real, Extent), Real);
  Value *At = Build.CreateSelect(
      Linear, Build.CreateFSub(Scaled, ConstantFP::get(Of, 0.5)), Scaled);
  Value *Last = Build.CreateFSub(Extent, ConstantFP::get(Of, 1));
  Value *IsBelow = Build.CreateSelect(Linear, Build.CreateFCmpOLE(At, Last),
                                      Build.CreateFCmpOLT(At, Extent));
  Value *IsAbove = Build.CreateFCmpOGE(At, ConstantFP::get(Of, 0));
  Value *Next =
      Build.CreateZExt(Build.CreateAnd(Linear, IsAbove), Build.getInt32Ty());
  return {Build.CreateNot(Build.CreateAnd(IsBelow, IsAbove)),
          Build.CreateAdd(floorOf(At, Build), Next)};
}

std::optional<Texel> warpsan::texelOf(const Access &A, Value *Mode,
                                      IRBuilderBase &Build) {
  auto *Opaque = dyn_cast<TargetExtType>(A.Image->getType());
  if (!Opaque || Opaque->getName() != "spirv.Image" ||
      Opaque->getNumIntParameters() < 4)
    return std::nullopt;
  auto Shape = static_cast<Dim>(Opaque->getIntParameter(0));
  bool Arrayed = Opaque->getIntParameter(2),
       Samples = Opaque->getIntParameter(3);
  unsigned Parts = Shape == Dim::Three ? 3 : Shape == Dim::Two ? 2 : 1;
  if (Samples || (Shape != Dim::One && Shape != Dim::Two &&
                  Shape != Dim::Three && Shape != Dim::Buffer))
    return std::nullopt;
  Parts += Arrayed ? 1 : 0;
  auto *Vector = dyn_cast<FixedVectorType>(A.Coordinate->getType());
  if ((Vector ? Vector->getNumElements() : 1) < Parts ||
      (A.Coordinate->getType()->isFPOrFPVectorTy() && !Mode))
    return std::nullopt;

  Value *Size = sizeOf(A.Image, Parts, Shape != Dim::Buffer, Build);
  Type *I64 = Build.getInt64Ty();
  Texel Result{Build.getFalse(), ConstantInt::get(I64, 0),
               ConstantInt::get(I64, 0)};
  constexpr uint64_t Mask = (1u << PackedBits) - 1;
  // Through a sampler, any number of a layer is that of one.
  const unsigned Checked = Parts - (Mode && Arrayed ? 1 : 0);
  for (unsigned I = 0; I < Parts; ++I) {
    Value *At =
        Vector ? Build.CreateExtractElement(A.Coordinate, I) : A.Coordinate;
    Value *Limit = Parts > 1 ? Build.CreateExtractElement(Size, I) : Size;
    Part Each;
    if (At->getType()->isFloatingPointTy()) {
      Each = I < Checked ? realPart(At, Limit, Mode, Build)
                         : Part{nullptr, floorOf(At, Build)};
    } else {
      At = Build.CreateZExtOrTrunc(At, Build.getInt32Ty());
      Each = {Build.CreateICmpUGE(At, Limit), heldTo(At, Build)};
    }
    if (I < Checked)
      Result.Outside = Build.CreateOr(Result.Outside, Each.Outside);
    auto Pack = [&](Value *Into, Value *Number) {
      Value *Low = Build.CreateAnd(Build.CreateZExt(Number, I64),
                                   ConstantInt::get(I64, Mask));
      return Build.CreateOr(Into, Build.CreateShl(Low, PackedBits * I));
    };
    Result.Coordinates = Pack(Result.Coordinates, Each.At);
    Result.Sizes = Pack(Result.Sizes, Limit);
  }
  if (Mode)
    Result.Outside = Build.CreateAnd(
        Result.Outside,
        Build.CreateICmpULT(Mode, Build.getInt64(WS_SAMPLER_ADDRESSES)));
  return Result;
}
