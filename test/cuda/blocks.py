# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`__syncthreads` that only some threads of a block reach. Two blocks of 8 threads; the findings and what the threads
write follow from each thread's own control flow."""

import dataclasses

from model import diverged, int32, ints
from patterns import ID, case, holds, memory

BLOCKS = ((16,), (8,))
HEAD = f"__global__ void $K(const int *a, int *out, int n) {{\n  __shared__ int tile[8];\n  {ID}\n  int t = threadIdx.x;\n"
TAIL = "  out[i] = tile[t ^ 1];\n}\n"
SWAPPED = [i ^ 1 for i in range(16)]


def first(items, number):
    return items, (number, 0, 0)


def block(name, body, expected, bug, ok, helper=""):
    """`bug`, `ok`: a, n and what out holds then; it holds -1 before."""
    def side(data, n, out):
        return memory("a", ints(*data)), memory("out", ints(*[-1] * 16)), int32(n), holds("out", ints(*out))
    made = case(f"syncthreads_{name}", helper + HEAD + body, expected, side(*bug), side(*ok), range=BLOCKS)
    return dataclasses.replace(made, family="blocks")


def cases():
    ids = list(range(16))
    some = [i % 8 % 4 for i in ids]  # 0 1 2 3 0 1 2 3 in each block
    yield block("early_return", "  if (i >= n) return; /*BRANCH*/\n  tile[t] = a[i];\n  __syncthreads(); /*BUG*/\n" + TAIL,
                diverged("BRANCH", first(4, 0), first(4, 4)), (ids, 12, SWAPPED[:12] + [-1] * 4), (ids, 16, SWAPPED))
    # Whole blocks return.
    yield block("early_return_of_blocks", "  if (i >= n) return; /*BRANCH*/\n  tile[t] = a[i];\n  __syncthreads(); /*BUG*/\n"
                + TAIL, diverged("BRANCH", first(2, 0), first(6, 2)), (ids, 10, SWAPPED[:10] + [-1] * 6),
                (ids, 8, SWAPPED[:8] + [-1] * 8))
    yield block("if", "  tile[t] = i;\n  if (a[i] > 1) { /*BRANCH*/\n    __syncthreads(); /*BUG*/\n    out[i] = tile[t ^ 1];\n  }\n}\n",
                diverged("BRANCH", first(4, 2), first(4, 0), groups=2),
                (some, 0, [i ^ 1 if some[i] > 1 else -1 for i in ids]), ([5] * 16, 0, SWAPPED))
    yield block("both_sides", "  tile[t] = i;\n  if (a[i] > 1) /*BRANCH*/\n    __syncthreads(); /*BUG*/\n  else\n"
                "    __syncthreads(); /*BUG2*/\n  out[i] = n;\n}\n",
                diverged(None, first(4, 2), first(4, 0), "BUG2", groups=2), (some, 3, [3] * 16), ([5] * 16, 3, [3] * 16))
    yield block("halving_loop", "  int sum = 0;\n  for (int s = 4; s > {{t||n}}; s >>= 1) { /*BRANCH*/\n"
                "    __syncthreads(); /*BUG*/\n    sum += s;\n  }\n  out[i] = sum;\n}\n",
                diverged("BRANCH", first(4, 0), first(4, 4), groups=2), (ids, 0, [7, 6, 4, 4, 0, 0, 0, 0] * 2),
                (ids, 0, [7] * 16))
    yield block("after_search", "  tile[t] = i;\n  for (int k = 0; k < n; ++k)\n    if (k == a[i]) return; /*BRANCH*/\n"
                "  __syncthreads(); /*BUG*/\n" + TAIL, diverged("BRANCH", first(4, 2), first(4, 0), groups=2),
                (some, 2, [i ^ 1 if some[i] > 1 else -1 for i in ids]), ([5] * 16, 2, SWAPPED))
    yield block("in_function", "  tile[t] = i;\n  out[i] = a[i] > 1 ? other_$K(tile, t) : n; /*BRANCH*/\n}\n",
                diverged(None, first(4, 2), first(4, 0), groups=2), (some, 3, [i ^ 1 if some[i] > 1 else 3 for i in ids]),
                ([5] * 16, 3, SWAPPED),
                "__device__ int other_$K(int *p, int t) {\n  __syncthreads(); /*BUG*/\n  return p[t ^ 1];\n}\n")
    yield block("break", "  int sum = 0;\n  for (int k = 0; k < 4; ++k) {\n    if (k > a[i]) break; /*BRANCH*/\n"
                "    __syncthreads(); /*BUG*/\n    ++sum;\n  }\n  out[i] = sum;\n}\n",
                diverged("BRANCH", first(6, 1), first(2, 0), groups=2), (some, 0, [1, 2, 3, 4] * 4), ([2] * 16, 0, [3] * 16))
