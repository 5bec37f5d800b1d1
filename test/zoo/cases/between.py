# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses between the barriers of a loop, by some work-items of a group: one of
them is outside in each of three rounds, each time further. It is told once, as it
was first."""

from model import buffer, counting, ints, local, out, out_of_bounds
from cases.kinds import case

ROUNDS, ITEMS, ACTIVE, BAD = 3, 16, 4, 2

# memory: (parameter, lines that make and fill it, name, argument)
MEMORIES = {
    "buffer": ("global int *a, ", "", "a", (buffer(64, counting(16)),)),
    "constant_arg": ("constant int *a, ", "", "a", (buffer(64, counting(16)),)),
    "local_arg": ("local int *a, ", "a[l] = l + 1;", "a", (local(64),)),
    "local_var": ("", "local int tile[16];\n  tile[l] = l + 1;", "tile", ()),
    "private_var": ("", "int tile[16];\n  for (int k = 0; k < 16; ++k) tile[k] = k + 1;", "tile", ()),
}


def number_of(memory, access, l):
    """What work-item l of the twin has in the end: its own element, or the sum of what it read."""
    if access == "load":
        return sum(l + k + 1 for k in range(ROUNDS)) if l < ACTIVE else 0
    rounds = [k for k in range(ROUNDS) if 0 <= l - k < ACTIVE]  # in which element l is touched
    if memory == "private_var":
        rounds = [0] if l < ACTIVE else []
    if access == "store":
        return 100 + rounds[-1] if rounds else l + 1
    return l + 1 + 100 * len(rounds)


def case_of(memory, access):
    parameter, fill, name, arguments = MEMORIES[memory]
    line, word = {
        "load": (f"sum += {name}[at[l] + k]; /*BUG*/", "read"),
        "store": (f"{name}[at[l] + k] = 100 + k; /*BUG*/", "write"),
        "atomic": (f"atomic_add(&{name}[at[l] + k], 100); /*BUG*/", "atomic"),
    }[access]
    text = f"""kernel void $K({parameter}global const int *at, global int *out) {{
  int l = get_local_id(0), sum = 0;
  {fill}
  for (int k = 0; k < {ROUNDS}; ++k) {{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l < {ACTIVE}) {{
      {line}
    }}
  }}
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[l] = {"sum" if access == "load" else f"{name}[l]"};
}}
"""
    right = list(range(ITEMS))
    wrong = [16 if l == BAD else l for l in right]
    given = [(*arguments, buffer(64, ints(*at)), out()) for at in (wrong, right)]
    expected = out_of_bounds(word, 4, name, 64, 64, global_id=(BAD, 0, 0), items=1)
    after = ((len(arguments) + 1, 0, ints(*(number_of(memory, access, l) for l in range(ITEMS)))),)
    return case("between", f"between_{memory}_{access}", text, expected, *given, range=((ITEMS,), (ITEMS,)),
                axes=(("memory", memory), ("access", access)), after=after)


def cases():
    for memory in MEMORIES:
        yield case_of(memory, "load")
        if memory != "constant_arg":
            yield case_of(memory, "store")
        if memory not in ("constant_arg", "private_var"):
            yield case_of(memory, "atomic")
