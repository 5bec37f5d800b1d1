# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks of bench/kernels, for the scripts that measure them: which there are, how much work each is given on
which driver, and what a run of one says."""

import math
import re
import subprocess

from alternating import Failed, expect_twins

# One thread each: two cores are shared with whatever else runs.
ONE_THREAD = {"POCL_MAX_PTHREAD_COUNT": "1", "LP_NUM_THREADS": "1", "DPCPP_CPU_NUM_CUS": "1"}

# How long one process may take, in seconds. The first compiles; rusticl takes
# long for twins with many checks.
LIMITS = {"pocl": 60, "rusticl": 150, "intel": 60}

# So that a benchmark takes 5 to 200 ms, bare and on one thread.
SCALES = {
    "pocl": {"gemm_tiled": 0.6, "3mm": 0.6, "mvt": 2, "syr2k": 0.6, "lu": 2, "gramschmidt": 0.6, "jacobi2d": 2,
             "hotspot": 0.4, "needleman_wunsch": 0.6, "pagerank": 2, "histogram": 0.5, "scan": 3, "reduce": 3,
             "llama_int8": 2, "svm_chains": 2},
    "rusticl": {"gemm": 0.5, "gemm_tiled": 0.2, "bicg": 2, "gesummv": 3, "lu": 0.06, "gramschmidt": 0.06,
                "jacobi1d": 0.1, "jacobi2d": 0.4, "heat3d": 0.1, "fdtd2d": 0.1, "hotspot": 0.1, "srad": 0.5,
                "needleman_wunsch": 0.05, "pathfinder": 0.6, "nearest": 2, "lud": 0.2, "bfs": 0.2, "sssp": 0.5,
                "pagerank": 0.3, "gather": 0.4, "scan": 0.5, "reduce": 2, "radix_sort": 0.4, "bitonic_sort": 0.25,
                "btree": 0.5, "llama_float": 0.5, "llama_int8": 0.4},
    "intel": {"gemm": 3, "gemm_tiled": 10, "2mm": 3, "3mm": 5, "bicg": 4, "gemver": 2, "gesummv": 3, "syrk": 5,
              "syr2k": 3, "lu": 2, "gramschmidt": 2, "jacobi1d": 0.5, "conv2d": 7, "conv3d": 20, "adi": 3,
              "correlation": 9, "covariance": 5, "kmeans": 3, "nearest": 0.3, "pathfinder": 3, "lud": 14, "bfs": 0.4, "pagerank": 3,
              "gather": 0.6, "histogram": 2, "scan": 2, "reduce": 2, "hash_join": 0.5, "particle_filter": 2,
              "nbody_cells": 0.5, "conv_layer": 5, "softmax": 7, "layer_norm": 4, "lstm": 5, "attention": 3,
              "llama_int8": 3, "svm_list": 2, "svm_chains": 1},
}


def every_benchmark(program):
    """[(family, kernel)]"""
    listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split()) for line in listing.splitlines()]


def columns(values, form=""):
    """One of each scheme, for a row of a table."""
    return "".join(f"{value:>17{form}}" for value in values)


class Skipped(Exception):
    pass


def read(kernel):
    """Makes {figure: value} of a finished run of `kernel`; ms and KiB. With
    WarpSan its accesses too."""
    def of(done):
        skipped = re.search(rf"^{kernel} skipped: (.*)$", done.stdout, re.MULTILINE)
        if skipped:
            raise Skipped(skipped[1])
        times = re.search(rf"^{kernel} device ([\d.]+) wall ([\d.]+)$", done.stdout, re.MULTILINE)
        peak = re.search(r"^peak (\d+)$", done.stdout, re.MULTILINE)
        if not times or not peak:
            raise Failed(f"bench/kernels printed:\n{done.stdout}{done.stderr}")
        found = {"device": float(times[1]), "wall": float(times[2]), "memory": float(peak[1])}
        words = " ".join(done.command)
        if "run" in done.command and "sample=" not in words and "scheme=canaries" not in words:
            expect_twins(done.summary)
        cpu = re.search(r"^cpu ([\d.]+)$", done.stdout, re.MULTILINE)
        if cpu:
            found["cpu"] = float(cpu[1])
        if done.summary:
            found["accesses"] = done.summary["accesses"]
        return found
    return of


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))
