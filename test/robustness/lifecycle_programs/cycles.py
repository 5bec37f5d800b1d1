# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which life cycles there are, and which of them CI has the time for."""

from runs import Cycle

DRIVERS = "pocl", "rusticl", "intel"

ENDS = ("return", "exit", "_exit", "quick_exit", "abort", "segv", "term", "int", "kill", "term_handled",
        "int_handled", "thread_exit", "pthread_exit")
STATES = "idle", "flight", "unread", "compiling", "launching"
# Those of the second row on every driver, those of the first on PoCL.
QUICK_ENDS = {("unread", end) for end in ENDS} | {
    ("flight", "return"), ("flight", "exit"), ("flight", "kill"), ("flight", "abort"), ("flight", "thread_exit"),
    ("compiling", "return"), ("compiling", "_exit"), ("compiling", "kill"), ("idle", "pthread_exit")}
QUICK_EVERYWHERE = {("unread", "return"), ("unread", "_exit"), ("unread", "term"), ("flight", "return")}

FORKS = ("before", "before_many", "child_leaves", "child_exits", "child_execs", "threads_launch", "unread",
         "child_stays", "vfork", "spawn", "system", "exec")
QUICK_FORKS = {"before", "child_exits", "child_execs", "unread", "child_stays", "vfork", "system", "exec"}

# In the order in which loaders take them: the first is next to the driver.
LAYERS = "$PASS:$WARPSAN", "$WARPSAN:$PASS", "$PASS:$WARPSAN:$PASS", "$WARPSAN:$WARPSAN"


def ends():
    for driver in DRIVERS:
        for state in STATES:
            for end in ENDS:
                quick = (state, end) in (QUICK_ENDS if driver == "pocl" else QUICK_EVERYWHERE)
                yield Cycle("ends", (state, end), driver, quick=quick)


def statics():
    for driver in DRIVERS:
        for when in "before", "after", "atexit_before", "atexit_after":
            for what in "finish", "release", "launch":
                quick = driver == "pocl" and (when in ("before", "after") or what == "launch")
                yield Cycle("statics", (when, what), driver, quick=quick)


def forks():
    for driver in DRIVERS:
        for mode in FORKS:
            quick = driver == "pocl" and mode in QUICK_FORKS
            # The child that stays does so for longer than the compiler may.
            yield Cycle("forks", (mode,), driver, quick=quick, grace=2 if mode == "child_stays" else 5)
        yield Cycle("forks", ("leak",), driver, quick=driver == "pocl", options=("--detect_leaks=1",))


def loaders():
    for driver in DRIVERS:
        for loader in "ocl-icd", "khronos":
            yield Cycle("loader", ("4",), driver, loader, quick=driver != "rusticl")
            for layers in LAYERS:
                yield Cycle("crowds", ("context_first",), driver, loader, layers, quick=driver == "pocl")
        for words in (("idle", "return"), ("unread", "_exit"), ("unread", "return"), ("flight", "exit")):
            yield Cycle("ends", words, driver, "khronos", quick=driver == "pocl" and words[1] != "exit")
        yield Cycle("statics", ("before", "launch"), driver, "khronos")
        yield Cycle("forks", ("child_exits",), driver, "khronos")


def crowds(quick):
    for loader in "ocl-icd", "khronos":
        yield Cycle("crowds", ("platforms",), "all", loader, quick=loader == "ocl-icd")
    for driver in DRIVERS:
        here = driver == "pocl"
        yield Cycle("crowds", ("threads", "64"), driver, quick=here, limit=300, alone=True)
        yield Cycle("crowds", ("events", "1000" if quick else "4000"), driver, quick=True)
        yield Cycle("crowds", ("callbacks", "50" if quick else "200"), driver, quick=here)
        yield Cycle("crowds", ("user_events",), driver, quick=True)
        yield Cycle("crowds", ("odd_orders",), driver, quick=here)
        yield Cycle("crowds", ("context_first",), driver, quick=here)
        # Without a twin, launches are guarded by canaries: other events, other orders.
        for words in (("events", "1000"), ("odd_orders",), ("threads", "16")):
            yield Cycle("crowds", words, driver, options=("--checks=all",))
    for count, driver in (("10000", "pocl"), ("500", "rusticl"), ("300", "intel")):
        if not quick:
            yield Cycle("crowds", ("programs", count), driver, options=("--max_findings=10",), limit=7200, alone=True)
    if quick:
        yield Cycle("crowds", ("programs", "100"), "pocl", quick=True, options=("--max_findings=10",), limit=600,
                    alone=True)


def all_cycles(quick):
    cycles = [*ends(), *statics(), *forks(), *loaders(), *crowds(quick)]
    return [cycle for cycle in cycles if cycle.quick or not quick]
