# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces the text of a kernel while a property holds.

For text as the generator writes it: one statement a line, blocks that open and
close on lines of their own, binary expressions in parentheses. Whatever does not
compile any more does not have the property, so nothing needs to be parsed well.
"""

import re

MOST_TRIES = 400


def block_end(lines, first):
    """The line that closes the block that line `first` opens; `first` itself if it opens none."""
    depth = 0
    for number in range(first, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return first


def without_lines(lines):
    """All texts with a statement or block left out, or a block replaced by its body; large ones first."""
    spans = []
    for first in range(len(lines)):
        last = block_end(lines, first)
        spans.append((last - first, first, last))
    for _, first, last in sorted(spans, reverse=True):
        yield lines[:first] + lines[last + 1:]
        if last > first + 1:
            yield lines[:first] + lines[first + 1:last] + lines[last + 1:]


def closing(text, start):
    """Where the parenthesis at `start` is closed, or -1."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def operands(text):
    """The operands of an expression without its parentheses: split at operators that are in no parentheses."""
    parts, depth, begin = [], 0, 0
    for match in re.finditer(r"[()\[\]]|\s(?:\?|:|&&|\|\||[-+*/%&|^]|<<|>>|[<>]=?|[!=]=)\s|,\s", text):
        word = match.group()
        if word in "([":
            depth += 1
        elif word in ")]":
            depth -= 1
        elif depth == 0:
            parts.append(text[begin:match.start()])
            begin = match.end()
    return [*parts, text[begin:]] if parts else []


def simpler_expressions(line):
    """Texts of the line with one expression in parentheses replaced by an operand of its, or by a number."""
    for start in (match.start() for match in re.finditer(r"\(", line)):
        end = closing(line, start)
        if end < 0:
            continue
        inner = line[start + 1:end]
        for part in operands(inner):
            if part != inner:
                yield f"{line[:start]}({part}){line[end + 1:]}"
        if inner not in ("0", "1", "") and len(inner) > 1:
            yield f"{line[:start]}(0){line[end + 1:]}"
        # f(x) and (type)(x) become x.
        call = re.search(r"(?:\w+|\(\w+\))$", line[:start])
        if call and call.group() not in ("if", "for", "while", "switch") and not inner.count("{"):
            yield f"{line[:call.start()]}({inner}){line[end + 1:]}"
        if re.fullmatch(r"\(*[\w.]+\)*|[\w.]+", inner):
            yield f"{line[:start]}{inner}{line[end + 1:]}"


def reduce(text, holds):
    """The smallest text found for which `holds(text)`; it holds for `text`."""
    lines = text.split("\n")
    tries = 0

    def first_that_holds(candidates):
        nonlocal tries
        for candidate in candidates:
            if tries >= MOST_TRIES:
                return None
            tries += 1
            if holds("\n".join(candidate)):
                return candidate
        return None

    def with_simpler_lines():
        for number, line in enumerate(lines):
            for simpler in simpler_expressions(line):
                if len(simpler) < len(line):
                    yield lines[:number] + [simpler] + lines[number + 1:]

    while True:
        smaller = first_that_holds(without_lines(lines)) or first_that_holds(with_simpler_lines())
        if smaller is None:
            return "\n".join(lines)
        lines = smaller
