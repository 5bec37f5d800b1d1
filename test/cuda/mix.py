# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases from the product of axes: memory x how its pointer arrives x type x access x
the way to the access x where it is x who makes it."""

from axes.covering import cover
from elements_cuda import TYPES
from model import Case, Launch, int32, out_of_bounds
from pieces import ALLOCATED, ARRIVALS, MEMORIES, READ_ONLY, piece_of

COUNT = 16  # elements of the piece
FAR = 4096  # elements
ATOMICS = ("int", "long", "float", "double")
WAYS = ("index", "arithmetic", "bytes", "function", "noinline", "template", "lambda", "view", "select", "slots",
        "integer", "nested")
# name: (range, the condition under which a thread makes the access, its global id)
SHAPES = {
    "one": (((1,), (1,)), "", (0, 0, 0)),
    "last_block": (((32,), (8,)), "blockIdx.x * blockDim.x + threadIdx.x == 29", (29, 0, 0)),
    "plane": (((8, 4), (4, 2)), "blockIdx.x == 1 && threadIdx.x == 3 && blockIdx.y * blockDim.y + threadIdx.y == 3",
              (7, 3, 0)),
}
AXES = {
    "memory": MEMORIES,
    "arrival": (*ARRIVALS, "own"),
    "type": tuple(TYPES),
    "access": ("load", "store", "atomic"),
    "way": WAYS,
    "place": ("past", "before", "far", "straddles"),
    "shape": tuple(SHAPES),
}
WORDS = {"load": "read", "store": "write", "atomic": "atomic"}


def sensible(part):
    """Whether a part of a combination can be a part of one."""
    memory, arrival, type, access = (part.get(axis) for axis in ("memory", "arrival", "type", "access"))
    if memory and arrival and (memory in ALLOCATED) != (arrival != "own"):
        return False
    if access == "atomic" and (type and type not in ATOMICS or memory in ("private", "by_value")):
        return False
    if access and access != "load" and memory in READ_ONLY:
        return False
    if memory == "static_table" and type and type not in ("int", "float", "double", "short"):
        return False
    # An allocation can end anywhere; an array ends with an element.
    return not (part.get("place") == "straddles"
                and (memory and memory not in (*ALLOCATED, "dynamic_shared") or type and TYPES[type].value_bytes < 4))


def use(access, type, pointer, index):
    """The line of the access."""
    at = f"{pointer}[{index}]{type.member}"
    return {"load": f"out[0] = {at}; /*BUG*/", "store": f"{at} = ({type.value})77; /*BUG*/",
            "atomic": f"out[0] = atomicAdd(&{at}, ({type.value})5); /*BUG*/"}[access]


def routed(way, access, type, piece, const):
    """(lines before the kernel, lines of the access, parameters, lines of the launch) with `at` for the index."""
    t, first = const + type.name, piece.first
    line = lambda q, i: use(access, type, q, i)  # noqa: E731
    function = "void use_$K({} *q, int i, {} *out)".format(t, type.value)
    call = f"use_$K({first}, at, out); /*CALL*/"
    if way == "index":
        return (), (line(first, "at"),), (), ()
    if way == "arithmetic":
        return (), (f"{t} *q = {first} + (at - 3);", line("q", "3")), (), ()
    if way == "bytes":
        return (), (f"{const}char *c = ({const}char *){first} + at * (int)sizeof({t});",
                    line(f"(({t} *)c)", "0")), (), ()
    if way in ("function", "noinline"):
        word = "inline" if way == "function" else "__noinline__"
        return (f"__device__ {word} {function} {{", f"  {line('q', 'i')}", "}"), (call,), (), ()
    if way == "nested":
        return ((f"__device__ __noinline__ {function.replace('use_', 'inner_')} {{", f"  {line('q', 'i')}", "}",
                 f"__device__ __noinline__ {function} {{", "  inner_$K(q + 2, i - 2, out);", "}"), (call,), (), ())
    if way == "template":
        return (("template <typename E, int N>", f"__device__ void use_$K(E *q, int i, {type.value} *out) {{",
                 f"  {line('q', 'i + N')}", "}"),
                (f"use_$K<{t}, 2>({first}, at - 2, out); /*CALL*/",), (), ())
    if way == "lambda":
        return (), ("auto use = [&](int i) {", f"  {line(first, 'i')}", "};", "use(at); /*CALL*/"), (), ()
    if way == "view":
        return ((f"struct view_$K {{ {t} *data; __device__ {t} *from(int i) const {{ return data + i; }} }};",),
                (f"view_$K view = {{{first}}};", line("view.from(at)", "0")), (), ())
    if way == "select":  # among memories of two kinds
        return ((), (f"{t} *q = pick ? {first} : b;", line("q", "at")), (f"{t} *b",),
                (f"memory b device {type.filled(COUNT * 2 * type.bytes).hex()}", "pointer b 0"))
    if way == "slots":
        return (), (f"{t} *slots[2];", f"slots[pick] = {first};", f"slots[1 - pick] = {first} + 1;",
                    line("slots[pick]", "at")), (), ()
    return (), (f"unsigned long long n = (unsigned long long){first} + (long long)at * (int)sizeof({t});",
                line(f"(({t} *)n)", "0")), (), ()


def case_of(chosen):
    memory, access, place = chosen["memory"], chosen["access"], chosen["place"]
    type = TYPES[chosen["type"]]
    short = type.bytes - type.offset - type.value_bytes // 2 if place == "straddles" else 0
    size = COUNT * type.bytes - short
    piece = piece_of(memory, chosen["arrival"], type, size)
    const = "const " if memory in READ_ONLY else ""
    outer, lines, params, launch = routed(chosen["way"], access, type, piece, const)
    range_, condition, id = SHAPES[chosen["shape"]]
    wrong = {"past": COUNT, "before": -1, "far": COUNT + FAR, "straddles": COUNT - 1}[place]
    right = COUNT - 2 if short else COUNT - 1
    back = f"out[0] = {piece.first}[{right - piece.base}]{type.member};"
    body = [*piece.inner, *(("__syncthreads();",) if piece.barrier else ()),
            *((f"if ({condition}) {{",) if condition else ()), *lines, *((back,) if access == "store" else ()),
            *(("}",) if condition else ())]
    every = (*piece.params, *params, f"{type.value} *out", "int at", "int pick", *piece.last_params)
    text = "\n".join((*([type.declaration] if type.declaration else []), *piece.outer, *outer,
                      f"__global__ void $K({', '.join(every)}) {{", *("  " + line for line in body), "}", ""))
    size_of_out = 2 * type.value_bytes
    zeros, was = bytes(type.value_bytes), type.packed(right + 1)
    results = {"load": (zeros, was), "atomic": (zeros, was), "store": (was, type.packed(77))}[access]
    def launched(index, result):
        held = (result + bytes([0x4D]) * type.value_bytes).hex()
        return Launch((*piece.lines, *launch, f"memory out shared {'4d' * size_of_out}", "pointer out 0",
                       int32(index - piece.base), int32(1), *piece.last_lines, f"holds out 0 {held}"), range=range_)
    arg = piece.arg if not piece.last_params else len(every) - 1
    expected = out_of_bounds(WORDS[access], type.value_bytes, piece.name, size, wrong * type.bytes + type.offset,
                             global_id=id, items=1, root=piece.root, arg=arg, memory=piece.memory)
    name = "_".join(value for axis, value in chosen.items() if value != "own")
    return Case(name, text, launched(wrong, results[0]), launched(right, results[1]), expected,
                axes=tuple(chosen.items()), family="mix", forms=("linked",))


def cases():
    return [case_of(chosen) for chosen in cover(AXES, sensible, together=(("memory", "access", "place"),))]
