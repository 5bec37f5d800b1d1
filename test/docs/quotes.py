# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the docs quote a figure of docs/figures.json: pages, and templates of their sentences and table rows.

A placeholder is a figure: {name[driver][value]}, as str.format has it; {cited[name][value]} for other people's, {papers}
for those of bench/paper_tables.py. A number that a template spells out does not count as compared."""

import os
import sys

import pages

sys.path.insert(0, os.path.join(pages.CHECKOUT, "bench"))

# pylint: disable=wrong-import-position
from paper_tables import CLASSES  # noqa: E402

DRIVERS = ("pocl", "rusticl", "intel")
PERFORMANCE = "docs/explanation/performance.md"
RESULTS = "docs/explanation/scheme-results.md"
SCHEMES = "docs/explanation/schemes.md"
CUDA = "docs/explanation/cuda-programs.md"
DECISIONS = "docs/contributing/decisions"
ROBUSTNESS = "docs/contributing/robustness.md"
CASES = "docs/explanation/case-studies.md"
DEPENDENCIES = "docs/contributing/dependencies.md"
INSTALL = "docs/how-to/install.md"

SENTENCES = [
    ("README.md", "Device time of {bench[all][kernels]} kernels"),
    ("README.md", "Over [{bench[all][kernels]} kernels](docs/explanation/performance.md) device time is "
     "{bench[pocl][geomean]:.2f} times that of the uninstrumented program on PoCL, {bench[rusticl][geomean]:.2f} on rusticl "
     "and on Intel's runtime (geometric means)."),
    ("README.md", "{bench[pocl][worst]:.1f}x, {bench[rusticl][worst]:.1f}x, {bench[intel][worst]:.1f}x."),
    ("docs/explanation/comparison.md", "{bench[intel][geomean]:.2f} to {bench[pocl][geomean]:.2f}, mean | "
     "{cited[cusafe][compute_sanitizer_times]}, mean"),
    ("docs/explanation/comparison.md", "{cited[oclgrind][least_times]:,} to {cited[oclgrind][most_times]:,} over PoCL"),
    ("docs/explanation/comparison.md", "{cited[clarmor][mean_times]}, mean (its authors)"),
    (PERFORMANCE, "the {bench[all][kernels]} kernels of `bench/kernels`"),
    (PERFORMANCE, "bench: pocl geomean {bench[pocl][geomean]:.2f} worst {bench[pocl][worst]:.2f}, regular "
     "{bench[pocl][regular]:.2f}, rusticl geomean {bench[rusticl][geomean]:.2f}, intel geomean "
     "{bench[intel][geomean]:.2f}; proven {bench[all][proven_percent]:.0f} %"),
    (PERFORMANCE, "(heat3d: {bench[pocl][kernels][heat3d][1]:.2f})"),
    (PERFORMANCE, "at most {bench[all][memory_mib]:.0f} MiB above uninstrumented"),
    (PERFORMANCE, "A launch costs the host {launch[pocl][native_us]:.2f} us more if it is native and "
     "{launch[pocl][twin_us]:.2f} us as a twin; a proof-cache miss costs {launch[pocl][proof_miss_us]:.0f} us"),
    (PERFORMANCE, "adds {sampled_launch[pocl][sampled_us][1]:.2f} us ({sampled_launch[pocl][sampled_us][0]:.2f} to "
     "{sampled_launch[pocl][sampled_us][2]:.2f})"),
    (PERFORMANCE, "where a native one adds {sampled_launch[pocl][native_us]:.2f} us and a twin "
     "{sampled_launch[pocl][twin_us]:.2f} us"),
    (PERFORMANCE, "bench sample=100:checks=all: pocl geomean {sampling[pocl][geomean]:.3f} worst {sampling[pocl][worst]:.2f} "
     "(bare again {sampling[pocl][baseline_geomean]:.3f} worst {sampling[pocl][baseline_worst]:.2f})"),
    (PERFORMANCE, "All {bench[all][kernels]} kernels, `--rounds"),
    (PERFORMANCE, "a checked launch took {checked_launch[pocl][least_times]} to {checked_launch[pocl][most_times]} times as "
     "long there, and a hundredth of that is up to {checked_launch[pocl][hundredth_percent]} %"),
    (PERFORMANCE, "{cited[oclgrind][least_times]:,} to {cited[oclgrind][most_times]:,} times as long as PoCL"),
    (PERFORMANCE, "compute-sanitizer: {cited[cusafe][compute_sanitizer_times]} times on average"),
    (PERFORMANCE, "clARMOR: {cited[clarmor][mean_percent]} % on average over {cited[clarmor][benchmarks]} benchmarks"),
    (RESULTS, "{scheme_cells[all][reproduced]} of {scheme_cells[all][cells]} cells are the same"),
    (RESULTS, "schemes: {scheme_cells[all][schemes]} schemes, {scheme_cells[all][cases]} cases, papers' tables reproduced "
     "{scheme_cells[all][reproduced]} of {scheme_cells[all][cells]}"),
    (RESULTS, "WarpSan finds {scheme_found[warpsan][pocl][found]} of {scheme_found[warpsan][pocl][cases]}, CuSafe "
     "{scheme_found[cusafe][pocl][found]}, LMI with its table {scheme_found[lmi-live][pocl][found]} and without it "
     "{scheme_found[lmi][pocl][found]}, No-FAT {scheme_found[no-fat][pocl][found]}, GPUShield "
     "{scheme_found[gpushield][pocl][found]} (with its filter too), canaries {scheme_found[canaries][pocl][found]}."),
    (RESULTS, "among the {scheme_found[warpsan][pocl][cases]} `ok_` variants"),
    (RESULTS, "CuSafe finds {zoo_found[cusafe][pocl][found]:,} of {zoo_found[cusafe][pocl][cases]:,} on PoCL"),
    (RESULTS, "{zoo_found[warpsan-all][intel][found]:,} of {zoo_found[warpsan-all][intel][cases]:,} on Intel's runtime"),
    (RESULTS, "LMI finds {small_objects[lmi][all][global out of bounds][0]} of "
     "{small_objects[lmi][all][global out of bounds][1]}, {small_objects[lmi][all][local out of bounds][0]} of "
     "{small_objects[lmi][all][local out of bounds][1]} and {small_objects[lmi][all][shared out of bounds][0]} of "
     "{small_objects[lmi][all][shared out of bounds][1]} of its own"),
    (RESULTS, "before that check it was {scheme_costs_before[gpushield][pocl][geomean]:.2f} and "
     "{scheme_costs_before[gpushield][rusticl][geomean]:.2f}"),
    (RESULTS, "one round: `warpsan` {scheme_costs_hidden_loops[warpsan][intel][geomean]:.2f}, `warpsan-all` "
     "{scheme_costs_hidden_loops[warpsan-all][intel][geomean]:.2f}, `gpushield` "
     "{scheme_costs_hidden_loops[gpushield][intel][geomean]:.2f}"),
    (RESULTS, "| {cited[lmi][hardware_percent]} % in hardware, {cited[lmi][instrumentation_times]} times by binary "
     "instrumentation; memory {cited[lmi][memory]} |"),
    (RESULTS, "| {cited[cusafe][mean_percent]} %, {cited[cusafe][worst_percent]} % at worst (gemm); memory "
     "{cited[cusafe][memory]} |"),
    (RESULTS, "| {cited[gpushield][hardware_percent]} % in hardware |"),
    (RESULTS, "| {cited[nofat][hardware_percent]} % in hardware |"),
    (RESULTS, "| {cited[canaries][least_percent]} to {cited[canaries][most_percent]} % |"),
    (RESULTS, "(LMI {scheme_costs[lmi][intel][geomean]:.2f}, No-FAT {scheme_costs[no-fat][intel][geomean]:.2f}, "
     "{scheme_costs[warpsan-all][intel][geomean]:.2f} ours)"),
    (RESULTS, "and find {scheme_found[canaries][pocl][found]} of {scheme_found[canaries][pocl][cases]}."),
    (RESULTS, "({scheme_costs[lmi][pocl][kernels][btree]:.1f} and {scheme_costs[warpsan][pocl][kernels][btree]:.1f} on PoCL; "
     "Intel's runtime {scheme_costs[warpsan][intel][kernels][btree]:.1f}, rusticl "
     "{scheme_costs[warpsan][rusticl][kernels][btree]:.1f} both)"),
    (RESULTS, "is {scheme_costs[warpsan][pocl][kernels][layer_norm]:.2f} on PoCL, that of gemm "
     "{scheme_costs[warpsan][intel][kernels][gemm]:.2f} on Intel's"),
    (RESULTS, "on PoCL {scheme_costs_before[gpushield][pocl][geomean]:.2f} became {scheme_costs[gpushield][pocl][geomean]:.2f} "
     "(jacobi2d {scheme_costs_before[gpushield][pocl][jacobi2d]:.1f}, "
     "{scheme_costs[gpushield][pocl][kernels][jacobi2d]:.1f}), on rusticl "
     "{scheme_costs_before[gpushield][rusticl][geomean]:.2f} became {scheme_costs[gpushield][rusticl][geomean]:.2f}"),
    (RESULTS, "{scheme_costs[gpushield][pocl][geomean]:.2f} becomes {scheme_costs[gpushield-static][pocl][geomean]:.2f}."),
    (RESULTS, "the filter proves {filter_proven[pocl][lud][0]} of lud's {filter_proven[pocl][lud][1]} in watched memory and "
     "{filter_proven[pocl][bfs][0]} of bfs's {filter_proven[pocl][bfs][1]}"),
    (RESULTS, "it saves {cited[gpushield][lud_percent]} % and {cited[gpushield][bfs_percent]} % of the checks made"),
    (RESULTS, "every scheme took {scheme_reports[intel][immediate_least_times]} to "
     "{scheme_reports[intel][immediate_most_times]} times as long"),
    (RESULTS, "it is still {scheme_reports[intel][svm_chains_without_reports]} times the baseline"),
    (RESULTS, "{cited[cusafe][mean_percent]} % on a GPU and {scheme_costs[cusafe][pocl][geomean]:.1f} times here"),
    (RESULTS, "fixed {cited[cusafe][epochs_mib]} MiB for stack epochs"),
    (CUDA, "and {cuda_programs[all][hecbench]} of HeCBench"),
    (CUDA, "All {cuda_programs[all][rows]} rows end the same way with the same results, all {cuda_programs[all][launches]:,} "
     "launches"),
    (CUDA, "is {cuda_programs[all][geomean]:.2f} in the geometric mean on each driver; single figures, from one round, are "
     "off by some {cuda_programs[all][noise]}"),
    ("docs/how-to/cuda-hip.md", "and {cuda_programs[all][hecbench]} of HeCBench"),
    ("docs/how-to/cuda-hip.md", "{cuda_kernels[all][bugs]} buggy kernels"),
    (f"{DECISIONS}/checks/unlikely-failures.md", "gemm with every access checked went from {expected_checks[pocl][gemm][0]} "
     "times the baseline to {expected_checks[pocl][gemm][1]}, lstm from {expected_checks[pocl][lstm][0]} to "
     "{expected_checks[pocl][lstm][1]}"),
    (f"{DECISIONS}/checks/intel-vectorization.md", "up to {late_reports[intel][most_times]} times faster there, "
     "{late_reports[intel][mean_times]} times in the mean"),
    (f"{DECISIONS}/twins/pocl-cache-first.md", "for every IL program ({pocl_cache[pocl][converter_ms]} ms)"),
    (f"{DECISIONS}/twins/pocl-cache-first.md", "took {twin_cache[intel][without_times]} times as long as uninstrumented, with "
     "it {twin_cache[intel][with_times]} times"),
    (ROBUSTNESS, "for {validation[none][small_module_ms]} ms a small module"),
    (ROBUSTNESS, "about {leaked_per_program[pocl][kib]} KiB allocated for each (uninstrumented PoCL: "
     "{leaked_per_program[pocl][baseline_kib]} KiB)"),
    ("docs/explanation/proofs.md", "{proof_budget[none][facts]:,} facts, about {proof_budget[none][ms]} ms"),
    (CASES, "in {queue_race[intel][stale][0]} of {queue_race[intel][stale][1]} processes"),
    (CASES, "({queue_race[intel][right][0]} of {queue_race[intel][right][1]} right"),
    (DEPENDENCIES, "deletes {dependency_trials[none][seccomp_deleted]} of {dependency_trials[none][sandbox_lines]} lines"),
    (DEPENDENCIES, "and adds {dependency_trials[none][seccomp_added]};"),
    (DEPENDENCIES, "takes {dependency_trials[none][seccomp_ms][0]:.2f} to {dependency_trials[none][seccomp_ms][1]:.2f} ms instead of "
     "{dependency_trials[none][filter_ms][0]} to {dependency_trials[none][filter_ms][1]}."),
    (DEPENDENCIES, "({dependency_trials[none][parsing_lines]} lines:"),
    (DEPENDENCIES, "{dependency_trials[none][trial_deleted]} lines become {dependency_trials[none][trial_added]}."),
    (DEPENDENCIES, "{dependency_trials[none][cli11_lines]:,} lines of headers, {dependency_trials[none][cli11_compile_seconds]} s of "
     "processor time to compile them in one file, and {dependency_trials[none][cli11_mb]} MB more in a program of "
     "{dependency_trials[none][warpsan_mb]} MB"),
    (INSTALL, ".deb`, {packages[none][deb_mb]} MB"),
    (INSTALL, ".whl`, {packages[none][wheel_mb]} MB"),
]

# Rows of the table in SCHEMES: the row's name in docs/figures.json, and a template in which mean, least and most are its.
HARDWARE = [
    ("pointer operations per access", "per access | {mean:.2f} | {least[1]:.2f} ({least[0]}) to {most[1]:.2f} ({most[0]}) |"),
    ("LMI: cycles of delay per access", "per access | {mean:.1f} | {least[1]:.1f} to {most[1]:.1f} | "
     "{cited[lmi][hardware_percent]} % slower"),
    ("LMI: memory", "asked for | {mean:.2f} | {least[1]:.2f} to {most[1]:.2f} ({most[0]}) | {cited[lmi][memory]}, up to "
     "{cited[lmi][memory_most]} |"),
    ("regions", "regions of a launch | {mean:.1f} | {least[1]:.0f} to {most[1]:.0f} ({most[0]}) | {cited[lmi][buffers]} "
     "buffers of a kernel, up to {cited[lmi][buffers_most]} |"),
    ("GPUShield: look-ups per warp's access", "of a warp | {mean:.2f} | {least[1]:.2f} to {most[1]:.2f} ({most[0]}) |"),
    ("GPUShield: first-level hits, percent", "| {mean:.0f} % | {least[1]:.0f} % ({least[0]}) to {most[1]:.0f} %; {above[0]} of "
     "{above[1]} above {mean:.0f} % | close to {cited[gpushield][first_level_percent]} % for most |"),
    ("GPUShield: cycles per warp's access", "of a warp | {mean:.3f} | {least[1]:.0f} to {most[1]:.2f} ({most[0]}) | "
     "{cited[gpushield][hardware_percent]} % slower"),
    ("GPUShield: more traffic, percent", "by that for data | +{mean:.2f} % | {least[1]:.0f} to +{most[1]:.1f} % ({most[0]}) |"),
]


def hardware_rows():
    for name, template in HARDWARE:
        for value in ("mean", "least", "most", "above"):
            template = template.replace(f"{{{value}", f"{{hardware[pocl][{name}][{value}]")
        yield SCHEMES, template


def benchmark_rows(figures):
    """A row of any benchmark in the table of what costs: the page chooses."""
    for kernel in figures["bench"]["pocl"]["kernels"]:
        yield PERFORMANCE, f"| {kernel} | " + "".join(f"{{bench[{driver}][kernels][{kernel}][1]:.2f}} | " for driver in DRIVERS)


def cost_rows(figures):
    for scheme in figures["scheme_costs"]:
        def cell(driver, scheme=scheme):
            costs = f"scheme_costs[{scheme}][{driver}]"
            return f"{{{costs}[geomean]:.2f}}, {{{costs}[worst][1]:.1f}} ({{{costs}[worst][0]}})"
        memory = f"{{scheme_costs[{scheme}][pocl][memory]:.2f}} |" if "memory" in figures["scheme_costs"][scheme]["pocl"] else "|"
        yield RESULTS, f"| `{scheme}` | {cell('pocl')} | {cell('intel')} | {cell('rusticl')} | {memory}"


def papers_rows(figures):
    """What each scheme finds of the papers' cases, and what the paper says."""
    table = None
    for each in CLASSES:
        key = f"{each.table}: {each.name}"
        cases = figures["scheme_found"]["warpsan"]["pocl"]["classes"][key]

        def cell(scheme, each=each, key=key, cases=cases):
            ours = f"{{scheme_found[{scheme}][pocl][classes][{key}]}}"
            if scheme not in each.papers:
                return ours
            return f"{ours}, {{papers[{key}][{scheme}]}}" + ("" if each.cases == cases else f" of {{papers[{key}][cases]}}")
        yield RESULTS, (f"| {each.table + ' ' if each.table != table else ''}| {each.name} | {cell('warpsan')} | " +
                        " | ".join(map(cell, ("warpsan", "lmi", "lmi-live", "cusafe", "gpushield", "no-fat", "canaries"))) + " |")
        table = each.table


def program_rows(figures):
    for name in figures["cuda_programs"]["all"]["programs"]:
        values = f"cuda_programs[all][programs][{name}]"
        yield CUDA, (f"| {name} | {{{values}[launches]}} | {{{values}[kernels_proven][0]}} of {{{values}[kernels_proven][1]}} | "
                     f"{{{values}[accesses_proven][0]}} of {{{values}[accesses_proven][1]}} | "
                     f"{{{values}[pocl]:.2f}} | {{{values}[intel]:.2f}} |")


def papers():
    """{class: {scheme: how many of its cases the paper says it finds, "cases": how many it has}}"""
    return {f"{each.table}: {each.name}": {**each.papers, "cases": each.cases} for each in CLASSES}


def required(figures):
    """(page, template) of all that the docs must say."""
    yield from SENTENCES
    yield from hardware_rows()
    yield from cost_rows(figures)
    yield from papers_rows(figures)
    yield from program_rows(figures)
