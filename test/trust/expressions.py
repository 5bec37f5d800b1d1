# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random integer expressions of OpenCL C, as text.

Every binary expression is in parentheses, so that reduce.py can take it apart.
All expressions are free of traps: divisors are positive. Signed overflow does
occur, as it does in programs.
"""

TYPES = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
COMMON = ["int"] * 6 + ["uint"] * 2 + ["long", "short", "uchar", "char", "ushort", "ulong"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    """Makes expressions over the variables in `scope`, a list of (name, type)."""

    def __init__(self, random, dims):
        self.random = random
        self.dims = dims
        # Programs compare with and add the same few numbers, and mistakes hide where they meet.
        self.pool = [0, random.randint(1, 9), random.choice([1, 7, 8, 16, 31, 64])]
        self.scope = []
        self.loads = []  # functions that return the text of a load
        self.helpers = []  # (name, number of arguments)

    def one(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def number(self):
        if self.chance(50):
            return str(self.random.choice(self.pool))
        pick = self.random.randrange(20)
        if pick < 12:
            return str(self.random.randint(0, 9))
        if pick < 17:
            return str(self.random.choice([10, 15, 16, 31, 32, 33, 63, 64, 65, 99, 100, 127, 128]))
        if pick < 19:
            return f"({-self.random.randint(1, 70)})"
        return self.random.choice(["255", "256", "1000", "32767", "65535", "0x7fffffff", "0x80000000u", "4000000000u"])

    def identity(self):
        function = self.random.choice(["get_global_id"] * 5 + ["get_local_id"] * 2 +
                                      ["get_group_id", "get_local_size", "get_global_size", "get_num_groups",
                                       "get_global_offset", "get_enqueued_local_size", "get_global_linear_id",
                                       "get_local_linear_id"])
        if function.endswith("linear_id"):
            return self.one("(int)", "") + f"{function}()"
        text = f"{function}({self.random.randrange(self.dims)})"
        return f"(int){text}" if self.chance(60) else text

    def atom(self):
        pick = self.random.randrange(100)
        if pick < 50 and self.scope:
            near = self.scope[-6:] if self.chance(70) else self.scope
            return self.random.choice(near)[0]
        if pick < 68:
            return self.identity()
        if pick < 78 and self.loads:
            return self.random.choice(self.loads)()
        return self.number()

    def condition(self, depth=2):
        pick = self.random.randrange(10)
        if depth > 0 and pick < 3:
            return f"({self.condition(depth - 1)} {self.one('&&', '||')} {self.condition(depth - 1)})"
        if depth > 0 and pick == 3:
            return f"(!{self.condition(depth - 1)})"
        if pick == 4:
            return f"({self.value(1)} & {1 << self.random.randrange(5)})"
        return f"({self.value(depth - 1)} {self.random.choice(COMPARISONS)} {self.value(depth - 1)})"

    def value(self, depth=2):
        """An expression of any integer type."""
        if depth <= 0:
            return self.atom()
        make = self.random.choice([self.sum, self.sum, self.sum, self.product, self.bits, self.division, self.shift,
                                   self.choice, self.cast, self.builtin, self.comparison, self.atom, self.call,
                                   self.vector])
        return make() if make == self.atom else make(depth - 1)

    def sum(self, depth):
        return f"({self.value(depth)} {self.one('+', '-')} {self.value(depth)})"

    def product(self, depth):
        other = self.number() if self.chance(70) else self.value(depth)
        return f"({self.value(depth)} * {other})"

    def bits(self, depth):
        if self.chance(20):
            return f"({self.one('~', '-')}{self.value(depth)})"
        other = str(self.random.choice([1, 3, 7, 15, 31, 63, 127, 255, 0xff0, 6, 0x55])) if self.chance(60) \
            else self.value(depth)
        return f"({self.value(depth)} {self.one('&', '&', '|', '^')} {other})"

    def divisor(self, depth):
        if self.chance(75):
            return str(self.random.choice([2, 3, 4, 5, 7, 8, 10, 16, 17, 64, 100]))
        return f"(({self.value(depth)} & 7) + 1)"

    def division(self, depth):
        return f"({self.value(depth)} {self.one('/', '%', '%')} {self.divisor(depth)})"

    def shift(self, depth):
        by = str(self.random.randrange(1, 8)) if self.chance(75) else f"({self.value(depth)} & 7)"
        return f"({self.value(depth)} {self.one('<<', '>>', '>>')} {by})"

    def choice(self, depth):
        return f"({self.condition(depth)} ? {self.value(depth)} : {self.value(depth)})"

    def cast(self, depth):
        return f"({self.random.choice(list(TYPES))})({self.value(depth)})"

    def comparison(self, depth):
        return f"({self.value(depth)} {self.random.choice(COMPARISONS)} {self.value(depth)})"

    def call(self, depth):
        if not self.helpers:
            return self.atom()
        name, count = self.random.choice(self.helpers)
        return f"{name}({', '.join(self.value(depth) for _ in range(count))})"

    def vector(self, depth):
        first, second = self.value(depth), self.value(depth)
        return self.one(
            f"((int2)({first}, {second})).{self.one('x', 'y', 's0', 's1')}",
            f"((int4)({first}, {second}, {self.atom()}, 3) + (int4)({self.number()})).{self.one('x', 'y', 'z', 'w')}",
            f"max((int2)({first}, {second}), (int2)(0)).{self.one('x', 'y')}",
            f"((short4)((short)({first}))).{self.one('s0', 's3')}",
            f"(((int2)({first}, {second}) < (int2)({self.number()})).x & {self.number()})")

    def builtin(self, depth):
        kind = self.random.choice(COMMON)
        first, second, third = (f"({kind})({self.value(depth)})" for _ in range(3))
        low, high = sorted((self.random.randrange(-9, 130), self.random.randrange(-9, 130)))
        if kind[0] == "u" and kind != "uchar":
            low, high = abs(low), abs(low) + abs(high)
        bounds = f"({kind}){low}, ({kind}){high}"
        signed = kind.lstrip("u")
        return self.random.choice([
            f"min({first}, {second})", f"max({first}, {second})",
            f"min({first}, ({kind}){self.number()})", f"max({first}, ({kind}){self.number()})",
            f"clamp({first}, {bounds})", f"clamp({first}, {bounds})",
            f"clamp({first}, {second}, {third})",
            f"abs_diff({first}, {second})", f"(int)abs({first})",
            f"add_sat({first}, {second})", f"sub_sat({first}, {second})",
            f"hadd({first}, {second})", f"rhadd({first}, {second})",
            f"rotate({first}, {second})", f"popcount({first})", f"clz({first})",
            f"mul24((int)({first}), (int){self.number()})",
            f"mad24((int)({first} & 255), {self.random.randint(1, 30)}, {self.random.randint(-9, 30)})",
            f"mad24((int)({first}), (int)({second}), (int)({third}))",
            f"mad_sat({first}, {second}, {third})", f"mul_hi({first}, {second})",
            f"select({first}, {second}, ({signed})({self.condition(0)}))",
            f"convert_{self.random.choice(list(TYPES))}_sat({first})",
            f"bitselect({first}, {second}, {third})",
            f"as_{self.random.choice([t for t in TYPES if TYPES[t] == TYPES[kind]])}({first})",
        ])

    def index(self, limit=None):
        """An expression that is often, not always, within 0 to some small bound."""
        limit = limit or self.random.choice([4, 8, 16, 31, 32, 64, 100, 128, 200])
        base = self.value(self.random.choice([0, 1, 1, 2]))
        pick = self.random.randrange(16)
        mask = self.random.choice([1, 3, 7, 15, 31, 63, 127])
        if pick == 0:
            text = f"({base} & {mask})"
        elif pick == 1:
            text = f"({base} % {limit})"
        elif pick == 2:
            text = f"((uint)({base}) % {limit})"
        elif pick == 3:
            text = f"clamp((int)({base}), {self.random.choice([0, 0, 0, 1, -1, 5])}, {limit - 1})"
        elif pick == 4:
            text = f"min(max((int)({base}), 0), {limit - 1})"
        elif pick == 5:
            text = f"(({base} >= 0 && {base} < {limit}) ? {base} : {self.random.randrange(9)})"
        elif pick == 6:
            text = f"(uchar)({base})"
        elif pick == 7:
            text = f"((uint)({base}) >> {self.random.randrange(24, 31)})"
        elif pick == 8:
            text = f"abs((int)({base}) % {limit})"
        elif pick == 9:
            text = f"((int)get_global_id(0) * {self.random.randrange(1, 5)} + {base})"
        elif pick == 10:
            text = f"((ushort)({base}) / {self.random.choice([64, 100, 512, 1000])})"
        elif pick == 11:
            text = f"select({self.random.randrange(9)}, (int)({base}), (int)({base}) >= 0 && (int)({base}) < {limit})"
        else:
            return base
        if self.chance(35):
            text = f"({text} {self.one('+', '-')} {self.random.randrange(1, 9)})"
        if self.chance(8):
            text = f"({text} * {self.random.randrange(2, 9)})"
        return text
