//===- test/robustness/lifecycle_programs/forks.cpp - processes that make
// processes --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_forks MODE; each of them goes wrong once in each process that does
// any OpenCL. Drivers do not survive a fork: a child of one that has used
// OpenCL uses none.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/lifecycle_programs/work.h"

#include <atomic>
#include <chrono>
#include <map>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lives;
using namespace std::chrono_literals;

static const char *Self = "";

static void use() {
  Work &W = *new Work;
  W.bad();
  W.finish();
}

/// Waits for \p Child and says how it ended.
static void await(pid_t Child) {
  int Status = 0;
  if (waitpid(Child, &Status, 0) != Child)
    say("no child");
  else if (WIFSIGNALED(Status))
    say("child: signal " + std::to_string(WTERMSIG(Status)));
  else
    say("child: " + std::to_string(WEXITSTATUS(Status)));
}

template <typename Does> static pid_t inChild(Does What) {
  std::fflush(nullptr);
  const pid_t Child = fork();
  if (Child == 0) {
    What();
    _exit(0);
  }
  return Child;
}

static void before() {
  due("bad", 2);
  await(inChild([] {
    use();
    std::exit(3);
  }));
  use();
}

/// All at once, and each of them forks again.
static void beforeMany() {
  due("bad", 8);
  std::vector<pid_t> Children;
  for (int I = 0; I < 4; ++I)
    Children.push_back(inChild([] {
      await(inChild([] {
        use();
        std::exit(4);
      }));
      use();
      std::exit(3);
    }));
  for (pid_t Child : Children)
    await(Child);
}

static void afterThatLeaves() {
  due("bad", 1);
  use();
  await(inChild([] { _exit(3); }));
}

static void afterThatExits() {
  due("bad", 1);
  use();
  for (int I = 0; I < 5; ++I)
    await(inChild([] { std::exit(3); }));
}

static void afterThatExecs() {
  due("bad", 2);
  use();
  await(inChild([] { execl(Self, Self, "plain", nullptr); }));
}

/// What is under way in the parent, whichever locks are held, must not matter
/// to a child that leaves by exit().
static void whileThreadsLaunch() {
  say("may late");
  say("may bad");
  static std::atomic<bool> Enough = false;
  use(); // PoCL 6.0 finds no device in threads that are its first callers
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([] {
      Work W;
      while (!Enough) {
        W.good();
        W.late();
        W.finish();
        clReleaseProgram(W.build(Work::sourceOf("9")));
      }
      W.release();
    });
  std::this_thread::sleep_for(200ms);
  for (int I = 0; I < 40; ++I)
    await(inChild([] { std::exit(3); }));
  Enough = true;
  for (std::thread &T : Threads)
    T.join();
}

/// A bad launch has ended, nobody has looked, and there are two processes now:
/// it is told once.
static void afterUnread() {
  due("bad", 1);
  static std::atomic<bool> Complete = false;
  Work &W = *new Work;
  cl_event Done = nullptr;
  W.bad(&Done);
  must(clSetEventCallback(
           Done, CL_COMPLETE, [](cl_event, cl_int, void *) { Complete = true; },
           nullptr),
       "clSetEventCallback");
  must(clFlush(W.Queue), "clFlush");
  while (!Complete)
    std::this_thread::sleep_for(1ms);
  await(inChild([] { std::exit(3); }));
  await(inChild([] { _exit(4); }));
}

/// Memory that outlives its context: the process's own fault, not its
/// children's.
static void afterLeak() {
  due("clCreateBuffer", 1);
  Work W;
  clRetainMemObject(W.Whole);
  W.release();
  for (int I = 0; I < 3; ++I)
    await(inChild([] { std::exit(3); }));
}

/// Lives on when its parent has gone.
static void thatStays() {
  due("bad", 1);
  use();
  inChild([] {
    std::this_thread::sleep_for(4s);
    std::exit(3);
  });
}

static void byVfork() {
  due("bad", 2);
  use();
  const pid_t Child = vfork(); // NOLINT: a life cycle like any other
  if (Child == 0) {
    execl(Self, Self, "plain", nullptr);
    _exit(95);
  }
  await(Child);
}

static void bySpawn() {
  due("bad", 2);
  use();
  pid_t Child = 0;
  char Mode[] = "plain";
  std::string Name = Self;
  char *const Words[] = {Name.data(), Mode, nullptr};
  if (posix_spawn(&Child, Self, nullptr, nullptr, Words, environ) != 0)
    say("no child");
  await(Child);
}

static void bySystem() {
  due("bad", 3);
  use();
  const std::string Command = std::string(Self) + " plain";
  say("system: " + std::to_string(std::system(Command.c_str())));
  FILE *Pipe = popen(Command.c_str(), "r");
  say("popen: " + std::to_string(Pipe ? pclose(Pipe) : -1));
}

/// The same process, another program: twice counted in one number.
static void byExecAlone() {
  due("bad", 2);
  use();
  execl(Self, Self, "plain", nullptr);
}

static const std::map<std::string_view, void (*)()> Modes = {
    {"plain", use},
    {"before", before},
    {"before_many", beforeMany},
    {"child_leaves", afterThatLeaves},
    {"child_exits", afterThatExits},
    {"child_execs", afterThatExecs},
    {"threads_launch", whileThreadsLaunch},
    {"unread", afterUnread},
    {"leak", afterLeak},
    {"child_stays", thatStays},
    {"vfork", byVfork},
    {"spawn", bySpawn},
    {"system", bySystem},
    {"exec", byExecAlone},
};

int main(int Argc, char **Argv) {
  if (Argc != 2 || !Modes.contains(Argv[1]))
    return 96;
  static std::string Path(4096, '\0');
  const ssize_t Length = readlink("/proc/self/exe", Path.data(), Path.size());
  if (Length <= 0)
    return 95;
  Path.resize(static_cast<size_t>(Length));
  Self = Path.c_str();
  Modes.at(Argv[1])();
  return 16;
}
