# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements of OpenCL C, one a line; blocks open and close on lines of their own, for reduce.py.

Every loop ends: its trip count is a small constant, a masked value, or an
argument whose values are small (`counts`).
"""

import idioms
from expressions import COMMON, Expressions


class Statements:
    may_goto = True  # whether loops may be entered at two places

    def __init__(self, random, expressions: Expressions, writable, counts):
        self.random = random
        self.of = expressions
        self.writable = writable  # (name, element type) of memory that may be written
        self.counts = counts  # names of scalars with small values
        self.lines = []
        self.level = 1
        self.loops = 0
        self.names = 0
        self.pointers = []  # (name, element type)
        self.calls = []  # functions that return the text of a call of a helper that writes
        self.fixed = set()  # variables that must not be assigned: loop counters
        self.budget = 14

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def put(self, text):
        self.lines.append("  " * self.level + text)

    def block(self, head, body, end="}"):
        """A statement with a block; what is declared in it goes out of scope."""
        self.put(head)
        self.level += 1
        scope, pointers = list(self.of.scope), list(self.pointers)
        body()
        self.of.scope[:], self.pointers = scope, pointers
        self.level -= 1
        self.put(end)

    def several(self, most):
        def make():
            for _ in range(self.random.randint(1, most)):
                self.statement()
        return make

    def idiom(self):
        self.random.choice(idioms.ALL)(self)

    def statement(self):
        self.budget -= 1
        if self.budget < 0 or self.level > 4:
            return self.random.choice([self.store, self.store, self.guarded_store, self.assign])()
        if self.loops < 2 and self.of.chance(50):
            return self.idiom()
        makers = [self.declare] * 3 + [self.assign] * 3 + [self.store] * 3 + [self.guarded_store] * 4 + \
            [self.branch] * 2 + [self.pointer, self.switch, self.pointer_walk, self.vector_store, self.atomic]
        if self.calls:
            makers += [self.call]
        if self.loops < 3:
            makers += [self.loop] * 4 + [self.while_loop]
            # PoCL's compiler does not end if there are barriers too.
            if self.loops < 2 and self.may_goto and not any("barrier" in line for line in self.lines):
                makers += [self.irreducible]
        if self.loops:
            makers += [self.leave]
        return self.random.choice(makers)()

    # --- variables ---------------------------------------------------------

    def declare(self):
        kind, name = self.random.choice(COMMON), self.name("v")
        text = self.of.index() if self.of.chance(40) else self.of.value(2)
        self.put(f"{kind} {name} = {text};")
        self.of.scope.append((name, kind))

    def assign(self):
        free = [name for name, _ in self.of.scope if name not in self.fixed]
        if not free:
            return self.declare()
        name = self.random.choice(free)
        return self.put(self.of.one(
            f"{name} = {self.of.value(2)};", f"{name} = {self.of.index()};", f"{name} += {self.of.value(1)};",
            f"{name} -= {self.of.value(1)};", f"{name}++;", f"{name} ^= {self.of.value(1)};",
            f"{name} *= {self.of.number()};", f"{name} = ({name} + {self.of.number()}) % {self.of.divisor(0)};",
            f"if {self.of.condition(1)} {name} = {self.of.index()};"))

    # --- memory ------------------------------------------------------------

    def place(self, index):
        memory = self.writable + self.pointers * 2
        name, kind = self.random.choice(memory)
        return self.of.one(f"{name}[{index}]", f"{name}[{index}]", f"(*({name} + {index}))"), kind

    def write(self, index):
        place, kind = self.place(index)
        if kind == "struct":
            place += self.of.one(".x", ".y[1]", f".y[({self.of.value(1)} & 1)]")
        return f"{place} {self.of.one('=', '=', '+=')} ({self.of.value(1)});"

    def store(self):
        self.put(self.write(self.of.index()))

    def guarded_store(self):
        """if (x in some range) a[x + something] = ...;"""
        if not self.of.scope:
            return self.store()
        name, _ = self.random.choice(self.of.scope[-5:])
        low = self.random.choice([0, 0, 0, 1, 3, -4])
        high = self.random.choice([16, 31, 64, 100, 128, *self.counts, *self.counts])
        guard = self.random.choice([
            f"({name} >= {low} && {name} < {high})", f"(!({name} < {low} || {name} >= {high}))",
            f"((uint)({name}) < {high if isinstance(high, int) else 50})", f"({name} > {low} && {name} <= {high})",
            f"({name} >= {low} && {name} - {low} < {high})", f"({name} < {high})",
            f"({self.of.condition(1)} && {name} >= {low} && {name} < {high})"])
        index = name if self.of.chance(40) else f"({name} {self.of.one('+', '-')} {self.random.randrange(0, 9)})"
        if self.of.chance(10):
            index = f"({name} * {self.random.randrange(2, 5)})"
        pick = self.random.randrange(4)
        if pick == 0 and self.loops:
            self.put(f"if (!{guard}) continue;")
            return self.put(self.write(index))
        if pick == 1:
            return self.block(f"if {guard} {{", lambda: (self.put(self.write(index)), self.statement()))
        if pick == 2:
            return self.block(f"if {guard} {{", lambda: self.block(
                f"if {self.of.condition(1)} {{", lambda: self.put(self.write(index))))
        return self.put(f"if {guard} {self.write(index)}")

    def call(self):
        self.put(self.random.choice(self.calls)())

    def pointer(self):
        name, kind = self.random.choice(self.writable + self.pointers)
        if kind == "struct":
            return self.store()
        space = "local" if name.startswith("shared") or name.startswith("lp") else \
            "private" if name.startswith("own") or name.startswith("pp") else "global"
        made = self.name({"local": "lp", "private": "pp", "global": "gp"}[space])
        self.put(f"{space} {kind} *{made} = " + self.of.one(
            f"{name} + {self.of.index()};", f"&{name}[{self.of.index()}];",
            f"{self.of.condition(1)} ? {name} : {name} + {self.random.randrange(9)};",
            f"{self.of.condition(1)} ? {name} + {self.of.index()} : {name} + {self.of.index()};"))
        self.pointers.append((made, kind))
        return self.store()

    def pointer_walk(self):
        whole = [each for each in self.writable if each[1] != "struct"]
        if not whole:
            return self.store()
        name, kind = self.random.choice(whole)
        space = "local" if name.startswith("shared") else "private" if name.startswith("own") else "global"
        made = self.name("w")
        count = self.trip_count()
        self.loops += 1
        first = self.of.one(name, f"{name} + {self.of.index()}")
        step = self.of.one("++", " += 2", "++", f" += ({self.of.value(1)} & 3)")
        self.block("{", lambda: (
            self.put(f"{space} {kind} *{made} = {first};"),
            self.put(f"for (int c = 0; c < {count}; c++, {made}{step}) *{made} = ({self.of.value(1)});")))
        self.loops -= 1
        return None

    def vector_store(self):
        whole = [(name, kind) for name, kind in self.writable if kind != "struct"]
        if not whole:
            return self.store()
        name, kind = self.random.choice(whole)
        width = self.random.choice([2, 3, 4, 8])
        return self.put(f"vstore{width}(({kind}{width})(({kind})({self.of.value(1)})), {self.of.index(16)}, {name});")

    def atomic(self):
        ints = [name for name, kind in self.writable if kind in ("int", "uint") and not name.startswith("own")]
        if not ints:
            return self.store()
        place = f"&{self.random.choice(ints)}[{self.of.index()}]"
        text = self.of.one(f"atomic_add({place}, 1)", f"atomic_max({place}, {self.random.randrange(9)})",
                           f"atomic_inc({place})", f"atomic_xchg({place}, {self.random.randrange(50)})")
        if self.of.chance(50):
            return self.put(f"{text};")
        name = self.name("v")
        self.put(f"int {name} = {text};")
        self.of.scope.append((name, "int"))
        return None

    # --- control flow ------------------------------------------------------

    def branch(self):
        if self.of.chance(50):
            return self.block(f"if {self.of.condition()} {{", self.several(3))
        self.block(f"if {self.of.condition()} {{", self.several(2), "} else {")
        return self.block_rest()

    def block_rest(self):
        self.level += 1
        scope, pointers = list(self.of.scope), list(self.pointers)
        self.several(2)()
        self.of.scope[:], self.pointers = scope, pointers
        self.level -= 1
        self.put("}")

    def trip_count(self):
        pick = self.random.randrange(10)
        if pick < 4 and self.counts:
            return self.random.choice(self.counts)
        if pick < 6:
            return f"({self.of.value(1)} & {self.random.choice([3, 7, 15])})"
        if pick < 8:
            return f"min((int)({self.of.value(1)}), {self.random.randrange(2, 14)})"
        return str(self.random.randrange(1, 14))

    def loop(self):
        kind, name = self.random.choice(["int"] * 5 + ["uint", "short", "long", "uchar", "char"]), self.name("i")
        count = self.trip_count()
        if kind in ("uint", "uchar"):
            count = f"({count} & 15)"
        outer = [each for each in self.fixed if each in dict(self.of.scope)]
        low = self.of.one("0", "0", str(self.random.randrange(4)), self.random.choice(outer) if outer else "1")
        if low in outer and kind != "int":
            low = "0"
        head = self.random.choice([
            f"for ({kind} {name} = {low}; {name} < {count}; {name}++) {{",
            f"for ({kind} {name} = {low}; {name} < {count}; ++{name}) {{",
            f"for ({kind} {name} = {low}; {name} < {count}; {name} += {self.random.randrange(1, 4)}) {{",
            f"for (int {name} = (int)({count} & 31) - 1; {name} >= 0; {name}--) {{",
            f"for (int {name} = ({count} & 31); {name} > {self.random.randrange(3)}; {name} -= "
            f"{self.random.randrange(1, 4)}) {{",
            f"for (int {name} = 1; {name} < ({count} & 127); {name} <<= 1) {{",
            f"for (int {name} = ({count} & 127); {name} > 0; {name} >>= 1) {{",
            f"for (uint {name} = ({count} & 15); {name}-- > 0;) {{",
            f"for (int {name} = {low}; {name} != 12 && {name} < {count}; {name}++) {{",
        ])
        self.loops += 1
        self.fixed.add(name)
        self.of.scope.append((name, kind))
        self.block(head, self.several(3))
        self.of.scope.remove((name, kind))
        self.loops -= 1

    def while_loop(self):
        name = self.name("i")
        self.put(f"int {name} = {self.random.randrange(-2, 5)};")
        self.of.scope.append((name, "int"))
        self.fixed.add(name)
        self.loops += 1
        count = self.trip_count()
        # The counter comes first: continue must not skip it.
        step = f"{name} += {self.random.randrange(1, 3)};"
        if self.of.chance(50):
            self.block(f"while ({name} < {count}) {{", lambda: (self.put(step), self.several(2)()))
        else:
            self.block("do {", lambda: (self.put(step), self.several(2)()), f"}} while ({name} < {count});")
        self.loops -= 1

    def irreducible(self):
        """A loop that is entered at two places."""
        count, top, middle = self.name("f"), self.name("top"), self.name("mid")
        self.put(f"int {count} = {self.random.randrange(3)};")
        self.of.scope.append((count, "int"))
        self.fixed.add(count)
        kept, self.loops = self.loops, 3  # no break or continue of an outer loop in here
        enters = f"if {self.of.condition(1)} goto {middle};"
        self.put(enters)
        self.block(f"{top}: {{", self.straight)
        self.block(f"{middle}: {{", self.straight)
        more = f" && {self.of.condition(1)}" if self.of.chance(40) else ""
        self.put(f"if (++{count} < {self.random.randrange(3, 9)}{more}) goto {top};")
        self.loops = kept

    def straight(self):
        for _ in range(self.random.randint(1, 2)):
            self.random.choice([self.assign, self.store, self.assign])()

    def switch(self):
        kept, self.loops = self.loops, 0  # a break would leave the switch

        def cases():
            for value in self.random.sample(range(-1, 8), self.random.randint(2, 4)):
                self.put(f"case {value}:")
                self.level += 1
                self.random.choice([self.assign, self.store, self.store])()
                if self.of.chance(70):
                    self.put("break;")
                self.level -= 1
            if self.of.chance(60):
                self.put("default:")
                self.level += 1
                self.random.choice([self.assign, self.store])()
                self.level -= 1
        self.block(f"switch ((int)({self.of.value(1)})) {{", cases)
        self.loops = kept

    def leave(self):
        self.put(f"if {self.of.condition(1)} {self.of.one('break', 'continue')};")
