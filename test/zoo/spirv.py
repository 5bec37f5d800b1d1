# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SPIR-V modules of the zoo's files, made as another project's build would: not
optimized, so that lines are the source's, and with debug information.

Two modules a file. NAME.spv has all debug information, in the form that the
translator prefers (OpenCL.DebugInfo.100). NAME.valid.spv is for drivers that run
spirv-val (rusticl): that form it refuses, and what the translator writes as
NonSemantic.Shader.DebugInfo.100 it refuses too, for three small reasons, which
are mended here."""

import os
import re
import subprocess
import sys

FULL, VALID = ".spv", ".valid.spv"


def make_module(base, ending, standard):
    """`base`: path of the source without its ending; `ending`: FULL or VALID."""
    folder, name = os.path.split(base)

    def command(*words, text=None):
        done = subprocess.run(words, cwd=folder, input=text, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: {done.stdout}{done.stderr}"[:4000])
        return done.stdout

    def compile(*options):
        # The passes are left out, rather than -O0: that would mark every function as not to be optimized. Names are
        # kept, or arguments would have theirs in the debug information alone.
        command("clang-19", "-target", "spir64", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names",
                "-w", *options, "-emit-llvm", "-c", f"{name}.cl", "-o", f"{name}{ending}.bc")

    def translate(*options):
        command("llvm-spirv-19", "--spirv-max-version=1.1", *options, f"{name}{ending}.bc", "-o", f"{name}{ending}")

    if ending == FULL:
        # Intel's runtime takes atomics in generic memory for OpenCL C 1.x's, and then lacks them, unless the build's
        # options say CL2.0.
        compile("-g", "-cl-std=CL2.0" if standard == "CL3.0" else f"-cl-std={standard}")
        translate()
        return
    compile("-gline-tables-only", f"-cl-std={standard}",
            "-cl-ext=-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue")
    translate("--spirv-debug-info-version=nonsemantic-shader-100", "--spirv-ext=+SPV_KHR_non_semantic_info")
    text = mended(command("spirv-dis", f"{name}{ending}"))
    command("spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.1", "-", "-o", f"{name}{ending}", text=text)
    command("spirv-val", "--target-env", "opencl2.2", f"{name}{ending}")


def mended(text):
    # A function's declaration may be left out; it may not be DebugInfoNone.
    text = re.sub(r"( DebugFunction .*) %\w+$", r"\1", text, flags=re.MULTILINE)
    # A line's file is a DebugSource, not its name.
    sources = {name: number for number, name in
               re.findall(r"^ *(%\w+) = OpExtInst %void %\w+ DebugSource (%\w+)", text, re.MULTILINE)}
    text = re.sub(r"( DebugLine )(%\w+)", lambda match: match[1] + sources.get(match[2], match[2]), text)
    # A do loop is given its merge instruction twice, in its body and where it ends. Kernels need none.
    loops = [match[1] for match in re.finditer(r"^ *OpLoopMerge (%\w+) ", text, re.MULTILINE)]
    twice = {block for block in loops if loops.count(block) > 1}
    text = re.sub(r"^ *OpLoopMerge (%\w+) .*\n", lambda match: "" if match[1] in twice else match[0], text,
                  flags=re.MULTILINE)
    # Variables and phis come before anything else in a block.
    lines, leading, debug, at_start = [], [], [], False
    for line in text.split("\n"):
        if at_start and (" = OpVariable " in line or " = OpPhi " in line):
            leading.append(line)
        elif at_start and (" Debug" in line and "OpExtInst" in line or line.strip().startswith(("OpLine", "OpNoLine"))):
            debug.append(line)
        else:
            lines += [*leading, *debug, line]
            leading, debug, at_start = [], [], " = OpLabel" in line
    return "\n".join(lines)
