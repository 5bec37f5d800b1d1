# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to touch memory through a pointer `q` and an index `i`, for the product of
axes.py. The first bytes of `out` get what was read, or what a store left behind.

`bytes` of a finding are all bytes that the access touches. For a strided copy
that is the span from its first byte to its last: a choice, since what lies
between the elements is not touched.
"""

import dataclasses
import struct

from axes.elements import SCALARS, Element, filled
from axes.memories import GLOBAL, LOCAL
from model import FILL

ACCESSES = ("load", "store", "atomic1", "atomic2", "vload", "vstore", "copy_from", "copy_to", "async_from", "async_to",
            "strided_from", "strided_to", "out_pointer")
GROUP_WIDE = ("async_from", "async_to", "strided_from", "strided_to")  # all work-items take part
OUT_BYTES = 1024


@dataclasses.dataclass
class Access:
    word: str                 # of the finding: read, write, atomic
    element: Element
    pointee: str
    pointee_bytes: int
    unit: int                 # bytes from one index to the next
    bytes: int                # that one access touches
    lines: list               # with q, i, out, tmp
    outer: list = dataclasses.field(default_factory=list)
    inner: list = dataclasses.field(default_factory=list)
    tmp: str = ""             # parameter that a function needs beside q, i and out
    back: list = dataclasses.field(default_factory=list)   # puts element `back` of $first into out
    # What `out` holds: without the error, at byte `offset`, and with it; None: not compared.
    ok: object = None
    bug: object = None


def access_of(kind, element, memory, variant):
    """`variant`: a number that takes turns through the functions of one kind."""
    maker = {"load": load, "store": store, "atomic1": atomic1, "atomic2": atomic2, "vload": vload, "vstore": vstore,
             "copy_from": copy_from, "copy_to": copy_to, "async_from": async_from, "async_to": async_to,
             "strided_from": async_from, "strided_to": async_to, "out_pointer": out_pointer}[kind]
    return maker(element, memory, variant, kind.startswith("strided"))


def was_there(scalar, count):
    return lambda offset: filled(scalar, offset + count)[offset:]


def always(data):
    return lambda offset: data


def load(element, memory, variant, strided):
    name, packed = element.name, element.packed_bytes
    return Access("read", element, name, element.bytes, element.bytes, element.bytes,
                  [f"{name} v = q[i]; /*BUG*/", f"*(global {name} *)out = v;"],
                  ok=was_there(element.scalar, packed), bug=always(bytes(packed)))


def store(element, memory, variant, strided):
    name, packed = element.name, element.packed_bytes
    return Access("write", element, name, element.bytes, element.bytes, element.bytes,
                  [f"{name} v = *(global const {name} *)out;", "q[i] = v; /*BUG*/"],
                  back=[f"*(global {name} *)out = $first[back];"],
                  ok=always(bytes([FILL]) * packed), bug=was_there(element.scalar, packed))


ATOMICS_1 = ("add(q + i, {v})", "sub(q + i, {v})", "xchg(q + i, {v})", "inc(q + i)", "dec(q + i)",
             "cmpxchg(q + i, ({t})1, {v})", "min(q + i, {v})", "max(q + i, {v})", "and(q + i, {v})",
             "or(q + i, {v})", "xor(q + i, {v})")


def atomic1(element, memory, variant, strided):
    name = element.name
    call = "xchg(q + i, {v})" if name == "float" else ATOMICS_1[variant % len(ATOMICS_1)]
    prefix = "atom_" if element.bytes == 8 else "atomic_"
    line = f"{name} v = {prefix}{call.format(v=f'({name})5', t=name)}; /*BUG*/"
    return Access("atomic", element, name, element.bytes, element.bytes, element.bytes,
                  [line, f"*(global {name} *)out = v;"],
                  ok=was_there(name, element.bytes), bug=always(bytes(element.bytes)))


ATOMICS_2 = ("fetch_add_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "exchange_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "load_explicit({p}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_sub_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_min_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_max_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_or_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_xor_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)",
             "fetch_and_explicit({p}, {v}, memory_order_relaxed, memory_scope_work_group)")


def atomic2(element, memory, variant, strided):
    name = element.name
    call = ATOMICS_2[1 + variant % 2 if name == "float" else variant % len(ATOMICS_2)]
    pointer = f"(volatile $space atomic_{name} *)(q + i)"
    return Access("atomic", element, name, element.bytes, element.bytes, element.bytes,
                  [f"{name} v = atomic_{call.format(p=pointer, v=f'({name})5')}; /*BUG*/",
                   f"*(global {name} *)out = v;"],
                  ok=was_there(name, element.bytes), bug=always(bytes(element.bytes)))


def wide(width):
    return str(width) if width > 1 else ""


def halves(count):
    """What `count` halves of filled memory are as floats."""
    def floats(offset):
        data = filled("half", offset + 2 * count)[offset:]
        return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", data))
    return floats


def vload(element, memory, variant, strided):
    w, packed, scalar = element.width, element.packed_bytes, element.scalar
    if scalar == "half":
        sink = f"vstore{w}(v, 0, (global float *)out);" if w > 1 else "*(global float *)out = v;"
        return Access("read", element, "half", 2, packed, packed,
                      [f"float{wide(w)} v = vload_half{wide(w)}(i, q); /*BUG*/", sink],
                      ok=halves(w), bug=always(bytes(4 * w)))
    return Access("read", element, scalar, element.scalar_bytes, packed, packed,
                  [f"{element.name} v = vload{w}(i, q); /*BUG*/", f"vstore{w}(v, 0, (global {scalar} *)out);"],
                  ok=was_there(scalar, packed), bug=always(bytes(packed)))


def vstore(element, memory, variant, strided):
    w, packed, scalar = element.width, element.packed_bytes, element.scalar
    if scalar == "half":
        rounding = ("", "_rte", "_rtz", "_rtp", "_rtn")[variant % 5]
        loaded = f"vload_half{wide(w)}(back, $first)"
        return Access("write", element, "half", 2, packed, packed,
                      [f"vstore_half{wide(w)}{rounding}((float{wide(w)})(77.0f), i, q); /*BUG*/"],
                      back=[f"vstore{w}({loaded}, 0, (global float *)out);" if w > 1
                            else f"*(global float *)out = {loaded};"],
                      ok=always(struct.pack("<f", 77) * w), bug=halves(w))
    return Access("write", element, scalar, element.scalar_bytes, packed, packed,
                  [f"{element.name} v = vload{w}(0, (global const {scalar} *)out);", f"vstore{w}(v, i, q); /*BUG*/"],
                  back=[f"vstore{w}(vload{w}(back, $first), 0, (global {scalar} *)out);"],
                  ok=always(bytes([FILL]) * packed), bug=was_there(scalar, packed))


def part(element):
    """A struct whose copy is a memcpy: (its name, its bytes, its declaration)."""
    return ("struct part_$K", (element.width + 1) * element.scalar_bytes,
            f"struct part_$K {{ {element.scalar} x[{element.width}]; {element.scalar} y; }};")


def copy_from(element, memory, variant, strided):
    name, size, declaration = part(element)
    return Access("read", element, name, size, size, size,
                  [f"{name} v = q[i]; /*BUG*/", f"*(global {name} *)out = v;"], outer=[declaration],
                  ok=was_there(element.scalar, size), bug=always(bytes(size)))


def copy_to(element, memory, variant, strided):
    name, size, declaration = part(element)
    return Access("write", element, name, size, size, size,
                  [f"{name} v = *(global const {name} *)out;", "q[i] = v; /*BUG*/"], outer=[declaration],
                  back=[f"*(global {name} *)out = $first[back];"],
                  ok=always(bytes([FILL]) * size), bug=was_there(element.scalar, size))


def asynchronous(strided, to, other, count):
    """The lines of a copy between `q + i` and `other`."""
    where = (f"q + i, {other}" if to else f"{other}, q + i")
    call = (f"async_work_group_strided_copy({where}, {count}, 2, 0)" if strided
            else f"async_work_group_copy({where}, {count}, 0)")
    return [f"event_t e = {call}; /*BUG*/", "wait_group_events(1, &e);",
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"]


def async_shape(element, memory, strided):
    """(elements copied, bytes touched): strides are counted on the global side."""
    if not strided:
        return 4, 4 * element.bytes
    return 3, (3 if memory in LOCAL else 5) * element.bytes


def async_from(element, memory, variant, strided):
    name, size = element.name, element.bytes
    count, touched = async_shape(element, memory, strided)
    if memory in LOCAL:  # local to global; the other side, `out`, has room
        return Access("read", element, name, size, size, touched,
                      asynchronous(strided, False, f"(global {name} *)out", count),
                      ok=was_there(element.scalar, element.packed_bytes))
    last = lambda offset: filled(element.scalar, offset + touched)[offset + touched - size:]  # noqa: E731
    return Access("read", element, name, size, size, touched,
                  [*asynchronous(strided, False, "tmp", count), f"*(global {name} *)out = tmp[{count - 1}];"],
                  inner=[f"local {name} tmp[{count}];"], tmp=f"local {name} *tmp", ok=last)


def async_to(element, memory, variant, strided):
    name, size = element.name, element.bytes
    count, touched = async_shape(element, memory, strided)
    shape = dict(back=[f"*(global {name} *)out = $first[back];"], ok=always(bytes([FILL]) * size),
                 bug=was_there(element.scalar, size))
    if memory in LOCAL:
        return Access("write", element, name, size, size, touched,
                      asynchronous(strided, True, f"(global const {name} *)out", count), **shape)
    return Access("write", element, name, size, size, touched,
                  asynchronous(strided, True, "tmp", count), tmp=f"local {name} *tmp",
                  inner=[f"local {name} tmp[{count}];",
                         f"for (int k = 0; k < {count}; ++k) tmp[k] = ((global const {name} *)out)[k];",
                         "barrier(CLK_LOCAL_MEM_FENCE);"], **shape)


def out_pointer(element, memory, variant, strided):
    name, w = element.name, wide(element.width)
    if element.scalar == "int":
        call, value = (("frexp((float$w)(8.0f), q + i)", 4),
                       ("remquo((float$w)(6.0f), (float$w)(2.0f), q + i)", 3),
                       ("lgamma_r((float$w)(2.5f), q + i)", 1))[variant % 3]
        result = f"float{w}"
    else:
        call, value = (("fract(($t)(2.25f), q + i)", 2), ("modf(($t)(2.25f), q + i)", 2),
                       ("sincos(($t)(0.0f), q + i)", 1))[variant % 3]
        result = name
    stored = struct.pack("<" + SCALARS[element.scalar][1], value) * element.width
    return Access("write", element, name, element.bytes, element.bytes, element.bytes,
                  [f"{result} v = {call.replace('$w', w).replace('$t', name)}; /*BUG*/",
                   f"*(global {result} *)(out + 512) = v;"],
                  back=[f"*(global {name} *)out = $first[back];"],
                  ok=always(stored), bug=was_there(element.scalar, element.bytes))


def sensible(kind, memory, scalar, width):
    """Whether OpenCL C has this access to this memory with this type."""
    read = kind in ("load", "vload", "copy_from")
    if memory in ("constant_arg", "constant_var") and not read:
        return False
    if kind in ("atomic1", "atomic2"):
        return memory != "private_var" and width == 1 and scalar in ("int", "uint", "long", "float")
    if kind in GROUP_WIDE:
        return memory in GLOBAL + LOCAL and width != 3 and scalar != "half"
    if kind in ("vload", "vstore"):
        return width > 1 or scalar == "half"
    if kind in ("copy_from", "copy_to"):
        return scalar != "half"
    if kind == "out_pointer":  # of three components: extents.py
        return width != 3 and scalar in ("int", "float", "double")
    return True


def needs_of(kind, scalar):
    needs = set()
    if scalar == "double":
        needs.add("fp64")
    if scalar == "half" and kind not in ("vload", "vstore"):
        needs.add("fp16")
    if kind in ("atomic1", "atomic2") and scalar == "long":
        needs.add("int64_atomics")
    # As OpenCL C 1.2, PoCL 6.0 ends the process for want of a symbol: wait_group_events.
    if kind == "atomic2" or kind in GROUP_WIDE:
        needs.add("c30")
    return needs
