# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects that were shown by programs of users, and the tests that show that they are fixed.

A defect is fixed if it has a test, and each of its tests passes on every driver
that is installed. `pairs` are names in pairs_regressions.py.
"""

import dataclasses
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Test:
    """Tests of CTest on all drivers, NAME or NAME.DRIVER, and the case in them that is about the defect."""
    name: str
    file: str  # below test/
    case: str  # text in the file

    def is_there(self):
        path = os.path.join(HERE, "..", self.file)
        if not os.path.exists(path):
            return False
        with open(path) as file:
            return self.case in file.read()

    @property
    def pattern(self):
        return rf"^{re.escape(self.name)}(\.(pocl|rusticl|intel))?$"


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    what: str
    pairs: tuple = ()
    tests: tuple = ()


DEFECTS = [
    # "No errors", and there is one.
    Defect("A", "a choice's bounds are about another representative", ("choice_representative",)),
    Defect("B", "a remainder's counter takes other values too", ("remainder_or_other",)),
    Defect("C", "signed overflow, which drivers assume not to happen", ("signed_overflow",)),
    Defect("D", "predefined macros that WarpSan's compiler does not have", ("predefined_macros",),
           (Test("layer.controls", "layer/process/controls", "that_the_driver_may_preprocess_differently"),)),
    Defect("E", "bad accesses are deleted before instrumentation",
           ("constant_index_private", "negative_index_private", "helper_fills_private", "constant_index_member",
            "constant_index_constant", "dead_load")),
    Defect("F", "out-parameters of three elements are written as four", ("out_parameter_of_three",)),
    Defect("G", "reads through a sampler with CLK_ADDRESS_NONE", (),
           (Test("zoo.quick", "zoo/cases/images.py", "CLK_ADDRESS_NONE"),
            Test("zoo.quick", "zoo/cases/images.py", "image_2d_sampler_argument_"),
            Test("instrument-passes", "instrument/passes/checks/images.cl", "icmp ult i64 %warpsan.size.1, 4"))),
    Defect("H", "masked and unknown intrinsics that access memory", (),
           (Test("instrument-passes", "instrument/passes/checks/masked.test", "llvm.masked"),)),
    Defect("L", "guards that drivers do not keep at divergent barriers", ("divergent_barrier",),
           (Test("layer.barriers", "layer/errors/barriers", "test_part_of_a_work_group_returns"),)),
    Defect("1", "records that a device keeps in its own memory", (),
           (Test("layer.reporting", "layer/process/reporting", "test_in_memory_of_the_device"),
            Test("trust.discrete.findings", "trust/CMakeLists.txt", "trust.discrete.findings"))),
    Defect("2", "value ranges of buffers whose device address is known", (),
           (Test("layer.contents", "layer/errors/contents", "test_a_buffer_whose_address_is_known"),)),
    Defect("3", "clEnqueueSVMFree on an out-of-order queue", (),
           (Test("layer.findings", "layer/errors/findings", "freed_unordered"),)),
    Defect("4", "clEnqueueSVMFreeARM", (), (Test("layer.findings", "layer/errors/findings", "clEnqueueSVMFreeARM"),)),
    Defect("5", "a rebuild that the driver refuses", (),
           (Test("layer.programs", "layer/api/programs_test.cpp", "RefusedBuildChangesNothing"),)),
    # Another result than without WarpSan.
    Defect("6", "core functions fetched by address", (),
           (Test("layer.il", "layer/api/il_test.cpp", "AreSetByAFunctionThatIsAskedForByName"),)),
    Defect("7", "clEnqueueWriteGlobalVariableINTEL", (),
           (Test("layer.program_scope", "layer/api/program_scope_test.cpp", "WhatIsWrittenAllKernelsSee"),)),
    Defect("8", "build options of each device", (),
           (Test("layer.devices", "layer/api/devices_test.cpp", "OptionsOfTheirOwn"),)),
    Defect("9", "mutable commands and program-scope variables", (),
           (Test("layer.command_buffers", "layer/api/command_buffers_test.cpp",
                 "MutableCommandsAndVariablesOfTheProgram"),)),
    Defect("10", "mappings that are exchanged for others of the same size", (),
           (Test("layer.reporting", "layer/process/reporting", "test_memory_that_takes_the_place_of_other_memory"),)),
    Defect("13", "the type of a freed USM allocation", (),
           (Test("layer.usm", "layer/api/usm_test.cpp", "AddressesWithoutAnAllocationAreUnknown"),)),
    Defect("14", "the suggested local size of twins", (),
           (Test("layer.ndrange", "layer/api/ndrange_test.cpp", "TheSuggestedLocalSizeIsTheOneChosen"),)),
    Defect("J", "pointers computed from loaded integers", (),
           (Test("layer.svm", "layer/api/svm_test.cpp", "PointersComputedFromLoadedIntegers"),)),
    Defect("K", "prefetch is a hint", ("prefetch_past_the_end",)),
    # Hangs and crashes.
    Defect("11", "fork while findings are reported", (),
           (Test("layer.reporting", "layer/process/reporting", "test_fork_while_errors_are_reported"),)),
    Defect("12", "a setter's launch with a wrong wait list", (),
           (Test("layer.program_scope", "layer/api/program_scope_test.cpp", "WhatIsSetWithAWrongWaitList"),)),
    Defect("I", "irreducible loops", ("duffs_device",)),
    Defect("M", "loops that end only on a value", (),
           (Test("layer.reporting", "layer/process/reporting", "test_loop_that_ends_on_a_value"),
            Test("layer.reporting", "layer/process/reporting", "test_killed_before_its_error_is_reported"))),
    Defect("N", "compile time of long kernels"),
    Defect("O", "Intel: a twin dies at a bad read of private memory", (),
           (Test("layer.findings", "layer/errors/findings", "test_a_bad_read_of_private_memory_is_not_performed"),)),
    # Reported wrongly, or not at all.
    Defect("P", "the same kernel name, line and column in two programs", (),
           (Test("layer.reporting", "layer/process/reporting", "test_kernels_of_one_name_at_one_place"),)),
    Defect("Q", "contraction of a * b + c", (),
           (Test("layer.rounding", "layer/api/rounding_facts.cpp", "shared_products"),
            Test("command.coverage", "command/coverage.py", "test_a_cpu_without_fma_takes_no_twins"))),
    Defect("R", "builtins whose value is left open",
           ("clamp_swapped", "clamp_swapped_high", "clamp_swapped_char", "mul24_beyond")),
    Defect("S", "flexible array members", ("flexible_member",)),
    Defect("AA", "integers of widths that SPIR-V does not have, and one kernel's refusal costs all twins", (),
           (Test("instrument-passes", "instrument/passes/pointers/odd_integers.cl", "OpTypeInt 24"),
            Test("instrument-passes", "instrument/passes/frontend/refusals.test", "others.cl"),
            Test("instrument-twins-pocl", "instrument/twins/language/odd_integers.cl", "launch: halves"),
            Test("instrument-twins-rusticl", "instrument/twins/language/odd_integers.cl", "launch: halves"),
            Test("instrument-twins-intel", "instrument/twins/language/odd_integers.cl", "launch: halves"),
            Test("layer.controls", "layer/process/controls", "test_other_kernels_of_the_program_are_checked"))),
    Defect("T", "element numbers of members", (),
           (Test("layer.structs", "layer/errors/structs", "test_members_are_in_elements_of_the_argument"),
            Test("layer.structs", "layer/errors/structs", "test_an_argument_passed_by_value_is_called_so"),
            Test("layer.structs", "layer/errors/structs", "test_a_member_that_is_added_to_is_read_and_written"))),
    Defect("U", "kernels with more than a hundred pointers", (),
           (Test("layer.controls", "layer/process/controls", "kernel 'many' has 128 arguments and its twin 258"),
            Test("instrument-passes", "instrument/passes/frontend/refusals.test", "kernel 'most' has 254 arguments"))),
    Defect("V", "PoCL: write_imageui of image arrays", (),
           (Test("layer.controls", "layer/process/controls", "integer_writes_to_image_arrays_are_checked_or_named"),)),
    Defect("W", "the summary after a crash", (), (Test("layer.reporting", "layer/process/reporting", "test_crash_in_a_kernel"),)),
    Defect("X", "explanations, order and counts of findings", (),
           (Test("layer.reporting", "layer/process/reporting", "test_errors_are_in_the_order_of_the_program"),
            Test("layer.reporting", "layer/process/reporting", "test_kernels_that_are_created_again_are_one"),
            Test("layer.reporting", "layer/process/reporting", "test_suppressed_errors_of_one_launch_are_in_one_launch"),
            Test("layer.findings", "layer/errors/findings", "test_suppressed_calls_are_no_launches"),
            Test("layer.findings", "layer/errors/findings", "test_a_wild_pointer_says_what_it_points_to"),
            Test("command.coverage", "command/coverage.py", "test_a_build_that_fails_is_said"),
            Test("command.coverage", "command/coverage.py", "test_no_driver"),
            Test("command.report", "command/report.py", "test_a_report_of_no_file_is_none"),
            Test("command.explain", "command/explain.py", "test_expressions_are_simplified"),
            Test("command.explain", "command/explain.py", "test_wrong_words"))),
    Defect("Y", "doctor: caches and missing driver libraries", (),
           (Test("command.doctor", "command/doctor.py", "test_cache_that_cannot_be_created_is_an_error"),
            Test("command.doctor", "command/doctor.py", "test_driver_whose_library_is_missing_is_named"))),
    Defect("Z", "modes of report files, daemons, backtraces", (),
           (Test("security.files", "security/files.py", "test_their_rights_are_what_the_umask_leaves"),
            Test("layer.reporting", "layer/process/reporting", "test_the_standard_library_is_no_part_of_a_backtrace"),
            Test("layer.reporting", "layer/process/reporting", "test_a_daemon_that_outlives_the_run"))),
]


def wrong_pairs(driver, build):
    """Names of the pairs of regressions that fail on a driver."""
    groups = ["regressions", "predefined_macros", "duffs_device", "flexible_member"]
    words = [word for group in groups for word in ("--group", group)]
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "pairs.py"), "--driver", driver, "--build", build,
                           *words], capture_output=True, text=True, check=False)
    names = {name for defect in DEFECTS for name in defect.pairs}
    lines = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    if done.returncode not in (0, 1, 77):
        return names, done.stdout + done.stderr
    return {name for name in names if any(re.search(rf"\b(t_)?{name}\b", line) for line in lines)}, "\n".join(lines)


def failing_tests(build, tests):
    """Those of which the case is not there, no test runs, or one fails."""
    there = {test for test in tests if test.is_there()}
    if not there:
        return tests
    patterns = sorted({test.pattern for test in there})
    done = subprocess.run(["ctest", "--test-dir", build, "-C", "ci", "-R", "|".join(f"({each})" for each in patterns)],
                          capture_output=True, text=True, check=False)
    passed = re.findall(r"Test\s+#\d+: (\S+) \.*\s*Passed", done.stdout)
    failed = re.findall(r"Test\s+#\d+: (\S+) \.*\s*\*\*\*(?!Skipped)", done.stdout)
    good = {test for test in there if any(re.search(test.pattern, name) for name in passed)
            and not any(re.search(test.pattern, name) for name in failed)}
    return tests - good


def run(drivers, build, with_tests=True):
    """(defects, fixed, failing); prints those that are not fixed. Failing are those that have a test. Without tests,
    theirs need only be there."""
    wrong, details = set(), []
    for driver in drivers:
        bad, text = wrong_pairs(driver, build)
        wrong |= bad
        details += [f"defects on {driver}: {text}"] if bad else []
    tests = {test for defect in DEFECTS for test in defect.tests}
    failing = failing_tests(build, tests) if with_tests else {test for test in tests if not test.is_there()}
    fixed = failing_count = 0
    for defect in DEFECTS:
        bad = [*(name for name in defect.pairs if name in wrong),
               *(f"{test.name} ({test.case})" for test in defect.tests if test in failing)]
        has_any = bool(defect.pairs or defect.tests)
        if has_any and not bad:
            fixed += 1
        else:
            failing_count += has_any
            print(f"defects: {defect.name} is not fixed ({defect.what}): "
                  f"{', '.join(bad) if has_any else 'no test is named'}", flush=True)
    for text in details:
        print(text)
    return len(DEFECTS), fixed, failing_count
