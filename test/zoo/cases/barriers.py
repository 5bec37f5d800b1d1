# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers and other collective calls that not all work-items of a work-group reach.

A case is a shape of control flow (barrier_shapes.py), a source of the value that decides, values that are kept across the
barrier, a geometry and a spelling of the barrier. Its findings and the results of its launches come from lockstep.py. The
ok_ variant is legal: the value is the same for all work-items of a group, by group id, argument, uniform load or by the
data alone (the text is the same then); or the barrier is where all come to, although they diverge before."""

import dataclasses
import itertools
import re
import typing

from cases.barrier_shapes import SHAPES
from lockstep import END, LEGAL, Item, LocalMemory, call, run
from model import FILL, Case, Launch, buffer, diverged, int32, ints, local, out_of_bounds

GROUPS = 2
BUG, BUG2 = call("BUG"), call("BUG2")


# --- geometry -------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Geometry:
    """Two work-groups, side by side in the first dimension."""
    local: tuple

    @property
    def size(self):
        x, y, z = (*self.local, 1, 1)[:3]
        return x * y * z

    @property
    def range(self):
        return (self.local[0] * GROUPS, *self.local[1:]), self.local

    def local_id(self, item):
        x, y, _ = (*self.local, 1, 1)[:3]
        return item % x, item // x % y, item // (x * y)

    @property
    def text(self):
        """Declares `l` and `g`."""
        if len(self.local) == 1:
            return "int l = get_local_id(0), g = get_global_id(0);"
        x, y, _ = (*self.local, 1)[:3]
        third = f" + {x * y} * (int)get_local_id(2)" if len(self.local) == 3 else ""
        return (f"int l = (int)get_local_id(0) + {x} * (int)get_local_id(1){third};\n"
                f"  int g = (int)get_group_id(0) * {self.size} + l;")


GEOMETRIES = {"16": Geometry((16,)), "64": Geometry((64,)), "4x4": Geometry((4, 4)), "32": Geometry((32,)),
              "2x4x2": Geometry((2, 4, 2)), "8x3": Geometry((8, 3))}


# --- sources of the value ---------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Source:
    """Where `v` comes from; `value` and `data` take an Item, `n` the local size. `data`: of in[g]"""
    text: str
    value: typing.Callable
    data: typing.Callable = lambda w: 0
    n: typing.Callable = lambda size, bug: 2
    before: tuple = ()  # stops at legal barriers
    adds: int = 0  # to in[g], by each work-item


def pattern(w):
    return (1, 0, 3, 2)[w.l & 3] if w.bug else (2, 0)[w.group & 1]


SOURCES = {
    "local_id": Source("int v = {{l & 3||(int)get_group_id(0) * 3}};", lambda w: w.l & 3 if w.bug else w.group * 3),
    # Legal: nobody comes to the barrier.
    "argument": Source("int v = l < n ? 3 : 0;", lambda w: 3 if w.l < w.n else 0, n=lambda size, bug: 5 if bug else 0),
    # Only the second group diverges. Legal: whole groups return.
    "global_id": Source("int v = g < n ? 3 : 0;", lambda w: 3 if w.g < w.n else 0,
                        n=lambda size, bug: size + 6 if bug else size),
    "loaded": Source("int v = in[g];", pattern, pattern),
    "uniform_load": Source("int v = in[{{g||n}}];", lambda w: (3, 2, 1, 0)[w.l & 3] if w.bug else 3,
                           lambda w: (3, 2, 1, 0)[w.l & 3] if w.bug else 3),
    "local_memory": Source("t[l] = in[g];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  int v = t[{{l ^ 1||2}}];\n"
                           "  barrier(CLK_LOCAL_MEM_FENCE);",
                           lambda w: (0, 3, 1, 2)[w.l & 3 ^ 1] if w.bug else 3, lambda w: (0, 3, 1, 2)[w.l & 3] if w.bug
                           else w.l + 1 & 3, before=(LEGAL, LEGAL)),
    "atomic": Source("int v = atomic_add(in + g, 1);", pattern, pattern, adds=1),
    "private_array": Source("int q[4];\n  for (int k = 0; k < 4; ++k) q[k] = k * n & 3;\n  int v = q[{{l||n}} & 3];",
                            lambda w: ((w.l if w.bug else 3) & 3) * 3 & 3, n=lambda size, bug: 3),
    # One work-item takes the other way. Legal: the condition is the same for all.
    "one": Source("int v = l == n ? 1 : 3;", lambda w: 1 if w.l == w.n else 3, n=lambda size, bug: size - 1 if bug else -1),
}


# --- values kept across the barrier -------------------------------------------------

# name: (outside, before, value after, the same of an Item)
CARRIES = {
    "nothing": ("", "", "0", lambda w: 0),
    "registers": ("", "int a = g * 3 + v;\n  float f = l * 0.5f;\n  long b = (long)a << 32;",
                  "a + (int)(f * 2) + (int)(b >> 32)", lambda w: 2 * (w.g * 3 + w.v) + w.l),
    "array": ("", "int p[4];\n  for (int k = 0; k < 4; ++k) p[k] = g + k * v;", "p[(l + v) & 3]",
              lambda w: w.g + (w.l + w.v & 3) * w.v),
    "vector": ("", "int4 a = (int4)(l, g, v, 5);", "a.x + a.y * a.z + a.w", lambda w: w.l + w.g * w.v + 5),
    "struct": ("struct kept_$K { char c; int a[2]; };\n", "struct kept_$K s = {(char)v, {l, g}};",
               "s.c + s.a[0] * 2 + s.a[1]", lambda w: w.v + 2 * w.l + w.g),
    "pointer": ("", "local int *q = t + l;\n  global int *o = out + g;", "(int)(q - t) + (int)(o - out)",
                lambda w: w.l + w.g),
}
INIT = "for (int k = 0; k < 4; ++k) t[k * $S + l] = k ? 0 : 1 + l;"
FENCES = ("barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
          "work_group_barrier(CLK_LOCAL_MEM_FENCE);", "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);")


def initialize(w):
    """As INIT does."""
    for k in range(4):
        w.store(k * w.size + w.l, 0 if k else 1 + w.l)


def items_of(geometry, n, bug, total=None):
    """Items, by group. `total`: work-items of the launch; the last group may be smaller"""
    rest = GROUPS * geometry.size if total is None else total
    group = 0
    while rest > 0:
        memory = LocalMemory()
        count = min(rest, geometry.size)
        yield [Item(l, group * geometry.size + l, group, geometry.size, n, bug, memory) for l in range(count)]
        rest -= geometry.size
        group += 1


def simulated(geometry, n, bug, steps, total=None):
    """(findings, `after` for `out`). `steps`: an item's generator"""
    groups = [[(item, steps(item)) for item in group] for group in items_of(geometry, n, bug, total)]
    findings = run(groups, geometry.local_id)
    return findings, tuple(left_by([item.out for group in groups for item, _ in group]))


def left_by(values):
    """Runs of ints; None: nothing was stored, ...: not compared."""
    fill = int.from_bytes(bytes([FILL] * 4), "little")
    for known, part in itertools.groupby(enumerate(values), lambda each: each[1] is not ...):
        part = list(part)
        if known:
            yield 0, 4 * part[0][0], ints(*(fill if value is None else value for _, value in part))


def arguments(geometry, data, n, total=None):
    size = 4 * (total or GROUPS * geometry.size)
    return buffer(size, bytes([FILL] * size)), buffer(size, data), local(16 * geometry.size), int32(n)


def kernel_text(geometry, outside, lines):
    body = "\n".join(f"  {line}" for line in lines if line)
    text = (f"{outside}kernel void $K(global int *out, global int *in, local int *t, int n) {{\n  {geometry.text}\n{body}\n}}\n")
    return text.replace("$S", str(geometry.size))


def needs_of(text):
    needs = []
    if "work_group_barrier" in text or "wait_group_events" in text:  # see accesses.py
        needs.append("c30")
    return needs


def matrix_case(name, source, carry, geometry, fence):
    shape, of, size = SHAPES[name], SOURCES[source], GEOMETRIES[geometry]
    outside, before, after, kept = CARRIES[carry]
    value = re.sub(r"\{\{(.*?)\|\|.*?\}\}", r"\1", of.text) if shape.by_text else of.text
    text = kernel_text(size, outside + shape.helper, (value, before, "int r = 0;", INIT, shape.text, f"out[g] = r + {after};"))
    text = text.replace("$B", FENCES[fence])

    def launch(bug):
        """(findings, launch)"""
        wrong = bug or shape.by_text  # of the value

        def steps(w):
            w.bug = wrong
            w.v = of.value(w)
            w.bug = bug
            yield from of.before
            initialize(w)
            r = yield from shape.steps(w)
            if r is not None:
                w.out = r + kept(w)
        n = of.n(size.size, wrong)
        found, out = simulated(size, n, bug, steps)
        assert bool(found) == bug, f"{name} {source}: {found}"
        data = [of.data(item) for group in items_of(size, n, wrong) for item in group]
        added = ((1, 0, ints(*(value + of.adds for value in data))),) if of.adds else ()
        return found, Launch(arguments(size, ints(*data), n), (*out, *added), None, size.range)

    name = name.strip("_")
    return made(f"{name}_{source}", text, launch, shape.forms,
                (("shape", name), ("source", source), ("kept", carry), ("geometry", geometry)))


def made(name, text, launch, forms=("source", "il"), axes=(), needs=(), also=()):
    """A case. `launch`: of whether it is the wrong variant"""
    findings, wrong = launch(True)
    return Case(f"barrier_{name}", text, wrong, launch(False)[1], findings[0], frozenset((*needs, *needs_of(text))),
                (("kind", "barrier_divergence"), *axes), "barriers", forms, (*findings[1:], *also))


def matrix():
    """Four sources for each shape; everything else by turns."""
    sources = itertools.cycle(SOURCES)
    carries = itertools.cycle(CARRIES)
    geometries = itertools.cycle(GEOMETRIES)
    fences = itertools.cycle((0, 1, 0, 2, 0, 1, 3))
    for name in SHAPES:
        for _ in range(4):
            yield matrix_case(name, next(sources), next(carries), next(geometries), next(fences))
        next(geometries)


# --- other collective calls ---------------------------------------------------------

SIXTEEN = GEOMETRIES["16"]
LOADED = SOURCES["loaded"]


def by_hand(name, lines, steps, helper="", source=LOADED, needs=(), also=(), total=None, forms=("source", "il")):
    """A case of groups of 16."""
    text = kernel_text(SIXTEEN, helper, lines).replace("$B", FENCES[0])

    def launch(bug):
        n = source.n(16, bug)
        found, out = simulated(SIXTEEN, n, bug, steps, total)
        assert bool(found) == bug, f"{name}: {found}"
        data = ints(*(source.data(item) for group in items_of(SIXTEEN, n, bug, total) for item in group))
        range_ = ((total,), (16,)) if total else SIXTEEN.range
        return found, Launch(arguments(SIXTEEN, data, n, total), out, None, range_)
    return made(name, text, launch, forms, needs=needs, also=also)


# name: (call, its value in a legal group of 16)
COLLECTIVES = {
    # PoCL 6.0 returns 0 for work_group_all(l < 16), too.
    "all": ("work_group_all(l == 7)", lambda w: 0),
    "any": ("work_group_any(l == 7)", lambda w: 1),
    "broadcast": ("work_group_broadcast(l * 3, 5)", lambda w: 15),
    "reduce_add": ("work_group_reduce_add(l)", lambda w: 120),
    "reduce_max": ("work_group_reduce_max(l + g)", lambda w: 30 + 16 * w.group),
    "scan_inclusive_add": ("work_group_scan_inclusive_add(l)", lambda w: w.l * (w.l + 1) // 2),
    "scan_exclusive_add": ("work_group_scan_exclusive_add(1)", lambda w: w.l),
}


def collectives():
    """What such a call returns in a group that has diverged is not compared."""
    for name, (text, value) in COLLECTIVES.items():
        store = f"({text} != 0)" if name in ("all", "any") else text

        def if_(w, value=value):
            r = 0
            if w.takes(pattern(w) > 1):
                yield BUG
                r = ... if w.bug else value(w)
            yield END
            w.out = r

        def returns(w, value=value):
            if w.takes(pattern(w) <= 1):
                return
            yield BUG
            w.out = ... if w.bug else value(w)
        yield by_hand(f"work_group_{name}_if", ("int r = 0;", f"if (in[g] > 1) /*BRANCH*/\n    r = {store}; /*BUG*/",
                                                "out[g] = r;"), if_, needs=("collectives",))
        yield by_hand(f"work_group_{name}_return", ("if (in[g] <= 1) return; /*BRANCH*/", f"out[g] = {store}; /*BUG*/"),
                      returns, needs=("collectives",))


COPY = "async_work_group_copy(t, in + 16 * get_group_id(0), 16, 0)"
STRIDED = "async_work_group_strided_copy(t, in + 8 * get_group_id(0), 8, 2, 0)"


def async_copies():
    """What a copy leaves in local memory in a group that has diverged is not compared."""
    def copied(w, at):
        return ... if w.bug else pattern(dataclasses.replace(w, l=at))

    def both(w, at=lambda l: l):
        r = 0
        if w.takes(pattern(w) > 1):
            yield BUG
            yield BUG2
            r = copied(w, at(w.l))
        yield END
        w.out = r
    for name, text, at, index in (("copy", COPY, lambda l: l, "l"), ("strided", STRIDED, lambda l: l % 8 * 2, "l % 8")):
        yield by_hand(f"async_{name}_if", ("int r = 0;", "if (in[g] > 1) { /*BRANCH*/", f"  event_t e = {text}; /*BUG*/",
                                           "  wait_group_events(1, &e); /*BUG2*/", f"  r = t[{index}];", "}", "out[g] = r;"),
                      lambda w, at=at: both(w, at))

    def waits(w):
        yield LEGAL
        if w.takes(w.bug and pattern(w) <= 1):
            return
        yield BUG
        w.out = copied(w, w.l)
    yield by_hand("async_return_between", (f"event_t e = {COPY};", "if ({{in[g] <= 1||n > 1000}}) return; /*BRANCH*/",
                                           "wait_group_events(1, &e); /*BUG*/", "out[g] = t[l];"), waits)

    def waits_if(w):
        yield LEGAL
        if w.takes(not w.bug or pattern(w) > 1):
            yield BUG
        yield END
        yield LEGAL
        w.out = copied(w, w.l)
    yield by_hand("async_wait_if", (f"event_t e = {COPY};", "if ({{in[g] > 1||n < 1000}}) /*BRANCH*/",
                                    "  wait_group_events(1, &e); /*BUG*/", "$B", "out[g] = t[l];"), waits_if)

    def loop(w):
        r = 0
        for _ in range(pattern(w)):
            w.takes(True)
            yield BUG
            yield BUG2
            r += 1
        w.takes(False)
        yield END
        w.out = r
    yield by_hand("async_for", ("int r = 0;", "for (int k = 0; k < in[g]; ++k) { /*BRANCH*/", f"  event_t e = {COPY}; /*BUG*/",
                                "  wait_group_events(1, &e); /*BUG2*/", "  ++r;", "}", "out[g] = r;"), loop)


# --- other sources and ranges -------------------------------------------------------

def tickets():
    """Which work-item draws which number is not determined, only how many there are."""
    for name, condition, count in (("first_three", "ticket < 3", 3), ("last", "ticket == 15", 1)):
        def steps(w, count=count):
            if w.l == 0:
                w.store(0, 0)
            yield LEGAL
            if w.takes(w.l < count if w.bug else True):
                yield BUG
            yield END
            yield LEGAL
            w.out = 16
        case = by_hand(f"ticket_{name}", ("if (l == 0) t[0] = 0;", "$B", "int ticket = atomic_inc(t);",
                                          f"if ({condition}{{{{|| || ticket >= 0}}}}) /*BRANCH*/", "  $B /*BUG*/", "$B",
                                          "out[g] = t[0];"), steps)
        yield dataclasses.replace(case, expected=diverged("BRANCH", (count, None), (16 - count, None), groups=2))


def non_uniform():
    """Groups of 16, 16 and 8."""
    def full(w):
        initialize(w)
        r = 0
        limit = 12 if w.bug else 16
        if w.takes(w.l < limit):
            yield BUG
            r = w.load(w.l ^ 1)
        yield END
        w.out = r
    text = ("int r = 0;", INIT, "if (l < (int){{get_enqueued_local_size(0) - 4||get_local_size(0)}}) { /*BRANCH*/",
            "  $B /*BUG*/", "  r = t[l ^ 1];", "}", "out[g] = r;")
    yield by_hand("non_uniform_full", text, full, needs=("non_uniform",), total=40)

    def last(w):
        initialize(w)
        size = 8 if w.group == 2 else 16
        if w.takes(w.l >= size - 2 and w.group == 2 if w.bug else False):
            return
        yield BUG
        w.out = w.load(w.l ^ 1)
    yield by_hand("non_uniform_last", (INIT, "if (g >= {{38||40}}) return; /*BRANCH*/", "$B /*BUG*/", "out[g] = t[l ^ 1];"), last,
                  needs=("non_uniform",), total=40)

    def trips(w):
        initialize(w)
        size = 8 if w.group == 2 else 16
        r = k = 0
        while w.takes(k < (1 + (w.l >= 10) if w.bug else size // 8)):
            yield BUG
            r += w.load(w.l ^ 1)
            k += 1
        yield END
        w.out = r
    yield by_hand("non_uniform_for", ("int r = 0;", INIT,
                                      "for (int k = 0; k < {{1 + (l >= 10)||(int)get_local_size(0) / 8}}; ++k) { /*BRANCH*/",
                                      "  $B /*BUG*/", "  r += t[l ^ 1];", "}", "out[g] = r;"), trips,
                  needs=("non_uniform",), total=40)


# --- a memory error beside ------------------------------------------------------------

def beside():
    """Work-item 2 of each group leaves `in`, too: at byte 4000 of 128."""
    def error(access):
        return dataclasses.replace(out_of_bounds(access, 4, "in", 128, 4000), mark="BUG2", items=2)
    wild = "in[{{l == 2 ? 1000 : g||g}}]"

    def if_(w, in_branch):
        initialize(w)
        r = 0
        if w.takes(pattern(w) > 1):
            yield BUG
            r = w.load(w.l ^ 1)
            if in_branch:
                r += 0 if w.bug and w.l == 2 else pattern(w)
        yield END
        w.out = r
    body = (INIT, "int r = 0;", "if (in[g] > 1) { /*BRANCH*/", "  $B /*BUG*/", "  r = t[l ^ 1];")
    yield by_hand("beside_read_in", (*body, f"  r += {wild}; /*BUG2*/", "}", "out[g] = r;"), lambda w: if_(w, True),
                  also=(error("read"),))
    yield by_hand("beside_write_after", (*body, "}", "out[g] = r;", f"{wild} = 5; /*BUG2*/"), lambda w: if_(w, False),
                  also=(error("write"),))
    # v is read first: the store changes it.
    yield by_hand("beside_write_before", (INIT, "int r = 0, v = in[g];", f"{wild} = 5; /*BUG2*/", "if (v > 1) { /*BRANCH*/",
                                          "  $B /*BUG*/", "  r = t[l ^ 1];", "}", "out[g] = r;"), lambda w: if_(w, False),
                  also=(error("write"),))

    def returns(w):
        initialize(w)
        if w.takes(pattern(w) <= 1):
            return
        yield BUG
        w.out = w.load(w.l ^ 1)
    yield by_hand("beside_return", (INIT, "if (in[g] <= 1) return; /*BRANCH*/", "$B /*BUG*/", "out[g] = t[l ^ 1];",
                                    f"atomic_inc(&{wild}); /*BUG2*/"), returns, also=(error("atomic"),))


# --- many barriers in one region --------------------------------------------------------

MANY = 40
# Of the work-items that all come to the first MANY barriers, some leave the group then.
TWO_OR_THREE = Source("", None, lambda w: 2 + (w.l & 1) if w.bug else 3)


def many():
    """Each work-item reads what its neighbor wrote before the barrier, in one of four parts of `t` by turns."""
    rounds = [f"  t[{k % 4 * 16} + l] = r + {k}; $B r = (r + t[{k % 4 * 16} + (l ^ 1)]) & 255;" for k in range(MANY)]

    def together(w):
        w.takes(True, None)
        r = 0
        for k in range(MANY):
            w.store(k % 4 * 16 + w.l, r + k)
            yield LEGAL
            r = r + w.load(k % 4 * 16 + (w.l ^ 1)) & 255
        return r

    def if_(w):
        r = yield from together(w)
        if w.takes(not w.bug or w.l & 1):
            yield BUG
            r += 1000
        yield END
        w.out = r
    yield by_hand("many_if", ("int r = 0;", "if (in[g] > 0) {", *rounds, "  if (in[g] > 2) { /*BRANCH*/", "    $B /*BUG*/",
                              "    r += 1000;", "  }", "}", "out[g] = r;"), if_, source=TWO_OR_THREE)

    def both(w):
        r = yield from together(w)
        if w.takes(not w.bug or w.l & 1):
            yield BUG
            r += 1000
        else:
            yield BUG2
            r += 2000
        yield END
        w.out = r
    yield by_hand("many_both_sides", ("int r = 0;", "if (in[g] > 0) {", *rounds, "  if (in[g] > 2) { /*BRANCH*/",
                                      "    $B /*BUG*/", "    r += 1000;", "  } else {", "    $B /*BUG2*/", "    r += 2000;", "  }",
                                      "}", "out[g] = r;"), both, source=TWO_OR_THREE)


def cases():
    return [*matrix(), *collectives(), *async_copies(), *tickets(), *non_uniform(), *beside(), *many()]
