# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow around barriers, twice: as OpenCL C and as a generator for lockstep.py.

In the text `l` is the linear local id, `v` the value that decides (0 to 3), `n` the kernel's argument, `t` local memory
that has 1 + l in t[l] and 0 in t[k * $S + l] for k from 1 to 3, `r` the result, 0 at first; $B is a barrier. A generator
returns `r`; None if the work-item returns from the kernel."""

import dataclasses
import typing

from lockstep import END, LEGAL, call


@dataclasses.dataclass(frozen=True)
class Shape:
    text: str
    steps: typing.Callable
    helper: str = ""
    by_text: bool = False  # the ok_ variant has other text and diverges as well, legally
    forms: tuple = ("source", "il")


SHAPES = {}
BUG, BUG2, BUG3 = call("BUG"), call("BUG2"), call("BUG3")
SYNC = "int sync_$K(local int *t, int l) {\n  $B /*BUG*/\n  return t[l ^ 1];\n}\n"
# Neighbors exchange values, in another part of `t` in each iteration.
EXCHANGE = "t[k * $S + l] = r + k + 1;\n    $B /*BUG*/\n    r += t[k * $S + (l ^ 1)];"


def shape(text, helper="", **more):
    def add(steps):
        SHAPES[steps.__name__] = Shape(text, steps, helper, **more)
        return steps
    return add


def sync(w):
    yield BUG
    return w.load(w.l ^ 1)


def exchange(w, k, r):
    w.store(k * w.size + w.l, r + k + 1)
    yield BUG
    return r + w.load(k * w.size + (w.l ^ 1))


# --- if -------------------------------------------------------------------------

@shape("if (v > 1) { /*BRANCH*/\n    t[l] += v;\n    $B /*BUG*/\n    r = t[l ^ 1];\n  }")
def if_(w):
    r = 0
    if w.takes(w.v > 1):
        w.store(w.l, w.load(w.l) + w.v)
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r


@shape("if (v > 1) { /*BRANCH*/\n    r = 7;\n  } else {\n    t[l] += 2;\n    $B /*BUG*/\n    r = t[l ^ 1];\n  }")
def else_(w):
    if w.takes(w.v > 1):
        r = 7
    else:
        w.store(w.l, w.load(w.l) + 2)
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r


@shape("if (v > 1) { /*BRANCH*/\n    t[l] += 1;\n    $B /*BUG*/\n  } else {\n    t[l] += 2;\n    $B /*BUG2*/\n  }\n"
       "  r = t[l ^ 1];")
def both_sides(w):
    high = w.takes(w.v > 1)
    w.store(w.l, w.load(w.l) + (1 if high else 2))
    yield BUG if high else BUG2
    yield END
    return w.load(w.l ^ 1)


@shape("if (v > 1) { /*BRANCH*/\n    t[l] += 1;\n    $B /*BUG*/\n    r = t[l ^ 1];\n    $B /*BUG2*/\n    t[l] = r;\n"
       "  } else {\n"
       "    t[l] += 2;\n    $B /*BUG3*/\n    r = t[l];\n  }")
def sides_unequal(w):
    if w.takes(w.v > 1):
        w.store(w.l, w.load(w.l) + 1)
        yield BUG
        r = w.load(w.l ^ 1)
        yield BUG2
        w.store(w.l, r)
    else:
        w.store(w.l, w.load(w.l) + 2)
        yield BUG3
        r = w.load(w.l)
    yield END
    return r


@shape("if (v > 0) { /*BRANCH*/\n    r = 1;\n    if (v > 2) { /*BRANCH2*/\n      $B /*BUG*/\n      r = t[l ^ 1];\n"
       "    }\n  }")
def nested(w):
    r = 0
    if w.takes(w.v > 0):
        r = 1
        if w.takes(w.v > 2, "BRANCH2"):
            yield BUG
            r = w.load(w.l ^ 1)
    yield END
    return r


@shape("if (n < 1000) {\n    t[l] += n;\n    if (v > 1) { /*BRANCH*/\n      $B /*BUG*/\n      r = t[l ^ 1];\n    }\n  }")
def in_uniform_if(w):
    r = 0
    w.store(w.l, w.load(w.l) + w.n)
    if w.takes(w.v > 1):
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r


@shape("if (v == 3) { /*BRANCH*/\n    $B /*BUG*/\n    r = t[l ^ 1];\n  } else if (v == 2) { /*BRANCH2*/\n    $B /*BUG2*/\n"
       "    r = t[l ^ 1] + 50;\n  } else {\n    r = 9;\n  }")
def else_if(w):
    if w.takes(w.v == 3):
        yield BUG
        r = w.load(w.l ^ 1)
    elif w.takes(w.v == 2, None):  # LLVM makes a switch of both: the branch is not compared
        yield BUG2
        r = w.load(w.l ^ 1) + 50
    else:
        r = 9
    yield END
    return r


@shape("if (v > 1) { /*BRANCH*/\n    $B /*BUG*/\n    r = t[l ^ 1];\n  }\n  if (v <= 1) { /*BRANCH2*/\n    $B /*BUG2*/\n"
       "    r = t[l ^ 1] + 70;\n  }")
def one_each(w):
    """As many barriers for everybody, but not the same ones."""
    r = 0
    if w.takes(w.v > 1):
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    if w.takes(w.v <= 1, "BRANCH2"):
        yield BUG2
        r = w.load(w.l ^ 1) + 70
    yield END
    return r


@shape("if (v > 1) { /*BRANCH*/\n    t[l] += v;\n    {{$B||}} /*BUG*/\n  }\n  $B\n  r = t[l ^ 1];", by_text=True)
def hoisted_out(w):
    if w.takes(w.v > 1):
        w.store(w.l, w.load(w.l) + w.v)
        if w.bug:
            yield BUG
    yield END
    yield LEGAL
    return w.load(w.l ^ 1)


# --- switch ---------------------------------------------------------------------

@shape("switch (v) { /*BRANCH*/\n  case 0:\n    r = 1;\n    break;\n  case 3:\n    t[l] += 4;\n    $B /*BUG*/\n"
       "    r = t[l ^ 1];\n"
       "    break;\n  default:\n    r = 5;\n  }")
def switch(w):
    w.takes(True)
    r = {0: 1}.get(w.v, 5)
    if w.v == 3:
        w.store(w.l, w.load(w.l) + 4)
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r


@shape("switch (v) { /*BRANCH*/\n  case 3:\n    $B /*BUG*/\n    r += t[l ^ 1];\n    // falls through\n  case 2:\n"
       "    $B /*BUG2*/\n"
       "    r += t[l ^ 2];\n    // falls through\n  default:\n    r += v;\n  }")
def switch_falls_through(w):
    w.takes(True)
    r = 0
    if w.v == 3:
        yield BUG
        r += w.load(w.l ^ 1)
    if w.v >= 2:
        yield BUG2
        r += w.load(w.l ^ 2)
    yield END
    return r + w.v


@shape("switch (v) { /*BRANCH*/\n  case 3:\n    $B /*BUG*/\n    r = t[l ^ 1];\n    break;\n  case 1:\n"
       "    $B /*BUG2*/\n    r = t[l ^ 2];\n"
       "    break;\n  default:\n    $B /*BUG3*/\n    r = t[l ^ 3];\n  }")
def switch_all(w):
    """A barrier for each, none the same."""
    w.takes(True)
    yield {3: BUG, 1: BUG2}.get(w.v, BUG3)
    r = w.load(w.l ^ {3: 1, 1: 2}.get(w.v, 3))
    yield END
    return r


# --- return ---------------------------------------------------------------------

@shape("if (v <= 1) return; /*BRANCH*/\n  t[l] += v;\n  $B /*BUG*/\n  r = t[l ^ 1];")
def early_return(w):
    if w.takes(w.v <= 1):
        return None
    w.store(w.l, w.load(w.l) + w.v)
    yield BUG
    return w.load(w.l ^ 1)


@shape("$B\n  r = t[l ^ 1];\n  if (v <= 1) return; /*BRANCH*/\n  $B /*BUG*/\n  t[l] = r;\n  $B /*BUG2*/\n  r += t[l ^ 1];")
def return_between(w):
    yield LEGAL
    r = w.load(w.l ^ 1)
    if w.takes(w.v <= 1):
        return None
    yield BUG
    w.store(w.l, r)
    yield BUG2
    return r + w.load(w.l ^ 1)


@shape("if (v > 1) { /*BRANCH*/\n    $B /*BUG*/\n    r = t[l ^ 1];\n  } else {\n    out[g] = v;\n    return;\n  }")
def return_in_else(w):
    if w.takes(w.v > 1):
        yield BUG
        return w.load(w.l ^ 1)
    w.out = w.v
    return None


@shape(f"for (int k = 0; k < 4; ++k) {{\n    if (k > v) return; /*BRANCH*/\n    {EXCHANGE}\n  }}")
def return_in_loop(w):
    r = 0
    for k in range(4):
        if w.takes(k > w.v):
            return None
        r = yield from exchange(w, k, r)
    return r


# A loop that a part of the group leaves early, and the barrier behind it. clang merges the ways out of the loop and
# decides by constants which one it was.

@shape("for (int k = 2; k < 4; ++k)\n    if (k == v) return; /*BRANCH*/\n  $B /*BUG*/\n  r = t[l ^ 1];")
def loop_return_before(w):
    for k in (2, 3):
        if w.takes(k == w.v):
            return None
    yield BUG
    return w.load(w.l ^ 1)


@shape("for (int k = 1; k < 3; ++k)\n    for (int j = 0; j < 2; ++j)\n      if (2 * k + j == v) goto out; /*BRANCH*/\n"
       "  $B /*BUG*/\n  r = t[l ^ 1];\nout:\n  r += 1;")
def goto_out_of_loops(w):
    for k in range(2, 6):
        if w.takes(k == w.v):
            break
    else:
        yield BUG
        r = w.load(w.l ^ 1) + 1
        yield END
        return r
    yield END
    return 1


@shape("int hit = 0;\n  for (int k = 2; k < 4; ++k)\n    if (k == v) { hit = 1; break; }\n  if (!hit) { /*BRANCH*/\n"
       "    $B /*BUG*/\n    r = t[l ^ 1];\n  }")
def search_before(w):
    r = 0
    if w.takes(w.v not in (2, 3)):
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r


@shape("if (find_$K(v) < 0) { /*BRANCH*/\n    $B /*BUG*/\n    r = t[l ^ 1];\n  }",
       "int find_$K(int v) {\n  for (int k = 2; k < 4; ++k)\n    if (k == v) return k;\n  return -1;\n}\n")
def search_in_function(w):
    return (yield from search_before(w))


@shape("{{||$B}}\n  if (v <= 1) return; /*BRANCH*/\n  {{$B||}} /*BUG*/\n  r = t[l ^ 1];", by_text=True)
def barrier_before_return(w):
    if not w.bug:
        yield LEGAL
    if w.takes(w.v <= 1):
        return None
    if w.bug:
        yield BUG
    return w.load(w.l ^ 1)


# --- loops ----------------------------------------------------------------------

@shape(f"for (int k = 0; k < v; ++k) {{ /*BRANCH*/\n    {EXCHANGE}\n  }}")
def for_(w):
    r = k = 0
    while w.takes(k < w.v):
        r = yield from exchange(w, k, r)
        k += 1
    yield END
    return r


@shape("int k = v;\n  while (k > 0) { /*BRANCH*/\n    t[l] = r + k;\n    $B /*BUG*/\n    int x = t[l ^ 1];\n"
       "    $B /*BUG2*/\n    r += x;\n"
       "    --k;\n  }")
def while_two_barriers(w):
    r, k = 0, w.v
    while w.takes(k > 0):
        w.store(w.l, r + k)
        yield BUG
        x = w.load(w.l ^ 1)
        yield BUG2
        r += x
        k -= 1
    yield END
    return r


@shape(f"int k = 0;\n  do {{\n    {EXCHANGE}\n    ++k;\n  }} while (k <= v); /*BRANCH*/")
def do_(w):
    r = k = 0
    while True:
        r = yield from exchange(w, k, r)
        k += 1
        if not w.takes(k <= w.v):
            break
    yield END
    return r


@shape(f"for (int k = 0; k < 4; ++k) {{\n    if (k > v) break; /*BRANCH*/\n    {EXCHANGE}\n  }}")
def break_before(w):
    r = 0
    for k in range(4):
        if w.takes(k > w.v, None):  # LLVM makes one branch of this and the loop's: it is not compared
            break
        r = yield from exchange(w, k, r)
    yield END
    return r


@shape(f"for (int k = 0;; ++k) {{\n    {EXCHANGE}\n    if (k == v) break; /*BRANCH*/\n  }}")
def break_after(w):
    r = k = 0
    while True:
        r = yield from exchange(w, k, r)
        if w.takes(k == w.v):
            break
        k += 1
    yield END
    return r


@shape(f"for (int k = 0; k < 4; ++k) {{\n    r += 100;\n    if (v <= 1 && k == 1) continue; /*BRANCH*/\n"
       f"    {EXCHANGE}\n  }}")
def continue_for(w):
    r = 0
    for k in range(4):
        r += 100
        if not w.takes(w.v <= 1 and k == 1):
            r = yield from exchange(w, k, r)
        yield END
    return r


@shape(f"int k = -1;\n  while (++k < 3) {{\n    if (v > 1 && k != 1) continue; /*BRANCH*/\n    {EXCHANGE}\n  }}")
def continue_while(w):
    r = 0
    for k in range(3):
        if not w.takes(w.v > 1 and k != 1):
            r = yield from exchange(w, k, r)
        yield END
    return r


@shape(f"for (int k = 0; k < 3; ++k) {{\n    if (v > k) {{ /*BRANCH*/\n    {EXCHANGE}\n    }}\n  }}")
def if_in_loop(w):
    r = 0
    for k in range(3):
        if w.takes(w.v > k):
            r = yield from exchange(w, k, r)
        yield END
    return r


@shape(f"for (int i = 0; i < 2; ++i) {{\n    for (int k = 0; k < v; ++k) {{ /*BRANCH*/\n    {EXCHANGE}\n    }}\n"
       f"    $B\n    r += i;\n  }}")
def loop_in_loop(w):
    r = 0
    for i in range(2):
        k = 0
        while w.takes(k < w.v):
            r = yield from exchange(w, k, r)
            k += 1
        yield END
        yield LEGAL
        r += i
    return r


@shape("for (int k = 0; k < v; ++k) { /*BRANCH*/\n    t[l] += k + 1;\n    {{$B||}} /*BUG*/\n  }\n  $B\n"
       "  r = t[l ^ 1];", by_text=True)
def hoisted_out_of_loop(w):
    k = 0
    while w.takes(k < w.v):
        w.store(w.l, w.load(w.l) + k + 1)
        if w.bug:
            yield BUG
        k += 1
    yield END
    yield LEGAL
    return w.load(w.l ^ 1)


# --- goto -----------------------------------------------------------------------

@shape("if (v <= 1) goto done; /*BRANCH*/\n  t[l] += 3;\n  $B /*BUG*/\n  r = t[l ^ 1];\ndone:\n  r += 1;")
def goto_over(w):
    r = 0
    if not w.takes(w.v <= 1):
        w.store(w.l, w.load(w.l) + 3)
        yield BUG
        r = w.load(w.l ^ 1)
    yield END
    return r + 1


@shape(f"int k = 0;\nagain:\n  {{\n    {EXCHANGE}\n  }}\n  ++k;\n  if (k < v) goto again; /*BRANCH*/")
def goto_back(w):
    r = k = 0
    while True:
        r = yield from exchange(w, k, r)
        k += 1
        if not w.takes(k < w.v):
            break
    yield END
    return r


@shape("$B\n  if (v > 1) goto {{after||before}}; /*BRANCH*/\n  t[l] += 3;\n{{||before:}}\n  $B /*BUG*/\n{{after:||}}\n"
       "  r = t[l ^ 1];",
       by_text=True)
def goto_join(w):
    """Legal: both paths come to the barrier."""
    yield LEGAL
    if not w.takes(w.v > 1):
        w.store(w.l, w.load(w.l) + 3)
        if w.bug:
            yield BUG
    yield END
    if not w.bug:
        yield LEGAL
    return w.load(w.l ^ 1)


# --- functions and conditions -----------------------------------------------------

@shape("if (v > 1 && sync_$K(t, l) > 0) /*BRANCH*/ /*CALL*/\n    r = 11;", SYNC)
def and_(w):
    r = 0
    if w.takes(w.v > 1) and (yield from sync(w)) > 0:
        r = 11
    yield END
    return r


# Here and in and_ the second operand is the same for all. If it is not (sync_$K(t, l) > 5), PoCL 6.0 lets work-items follow
# the first one's direction in a legal kernel, too.
@shape("if (v <= 1 || sync_$K(t, l) < 0) /*BRANCH*/ /*CALL*/\n    r = 13;", SYNC)
def or_(w):
    r = 0
    if w.takes(w.v <= 1) or (yield from sync(w)) < 0:
        r = 13
    yield END
    return r


@shape("r = v > 1 ? sync_$K(t, l) : 3; /*BRANCH*/ /*CALL*/", SYNC)
def ternary(w):
    r = (yield from sync(w)) if w.takes(w.v > 1) else 3
    yield END
    return r


@shape("r = sync_$K(t, l);\n  if (v > 1) /*BRANCH*/\n    r += sync_$K(t, l ^ 2); /*CALL*/", SYNC)
def one_of_two_calls(w):
    yield LEGAL
    r = w.load(w.l ^ 1)
    if w.takes(w.v > 1):
        yield BUG
        r += w.load(w.l ^ 3)
    yield END
    return r


@shape("r = maybe_$K(t, l, v); /*CALL*/",
       "int maybe_$K(local int *t, int l, int v) {\n  if (v > 1) { /*BRANCH*/\n    $B /*BUG*/\n    return t[l ^ 1];\n"
       "  }\n  return -1;\n}\n")
def branch_in_function(w):
    r = -1
    if w.takes(w.v > 1):
        r = yield from sync(w)
    yield END
    return r


@shape("r = outer_$K(t, l, v); /*CALL*/",
       SYNC + "int outer_$K(local int *t, int l, int v) {\n  if (v <= 1) return 8; /*BRANCH*/\n"
       "  return sync_$K(t, l) + 1;\n}\n")
def function_of_function(w):
    r = 8
    if not w.takes(w.v <= 1):
        r = (yield from sync(w)) + 1
    yield END
    return r


@shape("int k = 0;\n  while (k < v && sync_$K(t, l) > 0) { /*BRANCH*/ /*CALL*/\n    r += 2;\n    ++k;\n  }", SYNC)
def and_of_loop(w):
    r = k = 0
    while w.takes(k < w.v) and (yield from sync(w)) > 0:
        r += 2
        k += 1
    yield END
    return r


@shape("for (int k = 0; k < v; r += sync_$K(t, l), ++k) /*BRANCH*/ /*CALL*/\n    r += k;", SYNC)
def step_of_loop(w):
    r = k = 0
    while w.takes(k < w.v):
        r += k
        r += yield from sync(w)
        k += 1
    yield END
    return r
