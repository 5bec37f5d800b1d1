# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The aligned half forms, whose offset counts whole vectors: three components take
the place of four, and three are touched. The others are in axes.py."""

from axes.elements import filled
from model import buffer, int32, out, out_of_bounds
from cases.kinds import case

SIZE = 4 * 32  # four half16


def cases():
    made = []
    for number, width in enumerate((2, 3, 4, 8, 16)):
        step = touched = 2 * (4 if width == 3 else width)  # a half3 has the size of a half4
        a = buffer(SIZE, filled("half", SIZE))
        last = SIZE // step - 1
        for direction, index in (("past", last + 1), ("before", -1)):
            rounding = ("", "_rte", "_rtz", "_rtp", "_rtn")[number]
            for name, line, word in (
                    ("vloada", f"vstore{width}(vloada_half{width}(n, a), 0, out); /*BUG*/", "read"),
                    ("vstorea", f"vstorea_half{width}{rounding}(vload{width}(0, out), n, a); /*BUG*/", "write")):
                made.append(case("halves", f"{name}_half{width}_{direction}",
                                 f"kernel void $K(global half *a, global float *out, int n) {{\n  {line}\n}}\n",
                                 out_of_bounds(word, touched, "a", SIZE, index * step), (a, out(), int32(index)),
                                 (a, out(), int32(last)),
                                 axes=(("memory", "buffer"), ("access", name), ("scalar", "half"), ("width", width))))
        if width > 2:
            # The buffer ends inside of the last vector.
            short = SIZE - 4 if width != 3 else SIZE - 6
            made.append(case("halves", f"vloada_half{width}_straddles",
                             f"kernel void $K(global half *a, global float *out, int n) {{\n"
                             f"  vstore{width}(vloada_half{width}(n, a), 0, out); /*BUG*/\n}}\n",
                             out_of_bounds("read", touched, "a", short, last * step),
                             (buffer(short), out(), int32(last)), (buffer(short), out(), int32(last - 1))))
    return made
