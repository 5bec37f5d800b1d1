# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that are members of a struct: an index beyond such an array is an error
even where it stays inside of the struct (size and distance are the member's).
Where it leaves the struct's memory as well it is plainly out of bounds.

Twins that have to stay silent: two-dimensional arrays indexed as flat ones, and a
last member of one element that stands for as many as there is memory for."""

from model import Expected, buffer, counting, int32, local, out, out_of_bounds, placed
from cases.kinds import case

# 4 + 16 + 32 + 16 = 68 bytes
RECORD = "struct record_$K { int head; int values[4]; int tail[8]; float last[4]; };\n"
BYTES = 68

# memory: (parameters, lines inside, the struct, root's name, arguments, needs)
PLACES = {
    "buffer": ("global struct record_$K *a, ", "", "a->", "a", (buffer(BYTES, counting(17)),), ()),
    "constant_arg": ("constant struct record_$K *a, ", "", "a->", "a", (buffer(BYTES, counting(17)),), ()),
    "local_arg": ("local struct record_$K *a, ", "for (int k = 0; k < 17; ++k) ((local int *)a)[k] = k + 1;", "a->",
                  "a",
                  (local(BYTES),), ()),
    "local_var": ("", "local struct record_$K one;\n  for (int k = 0; k < 17; ++k) ((local int *)&one)[k] = k + 1;",
                  "one.",
                  "one", (), ()),
    "private_var": ("", "struct record_$K one;\n  for (int k = 0; k < 17; ++k) ((private int *)&one)[k] = k + 1;",
                    "one.",
                    "one", (), ()),
}
# index: (member, its bytes, its place in the struct, the wrong index, the last right one)
INDICES = {
    "past_adjacent": ("values", 16, 4, 4, 3),
    "past_padding": ("values", 16, 4, 11, 3),
    "before_adjacent": ("tail", 32, 20, -1, 7),
    "before_padding": ("tail", 32, 20, -5, 7),
}
TOUCHES = {
    "load": ("out[0] = $m[at]; /*BUG*/", "read"),
    "store": ("$m[at] = 5; /*BUG*/", "write"),
    "atomic1": ("out[0] = atomic_add(&$m[at], 5); /*BUG*/", "atomic"),
}


def member(word, bytes, name, size, offset):
    where, distance = placed(offset, bytes, size)
    return Expected("member_overflow", word, bytes, name, size, where, distance)


def product():
    for place, (params, inner, of, root, arguments, needs) in PLACES.items():
        for index, (name, size, _, wrong, right) in INDICES.items():
            for touch, (line, word) in TOUCHES.items():
                if place == "constant_arg" and word != "read" or place == "private_var" and word == "atomic":
                    continue
                if touch == "atomic1" and not index.endswith("adjacent"):
                    continue
                yield case("members", f"member_{place}_{touch}_{index}",
                           f"{RECORD}kernel void $K({params}global int *out, int at) {{\n  {inner}\n"
                           f"  {line.replace('$m', of + name)}\n}}\n", member(word, 4, root, size, 4 * wrong),
                           (*arguments, out(), int32(wrong)), (*arguments, out(), int32(right)), needs,
                           (("memory", place), ("access", touch)))


def by_hand():
    one = (buffer(BYTES, counting(17)),)
    yield case("members", "member_vload_straddles",
               f"{RECORD}kernel void $K(global struct record_$K *a, global int *out, int at) {{\n"
               "  vstore4(vload4(0, a->values + at), 0, out); /*BUG*/\n}\n",
               member("read", 16, "a", 16, 8), (*one, out(), int32(2)), (*one, out(), int32(0)))
    yield case("members", "member_beyond_the_struct",
               f"{RECORD}kernel void $K(global struct record_$K *a, global int *out, int at) {{\n"
               "  out[0] = a->tail[at]; /*BUG*/\n}\n",
               out_of_bounds("read", 4, "a", BYTES, 20 + 4 * 12), (*one, out(), int32(12)), (*one, out(), int32(7)))
    three = (buffer(3 * BYTES, counting(51)),)
    yield case("members", "member_into_next_element",
               f"{RECORD}kernel void $K(global struct record_$K *a, global int *out, int at) {{\n"
               "  a[1].tail[at] = 5; /*BUG*/\n}\n",
               member("write", 4, "a", 32, 4 * 13), (*three, out(), int32(13)), (*three, out(), int32(7)))
    yield case("members", "member_of_a_member",
               "struct inner_$K { int x[2]; int y; };\nstruct outer_$K { int n; struct inner_$K in; int rest[4]; };\n"
               "kernel void $K(global struct outer_$K *a, global int *out, int at) {\n"
               "  out[0] = a->in.x[at]; /*BUG*/\n}\n",
               member("read", 4, "a", 8, 8), (buffer(32, counting(8)), out(), int32(2)),
               (buffer(32, counting(8)), out(), int32(1)))
    yield case("members", "member_array_of_structs",
               "struct cell_$K { short v[3]; short w; };\n"
               "struct grid_$K { int n; struct cell_$K cells[2]; int rest[2]; };\n"
               "kernel void $K(global struct grid_$K *a, global int *out, int i, int at) {\n"
               "  out[0] = a->cells[i].v[at]; /*BUG*/\n}\n",
               member("read", 2, "a", 6, 6), (buffer(28, counting(7)), out(), int32(1), int32(3)),
               (buffer(28, counting(7)), out(), int32(1), int32(2)))
    yield case("members", "member_through_function",
               f"{RECORD}int take_$K(global struct record_$K *r, int i) {{\n  return r->values[i]; /*BUG*/\n}}\n"
               "kernel void $K(global struct record_$K *a, global int *out, int at) {\n"
               "  out[0] = take_$K(a, at); /*CALL*/\n}\n",
               member("read", 4, "a", 16, 20), (*one, out(), int32(5)), (*one, out(), int32(3)))
    yield case("members", "member_by_value",
               f"{RECORD}kernel void $K(struct record_$K r, global int *out, int at) {{\n"
               "  out[0] = r.values[at]; /*BUG*/\n}\n",
               member("read", 4, "r", 16, 16), ("value " + counting(17).hex(), out(), int32(4)),
               ("value " + counting(17).hex(), out(), int32(3)))
    # Legal neighbors.
    yield case("members", "member_flat_index",
               "struct matrix_$K { int n; int m[4][4]; int rest[4]; };\n"
               "kernel void $K(global struct matrix_$K *a, global int *out, int at) {\n"
               "  out[0] = a->m[0][at]; /*BUG*/\n}\n",
               member("read", 4, "a", 64, 64), (buffer(84, counting(21)), out(), int32(16)),
               (buffer(84, counting(21)), out(), int32(15)))
    yield case("members", "member_last_of_one",
               "struct list_$K { int n; int data[1]; };\n"
               "kernel void $K(global struct list_$K *a, global int *out, int at) {\n"
               "  out[0] = a->data[at]; /*BUG*/\n}\n",
               out_of_bounds("read", 4, "a", 32, 32), (buffer(32, counting(8)), out(), int32(7)),
               (buffer(32, counting(8)), out(), int32(6)))
    yield case("members", "private_flat_index",
               "kernel void $K(global int *out, int at) {\n  int m[4][4];\n"
               "  for (int k = 0; k < 16; ++k) m[k / 4][k % 4] = k;\n  out[0] = m[0][at]; /*BUG*/\n}\n",
               out_of_bounds("read", 4, "m", 64, 64), (out(), int32(16)), (out(), int32(15)))


def cases():
    return [*product(), *by_hand()]
