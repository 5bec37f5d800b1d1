# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels on local memory, and for each the trace of its only work-group that oracle.py judges.

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
    """Of a work-item l of n, in iteration k."""
    text: str
    value: object


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


@dataclasses.dataclass(frozen=True)
class Touch:
    line: int
    array: int
    does: str  # "read", "write", "atomic"
    index: Index
    guard: tuple

    def text(self, arrays):
        name, element = arrays[self.array]
        what = f"{name}[{self.index.text}]"
        return self.guard[0] + {"read": f"sum += {what};", "write": f"{what} = ({element})(l + 1);",
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
    items: int  # of the work-group
    arguments: tuple  # bytes of each __local argument
    trace: tuple  # of oracle.py; an access's site is its line
    races: bool | None = None  # None: what the trace says


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def touch(self, line, arrays):
        pick = self.random
        array = pick.randrange(len(arrays))
        does = pick.choice(("read", "read", "write", "write", "atomic"))
        if does == "atomic" and arrays[array][1] != "int":
            does = "write"
        # Most accesses of real kernels are to an element of the work-item's own.
        index = INDICES[0] if pick.random() < 0.5 else pick.choice(INDICES)
        guard = GUARDS[0] if pick.random() < 0.6 else pick.choice(GUARDS)
        return Touch(line, array, does, index, guard)

    def wait(self, line):
        fence = "CLK_LOCAL_MEM_FENCE" if self.random.random() < 0.8 else self.random.choice(sorted(FENCES))
        return Wait(line, fence)

    def case(self, number):
        pick = self.random
        items = pick.choice((4, 6, 8, 8))
        arrays = [(f"t{i}", pick.choice(("int", "int", *TYPES))) for i in range(pick.choice((1, 1, 2)))]
        passed = [pick.random() < 0.5 for _ in arrays]
        name = f"case_{number}"
        parameters = "".join(f", local {element} *{name_}" for (name_, element), is_ in zip(arrays, passed) if is_)
        lines = [f"kernel void {name}(global int *out{parameters}) {{"]
        lines += [f"  local {element} {name_}[{items}];" for (name_, element), is_ in zip(arrays, passed) if not is_]
        lines += ["  int l = get_local_id(0), n = get_local_size(0), k = 0, sum = 0;"]
        steps = []  # (iterations, [step])
        for _ in range(pick.randint(2, 4)):
            rounds = pick.choice((1, 1, 1, 2, 3))
            if rounds > 1:
                lines.append(f"  for (k = 0; k < {rounds}; ++k) {{")
            body = []
            for _ in range(pick.randint(1, 3)):
                step = self.wait(len(lines) + 1) if pick.random() < 0.4 else self.touch(len(lines) + 1, arrays)
                lines.append("    " + step.text(arrays))
                body.append(step)
            if rounds > 1:
                lines += ["  }", "  k = 0;"]
            steps.append((rounds, body))
        lines += ["  out[get_global_id(0)] = sum;", "}"]
        trace = tuple(self.run(steps, items, [TYPES[element] for _, element in arrays]))
        sizes = tuple(items * TYPES[element] for (_, element), is_ in zip(arrays, passed) if is_)
        return Case(name, "\n".join(lines) + "\n", items, sizes, trace)

    @staticmethod
    def run(steps, items, sizes):
        """The trace: between two barriers, one work-item after another."""
        flat = [(step, k) for rounds, body in steps for k in range(rounds) for step in body]
        intervals = [[]]
        for step, k in flat:
            intervals[-1].append((step, k))
            if isinstance(step, Wait):
                intervals.append([])
        for interval in intervals:
            for item in range(items):
                for step, k in interval:
                    if isinstance(step, Wait):
                        yield Barrier(item, FENCES[step.fence])
                    elif step.guard[1](item, items, k):
                        index = step.index.value(item, items, k)
                        yield Access(item, {"read": Does.READ, "write": Does.WRITE, "atomic": Does.UPDATE}[step.does],
                                     Space.LOCAL, 4096 * step.array + index * sizes[step.array], sizes[step.array],
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
ITEMS = 8


def by_hand():
    for name, races, text in BY_HAND:
        source = ("void put(local int *t, int l) { t[l] = l; }\n" if name == "helper" else "") + \
            f"kernel void {name}(global int *out, local int *t) {{\n" + \
            "  int l = get_local_id(0), n = get_local_size(0), sum = 0;" + text + \
            "\n  out[get_global_id(0)] = sum;\n}\n"
        yield Case(name, source, ITEMS, (8 * ITEMS, ), (), races)


def cases(seed, count):
    """By hand, then random ones."""
    maker = Maker(seed)
    return [*by_hand(), *(maker.case(number) for number in range(count))]
