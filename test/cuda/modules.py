# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SPIR-V of CUDA and HIP sources, by clang alone and with the options that chipStar's
compiler gives it; and of the module that it links to each."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LANGUAGES = ("cuda", "hip")
# Line tables are all that a user gets: -g does nothing for the device.
LINES = ("-Xclang", "-debug-info-kind=line-tables-only", "-Xclang", "-dwarf-version=4")


def command(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout}{done.stderr}"[:4000])


def translate(bitcode, module):
    command("llvm-spirv-19", "--spirv-max-version=1.2", "--spirv-ext=+SPV_INTEL_subgroups", bitcode, "-o", module)


def make_module(base, language):
    """`base`: path of the source without its ending, .cu."""
    command("clang++-19", "-x", language, "--offload=spirv64", "--cuda-device-only", "-nogpuinc", "-nogpulib",
            "-fdeclspec", "-O1", *LINES, "-w", "-I", HERE, "-emit-llvm", "-S", f"{base}.cu", "-o", f"{base}.ll")
    with open(f"{base}.ll") as file:
        text = file.read()
    # HIP calls itself OpenCL 0.0, of which the translator knows no functions. chipStar has a pass for it.
    version = re.search(r"^!opencl.ocl.version = !{(!\d+)}$", text, re.MULTILINE)[1]
    with open(f"{base}.ll", "w") as file:
        file.write(text.replace(f"\n{version} = !{{i32 0, i32 0}}\n", f"\n{version} = !{{i32 2, i32 0}}\n"))
    command("llvm-as-19", f"{base}.ll", "-o", f"{base}.bc")
    translate(f"{base}.bc", f"{base}.spv")


def make_atomics(folder):
    """The path of the module without kernels."""
    base = os.path.join(folder, "atomics")
    command("clang-19", "-target", "spir64", "-cl-std=CL2.0", "-O1", "-emit-llvm", "-c",
            os.path.join(HERE, "atomics.cl"), "-o", f"{base}.bc")
    translate(f"{base}.bc", f"{base}.spv")
    return f"{base}.spv"
