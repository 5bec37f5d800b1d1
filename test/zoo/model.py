# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case of the zoo: a kernel with one memory error, its launch and the finding
it must give, and a twin of it that must give none.

A case's text is written twice, once with the error and once without; in it

    $K                  is the kernel's name: bug_NAME or ok_NAME
    {{bug||ok}}         is the part before || with the error, the other without
    /*BUG*/             marks the line of the access; it is expected there
    /*CALL*/            marks the call through which a function's access came
    /*BUG2*/, ..        mark the lines of further findings (Case.also)
    /*BRANCH*/, ..      mark the branches that work-items of a group diverge at
    /*OTHER*/           marks the access that the one marked BUG races with

The expected finding comes from the case's own numbers, never from WarpSan.
"""

import dataclasses
import os
import re
import struct
import subprocess

# Directions of an access, as findings give them.
BEFORE, STRADDLES, PAST = "before", "straddles", "past"

OTHER_MARKS = re.compile(r" /\*(BUG\d|BRANCH\d?|OTHER)\*/")
FILL = 0x4D  # what `out` holds before a launch


@dataclasses.dataclass(frozen=True)
class Divergence:
    """Two sides of a work-group at a barrier or another collective call. None: not compared."""
    branch: str | None               # mark of the branch that the other side took last
    here: tuple                      # work-items at the call; local id of the first, None if that is not determined
    there: tuple                     # the same of the other side
    there_mark: str | None           # mark of the call that the other side is at; empty: it is at the region's end
    groups: int                      # work-groups that diverged at the call, all in the same way


@dataclasses.dataclass(frozen=True)
class Expected:
    """A finding. None: not compared, since the kind has no such fact."""
    kind: str
    access: str | None               # read, write, atomic; empty if `api` is wrong
    bytes: int | None = None         # that the access touches
    name: str | None = None          # of the argument or the variable; $K as in the text
    size: int | None = None          # bytes of what was left: the root or the member
    where: str | None = None
    distance: int | None = None
    offset: int | None = None        # of the access, where it is inside: where and distance are then void
    global_id: tuple | None = None
    coordinates: tuple | None = None  # images
    image_size: tuple | None = None
    items: int | None = None        # work-items that did it
    api: str | None = None          # the program's own call that is wrong, and no access
    root: str | None = None         # what the pointer belongs to; docs/reference/formats/findings.md has the words
    arg: int | None = None
    memory: str | None = None
    measured: bool = False  # where and distance follow from an offset that the kernel itself writes
    mark: str = "BUG"               # of the line
    divergence: Divergence | None = None
    races_with: str | None = None   # mark of the other access: any of the two may be the one that is reported, or both
    other_group: bool | None = None


def out_of_bounds(access, bytes, name, size, offset, **more):
    """What an access of `bytes` bytes at `offset` in memory of `size` bytes is."""
    assert offset < 0 or offset + bytes > size, (offset, bytes, size)
    where, distance = placed(offset, bytes, size)
    return Expected(f"out_of_bounds_{access}", access, bytes, name, size, where, distance, **more)


def diverged(branch, here, there, there_mark="", groups=1, mark="BUG"):
    """Work-items of a work-group that do not all meet at one call."""
    return Expected("barrier_divergence", None, mark=mark, divergence=Divergence(branch, here, there, there_mark, groups))


def raced(other_mark, other_group=None):
    """An access that races with the one of `other_mark`, of the same work-group or of another one."""
    return Expected("data_race", None, races_with=other_mark, other_group=other_group)


def placed(offset, bytes, size):
    if offset < 0:
        return BEFORE, -offset
    if offset >= size:
        return PAST, offset - size
    return STRADDLES, offset + bytes - size


@dataclasses.dataclass(frozen=True)
class Launch:
    arguments: tuple                 # lines of the list, see zoo_host.cpp
    after: tuple = ()                # (argument, offset, bytes)
    measure: int | None = None       # argument that begins with a measured offset
    range: tuple = ((1,), (1,))      # global, local[, offset]


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    text: str
    bug: Launch
    ok: Launch
    expected: Expected
    needs: frozenset = frozenset()   # keys of NEEDS
    axes: tuple = ()                 # ((axis, value), ..) for counting
    family: str = ""
    forms: tuple = ("source", "il")
    also: tuple = ()                 # further findings of the same launch

    def source(self, bug):
        """The kernel's text, with or without the error."""
        kernel = ("bug_" if bug else "ok_") + self.name
        text = re.sub(r"\{\{(.*?)\|\|(.*?)\}\}", r"\1" if bug else r"\2", self.text, flags=re.DOTALL)
        return text.replace("$K", kernel).strip("\n") + "\n"


# What a case may need of a device: any of the words listed. The second is the
# OpenCL C version that it must be compiled as.
NEEDS = {
    "fp64": ("cl_khr_fp64", "CL1.2"),
    "fp16": ("cl_khr_fp16", "CL1.2"),
    "int64_atomics": ("cl_khr_int64_base_atomics", "CL1.2"),
    "c30": ("", "CL3.0"),  # of OpenCL C 3.0 what every device has
    "device_atomics": ("__opencl_c_atomic_scope_device", "CL3.0"),
    "generic": ("__opencl_c_generic_address_space", "CL3.0"),
    "svm": ("CL_DEVICE_SVM_FINE_GRAIN_BUFFER", "CL3.0"),  # zoo_host's memory of kind svm
    "system_svm": ("CL_DEVICE_SVM_FINE_GRAIN_SYSTEM", "CL3.0"),
    "usm": ("cl_intel_unified_shared_memory", "CL3.0"),
    "program_scope": ("__opencl_c_program_scope_global_variables", "CL3.0"),
    "read_write_images": ("__opencl_c_read_write_images", "CL3.0"),
    "collectives": ("__opencl_c_work_group_collective_functions", "CL3.0"),
    "computed_fences": ("computed_fences", "CL1.2"),  # barriers whose flags are no constants
    "non_uniform": ("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT", "CL3.0"),
}


def standard_of(needs):
    return "CL3.0" if any(NEEDS[need][1] == "CL3.0" for need in needs) else "CL1.2"


def words_of(driver, host):
    """What the driver's device has."""
    done = subprocess.run([host, "--device"], env={**os.environ, **driver.environment()}, capture_output=True,
                          text=True,
                          timeout=120)
    # rusticl's translator to SPIR-V ends the process if flags of a barrier are computed.
    return set(done.stdout.split()) | (set() if driver.name == "rusticl" else {"computed_fences"})


def runs_on(file, words):
    return all(not NEEDS[need][0] or NEEDS[need][0] in words for need in file.needs)


# --- arguments ----------------------------------------------------------------

def hexed(data):
    return bytes(data).hex() or "-"


def buffer(size, data=b"", flags="rw"):
    return f"buffer {size} {flags} {hexed(data[:size])}"


def sub_buffer(origin, size, parent, data=b"", flags="rw"):
    return f"sub {origin} {size} {parent} {flags} {hexed(data[:size])}"


def image(kind, width, height=0, depth=0, flags="rw", type="float"):
    return f"image {kind} {width} {height} {depth} {flags} {type}"


def sampler(addressing, filter, coordinates="texels"):
    return f"sampler {addressing} {filter} {coordinates}"


def local(size):
    return f"local {size}"


def int32(value):
    return "value " + struct.pack("<I", value % 2**32).hex()


def int64(value):
    return "value " + struct.pack("<Q", value % 2**64).hex()


def float32(value):
    return "value " + struct.pack("<f", value).hex()


def null():
    return "null"


def out(size=64):
    """The buffer into which kernels put what they have read."""
    return buffer(size, bytes([FILL]) * size)


def ints(*values):
    return struct.pack(f"<{len(values)}i", *values)


def counting(count):
    """1, 2, 3, .. as ints: what small buffers are filled with."""
    return ints(*range(1, count + 1))


# --- files --------------------------------------------------------------------

@dataclasses.dataclass
class File:
    """Cases that are compiled together: a program, and one run of zoo_host."""
    name: str
    family: str
    needs: frozenset
    forms: tuple
    cases: list
    ending = ".cl"  # of what write_files writes

    def header(self):
        header = "// Written by test/zoo; the lines marked BUG in kernels bug_* are errors.\n"
        for need, pragma in (("fp64", "cl_khr_fp64"), ("fp16", "cl_khr_fp16"),
                             ("int64_atomics", "cl_khr_int64_base_atomics"),
                             ("int64_atomics", "cl_khr_int64_extended_atomics")):
            if need in self.needs:
                header += f"#pragma OPENCL EXTENSION {pragma} : enable\n"
        return header

    def text(self):
        """(the OpenCL C, {kernel: line of the access}, {kernel: line of the call}). Of other marks the first has
        {(kernel, mark): line}."""
        parts, lines, calls, at = [], {}, {}, 1
        header = self.header()
        parts.append(header)
        at += header.count("\n")
        for case in self.cases:
            for bug in True, False:
                text = case.source(bug)
                kernel = ("bug_" if bug else "ok_") + case.name
                for number, line in enumerate(text.split("\n")):
                    if "/*BUG*/" in line:
                        assert kernel not in lines, f"{kernel}: two lines are marked"
                        lines[kernel] = at + number
                    if "/*CALL*/" in line:
                        calls[kernel] = at + number
                    lines |= {(kernel, mark): at + number for mark in OTHER_MARKS.findall(line)}
                assert (kernel in lines) != bool(case.expected.api), f"{kernel}: the line of the access is marked, if any"
                if not bug:
                    text = OTHER_MARKS.sub("", text.replace(" /*BUG*/", ""))
                parts.append(text)
                at += text.count("\n")
        return "".join(parts), lines, calls

    def list(self, bugs=True):
        """The launches, for zoo_host."""
        lines = []
        for case in self.cases:
            for bug, launch in ((True, case.bug), (False, case.ok)):
                if bug and not bugs:
                    continue
                lines.append(f"kernel {'bug_' if bug else 'ok_'}{case.name}")
                numbers = [str(number) for part in launch.range for number in (*part, 1, 1)[:3]]
                if len(launch.range) > 2:  # offsets are 0 by default, not 1
                    numbers[6:] = [str(number) for number in (*launch.range[2], 0, 0)[:3]]
                lines.append(f"range {len(launch.range[0])} {' '.join(numbers)}")
                lines += [line.replace("$K", f"{'bug_' if bug else 'ok_'}{case.name}") for line in launch.arguments]
                lines += [f"after {arg} {offset} {hexed(data)}" for arg, offset, data in launch.after]
                if launch.measure is not None:
                    lines.append(f"measure {launch.measure}")
                lines.append("end")
        return "\n".join(lines) + "\n"


def write_files(files, folder, bare):
    """{file name: (path without ending, lines of accesses, lines of calls)}"""
    written = {}
    for file in files:
        text, lines, calls = file.text()
        base = os.path.join(folder, file.name)
        with open(base + file.ending, "w") as out:
            out.write(text)
        with open(base + ".list", "w") as out:
            out.write(file.list(bugs=not bare))
        written[file.name] = (base, lines, calls)
    return written
