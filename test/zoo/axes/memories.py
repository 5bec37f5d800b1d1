# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of memory that a pointer can belong to, each in two pieces: the first is
the one that is left, the second is there to be confused with it."""

import dataclasses
import struct

from axes.elements import Element, filled, value_at
from model import buffer, local, sub_buffer

MEMORIES = ("buffer", "sub_buffer", "constant_arg", "constant_var", "local_arg", "local_var", "private_var",
            "program_var")
GLOBAL = ("buffer", "sub_buffer", "program_var")
LOCAL = ("local_arg", "local_var")
CONSTANT = ("constant_arg", "constant_var")


@dataclasses.dataclass
class Piece:
    """What is accessed: `size` bytes that hold elements of `pointee`, filled with
    values of `element`'s scalar."""
    pointee: str      # its name in OpenCL C
    pointee_bytes: int
    element: Element
    size: int
    fp16: bool = False  # half is a type that variables may have

    @property
    def storage(self):
        """The type that a variable is declared with: bytes where a struct or a
        size that does not fit asks for it, and no half where that is no type."""
        if self.pointee.startswith("struct") or self.size % self.pointee_bytes:
            return "uchar"
        if self.element.scalar == "half" and not self.fp16:
            return "ushort"
        return self.pointee


@dataclasses.dataclass
class Plan:
    space: str                # word before the pointee
    name: str                 # of the first piece, in the finding
    first: str                # expressions of type `space pointee *`
    second: str
    params: list = dataclasses.field(default_factory=list)
    outer: list = dataclasses.field(default_factory=list)  # lines before the kernel
    inner: list = dataclasses.field(default_factory=list)  # lines at its start
    arguments: list = dataclasses.field(default_factory=list)
    barrier: bool = False     # needed after `inner`


def plan_of(memory, piece):
    return {"constant_var": constant_variables, "local_var": variables, "private_var": variables,
            "program_var": variables}.get(memory, arguments)(memory, piece)


def arguments(memory, piece):
    space = {"constant_arg": "constant", "local_arg": "local"}.get(memory, "global")
    plan = Plan(space, "a", "a", "b", params=[f"{space} {piece.pointee} *a", f"{space} {piece.pointee} *b"])
    data, more = filled(piece.element.scalar, piece.size), filled(piece.element.scalar, 2 * piece.size)
    if memory == "sub_buffer":
        # The parent goes on behind the part, so that what lies there is alive.
        plan.arguments = [sub_buffer(1024, piece.size, 8192, data), sub_buffer(4096, 2 * piece.size, 8192, more)]
    elif memory == "local_arg":
        plan.arguments = [local(piece.size), local(2 * piece.size)]
        plan.inner = [fill("local", piece, "a", piece.size), fill("local", piece, "b", 2 * piece.size)]
        plan.barrier = True
    else:
        plan.arguments = [buffer(piece.size, data), buffer(2 * piece.size, more)]
    return plan


def variables(memory, piece):
    space = {"local_var": "local", "program_var": "global"}.get(memory, "private")
    names = ("table_$K", "spare_$K") if memory == "program_var" else ("tile", "spare")
    lines = [declared(space, piece, name, size) + ";" for name, size in zip(names, (piece.size, 2 * piece.size))]
    pointers = [pointer(space, piece, name) for name in names]
    fills = [fill(space, piece, pointers[0], piece.size), fill(space, piece, pointers[1], 2 * piece.size)]
    plan = Plan(space, names[0], *pointers, barrier=memory == "local_var")
    if memory == "program_var":
        plan.outer, plan.inner = lines, fills
    else:
        plan.inner = lines + fills
    return plan


def constant_variables(memory, piece):
    del memory
    lines = [f"{declared('constant', piece, name, size)} = {{{', '.join(initial(piece, size))}}};"
             for name, size in (("table_$K", piece.size), ("spare_$K", 2 * piece.size))]
    return Plan("constant", "table_$K", pointer("constant", piece, "table_$K"), pointer("constant", piece, "spare_$K"),
                outer=lines)


def declared(space, piece, name, size):
    """A variable; aligned as a buffer would be where its type asks for less."""
    storage = piece.storage
    if storage == piece.pointee:
        return f"{space} {storage} {name}[{size // piece.pointee_bytes}]"
    count = size // 2 if storage == "ushort" else size
    return f"{space} {storage} {name}[{count}] __attribute__((aligned(128)))"


def pointer(space, piece, name):
    return name if piece.storage == piece.pointee else f"(({space} {piece.pointee} *){name})"


def fill(space, piece, name, size):
    scalar, count = piece.element.scalar, size // piece.element.scalar_bytes
    if scalar == "half" and not piece.fp16:
        return f"for (int k = 0; k < {count}; ++k) vstore_half((float)(k % 100 + 1), k, {name});"
    return f"for (int k = 0; k < {count}; ++k) (({space} {scalar} *){name})[k] = ({scalar})(k % 100 + 1);"


def initial(piece, size):
    """Initializers of a constant variable."""
    storage = piece.storage
    if storage == "uchar" and piece.pointee != "uchar":
        return map(str, filled(piece.element.scalar, size))
    if storage == "ushort" and piece.element.scalar == "half":
        return (str(bits) for bits, in struct.iter_unpack("<H", filled("half", size)))
    element = piece.element
    if piece.pointee == element.scalar:
        return (str(value_at(k)) for k in range(size // element.scalar_bytes))
    places = 4 if element.width == 3 else element.width
    return (f"({element.name})({', '.join(str(value_at(k * places + c)) for c in range(element.width))})"
            for k in range(size // element.bytes))
