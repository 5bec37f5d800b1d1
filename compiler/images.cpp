//===- compiler/images.cpp - coordinates against an image's size ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/images.h"

#include "compiler/mangling.h"

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

std::optional<Texel> warpsan::texelOf(const Access &A, IRBuilderBase &Build) {
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
  if ((Vector ? Vector->getNumElements() : 1) < Parts)
    return std::nullopt;

  Value *Size = sizeOf(A.Image, Parts, Shape != Dim::Buffer, Build);
  Type *I64 = Build.getInt64Ty();
  Texel Result{Build.getFalse(), ConstantInt::get(I64, 0),
               ConstantInt::get(I64, 0)};
  constexpr uint64_t Mask = (1u << PackedBits) - 1;
  for (unsigned I = 0; I < Parts; ++I) {
    Value *At =
        Vector ? Build.CreateExtractElement(A.Coordinate, I) : A.Coordinate;
    At = Build.CreateZExtOrTrunc(At, Build.getInt32Ty());
    Value *Limit = Parts > 1 ? Build.CreateExtractElement(Size, I) : Size;
    Result.Outside =
        Build.CreateOr(Result.Outside, Build.CreateICmpUGE(At, Limit));
    auto Pack = [&](Value *Into, Value *Part) {
      Value *Low = Build.CreateAnd(Build.CreateZExt(Part, I64),
                                   ConstantInt::get(I64, Mask));
      return Build.CreateOr(Into, Build.CreateShl(Low, PackedBits * I));
    };
    Result.Coordinates = Pack(Result.Coordinates, heldTo(At, Build));
    Result.Sizes = Pack(Result.Sizes, Limit);
  }
  return Result;
}
