# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses that leave their memory and fall into other memory that is alive, where
nothing that looks at addresses alone would notice.

How far two pieces lie apart is the driver's business, so the kernel computes it
and writes it into `out`; the expected finding follows from that number. It
passes through volatile memory: a compiler knows that a + (b - a) is b."""

from model import Case, Expected, Launch, buffer, counting, int64, local, out, sub_buffer

# memory: (space, lines outside, parameters, lines inside, first piece, second piece, arguments, needs)
PIECES = {
    "buffer": ("global", "", "global int *a, global int *b, ", "", "a", "b",
               (buffer(64, counting(16)), buffer(128, counting(32))), ()),
    "sub_buffer": ("global", "", "global int *a, global int *b, ", "", "a", "b",
                   (sub_buffer(128, 64, 1024, counting(16)), sub_buffer(512, 128, 1024, counting(32))), ()),
    "constant_arg": ("constant", "", "constant int *a, constant int *b, ", "", "a", "b",
                     (buffer(64, counting(16)), buffer(128, counting(32))), ()),
    "local_arg": ("local", "", "local int *a, local int *b, ",
                  "for (int k = 0; k < 16; ++k) a[k] = b[k] = b[k + 16] = k + 1;", "a", "b", (local(64), local(128)),
                  ()),
    "local_var": ("local", "", "", "local int tile[16], spare[32];\n"
                  "  for (int k = 0; k < 16; ++k) tile[k] = spare[k] = spare[k + 16] = k + 1;", "tile", "spare", (),
                  ()),
    "private_var": ("private", "", "", "int tile[16], spare[32];\n"
                    "  for (int k = 0; k < 16; ++k) tile[k] = spare[k] = spare[k + 16] = k + 1;", "tile", "spare", (),
                    ()),
    "program_var": ("global", "global int table_$K[16];\nglobal int spare_$K[32];\n", "",
                    "for (int k = 0; k < 16; ++k) table_$K[k] = spare_$K[k] = spare_$K[k + 16] = k + 1;",
                    "table_$K", "spare_$K", (), ("program_scope",)),
    "constant_var": ("constant", "constant int table_$K[16] = {1, 2, 3};\nconstant int spare_$K[32] = {1, 2, 3};\n",
                     "", "",
                     "table_$K", "spare_$K", (), ()),
}
# access: (line, bytes, word)
TOUCHES = {
    "load": ("int v = *q; /*BUG*/", 4, "read"),
    "store": ("*q = 5; /*BUG*/\n  int v = 5;", 4, "write"),
    "atomic1": ("int v = atomic_add(q, 1); /*BUG*/", 4, "atomic"),
    "vload": ("int v = vload4(0, q).x; /*BUG*/", 16, "read"),
}


def case_of(memory, access):
    space, outer, params, inner, first, second, arguments, needs = PIECES[memory]
    line, bytes, word = TOUCHES[access]
    text = f"""{outer}kernel void $K({params}global long *out, long last) {{
  {inner}
  volatile global long *away = out;
  away[0] = {{{{(long){second} - (long){first}||last}}}};
  {space} int *q = ({space} int *)(({space} char *){first} + away[0]);
  {line}
  out[1] = v + {second}[0];
}}
"""
    launch = Launch((*arguments, out(), int64(64 - bytes)), measure=len(arguments))
    expected = Expected(f"out_of_bounds_{word}", word, bytes, first, 64, measured=True)
    axes = (("memory", memory), ("access", access), ("distance", "other"))
    return Case(f"into_other_{memory}_{access}", text, launch, launch, expected, frozenset(needs), axes, "neighbors")


def cases():
    writable = [memory for memory in PIECES if not memory.startswith("constant")]
    made = [case_of(memory, access) for memory in PIECES for access in ("load", "vload")]
    made += [case_of(memory, "store") for memory in writable]
    made += [case_of(memory, "atomic1") for memory in writable if memory != "private_var"]
    return made
