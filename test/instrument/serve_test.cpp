//===- test/instrument/serve_test.cpp - warpsan-clc --serve ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Talks to the compiler's server as the layer does. WARPSAN_CLC is the path of
// the program under test.
//
//===----------------------------------------------------------------------===//
#include "job/job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpsan;

extern char **environ;

namespace {

/// A running server and our end of its socket.
class Server : public testing::Test {
protected:
  void SetUp() override {
    int Ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Ends), 0);
    Socket = Ends[0];
    posix_spawn_file_actions_t Actions;
    posix_spawn_file_actions_init(&Actions);
    posix_spawn_file_actions_adddup2(&Actions, Ends[1], 3);
    std::string Program = WARPSAN_CLC, Mode = "--serve", Descriptor = "3";
    char *Words[] = {Program.data(), Mode.data(), Descriptor.data(), nullptr};
    ASSERT_EQ(
        posix_spawn(&Child, WARPSAN_CLC, &Actions, nullptr, Words, environ), 0);
    posix_spawn_file_actions_destroy(&Actions);
    close(Ends[1]);
  }

  void TearDown() override {
    if (Socket >= 0)
      close(Socket);
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFEXITED(Status));
    EXPECT_EQ(WEXITSTATUS(Status), 0);
  }

  void send(const void *Bytes, size_t Size, std::vector<int> Descriptors) {
    iovec Vector = {const_cast<void *>(Bytes), Size};
    alignas(cmsghdr) char Control[CMSG_SPACE(8 * sizeof(int))] = {};
    msghdr Message = {};
    Message.msg_iov = &Vector;
    Message.msg_iovlen = 1;
    if (!Descriptors.empty()) {
      Message.msg_control = Control;
      Message.msg_controllen = CMSG_SPACE(Descriptors.size() * sizeof(int));
      cmsghdr *Part = CMSG_FIRSTHDR(&Message);
      Part->cmsg_level = SOL_SOCKET;
      Part->cmsg_type = SCM_RIGHTS;
      Part->cmsg_len = CMSG_LEN(Descriptors.size() * sizeof(int));
      std::memcpy(CMSG_DATA(Part), Descriptors.data(),
                  Descriptors.size() * sizeof(int));
    }
    ASSERT_EQ(sendmsg(Socket, &Message, MSG_NOSIGNAL),
              static_cast<ssize_t>(Size));
  }

  /// Sends \p Bytes as a job; returns where its product comes out.
  int ask(const std::string &Bytes, uint32_t Seconds = 60,
          uint64_t Memory = 0) {
    int File = memfd_create("job", MFD_CLOEXEC);
    EXPECT_EQ(write(File, Bytes.data(), Bytes.size()),
              static_cast<ssize_t>(Bytes.size()));
    int Pipe[2];
    EXPECT_EQ(pipe2(Pipe, O_CLOEXEC), 0);
    JobTicket Ticket;
    Ticket.TimeoutSeconds = Seconds;
    Ticket.MemoryBytes = Memory;
    send(&Ticket, sizeof(Ticket), {File, Pipe[1]});
    close(File);
    close(Pipe[1]);
    return Pipe[0];
  }

  /// Nullopt if the pipe was closed without a product.
  static std::optional<CompileResult> receive(int Pipe) {
    std::string Bytes;
    char Part[65536];
    ssize_t Got;
    while ((Got = read(Pipe, Part, sizeof(Part))) > 0)
      Bytes.append(Part, static_cast<size_t>(Got));
    close(Pipe);
    CompileResult Made;
    if (!fromBytes(Bytes, Made))
      return std::nullopt;
    return Made;
  }

  static Job jobFor(const std::string &Source) {
    Job Request;
    Request.Device.Platform = "rusticl";
    Request.Device.ILVersions = "SPIR-V_1.0";
    Request.Device.DeviceVersion = "OpenCL 3.0 ";
    Unit U;
    U.Text = Source;
    Request.Recipe.Units.push_back(U);
    return Request;
  }

  /// Each macro doubles the one before: 2^60 empty statements.
  static std::string endless() {
    std::string Source = "#define A0 ;\n";
    for (int I = 1; I <= 60; ++I) {
      std::string Before = " A" + std::to_string(I - 1);
      Source += "#define A" + std::to_string(I) + Before + Before + "\n";
    }
    return Source + "kernel void k() { A60 }\n";
  }

  static constexpr const char *Small =
      "kernel void k(global int *a) { a[get_global_id(0)] = 1; }";

  int Socket = -1;
  pid_t Child = -1;
};

TEST_F(Server, AnswersAJob) {
  std::optional<CompileResult> Made = receive(ask(toBytes(jobFor(Small))));
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Reason, "");
  EXPECT_NE(Made->Manifest.find("\"name\":\"k\""), std::string::npos);
  EXPECT_EQ(Made->SpirV.substr(0, 4), std::string("\x03\x02\x23\x07"));
}

TEST_F(Server, AnswersManyJobsAtOnce) {
  std::vector<int> Pipes;
  for (int I = 0; I < 32; ++I)
    Pipes.push_back(ask(toBytes(jobFor(Small))));
  for (int Pipe : Pipes) {
    std::optional<CompileResult> Made = receive(Pipe);
    ASSERT_TRUE(Made);
    EXPECT_EQ(Made->Reason, "");
  }
}

TEST_F(Server, GivesTheReasonOfARefusal) {
  std::optional<CompileResult> Made = receive(
      ask(toBytes(jobFor("kernel void k(global int *a) {\n *a = foo(); }"))));
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Reason, "unknown builtin 'foo' at source.cl:2");
  EXPECT_TRUE(Made->SpirV.empty());
}

TEST_F(Server, SurvivesGarbage) {
  send("x", 1, {});
  std::string Long(1000, 'x');
  send(Long.data(), Long.size(), {});
  JobTicket Ticket;
  send(&Ticket, sizeof(Ticket), {});
  send(&Ticket, sizeof(Ticket), {0});
  send(&Ticket, sizeof(Ticket), {0, 0, 0});
  std::optional<CompileResult> Damaged = receive(ask("not a job"));
  ASSERT_TRUE(Damaged);
  EXPECT_EQ(Damaged->Reason, "warpsan-clc was sent a damaged job");
  std::optional<CompileResult> Made = receive(ask(toBytes(jobFor(Small))));
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Reason, "");
}

TEST_F(Server, EndsAJobThatTakesTooLong) {
  auto Start = std::chrono::steady_clock::now();
  EXPECT_FALSE(receive(ask(toBytes(jobFor(endless())), 1)));
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(5));
  EXPECT_TRUE(receive(ask(toBytes(jobFor(Small)))));
}

TEST_F(Server, GivesJobsNoDescriptorOfItsStandardError) {
  auto TargetOf = [](const std::string &Process, int File) {
    std::error_code Error;
    return std::filesystem::read_symlink(
               "/proc/" + Process + "/fd/" + std::to_string(File), Error)
        .string();
  };
  const std::string Parent = std::to_string(Child);
  const std::string StandardError = TargetOf(Parent, 2);
  const int Answer = ask(toBytes(jobFor(endless())), 10);
  // The job's process, once it has a standard error of its own.
  std::string Process, Own;
  for (int Try = 0; Try < 5000 && Own.find("warpsan-clc-stderr") == Own.npos;
       ++Try) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::ifstream("/proc/" + Parent + "/task/" + Parent + "/children") >>
        Process;
    Own = Process.empty() ? Process : TargetOf(Process, 2);
  }
  ASSERT_NE(Own.find("warpsan-clc-stderr"), std::string::npos) << Own;
  // It needs a moment from there to the job.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  // The server may have been started with more than one such descriptor.
  for (int File = 3; File < 64; ++File)
    if (TargetOf(Parent, File) != StandardError)
      EXPECT_NE(TargetOf(Process, File), StandardError)
          << "descriptor " << File;
  kill(std::stoi(Process), SIGKILL);
  EXPECT_FALSE(receive(Answer));
}

TEST_F(Server, NamesTheMemoryLimitThatWasHit) {
#ifdef WARPSAN_SANITIZED
  GTEST_SKIP() << "a sanitizer takes all addresses there are: no such limit";
#endif
  std::string Large = "kernel void k(global int *a) {\n";
  for (int I = 0; I < 200000; ++I)
    Large += "a[" + std::to_string(I) + "] += a[" + std::to_string(I + 1) +
             "] * 3;\n";
  Large += "}\n";
  std::optional<CompileResult> Made =
      receive(ask(toBytes(jobFor(Large)), 60, 600ull << 20));
  ASSERT_TRUE(Made);
  EXPECT_NE(Made->Reason.find("ran out of memory"), std::string::npos)
      << Made->Reason;
  EXPECT_NE(Made->Reason.find("600 MiB"), std::string::npos) << Made->Reason;
}

TEST_F(Server, SurvivesACrashOfTheCompiler) {
  // Parentheses nested deeper than any stack.
  std::string Deep = "kernel void k(global int *a) { *a = ";
  Deep += std::string(3000000, '-') + "1; }";
  for (size_t I = 0; I < 3000000; ++I)
    if (Deep[36 + I] == '-' && I % 2)
      Deep[36 + I] = '~';
  std::optional<CompileResult> Made =
      receive(ask(toBytes(jobFor(Deep)), 60, 4096ull << 20));
  ASSERT_TRUE(Made);
  EXPECT_NE(Made->Reason, "");
  EXPECT_TRUE(receive(ask(toBytes(jobFor(Small)))));
}

TEST_F(Server, ListsTheFilesItReadFromDisk) {
  char Folder[] = "/tmp/warpsan-serve-XXXXXX";
  ASSERT_TRUE(mkdtemp(Folder));
  std::string Base = Folder;
  ASSERT_EQ(mkdir((Base + "/inc").c_str(), 0755), 0);
  std::ofstream(Base + "/inc/value.h") << "#define VALUE 1\n";
  Job Request = jobFor("#include \"value.h\"\n#include \"given.h\"\n"
                       "kernel void k(global int *a) { *a = VALUE + GIVEN; }");
  Request.Recipe.Units[0].Options = "-I none -I inc";
  Request.Recipe.Units[0].Headers.push_back({"given.h", "#define GIVEN 2\n"});
  Request.Recipe.WorkingDirectory = Base;
  std::optional<CompileResult> Made = receive(ask(toBytes(Request)));
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Reason, "");
  auto Found = [&](const std::string &Path) -> const Dependency * {
    auto It = std::ranges::find(Made->Dependencies, Path, &Dependency::Path);
    return It == Made->Dependencies.end() ? nullptr : &*It;
  };
  const Dependency *Value = Found(Base + "/inc/value.h");
  ASSERT_TRUE(Value);
  EXPECT_EQ(Value->Found, Dependency::State::Read);
  EXPECT_EQ(Value->Text, "#define VALUE 1\n");
  // A folder that is searched first and is not there.
  const Dependency *Missing = Found(Base + "/none");
  ASSERT_TRUE(Missing);
  EXPECT_EQ(Missing->Found, Dependency::State::Absent);
  EXPECT_EQ(Found(Base + "/inc/given.h"), nullptr);
  // Of these files the unit is compiled again when they are gone.
  const std::string Manifest = Made->Manifest, SpirV = Made->SpirV;
  Request.Recipe.Units[0].Closed = 1;
  Request.Recipe.Units[0].Files = Made->Dependencies;
  Request.Recipe.Units[0].Directory = Base;
  Request.Recipe.WorkingDirectory.clear();
  std::ofstream(Base + "/inc/value.h") << "#define VALUE 3\n";
  Made = receive(ask(toBytes(Request)));
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Reason, "");
  EXPECT_TRUE(Made->Dependencies.empty());
  EXPECT_EQ(Made->Manifest, Manifest);
  EXPECT_EQ(Made->SpirV, SpirV);
  std::filesystem::remove_all(Base);
}

/// Two folders: one that a job works in, one that is none of its business.
class Folders : public Server {
protected:
  void SetUp() override {
    Server::SetUp();
    char Name[] = "/tmp/warpsan-serve-XXXXXX";
    ASSERT_TRUE(mkdtemp(Name));
    Base = Name;
    for (const char *Each : {"/work", "/work/inc", "/other"})
      ASSERT_EQ(mkdir((Base + Each).c_str(), 0755), 0);
    for (const char *Each :
         {"/work/near.h", "/work/inc/deep.h", "/other/far.h"})
      std::ofstream(Base + Each) << "#define VALUE 1\n";
    std::ofstream(Base + "/other/words.h") << "secretword on a line\n";
    std::filesystem::create_symlink(Base + "/other/far.h",
                                    Base + "/work/link.h");
  }
  void TearDown() override {
    std::filesystem::remove_all(Base);
    Server::TearDown();
  }
  std::optional<CompileResult> including(const std::string &Name,
                                         const std::string &Options = "") {
    Job Request = jobFor("#include \"" + Name +
                         "\"\nkernel void k(global int *a) { *a = VALUE; }");
    Request.Recipe.Units[0].Options = Options;
    Request.Recipe.WorkingDirectory = Base + "/work";
    return receive(ask(toBytes(Request)));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> Found;
    for (const auto &Each : std::filesystem::recursive_directory_iterator(Base))
      Found.push_back(Each.path());
    std::sort(Found.begin(), Found.end());
    return Found;
  }

  std::string Base;
};

TEST_F(Folders, AreReadIfTheyAreTheJobs) {
  const std::string Other = Base + "/other";
  for (const auto &[Name, Options] : {
           std::pair<std::string, std::string>{"near.h", ""},
           {Base + "/work/near.h", ""},
           {"deep.h", "-Iinc"},
           {"inc/deep.h", ""},
           {"far.h", "-I " + Other},
           {"far.h", "-I ../other"},
           {"far.h", "-isystem " + Other},
           {Other + "/far.h", "-I" + Other},
           {"near.h", "-include " + Other + "/far.h"},
           {"link.h", "-I" + Other},
       }) {
    std::optional<CompileResult> Made = including(Name, Options);
    ASSERT_TRUE(Made);
    EXPECT_EQ(Made->Reason, "") << Name << ' ' << Options;
  }
}

TEST_F(Folders, AreNotReadIfTheyAreNot) {
  if (std::system(WARPSAN_CLC " --test-sandbox | grep -q '^files: ALL'") == 0)
    GTEST_SKIP() << "no Landlock, or a build with a sanitizer";
  for (const std::string &Name :
       {Base + "/other/far.h", std::string("../other/far.h"),
        std::string("inc/../../other/far.h"), std::string("link.h"),
        std::string("/etc/passwd"), std::string("/proc/self/environ"),
        std::string("/dev/stdin")}) {
    std::optional<CompileResult> Made = including(Name);
    ASSERT_TRUE(Made);
    EXPECT_NE(
        Made->Reason.find("Permission denied (only the working directory"),
        std::string::npos)
        << Name << ": " << Made->Reason;
    // It may be noted that they were looked for, but not what they have.
    for (const Dependency &Each : Made->Dependencies) {
      EXPECT_NE(Each.Found, Dependency::State::Read) << Each.Path;
      EXPECT_EQ(Each.Text, "");
    }
  }
  // Nor is anything told of what is in them.
  std::optional<CompileResult> Made = including(Base + "/other/words.h");
  ASSERT_TRUE(Made);
  EXPECT_EQ((Made->Reason + Made->Log).find("secretword"), std::string::npos);
  // Whose working folder is everything has none.
  Job Request = jobFor("#include \"etc/passwd\"\nkernel void k() {}");
  Request.Recipe.WorkingDirectory = "/";
  Made = receive(ask(toBytes(Request)));
  ASSERT_TRUE(Made);
  EXPECT_NE(Made->Reason.find("Permission denied"), std::string::npos);
}

TEST_F(Folders, AreNotWrittenWhateverTheOptionsAre) {
  const std::string Out = Base + "/other/out";
  std::ofstream(Base + "/work/response") << "-o " << Out << "\n";
  const std::vector<std::string> Before = files();
  for (const std::string &Options :
       std::vector<std::string>{"-o " + Out,
                                "-o" + Out,
                                "-MD",
                                "-MMD -MF " + Out,
                                "-MF " + Out,
                                "-dependency-file " + Out,
                                "-MT x -dependency-file " + Out,
                                "-serialize-diagnostic-file " + Out,
                                "--serialize-diagnostics " + Out,
                                "-ftime-trace=" + Out,
                                "-save-temps",
                                "-save-temps=obj",
                                "-emit-obj -o " + Out,
                                "-emit-pch -o " + Out,
                                "-E -o " + Out,
                                "-S -o " + Out,
                                "-dump-coverage-mapping",
                                "-fprofile-generate=" + Out,
                                "-coverage-data-file=" + Out,
                                "-stack-usage-file " + Out,
                                "-fcrash-diagnostics-dir=" + Out,
                                "-fmodules-cache-path=" + Out,
                                "-fmodules",
                                "-opt-record-file " + Out,
                                "-header-include-file " + Out,
                                "-diagnostic-log-file " + Out,
                                "-split-dwarf-output " + Out,
                                std::string("@response"),
                                std::string("-Xclang @response"),
                                std::string("-D @response"),
                                std::string("-I @response"),
                                "-Xclang -o -Xclang " + Out,
                                "-D X -o " + Out,
                                "-D -o " + Out,
                                "-I -o " + Out,
                                "-include -o " + Out,
                                "-U -MF " + Out,
                                "-load " + Out,
                                "-Xclang -load -Xclang " + Out,
                                "-fplugin=" + Out,
                                "-fpass-plugin=" + Out,
                                "-mllvm -time-passes",
                                "-mllvm -info-output-file=" + Out,
                                "-Wl,-o," + Out,
                                "-Xlinker " + Out,
                                "-cl-std=CL1.2 -o " + Out,
                                "'-o' '" + Out + "'",
                                "-cl-std=CL1.2\\ -o\\ " + Out,
                                "-working-directory " + Out,
                                "-fdebug-compilation-dir=" + Out,
                                "-x cl-header -o " + Out}) {
    Job Request = jobFor(Small);
    Request.Recipe.Units[0].Options = Options;
    Request.Recipe.WorkingDirectory = Base + "/work";
    std::optional<CompileResult> Made = receive(ask(toBytes(Request)));
    ASSERT_TRUE(Made) << Options;
    EXPECT_EQ(files(), Before) << Options;
    // Dropped, or taken for a name, which is none that can be used.
    const bool Name =
        Options.starts_with("-D @") || Options.starts_with("-D -") ||
        Options.starts_with("-U") || Options.starts_with("-include");
    EXPECT_EQ(!Made->Reason.empty(), Name) << Options << ": " << Made->Reason;
  }
}

TEST_F(Server, HasAnswersToBombs) {
  std::string Nested, Chain = "kernel void k(global int *a) { ";
  for (int I = 0; I < 20000; ++I)
    Nested += "struct s" + std::to_string(I) + " { ";
  for (int I = 0; I < 20000; ++I)
    Chain += "if (a[" + std::to_string(I) + "]) {";
  std::string Types = "struct s0 { char c[4096]; };\n";
  for (int I = 1; I < 20; ++I)
    Types += "struct s" + std::to_string(I) + " { struct s" +
             std::to_string(I - 1) + " all[64]; };\n";
  for (const std::string &Source :
       {Nested, Chain, Types + "kernel void k(global int *a) { struct s19 s; }",
        std::string("constant char big[1UL << 40] = {1};\n"
                    "kernel void k(global int *a) { *a = big[*a]; }"),
        std::string("kernel void k(global int *a) { private char big[1UL << "
                    "33]; big[*a] = 1; *a = big[a[1]]; }"),
        std::string("constant int big[] = {[1 << 28] = 1};\n"
                    "kernel void k(global int *a) { *a = big[*a]; }"),
        std::string("#include __FILE__\n"), std::string(1 << 20, '('),
        std::string("typedef float f __attribute__((ext_vector_type(1 << "
                    "20)));\nkernel void k(global f *a) { *a += *a; }"),
        endless()}) {
    // Ten seconds and a gigabyte: an answer, or none if one of them was used
    // up.
    auto Start = std::chrono::steady_clock::now();
    receive(ask(toBytes(jobFor(Source)), 10, 1024ull << 20));
    EXPECT_LT(std::chrono::steady_clock::now() - Start,
              std::chrono::seconds(40))
        << Source.substr(0, 80);
  }
  EXPECT_TRUE(receive(ask(toBytes(jobFor(Small)))));
}

TEST_F(Server, TellsWhatTheTranslatorCannotExpress) {
  // A 128-bit integer survives clang and LLVM, not SPIR-V.
  std::optional<CompileResult> Made = receive(ask(toBytes(jobFor(
      "typedef int wide __attribute__((mode(TI)));\n"
      "kernel void k(global long *a) {\n"
      "  wide x = (wide)a[0] * (wide)a[1]; a[2] = (long)(x >> 64); }"))));
  ASSERT_TRUE(Made);
  EXPECT_NE(Made->Reason, "");
  EXPECT_TRUE(receive(ask(toBytes(jobFor(Small)))));
}

TEST_F(Server, RefusesAJobOfAnotherVersion) {
  Job Request = jobFor(Small);
  Request.Version = JobVersion + 1;
  std::optional<CompileResult> Made = receive(ask(toBytes(Request)));
  ASSERT_TRUE(Made);
  EXPECT_NE(Made->Reason.find("different builds"), std::string::npos);
}

TEST_F(Server, EndsItsChildrenWhenTheApplicationIsGone) {
  int Pipe = ask(toBytes(jobFor(endless())), 60);
  usleep(300000); // the child is at work
  close(Socket);
  Socket = -1;
  pollfd Wait = {Pipe, POLLIN, 0};
  EXPECT_EQ(poll(&Wait, 1, 5000), 1) << "the child still holds its pipe";
  EXPECT_FALSE(receive(Pipe));
}

} // namespace
