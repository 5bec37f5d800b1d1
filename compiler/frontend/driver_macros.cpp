//===- compiler/frontend/driver_macros.cpp - what a driver may preprocess
// differently ------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/driver_macros.h"

#include "compiler/frontend/dialect.h"
#include "compiler/frontend/frontend.h"
#include "compiler/target/clang_headers.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;
using namespace warpsan;

/// The same for every compiler of OpenCL C, or made of what the device says of
/// itself (compiler/frontend/dialect).
static const char *const SameEverywhere[] = {
    "__OPENCL_VERSION__",
    "__OPENCL_C_VERSION__",
    "__OPENCL_CPP_VERSION__",
    "__ENDIAN_LITTLE__",
    "__IMAGE_SUPPORT__",
    "__EMBEDDED_PROFILE__",
    "__FAST_RELAXED_MATH__",
    "__kernel_exec",
    "__LINE__",
    "__STDC__",
    "__STDC_VERSION__",
    // Of other languages: no compiler of OpenCL C has them.
    "__cplusplus",
    "__CUDACC__",
    "__HIPCC__",
    "__METAL_VERSION__",
};

/// Extensions and features that are part of OpenCL C. PoCL, rusticl and Intel's
/// runtime define the macros of those that their devices list, and no other;
/// rusticl also those of the embedded profile.
static bool isOfLanguage(StringRef Name) {
  if (Name.starts_with("cles_"))
    return false;
  return isKnownToClang(Name) || Name.starts_with("CL_VERSION_");
}

/// True if OpenCL C has a function \p Name.
static bool isFunction(StringRef Name) {
  if (Name.empty() || any_of(Name, [](char C) { return isUpper(C); }))
    return false;
  StringRef Header = openclFullHeader();
  for (size_t At = Header.find(Name); At != StringRef::npos;
       At = Header.find(Name, At + Name.size())) {
    const char Before = At ? Header[At - 1] : ' ';
    if (Before != '_' && !isAlnum(Before) &&
        Header.drop_front(At + Name.size()).starts_with("("))
      return true;
  }
  return false;
}

/// Of clang's headers, but not of PoCL's.
static bool isMissingInDrivers(StringRef Name) {
  return Name == "CLK_UNSIGNED_INT_RAW10_EXT" ||
         Name == "CLK_UNSIGNED_INT_RAW12_EXT";
}

/// Names that are not reserved, but defined by PoCL's, rusticl's or Intel's
/// runtime. PoCL's functions are macros.
static bool isOfDrivers(StringRef Name) {
  static const char *const Macros[] = {
      "CLANG_HAS_RW_IMAGES",
      "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE",
      "IMG_RO_AQ",
      "IMG_RW_AQ",
      "IMG_WO_AQ",
      "INTTYPE",
      "fmax_common",
      "fmin_common",
      "inline",
  };
  static const char *const Prefixes[] = {
      "LLVM_", "POCL", "cl_khr_", "cles_", "convert_", "vload", "vstore"};
  return is_contained(Macros, Name) ||
         any_of(Prefixes,
                [&](const char *Start) { return Name.starts_with(Start); }) ||
         isFunction(Name);
}

/// True if a compiler may predefine \p Name: it is reserved for that, or known
/// to be done so.
static bool mayBePredefined(StringRef Name) {
  if (Name.starts_with("__") ||
      (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1])))
    return true;
  return Name.starts_with("FP_FAST_") || Name == "linux" || Name == "unix" ||
         Name == "i386" || isOfDrivers(Name);
}

namespace {

class DriverMacros : public clang::PPCallbacks {
public:
  DriverMacros(clang::Preprocessor &PP, StringRef OwnDirectory,
               std::vector<std::string> &Found)
      : PP(PP), Sources(PP.getSourceManager()), OwnDirectory(OwnDirectory),
        Found(Found) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange, const clang::MacroArgs *) override {
    use(Name, MD.getMacroInfo());
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &MD,
               clang::SourceRange) override {
    use(Name, MD.getMacroInfo());
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &MD) override {
    use(Name, MD.getMacroInfo());
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &MD) override {
    use(Name, MD.getMacroInfo());
  }
  void Elifdef(clang::SourceLocation, const clang::Token &Name,
               const clang::MacroDefinition &MD) override {
    use(Name, MD.getMacroInfo());
  }
  void Elifndef(clang::SourceLocation, const clang::Token &Name,
                const clang::MacroDefinition &MD) override {
    use(Name, MD.getMacroInfo());
  }
  void If(clang::SourceLocation, clang::SourceRange Condition,
          ConditionValueKind) override {
    useUndefinedIn(Condition);
  }
  void Elif(clang::SourceLocation, clang::SourceRange Condition,
            ConditionValueKind Value, clang::SourceLocation) override {
    if (Value != CVK_NotEvaluated)
      useUndefinedIn(Condition);
  }
  void HasInclude(clang::SourceLocation At, StringRef, bool,
                  clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    add("__has_include", At);
  }
  /// `#ifndef X`, `#define X`: a header guard, or a default. It is the
  /// application's own name, unless drivers are known to define it.
  void MacroDefined(const clang::Token &Token,
                    const clang::MacroDirective *) override {
    const std::string Name = Token.getIdentifierInfo()->getName().str();
    if (Asked.contains(Name) && isOfApplication(Token.getLocation()) &&
        !isOfDrivers(Name))
      Asked.erase(Name);
  }
  void EndOfMainFile() override {
    for (const auto &[Name, At] : Asked)
      Found.push_back(Name + " at " + At);
  }

private:
  /// True for source and headers of the program, and for its build options.
  bool isOfApplication(clang::SourceLocation At) const {
    At = Sources.getSpellingLoc(At);
    return At.isValid() && !Sources.isWrittenInBuiltinFile(At) &&
           !Sources.getFilename(At).starts_with(OwnDirectory);
  }

  void add(StringRef Name, clang::SourceLocation At) {
    if (!isOfApplication(At))
      return;
    const clang::PresumedLoc Place = Sources.getPresumedLoc(At);
    StringRef File = Place.isValid() ? Place.getFilename() : "";
    File.consume_front(VirtualRoot);
    Asked.insert({Name.str(), (File + ":" + Twine(Place.getLine())).str()});
  }

  void use(const clang::Token &Token, const clang::MacroInfo *Known) {
    const clang::IdentifierInfo *Id = Token.getIdentifierInfo();
    if (!Id)
      return;
    StringRef Name = Id->getName();
    if (is_contained(SameEverywhere, Name) || isOfLanguage(Name))
      return;
    if (Known) {
      // Macros of ours that clang does not know as part of the language are
      // extensions of the API. Some drivers' compilers define those, too.
      const clang::SourceLocation Where = Known->getDefinitionLoc();
      const bool OfCompiler =
          Known->isBuiltinMacro() || Sources.isWrittenInBuiltinFile(Where) ||
          (Sources.isWrittenInCommandLineFile(Where) &&
           (Name.starts_with("cl_") || Name.starts_with("cles_"))) ||
          (!isOfApplication(Where) && isMissingInDrivers(Name));
      if (!OfCompiler)
        return;
    } else if (!mayBePredefined(Name)) {
      return;
    }
    add(Name, Token.getLocation());
  }

  /// Names in a condition that nobody has defined stand for 0.
  void useUndefinedIn(clang::SourceRange Condition) {
    const clang::LangOptions &Language = PP.getLangOpts();
    bool Invalid = false;
    StringRef Text = clang::Lexer::getSourceText(
        clang::CharSourceRange::getTokenRange(Condition), Sources, Language,
        &Invalid);
    if (Invalid)
      return;
    for (const char *At = Text.begin(); At != Text.end();) {
      if (!isAlpha(*At) && *At != '_') {
        // 0x1u is no name
        const bool Number = isDigit(*At);
        ++At;
        while (Number && At != Text.end() && (isAlnum(*At) || *At == '_'))
          ++At;
        continue;
      }
      const char *End = At;
      while (End != Text.end() && (isAlnum(*End) || *End == '_'))
        ++End;
      StringRef Name(At, End - At);
      At = End;
      if (Name != "defined" && !PP.getMacroInfo(PP.getIdentifierInfo(Name)) &&
          !is_contained(SameEverywhere, Name) && !isOfLanguage(Name) &&
          mayBePredefined(Name))
        add(Name, Condition.getBegin());
    }
  }

  clang::Preprocessor &PP;
  const clang::SourceManager &Sources;
  const std::string OwnDirectory;
  std::vector<std::string> &Found;
  MapVector<std::string, std::string, std::map<std::string, unsigned>>
      Asked; ///< where first
};

} // namespace

std::unique_ptr<clang::PPCallbacks>
warpsan::watchDriverMacros(clang::Preprocessor &PP, StringRef OwnDirectory,
                           std::vector<std::string> &Found) {
  return std::make_unique<DriverMacros>(PP, OwnDirectory, Found);
}
