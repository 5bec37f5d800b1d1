# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ours against the host's: one line a step, as verdict.h does it for C++."""

import sys

import numpy as np

failures = 0


def step(name, got, expected, allowed=0.0):
    """Compares two arrays; `allowed` is relative to the largest expected value.
    Prints the mean of the magnitudes, in few enough digits that the order of a sum does not show."""
    global failures
    got = np.asarray(got)
    expected = np.asarray(expected)
    if got.shape != expected.shape:
        failures += 1
        print(f"{name}: WRONG: shape {got.shape}, expected {expected.shape}")
        return
    # Unsigned integers and booleans do not subtract; a double holds them all.
    wide = complex if np.iscomplexobj(expected) else float
    error = np.abs(got.astype(wide) - expected.astype(wide)).max()
    limit = allowed * np.abs(expected.astype(wide)).max()
    value = np.abs(got.astype(wide)).mean()
    shown = f"{value:.6g}" if got.size == 1 else f"mean {value:.6g}"
    if error <= limit:  # false for an error that is not a number
        print(f"{name}: {shown}, as on the host")
    else:
        failures += 1
        print(f"{name}: {shown}, WRONG: off by {error:g}, allowed {limit:g}")


def finish():
    sys.exit(1 if failures else 0)
