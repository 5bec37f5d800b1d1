# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose results OpenCL C defines to the last bit, on any device.

test/soundness/kernels.py makes kernels whose addresses are hard to follow and
whose results are plain; these are the other way round: every index is held to
its memory by a mask, or by what a buffer of indices contains, and what is
calculated is as varied as can be.

Defined means: signed numbers are added, subtracted and multiplied as unsigned
ones, divisors are not zero, counts of shifts are in range. Floating point is
exact: numbers are whole or so many halves, and so few bits wide that nothing is
ever rounded (so a * b + c may be fused or not), and only their values as
integers are stored, since zero has two signs. A work-item writes only what is
its own and reads only what nobody writes, but for local memory between barriers
and atomics whose results nobody looks at until all have been made.
"""

import random

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
SCALARS = tuple(BITS)
WIDTHS = (2, 3, 4, 8, 16)
SLOTS = 4  # elements of `out` that each work-item has
INPUT = 64  # elements of each input; a power of two, as all sizes here
LAUNCHES = 4  # of each kernel, with other data
ARRAY = 8  # elements of an array in private memory

# No member needs padding, so that all bytes of a struct are defined.
STRUCT = "typedef struct { uint a; ushort b[2]; int c[4]; uchar d[8]; ulong e; uint2 f; } item;\n"
MEMBERS = (("{}.a", "uint"), ("{}.b[{} & 1]", "ushort"), ("{}.c[{} & 3]", "int"), ("{}.d[{} & 7]", "uchar"),
           ("{}.e", "ulong"), ("{}.f.x", "uint"), ("{}.f.y", "uint"))
STRUCT_BYTES = 48


def unsigned(kind):
    return kind if kind.startswith("u") else "u" + kind


def element(kind):
    return kind.rstrip("0123456789")


def width(kind):
    return int(kind[len(element(kind)):] or 1)


def vector(kind, lanes):
    return kind if lanes == 1 else f"{kind}{lanes}"


class Block:
    """Names that can be used where code is being written."""

    def __init__(self, outer=None, inside_loop=False):
        self.values = list(outer.values) if outer else []  # (name, type)
        self.assignable = list(outer.assignable) if outer else []
        self.arrays = list(outer.arrays) if outer else []  # (name, element, length, writable)
        self.structs = list(outer.structs) if outer else []
        self.indices = outer.indices if outer else None  # a buffer of numbers below INPUT
        self.floats = list(outer.floats) if outer else []  # (name, whole bits)
        self.inside_loop = inside_loop or bool(outer and outer.inside_loop)


class Function:
    """A helper: what it takes and gives."""

    def __init__(self, name, kind, parameters):
        self.name, self.kind, self.parameters = name, kind, parameters

    def changes(self):
        return any(what in ("array", "pointer") for what, _ in self.parameters)


class Program:
    """`kernels` of them from a seed; `rich`: with generic pointers and doubles."""

    def __init__(self, seed, kernels, rich):
        self.random = random.Random(seed)
        self.rich = rich
        self.counter = 0
        self.functions = []
        self.real = "float"
        head = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" if rich else ""
        table = ", ".join(str(self.random.randint(0, 2**32 - 1)) + "u" for _ in range(16))
        self.text = f"{head}{STRUCT}constant uint table[16] = {{{table}}};\n"
        for _ in range(4):
            self.text += self.function()
        self.kernels = []
        for number in range(kernels):
            text, launches = Kernel(self, f"k{number}").made()
            self.text += text
            self.kernels += launches

    def name(self, prefix="v"):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    # --- expressions ----------------------------------------------------------

    def constant(self, kind):
        bits = BITS[element(kind)]
        value = self.pick(0, 1, 2, 3, 7, (1 << bits) - 1, 1 << (bits - 1), self.random.getrandbits(bits))
        value &= (1 << bits) - 1
        return f"({kind})({value}{'UL' if bits == 64 else 'u'})"

    def any_kind(self):
        kind = self.random.choice(SCALARS)
        lanes = self.random.choice(WIDTHS) if self.chance(0.3) else 1
        # PoCL 6.0 calculates with vectors of 128 bytes wrongly if they come from SPIR-V: compiler/emit/wide_vectors.
        return vector(kind, 8 if lanes * BITS[kind] > 512 else lanes)

    def leaf(self, block, kind):
        mine = [name for name, each in block.values if each == kind]
        if mine and self.chance(0.75):
            return self.random.choice(mine)
        if width(kind) > 1:
            lanes, of = width(kind), element(kind)
            vectors = [(name, each) for name, each in block.values if element(each) == of and width(each) >= max(lanes, 2)]
            if vectors and self.chance(0.5):
                name, each = self.random.choice(vectors)
                digits = "0123456789abcdef"[:width(each)]
                return f"{name}.s{''.join(self.random.choice(digits) for _ in range(lanes))}"
            if self.chance(0.3):
                return f"({kind})({', '.join(self.leaf(block, of) for _ in range(lanes))})"
            return self.constant(kind)
        pick = self.random.random()
        if block.arrays and pick < 0.3:
            name, of, length, _ = self.random.choice(block.arrays)
            return f"({kind}){name}[{self.index(block, length)}]"
        if block.structs and pick < 0.4:
            return f"({kind}){self.member(block)[0]}"
        if pick < 0.5:
            return f"({kind})table[{self.index(block, 16)}]"
        scalars = [name for name, each in block.values if width(each) == 1]
        vectors = [(name, each) for name, each in block.values if width(each) > 1]
        if vectors and pick < 0.6:
            name, each = self.random.choice(vectors)
            return f"({kind}){name}.s{self.random.choice('0123456789abcdef'[:width(each)])}"
        if scalars and pick < 0.92:
            return f"({kind}){self.random.choice(scalars)}"
        return self.constant(kind)

    def index(self, block, length):
        scalars = [name for name, kind in block.values if width(kind) == 1]
        if not scalars or self.chance(0.15):
            return str(self.random.randrange(length))
        if block.indices and length == INPUT and self.chance(0.5):
            # Nothing but what the buffer contains shows that this stays inside.
            return f"{block.indices}[{self.index(Block(), INPUT) if self.chance(0.2) else f'(uint){self.random.choice(scalars)} & {INPUT - 1}'}]"
        text = self.random.choice(scalars)
        if self.chance(0.4):
            text = f"{text} {self.pick('+', '^')} {self.random.choice(scalars)}"
        # Unsigned, so that a sum wraps around.
        return f"((uint)({' '.join(f'(uint){word}' if word.isidentifier() else word for word in text.split())})) & {length - 1}"

    def member(self, block, structs=None):
        shape, kind = self.random.choice(MEMBERS)
        name = self.random.choice(structs or block.structs)
        return shape.format(name, f"({self.index(block, 8)})"), kind

    def expression(self, block, kind, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(block, kind)
        if width(kind) == 1 and self.chance(0.12):
            return self.real_as(block, kind)
        if self.chance(0.08):
            # What changes memory is called in a statement of its own: operands have no order.
            made = self.call(block, [each for each in self.functions if each.kind == kind and not each.changes()])
            if made:
                return made
        return self.random.choice((self.arithmetic, self.arithmetic, self.builtin, self.choice, self.conversion))(block, kind, depth)

    def arithmetic(self, block, kind, depth):
        a = self.expression(block, kind, depth - 1)
        of, lanes = element(kind), width(kind)
        free = unsigned(kind)
        operator = self.pick("+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "~")
        if operator == "~":
            return f"({kind})(~({a}))"
        b = self.expression(block, kind, depth - 1)
        if operator in "&|^":
            return f"({kind})(({a}) {operator} ({b}))"
        if operator in ("<<", ">>"):
            count = f"(({b}) & ({kind}){BITS[of] - 1})"
            if operator == "<<":
                # Smaller than int: an int is shifted, and what is cut off is not seen.
                wide = f"(uint)as_{free}({kind_of(a, kind)})" if lanes == 1 and BITS[of] < 32 else f"as_{free}({kind_of(a, kind)})"
                return f"as_{kind}(({free})({wide} << as_{free}({kind_of(count, kind)})))"
            return f"({kind})(({a}) >> {count})"
        if operator in "/%":
            # From 1 to 16.
            return f"({kind})(({a}) {operator} ({kind})((({b}) & ({kind})15) + ({kind})1))"
        return f"as_{kind}(({free})(as_{free}({kind_of(a, kind)}) {operator} {widened(f'as_{free}({kind_of(b, kind)})', of, lanes)}))"

    def builtin(self, block, kind, depth):
        a, b, c = (self.expression(block, kind, depth - 1 - extra) for extra in (0, 1, 1))
        a, b, c = (kind_of(each, kind) for each in (a, b, c))
        of, lanes = element(kind), width(kind)
        name = self.pick("min", "max", "clamp", "abs", "abs_diff", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi",
                         "rotate", "clz", "popcount", "mad_sat", "bitselect", "mul24", "upsample", "shuffle")
        if name in ("min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate"):
            return f"{name}({a}, {b})"
        if name in ("clz", "popcount"):
            return f"{name}({a})"
        if name in ("abs", "abs_diff"):
            return f"as_{kind}({name}({a}{', ' + b if name == 'abs_diff' else ''}))"
        if name == "clamp":
            return f"clamp({a}, min({b}, {c}), max({b}, {c}))"
        if name in ("mad_sat", "bitselect"):
            return f"{name}({a}, {b}, {c})"
        if name == "mul24" and of in ("int", "uint"):
            # 24 bits, signed: what is wider is not defined.
            low = [f"(({each}) & ({kind}){0x7FFFFF})" for each in (a, b)]
            return f"mul24({', '.join(low)})"
        if name == "upsample" and BITS[of] > 8:
            half = {16: "char", 32: "short", 64: "int"}[BITS[of]]
            high = vector(half if not of.startswith("u") else "u" + half, lanes)
            low = vector("u" + half, lanes)
            return f"upsample({self.leaf_of(block, high)}, {self.leaf_of(block, low)})"
        if name == "shuffle" and lanes in (2, 4, 8, 16):
            return f"shuffle({a}, as_{unsigned(kind)}({b}))"
        return f"max({a}, {b})"

    def leaf_of(self, block, kind):
        return kind_of(self.leaf(block, kind), kind)

    def choice(self, block, kind, depth):
        a, b = (kind_of(self.expression(block, kind, depth - 1), kind) for _ in range(2))
        if width(kind) > 1:
            c, d = (self.leaf_of(block, kind) for _ in range(2))
            return f"select({a}, {b}, {self.pick('', '~')}({c} {self.pick('<', '>=', '==', '!=')} {d}))"
        return f"({self.condition(block, depth - 1)} ? {a} : {b})"

    def condition(self, block, depth):
        kind = self.random.choice(SCALARS)
        a, b = (kind_of(self.expression(block, kind, min(depth, 1)), kind) for _ in range(2))
        one = f"{a} {self.pick('<', '<=', '>', '>=', '==', '!=')} {b}"
        if self.chance(0.2):
            kind = vector(self.random.choice(SCALARS), self.random.choice((2, 4, 8)))
            one = f"{self.pick('any', 'all')}({self.leaf_of(block, kind)} {self.pick('<', '!=')} {self.leaf_of(block, kind)})"
        if self.chance(0.25):
            return f"({one} {self.pick('&&', '||')} {self.condition(block, 0)})"
        return f"({one})"

    def conversion(self, block, kind, depth):
        lanes = width(kind)
        other = vector(self.random.choice([each for each in SCALARS if BITS[each] * lanes <= 512]), lanes)
        inner = kind_of(self.expression(block, other, depth - 1), other)
        same = [each for each in SCALARS if BITS[each] == BITS[element(kind)] and each != element(kind)]
        pick = self.random.random()
        if pick < 0.3:
            other = vector(same[0], lanes)
            return f"as_{kind}({kind_of(self.expression(block, other, depth - 1), other)})"
        if pick < 0.6:
            return f"convert_{kind}_sat({inner})"
        return f"convert_{kind}({inner})"

    def call(self, block, functions):
        """A call of one of these helpers, if all that it takes is here."""
        if not functions:
            return None
        function = self.random.choice(functions)
        words = []
        for what, of in function.parameters:
            if what == "value":
                words.append(self.leaf_of(block, of))
            elif what == "array":
                arrays = [name for name, each, length, writable in block.arrays
                          if each == of and length >= ARRAY and writable == "private"]
                generic = [name for name, each, length, writable in block.arrays
                           if each == of and length >= ARRAY and writable in ("private", "local", "global")]
                if self.rich and generic:
                    words.append(self.random.choice(generic))
                elif arrays:
                    words.append(self.random.choice(arrays))
                else:
                    return None
            elif block.structs:
                mine = [each for each in block.structs if each.isidentifier()]
                if not mine:
                    return None
                words.append(("&" if what == "pointer" else "") + self.random.choice(mine))
            else:
                return None
        return f"{function.name}({', '.join(words)})"

    # --- floating point, exact ------------------------------------------------

    def real_expression(self, block, depth):
        """(text, bits): a whole number of halves, of less than `bits` bits in all."""
        most = 22 if self.real == "float" else 50
        if depth <= 0 or self.chance(0.2):
            if block.floats and self.chance(0.5):
                return self.random.choice(block.floats)
            kind = self.pick("int", "short", "uchar")
            return f"({self.real})(({kind_of(self.leaf(block, kind), kind)}) & ({kind})63)", 7
        a, bits_a = self.real_expression(block, depth - 1)
        pick = self.random.random()
        if pick < 0.15:
            return f"fabs({a})", bits_a
        if pick < 0.25:
            return f"floor({a})", bits_a + 1
        b, bits_b = self.real_expression(block, depth - 1)
        more = max(bits_a, bits_b) + 1
        if pick < 0.4 and bits_a + 1 + bits_b + 1 <= most:
            # floor: of halves, a product would have quarters.
            return f"(floor({a}) * floor({b}))", bits_a + bits_b + 2
        if pick < 0.5 and bits_a < 8:
            return f"(floor({a}) * ({self.real})0.5)", bits_a + 2
        if pick < 0.65:
            return f"({a} {self.pick('<', '>', '==')} {b} ? {a} : {b})", max(bits_a, bits_b)
        if more > most:
            return a, bits_a
        if pick < 0.75 and bits_a + bits_b + 4 <= most:
            c, bits_c = self.real_expression(block, 0)
            if max(bits_a + bits_b + 2, bits_c) + 1 <= most:
                return f"{self.pick('fma', 'mad')}(floor({a}), floor({b}), {c})", max(bits_a + bits_b + 2, bits_c) + 1
        return f"({a} {self.pick('+', '-')} {b})", more

    def real_as(self, block, kind):
        text, _ = self.real_expression(block, 2)
        return f"({kind})({'int' if self.real == 'float' else 'long'})({text})"

    # --- statements -----------------------------------------------------------

    def body(self, block, depth, count):
        return "".join(self.statement(block, depth) for _ in range(count))

    def statement(self, block, depth):
        pick = self.random.random()
        if pick < 0.25:
            return self.declare(block)
        if pick < 0.45 and block.assignable:
            name, kind = self.random.choice(block.assignable)
            if width(kind) > 1 and self.chance(0.3):
                lane = self.random.choice("0123456789abcdef"[:width(kind)])
                return f"{name}.s{lane} = {self.expression(block, element(kind), 2)};\n"
            return f"{name} = {self.assigned(block, kind, 2)};\n"
        if pick < 0.53:
            return self.store(block)
        if pick < 0.58:
            name = self.name("r")
            text, bits = self.real_expression(block, 2)
            block.floats.append((name, bits))
            return f"{self.real} {name} = {text};\n"
        if depth <= 0:
            return self.declare(block)
        if pick < 0.68:
            text = f"if ({self.condition(block, 2)}) {{\n{self.body(Block(block), depth - 1, 2)}"
            if self.chance(0.5):
                text += f"}} else {{\n{self.body(Block(block), depth - 1, 2)}"
            return text + "}\n"
        if pick < 0.8:
            return self.loop(block, depth)
        if pick < 0.88:
            return self.switch(block, depth)
        if pick < 0.93:
            return self.aliases(block)
        if block.inside_loop and pick < 0.96:
            return f"if ({self.condition(block, 1)}) {self.pick('break', 'continue')};\n"
        return self.declare(block)

    def assigned(self, block, kind, depth):
        return kind_of(self.expression(block, kind, depth), kind)

    def declare(self, block):
        pick = self.random.random()
        if pick < 0.15:
            of, name = self.random.choice(SCALARS), self.name("a")
            firsts = ", ".join(self.assigned(block, of, 1) for _ in range(ARRAY))
            block.arrays.append((name, of, ARRAY, "private"))
            return f"{of} {name}[{ARRAY}] = {{{firsts}}};\n"
        if pick < 0.22:
            name = self.name("s")
            first = [self.assigned(block, kind, 1) for kind in ("uint", "ushort", "ushort", *["int"] * 4, *["uchar"] * 8,
                                                                 "ulong", "uint2")]
            block.structs.append(name)
            return (f"item {name} = {{{first[0]}, {{{', '.join(first[1:3])}}}, {{{', '.join(first[3:7])}}}, "
                    f"{{{', '.join(first[7:15])}}}, {first[15]}, {first[16]}}};\n")
        kind, name = self.any_kind(), self.name()
        text = f"{kind} {name} = {self.assigned(block, kind, 2)};\n"
        if self.functions and self.chance(0.2):
            function = self.random.choice(self.functions)
            made = self.call(block, [function])
            if made:
                kind, text = function.kind, f"{function.kind} {name} = {made};\n"
        block.values.append((name, kind))
        block.assignable.append((name, kind))
        return text

    def store(self, block):
        writable = [each for each in block.arrays if each[3] == "private"]
        structs = [each for each in block.structs if not each.startswith("things[")]
        if structs and self.chance(0.4):
            text, kind = self.member(block, structs)
            return f"{text} = {self.assigned(block, kind, 2)};\n"
        if not writable:
            return self.declare(block)
        name, of, length, _ = self.random.choice(writable)
        if BITS[of] >= 8 and self.chance(0.2):
            lanes = self.pick(2, 4)
            return f"vstore{lanes}({self.assigned(block, vector(of, lanes), 2)}, {self.index(block, length // lanes)}, {name});\n"
        return f"{name}[{self.index(block, length)}] {self.pick('=', '=', '^=')} {self.assigned(block, of, 2)};\n"

    def loop(self, block, depth):
        inner = Block(block, inside_loop=True)
        name = self.name("i")
        inner.values.append((name, "int"))
        rounds = self.random.randint(1, 6)
        count = f"({self.index(block, 8)})" if self.chance(0.4) else str(rounds)
        shape = self.random.random()
        body = self.body(inner, depth - 1, self.random.randint(1, 3))
        if shape < 0.6:
            return f"for (int {name} = 0; {name} < (int)({count}); {name} += {self.pick(1, 1, 2)}) {{\n{body}}}\n"
        if shape < 0.8:
            return f"for (int {name} = (int)({count}); {name} > 0; {name}--) {{\n{body}}}\n"
        # A continue must not leave out the step.
        return f"{{ int {name} = 0; do {{\n{body}}} while (++{name} < (int)({count})); }}\n"

    def switch(self, block, depth):
        kind = self.pick("int", "uint", "uchar", "long")
        text = f"switch ({self.assigned(block, kind, 1)} & 3) {{\n"
        # A continue would be the loop's, a break the switch's: neither is written here.
        def arm():
            inner = Block(block)
            inner.inside_loop = False
            return self.body(inner, depth - 1, 1)
        for case in range(self.random.randint(1, 4)):
            text += f"case {case}: {{\n{arm()}}}\n" + ("break;\n" if self.chance(0.7) else "")
        return text + f"default: {{\n{arm()}}}\n}}\n"

    def aliases(self, block):
        """Pointers into arrays: moved, chosen, kept in memory."""
        mine = [each for each in block.arrays if each[3] == "private"]
        if not mine:
            return self.declare(block)
        name, of, length, _ = self.random.choice(mine)
        same = [each for each in mine if each[1] == of and each[2] == length]
        other = self.random.choice(same)[0]
        half = length // 2
        pointer, pick = self.name("p"), self.random.random()
        if pick < 0.35 or half < 2:
            text = f"{of} *{pointer} = {name} + ({self.index(block, half or 1)});\n"
        elif pick < 0.7:
            text = f"{of} *{pointer} = {self.condition(block, 1)} ? {name} : {other} + {half};\n"
        else:
            kept = self.name("q")
            text = (f"{of} *{kept}[2] = {{{name}, {other} + {half}}};\n"
                    f"{of} *{pointer} = {kept}[{self.index(block, 2)}];\n")
        if half >= 2:
            block.arrays.append((pointer, of, half, "private"))
            text += f"{pointer}[{self.index(block, half)}] = {self.assigned(block, of, 2)};\n"
        return text

    # --- functions ------------------------------------------------------------

    def function(self):
        block, parameters, words = Block(), [], []
        for _ in range(self.random.randint(1, 4)):
            what = self.pick("value", "value", "array", "struct", "pointer")
            name = self.name("x")
            if what == "value":
                of = self.any_kind()
                words.append(f"{of} {name}")
                block.values.append((name, of))
                block.assignable.append((name, of))
            elif what == "array":
                of = self.random.choice(SCALARS)
                words.append(f"{of} *{name}")
                # Written only where it is known to be private.
                block.arrays.append((name, of, ARRAY, "read" if self.rich else "private"))
            else:
                of = "item"
                words.append(f"item {'*' if what == 'pointer' else ''}{name}")
                block.structs.append(f"(*{name})" if what == "pointer" else name)
            parameters.append((what, of))
        kind = self.any_kind()
        made = Function(self.name("f"), kind, parameters)
        self.real = "double" if self.rich and self.chance(0.3) else "float"
        body = self.body(block, 1, self.random.randint(1, 4))
        text = f"{kind} {made.name}({', '.join(words)}) {{\n{body}return {self.assigned(block, kind, 2)};\n}}\n"
        self.functions.append(made)
        return text


def kind_of(text, kind):
    """A literal, an int by promotion or a scalar becomes this kind; a vector is one already."""
    return f"({kind})({text})" if width(kind) == 1 else f"({text})"


def widened(text, of, lanes):
    """So that a product of two ushorts is not one of two ints."""
    return f"(uint){text}" if lanes == 1 and BITS[of] < 32 else text


class Kernel:
    """One kernel of a program, and its launches."""

    def __init__(self, program, name):
        self.program, self.name, self.random = program, name, program.random
        self.group = program.pick(4, 8, 16)
        self.groups = program.pick(1, 2, 4)
        self.total = self.group * self.groups
        self.rows = program.pick(1, 1, 2)  # more than one: two dimensions

    def made(self):
        """Its text, and [(name, lines for zoo_host)]."""
        program, block = self.program, Block()
        program.real = "double" if program.rich and program.chance(0.4) else "float"
        arguments, fills = [], []  # text; a function that gives the line of one launch

        def add(text, fill):
            arguments.append(text)
            fills.append(fill)

        out = program.random.choice(SCALARS)
        inputs = [(f"in{number}", program.random.choice(SCALARS)) for number in range(program.random.randint(1, 3))]
        for name, of in inputs:
            space = program.pick("global const", "global const", "global", "constant")
            size = INPUT * BITS[of] // 8
            add(f"{space} {of} *{name}", lambda size=size: f"buffer {size} rw {self.bytes(size)}")
            where = "global" if space == "global" else "read"
            block.arrays.append((name, of, INPUT, where))
        if program.chance(0.7):
            block.indices = "indices"
            add("global const uchar *indices", lambda: f"buffer {INPUT} rw "
                + "".join(f"{self.random.randrange(INPUT):02x}" for _ in range(INPUT)))
        if program.chance(0.4):
            add("global const item *things", lambda: f"buffer {STRUCT_BYTES * 8} r {self.bytes(STRUCT_BYTES * 8)}")
            block.structs.append("things[(i0 + {}) & 7]".format(program.random.randrange(8)))
        if program.chance(0.3):
            add("item given", lambda: f"value {self.bytes(STRUCT_BYTES)}")
            block.structs.append("given")
        for number in range(program.random.randint(0, 3)):
            of = program.any_kind()
            size = BITS[element(of)] // 8 * (4 if width(of) == 3 else width(of))
            add(f"{of} n{number}", lambda size=size: f"value {self.bytes(size)}")
            block.values.append((f"n{number}", of))
        counts = program.chance(0.4)
        if counts:
            add("global uint *counts", lambda: f"buffer 64 rw {self.bytes(64)}")
        own = program.chance(0.3)  # local memory that the host gives
        shared = own or program.chance(0.4)
        tile_of = program.random.choice(SCALARS)
        if own:
            size = self.group * BITS[tile_of] // 8
            add(f"local {tile_of} *tile", lambda size=size: f"local {size}")
        out_size = self.total * SLOTS * BITS[out] // 8
        add(f"global {out} *out", lambda: f"buffer {out_size} rw -")
        order = list(range(len(arguments)))
        program.random.shuffle(order)
        arguments, fills = [arguments[each] for each in order], [fills[each] for each in order]

        block.values += [("i0", "uint"), ("l0", "uint"), ("g0", "uint")]
        body = "uint i0 = get_global_id(0), l0 = get_local_id(0), g0 = get_group_id(0);\n"
        if self.rows > 1:
            body += "i0 += get_global_id(1) * get_global_size(0);\nl0 += get_local_id(1) * get_local_size(0);\n"
        body += f"global {out} *mine = out + i0 * {SLOTS};\n"
        if shared and not own:
            body += f"local {tile_of} tile[{self.group}];\n"
        body += program.body(block, 2, program.random.randint(1, 4))
        if shared:
            body += self.exchange(block, tile_of)
        body += program.body(block, 1, program.random.randint(1, 3))
        if counts:
            body += self.counted(block)
        for slot in range(SLOTS):
            body += f"mine[{slot}] = {program.assigned(block, out, 2)};\n"
        text = f"kernel void {self.name}({', '.join(arguments)}) {{\n{body}}}\n"

        place = next(at for at, each in enumerate(arguments) if each.endswith("*out"))
        lines, rows = [], self.rows
        shape = f"range {rows} {self.total // rows} {rows} 1 {self.group // rows} {rows} 1 0 0 0"
        for _ in range(LAUNCHES):
            one = [f"kernel {self.name}", shape, *(fill() for fill in fills),
                   f"show {place} {out_size}"]
            if counts:
                one.append(f"show {next(at for at, each in enumerate(arguments) if each.endswith('*counts'))} 64")
            lines.append((self.name, [*one, "end"]))
        return text, lines

    def bytes(self, size):
        # Small numbers too: they find their way through conditions.
        if self.random.random() < 0.3:
            return "".join(f"{self.random.choice((0, 0, 0, 1, 2, 255)):02x}" for _ in range(size))
        return self.random.randbytes(size).hex()

    def exchange(self, block, of):
        """Local memory, written by one work-item and read by another."""
        name = self.program.name("t")
        text = self.exchanged(block, of, name)
        block.values.append((name, of))
        return text

    def exchanged(self, block, of, name):
        program = self.program
        fence = "barrier(CLK_LOCAL_MEM_FENCE);\n"
        write = f"tile[l0] = {program.assigned(block, of, 2)};\n{fence}"
        read = f"tile[(l0 + {program.random.randint(1, self.group)}) & {self.group - 1}]"
        if program.chance(0.4):
            step = program.name("d")
            return (f"{of} {name} = 0;\nfor (uint {step} = 0; {step} < {program.random.randint(1, 4)}; {step}++) {{\n{write}"
                    f"{name} ^= tile[(l0 + {step} + 1) & {self.group - 1}];\n{fence}}}\n")
        if program.chance(0.3) and BITS[of] == 32:
            # Sums in local memory: the same in any order.
            return (f"if (l0 == 0) tile[0] = {program.constant(of)};\n{fence}"
                    f"{program.pick('atomic_add', 'atomic_xor', 'atomic_max')}(tile, {program.assigned(block, of, 2)});\n{fence}"
                    f"{of} {name} = tile[0];\n{fence}")
        if program.chance(0.3):
            inputs = [each for each, kind, length, space in block.arrays if kind == of and length == INPUT and space == "global"]
            if inputs:
                return (f"event_t e{name} = async_work_group_copy(tile, {inputs[0]} + {program.random.randrange(INPUT - self.group)}, "
                        f"{self.group}, 0);\nwait_group_events(1, &e{name});\n{of} {name} = {read};\n{fence}")
        return f"{write}{of} {name} = {read};\n{fence}"

    def counted(self, block):
        """Each counter has one operation, so that the order does not matter."""
        program, text = self.program, ""
        for counter in range(program.random.randint(1, 4)):
            name = program.pick("atomic_add", "atomic_sub", "atomic_min", "atomic_max", "atomic_and", "atomic_or",
                                "atomic_xor", "atomic_inc")
            value = "" if name == "atomic_inc" else f", {program.assigned(block, 'uint', 2)}"
            call = f"{name}(&counts[{counter * 4} + ({program.index(block, 4)})]{value});\n"
            text += f"if ({program.condition(block, 1)}) {call}" if program.chance(0.3) else call
        return text
