# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`warpsan explain --races`: kernels of which a launch proves that no two accesses race, and the same with one barrier less, a
wider guard or a wrong index, of which none must."""

import os
import re
import unittest

from command import WARPSAN, Place

BARRIER = re.compile(r"barrier\(CLK_\w+\);")

# By name: the kernel, a launch of it, edits that make it race, and the numbers of barriers that it does not need.
CLEAN = {
    "a guard": (
        "kernel void k(global char *out, int n) { int i = get_global_id(0); if (i < n) out[i] = i; }",
        "--global 128 --local 64 --arg out=77 --arg n=77", [("out[i] = i", "out[i / 2] = i")], ()),
    "rows": (
        """kernel void k(global int *out, int w) {
             int x = get_global_id(0), y = get_global_id(1);
             out[y * w + x] = x + y;
           }""",
        "--global 60,20 --local 10,2 --arg out=4800 --arg w=60", [("y * w", "y * (w - 1)"), ("y * w", "x * w")], ()),
    "rows, as the driver likes it": (
        "kernel void k(global int *out, int w) { out[get_global_id(1) * w + get_global_id(0)] = w; }",
        "--global 60,20 --arg out=4800 --arg w=60", [("* w +", "* (w - 1) +")], ()),
    "a grid stride": (
        """kernel void k(global int *a, int n) {
             for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] += 1;
           }""",
        "--global 128 --local 64 --arg a=4000 --arg n=1000", [("+= get_global_size(0)", "+= get_global_size(0) - 1")], ()),
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
        "--global 64,64 --local 16,16 --arg a=16384 --arg b=16384 --arg c=16384 --arg n=64",
        [("as[ly][lx] =", "as[lx][lx] ="), ("c[i * n + j]", "c[i * n + i]"),
         ("barrier(CLK_LOCAL_MEM_FENCE);\n             }", "barrier(CLK_GLOBAL_MEM_FENCE);\n             }")], ()),
    "a reduction": (
        """kernel void k(global const float *a, global float *out) {
             local float t[64];
             int l = get_local_id(0);
             t[l] = a[get_global_id(0)];
             barrier(CLK_LOCAL_MEM_FENCE);
             for (int s = 32; s > 0; s /= 2) {
               if (l < s) t[l] += t[l + s];
               barrier(CLK_LOCAL_MEM_FENCE);
             }
             if (l == 0) out[get_group_id(0)] = t[0];
           }""",
        "--global 256 --local 64 --arg a=1024 --arg out=16",
        [("if (l < s)", "if (l <= s)"), ("t[l + s]", "t[l + s - 1]"), ("get_group_id(0)]", "0]"),
         ("if (l == 0)", "if (l <= 1)")], ()),
    "turned around": (
        """kernel void k(global int *out) {
             local int t[64];
             int l = get_local_id(0);
             t[l] = get_global_id(0);
             barrier(CLK_LOCAL_MEM_FENCE);
             out[get_global_id(0)] = t[63 - l];
           }""",
        "--global 256 --local 64 --arg out=1024", [("CLK_LOCAL", "CLK_GLOBAL")], ()),
    "neighbors, in two buffers by turns": (
        """kernel void k(global int *out, int n) {
             local int t[2][64];
             int l = get_local_id(0);
             t[0][l] = l;
             for (int s = 0; s < n; ++s) {
               barrier(CLK_LOCAL_MEM_FENCE);
               t[(s + 1) % 2][l] = t[s % 2][l ? l - 1 : 0] + 1;
             }
             barrier(CLK_LOCAL_MEM_FENCE);
             out[get_global_id(0)] = t[n % 2][63 - l];
           }""",
        "--global 256 --local 64 --arg out=1024 --arg n=6", [("t[(s + 1) % 2]", "t[s % 2]")], ()),
    "a histogram": (
        """kernel void k(global const uchar *a, global int *out) {
             local int h[256];
             int l = get_local_id(0);
             for (int i = l; i < 256; i += 64) h[i] = 0;
             barrier(CLK_LOCAL_MEM_FENCE);
             atomic_inc(&h[a[get_global_id(0)]]);
             barrier(CLK_LOCAL_MEM_FENCE);
             for (int i = l; i < 256; i += 64) atomic_add(&out[i], h[i]);
           }""",
        "--global 256 --local 64 --arg a=256 --arg out=1024",
        [("atomic_inc(&h[a[get_global_id(0)]])", "h[a[get_global_id(0)]]++"), ("atomic_add(&out[i], h[i])", "out[i] += h[i]"),
         ("h[i] = 0", "h[i / 2] = i")], ()),
    "a transposed tile": (
        """kernel void k(global const float *a, global float *b, int n) {
             local float t[16][17];
             int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
             t[y][x] = a[(gy + y) * n + gx + x];
             barrier(CLK_LOCAL_MEM_FENCE);
             b[(gx + y) * n + gy + x] = t[x][y];
           }""",
        "--global 64,64 --local 16,16 --arg a=16384 --arg b=16384 --arg n=64", [("(gx + y) * n + gy", "(gx + y) * n + gx")], ()),
    "half of a group, by a choice": (
        """kernel void k(global const float *a, global float *out) {
             local float t[16][16];
             int l = get_local_id(0), i = l < 16 ? l : l - 16;
             if (l < 16) for (int k = 0; k < 16; k++) t[k][i] = a[k * 16 + i];
             barrier(CLK_LOCAL_MEM_FENCE);
             out[get_global_id(0)] = t[l & 15][i];
           }""",
        "--global 32 --local 32 --arg a=1024 --arg out=128",
        [("if (l < 16)", "if (l < 17)"), ("l < 16 ? l : l - 16", "l < 15 ? l : l - 15"), ("if (l < 16)", "")], ()),
    "a merge of a bitonic sort": (
        """kernel void k(global uint *a, uint d) {
             uint i = get_global_id(0), at = 2 * i - (i & (d - 1)), x = a[at], y = a[at + d];
             a[at] = min(x, y);
             a[at + d] = max(x, y);
           }""",
        "--global 4096 --local 64 --arg a=32768 --arg d=256",
        [("2 * i -", "i -"), ("(d - 1)", "(2 * d - 1)"), ("max(x, y);", "a[at + d - 1];"), ("a[at + d] =", "a[at + d - 1] =")],
        ()),
    "one barrier too many": (
        """kernel void k(global int *out) {
             local int t[64];
             int l = get_local_id(0);
             t[l] = l;
             barrier(CLK_LOCAL_MEM_FENCE);
             barrier(CLK_LOCAL_MEM_FENCE);
             out[get_global_id(0)] = t[l ^ 1];
           }""",
        "--global 256 --local 64 --arg out=1024", [], (0, 1)),
}
# Of these it is not known, so they are not proven.
NOT_PROVEN = {
    "a scatter": "kernel void k(global const int *to, global int *out) { int i = get_global_id(0); out[to[i] & 63] = i; }",
    "a pointer in memory": "kernel void k(global ulong *to, global int *out) { *(global int *)to[get_global_id(0)] = out[0]; }",
    "an asynchronous copy": """kernel void k(global int *to, global int *out) {
        local int t[64]; event_t e = async_work_group_copy(t, to, 64, 0); wait_group_events(1, &e);
        out[get_global_id(0)] = t[0]; }""",
    "a barrier that not all reach": """kernel void k(global int *to, global int *out) {
        local int t[64]; int l = get_local_id(0); t[l] = l; if (to[l]) return; barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = t[63 - l]; }""",
}
PROVEN = "  no two accesses race\n"


class ExplainRaces(Place):
    def explain(self, text, launch):
        with open(self.path("k.cl"), "w") as file:
            file.write(text)
        result = self.run_command(WARPSAN, "explain", self.path("k.cl"), "--races", *launch.split())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_kernels_without_races(self):
        for name, (text, launch, _, _) in CLEAN.items():
            with self.subTest(name):
                said = self.explain(text, launch)
                self.assertIn(PROVEN, said)
                self.assertIn("the native kernel runs", said)

    def test_one_barrier_less(self):
        for name, (text, launch, _, needless) in CLEAN.items():
            for number, found in enumerate(BARRIER.finditer(text)):
                with self.subTest(name, barrier=number):
                    said = self.explain(text[:found.start()] + text[found.end():], launch)
                    self.assertEqual(PROVEN in said, number in needless, said)

    def test_wrong_guards_and_indices(self):
        for name, (text, launch, edits, _) in CLEAN.items():
            for before, after in edits:
                with self.subTest(name, edit=after):
                    self.assertIn(before, text)
                    said = self.explain(text.replace(before, after, 1), launch)
                    self.assertNotIn(PROVEN, said)
                    self.assertIn("races are not proven absent", said)

    def test_what_is_not_known(self):
        for name, text in NOT_PROVEN.items():
            with self.subTest(name):
                said = self.explain(text, "--global 64 --local 64 --arg to=1024 --arg out=1024")
                self.assertIn("races are not proven absent", said)
                self.assertIn("twin", said.splitlines()[-1])

    def test_it_names_the_pair(self):
        said = self.explain(CLEAN["turned around"][0].replace("barrier(CLK_LOCAL_MEM_FENCE);", ""), "--global 256 --local 64 --arg out=1024")
        self.assertRegex(said, r"races are not proven absent between work-items of\n"
                               r"    one work-group: k\.cl:4:\d+: write of int of 't', k\.cl:6:\d+: read of int of 't'\n")

    def test_what_buffers_contain_proves_nothing_of_races(self):
        text = "kernel void k(global const uchar *c, global int *out) { int i = get_global_id(0); out[i * 4 + c[i]] = i; }"
        said = self.explain(text, "--global 16 --local 4 --arg out=256 --arg c=64 --range c=0..3")
        self.assertNotIn(PROVEN, said)

    def test_kernels_that_only_set_variables(self):
        said = self.explain("global int x; kernel void k(int v) { x = v; }", "--global 16 --arg v=1 --device pocl -- -cl-std=CL3.0")
        self.assertIn("races are not looked for: it only sets variables of its program", said)

    def test_without_a_launch(self):
        said = self.explain(CLEAN["turned around"][0], "")
        self.assertIn("  races between 3 accesses are decided at launch\n", said)


if __name__ == "__main__":
    unittest.main()
