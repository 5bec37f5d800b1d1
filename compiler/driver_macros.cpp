//===- compiler/driver_macros.cpp - what a driver may preprocess differently =//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver_macros.h"

#include "compiler/frontend.h"

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
/// itself (compiler/dialect).
static const char *const SameEverywhere[] = {
    "__OPENCL_VERSION__",
    "__OPENCL_C_VERSION__",
    "__OPENCL_CPP_VERSION__",
    "__ENDIAN_LITTLE__",
    "__IMAGE_SUPPORT__",
    "__EMBEDDED_PROFILE__",
    "__FAST_RELAXED_MATH__",
    "__kernel_exec",
    "__FILE__",
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
/// runtime define the macros of those that their devices list, and no other.
static bool isOfLanguage(StringRef Name) {
  static const char *const KnownToClang[] = {
#define OPENCLEXTNAME(Ext) #Ext,
#include "clang/Basic/OpenCLExtensions.def"
  };
  return is_contained(KnownToClang, Name) || Name.starts_with("CL_VERSION_");
}

/// True if a compiler may predefine \p Name: it is reserved for that, or known
/// to be done so.
static bool mayBePredefined(StringRef Name) {
  if (Name.starts_with("__") ||
      (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1])))
    return true;
  return Name.starts_with("POCL") || Name.starts_with("FP_FAST_") ||
         Name == "linux" || Name == "unix" || Name == "i386";
}

namespace {

class DriverMacros : public clang::PPCallbacks {
public:
  DriverMacros(clang::Preprocessor &PP, StringRef OwnFolder,
               std::vector<std::string> &Found)
      : PP(PP), Sources(PP.getSourceManager()), OwnFolder(OwnFolder),
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
  /// application's own name.
  void MacroDefined(const clang::Token &Name,
                    const clang::MacroDirective *) override {
    if (isOfApplication(Name.getLocation()))
      Asked.erase(Name.getIdentifierInfo()->getName().str());
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
           !Sources.getFilename(At).starts_with(OwnFolder);
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
      const bool OfCompiler = Known->isBuiltinMacro() ||
                              Sources.isWrittenInBuiltinFile(Where) ||
                              (Sources.isWrittenInCommandLineFile(Where) &&
                               Name.starts_with("cl_"));
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
  const std::string OwnFolder;
  std::vector<std::string> &Found;
  MapVector<std::string, std::string, std::map<std::string, unsigned>>
      Asked; ///< where first
};

} // namespace

std::unique_ptr<clang::PPCallbacks>
warpsan::watchDriverMacros(clang::Preprocessor &PP, StringRef OwnFolder,
                           std::vector<std::string> &Found) {
  return std::make_unique<DriverMacros>(PP, OwnFolder, Found);
}
