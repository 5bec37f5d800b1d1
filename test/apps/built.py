# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs of test/apps/programs that are not scripts."""

import os
import subprocess

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")

FLAGS = {
    "blas": ("-lclblast", "-lOpenCL"),
    "fft": ("-lclFFT", "-lOpenCL"),
    "opencv": ("-I/usr/include/opencv4", "-lopencv_imgproc", "-lopencv_core"),
    "viennacl": ("-lOpenCL", ),
    "boost_compute": ("-lOpenCL", ),
}
HEADERS = ("verdict.h", "first_device.h")


def steps(name, folder):
    """(sources, commands) that make `name` in `folder`."""
    target = os.path.join(folder, name)
    if name.endswith(".spv"):
        source = os.path.join(PROGRAMS, name.removesuffix(".spv") + ".cl")
        bitcode = target.removesuffix(".spv") + ".bc"
        return (source, ), (
            ["clang-19", "-c", "-O1", "-cl-std=CL1.2", "-target", "spir64", "-emit-llvm", source, "-o", bitcode],
            # The newest that every driver takes.
            ["llvm-spirv-19", "--spirv-max-version=1.1", bitcode, "-o", target])
    source = os.path.join(PROGRAMS, name + ".cpp")
    headers = tuple(os.path.join(PROGRAMS, header) for header in HEADERS)
    # -w: the libraries' headers are full of warnings, and none is ours to mend.
    return (source, *headers), (["g++", "-std=c++20", "-O1", "-w", "-o", target, source, *FLAGS[name]], )


def build(name, folder):
    """Builds unless it is newer than its sources. Returns what went wrong, or None."""
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, name)
    sources, commands = steps(name, folder)
    newest = max(map(os.path.getmtime, (*sources, os.path.abspath(__file__))))
    if os.path.exists(target) and os.path.getmtime(target) > newest:
        return None
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"{' '.join(command)} failed:\n{done.stderr}"
    return None
