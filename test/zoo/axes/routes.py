# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a pointer comes from its memory to its access: from the expression `first`
and the index `at` to a pointer `q` and an index `i`."""

import dataclasses

ROUTES = ("direct", "arithmetic", "bytes", "loop", "phi", "select", "function", "functions", "private_slot",
          "struct_slot", "local_slot", "generic", "integer")


@dataclasses.dataclass
class Routed:
    """Lines of the kernel that make the access, and what they need around them."""
    outer: list
    inner: list
    lines: list


def route_of(route, plan, access):
    space, name = plan.space, access.pointee
    type_of = f"{space} {name} *"
    each = access.unit // access.pointee_bytes  # pointees from one index to the next
    tmp = f", {access.tmp}" if access.tmp else ""
    use = [line.replace("$space", space) for line in access.lines]
    pointer = f"{type_of}q = {plan.first};"
    index = "long i = at;"

    if route == "direct":
        plain = [line.replace("q + i", f"{plan.first} + at").replace("q[i]", f"{plan.first}[at]")
                     .replace("(i, q)", f"(at, {plan.first})").replace("i, q)", f"at, {plan.first})") for line in use]
        return Routed([], [], plain)
    if route == "arithmetic":
        return Routed([], [], [f"{type_of}q = {plan.first} + {5 * each};", f"q -= {2 * each};", "long i = at - 3;",
                               *use])
    if route == "bytes":
        return Routed([], [], [f"{type_of}q = ({type_of})(({space} char *){plan.first} + at * {access.unit});",
                               "int i = 0;", *use])
    if route == "loop":
        return Routed([], [], [pointer, "for (long i = from; i <= at; ++i) {", *use, "}"])
    if route == "phi":
        return Routed([], [], [f"{type_of}q;", f"if (pick) q = {plan.first};", f"else q = {plan.second} + {each};",
                               index,
                               *use])
    if route == "select":
        return Routed([], [], [f"{type_of}q = pick ? {plan.first} : {plan.second};", index, *use])
    if route in ("function", "functions"):
        function = [f"void touch_$K({type_of}q, long i, global uchar *out{tmp}) {{", *use, "}"]
        called = "touch_$K"
        passed = ", tmp" if access.tmp else ""
        if route == "functions":
            function += [f"void reach_$K({type_of}q, long i, global uchar *out{tmp}) {{",
                         f"touch_$K(q + {each}, i - 1, out{passed});", "}"]
            called = "reach_$K"
        return Routed(function, [], [f"{called}({plan.first}, at, out{passed}); /*CALL*/"])
    if route == "private_slot":
        return Routed([], [], [f"{type_of}slot[2];", f"slot[0] = {plan.second};", f"slot[1] = {plan.first};",
                               f"{type_of}q = slot[pick];", index, *use])
    if route == "struct_slot":
        return Routed([f"struct slot_$K {{ int n; {type_of}p; }};"], [],
                      ["struct slot_$K slot[2];", f"slot[0].p = {plan.second};", f"slot[1].p = {plan.first};",
                       "slot[0].n = 0;", "slot[1].n = 1;", f"{type_of}q = slot[pick].p;", index, *use])
    if route == "local_slot":
        return Routed([], [f"{type_of}local slot[2];", f"slot[0] = {plan.second};", f"slot[1] = {plan.first};",
                           "barrier(CLK_LOCAL_MEM_FENCE);"], [f"{type_of}q = slot[pick];", index, *use])
    if route == "generic":
        use = [line.replace("$space", "") for line in access.lines]
        return Routed([], [], [f"{name} *q = {plan.first};", index, *use])
    if route == "integer":
        return Routed([], [], [f"size_t number = (size_t){plan.first};", f"number += (size_t)(at * {access.unit});",
                               f"{type_of}q = ({type_of})number;", "int i = 0;", *use])
    raise ValueError(route)


def sensible(route, memory, access):
    if route == "generic":
        return memory not in ("constant_arg", "constant_var") and access not in (
            "atomic1", "async_from", "async_to", "strided_from", "strided_to")
    if route == "local_slot":  # a pointer to one work-item's memory, where another could read it, is no use
        return memory != "private_var"
    return True
