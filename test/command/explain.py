# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`warpsan explain`: what it says, and that what a launch proves is exact: with
memory of just the size that the kernel touches it is proven, with less it is not."""

import os
import subprocess
import unittest

from command import WARPSAN, Place

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Kernel, launch, values, and the bytes that it touches of each memory, by hand.
EXACT = {
    "an id": (
        "kernel void k(global int *out) { out[get_global_id(0)] = 1; }",
        "--global 100 --local 10", {}, {"out": 400}),
    "an id and an offset": (
        "kernel void k(global int *out) { out[get_global_id(0)] = 1; }",
        "--global 100 --local 10 --offset 7", {}, {"out": 428}),
    "a guard": (
        "kernel void k(global char *out, int n) { int i = get_global_id(0); if (i < n) out[i] = 1; }",
        "--global 128 --local 64", {"n": 77}, {"out": 77}),
    "tiles": (
        """kernel void k(global const float *a, global const float *b, global float *c, int n) {
             local float as[16][16], bs[16][16];
             int lx = get_local_id(0), ly = get_local_id(1), j = get_global_id(0), i = get_global_id(1);
             float sum = 0;
             for (int t = 0; t < n; t += 16) {
               as[ly][lx] = a[i * n + t + lx];
               bs[ly][lx] = b[(t + ly) * n + j];
               barrier(CLK_LOCAL_MEM_FENCE);
               for (int k = 0; k < 16; ++k) sum += as[ly][k] * bs[k][lx];
               barrier(CLK_LOCAL_MEM_FENCE);
             }
             c[i * n + j] = sum;
           }""",
        "--global 64,64 --local 16,16", {"n": 64}, {"a": 16384, "b": 16384, "c": 16384}),
    "neighbors in three dimensions": (
        """kernel void k(global const float *a, global float *out, int ni, int nj, int nk) {
             int k = get_global_id(0), j = get_global_id(1);
             if (j > 0 && k > 0 && j < nj - 1 && k < nk - 1)
               for (int i = 1; i < ni - 1; i++)
                 for (int di = -1; di <= 1; di++)
                   for (int dj = -1; dj <= 1; dj++)
                     for (int dk = -1; dk <= 1; dk++)
                       out[k] += a[(i + di) * (nj * nk) + (j + dj) * nk + (k + dk)];
           }""",
        "--global 64,32 --local 16,4", {"ni": 6, "nj": 30, "nk": 50}, {"a": 6 * 30 * 50 * 4, "out": 49 * 4}),
    "at an edge, the cell itself": (
        """kernel void k(global const int *in, global int *out, int n) {
             int x = get_global_id(0);
             int left = x > 0 ? x - 1 : x, right = x < n - 1 ? x + 1 : x;
             bool inside = x >= 1 && x <= n - 2;
             if (inside) out[x] = in[left] + in[right];
           }""",
        "--global 64 --local 16", {"n": 64}, {"in": 256, "out": 252}),
    "a remainder, or a fresh start": (
        """kernel void k(global int *out, int n, int m, global const int *in) {
             int x = m;
             for (int r = 0; r < 64; r++) {
               out[x] = r;
               int t = (x + 3) % n;
               x = in[r] ? t : 5;
             }
           }""",
        "--global 64 --local 64", {"n": 50, "m": 20}, {"out": 200, "in": 256}),
    "decided in a loop, before its barriers": (
        """kernel void k(global const int *in, global int *out, int n, int rounds, local int *t) {
             int l = get_local_id(0), size = get_local_size(0);
             int x = (size - 2 * rounds) * (int)get_group_id(0) - rounds + l;
             bool inside = x >= 0 && x < n;
             if (inside) t[l] = in[x];
             barrier(CLK_LOCAL_MEM_FENCE);
             bool mine = false;
             for (int i = 0; i < rounds; i++) {
               mine = inside && l > i && l < size - 1 - i;
               int v = 0;
               if (mine) v = min(t[l - 1], t[l + 1]);
               barrier(CLK_LOCAL_MEM_FENCE);
               if (mine) t[l] = v;
               barrier(CLK_LOCAL_MEM_FENCE);
             }
             if (mine) out[x] = t[l];
           }""",
        "--global 1024 --local 64", {"n": 500, "rounds": 4}, {"in": 2000, "out": 2000, "t": 256}),
    "a stride of the whole range": (
        """kernel void k(global int *out, int n) {
             for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = 1;
           }""",
        "--global 256 --local 64", {"n": 1000}, {"out": 4000}),
    "row and column": (
        """kernel void k(global int *out, global int *rows, global int *columns, int h, int w) {
             int at = get_global_id(0);
             if (at >= h * w) return;
             out[at] = rows[at / w] + columns[at % w];
           }""",
        "--global 384 --local 64", {"h": 11, "w": 31}, {"out": 1364, "rows": 44, "columns": 124}),
    "neighbors on a grid of what only the device knows": (
        """kernel void k(global const float4 *at, global int *cells, int w) {
             int3 c = clamp(convert_int3(at[get_global_id(0)].xyz), (int3)(0), (int3)(w - 1));
             for (int z = max(c.z - 1, 0); z <= min(c.z + 1, w - 1); z++)
               for (int y = max(c.y - 1, 0); y <= min(c.y + 1, w - 1); y++)
                 cells[(z * w + y) * w + c.x] = 1;
           }""",
        "--global 64 --local 64", {"w": 8}, {"at": 1024, "cells": 2048}),
    "a place that is looked at before it is used": (
        """kernel void k(global const short2 *by, global char *picture, int w, int h) {
             int i = get_global_id(0), x = i + by[i].x, y = i + by[i].y;
             if (x >= 0 && x < w && y >= 0 && y < h) picture[y * w + x] = 1;
           }""",
        "--global 64 --local 64", {"w": 50, "h": 20}, {"by": 256, "picture": 1000}),
    "two halves of a group": (
        """kernel void k(global int *out) {
             local int t[16];
             int l = get_local_id(0), at = l < 16 ? l : l - 16;
             t[at] = out[get_group_id(0) * 16 + at];
             barrier(CLK_LOCAL_MEM_FENCE);
             out[get_group_id(0) * 16 + at] = t[15 - at];
           }""",
        "--global 128 --local 32", {}, {"out": 256}),
    "rows that come round at the end": (
        """kernel void k(global int *out, int w) {
             int i = get_global_id(0), right;
             if (i == w - 1) right = 0; else right = i + 1;
             out[right] = i;
           }""",
        "--global 100 --local 50", {"w": 100}, {"out": 400}),
    "a triangle": (
        """kernel void k(global const int *in, global int *out, int n) {
             for (int i = 0; i < n; i++)
               for (int j = 0; j < i; j++) out[i * n + j] = in[i - j - 1];
           }""",
        "--global 64 --local 64", {"n": 10}, {"in": 36, "out": (9 * 10 + 9) * 4}),
    "a triangle of an id, from its end": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = get_global_id(0), sum = 0;
             for (int j = n - 1; j > i; j--) sum += in[i * n + j] + in[j - i - 1];
             out[i] = sum;
           }""",
        "--global 50 --local 50", {"n": 50}, {"in": (48 * 50 + 50) * 4, "out": 200}),
    "a first round that comes whatever is asked at its end": (
        """kernel void k(global int *out) {
             int j = 0, i = get_global_id(0);
             do out[i * 8 + j] = i; while (++j < i);
           }""",
        "--global 8 --local 8", {}, {"out": (7 * 8 + 7) * 4}),
    "sides by their signs": (
        """kernel void k(global int *out, int n, uint m) {
             int i = get_global_id(0);
             out[clamp(i - 20, 0, n)] = 1;
             out[min((uint)(i - 20), m)] = 1;
           }""",
        "--global 64 --local 64", {"n": 30, "m": 40}, {"out": 164}),
    "all that is known of a launch": (
        """kernel void k(global int *out) {
             size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
             out[i + get_global_size(0) * get_num_groups(0) - get_global_offset(0)] = 1;
             out[get_global_id(0) + get_global_offset(0)] = 1;
           }""",
        "--global 64 --local 16 --offset 5", {}, {"out": (63 + 64 * 4 - 5 + 1) * 4}),
    "a scan of a block: two strides, one up and one down": (
        """kernel void k(global int *out, int n, local int *t) {
             int l = get_local_id(0), size = get_local_size(0) * 2, offset = 1;
             t[2 * l] = l;
             t[2 * l + 1] = l;
             for (int d = size >> 1; d > 0; d >>= 1) {
               barrier(CLK_LOCAL_MEM_FENCE);
               if (l < d) t[offset * (2 * l + 2) - 1] += t[offset * (2 * l + 1) - 1];
               offset *= 2;
             }
             if (l == 0) t[size - 1] = 0;
             for (int d = 1; d < size; d *= 2) {
               offset >>= 1;
               barrier(CLK_LOCAL_MEM_FENCE);
               if (l < d) t[offset * (2 * l + 2) - 1] += t[offset * (2 * l + 1) - 1];
             }
             out[get_global_id(0)] = t[2 * l];
           }""",
        "--global 128 --local 64", {"n": 0}, {"out": 512, "t": 512}),
    "a merge: a stride in another": (
        """kernel void k(global uint *out, uint first, uint last, local uint *t) {
             uint l = get_local_id(0), size = get_local_size(0);
             for (uint stage = first; stage <= last; stage *= 2)
               for (uint distance = min(stage / 2, size); distance > 0; distance /= 2) {
                 barrier(CLK_LOCAL_MEM_FENCE);
                 uint at = 2 * l - (l & (distance - 1));
                 if (t[at] > t[at + distance]) t[at] = stage;
               }
             out[get_global_id(0)] = l;
           }""",
        "--global 64 --local 32", {"first": 2, "last": 64}, {"out": 256, "t": 256}),
    "sums of what is further and further to the left": (
        """kernel void k(global int *out, local int *t) {
             int l = get_local_id(0), size = get_local_size(0);
             for (int d = 1; d < size; d <<= 1) {
               int v = l >= d ? t[l - d] : 0;
               barrier(CLK_LOCAL_MEM_FENCE);
               out[l + d] = v;
             }
           }""",
        "--global 64 --local 64", {}, {"out": (63 + 32 + 1) * 4, "t": 63 * 4}),
    "a stride by the number of the round": (
        """kernel void k(global int *out, int rounds) {
             int i = get_global_id(0);
             for (int s = 0; s < rounds; s++) {
               int stride = 1 << s;
               out[(i >> s) * stride * 2 + (i & (stride - 1))] = 1;
             }
           }""",
        "--global 32 --local 32", {"rounds": 6}, {"out": (31 * 2 + 1) * 4}),
    "the last value of a stride": (
        """kernel void k(global int *out, int n) {
             int d = 1, steps = 0;
             while (d < n) { d *= 3; steps++; }
             out[d + steps] = get_global_id(0);
           }""",
        "--global 4 --local 4", {"n": 50}, {"out": (81 + 4 + 1) * 4}),
    "left in the middle: any value of a stride": (
        """kernel void k(global const int *in, global int *out, int n) {
             int d = n;
             for (; d > 0; d /= 3) if (in[d]) break;
             out[100 - d] = 1;
           }""",
        "--global 4 --local 4", {"n": 80}, {"in": 81 * 4, "out": 101 * 4}),
    "rows as long as a stride": (
        """kernel void k(global int *out, int n) {
             for (int d = 1; d <= n; d *= 2)
               for (int j = 0; j < d; j++) out[n - d + j] = 1;
           }""",
        "--global 4 --local 4", {"n": 32}, {"out": 32 * 4}),
    "tested at the end, in few bits": (
        """kernel void k(global int *out) {
             uchar d = 3;
             do out[d] = 1; while ((d *= 2) > 2);
           }""",
        "--global 4 --local 4", {}, {"out": 193 * 4}),
    "a table that is gone round in": (
        """kernel void k(global const int *keys, global int *out, uint mask) {
             uint slot = get_global_id(0) & mask;
             while (keys[slot] != -1) slot = (slot + 1) & mask;
             out[slot] = 1;
           }""",
        "--global 1000 --local 10", {"mask": 255}, {"keys": 1024, "out": 1024}),
    "a ring, of either sign": (
        """kernel void k(global const int *keys, global int *out, int n, uint m, int step) {
             int i = get_global_id(0) % n;
             uint j = get_global_id(0) % m;
             while (keys[i]) i = (i + step) % n;
             while (keys[j]) j = (j * 5 + 1) % m;
             out[i + j] = 1;
           }""",
        "--global 1000 --local 10", {"n": 70, "m": 50, "step": 3}, {"keys": 280, "out": (69 + 49 + 1) * 4}),
    "what is held in each round": (
        """kernel void k(global const int *by, global int *out, int n, uint m) {
             int i = 0;
             uint j = 0;
             for (int r = 0; r < 9; r++) {
               out[i] = r;
               out[j + 5] = r;
               i = clamp((int)((uint)i + (uint)by[r]), 0, n - 1);
               j = min(j * by[r], m);
             }
           }""",
        "--global 64 --local 64", {"n": 60, "m": 70}, {"by": 36, "out": 76 * 4}),
}

# Kernels that write outside of `out`, by values that are close to those of others that do not: text, values, bytes of `out`.
LEAVES = {
    "Duff's device": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = 0;
             switch (n & 3) {
               do {
               case 0: out[i++] = 1;
               case 3: out[i++] = 2;
               case 2: out[i++] = 3;
               case 1: out[i++] = 4;
               } while (i < n);
             }
           }""", {"n": 30}, 64),
    "goto into a loop": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = 5, old = 0;
             if (n & 1) { i = 0; goto one; }
           two:
             if (old < 8) out[i] = old;
             if (i > n) return;
           one:
             old = i;
             i += in[i & 7];
             if (i <= n) goto two;
           }""", {"n": 30}, 32),
    "a choice of what may wrap and a number": (
        """kernel void k(global const int *in, global int *out, int n) {
             int x = (int)get_global_id(0) + n;
             int y = x >= 0 ? x : 7;
             if (y < 100) out[y - 7] = 1;
           }""",
        {"n": -5}, 1 << 20),
    "a remainder, or another value": (
        """kernel void k(global const int *in, global int *out, int n, int m) {
             int x = 0;
             for (int r = 0; r < 4; r++) {
               if (x < n) out[x] = r + 1;
               int t = (int)((uint)x + 1u) % n;
               x = (r & 1) ? t : m;
             }
           }""",
        {"n": 3, "m": 2**31 - 1}, 1 << 20),
    "a ring that goes downwards": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = 5;
             while (in[0]) { out[i] = 1; i = (i - 2) % n; }
           }""", {"n": 8}, 32),
    "a ring that begins below zero": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = -5;
             while (in[0]) { i = (i + 1) % n; out[i] = 1; }
           }""", {"n": 8}, 32),
    "a ring whose sum wraps around": (
        """kernel void k(global const int *in, global int *out, int n, int step) {
             int i = 0;
             while (in[0]) { out[i] = 1; i = (int)((uint)i + (uint)step) % n; }
           }""", {"n": 8, "step": 2147483647}, 32),
    "a ring whose first sum wraps around": (
        """kernel void k(global const int *in, global int *out, int n) {
             int i = 2147483647;
             while (in[0]) { if (i < 8) out[i] = 1; i = (int)((uint)i + 2u) % n; }
           }""", {"n": 8}, 32),
    "a mask that grows": (
        """kernel void k(global const int *in, global int *out) {
             uint i = 0, mask = 7;
             while (in[0]) { out[i] = 1; i = (i + 1) & mask; mask = mask * 2 + 1; }
           }""", {}, 32),
    "a limit that shrinks": (
        """kernel void k(global const int *in, global int *out, uint n) {
             uint i = 0;
             for (uint d = n; d > 0; d /= 2) { if (d == 20) out[i] = 1; i = min(i + in[d], d); }
           }""", {"n": 40}, 21 * 4),
    "a stride that is longer behind its loop": (
        """kernel void k(global const int *in, global int *out, int n) {
             int d = 1;
             for (; d < n; d *= 2) if (in[d]) break;
             out[d] = 1;
           }""", {"n": 9}, 9 * 4),
    "what is compared before its step in a round, and used after": (
        """kernel void k(global const int *in, global int *out, int n) {
             for (int d = 1; d < n;) { d *= 2; out[d] = 1; }
           }""", {"n": 9}, 9 * 4),
    "an outer loop that goes on by an inner one's stride": (
        """kernel void k(global const int *in, global int *out) {
             int i = 0, d;
             do { for (d = 1; d < 8; d *= 2) if (in[i + d]) break; out[i + 8 - d] = 1; } while (i++ < d);
           }""", {}, 9 * 4),
    "divided with a sign": (
        """kernel void k(global const int *in, global int *out, int n) {
             int d = n;
             do { out[d + 9] = 1; d /= 2; } while (d != 0);
           }""", {"n": -10}, 40),
    "shifted with a sign": (
        """kernel void k(global const int *in, global int *out, int n) {
             int d = n;
             for (int r = 0; r < 20 && d < 0; r++) { out[r] = 1; d >>= 1; }
           }""", {"n": -10}, 4),
    "few bits that are extended with their sign": (
        """kernel void k(global const int *in, global int *out) {
             char d = 1;
             do out[d] = 1; while ((d *= 2) != 0);
           }""", {}, 65 * 4),
}

# Kernels that overflow, or do something else that is undefined behavior, for some values. With numbers that wrap they would stay
# in `out`, but the driver's compiler knows other ones. Text, bytes of `out`, values that are right, values that are not.
UNDEFINED = {
    "a comparison of a sum": (
        "kernel void k(global int *out, int n) { if (n + 100 > 50) out[n >> 20] = 1; else out[0] = 1; }",
        4096, {"n": 1000000}, {"n": 2**31 - 48}),
    "a return that a compiler drops": (
        "kernel void k(global int *out, int n) { if (n + 100 < n) return; out[n >> 20] = 1; }",
        4096, {"n": 5}, {"n": 2**31 - 48}),
    "a sum that comes back": (
        "kernel void k(global int *out, int n) { for (int i = 0; i < 4; i++) out[n + n + 32 + i] = 1; }",
        256, {"n": 7}, {"n": 0x7ffffff0}),
    "a product under a mask": (
        "kernel void k(global int *out, int n) { out[((int)get_global_id(0) * n) & 255] = 1; }",
        1024, {"n": 1 << 24}, {"n": 1 << 28}),
    "a sum that is also calculated without sign": (
        """kernel void k(global int *out, int n) {
             uint u = (uint)n + 100u;
             int s = n + 100;
             if (s > 0) out[(u >> 21) & 1023] = 1;
           }""", 4096, {"n": 5}, {"n": 2**31 - 48}),
    "a hash with a sign": (
        """kernel void k(global int *out, int n) {
             int h = n;
             for (int i = 0; i < 3; i++) h = (h * 5 + 1) & 0x7fffffff;
             out[h & 255] = 1;
           }""", 1024, None, {"n": 2**31 - 48}),
    "a ring with a sign": (
        """kernel void k(global int *out, int n, int step) {
             int i = 0;
             for (int r = 0; r < 9; r++) { out[i & 63] = 1; i = (i + step) & n; }
           }""", 256, {"n": 255, "step": 9}, {"n": 2**31 - 1, "step": 9}),
    "counted with a sign": (
        "kernel void k(global int *out, int n) { for (int i = n; i <= n + 5; i++) out[i & 63] = 1; }",
        256, {"n": 5}, {"n": 2**31 - 6}),
    "chosen by a sum": (
        "kernel void k(global int *out, int n) { out[n + 100 > 50 ? 0 : 63] = 1; }",
        256, {"n": 5}, {"n": 2**31 - 48}),
    "a loop that ends with a sum": (
        "kernel void k(global int *out, int n) { for (int i = 0; i + n < n + 8; i++) out[i & 63] = 1; }",
        256, {"n": 5}, {"n": 2**31 - 4}),
    "divided by zero": (
        "kernel void k(global int *out, int n) { out[(100 / n) & 63] = 1; out[(100 % n) & 63] = 1; }",
        256, {"n": 5}, {"n": 0}),
    "clamp": (
        "kernel void k(global int *out, int low, int high) { out[clamp((int)get_global_id(0), low, high)] = 1; }",
        256, {"low": 3, "high": 50}, {"low": 50, "high": 3}),
    "clamp of vectors": (
        """kernel void k(global int *out, int low, int high) {
             out[clamp((int2)(get_global_id(0), 3), (int2)(low), (int2)(high)).x] = 1;
           }""", 256, {"low": 3, "high": 50}, {"low": 50, "high": 3}),
    "mul24": (
        "kernel void k(global int *out, int n) { out[mul24(n, 3) & 63] = 1; out[mad24(n, 3, 4) & 63] = 1; }",
        256, {"n": 5}, {"n": 1 << 23}),
    "mul24 without sign": (
        "kernel void k(global int *out, uint n) { out[mul24(n, 3u) & 63] = 1; }", 256, {"n": 1 << 23}, {"n": 1 << 24}),
    "a place that is looked at before it is used": (
        """kernel void k(global int *out, int n, int by) {
             int x = (int)get_global_id(0) + n * by;
             if (x >= 0 && x < 64) out[x] = 1;
           }""", 256, {"n": 7, "by": -5}, {"n": 1 << 20, "by": 1 << 12}),
    "a float that does not fit": (
        "kernel void k(global int *out, float x) { out[(uchar)x] = 1; }", 1024, None, {"x": 1000.0}),
    "a float of what overflows": (
        "kernel void k(global int *out, int n) { out[(int)((float)(n + 100) * 0.5f) & 63] = 1; }",
        256, {"n": 5}, {"n": 2**31 - 48}),
}

# How a kernel comes: as OpenCL C, or as SPIR-V, not optimized or optimized. An optimizer tests loops at their end, counts
# in other ways and makes truth values numbers.
FORMS = {"OpenCL C": None, "SPIR-V": ["-O1", "-Xclang", "-disable-llvm-passes"], "optimized SPIR-V": ["-O2"]}

# The same by what buffers contain: text, launch, values, sizes, {buffer: (least, most)}. One less than the least (None:
# it may be anything), or one more than the most, is not proven.
BY_CONTENTS = {
    "a list of indices": (
        "kernel void k(global const int *at, global int *out) { out[at[get_global_id(0)]] = 1; }",
        "--global 64", {}, {"at": 256, "out": 400}, {"at": (0, 99)}),
    "unsigned ones of 16 bits": (
        "kernel void k(global const ushort *at, global int *out) { out[at[get_global_id(0)]] = 1; }",
        "--global 64", {}, {"at": 128, "out": 400}, {"at": (0, 99)}),
    "rows of a sparse matrix": (
        """kernel void k(global const int *starts, global const int *columns, global const float *x, global float *y) {
             int row = get_global_id(0);
             float sum = 0;
             for (int j = starts[row]; j < starts[row + 1]; j++) sum += x[columns[j]];
             y[row] = sum;
           }""",
        "--global 64 --local 64", {}, {"starts": 260, "columns": 4000, "x": 512, "y": 256},
        {"starts": (0, 1000), "columns": (0, 127)}),
    "a table of neighbors": (
        """kernel void k(global const int *image, global const int *east, global int *out, int h, int w) {
             int at = get_global_id(0);
             if (at < h * w) out[at] = image[at / w * w + east[at % w]];
           }""",
        "--global 384 --local 64", {"h": 11, "w": 31}, {"image": 1364, "east": 124, "out": 1364}, {"east": (0, 30)}),
    "a list that is followed": (
        """kernel void k(global const int *next, global int *out, int rounds) {
             int at = 0;
             for (int i = 0; i < rounds; i++) at = next[at];
             out[at] = 1;
           }""",
        "--global 64 --local 64", {"rounds": 10}, {"next": 400, "out": 400}, {"next": (0, 99)}),
    "a member of structs, beside others that can be anything": (
        """typedef struct { int weight; ushort next, last; } edge;
           kernel void k(global const edge *edges, global int *out) {
             edge e = edges[get_global_id(0)];
             out[edges[get_global_id(0)].next] = e.weight + e.last;
           }""",
        "--global 64", {}, {"edges": 512, "out": 400}, {"edges+4": (0, 99)}),
    "two members": (
        """typedef struct { int begin, length; float weight; } row;
           kernel void k(global const row *rows, global int *out) {
             int begin = rows[get_global_id(0)].begin, length = rows[get_global_id(0)].length;
             for (int i = 0; i < length; i++) out[begin + i] = 1;
           }""",
        "--global 64", {}, {"rows": 63 * 12 + 8, "out": 400}, {"rows+0": (0, 90), "rows+4": (None, 10)}),
}

# The same, but not of optimized SPIR-V, which does not tell of arrays in structs.
BY_MEMBER_ARRAYS = {
    "a tree, from its root to its leaves": (
        open(os.path.join(SOURCES, "bench/kernels/irregular/btree.cl")).read(),
        "--global 1024 --local 64", {"height": 3, "root": 0, "queries": 1000},
        {"tree": 14000, "values": 400, "wanted": 4000, "answers": 4000}, {"tree+0": (None, 16), "tree+72": (0, 99)}),
}


class Explain(Place):
    def explain(self, text, *words, form="OpenCL C"):
        with open(self.path("test.cl"), "w") as file:
            file.write(text)
        if FORMS[form]:
            self.make_module(FORMS[form])
        return self.run_command(WARPSAN, "explain", self.path("test.spv" if FORMS[form] else "test.cl"), *words)

    def make_module(self, level):
        # Names are kept: arguments are told by them.
        subprocess.run(["clang-19", "-target", "spir64", "-cl-std=CL3.0", *level, "-w", "-fno-discard-value-names",
                        "-emit-llvm", "-c", self.path("test.cl"), "-o", self.path("test.bc")], check=True)
        done = subprocess.run(["llvm-spirv-19", "--spirv-max-version=1.1", self.path("test.bc"),
                               "-o", self.path("test.spv")], capture_output=True, text=True)
        if "InvalidBitWidth" in done.stderr and level == ["-O2"]:  # it makes an i4 of four truth values
            self.make_module(["-O1"])
        else:
            self.assertEqual(done.returncode, 0, done.stderr)

    def launch(self, text, launch, values, sizes, contents=None, form="OpenCL C"):
        words = [f"--arg={name}={value}" for name, value in {**values, **sizes}.items()]
        words += [f"--range={name}={-2 ** 31 if least is None else least}..{most}"
                  for name, (least, most) in (contents or {}).items()]
        result = self.explain(text, *launch.split(), *words, form=form)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def expect_exact(self, form):
        for name, (text, launch, values, sizes) in EXACT.items():
            with self.subTest(name):
                said = self.launch(text, launch, values, sizes, form=form)
                self.assertIn("the native kernel runs.", said)
                self.assertNotIn("checked", said)
            for memory in sizes:
                with self.subTest(f"{name}, '{memory}' too small"):
                    said = self.launch(text, launch, values, {**sizes, memory: sizes[memory] - 1}, form=form)
                    self.assertIn("not proven", said)
                    self.assertIn("a twin checks the remaining accesses.", said)

    def test_what_is_proven_is_exact(self):
        self.expect_exact("OpenCL C")

    def test_what_is_proven_of_spirv_is_exact(self):
        self.expect_exact("SPIR-V")

    def test_what_is_proven_of_optimized_spirv_is_exact(self):
        self.expect_exact("optimized SPIR-V")

    def expect_exact_by_contents(self, cases, form):
        for name, (text, launch, values, sizes, contents) in cases.items():
            with self.subTest(name):
                said = self.launch(text, launch, values, sizes, contents, form=form)
                self.assertIn("the native kernel runs.", said)
            others = [(f"nothing is known of '{memory}'", sizes, {**contents, memory: None}) for memory in contents]
            for memory, (least, most) in contents.items():
                if least is not None:
                    others.append((f"'{memory}' may be less", sizes, {**contents, memory: (least - 1, most)}))
                others.append((f"'{memory}' may be more", sizes, {**contents, memory: (least, most + 1)}))
            others += [(f"'{memory}' too small", {**sizes, memory: sizes[memory] - 1}, contents) for memory in sizes]
            for what, memories, known in others:
                with self.subTest(f"{name}, {what}"):
                    said = self.launch(text, launch, values, memories, {k: v for k, v in known.items() if v}, form=form)
                    self.assertIn("a twin checks the remaining accesses.", said)

    def test_what_is_proven_by_contents_is_exact(self):
        self.expect_exact_by_contents({**BY_CONTENTS, **BY_MEMBER_ARRAYS}, "OpenCL C")

    def test_what_is_proven_by_contents_of_spirv_is_exact(self):
        self.expect_exact_by_contents(BY_MEMBER_ARRAYS, "SPIR-V")
        self.expect_exact_by_contents(BY_CONTENTS, "optimized SPIR-V")

    def test_a_member_is_named(self):
        text = """typedef struct { int a, next; } edge;
                  kernel void k(global const edge *e, global int *out) { out[e[get_global_id(0)].next] = 1; }"""
        sizes = {"e": 512, "out": 400}
        self.assertIn("e[... byte 4]", self.launch(text, "--global 64", {}, sizes, {"e+4": (0, 100)}))
        # A name alone is all of its members, unless one has a range of its own.
        self.assertIn("native kernel runs", self.launch(text, "--global 64", {}, sizes, {"e": (0, 99)}))
        self.assertIn("native kernel runs", self.launch(text, "--global 64", {}, sizes, {"e": (0, 100), "e+4": (0, 99)}))

    def test_memory_that_the_kernel_writes_has_no_known_contents(self):
        text = "kernel void k(global int *at, global int *out) { int i = get_global_id(0); out[at[i]] = 1; at[i] = 0; }"
        words = "--global", "64", "--arg=at=256", "--arg=out=400"
        self.assertIn("a twin checks the remaining accesses.", self.explain(text, *words).stdout)
        result = self.explain(text, *words, "--range=at=0..99")
        self.assertEqual(result.returncode, 64)
        self.assertIn("no proof uses the values of 'at'; omit --range at", result.stderr)

    def test_a_range_may_be_for_one_kernel_of_many(self):
        text = """kernel void a(global int *out) { out[get_global_id(0)] = 1; }
                  kernel void b(global const int *at, global int *out) { out[at[get_global_id(0)]] = 1; }"""
        for name in "at", "at+0":
            self.assertIn("native kernel runs", self.launch(text, "--global 64", {}, {"at": 256, "out": 400},
                                                            {name: (0, 99)}))

    def test_an_access_that_no_work_item_performs(self):
        said = self.launch("kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = 1; }",
                           "--global 64", {"n": 0}, {"a": 4000})
        self.assertIn("\n    proven: no work-item performs it in this launch\n", said)

    def test_values_that_fit(self):
        text = "kernel void k(global int *a, uint n, char c, ulong m, float x) { if (n < m) a[n + c] = x; }"
        for value in "0", "0x7f", "-1", "4294967295", "0xffffffff", "-2147483648":
            self.launch(text, "--global 1", {"n": value, "c": "255", "m": "18446744073709551615", "x": "-1e3"}, {"a": "4*1024"})

    def test_what_held_in_a_round_before_is_not_used_for_what_changed_since(self):
        text = """kernel void k(global int *out, int n) {
                    bool few = false;
                    int i = 0;
                    for (; i < n; ++i) few = i < 4 && i >= 0;
                    if (few) out[i] = 1;
                  }"""
        for form in FORMS:
            with self.subTest(form):
                said = self.launch(text, "--global 64 --local 64", {"n": 4}, {"out": 16}, form=form)  # out[4] is written
                self.assertIn("1 not proven in this launch: a twin checks the remaining accesses.", said)

    def test_what_leaves_its_memory_in_some_round_is_not_proven(self):
        for name, (text, values, size) in LEAVES.items():
            for form in FORMS:
                with self.subTest(f"{name}, {form}"):
                    said = self.launch(text, "--global 64 --local 64", values, {"in": 1 << 20, "out": size}, form=form)
                    self.assertIn("a twin checks the remaining accesses.", said)

    def test_what_may_be_undefined_is_not_proven(self):
        for name, (text, size, right, wrong) in UNDEFINED.items():
            with self.subTest(name):
                said = self.launch(text, "--global 64 --local 64", wrong, {"out": size})
                self.assertIn("a twin checks the remaining accesses.", said)
            if right:
                with self.subTest(f"{name}, defined"):
                    said = self.launch(text, "--global 64 --local 64", right, {"out": size})
                    self.assertIn("the native kernel runs.", said)

    def test_an_index_from_memory_is_checked(self):
        said = self.launch("kernel void k(global const int *at, global int *out) { out[at[get_global_id(0)]] = 1; }",
                           "--global 64", {}, {"at": 256, "out": 64})
        self.assertIn("test.cl:1:82: write of int of 'out'\n    checked: its index comes from memory", said)
        self.assertIn("1 proven in this launch, 1 checked: a twin checks the remaining accesses.", said)

    def test_without_a_launch_it_says_what_decides(self):
        result = self.explain("kernel void k(global char *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 1; }")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("decided at launch: byte get_global_id(0) and 0 more of its bytes", result.stdout)
        self.assertIn("where get_global_id(0) < n", result.stdout)

    def test_expressions_are_simplified(self):
        said = self.launch("kernel void k(global int *a, global int *o, int n) {\n"
                           "  for (int i = 0; i < n; ++i) o[0] += a[i] + a[2 * i + 3];\n"
                           "}", "--global 1", {"n": 12}, {"a": 40, "o": 4})
        self.assertIn("at byte iteration0 * 4\n", said)
        self.assertIn("at byte (2 * iteration0 + 3) * 4\n", said)
        for part in ("(0", "+ 0", " 1 *"):
            self.assertNotIn(part, said)

    def test_wrong_words(self):
        text = "kernel void k(global int *a, int n) { a[n] = 1; }"
        for words, said in (
                (["--kernel", "other"], "there is no kernel other"),
                (["--global", "1,2,3,4"], "up to three numbers"),
                (["--global", "64", "--arg", "n=1"], "needs --arg a=BYTES"),
                (["--global", "0"], "--global wants numbers of 1 or more, not '0'"),
                (["--global", "-5"], "--global wants numbers of 1 or more, not '-5'"),
                (["--global", "64", "--local", "8,0"], "--local wants numbers of 1 or more, not '8,0'"),
                (["--global", "64", "--offset", "-1"], "--offset wants numbers of 0 or more, not '-1'"),
                (["--global", "99999999999999999999"], "--global wants up to three numbers of 64 bits"),
                (["--global", ""], "--global wants up to three numbers"),
                (["--global", "64", "--arg", "n=x", "--arg", "a=4"], "--arg n: 'x' is not an int"),
                (["--global", "64", "--arg", "n=", "--arg", "a=4"], "--arg n: '' is not an int"),
                (["--global", "64", "--arg", "n=99999999999", "--arg", "a=4"],
                 "--arg n: 99999999999 does not fit int (32 bits)"),
                (["--global", "64", "--arg", "n=-2147483649", "--arg", "a=4"], "does not fit int (32 bits)"),
                (["--global", "64", "--arg", "n=99999999999999999999", "--arg", "a=4"], "does not fit int (32 bits)"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=x"], "--arg a: 'x' is not a number of bytes"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=-4"], "--arg a: '-4' is not a number of bytes"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=4294967296*4294967296"], "is not a number of bytes"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=4", "--range", "a=3"], "--range a: '3' is not MIN..MAX"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=4", "--range", "a=0..1"],
                 "no proof uses the values of 'a'; omit --range a"),
                (["--global", "64", "--arg", "n=1", "--arg", "a=4", "--range", "a+4=0..1"],
                 "no proof uses the values of 'a+4'; omit --range a+4"),
                (["--global", "64", "--arg", "m=1"], "no kernel has an argument 'm'"),
                (["--global", "64", "--kernel", "k", "--range", "b=0..1"], "kernel k has no argument 'b'"),
                (["--arg", "n=1"], "--arg describes a launch; give --global too"),
                (["--range", "a=0..1"], "--range describes a launch; give --global too"),
                (["--local", "8"], "--local describes a launch; give --global too"),
                (["--offset", "8"], "--offset describes a launch; give --global too"),
                *((["--global", "64", "--arg", "n=1", "--arg", "a=4", "--range", "a=" + text],
                   f"--range a wants MIN..MAX with MIN at most MAX, not '{text}'")
                  for text in ("15..0", "0..", "..5", "..", "0x..1", " 0..1", "0..1x", "0..99999999999999999999")),
                (["--globe", "64"], "there is no option --globe"),
                (["--globe"], "there is no option --globe"),
                (["-x"], "there is no option -x"),
                (["--arg", "n"], "--arg wants NAME=VALUE, not 'n'"),
                (["--device", "foo"], "there is no device 'foo': pocl, rusticl, intel or generic")):
            result = self.explain(text, *words)
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn(said, result.stderr)
            self.assertTrue(result.stderr.startswith("warpsan explain: "), result.stderr)
        self.assertEqual(self.run_command(WARPSAN, "explain").returncode, 64)

    def test_a_file_that_says_nothing(self):
        result = self.run_command(WARPSAN, "explain", self.path("none.cl"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stderr, f"warpsan explain: cannot read '{self.path('none.cl')}': "
                                        "No such file or directory\n")
        result = self.run_command(WARPSAN, "explain", self.folder)
        self.assertEqual((result.returncode, result.stderr),
                         (1, f"warpsan explain: cannot read '{self.folder}': it is a directory\n"))
        result = self.run_command(os.path.join(os.path.dirname(WARPSAN), "warpsan-clc"), self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"warpsan-clc: cannot read '{self.folder}': it is a directory", result.stderr)
        result = self.run_command(WARPSAN, "explain", WARPSAN)
        self.assertEqual((result.returncode, result.stderr),
                         (1, f"warpsan explain: '{WARPSAN}' is neither OpenCL C nor SPIR-V\n"))
        result = self.explain("int f(int a) { return a; }")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stderr, "warpsan explain: the program has no kernel\n")

    def test_a_program_that_does_not_compile(self):
        result = self.explain("kernel void k(")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error", result.stderr)


if __name__ == "__main__":
    unittest.main()
