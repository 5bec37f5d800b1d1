# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What small kernels are made of (steps.py): expressions of an index, conditions, and accesses with guards.

Every binary expression is in parentheses, for reduce.py. Divisors are positive.
"""

REL = ["<", "<=", ">", ">=", "<", "<=", ">", ">=", "==", "!="]
INDEX_TYPES = ["int"] * 8 + ["uint"] * 2 + ["long", "short", "uchar", "char", "ushort"]


class Chain:
    """Lines of a kernel's body. `pool`: the numbers that it has. `sizes` and `counts`: names of scalars with any value,
    and with small positive values."""

    def __init__(self, random, seed, dims, pool, sizes, counts):
        self.random, self.seed, self.dims, self.pool = random, seed, dims, pool
        self.sizes, self.counts = sizes, counts
        self.before, self.lines = [], []
        self.level = 1
        self.names = 0
        self.vars = []
        self.outputs = []  # (text of a pointer, kind) that may be written
        self.table = False  # whether there is a buffer of indices
        self.loops = 0
        self.early = False  # whether work-items may have returned
        self.used = [0]  # numbers that the kernel has

    # --- text --------------------------------------------------------------

    def put(self, text):
        self.lines.append("  " * self.level + text)

    def block(self, head, body):
        self.put(head)
        self.level += 1
        kept = list(self.vars)
        body()
        self.vars = kept
        self.level -= 1
        self.put("}")

    def one(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def fresh(self, text, kind=None):
        self.names += 1
        name = f"v{self.names}"
        self.put(f"{kind or self.random.choice(INDEX_TYPES)} {name} = {text};")
        self.vars.append(name)
        return name

    # --- values ------------------------------------------------------------

    def number(self):
        value = self.random.choice(self.pool) + self.random.choice([0, 0, 0, 0, 1, -1])
        self.used.append(value)
        return str(value) if value >= 0 else f"({value})"

    def positive(self):
        return str(max(1, self.random.choice(self.pool))) if self.chance(70) or not self.counts \
            else self.random.choice(self.counts)

    def identity(self):
        dim = self.random.randrange(self.dims)
        text = self.random.choice([f"get_global_id({dim})"] * 5 + [f"get_local_id({dim})"] * 2 + [
            f"get_group_id({dim})", f"(get_group_id({dim}) * get_local_size({dim}) + get_local_id({dim}))",
            f"(get_global_size({dim}) - 1 - get_global_id({dim}))", f"get_local_size({dim})", f"get_num_groups({dim})",
            "get_global_linear_id()", "get_local_linear_id()"])
        return f"(int){text}" if self.chance(75) else text

    def var(self):
        if not self.vars:
            return self.identity()
        return self.vars[-1] if self.chance(60) else self.random.choice(self.vars)

    def scalar(self):
        names = self.sizes + self.counts
        return self.random.choice(names) if names else self.number()

    def other(self, name):
        """Something that `name` is compared with or replaced by."""
        pick = self.random.randrange(10)
        if pick < 6:
            return self.number()
        if pick < 8:
            return self.scalar()
        return self.var() if pick < 9 else name

    def change(self, name):
        """An expression of `name`."""
        return self.random.choice([
            name, name, name, f"({name} + {self.other(name)})", f"({name} - {self.other(name)})", f"({name} + {self.number()})",
            f"({name} - {self.number()})", f"({self.other(name)} - {name})", f"({name} * {self.one('2', '3', '4', '8')})", f"(-{name})",
            f"({name} / {self.positive()})", f"({name} % {self.positive()})", f"({name} >> {self.one('1', '2', '3')})",
            f"({name} & {self.one('3', '7', '15', '31', '63', '127', '6', '20', '100')})",
            f"({name} & {max(1, self.random.choice(self.pool) - 1)})", f"({name} & {self.other(name)})", f"((uint)({name}) % {self.one('5', '8', '16', '31')})",
            f"({name} ^ {self.one('1', '3', '8')})", f"({name} | {self.one('1', '4', '8')})", f"(~{name})",
            f"(int)(({self.random.choice(INDEX_TYPES)})({name}))"])

    def limited(self, name):
        """An expression of `name` that stays within something."""
        low, high = sorted(self.random.sample([*self.pool, *self.pool, 0, 31, 64], 2))
        k = self.positive()
        return self.random.choice([
            f"({name} + {self.number()}) % {k}", f"(int)((uint){name} + 1u) % {k}",
            f"({name} + {self.number()}) & {self.one('7', '15', '31')}",
            f"min((int)({self.change(name)}), {f'(int)({self.other(name)})' if self.chance(30) else high})",
            f"max((int)({self.change(name)}), {f'(int)({self.other(name)})' if self.chance(30) else low})",
            f"clamp((int)({self.change(name)}), {low}, {high})", f"min(max((int)({self.change(name)}), {low}), {high})",
            f"max(min((int)({self.change(name)}), {high}), {low})", f"({name} + 1 == {k}) ? 0 : {name} + 1", f"abs((int)({name}) % {k})",
            f"select((int)({self.other(name)}), (int)({self.change(name)}), (int)({self.condition(name)}))",
            f"(({name} >= {low} && {name} < {high}) ? {name} : {self.other(name)})",
            f"convert_{self.one('uchar', 'char', 'short')}_sat((int)({name}))",
            f"add_sat((int)({name}), (int)({self.other(name)}))", f"sub_sat((uint)({name}), (uint)({self.number()}))",
            f"hadd((int)({name}), (int)({self.other(name)}))", f"abs_diff((int)({name}), (int)({self.other(name)}))",
            f"mad24((int)({name}) & 63, {self.one('2', '3')}, {self.number()})"])

    def cycled(self, name):
        """The next value of something that comes round."""
        k, by = self.positive(), self.one("1", "1", self.number())
        return self.random.choice([f"({name} + {by}) % {k}", f"({name} + {by}) % {k}", f"(int)((uint){name} + 1u) % {k}",
                                   f"({name} + {by}) & {self.one('3', '7', '15')}", f"({name} + 1 == {k}) ? 0 : ({name} + 1)",
                                   f"({name} + 1 < {k}) ? ({name} + 1) : {self.number()}", f"({name} == 0 ? {k} : {name}) - 1",
                                   f"min((int)({name}) + {by}, (int)({k}))", f"max((int)({name}) - {by}, {self.number()})"])

    def condition(self, name):
        pick = self.random.randrange(14)
        plain = f"({name} {self.random.choice(REL)} {self.other(name)})"
        if pick < 6:
            return plain
        if pick < 8:
            return f"({plain} && ({self.var()} {self.random.choice(REL)} {self.other(name)}))"
        if pick == 8:
            return f"({plain} || ({name} {self.random.choice(REL)} {self.other(name)}))"
        if pick == 9:
            return f"(!{plain})"
        if pick == 10:
            return f"(({name} {self.one('+', '-')} {self.one(self.number(), '100')}) {self.random.choice(REL)} {self.other(name)})"
        if pick == 11:
            return f"(({name} {self.one('& 1', '& 3', '% 3')}) {self.one('==', '!=')} {self.one('0', '1')})"
        if pick == 12:
            return f"((uint)({name}) {self.one('<', '<=')} {self.positive()})"
        return f"({self.scalar()} {self.random.choice(REL)} {self.other(name)})"

    # --- accesses ----------------------------------------------------------

    def data(self):
        return str(self.random.randrange(1, 100))

    def write(self, index):
        """A statement that writes there."""
        place, kind = self.random.choice(self.outputs)
        if kind == "struct":
            return f"{place}[{index}]{self.one('.x', '.y[1]', '.y[0]')} = {self.data()};"
        pick = self.random.randrange(24)
        if pick == 0 and kind in ("int", "uint"):
            return f"atomic_add(&{place}[{index}], 1);"
        if pick == 1:
            width = self.one(2, 3, 3, 4, 8)
            return f"vstore{width}(({kind}{width})({self.data()}), {index}, {place});"
        if pick == 2:
            width = self.one(2, 3, 4)
            return f"{place}[0] = vload{width}({index}, {place}).s{width - 1};"
        if pick == 3:
            return f"{place}[0] = {place}[{index}];"
        if pick == 4:
            return f"*({place} + {index}) += {self.data()};"
        return f"{place}[{index}] = {self.data()};"

    def access(self, name=None, near=None):
        """Writes at an index made of a variable, with a guard that fits it, nearly fits it, or is not there.
        near: what the variable may be, to be the index 0."""
        name = name or self.var()
        by, k = self.random.choice([(1, 0)] * 4 + [(1, None)] * 8 + [(-1, None)] * 2 + [(2, None), (3, 0), (4, None)])
        if k is None:
            k = self.random.choice(self.used[-4:] if self.chance(60) else self.pool) * self.one(1, -1, -1)
        if near is not None:
            by, k = 1, -near
        index = {1: name, -1: f"(-{name})"}.get(by, f"({name} * {by})")
        index = index if k == 0 else f"({index} {'+' if k > 0 else '-'} {abs(k)})"
        off = self.random.choice([0, 0, 0, 0, 1, -1])
        low, high = [], []
        edge = (-k) // by + off if by < 0 else -(k // by) + off  # where the index is 0
        edge = str(edge) if edge >= 0 else f"({edge})"
        if self.chance(55 if near is None else 25):
            low = [f"{name} {'<=' if by < 0 else '>='} {edge}"]
        if self.chance(65):
            bound = self.random.choice([self.number(), "64", "100", *self.counts, *self.counts, *self.sizes])
            high = [f"{name} {self.one('>', '>=') if by < 0 else self.one('<', '<', '<=')} {'(-' + bound + ')' if by < 0 else bound}"]
        tests = low + high
        if self.chance(15):
            tests.append(self.condition(name))
        self.random.shuffle(tests)
        if not tests:
            return self.put(self.write(index))
        shape = self.random.randrange(10)
        if shape < 6:
            return self.put(f"if ({' && '.join(tests)}) {self.write(index)}")
        if shape < 8:
            def nested(left=None):
                left = list(tests) if left is None else left
                if not left:
                    return self.put(self.write(index))
                return self.block(f"if ({left[0]}) {{", lambda: nested(left[1:]))
            return nested()
        if self.loops:
            self.put(f"if (!({' && '.join(tests)})) {self.one('continue', 'continue', 'break')};")
        else:
            self.put(f"if (!({' && '.join(tests)})) return;")
            self.early = True
        return self.put(self.write(index))
