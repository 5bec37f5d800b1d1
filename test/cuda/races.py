# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that race with each other, run with --races=on. Two blocks of 8 threads."""

import dataclasses

from model import int32, ints, raced
from patterns import ID, case, holds, memory

BLOCKS = ((16,), (8,))
IDS = list(range(16))
SWAPPED = [i ^ 1 for i in IDS]


def race(name, body, ok_out, other_mark="OTHER", other_block=False, parameters="const int *a, int *out", n=0):
    """`ok_out`: what out holds after the correct variant; it holds -1 before. `other_mark`: of the second access."""
    text = f"__global__ void $K({parameters}, int n) {{\n  {ID}\n  int t = threadIdx.x;\n{body}}}\n"
    side = memory("a", ints(*IDS)), memory("out", ints(*[-1] * 16)), int32(n)
    made = case(f"race_{name}", text, raced(other_mark, other_block), side, (*side, holds("out", ints(*ok_out))), range=BLOCKS)
    return dataclasses.replace(made, family="races")


def cases():
    tile = "  __shared__ int tile[8];\n"
    yield race("no_syncthreads", tile + "  tile[t] = i; /*BUG*/\n  {{||__syncthreads();}}\n  out[i] = tile[t ^ 1]; /*OTHER*/\n", SWAPPED)
    yield race("reduction", tile + "  tile[t] = a[i];\n  __syncthreads();\n  for (int s = 4; s > 0; s >>= 1) {\n"
               "    if (t < s) tile[t] += tile[t + s]; /*BUG*/\n    {{||__syncthreads();}}\n  }\n"
               "  if (!t) out[i] = tile[0];\n", [28, *[-1] * 7, 92, *[-1] * 7],
               "BUG")
    yield race("reused_tile", tile + "  int sum = 0;\n  for (int k = 0; k < 3; ++k) {\n    tile[t] = i + k; /*BUG*/\n"
               "    __syncthreads();\n    sum += tile[t ^ 1]; /*OTHER*/\n    {{||__syncthreads();}}\n  }\n  out[i] = sum;\n",
               [3 * each + 3 for each in SWAPPED])
    yield race("fence_is_no_barrier", tile + "  tile[t] = i; /*BUG*/\n  {{__threadfence_block()||__syncthreads()}};\n"
               "  out[i] = tile[t ^ 1]; /*OTHER*/\n", SWAPPED)
    yield race("plain_beside_atomic", "  __shared__ int count;\n  if (!t) count = 0;\n  __syncthreads();\n"
               "  atomicAdd(&count, 1); /*BUG*/\n  {{||__syncthreads();}}\n  out[i] = count; /*OTHER*/\n", [8] * 16)
    # __syncthreads orders global memory, too.
    yield race("through_global", "  out[i] = i; /*BUG*/\n  {{||__syncthreads();}}\n  int v = out[i ^ 1]; /*OTHER*/\n"
               "  __syncthreads();\n  out[i] = v;\n", SWAPPED)
    yield race("of_blocks", "  if (!t) {{out[0] += i||atomicAdd(&out[0], i)}}; /*BUG*/\n", [7] + [-1] * 15, "BUG", True)
    yield race("in_place_halo", "  int v = a[i < 15 ? i + 1 : i]; /*OTHER*/\n  {{((int *)a)||out}}[i] = v; /*BUG*/\n",
               [min(i + 1, 15) for i in IDS], other_block=None)
