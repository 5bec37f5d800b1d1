//===- compiler/frontend/frontend.cpp - OpenCL C to LLVM IR ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/frontend.h"

#include "compiler/frontend/build_options.h"
#include "compiler/frontend/dialect.h"
#include "compiler/frontend/driver_macros.h"
#include "compiler/process/sandbox.h"
#include "compiler/target/clang_headers.h"
#include "compiler/target/driver_profiles.h"
#include "compiler/target/target.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>

using namespace llvm;
using namespace warpsan;

namespace {

constexpr StringLiteral ClangDirectory = "/__warpsan/clang";
constexpr StringLiteral HeaderDirectory = "/__warpsan/headers";
constexpr StringLiteral RealBaseHeader = "opencl-c-base-of-clang.h";

/// Keeps clang's text for the log, and the first error for the reason.
class Diagnostics : public clang::DiagnosticConsumer {
public:
  Diagnostics(raw_ostream &OS, clang::DiagnosticOptions *Options)
      : Printer(OS, Options) {}

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override {
    Printer.BeginSourceFile(Language, PP);
  }
  void EndSourceFile() override { Printer.EndSourceFile(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(Level, Info);
    Printer.HandleDiagnostic(Level, Info);
    if (Level < clang::DiagnosticsEngine::Error || !FirstError.empty())
      return;
    SmallString<256> Message;
    Info.FormatDiagnostic(Message);
    FirstError = Message.str().str();
    bool Undeclared =
        Info.getID() == clang::diag::err_undeclared_var_use ||
        Info.getID() == clang::diag::ext_implicit_function_decl_c99;
    if (Undeclared && isCalled(Info)) {
      // "use of undeclared identifier 'x'"
      StringRef Name = StringRef(FirstError).split('\'').second;
      FirstError = ("unknown builtin '" + Name.split('\'').first + "'").str();
    } else {
      FirstError = "clang 19 does not accept the source: " + FirstError;
    }
    if (Info.getID() == clang::diag::err_cannot_open_file &&
        filesAreRestricted())
      FirstError +=
          " (only the working directory, those of -I and /usr are read)";
    if (!Info.hasSourceManager() || !Info.getLocation().isValid())
      return;
    clang::PresumedLoc At =
        Info.getSourceManager().getPresumedLoc(Info.getLocation());
    if (!At.isValid())
      return;
    StringRef File = At.getFilename();
    File.consume_front(VirtualRoot);
    FirstError += (" at " + File + ":" + Twine(At.getLine())).str();
  }

  std::string FirstError;

private:
  /// True if the word at the diagnostic's place is followed by '('.
  static bool isCalled(const clang::Diagnostic &Info) {
    if (!Info.hasSourceManager() || !Info.getLocation().isValid())
      return false;
    clang::SourceManager &Sources = Info.getSourceManager();
    const char *At =
        Sources.getCharacterData(Sources.getSpellingLoc(Info.getLocation()));
    while (isAlnum(*At) || *At == '_')
      ++At;
    while (*At == ' ' || *At == '\t')
      ++At;
    return *At == '(';
  }

  clang::TextDiagnosticPrinter Printer;
};

/// One attempt to compile.
struct Attempt {
  std::unique_ptr<Module> Result;
  std::string FirstError;
  std::string Text;
  std::vector<Dependency> Read;
  std::vector<std::string> DriverMacros;
};

class Action : public clang::EmitLLVMOnlyAction {
public:
  Action(LLVMContext *Context, std::vector<std::string> &DriverMacros)
      : EmitLLVMOnlyAction(Context), DriverMacros(DriverMacros) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &Clang) override {
    clang::Preprocessor &PP = Clang.getPreprocessor();
    PP.addPPCallbacks(watchDriverMacros(PP, ClangDirectory, DriverMacros));
    return EmitLLVMOnlyAction::BeginSourceFileAction(Clang);
  }

private:
  std::vector<std::string> &DriverMacros;
};

} // namespace

/// Warnings that clang 19 makes errors and that drivers' older compilers let
/// pass. The driver has judged the program; it is not for us to be stricter.
static void appendLeniency(std::vector<std::string> &Arguments) {
  Arguments.push_back("-w");
  for (const char *Warning :
       {"incompatible-pointer-types", "incompatible-function-pointer-types",
        "int-conversion", "implicit-int", "return-type", "return-mismatch",
        "c++11-narrowing", "static-in-inline", "undefined-internal"})
    Arguments.push_back((Twine("-Wno-error=") + Warning).str());
}

static std::vector<std::string>
cc1Arguments(const BuildOptions &Options, const DeviceInfo &Device,
             StringRef MainFile, bool DeclareByTable, bool KeepNames) {
  std::vector<std::string> Arguments = {
      "-triple", spirvTarget().triple(Device.AddressBits),
      // Not -O0: there, bodies of C99 `inline` functions are not emitted. Not
      // -O1: there, every loop is marked not to be unrolled.
      "-emit-llvm-only", "-O2", "-disable-llvm-passes",
      "-disable-llvm-verifier", "-disable-free", "-debug-info-kind=limited",
      "-dwarf-version=4", "-debugger-tuning=gdb", "-cl-kernel-arg-info",
      "-nostdsysteminc", "-nobuiltininc", "-internal-isystem",
      ClangDirectory.str(), "-finclude-default-header", "-ferror-limit", "20",
      "-fno-spell-checking", "-x", "cl"};
  if (!KeepNames)
    Arguments.push_back("-discard-value-names");
  if (DeclareByTable)
    Arguments.push_back("-fdeclare-opencl-builtins");
  appendLeniency(Arguments);
  for (std::string &Argument : dialectArguments(Device, Options.Language))
    Arguments.push_back(std::move(Argument));
  // Headers given to clCompileProgram win over files.
  Arguments.push_back("-I");
  Arguments.push_back(HeaderDirectory.str());
  for (const std::string &Argument : Options.ClangArguments)
    Arguments.push_back(Argument);
  // Drivers also look in the working directory.
  Arguments.push_back("-I");
  Arguments.push_back(".");
  Arguments.push_back(MainFile.str());
  return Arguments;
}

namespace {
/// The disk. Notes which files are opened and which are looked for in vain.
class WatchedDisk : public vfs::ProxyFileSystem {
public:
  WatchedDisk() : ProxyFileSystem(vfs::getRealFileSystem()) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    auto Found = ProxyFileSystem::status(Path);
    if (!Found)
      noteFailure(Path, Found.getError());
    return Found;
  }
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (Opened)
      note(Path, Dependency::State::Present);
    else
      noteFailure(Path, Opened.getError());
    return Opened;
  }

  /// By absolute path.
  std::map<std::string, Dependency::State> Seen;

private:
  void note(const Twine &Name, Dependency::State Found) {
    SmallString<256> Path;
    Name.toVector(Path);
    if (Path.starts_with(VirtualRoot) || makeAbsolute(Path))
      return;
    sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
    Seen[Path.str().str()] = Found;
  }
  void noteFailure(const Twine &Name, std::error_code Error) {
    if (Error == std::errc::no_such_file_or_directory ||
        Error == std::errc::not_a_directory)
      note(Name, Dependency::State::Absent);
  }
};
} // namespace

/// What a closed unit has instead of the disk, or null if its files contradict
/// each other.
static IntrusiveRefCntPtr<vfs::FileSystem> diskOf(const Unit &Closed) {
  auto Disk = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Disk->setCurrentWorkingDirectory(Closed.Directory.empty() ? "/"
                                                            : Closed.Directory);
  // clang's search of headers expects that the working directory exists.
  Disk->addFile("./.warpsan", 0, MemoryBuffer::getMemBuffer(""));
  for (const Dependency &File : Closed.Files)
    if (File.Found != Dependency::State::Absent &&
        !Disk->addFile(File.Path, 0,
                       MemoryBuffer::getMemBufferCopy(File.Text, File.Path)))
      return nullptr;
  return Disk;
}

static IntrusiveRefCntPtr<vfs::FileSystem>
fileSystemFor(const Unit &Source, StringRef MainFile, const DeviceInfo &Device,
              const Dialect &Language,
              IntrusiveRefCntPtr<vfs::FileSystem> Disk) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto Add = [&](const Twine &Path, StringRef Text) {
    Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text));
  };
  Add(MainFile, Source.Text);
  for (const Header &H : Source.Headers)
    Add(HeaderDirectory + "/" + H.Name, H.Text);
  Add(ClangDirectory + "/opencl-c-base.h",
      baseHeaderFor(Device, Language, RealBaseHeader));
  Memory->addFile(ClangDirectory + "/" + RealBaseHeader, 0,
                  MemoryBuffer::getMemBuffer(openclBaseHeader()));
  Memory->addFile(ClangDirectory + "/opencl-c.h", 0,
                  MemoryBuffer::getMemBuffer(openclFullHeader()));
  auto Overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(Disk));
  Overlay->pushOverlay(Memory);
  return Overlay;
}

/// What was seen of \p Disk, with the texts that \p Sources has of it.
static std::vector<Dependency> filesRead(clang::SourceManager &Sources,
                                         const WatchedDisk &Disk) {
  std::map<std::string, Dependency> Read;
  for (const auto &[Path, Found] : Disk.Seen)
    Read[Path] = {Path, Found, {}};
  for (auto I = Sources.fileinfo_begin(); I != Sources.fileinfo_end(); ++I) {
    SmallString<256> Path(I->first.getName());
    if (Path.starts_with(VirtualRoot))
      continue;
    std::optional<StringRef> Content = I->second->getBufferDataIfLoaded();
    if (!Content)
      continue;
    Sources.getFileManager().makeAbsolutePath(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
    Read[Path.str().str()] = {Path.str().str(), Dependency::State::Read,
                              Content->str()};
  }
  std::vector<Dependency> All;
  for (auto &[Path, Each] : Read) {
    // Not as source: by #embed, or by __has_include only.
    if (Each.Found == Dependency::State::Present)
      if (auto Content = MemoryBuffer::getFile(Path)) {
        Each.Found = Dependency::State::Read;
        Each.Text = (*Content)->getBuffer().str();
      }
    All.push_back(std::move(Each));
  }
  return All;
}

static Attempt attempt(const Unit &Source, const BuildOptions &Options,
                       StringRef MainFile, const DeviceInfo &Device,
                       LLVMContext &Context, bool DeclareByTable) {
  Attempt Tried;
  raw_string_ostream Text(Tried.Text);
  auto DiagOptions = makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  DiagOptions->ShowPresumedLoc = true; // #line
  // With numbers, clang 19 indents lines after `#line 4294967295` by 4 GiB.
  DiagOptions->ShowLineNumbers = false;
  Diagnostics Consumer(Text, DiagOptions.get());

  std::vector<std::string> Arguments =
      cc1Arguments(Options, Device, MainFile, DeclareByTable,
                   !Context.shouldDiscardValueNames());
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());

  clang::CompilerInstance Clang;
  IntrusiveRefCntPtr<WatchedDisk> Watched;
  if (!Source.Closed)
    Watched = makeIntrusiveRefCnt<WatchedDisk>();
  IntrusiveRefCntPtr<vfs::FileSystem> Disk = Watched;
  if (Source.Closed && !(Disk = diskOf(Source))) {
    Tried.FirstError = "its headers were read by several names";
    return Tried;
  }
  auto FileSystem =
      fileSystemFor(Source, MainFile, Device, Options.Language, Disk);
  Clang.createDiagnostics(&Consumer, /*ShouldOwnClient=*/false);
  Clang.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  bool Understood = clang::CompilerInvocation::CreateFromArgs(
      Clang.getInvocation(), Pointers, Clang.getDiagnostics());
  if (Understood) {
    // CreateFromArgs has read -w and kin: start the engine again with them.
    Clang.createDiagnostics(&Consumer, /*ShouldOwnClient=*/false);
    Clang.createFileManager(FileSystem);
    Action Compile(&Context, Tried.DriverMacros);
    if (Clang.ExecuteAction(Compile))
      Tried.Result = Compile.takeModule();
    if (Clang.hasSourceManager() && Watched)
      Tried.Read = filesRead(Clang.getSourceManager(), *Watched);
  }
  Text.flush();
  Tried.FirstError = Consumer.FirstError;
  if (!Tried.Result && Tried.FirstError.empty())
    Tried.FirstError = "clang 19 made no code of it and did not say why";
  return Tried;
}

Expected<std::unique_ptr<Module>>
warpsan::compileOpenCL(const Unit &Source, StringRef Name,
                       const DeviceInfo &Device, LLVMContext &Context,
                       std::string &Log, std::vector<Dependency> &Dependencies,
                       std::vector<std::string> &DriverMacros) {
  BuildOptions Options =
      parseBuildOptions(Source.Options, profileFor(Device).DefaultStd);
  for (const std::string &Option : Options.Dropped)
    Log += "build option '" + Option + "' has no meaning for the twin\n";
  std::string MainFile = (VirtualRoot + Name).str();

  Attempt Tried = attempt(Source, Options, MainFile, Device, Context,
                          /*DeclareByTable=*/true);
  if (!Tried.Result) {
    Attempt Again = attempt(Source, Options, MainFile, Device, Context,
                            /*DeclareByTable=*/false);
    if (Again.Result)
      Tried = std::move(Again);
  }
  for (size_t At; (At = Tried.Text.find(VirtualRoot)) != std::string::npos;)
    Tried.Text.erase(At, VirtualRoot.size());
  Log += Tried.Text;
  for (Dependency &D : Tried.Read)
    Dependencies.push_back(std::move(D));
  for (std::string &Macro : Tried.DriverMacros)
    DriverMacros.push_back(std::move(Macro));
  if (!Tried.Result)
    return createStringError(Tried.FirstError);
  return std::move(Tried.Result);
}
