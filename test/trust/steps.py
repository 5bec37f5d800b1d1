# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels: an index goes through a few steps, each of which bounds, chooses or changes it, and an access uses it.

A launch is a test only if it is proven and nearly wrong. So there is little else in these kernels that would keep a
launch from being proven, and everything meets at the same few numbers (`pool`): steps compare with them, add them and
choose them, the guard of the access fits it exactly or is off by one, and launches have arguments around them.
"""

from chains import REL, Chain


class Steps(Chain):
    """The body of a kernel: `make` puts all of it."""

    def begin(self):
        scalar, identity = self.scalar(), self.identity()
        text = self.random.choice([f"{identity} + {scalar}"] * 3 + [f"{identity} - {scalar}"] * 2 + [
            f"{scalar} - {identity}", f"{identity} * {scalar}", f"{identity} * {self.one('2', '3', '5')} + {scalar}",
            f"{identity} - {self.number()}", identity, identity, scalar, f"{scalar} + {self.number()}"])
        self.fresh(text, self.random.choice(["int"] * 7 + ["uint", "long", "short", "size_t", "uchar"]))

    def choose(self):
        name = self.var()
        results = [name, self.change(name), self.other(name), self.number(), self.limited(name)]
        first, second = self.random.sample(results, 2)
        if self.chance(45):
            first, second = self.random.sample([name, self.number()], 2)
        test = self.condition(name)
        if self.chance(50):
            test = f"({name} {self.random.choice(REL)} {self.one('0', self.number())})"
        text = f"{test} ? {first} : {second}"
        if self.chance(20):
            text = f"{self.condition(name)} ? {self.other(name)} : ({text})"
        self.fresh(text)

    def replace(self):
        """Values that are no index are replaced by one that is, or nearly."""
        name, number = self.var(), self.random.choice(self.pool)
        first, second = self.one((name, number), (name, number), (number, name))
        test = f"({name} {self.one('<', '>=', '>=', self.random.choice(REL))} {self.one('0', '0', '0', self.number())})"
        kind = "int" if self.chance(75) else None
        if self.chance(25):
            made = self.fresh(name, kind)
            self.put(f"if {test} {made} = {number};")
        else:
            made = self.fresh(f"{test} ? {first} : {second}", kind)
        if self.chance(75):
            self.access(made, near=number)

    def reassign(self):
        name = self.var()
        text = f"if {self.condition(name)} {name} = {self.one(self.other(name), self.change(name), self.limited(name))};"
        self.put(text + (f" else {name} = {self.change(name)};" if self.chance(30) else ""))
        if self.chance(35):
            self.put(f"if {self.condition(name)} {name} {self.one('+=', '-=', '=')} {self.number()};")

    def limit(self):
        self.fresh(self.limited(self.var()))

    def compute(self):
        self.fresh(self.change(self.var()))

    def combine(self):
        self.fresh(f"({self.var()} {self.one('+', '-', '*')} {self.one(self.var(), self.scalar(), self.identity())})")

    def narrow(self):
        kind = self.one("uchar", "char", "short", "ushort", "uint", "int")
        self.fresh(f"({kind})({self.change(self.var())})", self.one("int", kind))

    def leave(self):
        self.put(f"if {self.condition(self.var())} {self.one('continue', 'break') if self.loops else 'return'};")
        self.early |= not self.loops

    def overflow(self):
        """A condition that only a sum that does not wrap around makes true, and what is left of the number."""
        name = self.scalar() if self.chance(60) else self.var()
        test = self.random.choice([f"{name} + {self.one('1', '7', '100')} > {self.one('0', '1', '50')}", f"{name} + 1 > {name}",
                                   f"{name} * 2 < {self.number()} && {name} * 2 >= 0", f"{name} - 1 < {self.number()}",
                                   f"abs({name}) < {self.number()}", f"{name} << 1 >= 0"])
        index = self.random.choice([f"({name} >> {self.random.randrange(16, 27)})", f"({name} / 1000000)", f"({name} & 63)", name,
                                    f"({name} + {self.number()})", f"({name} * 2)"])
        self.put(f"if ({test}) {self.write(index)}")

    def rows(self):
        x, y = self.var(), self.fresh(self.one(self.identity(), self.change(self.var())), "int")
        width = self.positive()
        tests = self.random.sample([f"{x} >= 0", f"{x} < {width}", f"{y} >= 0", f"{y} < {self.one('8', self.positive())}"],
                                   self.random.choice([2, 3, 4, 4]))
        self.put(f"if ({' && '.join(tests)}) {self.write(f'({y} * {width} + {x})')}")

    def apart(self):
        name, width = self.var(), self.positive()
        first, second = self.fresh(f"({name} / {width})", "int"), self.fresh(f"({name} % {width})", "int")
        self.put(f"if ({name} >= {self.one('0', '0', self.number())} && {name} < {self.one('64', self.number())}) " +
                 self.write(self.one(f"({first} * {width} + {second})", f"({second} * 8 + {first})", first, second)))

    def switch(self):
        name = self.var()
        made = self.fresh(self.other(name), "int")

        def cases():
            for value in self.random.sample(range(-1, 6), self.random.randint(2, 3)):
                self.put(f"case {value}:")
                self.put(f"  {made} = {self.one(self.change(name), self.number(), made + ' + ' + self.number())};")
                if self.chance(65):
                    self.put("  break;")
            if self.chance(40):
                self.put("default:")
                self.put(f"  {made} = {self.number()};")
        self.block(f"switch ({self.one(name, f'({name} & 3)', f'({name} % 4)')}) {{", cases)

    def helper(self):
        """A function that returns an index, or writes it through a pointer."""
        if self.loops or self.before:
            return self.limit()
        inner = Chain(self.random, self.seed, self.dims, self.pool, ["b"], [])
        inner.vars = ["a"]
        name, function = self.var(), f"h_{self.seed}"
        pick = self.random.randrange(3)
        if pick == 0:
            self.before += [f"int {function}(int a, int b) {{", f"  if {inner.condition('a')}", f"    return {inner.change('a')};",
                            f"  return {inner.limited('a')};", "}"]
            return self.fresh(f"{function}({name}, {self.scalar()})")
        if pick == 1:
            self.before += [f"void {function}(int a, int b, int *to) {{", f"  *to = {inner.change('a')};", f"  if {inner.condition('a')}",
                            f"    *to = {inner.other('a')};", "}"]
            made = self.fresh(self.number(), "int")
            return self.put(f"{function}({name}, {self.scalar()}, &{made});")
        self.before += [f"void {function}(int a, int b, int3 *to) {{", f"  *to = (int3)(a, {inner.change('a')}, b);", "}"]
        self.names += 1
        made = f"p{self.names}"
        self.put(f"int3 {made};")
        self.put(f"{function}({name}, {self.scalar()}, &{made});")
        return self.fresh(f"{made}.{self.one('x', 'y', 'z')}", "int")

    def own(self):
        """A private array or struct with an index."""
        self.names += 1
        made, size = f"t{self.names}", self.one(3, 4, 8)
        values = ", ".join(self.number() for _ in range(size))
        if self.chance(30):
            self.put(f"struct {{ int a[{size}]; int b; }} {made} = {{{{{values}}}, {self.number()}}};")
            made += ".a"
        else:
            self.put(f"int {made}[{size}] = {{{values}}};")
        name = self.var()
        index = self.random.choice([str(size - 1), f"({name} & {size - 1 if size != 3 else 1})",
                                    f"((uint)({name}) % {size})", f"min((uint)({name}), {size - 1}u)"])
        if self.chance(40):
            guard = f"if ({name} >= {self.one('0', '0', '1')} && {name} {self.one('<', '<', '<=')} {size}) " if self.chance(70) else ""
            self.put(f"{guard}{made}[{name if guard else index}] = {self.data()};")
        self.fresh(f"{made}[{index}]", "int")

    def pointer(self):
        """A pointer that a condition chooses."""
        place, kind = self.random.choice(self.outputs)
        space = "local" if place.startswith("sh") else "global"
        if kind == "struct" or self.loops or not place.isidentifier():
            return self.choose()
        self.names += 1
        made, name = f"p{self.names}", self.var()
        several = [p for p, k in self.outputs if k == kind and p.startswith("sh") == place.startswith("sh")]
        self.put(f"{space} {kind} *{made} = {self.condition(name)} ? {place} + {self.number()} : "
                 f"{self.random.choice(several)} + {self.one('0', self.number(), name)};")
        self.outputs = [(made, kind)] * 2 + self.outputs
        return None

    def barrier(self):
        self.put("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")

    def from_table(self):
        if not self.table:
            return self.limit()
        return self.fresh(f"table[{self.one(f'({self.var()} & 31)', f'((uint)({self.var()}) % 32)')}]", "int")

    def loop(self):
        """A loop with a counter and a carried variable, which are changed in more than one place."""
        if self.loops:
            return self.choose()
        self.names += 1
        i = f"i{self.names}"
        carried = self.fresh(self.one(self.number(), self.number(), self.scalar(), self.var()),
                             self.one("int", "int", "int", "uint", "short", "long"))
        count = self.one(str(self.random.randrange(2, 9)), *self.counts)
        first, kind = self.one("0", "0", "1", self.number()), self.one("int", "int", "int", "uint", "short", "uchar", "long")
        head = self.random.choice([
            f"for ({kind} {i} = {first}; {i} < {count}; {i}++) {{"] * 3 + [
            f"for ({kind} {i} = {first}; {i} < {count}; {i} += {self.one('2', '3', '4')}) {{",
            f"for (int {i} = {count}; {i} > {self.one('0', '1')}; {i}--) {{", f"for (int {i} = {count} - 1; {i} >= 0; {i}--) {{",
            f"for (int {i} = {count}; {i} > 0; {i} >>= 1) {{", f"for (int {i} = 1; {i} < {count}; {i} <<= 1) {{",
            f"for (int {i} = 1; {i} <= {count}; {i} *= 2) {{", f"for (uint {i} = {count}; {i}-- > 0;) {{",
            f"for (int {i} = 0; {i} != {count}; {i}++) {{",
            f"for (int {i} = (int)get_local_id(0); {i} < {count}; {i} += get_local_size(0)) {{",
            f"for (int {i} = 0, e = 0; {i} < {count} && e < 20; {i} += {self.one('1', '2', self.scalar())}, e++) {{",
            f"for (int {i} = 0, e = 0; {i} != {count} && e < 20; {i} += {self.one('2', '3', self.scalar())}, e++) {{"])

        def update():
            step = self.random.choice([f"{carried} += {self.one('1', '1', '2', self.number(), i)};", f"{carried}++;", f"{carried}--;",
                                       f"{carried} = {self.limited(carried)};", f"{carried} = {self.cycled(carried)};",
                                       f"{carried} = {self.condition(i)} ? ({self.limited(carried)}) : {self.other(carried)};",
                                       f"{carried} = {self.condition(i)} ? ({self.cycled(carried)}) : {self.other(carried)};",
                                       *[f"{carried} = {self.condition(i)} ? ({self.cycled(carried)}) : {self.scalar()};"] * 2,
                                       f"{carried} = {self.condition(carried)} ? {self.change(carried)} : {self.number()};",
                                       f"{carried} = {carried} {self.one('* 2', '/ 2', '>> 1', '* 5 & 31')};"])
            self.put((f"if {self.condition(self.one(i, carried))} " if self.chance(30) else "") + step)

        def body():
            self.vars += [i]
            self.loops += 1
            if self.chance(20):
                update()
            if self.chance(25):
                self.random.choice([self.limit, self.choose, self.combine])()
            self.access(self.one(carried, carried, i, self.var()))
            update()
            if self.chance(25):
                update()
            if self.chance(20):
                self.access(self.one(carried, i))
            self.loops -= 1
        self.vars.append(carried)
        self.block(head, body)
        if self.chance(35):
            self.access(carried)
        return None

    def make(self):
        """The whole body."""
        self.begin()
        if self.chance(35):
            self.begin()
        steps = [self.choose] * 5 + [self.replace] * 4 + [self.reassign] * 3 + [self.limit] * 4 + [self.compute] * 2 + [self.combine] * 3 + [
            self.narrow] * 2 + [self.leave, self.leave, self.loop, self.loop, self.loop, self.overflow, self.overflow, self.overflow, self.rows,
                                self.apart, self.switch, self.helper, self.own, self.pointer] + [self.from_table] * (4 if self.table else 0)
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 2, 3, 4])):
            self.random.choice(steps)()
        if self.chance(25 if self.early else 5):
            self.barrier()
        last = self.random.choice([self.access] * 8 + [self.loop, self.rows])
        last()
        if self.chance(15):
            self.access()
