//===- test/robustness/fuzz_targets/spirv.cpp - SPIR-V into warpsan-clc ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random bytes come no further than the reader, so the words of valid modules
// are changed as words: mostly an operand for another of its type, since what
// is plainly invalid comes no further than the translator's assertions.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/fuzz_targets/compile_apart.h"
#include "test/robustness/fuzz_targets/demand.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

using namespace warpsan;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t Most);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t Most, unsigned Seed);

/// The last byte, which is in no word, chooses device and variant.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const uint8_t Choice = Size % 4 ? Data[Size - 1] : 0;
  Job Request;
  fuzz::choose(Request, Choice);
  Unit &Module = Request.Recipe.Units.emplace_back();
  Module.Lang = Unit::Language::SPIRV;
  Module.Text = fuzz::textOf(Data, Size / 4 * 4);
  fuzz::compileApart(Request, Data, Size);
  return 0;
}

namespace {

/// Where in an instruction the type and the id of its result are; 0: it has
/// none.
struct Shape {
  size_t Type = 0, Result = 0;
  size_t operands() const { return 1 + (Type != 0) + (Result != 0); }
};

bool isIn(uint32_t Opcode, uint32_t First, uint32_t Last) {
  return Opcode >= First && Opcode <= Last;
}

/// Near enough: a wrong guess is another change.
Shape shapeOf(const std::vector<uint32_t> &Instruction) {
  const uint32_t Opcode = Instruction[0] & 0xffff;
  Shape S = {1, 2};
  const bool NameOrMode = isIn(Opcode, 0, 10) || isIn(Opcode, 14, 17);
  const bool Memory = Opcode == 56 || isIn(Opcode, 62, 64);
  const bool Decoration = isIn(Opcode, 71, 76) || isIn(Opcode, 317, 320);
  const bool Barrier = Opcode == 224 || Opcode == 225 || Opcode == 228;
  const bool Branch = isIn(Opcode, 246, 257) && Opcode != 248;
  if (Opcode == 7 || Opcode == 11 || Opcode == 248 || isIn(Opcode, 19, 38))
    S = {0, 1}; // a string, a label, a type
  else if (NameOrMode || Memory || Decoration || Barrier || Branch)
    S = {};
  return S.operands() <= Instruction.size() ? S : Shape();
}

/// A module as instructions, each a vector of words.
class Words {
public:
  Words(const uint8_t *Data, size_t Size, unsigned Seed) : Random(Seed) {
    std::vector<uint32_t> All(Size / 4);
    std::memcpy(All.data(), Data, All.size() * 4);
    Header.assign(All.begin(), All.begin() + HeaderWords);
    for (size_t At = HeaderWords; At < All.size();) {
      const size_t Length =
          std::clamp<size_t>(All[At] >> 16, 1, All.size() - At);
      Instructions.emplace_back(All.begin() + static_cast<ptrdiff_t>(At),
                                All.begin() +
                                    static_cast<ptrdiff_t>(At + Length));
      At += Length;
    }
    Rest.assign(Data + Size / 4 * 4, Data + Size);
  }

  void change() {
    if (Instructions.empty())
      return;
    const size_t Here = Random() % Instructions.size();
    std::vector<uint32_t> &One = Instructions[Here];
    switch (Random() % 16) {
    default: // an operand for another of its type
      exchange(One);
      break;
    case 8: // any operand for anything
    case 9:
      if (One.size() > 1)
        changeWord(One[1 + Random() % (One.size() - 1)]);
      break;
    case 10: // an opcode that has the same shape, or nearly
      One[0] = (One[0] & 0xffff0000) | ((One[0] + Random() % 7 - 3) & 0xffff);
      break;
    case 11:
      Instructions.erase(at(Here));
      break;
    case 12: // once more, as a value of its own
    case 13: {
      std::vector<uint32_t> Copy = One;
      if (size_t Result = shapeOf(Copy).Result)
        Copy[Result] = Header[Bound]++;
      Instructions.insert(
          at(std::min(Here + 1 + Random() % 3, Instructions.size())),
          std::move(Copy));
      break;
    }
    case 14:
      std::swap(One, Instructions[std::min(Here + 1, Instructions.size() - 1)]);
      break;
    case 15: // longer or shorter
      if (Random() % 2)
        One.push_back(static_cast<uint32_t>(Random() % 64));
      else if (One.size() > 1)
        One.pop_back();
      One[0] = (One[0] & 0xffff) | static_cast<uint32_t>(One.size() << 16);
    }
  }

  size_t write(uint8_t *To, size_t Most) {
    std::vector<uint32_t> All = Header;
    for (const std::vector<uint32_t> &Each : Instructions)
      All.insert(All.end(), Each.begin(), Each.end());
    if (All.size() * 4 + Rest.size() > Most)
      All.resize(Most / 4 - (Rest.empty() ? 0 : 1));
    std::memcpy(To, All.data(), All.size() * 4);
    if (!Rest.empty() && Random() % 8 == 0)
      Rest.back() = static_cast<uint8_t>(Random());
    std::copy(Rest.begin(), Rest.end(), To + All.size() * 4);
    return All.size() * 4 + Rest.size();
  }

  static constexpr size_t HeaderWords = 5;

private:
  static constexpr size_t Bound = 3; ///< in the header: ids are smaller

  std::vector<std::vector<uint32_t>>::iterator at(size_t Index) {
    return Instructions.begin() + static_cast<ptrdiff_t>(Index);
  }

  /// By id, its type; types have none.
  std::map<uint32_t, uint32_t> typesOfIds() const {
    std::map<uint32_t, uint32_t> Types;
    for (const std::vector<uint32_t> &Each : Instructions)
      if (const Shape S = shapeOf(Each); S.Result)
        Types[Each[S.Result]] = S.Type ? Each[S.Type] : 0;
    return Types;
  }

  void exchange(std::vector<uint32_t> &One) {
    const size_t First = shapeOf(One).operands();
    if (One.size() <= First)
      return;
    uint32_t &Word = One[First + Random() % (One.size() - First)];
    const std::map<uint32_t, uint32_t> Types = typesOfIds();
    const auto Known = Types.find(Word);
    if (Known == Types.end() || Random() % 8 == 0)
      return changeWord(Word);
    std::vector<uint32_t> Others;
    for (const auto &[Id, Type] : Types)
      if (Type == Known->second)
        Others.push_back(Id);
    Word = Others[Random() % Others.size()];
  }

  void changeWord(uint32_t &Word) {
    switch (Random() % 4) {
    case 0:
      Word = static_cast<uint32_t>(Random()) % (Header[Bound] | 1);
      break;
    case 1:
      Word += static_cast<uint32_t>(Random() % 5) - 2;
      break;
    case 2:
      Word = 1U << Random() % 32;
      break;
    default:
      Word = static_cast<uint32_t>(0 - Random() % 3);
    }
  }

  std::minstd_rand Random;
  std::vector<uint32_t> Header;
  std::vector<std::vector<uint32_t>> Instructions;
  std::vector<uint8_t> Rest;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t Most, unsigned Seed) {
  if (Size < 24 || Most < 24 || Seed % 16 == 0)
    return LLVMFuzzerMutate(Data, Size, Most);
  Words Module(Data, Size, Seed);
  for (unsigned I = 0; I <= Seed / 16 % 3; ++I)
    Module.change();
  return Module.write(Data, Most);
}
