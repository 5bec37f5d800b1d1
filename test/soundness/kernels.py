# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels and launches that can be run here as well, by hand: what they
touch is known without compiler or device."""

import dataclasses
import random

BITS = {"int": 32, "uint": 32, "long": 64, "ulong": 64, "short": 16, "ushort": 16, "char": 8, "uchar": 8}
RANK = ("int", "uint", "long", "ulong")  # what C's usual conversions choose from


class Undefined(Exception):
    """What OpenCL C leaves open: an overflow of signed numbers, a division by zero."""


def is_signed(kind):
    return not kind.startswith("u")


def convert(value, kind):
    value &= (1 << BITS[kind]) - 1
    return value - (1 << BITS[kind]) if is_signed(kind) and value >> (BITS[kind] - 1) else value


def result(value, kind):
    """Of a calculation: unsigned numbers wrap around, signed ones must not."""
    converted = convert(value, kind)
    if is_signed(kind) and converted != value:
        raise Undefined
    return converted


@dataclasses.dataclass
class Expression:
    text: str
    kind: str
    of: object  # environment -> number


def common(a, b):
    kinds = ["int" if BITS[each.kind] < 32 else each.kind for each in (a, b)]
    return max(kinds, key=RANK.index)


def divide(a, b):
    if b == 0:
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": lambda a, b: a - b * divide(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
COMPARISONS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def binary(operator, a, b):
    kind = common(a, b)
    def of(env):
        return result(OPERATORS[operator](convert(a.of(env), kind), convert(b.of(env), kind)), kind)
    return Expression(f"({a.text} {operator} {b.text})", kind, of)


def compare(operator, a, b):
    kind = common(a, b)
    def of(env):
        return int(COMPARISONS[operator](convert(a.of(env), kind), convert(b.of(env), kind)))
    return Expression(f"({a.text} {operator} {b.text})", "int", of)


def cast(kind, a):
    return Expression(f"(({kind}){a.text})", kind, lambda env: convert(a.of(env), kind))


def number(value, kind="int"):
    suffix = {"int": "", "uint": "u", "long": "L", "ulong": "UL"}[kind]
    return Expression(f"{value}{suffix}" if value >= 0 else f"({value}{suffix})", kind, lambda env: value)


class Maker:
    """Makes one kernel after the other from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.table = None  # what an index buffer contains

    def leaf(self, names):
        if self.table and self.random.random() < 0.2:
            table, at = self.table, self.leaf(names)
            return Expression(f"table[(uint){at.text} % {len(table)}]", "int",
                              lambda env: table[convert(at.of(env), "uint") % len(table)])
        pick = self.random.random()
        if pick < 0.45:
            what = self.random.choice(("get_global_id", "get_global_id", "get_local_id", "get_group_id"))
            dimension = self.random.choice((0, 0, 1))
            kind = self.random.choice(("int", "int", "uint", "ulong"))
            name = f"{what}({dimension})"
            whole = Expression(name, "ulong", lambda env: env[name])
            return whole if kind == "ulong" else cast(kind, whole)
        if pick < 0.8 and names:
            name, kind = self.random.choice(sorted(names.items()))
            return Expression(name, kind, lambda env: env[name])
        kind = self.random.choice(("int", "int", "int", "uint", "long"))
        least = 0 if kind == "uint" else -4
        return number(self.random.choice((0, 1, 1, 2, 3, self.random.randint(least, 20))), kind)

    def expression(self, names, depth):
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf(names)
        pick = self.random.random()
        a = self.expression(names, depth - 1)
        if pick < 0.45:
            return binary(self.random.choice("++-"), a, self.expression(names, depth - 1))
        if pick < 0.6:
            return binary("*", a, number(self.random.randint(0, 9)))
        if pick < 0.7:
            return binary(self.random.choice("/%"), a, number(self.random.randint(1, 9)))
        if pick < 0.76:
            return binary(self.random.choice("&&|^"), a, number(self.random.choice((1, 3, 7, 15, 6))))
        if pick < 0.82:
            bits = self.random.randint(0, 3)
            kind = "int" if BITS[a.kind] < 32 else a.kind
            return Expression(f"({a.text} >> {bits})", kind, lambda env: convert(a.of(env), kind) >> bits)
        if pick < 0.92:
            b = self.expression(names, depth - 1)
            kind = common(a, b)
            name = self.random.choice(("min", "max"))
            which = {"min": min, "max": max}[name]
            return Expression(f"{name}(({kind}){a.text}, ({kind}){b.text})", kind,
                              lambda env: which(convert(a.of(env), kind), convert(b.of(env), kind)))
        if pick < 0.96:
            b, c = self.expression(names, depth - 1), self.condition(names, depth - 1)
            kind = common(a, b)
            return Expression(f"({c.text} ? {a.text} : {b.text})", kind,
                              lambda env: convert(a.of(env) if c.of(env) else b.of(env), kind))
        return cast(self.random.choice(tuple(BITS)), a)

    def condition(self, names, depth):
        one = compare(self.random.choice(tuple(COMPARISONS)), self.expression(names, depth),
                      self.expression(names, max(depth - 1, 0)))
        if self.random.random() > 0.3:
            return one
        other = compare(self.random.choice(("<", ">=")), self.expression(names, depth), self.leaf(names))
        both = self.random.choice(("&&", "||"))
        def of(env):
            if both == "&&":
                return one.of(env) and other.of(env)
            return one.of(env) or other.of(env)
        return Expression(f"({one.text} {both} {other.text})", "int", of)

    def kernel(self):
        return Kernel(self)


class Stride:
    """A loop whose value is multiplied or divided in each round, maybe with a second one that goes another way. What
    follows is its body, or comes behind it."""

    STEPS = {
        "*=": lambda a, b, kind: result(a * b, kind if BITS[kind] > 16 else "int"),
        "/=": lambda a, b, kind: divide(a, convert(b, kind) if BITS[kind] > 16 else b),
        "<<=": lambda a, b, kind: a << b,
        ">>=": lambda a, b, kind: a >> b,
    }

    def __init__(self, maker, names, name):
        rnd = maker.random
        self.names = {name: rnd.choice(("int", "int", "uint", "uint", "uchar", "short", "long"))}
        if rnd.random() < 0.4:
            self.names[name + "_"] = rnd.choice(("int", "uint", "ushort"))
        self.starts, self.steps = {}, {}
        for each in self.names:
            self.starts[each] = number(rnd.choice((1, 1, 2, 3, 16, 40, 100))) if rnd.random() < 0.6 else maker.leaf(names)
            by = rnd.choice(tuple(self.STEPS))
            self.steps[each] = by, rnd.choice((1, 1, 2, 3) if by in ("<<=", ">>=") else (2, 2, 3, 4, -2))
        grows = self.steps[name][0] in ("*=", "<<=")
        limit = maker.expression(names, 1) if rnd.random() < 0.5 else number(rnd.choice((1, 8, 50, 100)))
        if not grows and rnd.random() < 0.6:
            limit = number(0)
        self.test = compare(rnd.choice(("<", "<", "<=", "!=") if grows else (">", ">", ">=", "!=")),
                            Expression(name, self.names[name], lambda env: env[name]), limit)
        self.tested_first = rnd.random() < 0.7
        self.behind = rnd.random() < 0.25
        self.stop = maker.condition({**names, **self.names}, 1) if rnd.random() < 0.2 else None
        self.counted = rnd.random() < 0.3 and name + "r"

    def text(self):
        """What comes before the body, and after it."""
        begin = "".join(f"{kind} {name} = {self.starts[name].text}; " for name, kind in self.names.items())
        begin += f"int {self.counted} = 0; " if self.counted else ""
        begin += f"while ({self.test.text}) {{" if self.tested_first else "do {"
        begin += f" if ({self.stop.text}) break;" if self.stop else ""
        end = "".join(f"{name} {by} {amount}; " for name, (by, amount) in self.steps.items())
        end += f"{self.counted}++; " if self.counted else ""
        end += "}" if self.tested_first else f"}} while ({self.test.text});"
        return (begin + end, "") if self.behind else (begin, end)

    def known(self, names):
        return {**names, **self.names, **({self.counted: "int"} if self.counted else {})}

    def run(self, env, body):
        env = {**env, **{name: convert(self.starts[name].of(env), kind) for name, kind in self.names.items()}}
        if self.counted:
            env[self.counted] = 0
        first = not self.tested_first
        for _ in range(200):
            if not first and not self.test.of(env):
                break
            first = False
            if self.stop and self.stop.of(env):
                break
            if not self.behind:
                body(env)
            env = dict(env)
            for name, (by, amount) in self.steps.items():
                kind = self.names[name]
                env[name] = convert(self.STEPS[by](env[name], amount, kind), kind)
            if self.counted:
                env[self.counted] += 1
        else:
            raise Undefined
        if self.behind:
            body(env)


class Ring:
    """A value that is held within limits in each of some rounds."""

    def __init__(self, maker, names, name):
        rnd = maker.random
        self.name, self.kind = name, rnd.choice(("int", "uint"))
        self.rounds = rnd.randint(1, 6)
        self.start = maker.leaf(names) if rnd.random() < 0.5 else number(rnd.randint(0, 9))
        mine = Expression(name, self.kind, lambda env: env[name])
        by = number(rnd.choice((1, 1, 3))) if rnd.random() < 0.5 else maker.expression({**names, name: self.kind}, 1)
        value = cast(self.kind, binary(rnd.choice("++-*"), mine, by))
        low, high = number(0), number(rnd.choice((1, 7, 12, 31)), self.kind)
        how = rnd.choice(("and", "rest", "least", "between"))
        if how == "and":
            self.next = binary("&", value, high)
        elif how == "rest":
            self.next = binary("%", value, high)
        elif how == "least":
            self.next = Expression(f"min({value.text}, {high.text})", self.kind,
                                   lambda env: min(value.of(env), high.of(env)))
        else:
            self.next = Expression(f"clamp({value.text}, ({self.kind}){low.text}, {high.text})", self.kind,
                                   lambda env: max(0, min(value.of(env), high.of(env))))

    def text(self):
        return (f"{self.kind} {self.name} = {self.start.text}; for (int {self.name}r = 0; {self.name}r < {self.rounds}; "
                f"{self.name}r++) {{", f"{self.name} = {self.next.text}; }}")

    def known(self, names):
        return {**names, self.name: self.kind}

    def run(self, env, body):
        env = {**env, self.name: convert(self.start.of(env), self.kind)}
        for _ in range(self.rounds):
            body(env)
            env = {**env, self.name: convert(self.next.of(env), self.kind)}


class Kernel:
    """`text` and a launch; run() says what it touches."""

    def __init__(self, maker):
        rnd = maker.random
        dimensions = rnd.choice((1, 1, 2))
        self.local = [rnd.choice((1, 2, 4, 7)) for _ in range(dimensions)]
        self.range = [size * rnd.randint(1, 6) for size in self.local]
        if rnd.random() < 0.2:
            self.local = None  # the driver's choice: group and local ids are not known here
        self.offset = [rnd.choice((0, 0, 0, 3)) for _ in self.range]
        self.values = {"n": rnd.randint(0, 40), "m": rnd.choice((-3, 0, 5, 17)), "u": rnd.randint(0, 12)}
        names = {"n": "int", "m": "int", "u": "uint"}
        if rnd.random() < 0.4:
            least = rnd.choice((0, 0, 0, -2, 5))
            maker.table = [rnd.randint(least, 30) for _ in range(rnd.randint(1, 9))]
        self.table = maker.table
        self.steps, lines, depth, ends = [], [], 0, []
        for _ in range(rnd.choice((0, 1, 1, 2, 3))):
            pick = rnd.random()
            if rnd.random() < 0.35:
                loop = (Ring if rnd.random() < 0.25 else Stride)(maker, names, f"d{depth}")
                self.steps.append(("loop", loop))
                begin, end = loop.text()
                lines.append(begin)
                ends.append(end)
                names = loop.known(names)
                depth += 1
            elif pick < 0.4:
                condition = maker.condition(names, 2)
                self.steps.append(("if", condition))
                lines.append(f"if ({condition.text}) {{")
                ends.append("}")
                depth += 1
            elif pick < 0.75:
                name = f"i{depth}"
                start, end = maker.expression(names, 1), maker.expression(names, 1)
                step = rnd.choice((1, 1, 1, 2, 5))
                down = rnd.random() < 0.2
                by, test = f"{'-' if down else '+'}= {step}", f"{'>' if down else '<'} (int){end.text}"
                tested_first = rnd.random() < 0.8
                self.steps.append(("for" if tested_first else "do", name, start, end, -step if down else step))
                if tested_first:
                    lines.append(f"for (int {name} = {start.text}; {name} {test}; {name} {by}) {{")
                    ends.append("}")
                else:
                    lines.append(f"int {name} = {start.text}; do {{")
                    ends.append(f"}} while (({name} {by}) {test});")
                names = {**names, name: "int"}
                depth += 1
            else:
                name = f"v{depth}_{len(lines)}"
                value = maker.expression(names, 2)
                kind = rnd.choice(RANK)
                self.steps.append(("let", name, kind, value))
                lines.append(f"{kind} {name} = {value.text};")
                names = {**names, name: kind}
        self.element = rnd.choice(("char", "int", "int", "long"))
        self.index = maker.expression(names, 2)
        table = "global const int *table, " if self.table else ""
        self.text = (f"kernel void k({table}global {self.element} *out, int n, int m, uint u) {{\n  " + "\n  ".join(lines) +
                     f"\n  out[{self.index.text}] = 1;\n" + "".join(reversed(ends)) + "\n}\n")

    def ids(self):
        """Environments of all work-items."""
        local = self.local or self.range
        def positions(sizes):
            return [[]] if not sizes else [[i, *rest] for rest in positions(sizes[1:]) for i in range(sizes[0])]
        for at in positions(self.range):
            env = dict(self.values)
            for d in 0, 1:
                inside = d < len(self.range)
                env[f"get_global_id({d})"] = at[d] + self.offset[d] if inside else 0
                env[f"get_local_id({d})"] = at[d] % local[d] if inside else 0
                env[f"get_group_id({d})"] = at[d] // local[d] if inside else 0
            yield env

    def run(self):
        """The bytes at which accesses begin. Undefined if that is not defined, or takes too long."""
        touched = set()
        self.left = 20000
        for env in self.ids():
            self.step(0, env, touched)
        return touched

    def step(self, at, env, touched):
        self.left -= 1
        if self.left < 0:
            raise Undefined
        if at == len(self.steps):
            index = self.index.of(env)
            if BITS[self.index.kind] < 64:
                index = convert(index, "long")
            touched.add(convert(index * (BITS[self.element] // 8), "long"))
            return
        what, *rest = self.steps[at]
        if what == "if":
            if rest[0].of(env):
                self.step(at + 1, env, touched)
        elif what == "loop":
            rest[0].run(env, lambda inside: self.step(at + 1, inside, touched))
        elif what == "let":
            name, kind, value = rest
            self.step(at + 1, {**env, name: convert(value.of(env), kind)}, touched)
        else:
            name, start, end, by = rest
            now = convert(start.of(env), "int")
            tested = what == "for"
            while True:
                limit = convert(end.of({**env, name: now}), "int") if tested else None
                if tested and not (now < limit if by > 0 else now > limit):
                    break
                tested = True
                self.step(at + 1, {**env, name: now}, touched)
                now = result(now + by, "int")

    def uses_groups(self):
        return "get_local_id" in self.text or "get_group_id" in self.text
