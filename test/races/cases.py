# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels on local and global memory, and for each the trace of its launch that oracle.py judges.

A kernel is a list of steps that all its work-items execute: accesses, perhaps guarded, barriers, and loops of these. What a
step accesses is computed twice, by the OpenCL C that is printed and by the Python beside it, so a trace needs no driver."""

import dataclasses
import random

from oracle import Access, Barrier, Does, Order, Scope, Space

TYPES = {"char": 1, "short": 2, "int": 4, "long": 8}
BOTH = frozenset(Space)
FENCES = {"CLK_LOCAL_MEM_FENCE": frozenset((Space.LOCAL,)), "CLK_GLOBAL_MEM_FENCE": frozenset((Space.GLOBAL,)),
          "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE": BOTH}


@dataclasses.dataclass(frozen=True)
class Index:
    """Of a work-item l of n, in iteration k: of the work-group or, with g and m in their places, of the launch."""
    text: str
    value: object

    def named(self, of_launch):
        return self.text.replace("l", "g").replace("n", "m") if of_launch else self.text


INDICES = (
    Index("l", lambda l, n, k: l),
    Index("(l + 1) % n", lambda l, n, k: (l + 1) % n),
    Index("n - 1 - l", lambda l, n, k: n - 1 - l),
    Index("l / 2", lambda l, n, k: l // 2),
    Index("l ^ 1", lambda l, n, k: l ^ 1),
    Index("0", lambda l, n, k: 0),
    Index("3", lambda l, n, k: 3),
    Index("(l + k) % n", lambda l, n, k: (l + k) % n),
    Index("(l << k) % n", lambda l, n, k: (l << k) % n),
)
GUARDS = (
    ("", lambda l, n, k: True),
    ("if (l == 0) ", lambda l, n, k: l == 0),
    ("if (l == 3) ", lambda l, n, k: l == 3),
    ("if (l < n / 2) ", lambda l, n, k: l < n // 2),
    ("if (l & 1) ", lambda l, n, k: l & 1),
    ("if (l == k) ", lambda l, n, k: l == k),
)
GROUP_GUARD = "if (get_group_id(0) == 0) "


@dataclasses.dataclass(frozen=True)
class Array:
    name: str
    element: str
    space: Space = Space.LOCAL
    passed: bool = True  # as an argument
    memory: int = 0  # number; two arguments may have one buffer

    def declaration(self, items):
        return f"{self.space.value} {self.element} " + (f"*{self.name}" if self.passed else f"{self.name}[{items}]")


@dataclasses.dataclass(frozen=True)
class Touch:
    line: int
    array: int
    does: str  # "read", "write", "atomic"
    index: Index
    of_launch: bool  # the index, by the global id
    guard: tuple
    first_group: bool  # guarded by the group id, too

    def text(self, arrays):
        array = arrays[self.array]
        what = f"{array.name}[{self.index.named(self.of_launch)}]"
        guard = (GROUP_GUARD if self.first_group else "") + self.guard[0]
        return guard + {"read": f"sum += {what};", "write": f"{what} = ({array.element})(g + 1);",
                        "atomic": f"atomic_add(&{what}, 1);"}[self.does]


@dataclasses.dataclass(frozen=True)
class Wait:
    line: int
    fence: str

    def text(self, _):
        return f"barrier({self.fence});"


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    source: str
    items: int  # of each work-group
    groups: int
    arguments: tuple  # behind the first: "local:BYTES" or "buffer:MEMORY:OFFSET:BYTES"
    trace: tuple  # of oracle.py; an access's site is its line
    races: bool | None = None  # None: what the trace says


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def touch(self, line, arrays):
        pick = self.random
        array = pick.randrange(len(arrays))
        does = pick.choice(("read", "read", "write", "write", "atomic"))
        if does == "atomic" and arrays[array].element != "int":
            does = "write"
        # Most accesses of real kernels are to an element of the work-item's own.
        index = INDICES[0] if pick.random() < 0.5 else pick.choice(INDICES)
        guard = GUARDS[0] if pick.random() < 0.6 else pick.choice(GUARDS)
        of_launch = arrays[array].space is Space.GLOBAL and pick.random() < 0.8
        return Touch(line, array, does, index, of_launch, guard, pick.random() < 0.2)

    def wait(self, line, arrays):
        likely = "CLK_GLOBAL_MEM_FENCE" if arrays[0].space is Space.GLOBAL else "CLK_LOCAL_MEM_FENCE"
        fence = likely if self.random.random() < 0.7 else self.random.choice(sorted(FENCES))
        return Wait(line, fence)

    def case(self, number):
        pick = self.random
        items, groups = pick.choice((4, 6, 8, 8)), pick.choice((1, 1, 2, 3))
        arrays = []
        for i in range(pick.choice((1, 1, 2))):
            space = Space.GLOBAL if pick.random() < 0.5 else Space.LOCAL
            arrays.append(Array(f"t{i}", pick.choice(("int", "int", *TYPES)), space,
                                space is Space.GLOBAL or pick.random() < 0.5,
                                0 if pick.random() < 0.3 else i))
        name = f"case_{number}"
        parameters = "".join(f", {each.declaration(items)}" for each in arrays if each.passed)
        lines = [f"kernel void {name}(global int *out{parameters}) {{"]
        lines += [f"  {each.declaration(items)};" for each in arrays if not each.passed]
        lines += ["  int l = get_local_id(0), n = get_local_size(0), k = 0, sum = 0;",
                  "  int g = get_global_id(0), m = get_global_size(0);"]
        steps = []  # (iterations, [step])
        for _ in range(pick.randint(2, 4)):
            rounds = pick.choice((1, 1, 1, 2, 3))
            if rounds > 1:
                lines.append(f"  for (k = 0; k < {rounds}; ++k) {{")
            body = []
            for _ in range(pick.randint(1, 3)):
                step = self.wait(len(lines) + 1, arrays) if pick.random() < 0.4 else self.touch(len(lines) + 1, arrays)
                lines.append("    " + step.text(arrays))
                body.append(step)
            if rounds > 1:
                lines += ["  }", "  k = 0;"]
            steps.append((rounds, body))
        lines += ["  out[get_global_id(0)] = sum;", "}"]
        trace = tuple(event for group in range(groups) for event in self.run(steps, items, groups, group, arrays))
        # A buffer has room for the largest of the arrays that it is for.
        largest = {each.memory: items * groups * max(TYPES[other.element] for other in arrays if other.memory == each.memory)
                   for each in arrays}
        arguments = tuple(f"local:{items * TYPES[each.element]}" if each.space is Space.LOCAL
                          else f"buffer:{each.memory}:0:{largest[each.memory]}" for each in arrays if each.passed)
        return Case(name, "\n".join(lines) + "\n", items, groups, arguments, trace)

    @staticmethod
    def run(steps, items, groups, group, arrays):
        """The trace of a work-group: between two barriers, one work-item after another."""
        flat = [(step, k) for rounds, body in steps for k in range(rounds) for step in body]
        intervals = [[]]
        for step, k in flat:
            intervals[-1].append((step, k))
            if isinstance(step, Wait):
                intervals.append([])
        for interval in intervals:
            for local in range(items):
                item = group * items + local
                for step, k in interval:
                    if isinstance(step, Wait):
                        yield Barrier(item, FENCES[step.fence])
                    elif step.guard[1](local, items, k) and not (step.first_group and group):
                        array = arrays[step.array]
                        index = step.index.value(*((item, items * groups) if step.of_launch else (local, items)), k)
                        size = TYPES[array.element]
                        # A variable or argument in local memory is none but its own.
                        start = 4096 * (array.memory if array.space is Space.GLOBAL else step.array)
                        yield Access(item, {"read": Does.READ, "write": Does.WRITE, "atomic": Does.UPDATE}[step.does],
                                     array.space, start + index * size, size,
                                     Order.RELAXED if step.does == "atomic" else None, Scope.DEVICE, str(step.line))


# What the random ones do not have, with the verdict that follows from the specification: (name, races, source). A
# compare-exchange that fails changes nothing.
BY_HAND = (
    ("failed_exchange", False, """
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) sum += t[0];
  else atomic_cmpxchg(t, 1, 2);"""),
    ("exchange", True, """
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) sum += t[0];
  else atomic_cmpxchg(t, 0, 2);"""),
    ("copied_elsewhere", False, """
  event_t e = async_work_group_copy(t, out, n, 0);
  wait_group_events(1, &e);
  sum += t[n - 1 - l];"""),
    ("written_after_copy", True, """
  event_t e = async_work_group_copy(t, out, n, 0);
  wait_group_events(1, &e);
  sum += t[n - 1 - l];
  t[l] = 1;"""),
    ("parts_of_a_vector", False, """
  vstore2((int2)(l, l), l / 2, t + 2 * (l % 2 ? n / 2 : 0));
  if (l > 100) sum += t[l];"""),
    ("overlapping_widths", True, """
  ((local short *)t)[2 * l + 1] = 1;
  t[(l + 1) % n] = 2;"""),
    ("halves_of_an_element", False, """
  local short *h = (local short *)t;
  if (l < n / 2) h[2 * l] = 1;
  else h[2 * (l - n / 2) + 1] = 1;"""),
    ("only_one_reads", False, """
  local int x;
  if (l == 0) x = 5;
  int v = 7;
  if (l == 0) v = x;
  sum += v;"""),
    ("last_step_of_a_reduction", False, """
  local int r[8];
  r[l] = l;
  for (int s = 4; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) r[l] += r[l + s];
  }
  sum = l == 0 ? r[0] : 0;"""),
    ("shared_by_lanes", True, """
  int i = l / 2;
  t[i] = get_global_id(0);"""),
    ("flag_that_one_changes", True, """
  t[0] = 0;
  if (l & 1) t[0] = l;"""),
    ("flag_with_two_values", True, """
  t[0] = 1;
  if (l == 0) t[0] = 2;"""),
    ("flag_that_its_writer_reads", True, """
  volatile local int *f = t;
  if (l < 2) *f = 1;
  if (l == 1) sum = *f;"""),
    ("constant_in_a_loop", False, """
  for (int k = 0; k < l; ++k)
    t[0] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = t[0];"""),
    ("packed_constant", True, """
  struct __attribute__((packed)) P { int v; };
  if (l < 2) ((local struct P *)((local char *)t + 2 * l))->v = 1;"""),
    ("same_value", True, """
  t[3] = 0;
  sum += t[l];"""),
    ("unaligned_vectors", True, """
  if (l == 1) vstore2((int2)(1, 2), 0, t + 2);
  if (l == 0) vstore2((int2)(1, 2), 0, t + 3);"""),
    ("helper", True, """
  put(t, l);
  sum += t[l ^ 1];"""),
    ("last_iteration", True, """
  for (int k = 0; k < 40; ++k) {
    t[l] = k;
    if (k < 39) barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[l ^ 1] * (k == 39);
    barrier(CLK_LOCAL_MEM_FENCE);
  }"""),
    ("many_barriers", True, """
  for (int k = 0; k < 70000; ++k)
    barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = 1;
  sum += t[l ^ 1];"""),
    ("many_rounds", False, """
  for (int k = 0; k < 3000; ++k) {
    t[(l + k) % n] += l;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum += t[l];"""),
)
# The same, of two work-groups and global memory; u is the second half of t as a sub-buffer.
IN_GLOBAL = (
    ("neighbor", True, """
  sum += t[g];
  t[(g + 1) % m] = g;"""),
    ("own_elements", False, """
  t[g] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[g] += 1;"""),
    ("across_groups", True, """
  t[g] = g;
  barrier(CLK_GLOBAL_MEM_FENCE);
  sum += t[m - 1 - g];"""),
    ("within_group", False, """
  t[g] = g;
  barrier(CLK_GLOBAL_MEM_FENCE);
  sum += t[g ^ 1];"""),
    ("wrong_fence", True, """
  t[g] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += t[g ^ 1];"""),
    ("atomics_alone", False, """
  atomic_add(t, 1);
  atomic_max(t + 1, g);"""),
    ("atomic_and_plain", True, """
  atomic_add(t, 1);
  if (g == 3) sum += t[0];"""),
    ("all_read", False, """
  for (int k = 0; k < m; ++k)
    sum += t[k];"""),
    ("sub_buffer", True, """
  t[g] = g;
  sum += u[l];"""),
    ("own_in_sub_buffer", False, """
  if (g < m / 2) t[g] = g;
  else u[g - m / 2] = g;
  sum += t[g];"""),
    ("flag_that_one_changes", True, """
  t[0] = 0;
  if (g & 1) t[0] = g;"""),
    ("flag_of_another_group", True, """
  if (l == 0) t[0] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (g == m - 1) t[0] = 2;"""),
    ("flag_that_its_writer_reads", True, """
  volatile global int *f = t;
  if (g == 0 || g == m - 1) *f = 1;
  if (g == m - 1) sum = *f;"""),
    ("bytes", False, """
  ((global char *)t)[g] = g;"""),
    ("bytes_and_int", True, """
  ((global char *)t)[g] = g;
  sum += g == 9 ? t[0] : 0;"""),
    ("flag", False, """
  if (g > 3) t[0] = 1;"""),
    ("flag_is_read", True, """
  if (g > 3) t[0] = 1;
  if (g == 0) sum += t[0];"""),
    ("two_flags", True, """
  if (g > 9) t[0] = 1;
  else t[0] = 2;"""),
    ("chosen", True, """
  global int *p = g & 1 ? t : u;
  p[0] = g;"""),
    ("chosen_own", False, """
  global int *p = g < m / 2 ? t : u;
  p[l] = g;"""),
    ("helper", True, """
  put(t + 1, l);"""),
    ("many_barriers", False, """
  for (int k = 0; k < 2000; ++k) {
    t[g ^ (k & 1)] += l;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }"""),
)
ITEMS, HALF = 32, 128


def by_hand():
    first = "\n  int l = get_local_id(0), n = get_local_size(0), sum = 0;"
    for name, races, text in BY_HAND:
        source = ("void put(local int *t, int l) { t[l] = l; }\n" if name == "helper" else "") + \
            f"kernel void {name}(global int *out, local int *t) {{{first}{text}\n  out[get_global_id(0)] = sum;\n}}\n"
        yield Case(name, source, 8, 1, ("local:64", ), (), races)
    first += "\n  int g = get_global_id(0), m = get_global_size(0);"
    for short, races, text in IN_GLOBAL:
        name = "global_" + short
        source = ("void put_there(global int *t, int l) { t[l] = l; }\n" if short == "helper" else "") + \
            f"kernel void {name}(global int *out, global int *t, global int *u) {{{first}" + \
            f"{text.replace('put(', 'put_there(')}\n  out[g] = sum;\n}}\n"
        yield Case(name, source, ITEMS, 2, (f"buffer:0:0:{2 * HALF}", f"buffer:0:{HALF}:{HALF}"), (), races)


def cases(seed, count):
    """By hand, then random ones."""
    maker = Maker(seed)
    return [*by_hand(), *(maker.case(number) for number in range(count))]
