# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memories of CUDA, each as one piece that a kernel has a pointer `first` to, and
the ways in which a pointer to allocated memory arrives in a kernel."""

import dataclasses

# Allocated, by the words of zoo_host: cudaMalloc, cudaMallocManaged, cudaMallocHost, and chipStar's other strategy.
ALLOCATED = ("device", "shared", "host", "svm")
READ_ONLY = ("constant_variable", "static_table")
MEMORIES = (*ALLOCATED, "static_shared", "dynamic_shared", "private", "device_variable", "constant_variable",
            "by_value", "static_table")
# How the pointer comes, if it is to allocated memory.
ARRIVALS = ("argument", "interior", "packed", "list", "indirect")
INTERIOR = 4  # elements before the pointer


@dataclasses.dataclass
class Piece:
    """`size` bytes. The finding says `name`, `root`, `arg` and `memory` of it."""
    first: str                # an expression: a pointer to, or array of, elements
    name: str
    root: str
    arg: int | None = None
    memory: str = "none"
    params: tuple = ()
    last_params: tuple = ()   # behind all others
    outer: tuple = ()         # lines before the kernel
    inner: tuple = ()         # lines at its start
    lines: tuple = ()         # of the launch; the arguments of `params`
    last_lines: tuple = ()    # those of `last_params`
    base: int = 0             # element number of what `first` points to
    barrier: bool = False     # wanted after `inner`


def piece_of(memory, arrival, type, size):
    if memory in ALLOCATED:
        return allocated(memory, arrival, type, size)
    return {"static_shared": static_shared, "dynamic_shared": dynamic_shared, "private": private,
            "device_variable": variable, "constant_variable": variable, "by_value": by_value,
            "static_table": static_table}[memory](memory, type, size)


def allocated(kind, arrival, type, size):
    t, made = type.name, f"memory data {kind} {type.filled(size).hex()}"
    memory = "svm" if kind == "svm" else "usm"
    if arrival == "argument":
        return Piece("a", "", "argument", 0, memory, (f"{t} *a",), lines=(made, "pointer data 0"))
    if arrival == "interior":
        return Piece("a", "", "argument", 0, memory, (f"{t} *a",), base=INTERIOR,
                     lines=(made, f"pointer data {INTERIOR * type.bytes}"))
    if arrival == "packed":
        return Piece("a.data", "", "heap", None, memory, ("pair_$K a",), base=0,
                     outer=(f"struct pair_$K {{ {t} *data; long n; }};",),
                     lines=(made, f"packed data 0 {(16).to_bytes(8, 'little').hex()}"))
    if arrival == "list":
        return Piece("first", "", "heap", None, memory, ("node_$K *a",),
                     outer=(f"struct node_$K {{ node_$K *next; {t} *data; }};",),
                     inner=("while (a->next) a = a->next;", f"{t} *first = a->data;"),
                     lines=(made, f"memory n0 {kind} {'00' * 16}", f"memory n1 {kind} {'00' * 16}", "link n0 0 n1 0",
                            "link n0 8 n0 0", "link n1 8 data 0", "pointer n0 0"))
    return Piece("a[2]", "", "heap", None, memory, (f"{t} **a",),
                 lines=(made, f"memory table {kind} {'00' * 32}", "link table 16 data 0", "link table 8 table 0",
                        "pointer table 0"))


def static_shared(_, type, size):
    count = size // type.bytes
    return Piece("tile", "tile", "local", inner=(f"__shared__ {type.name} tile[{count}];", type.fill("tile", count)),
                 barrier=True)


def dynamic_shared(_, type, size):
    return Piece("tile", "", "argument", None, "local", last_params=(f"DYNAMIC_SHARED({type.name}, tile)",),
                 inner=(f"EXTERN_SHARED({type.name}, tile);", type.fill("tile", size // type.bytes)), last_lines=(f"local {size}",), barrier=True)


def private(_, type, size):
    count = size // type.bytes
    return Piece("tile", "", "private", inner=(f"{type.name} tile[{count}];", type.fill("tile", count)))


def variable(memory, type, size):
    const = "const " if memory == "constant_variable" else ""
    return Piece("table_$K", "table_$K", "heap", None, "usm",
                 outer=(f"DEVICE_VARIABLE({const}{type.name}, table_$K, {size // type.bytes})",
                        "#define table_$K VARIABLE(table_$K)"),
                 lines=(f"variable table_$K device {type.filled(size).hex()}",))


def by_value(_, type, size):
    return Piece("a.v", "", "private", params=("block_$K a",),
                 outer=(f"struct block_$K {{ {type.name} v[{size // type.bytes}]; }};",),
                 lines=(f"value {type.filled(size).hex()}",))


def static_table(_, type, size):
    values = ", ".join(str(number + 1) for number in range(size // type.bytes))
    return Piece("table", "table", "program", inner=(f"static const {type.name} table[] = {{{values}}};",))
