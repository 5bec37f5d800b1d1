# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases from the product of axes: memory x access x direction x distance x how the
pointer got there x element type x width."""

from axes import accesses, routes
from axes.accesses import ACCESSES, GROUP_WIDE, OUT_BYTES, access_of, needs_of
from axes.covering import cover
from axes.elements import WIDTHS, Element
from axes.memories import MEMORIES, Piece, plan_of
from model import BEFORE, FILL, PAST, STRADDLES, Case, Launch, buffer, int32, int64, out_of_bounds

DISTANCES = ("adjacent", "padding", "far")
PADDING, FAR = 128, 2**20  # bytes

AXES = {
    "memory": MEMORIES,
    "access": ACCESSES,
    "direction": (BEFORE, STRADDLES, PAST),
    "distance": DISTANCES,
    "route": routes.ROUTES,
    "scalar": ("char", "short", "int", "uint", "long", "float", "double", "half"),
    "width": WIDTHS,
}


def sensible(chosen):
    """Whether a part of a combination can be a part of a case."""
    get = chosen.get
    if get("direction") == STRADDLES and get("distance") in ("padding", "far"):
        return False
    if get("direction") == STRADDLES and get("scalar") == "char" and get("width") == 1 and \
            get("access") in ("load", "store"):
        return False  # one byte is in or out
    if get("route") and get("memory") and not routes.sensible(get("route"), get("memory"), get("access")):
        return False
    if get("route") == "generic" and get("access") and not routes.sensible("generic", "buffer", get("access")):
        return False
    if get("access"):
        memories = [get("memory")] if get("memory") else MEMORIES
        scalars = [get("scalar")] if get("scalar") else AXES["scalar"]
        widths = [get("width")] if get("width") else WIDTHS
        return any(accesses.sensible(get("access"), memory, scalar, width)
                   for memory in memories for scalar in scalars for width in widths)
    return True


def offset_of(direction, distance, access, size):
    """Bytes from the start of the memory to the access."""
    if direction == STRADDLES:
        return (size - 1) // access.unit * access.unit if access.bytes == access.unit else size - 2 * access.unit
    away = {"adjacent": 0, "padding": PADDING, "far": FAR}[distance]
    away += -away % access.unit
    return size + away if direction == PAST else -away - access.unit


def size_of(direction, access):
    """So many bytes that the access can have this direction."""
    size = 4 * access.unit if access.bytes == access.unit else access.bytes + 2 * access.unit
    if direction == STRADDLES and access.bytes == access.unit:
        size += max(1, access.unit // 2 - 1)
    return size


def case_of(chosen, variant):
    memory, direction, route = chosen["memory"], chosen["direction"], chosen["route"]
    element = Element(chosen["scalar"], chosen["width"])
    access = access_of(chosen["access"], element, memory, variant)
    size = size_of(direction, access)
    needs = needs_of(chosen["access"], element.scalar)
    if memory == "program_var":
        needs.add("program_scope")
    if route == "generic":
        needs.add("generic")
    if {"program_scope", "generic"} & needs:
        needs.discard("c30")
    plan = plan_of(memory, Piece(access.pointee, access.pointee_bytes, element, size, "fp16" in needs))
    routed = routes.route_of(route, plan, access)
    everyone = chosen["access"] in GROUP_WIDE
    bad = offset_of(direction, chosen["distance"], access, size)
    last = (size - access.bytes) // access.unit * access.unit
    distance = () if direction == STRADDLES else (chosen["distance"],)
    name = "_".join((memory, chosen["access"], direction, *distance, route, element.name))

    def launch(offset, back, after):
        index = offset // access.unit
        start = index
        if access.bytes == access.unit and 0 <= offset <= last + access.unit:
            start = max(0, index - 2)
        arguments = (*plan.arguments, buffer(OUT_BYTES, bytes([FILL]) * OUT_BYTES), int64(index), int64(start),
                     int64(back // access.unit), int32(1))
        checks = ((len(plan.arguments), 0, after(back)),) if after and compared(chosen, element) else ()
        return Launch(arguments, checks, range=((4,), (4,)) if everyone else ((8,), (4,)))

    expected = out_of_bounds(access.word, access.bytes, plan.name, size, bad,
                             global_id=None if everyone else (5, 0, 0))
    return Case(name, text_of(plan, access, routed, everyone), launch(bad, 0, access.bug),
                launch(last, last, access.ok), expected, frozenset(needs), tuple(chosen.items()), "axes")


def compared(chosen, element):
    """Given SPIR-V, PoCL 6.0 calls its builtins wrongly for vectors of 128 bytes."""
    return not (element.bytes == 128 and chosen["access"] in ("vload", "vstore", "out_pointer"))


def text_of(plan, access, routed, everyone):
    lines = [*access.outer, *plan.outer, *routed.outer]
    params = ", ".join([*plan.params, "global uchar *out", "long at", "long from", "long back", "int pick"])
    lines.append(f"kernel void $K({params}) {{")
    lines += plan.inner + access.inner
    if plan.barrier:
        lines.append("barrier(CLK_LOCAL_MEM_FENCE);")
    lines += routed.inner
    work = routed.lines + [line.replace("$first", plan.first) for line in access.back]
    lines += work if everyone else ["if (get_global_id(0) == 5) {", *work, "}"]
    lines.append("}")
    return "\n".join(indented(lines)) + "\n"


def indented(lines):
    depth = 0
    for line in lines:
        if line.startswith("}"):
            depth -= 1
        yield "  " * depth + line
        if line.endswith("{"):
            depth += 1


def cases():
    return [case_of(chosen, variant) for variant, chosen in enumerate(cover(AXES, sensible))]
