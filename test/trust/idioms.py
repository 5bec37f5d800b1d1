# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels do with indices, over and over, with random constants and mistakes.

Each function takes Statements and puts a few lines. Variables come in pairs on
purpose: a value is compared, chosen and bounded by what it was made of.
"""


def small(of):
    if of.of.chance(65):
        return str(of.random.choice(of.of.pool))
    return str(of.random.choice([0, 1, 1, 2, 3, 5, 7, 8, 9, 13, 16]))


def bound(of):
    """What an index is compared with."""
    return of.random.choice(["16", "31", "64", "100", *of.counts, *of.counts])


def some(of):
    """A variable, or something that a kernel begins with."""
    scope = of.of.scope[-5:]
    if scope and of.of.chance(75):
        return of.random.choice(scope)[0]
    return of.of.identity()


def fresh(of, text, kind=None):
    kind = kind or of.random.choice(["int"] * 5 + ["uint", "long", "short", "uchar", "size_t"])
    name = of.name("v")
    of.put(f"{kind} {name} = {text};")
    of.of.scope.append((name, "ulong" if kind == "size_t" else kind))
    return name


def use(of, name):
    """Writes at an index near a variable, guarded or not."""
    index = of.random.choice([name, name, *[f"({name} - {small(of)})"] * 3, f"({name} + {small(of)})",
                              f"({name} * {of.random.randrange(2, 5)})", f"({name} / {of.random.randrange(2, 5)})",
                              f"({name} >> {of.random.randrange(1, 4)})"])
    guard = of.random.choice(["", "", *[f"if ({name} < {bound(of)}) "] * 3, f"if ({name} <= {bound(of)}) ",
                              f"if ({name} >= {small(of)}) ", f"if ({name} != {small(of)}) ",
                              f"if ({name} > {small(of)} && {name} < {bound(of)}) "])
    of.put(guard + of.write(index))


def ends_first(of):
    """int y = x >= 0 ? x : 7;"""
    name = some(of)
    compare = of.of.one("<", "<=", ">", ">=", "==", "!=")
    change = of.of.one(name, f"({name} + {small(of)})", f"({name} - {small(of)})", f"(-{name})", f"({name} % 16)")
    other = of.of.one(small(of), f"({name} + {small(of)})", some(of), f"({name} & 15)", "(-1)")
    against = of.of.one(small(of), bound(of))
    if of.of.chance(50):
        compare, against = of.of.one((">=", "0"), ("<", "0"), (">", "0"), (">=", bound(of)), ("<", bound(of)))
    if of.of.chance(40):
        change, other = of.of.one((name, small(of)), (small(of), name))
    use(of, fresh(of, f"({name} {compare} {against}) ? {change} : {other}"))


def clamps(of):
    name = fresh(of, f"({some(of)} {of.of.one('+', '-')} {of.of.one(small(of), some(of))})")
    of.put(f"if ({name} < {of.of.one('0', '0', '1')}) {name} = {of.of.one('0', '0', small(of), f'(-{name})')};")
    limit = bound(of)
    of.put(f"if ({name} {of.of.one('>=', '>')} {limit}) {name} = "
           f"{of.of.one(f'{limit} - 1', f'{limit} - 1', f'(2 * {limit} - {name})', '0')};")
    use(of, name)


def overflow_test(of):
    """if (n + 100 > 50) ...: a test that only a sum that does not wrap makes true."""
    name = some(of)
    test = of.random.choice([f"({name} + {of.random.choice([1, 7, 100])} > {of.random.choice([0, 1, 50])})",
                             f"({name} + 1 > {name})", f"({name} - {small(of)} < {bound(of)})",
                             f"({name} * 2 < {bound(of)} && {name} * 2 >= 0)",
                             f"({name} << 1 < {bound(of)})", f"(abs({name}) < {bound(of)})",
                             f"({name} - 1 < {bound(of)} && {name} > 0)"])
    index = of.random.choice([name, f"({name} >> 17)", f"({name} >> 24)", f"({name} & 63)", f"({name} + {small(of)})",
                              f"({name} / 1000000)", f"({name} * 2)"])
    of.put(f"if {test} {of.write(index)}")


def carried(of):
    """A variable that every iteration changes."""
    name = fresh(of, of.of.one(small(of), some(of)), of.of.one("int", "int", "uint", "short", "long"))
    limit = bound(of)
    step = of.random.choice([f"({name} + {small(of)}) % {of.random.choice([3, 7, 8, 16, 20])}",
                             f"({name} + 1 == {limit}) ? 0 : {name} + 1", f"{name} * 2", f"{name} / 2",
                             f"{name} + {some(of)}", f"({name} * 5 + 3) & 31", f"{name} >> 1", f"{name} - 1",
                             f"(c & 1) ? ({name} + 1) % 9 : {some(of)}", f"{name} + c", f"({name} ^ c)",
                             f"{name} < {limit} ? {name} + {small(of)} : {small(of)}"])

    def body():
        if of.of.chance(30):
            of.put(f"if ({name} {of.of.one('>', '>=', '==', '<')} {limit}) {of.of.one('break', 'continue')};")
        use(of, name)
        of.put(f"{name} = {step};")
        if of.of.chance(25):
            use(of, name)
    of.loops += 1
    of.of.scope.append(("c", "int"))
    of.fixed.add("c")
    of.block(f"for (int c = 0; c < {of.trip_count()}; c++) {{", body)
    of.of.scope.remove(("c", "int"))
    of.loops -= 1
    if of.of.chance(30):
        use(of, name)


def searches(of):
    """Binary search."""
    low, high, mid = of.name("lo"), of.name("hi"), of.name("at")
    kind = of.of.one("int", "int", "uint")
    of.put(f"{kind} {low} = 0, {high} = {of.of.one('64', '63', '31', *of.counts)};")
    of.loops += 1

    def body():
        of.put(f"{kind} {mid} = {of.of.one(f'({low} + {high}) / 2', f'{low} + ({high} - {low}) / 2', f'({low} + {high}) >> 1')};")
        of.put(of.write(mid))
        of.put(f"if ({of.of.atom()} {of.of.one('<', '>', '<=')} {mid}) {low} = {mid} + 1; else {high} = {mid}{of.of.one('', '', ' - 1')};")
    of.block(f"for (int c = 0; c < 9 && {low} {of.of.one('<', '<', '<=')} {high}; c++) {{", body)
    of.loops -= 1
    of.of.scope += [(low, kind), (high, kind)]
    use(of, low)


def halves(of):
    """The steps of a reduction."""
    name = some(of)
    stride = of.name("s")
    first = of.random.choice(["64", "32", "16", "(get_local_size(0) / 2)", *[f"({each} & 63)" for each in of.counts]])
    of.block(f"for (int {stride} = {first}; {stride} > 0; {stride} >>= 1) {{", lambda: of.put(
        f"if ({name} < {stride}{of.of.one('', '', ' && ' + name + ' >= 0')}) {of.write(f'({name} + {stride})')}"))


def strides(of):
    """for (i = id; i < n; i += step)"""
    name = of.name("i")
    count = bound(of)
    first = of.of.one("get_global_id(0)", "get_local_id(0)", f"({some(of)} & 15)", "get_group_id(0)")
    step = of.random.choice(["get_global_size(0)", "get_local_size(0)", "4", "7", "get_num_groups(0)"])
    of.loops += 1
    kind = of.of.one("int", "int", "uint", "size_t", "short")
    head = f"for ({kind} {name} = {first}; {name} {of.of.one('<', '<', '<=')} min((int)({count}), 100); {name} += {step}) {{"
    if kind in ("uint", "size_t"):
        head = head.replace(f"min((int)({count}), 100)", f"({count} & 127)")
    of.of.scope.append((name, "int"))
    of.fixed.add(name)
    of.block(head, lambda: use(of, name))
    of.of.scope.remove((name, "int"))
    of.loops -= 1


def rows(of):
    """Two indices flattened to one, or one taken apart."""
    width = of.random.choice(["8", "10", "16", *of.counts])
    if of.of.chance(50):
        x, y = fresh(of, some(of), "int"), fresh(of, of.of.one(some(of), of.of.identity()), "int")
        tests = of.random.sample([f"{x} >= 0", f"{y} >= 0", f"{x} < {width}", f"{y} < {bound(of)}", f"{y} < 8"],
                                 of.random.randint(2, 4))
        return of.put(f"if ({' && '.join(tests)}) {of.write(f'({y} * {width} + {x})')}")
    name = some(of)
    column = fresh(of, f"({name} % {of.random.choice([5, 8, 10, 16])})", "int")
    row = fresh(of, f"({name} / {of.random.choice([5, 8, 10, 16])})", "int")
    return of.put(of.write(of.of.one(f"({column} * {of.random.choice([5, 8, 10])} + {row})",
                                     f"({row} * {of.random.choice([5, 8, 10])} + {column})", column, row)))


def triangle(of):
    outer, inner = of.name("i"), of.name("j")
    count = bound(of) if of.counts else "12"
    of.loops += 2
    index = of.of.one(f"({outer} * ({outer} + 1) / 2 + {inner})", f"({outer} * 12 + {inner})", f"({outer} - {inner})",
                      f"({inner} - {outer})", f"({outer} + {inner})")
    start, stop = of.of.one(("0", f"{inner} <= {outer}"), (outer, f"{inner} < min((int)({count}), 14)"),
                            (f"{outer} + 1", f"{inner} < min((int)({count}), 14)"), ("0", f"{inner} < {outer}"))
    of.block(f"for (int {outer} = 0; {outer} < min((int)({count}), 14); {outer}++) {{",
             lambda: of.block(f"for (int {inner} = {start}; {stop}; {inner}++) {{",
                              lambda: of.put(of.write(index))))
    of.loops -= 2


def reverses(of):
    limit = bound(of)
    use(of, fresh(of, f"({limit} - {of.of.one('1', '1', '0', '2')} - {some(of)})"))


def wraps(of):
    """Torus indices."""
    name = some(of)
    limit = of.random.choice(["8", "16", "31"])
    use(of, fresh(of, of.of.one(f"(({name} + {small(of)}) % {limit} + {limit}) % {limit}", f"({name} - 1) & ({limit} - 1)",
                                f"({name} - 1) % {limit}", f"({name} == 0 ? {limit} : {name}) - 1",
                                f"{name} < 0 ? {name} + {limit} : {name}", f"(uint)({name} - 1) % {limit}")))


def narrows(of):
    """A value that goes through a smaller type."""
    kind = of.of.one("uchar", "char", "short", "ushort", "int", "uint")
    text = of.of.one(f"({kind})({some(of)} {of.of.one('+', '-', '*')} {of.of.one(some(of), small(of))})",
                     f"({kind})({some(of)} * {of.random.choice([3, 17, 100, 255])})",
                     f"convert_{kind}_sat((int)({some(of)} {of.of.one('+', '-')} {small(of)}))")
    use(of, fresh(of, text, of.of.one("int", kind)))


ALL = [ends_first, ends_first, clamps, clamps, overflow_test, overflow_test, carried, carried, carried, searches, halves,
       strides, rows, rows, triangle, reverses, wraps, wraps, narrows, narrows]
