# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared virtual memory: pointers that a kernel finds in memory, and memory that
was freed.

A path is how the kernel comes by the pointer `q` to the 16 ints of `data`; an
access is what it does at q + at. The pointer is one that the host wrote, so what
`q` may touch follows from nothing in the kernel."""

import itertools
import struct

from cases.kinds import case
from model import Expected, buffer, counting, int64, out_of_bounds

SIZE = 64
INTS = counting(SIZE // 4)
NODE = "struct node_$K { global struct node_$K *next; global int *data; ulong number; };\n"
PAIR = "struct pair_$K { global int *data; long n; };\n"
OUTER = "struct outer_$K { int n; struct { long m; global int *data; } in; };\n"


def zeros(count):
    return "00" * count


def nodes(kind, *links):
    """Two nodes, a and b, and what is linked into them"""
    return (f"memory a {kind} {zeros(24)}", f"memory b {kind} {zeros(24)}", *links)


# name: (declarations, parameters, lines that make q, lines of the launch after `data` was made)
PATHS = {
    "field": (NODE, "global struct node_$K *a", "global int *q = a->data;",
              lambda kind, at: (*nodes(kind, f"link a 8 data {at}"), "pointer a 0")),
    "list": (NODE, "global struct node_$K *a",
             "global struct node_$K *p = a;\n  while (p->next) p = p->next;\n  global int *q = p->data;",
             lambda kind, at: (*nodes(kind, "link a 0 b 0", f"link b 8 data {at}", "link a 8 a 0"), "pointer a 0")),
    "array": ("", "global int *global *a", "global int *q = a[2];",
              lambda kind, at: (f"memory a {kind} {zeros(32)}", f"link a 16 data {at}", "link a 8 a 0", "pointer a 0")),
    "nested": (OUTER, "global struct outer_$K *a", "global int *q = a->in.data;",
               lambda kind, at: (f"memory a {kind} {zeros(24)}", f"link a 16 data {at}", "pointer a 0")),
    "interior_node": (NODE, "global struct node_$K *a", "global int *q = a->data;",
                      lambda kind, at: (f"memory a {kind} {zeros(96)}", f"link a 56 data {at}", "pointer a 48")),
    "number": (NODE, "global struct node_$K *a", "global int *q = (global int *)a->number;",
               lambda kind, at: (*nodes(kind, f"link a 16 data {at}"), "pointer a 0")),
    "private_copy": (NODE, "global struct node_$K *a", "struct node_$K mine = *a;\n  global int *q = mine.data;",
                     lambda kind, at: (*nodes(kind, f"link a 8 data {at}"), "pointer a 0")),
    "local_slot": (NODE, "global struct node_$K *a",
                   "local ulong slot[2];\n  slot[1] = (ulong)a->data;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  global int *q = (global int *)slot[1];",
                   lambda kind, at: (*nodes(kind, f"link a 8 data {at}"), "pointer a 0")),
    "by_value": (PAIR, "struct pair_$K a", "global int *q = a.data;",
                 lambda kind, at: (f"packed data {at} {struct.pack('<q', 16).hex()}",)),
    "argument": ("", "global int *a", "global int *q = a;", lambda kind, at: (f"pointer data {at}",)),
}

# name: (line, bytes, word)
ACCESSES = {
    "load": ("out[0] = q[at]; /*BUG*/", 4, "read"),
    "store": ("q[at] = 5; /*BUG*/", 4, "write"),
    "atomic": ("out[0] = atomic_add(q + at, 5); /*BUG*/", 4, "atomic"),
    "vload": ("vstore4(vload4(0, q + at), 0, out); /*BUG*/", 16, "read"),
    "vstore": ("vstore2((int2)(5), 0, q + at); /*BUG*/", 8, "write"),
    "byte": ("((global char *)q)[at * 4] = 5; /*BUG*/", 1, "write"),
}


def text_of(path, access):
    declarations, parameters, lines, _ = PATHS[path]
    return (f"{declarations}kernel void $K({parameters}, global int *out, long at) {{\n  {lines}\n"
            f"  {ACCESSES[access][0]}\n}}\n")


def arguments(path, kind, at, interior, before=(), after=()):
    """Lines that make the memory and set the arguments; `at` counts ints from the pointer"""
    return (f"memory data {kind} {INTS.hex()}", *before, *PATHS[path][3](kind, interior), *after, buffer(64), int64(at))


def needs_of(kind, path):
    if kind == "svm":  # case() adds it
        return ("c30",)
    # A pointer from memory is looked up in a table of the host's.
    return ("c30", "usm") if path == "argument" else ("c30", "usm", "system_svm")


# How far outside, in ints from the start of `data`.
PLACES = {"past": 16, "far": 16 + 4096, "before": -4, "straddles": None}


def resting():
    turns = itertools.cycle(PLACES)
    for kind in ("svm", "host", "device", "shared"):
        for path, access in itertools.product(PATHS, ACCESSES):
            if kind != "svm" and access not in ("load", "store"):
                continue
            for _ in range(2 if kind == "svm" else 1):
                place = next(turns)
                line, bytes, word = ACCESSES[access]
                if place == "straddles" and bytes <= 4:
                    place = "past"
                index = 15 if place == "straddles" else PLACES[place]
                interior = 32 if (len(path) + len(access)) % 2 else 0
                name = f"{kind}_{path}_{access}_{place}"
                yield name, case(
                    "at_rest", name, text_of(path, access),
                    out_of_bounds(word, bytes, None, SIZE, 4 * index),
                    arguments(path, kind, index - interior // 4, interior),
                    arguments(path, kind, (SIZE - bytes) // 4 - interior // 4, interior), needs=needs_of(kind, path))


def freed():
    """The twin frees other memory."""
    for kind in ("svm", "host", "device", "shared"):
        for (path, access), delayed in itertools.product(itertools.product(PATHS, ACCESSES), (False, True)):
            if kind != "svm" and (access != "load" or delayed):
                continue
            if kind == "svm" and (len(path) + len(access) + delayed) % 2:
                continue
            line, bytes, word = ACCESSES[access]
            other = f"memory other {kind} {INTS.hex()}"
            interior = 16 if delayed else 0
            later = ("churn 2000 64",) if delayed else ()
            name = f"freed_{kind}_{path}_{access}" + ("_later" if delayed else "")
            index = (SIZE - bytes) // 4 - interior // 4
            yield name, case(
                "freed", name, text_of(path, access),
                Expected("use_after_free", word, bytes, None, SIZE, offset=4 * index + interior),
                arguments(path, kind, index, interior, before=(other,), after=("free data", *later)),
                arguments(path, kind, index, interior, before=(other,), after=("free other", *later)),
                needs=needs_of(kind, path))


def in_flight():
    """Freed when the kernel is enqueued and cannot run yet; the twin's is freed behind it in the queue. Or the
    other way round: freed in the queue before the kernel; the twin's frees other memory. Where the launch was proven
    it is the call that is told."""
    for path, access in itertools.product(PATHS, ("load", "store", "atomic")):
        line, bytes, word = ACCESSES[access]
        index = (SIZE - bytes) // 4
        other = f"memory other svm {INTS.hex()}"
        for name, bug, ok in ((f"in_flight_{path}_{access}", "free_waiting data", "free_behind data"),
                              (f"freed_in_queue_{path}_{access}", "free_enqueued data", "free_enqueued other")):
            expected = Expected("use_after_free", word, bytes, None, SIZE, offset=4 * index)
            text = text_of(path, access)
            if path == "argument" and name.startswith("in_flight"):
                expected = Expected("free_while_in_use", "", size=SIZE, offset=0, api="clSVMFree")
                text = text.replace(" /*BUG*/", "")
            yield name, case(
                "in_flight", name, text, expected,
                arguments(path, "svm", index, 0, before=(other,), after=(bug,)),
                arguments(path, "svm", index, 0, before=(other,), after=(ok,)), needs=("c30",))


def cases():
    found = dict(resting())
    found.update(freed())
    found.update(in_flight())
    return list(found.values())
