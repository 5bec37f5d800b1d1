#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of OpenCL C as users write them, with launches whose values lie at the edges.

    test/trust/generate.py SEED      prints the kernel of a seed, and its part of a job for trust_host

It shares nothing with WarpSan's prover, nor with the other generators of the
tests: there is no model of what a kernel accesses. Guard pages say that.
"""

import random
import sys

from expressions import COMMON, TYPES, Expressions
from statements import Statements
from steps import Steps

# Values of scalars: small ones, and both sides of every edge of a type.
SMALL = list(range(-6, 12)) + [15, 16, 17, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128]
EDGES = [-128, -129, 255, 256, 32767, 32768, -32768, 65535, 65536, 2**31 - 1, 2**31 - 2, 2**31 - 48, -2**31, -2**31 + 1,
         -2**31 + 63, 2**30, 2**32 - 1, 2**32, 2**32 - 64, 2**40, 2**63 - 1, -2**63, 715827883, 1431655766]


# The share of kernels that steps.py makes: small ones are compiled quickly, and proven more often.
CHAINS = 0.8


class Kernel:
    """A kernel's text and its part of the job: `arguments` and `launches` are lines for trust_host."""

    def __init__(self, seed):
        self.seed = seed
        self.name = f"t_{seed}"
        self.random = random.Random(seed * 7919 + 13)
        self.dims = self.random.choice([1, 1, 1, 1, 2, 2, 3])
        self.of = Expressions(self.random, self.dims)
        self.parameters, self.arguments, self.scalars = [], [], []
        self.before, self.counts = [], []
        self.pool = [0, 1, self.random.randint(2, 9), self.random.choice([7, 8, 12, 16, 31, 64])]
        if self.random.random() < CHAINS:
            self.make_chain()
        else:
            self.make_program()

    def make_chain(self):
        """A small kernel (steps.py)."""
        chain = Steps(self.random, self.seed, self.dims, self.pool, [], self.counts)
        for name in ["out", "more"][:self.random.choice([1, 1, 1, 1, 2])]:
            kind = self.random.choice(["int"] * 6 + ["uint", "uchar", "short", "long", "float"])
            if self.of.chance(6) and not self.before:
                kind = "struct"
                self.before.append(f"typedef struct {{ int x; short y[2]; }} pair_{self.seed};")
            self.take_buffer(name, kind)
            chain.outputs.append((name, kind))
        if self.of.chance(12):
            low = self.random.choice([0, 0, 1, -1, -3])
            self.parameters.append("global const int *table")
            self.arguments.append(f"indices 4 {low} {low + self.random.choice([0, 7, 31, 63])}")
            chain.table = True
        for number in range(self.random.choice([1, 1, 2, 2, 3])):
            counts = self.of.chance(40)
            kind = "int" if counts else self.random.choice(["int"] * 6 + ["uint", "uint", "long", "short", "uchar", "char"])
            name = f"{'m' if counts else 'n'}{number}"
            self.parameters.append(f"{kind} {name}")
            self.arguments.append(f"scalar {TYPES[kind] // 8}")
            self.scalars.append((kind, "count" if counts else "size"))
            (self.counts if counts else chain.sizes).append(name)
        if self.of.chance(6):
            chain.put("local int shared[32];")
            chain.outputs.append(("shared", "int"))
        chain.make()
        self.launches = [self.launch() for _ in range(self.random.randint(4, 6))]
        self.lines = [*self.before, *chain.before, self.head(), *chain.lines, "}"]

    def make_program(self):
        """A kernel of any statements."""
        writable = self.memory()
        self.take_scalars()
        body = Statements(self.random, self.of, writable, self.counts)
        self.declare_arrays(body)
        self.helpers(body)
        self.make_body(body)
        self.launches = [self.launch() for _ in range(self.random.randint(3, 5))]
        self.lines = [*self.before, self.head(), *body.lines, "}"]

    def head(self):
        return f"kernel void {self.name}({', '.join(self.parameters)}) {{"

    def take_buffer(self, name, kind):
        text = f"pair_{self.seed}" if kind == "struct" else kind
        self.parameters.append(f"global {text} *{name}")
        self.arguments.append(f"buffer {8 if kind == 'struct' else 4 if kind == 'float' else TYPES[kind] // 8}")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def job(self, launches=None):
        lines = [f"kernel {self.name}", *self.arguments, *(launches or self.launches)]
        return "\n".join(lines) + "\n"

    # --- arguments ---------------------------------------------------------

    def memory(self):
        writable = []
        for name in ["out", "more"][:self.random.choice([1, 1, 1, 2])]:
            kind = self.random.choice(["int"] * 5 + ["uint", "uchar", "short", "long", "float"])
            if self.of.chance(6) and not self.before:
                kind = "struct"
                self.before.append(f"typedef struct {{ int x; short y[2]; }} pair_{self.seed};")
            self.take_buffer(name, kind)
            writable.append((name, kind))
        if self.of.chance(35):
            kind = self.random.choice(COMMON)
            self.parameters.append(f"{self.of.one('global const', 'constant')} {kind} *in")
            self.arguments.append(f"buffer {TYPES[kind] // 8}")
            self.of.loads.append(lambda: f"in[{self.bounded(128)}]")
        if self.of.chance(30):
            low = self.random.choice([0, 0, 0, 1, -1, -3])
            high = low + self.random.choice([0, 7, 31, 63, 99, 127])
            self.parameters.append("global const int *table")
            self.arguments.append(f"indices 4 {low} {high}")
            self.of.loads += [lambda: f"table[{self.bounded(64)}]"] * 3
        return writable

    def bounded(self, size):
        """An index that mostly stays below `size`."""
        if self.of.chance(10):
            return self.of.index(size)
        base = self.of.atom() if not self.of.loads or self.of.chance(80) else self.of.value(1)
        return self.of.one(f"({base} & {size - 1})", f"clamp((int)({base}), 0, {size - 1})",
                           f"((uint)({base}) % {size}u)", f"min((uint)({base}), {size - 1}u)")

    def take_scalars(self):
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(COMMON)
            name = f"{self.of.one('n', 'k', 'm', 'off')}{len(self.scalars)}"
            small = self.of.chance(55)
            if small:
                kind = "int"
                self.counts.append(name)
            self.parameters.append(f"{kind} {name}")
            self.arguments.append(f"scalar {TYPES[kind] // 8}")
            self.scalars.append((kind, "small" if small else "any"))
            self.of.scope.append((name, kind))

    def declare_arrays(self, body):
        if self.of.chance(25):
            size = self.random.choice([4, 8, 16, 64])
            values = ", ".join(str(self.random.randrange(-3, 40)) for _ in range(size))
            body.put(f"int own[{size}] = {{{values}}};")
            self.of.loads.append(lambda: f"own[{self.bounded(size)}]")
            if size == 64 or self.of.chance(20):
                body.writable.append(("own", "int"))
        if self.of.chance(8):
            body.put(f"union {{ int i; uchar c[4]; short s[2]; }} both = {{{self.of.value(1)}}};")
            self.of.loads += [lambda: f"both.c[({self.of.atom()} & 3)]", lambda: "both.s[1]", lambda: "both.i"]
        if self.of.chance(8):
            body.put(f"struct {{ int a[4]; char b; }} rec = {{{{1, {self.of.number()}, 7, 40}}, "
                     f"(char)({self.of.value(1)})}};")
            self.of.loads += [lambda: f"rec.a[({self.of.atom()} & 3)]", lambda: "rec.b"]
        if self.of.chance(20):
            body.put("local int shared[128];")
            body.put("for (int i = get_local_linear_id(); i < 128; "
                     "i += get_local_size(0) * get_local_size(1) * get_local_size(2)) shared[i] = i / 3;")
            body.put("barrier(CLK_LOCAL_MEM_FENCE);")
            self.of.loads.append(lambda: f"shared[{self.bounded(128)}]")
            body.writable.append(("shared", "int"))

    def helpers(self, body):
        if self.of.chance(20):
            inner = Expressions(self.random, self.dims)
            inner.scope = [("x", "int"), ("y", "int")]
            self.before += [f"int f_{self.seed}(int x, int y) {{", f"  if {inner.condition(1)}",
                            f"    return {inner.value(2)};", f"  return {inner.index()};", "}"]
            self.of.helpers.append((f"f_{self.seed}", 2))
        whole = [(name, kind) for name, kind in body.writable if kind != "struct" and name in ("out", "more")]
        if whole and self.of.chance(20):
            name, kind = whole[0]
            limit = self.random.choice([16, 50, 64])
            self.before += [f"void put_{self.seed}(global {kind} *p, int i, int v) {{", f"  if (i {self.of.one('<', '<=', '!=')} {limit})",
                            f"    p[{self.of.one('i', 'i', 'i + 1', '(i & 63)', 'abs(i)')}] = v;", "}"]
            body.calls.append(lambda: f"put_{self.seed}({name}{self.of.one('', '', ' + 3')}, {self.of.index()}, "
                                      f"{self.of.atom()});")

    def make_body(self, body):
        if self.of.chance(60):
            self.begin(body)
        # Small kernels are proven more often, and quicker to compile.
        if self.of.chance(50):
            for _ in range(self.random.randint(0, 1)):
                body.declare()
            body.idiom()
            if self.of.chance(30):
                body.budget = 1
                body.statement()
            return
        for _ in range(self.random.randint(1, 3)):
            body.declare()
        body.budget = self.random.choice([2, 3, 5, 8])
        if self.of.chance(12):
            body.put(f"if {self.of.condition(1)} return;")
        body.several(self.random.choice([1, 2, 3]))()
        if self.of.chance(12) and not any("goto" in line for line in body.lines):
            if self.of.chance(20):
                body.block(f"if {self.of.condition(1)} {{", lambda: body.put("barrier(CLK_LOCAL_MEM_FENCE);"))
            else:
                body.put("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
            body.several(2)()
        body.random.choice([body.guarded_store, body.store])()

    def begin(self, body):
        """int x = get_global_id(0) + n;"""
        scalar = self.random.choice([*self.counts, *self.counts, *(name for name, _ in self.of.scope)])
        identity = self.random.choice(["(int)get_global_id(0)", "(int)get_global_id(0)", "get_global_id(0)",
                                       "(int)get_local_id(0)", "(int)get_group_id(0)"])
        text = self.random.choice([f"{identity} + {scalar}", f"{identity} - {scalar}", f"{scalar} - {identity}",
                                   f"{identity} * {scalar}", f"{identity} * {self.random.randrange(2, 9)} + {scalar}",
                                   f"{identity} - {self.random.randrange(1, 9)}", identity])
        body.put(f"{self.of.one('int', 'int', 'int', 'uint', 'long', 'short')} x = {text};")
        self.of.scope += [("x", "int")] * 3

    # --- launches ----------------------------------------------------------

    def scalar_value(self, what, sizes):
        """A value for a scalar: around the kernel's numbers and the launch's sizes, or at the edges of types."""
        choice = self.random
        if what == "small":
            return choice.choice([choice.randrange(-9, 0), choice.randrange(0, 9), choice.randrange(0, 41)])
        near = choice.choice(self.pool) + choice.choice([0, 0, 1, -1, 2])
        if what == "count":
            return max(1, choice.choice([near, near, choice.randrange(1, 9), choice.randrange(1, 41), min(sizes[0], 40)]))
        if what == "any" or choice.random() < 0.1:
            return choice.choice(SMALL + EDGES)
        if choice.random() < 0.2:
            return choice.choice([2**31 - 1, -2**31]) + choice.choice([-1, 1]) * choice.choice([0, 0, 1, 7, 48, 100])
        return choice.choice([near, -near, -near, choice.randrange(-9, 0), choice.randrange(0, 9), sizes[0] + choice.choice([-1, 0, 1]),
                              choice.randrange(0, 100)])

    def launch(self):
        choice = self.random
        # Few local sizes: drivers compile kernels for each.
        local = {1: [[8], [5]], 2: [[4, 2]], 3: [[2, 3, 2]]}[self.dims]
        local = choice.choice(local)
        if choice.random() < 0.15:
            local = [0] * self.dims
        sizes = []
        for length in local:
            groups = choice.choice([1, 1, 2, 3, 5, 8]) if self.dims == 1 else choice.choice([1, 2, 3])
            size = max(length, 1) * groups
            if choice.random() < 0.25:
                size += choice.randint(1, max(length, 3))
            sizes.append(size)
        offset = [0] * self.dims
        if choice.random() < 0.2:
            offset = [choice.choice([0, 1, 3, 8, 60, 100]) for _ in offset]
        elif choice.random() < 0.04:
            offset[0] = choice.choice([2**31 - 20, 2**32 - 7, 2**31, 2**63 - 100])
        values = []
        for kind, what in self.scalars:
            value = self.scalar_value(what, sizes)
            bits = TYPES[kind]
            values.append(((value + 2**63) % 2**64 - 2**63) if bits == 64 else value % 2**bits)
        pad = lambda numbers, fill: [*numbers, *[fill] * (3 - len(numbers))]  # noqa: E731
        return "launch " + " ".join(map(str, [self.dims, *pad(sizes, 1), *pad(local, 1 if local[0] else 0),
                                              *pad(offset, 0), *values]))


if __name__ == "__main__":
    made = Kernel(int(sys.argv[1]))
    print(made.text, made.job(), sep="\n")
