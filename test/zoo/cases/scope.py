# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Private variables after the end of their scope: through pointers that were made
in a block, in an earlier pass of a loop, in a function that has returned.

A shape is how the pointer `q` comes to outlive the four elements of `x`; an
access is what is done through it. The twin is the same code with a variable that
lives long enough."""

import itertools
import struct

from cases.kinds import case
from model import Expected, int32, out

OWN, OUTER = "{{$T x[4];||}}", "{{||$T x[4];}}"  # where the variable is: in the scope that ends, or around it
FILL = "for (int k = 0; k < 4; ++k) x[k] = ($T)(k + 1);"
SPARE = "$T spare[4];\n  for (int k = 0; k < 4; ++k) spare[k] = ($T)(k + 9);\n  "
MADE = f"private $T *made_$K({{{{int v||private $T *x}}}}) {{\n  {OWN}\n  {FILL}\n  $return\n}}\n"
BOX = "struct box_$K { int n; private $T *p; };\n"

# name: (lines before the kernel, the kernel's lines, the index in place of `at`)
SHAPES = {
    "block": ("", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n  }}\n  $use", "at"),
    "nested": ("", f"{{\n    {OUTER}\n    private $T *q;\n    {{\n      {OWN}\n      {FILL}\n      q = x;\n    }}\n"
               "    $use\n  }", "at"),
    "if": ("", f"{SPARE}private $T *q = spare;\n  {OUTER}\n  if (pick) {{\n    {OWN}\n    {FILL}\n    q = x;\n  }}\n"
           "  $use", "at"),
    "else": ("", f"{SPARE}private $T *q;\n  {OUTER}\n  if (!pick) {{\n    q = spare;\n  }} else {{\n    {OWN}\n"
             f"    {FILL}\n    q = x;\n  }}\n  $use", "at"),
    "switch": ("", f"{SPARE}private $T *q;\n  {OUTER}\n  switch (pick) {{\n  case 1: {{\n    {OWN}\n    {FILL}\n"
               "    q = x;\n    break;\n  }\n  case 2:\n    q = spare + 1;\n    break;\n  default:\n    q = spare;\n  }\n"
               "  $use", "at"),
    "select": ("", f"{SPARE}private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = pick ? x : spare;\n  }}\n"
               "  $use", "at"),
    "interior": ("", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x + 1;\n  }}\n  $use", "at - 1"),
    "walked": ("", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n"
               "    for (int k = 0; k < n - 1; ++k) ++q;\n  }\n  $use", "at - n + 1"),
    "goto": ("", f"{SPARE}private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n    if (pick) goto done;\n"
             "    q = spare;\n  }\ndone:;\n  $use", "at"),
    "delayed": ("", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n  }}\n"
                "  for (int r = 0; r < n; ++r) {\n    $T y[4];\n    for (int k = 0; k < 4; ++k) y[k] = ($T)(r + k);\n"
                "    private $T *p = y + (r & 1);\n    ((global $T *)out)[1] = p[0];\n  }\n  $use", "at"),
    "barrier": ("", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n  $use", "at"),
    "next_pass": ("", f"private $T *q;\n  {OUTER}\n  for (int r = 0; r < n; ++r) {{\n    {OWN}\n    {FILL}\n"
                  "    if (r == 1) {\n      $use\n    }\n    q = x;\n  }", "at"),
    "next_pass_early": ("", f"{SPARE}private $T *q = spare;\n  {OUTER}\n  for (int r = 0; r < n; ++r) {{\n"
                        f"    if (r == 2) {{\n      $use\n    }}\n    {OWN}\n    {FILL}\n    q = x;\n  }}", "at"),
    "next_pass_of_two": ("", f"{SPARE}private $T *q = spare;\n  {OUTER}\n  for (int s = 0; s < 2; ++s)\n"
                         f"    for (int r = 0; r < 2; ++r) {{\n      {OWN}\n      {FILL}\n"
                         "      if (s == 1 && r == 0) {\n        $use\n      }\n      if (r == 1) q = x;\n    }", "at"),
    "after_loop": ("", f"private $T *q;\n  {OUTER}\n  for (int r = 0; r < n; ++r) {{\n    {OWN}\n    {FILL}\n"
                   "    q = x;\n  }\n  $use", "at"),
    "break": ("", f"private $T *q;\n  {OUTER}\n  for (;;) {{\n    {OWN}\n    {FILL}\n    q = x;\n    if (pick) break;\n"
              "  }\n  $use", "at"),
    "continue": ("", f"{SPARE}private $T *q = spare;\n  {OUTER}\n  for (int r = 0; r < n; ++r) {{\n    if (r == 1) {{\n"
                 f"      $use\n    }}\n    {OWN}\n    {FILL}\n    q = x;\n    if (pick) continue;\n    q = spare;\n  }}",
                 "at"),
    "while": ("", f"{SPARE}private $T *q = spare;\n  int r = 0;\n  {OUTER}\n  while (r++ < n) {{\n    {OWN}\n    {FILL}\n"
              "    q = x;\n  }\n  if (q != spare) {\n    $use\n  }", "at"),
    "returned": (MADE.replace("$return", "return x;"), f"{OUTER}\n  private $T *q = made_$K({{{{n||x}}}});\n  $use",
                 "at"),
    "returned_interior": (MADE.replace("$return", "return x + 1;"),
                          f"{OUTER}\n  private $T *q = made_$K({{{{n||x}}}});\n  $use", "at - 1"),
    "returned_through": (MADE.replace("$return", "return x;") +
                         "private $T *through_$K({{int v||private $T *x}}) {\n  return made_$K({{v||x}}) + 1;\n}\n",
                         f"{OUTER}\n  private $T *q = through_$K({{{{n||x}}}});\n  $use", "at - 1"),
    "returned_before": (MADE.replace("$return", "return x;"),
                        f"{OUTER}\n  $T y[4];\n  private $T *q = made_$K({{{{n||x}}}});\n"
                        "  private $T *p = made_$K({{n||y}});\n"
                        "  ((global int *)out)[15] = p == q;\n  $use", "at"),
    "returned_in_loop": (MADE.replace("$return", "return x;"),
                         f"{SPARE}{OUTER}\n  private $T *q = spare;\n  for (int r = 0; r < n; ++r) {{\n"
                         "    if (r == 1) {\n      $use\n    }\n    q = made_$K({{n||x}});\n  }", "at"),
    "handed_out": (f"void put_$K(private $T *private *to{{{{||, private $T *x}}}}) {{\n  {OWN}\n  {FILL}\n"
                   "  *to = x;\n}\n", f"{OUTER}\n  private $T *q;\n  put_$K(&q{{{{||, x}}}});\n  $use", "at"),
    "handed_in": ("$touch", f"private $T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n  }}\n"
                  "  touch_$K(q, at, out); /*CALL*/", "at"),
    "field": (BOX, f"struct box_$K box;\n  box.n = n;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    box.p = x;\n  }}\n"
              "  private $T *q = box.p;\n  $use", "at"),
    "field_copied": (BOX, f"struct box_$K box, other;\n  box.n = n;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n"
                     "    box.p = x;\n    other = box;\n  }\n  private $T *q = other.p;\n  $use", "at"),
    "slot": ("", f"{SPARE}private $T *slot[2];\n  slot[0] = slot[1] = spare;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n"
             "    slot[pick] = x;\n  }\n  private $T *q = slot[pick];\n  $use", "at"),
    "slot_next_pass": ("", f"{SPARE}private $T *slot[2];\n  slot[0] = slot[1] = spare;\n  {OUTER}\n"
                       f"  for (int r = 0; r < n; ++r) {{\n    {OWN}\n    {FILL}\n    if (r == 1) {{\n"
                       "      private $T *q = slot[pick];\n      $use\n    }\n    slot[pick & r + 1] = x;\n  }", "at"),
    "slot_of_structs": (BOX, f"{SPARE}struct box_$K slot[2];\n  slot[0].p = slot[1].p = spare;\n"
                        f"  slot[0].n = slot[1].n = n;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    slot[pick].p = x + 1;\n"
                        "  }\n  private $T *q = slot[pick].p;\n  $use", "at - 1"),
    "slot_copied": (BOX, f"{SPARE}struct box_$K slot[2], one;\n  slot[0].p = slot[1].p = spare;\n"
                    f"  slot[0].n = slot[1].n = n;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    one.p = x;\n    one.n = n;\n"
                    "    slot[pick] = one;\n  }\n  private $T *q = slot[pick].p;\n  $use", "at"),
    "slot_of_function": (f"void put_$K(private $T *private *slot, int pick{{{{||, private $T *x}}}}) {{\n  {OWN}\n"
                         f"  {FILL}\n  slot[pick] = x;\n}}\n",
                         f"{SPARE}{OUTER}\n  private $T *slot[2];\n  slot[0] = slot[1] = spare;\n"
                         "  for (int r = 0; r < n; ++r) put_$K(slot, pick{{||, x}});\n"
                         "  private $T *q = slot[pick];\n  $use", "at"),
    "two_stars": ("", f"private $T *p;\n  private $T *private *pp = &p;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n"
                  "    *pp = x;\n  }\n  private $T *q = p;\n  $use", "at"),
    "number": ("", f"size_t number;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    number = (size_t)x;\n  }}\n"
               "  private $T *q = (private $T *)(number + sizeof($T));\n  $use", "at - 1"),
    "rows": ("", "private $T *q;\n  {{||$T x[2][2];}}\n  {\n    {{$T x[2][2];||}}\n"
             "    for (int k = 0; k < 4; ++k) x[k / 2][k % 2] = ($T)(k + 1);\n    q = x[1];\n  }\n  $use", "at - 2"),
    "member": ("struct part_$K { $T x[4]; };\n",
               "private $T *q;\n  {{||struct part_$K x;}}\n  {\n    {{struct part_$K x;||}}\n"
               "    for (int k = 0; k < 4; ++k) x.x[k] = ($T)(k + 1);\n    q = x.x;\n  }\n  $use", "at"),
    "expression": ("", f"{OUTER}\n  private $T *q = ({{ {OWN} {FILL} x + n - n; }});\n  $use", "at"),
    "generic": ("", f"$T *q;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n    q = x;\n  }}\n  $use", "at"),
    "generic_slot": ("", f"{SPARE}$T *slot[2];\n  slot[0] = slot[1] = spare;\n  {OUTER}\n  {{\n    {OWN}\n    {FILL}\n"
                     "    slot[pick] = x;\n  }\n  $T *q = slot[pick];\n  $use", "at"),
    "generic_next_pass": ("", f"{SPARE}$T *q = pick ? ($T *)out : spare;\n  {OUTER}\n"
                          f"  for (int r = 0; r < n; ++r) {{\n    {OWN}\n    {FILL}\n    if (r == 1) {{\n      $use\n    }}\n"
                          "    q = x;\n  }", "at"),
}

# name: (line, elements that it touches, word, types)
SCALARS = ("int", "float", "char", "long", "short", "uint")
ACCESSES = {
    "load": ("((global $T *)out)[0] = q[$i]; /*BUG*/", 1, "read", (*SCALARS, "int4", "double")),
    "store": ("q[$i] = ($T)(5); /*BUG*/", 1, "write", (*SCALARS, "float4", "double")),
    "vload": ("vstore2(vload2(0, q + ($i)), 0, (global $T *)out); /*BUG*/", 2, "read", SCALARS),
    "vstore": ("vstore2(($T2)(5), 0, q + ($i)); /*BUG*/", 2, "write", SCALARS),
    "out_pointer": ("((global $T *)out)[0] = fract(1.5f, q + ($i)); /*BUG*/", 1, "write", ("float",)),
}
BYTES = {"char": 1, "short": 2, "int": 4, "uint": 4, "long": 8, "float": 4, "double": 8, "int4": 16, "float4": 16}
CODES = {"char": "b", "short": "h", "int": "i", "uint": "I", "long": "q", "float": "f", "double": "d"}
AT = 2


def text_of(shape, access, type_):
    outer, body, index = SHAPES[shape]
    space = "" if shape.startswith("generic") else "private "
    touch = f"void touch_$K({space}$T *q, int at, global uchar *out) {{\n  $use\n}}\n"
    text = (f"{outer.replace('$touch', touch)}kernel void $K(global uchar *out, int at, int n, int pick) {{\n  {body}\n}}\n")
    return text.replace("$use", ACCESSES[access][0]).replace("$i", index).replace("$T", type_)


def product():
    types = {access: itertools.cycle(ACCESSES[access][3]) for access in ACCESSES}
    turns = itertools.cycle(("load", "store", "vload", "load", "vstore", "store", "out_pointer"))
    for shape in SHAPES:
        for _ in range(3):
            access = next(turns)
            _, elements, word, _ = ACCESSES[access]
            type_ = next(types[access])
            size = BYTES[type_]
            needs = [need for need, wanted in (("fp64", type_ == "double"), ("generic", shape.startswith("generic")))
                     if wanted]
            arguments = (out(), int32(AT), int32(3), int32(1))
            after = ()
            if access in ("load", "vload"):
                code = CODES.get(type_, "i")
                values = [AT + 1] * 4 if type_.endswith("4") else range(AT + 1, AT + 1 + elements)
                after = ((0, 0, struct.pack(f"<{len(values)}{code}", *values)),)
            yield case("scope", f"scope_{shape}_{access}_{type_}", text_of(shape, access, type_),
                       Expected("use_after_scope", word, elements * size, "x", 4 * size, offset=AT * size), arguments,
                       needs=needs, axes=(("access", access), ("route", shape)), after=after)


def by_hand(name, text, word, bytes, size, offset, variable="x"):
    return case("scope", f"scope_{name}", text, Expected("use_after_scope", word, bytes, variable, size, offset=offset),
                (out(), int32(AT), int32(3), int32(1)))


KERNEL = "kernel void $K(global int *out, int at, int n, int pick) {\n"


def others():
    yield by_hand("scalar", KERNEL + "  private int *q = 0;\n  {{||int x = n;}}\n  {\n    {{int x = n;||}}\n    q = &x;\n"
                  "    x += 1;\n  }\n  out[0] = *q; /*BUG*/\n}\n", "read", 4, 4, 0)
    yield by_hand("vector_lane", KERNEL + "  private int *q;\n  {{||int4 x = (int4)(n);}}\n  {\n"
                  "    {{int4 x = (int4)(n);||}}\n    q = (private int *)&x;\n  }\n  out[0] = q[at]; /*BUG*/\n}\n",
                  "read", 4, 16, 8)
    yield by_hand("condition", KERNEL + "  private int *q;\n  int r = 0;\n  {{||int x;}}\n  do {\n    {{int x;||}}\n"
                  "    x = ++r;\n    q = &x;\n  } while (*q > 100); /*BUG*/\n  out[0] = r;\n}\n", "read", 4, 4, 0)
    yield by_hand("loop_variable", KERNEL + "  private int *q;\n  {{||int x = 3;}}\n"
                  "  for (int {{x = 3||y = 0}}, r = 0; r < 2; ++r) q = &x;\n  out[0] = *q; /*BUG*/\n}\n", "read", 4, 4, 0)
    yield by_hand("parameter", "private int *keep_$K({{int x||private int *x}}) {\n  return {{&x||x}};\n}\n" + KERNEL +
                  "  int y = n;\n  private int *q = keep_$K({{y||&y}});\n  out[0] = *q; /*BUG*/\n}\n", "read", 4, 4, 0)
    yield by_hand("struct_parameter", "struct part_$K { int v[4]; };\n"
                  "private int *keep_$K({{struct part_$K x||private struct part_$K *x}}) {\n"
                  "  return {{x.v||x->v}};\n}\n" + KERNEL + "  struct part_$K y;\n"
                  "  for (int k = 0; k < 4; ++k) y.v[k] = k;\n  private int *q = keep_$K({{y||&y}});\n"
                  "  out[0] = q[at]; /*BUG*/\n}\n", "read", 4, 16, 8, None)  # its name is in debug information alone
    yield by_hand("struct_copied_from", "struct part_$K { int a, b, c; };\n" + KERNEL +
                  "  private struct part_$K *q;\n  {{||struct part_$K x;}}\n  {\n    {{struct part_$K x;||}}\n"
                  "    x.a = n;\n    x.b = x.c = at;\n    q = &x;\n  }\n  *(global struct part_$K *)out = *q; /*BUG*/\n}\n",
                  "read", 12, 12, 0)
    yield by_hand("struct_copied_to", "struct part_$K { int a, b, c; };\n" + KERNEL +
                  "  private struct part_$K *q;\n  {{||struct part_$K x;}}\n  {\n    {{struct part_$K x;||}}\n"
                  "    x.a = n;\n    x.b = x.c = at;\n    q = &x;\n  }\n  *q = *(global struct part_$K *)out; /*BUG*/\n}\n",
                  "write", 12, 12, 0)
    # The nodes of a list die one pass after the other; the twin's are all there. No pointer is compared with null:
    # on rusticl a private variable may be there.
    yield by_hand("list", "struct node_$K { private struct node_$K *next; int value; };\n" + KERNEL +
                  "  private struct node_$K *head = 0;\n  int sum = 0;\n  {{||struct node_$K x[3];}}\n"
                  "  for (int r = 0; r < n; ++r) {\n    {{struct node_$K x[1];||}}\n"
                  "    private struct node_$K *now = x{{|| + r}};\n    now->value = r;\n    now->next = head;\n"
                  "    head = now;\n  }\n  {{||for (int r = 0; r < n; ++r)}} {\n    sum += head->value; /*BUG*/\n"
                  "    {{||head = head->next;}}\n  }\n  out[0] = sum;\n}\n", "read", 4, 16, 8)
    # Legal: a jump back in the same block does not end it.
    yield by_hand("jump_back", KERNEL + "  private int *q = 0;\n  int r = 0;\nagain:\n"
                  "  if (r == 1) {\n    out[0] = q[at]; /*BUG*/\n    return;\n  }\n  {{{||}}\n  int x[4];\n"
                  "  for (int k = 0; k < 4; ++k) x[k] = k;\n  q = x;\n  {{}||}}\n  ++r;\n  goto again;\n}\n", "read", 4, 16, 8)
    # Legal: a variable whose declaration was jumped over lives all the same.
    yield by_hand("jumped_over", KERNEL + "  private int *q = 0;\n  switch (pick) {\n    {{||int x[4];}}\n  case 1: {\n"
                  "    {{int x[4];||}}\n    for (int k = 0; k < 4; ++k) x[k] = k;\n    q = x;\n  }\n  default:\n"
                  "    out[0] = q[at]; /*BUG*/\n  }\n}\n", "read", 4, 16, 8)
    # Legal: a function that keeps pointers to its own variables while it runs, called again and again.
    yield by_hand("own_pointers", "int sum_$K(int n, int pick{{, private int *private *last||}}) {\n  int x[4], y[4];\n"
                  "  private int *p[2];\n  for (int k = 0; k < 4; ++k) {\n    x[k] = n + k;\n    y[k] = n - k;\n  }\n"
                  "  p[0] = y;\n  p[pick] = x;\n  {{*last = p[pick];||}}\n  return p[pick][n & 3] + p[0][1];\n}\n" +
                  KERNEL + "  int sum = 0;\n  {{private int *q = 0;||}}\n  for (int r = 0; r < n; ++r)\n"
                  "    sum += sum_$K(r, pick{{, &q||}});\n  out[0] = sum;\n  {{out[1] = q[at];||}} /*BUG*/\n}\n",
                  "read", 4, 16, 8)
    # Legal: the pointer is made again in each pass before it is used.
    yield by_hand("made_again", KERNEL + "  private int *q = 0;\n  int sum = 0;\n  for (int r = 0; r < n; ++r) {\n"
                  "    int x[4];\n    for (int k = 0; k < 4; ++k) x[k] = r + k;\n    {{if (r != 2)||}} q = x;\n"
                  "    sum += q[at]; /*BUG*/\n  }\n  out[0] = sum;\n}\n", "read", 4, 16, 8)


def cases():
    return [*product(), *others()]
