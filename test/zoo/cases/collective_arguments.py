# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collective calls that the work-items of a work-group make with different arguments.

Each work-item whose argument is not that of the one with local id 0 is counted. What such a call leaves is undefined and
not compared. In the ok_ variant the arguments are the same for a group, by text or by the data alone; all accesses of both
variants are in bounds. No argument is made of a comparison: Intel's compiler crashes on such bug_ kernels."""

from cases.barriers import GROUPS, SIXTEEN, arguments, kernel_text, needs_of
from model import Case, Expected, Launch, ints

N = 4
WAIT = "wait_group_events(1, &e);"
LOADED = [item % 16 for item in range(GROUPS * 16)]


def case(name, lines, differs, ok, data=None, needs=(), helper="", forms=("source", "il")):
    """`differs`: how many work-items of a group; `ok`: what out[g] is then, of l and group; `data`: of `in`, by variant."""
    text = kernel_text(SIXTEEN, helper, lines)
    same = [7] * (GROUPS * 16)
    bug_data, ok_data = data or (same, same)
    out = ints(*(ok(l, group) for group in range(GROUPS) for l in range(16)))
    expected = Expected("collective_mismatch", None, items=GROUPS * differs)
    return Case(f"arguments_{name}", text, Launch(arguments(SIXTEEN, ints(*bug_data), N), (), None, SIXTEEN.range),
                Launch(arguments(SIXTEEN, ints(*ok_data), N), ((0, 0, out),), None, SIXTEEN.range), expected,
                frozenset((*needs, *needs_of(text))), (("kind", "collective_mismatch"),), "barriers", forms)


def copies():
    """A copy of 4 integers to local memory; each work-item reads one of them."""
    def copy(name, destination="t", source="in", count="4", differs=15, **more):
        return case(f"copy_{name}", (f"event_t e = async_work_group_copy({destination}, {source}, {count}, 0); /*BUG*/", WAIT,
                                     "out[g] = t[l & 3];"), differs, lambda l, group: 7, **more)
    yield copy("source_local_id", source="in + {{l||get_group_id(0)}}")
    yield copy("source_parity", source="in + {{(l & 1) * 4||n}}", differs=8)
    yield copy("source_last", source="in + {{l / 15||n / 5}}", differs=1)
    yield copy("source_global_id", source="in + {{g / 4||g / 16}}", differs=12)
    yield copy("source_by_data", source="in + in[g]", data=(LOADED, [7] * 32))
    yield copy("destination_local_id", destination="t + {{l||0}}", differs=15)
    yield copy("count_local_id", count="{{l % 4 + 1||4}}", differs=12)
    yield copy("count_by_data", count="in[g] - 3 & 7", data=([7 if g % 16 else 3 for g in range(32)], [7] * 32))
    yield copy("count_argument", count="{{n - l / 12||n}}", differs=4)
    yield copy("source_in_helper", source="at_$K(in, {{l||n}})",
               helper="global int *at_$K(global int *p, int k) { return p + k; }\n")


def others():
    init = "for (int k = 0; k < 4; ++k) t[k * 16 + l] = 9;\n  barrier(CLK_LOCAL_MEM_FENCE);"
    yield case("strided", ("event_t e = async_work_group_strided_copy(t, in, 4, {{1 + (l & 1)||2}}, 0); /*BUG*/", WAIT,
                           "out[g] = t[l & 3];"), 8, lambda l, group: 7)
    yield case("to_global", (init, "event_t e = async_work_group_copy(out + 16 * get_group_id(0) + {{(l & 1)||0}}, t, 15, 0); /*BUG*/",
                             WAIT, "barrier(CLK_GLOBAL_MEM_FENCE);", "if (l == 15) out[g] = 9;"), 8, lambda l, group: 9)
    yield case("wait", ("event_t e[2];", "e[0] = async_work_group_copy(t, in, 4, 0);", "e[1] = async_work_group_copy(t + 4, in, 4, 0);",
                        "wait_group_events({{1 + (l & 1)||2}}, e); /*BUG*/", "out[g] = t[l & 7];"), 8, lambda l, group: 7)
    yield case("loop", ("int r = 0;", "for (int k = 0; k < n; ++k) {",
                        "  event_t e = async_work_group_copy(t, in + k + {{(l / 15) * (k / 3)||0}}, 4, 0); /*BUG*/", "  " + WAIT,
                        "  r += t[l & 3];", "  barrier(CLK_LOCAL_MEM_FENCE);", "}", "out[g] = r;"), 1, lambda l, group: 28)
    yield case("uniform_branch", ("int r = 0;", "if (get_group_id(0) < n) {",
                                  "  event_t e = async_work_group_copy(t, in + {{l||1}}, 4, 0); /*BUG*/", "  " + WAIT,
                                  "  r = t[l & 3];", "}", "out[g] = r;"), 15, lambda l, group: 7)
    # All come, but only the data says so.
    yield case("loaded_branch", ("int r = 0;", "if (in[0] > 0 && in[g] >= 0) {",
                                 "  event_t e = async_work_group_copy(t, in + {{l||1}}, 4, 0); /*BUG*/", "  " + WAIT,
                                 "  r = t[l & 3];", "}", "out[g] = r;"), 15, lambda l, group: 7)
    for name, index in (("local_id", "{{l||5}}"), ("parity", "{{(l & 1)||n + 1}}")):
        yield case(f"broadcast_{name}", (f"out[g] = work_group_broadcast(l * 3, {index}); /*BUG*/",),
                   15 if name == "local_id" else 8, lambda l, group: 15, needs=("collectives",))
    yield case("broadcast_by_data", ("out[g] = work_group_broadcast(l * 3, in[g]); /*BUG*/",), 15, lambda l, group: 21,
               data=(LOADED, [7] * 32), needs=("collectives",))


def fences():
    """Barriers with other flags or another scope. Only the own word of local memory is used, so none of them is needed.

    LLVM's translator to SPIR-V takes constants only."""
    def fence(name, spelling, value=7, **more):
        return case(f"fence_{name}", ("t[l] = in[g];", spelling, "out[g] = t[l];"), 8,
                    lambda l, group: value, needs=("computed_fences",), forms=("source",), **more)
    yield fence("flags", "barrier(1 + {{(l & 1)||(n & 1)}}); /*BUG*/")
    yield fence("flags_by_data", "barrier(1 + (in[g] & 1)); /*BUG*/", 6, data=(LOADED, [6] * 32))
    yield fence("scope", "work_group_barrier(CLK_LOCAL_MEM_FENCE, (memory_scope)(1 + {{(l & 1)||(n & 1)}})); /*BUG*/")
    yield fence("in_helper", "fence_$K(1 + {{(l & 1)||(n & 1)}}); /*CALL*/",
                helper="void fence_$K(int flags) {\n  barrier(flags); /*BUG*/\n}\n")
    yield fence("loaded_branch", "if (in[0] >= 0 && in[g] >= 0) barrier(1 + {{(l & 1)||(n & 1)}}); /*BUG*/")


def cases():
    return [*copies(), *others(), *fences()]
