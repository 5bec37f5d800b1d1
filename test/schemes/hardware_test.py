#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/hardware.py on traces whose figures can be said without it."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))

from hardware import MOVE, READ, model  # noqa: E402


def entry(kind, item, region, address, launch=1, size=4):
    return kind | size << 8 | item << 16 | launch << 32, region << 48 | address


def rounds(regions, times, items=32):
    """Each work-item reads from each region in turn."""
    return [entry(READ, item, region, 4 * item) for item in range(items) for _ in range(times) for region in regions]


class Model(unittest.TestCase):
    def test_four_regions_miss_once_each(self):
        seen = model(rounds(range(1, 5), 100))
        self.assertAlmostEqual(seen["GPUShield: first-level hits"], 396 / 400)
        self.assertEqual(seen["GPUShield: cycles per warp's access"], 0)
        self.assertAlmostEqual(seen["GPUShield: more traffic"], 4 * 16 / (400 * 4 * 32))  # 32 ints are four sectors

    def test_five_in_turn_are_too_many_for_a_queue_of_four(self):
        seen = model(rounds(range(1, 6), 100))
        self.assertEqual(seen["GPUShield: first-level hits"], 0)
        self.assertAlmostEqual(seen["GPUShield: second-level hits of the rest"], 495 / 500)

    def test_sixty_five_in_turn_are_too_many_for_both(self):
        self.assertEqual(model(rounds(range(1, 66), 3))["GPUShield: second-level hits of the rest"], 0)

    def test_a_launch_begins_with_nothing(self):
        seen = model([entry(READ, 0, 1, 0, launch) for launch in range(10)])
        self.assertEqual(seen["GPUShield: first-level hits"], 0)

    def test_a_warp_looks_up_once_for_a_region(self):
        seen = model([entry(READ, item, 1 + item % 2, 64 * item) for item in range(64)])
        self.assertEqual(seen["GPUShield: look-ups per warp's access"], 2)
        self.assertEqual(seen["accesses"], 64)

    def test_private_and_local_memory_is_not_looked_up(self):
        seen = model([entry(READ, item, 0, 64 * item) for item in range(64)])
        self.assertEqual(seen["GPUShield: look-ups per warp's access"], 0)

    def test_arithmetic_is_counted_by_access(self):
        seen = model([entry(MOVE, 0, 1, 0), entry(MOVE, 0, 1, 4), entry(READ, 0, 1, 4)])
        self.assertEqual(seen["pointer operations per access"], 2)
        self.assertEqual(seen["LMI: cycles of delay per access"], 6)


unittest.main()
