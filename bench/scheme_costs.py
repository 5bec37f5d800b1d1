# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each scheme costs the benchmarks, in time and memory; and what hardware would see of them (bench/hardware.py)."""

import collections
import contextlib
import os
import tempfile

from alternating import BARE, Failed, go_first, quartiles, run, take_turns
from hardware import model, read_trace
from measuring import LIMITS, ONE_THREAD, SCALES, Skipped, columns, every_benchmark, geomean, read
from sides import Side

QUICK_KERNELS = ("gemm", "spmv_csr", "scan")
MEMORY_FILE, TRACE_FILE = "scheme-memory", "scheme-trace"  # layer/schemes/schemes.cpp, schemes/trace_host.cpp


def wanted_kernels(options):
    names = [kernel for _, kernel in every_benchmark(options.program)]
    wanted = options.kernel or (QUICK_KERNELS if options.quick else names)
    return [name for name in names if name in wanted]


def read_placed(folder):
    """How much memory the scheme's allocator would have taken by what was asked for; 0: nothing was."""
    with contextlib.suppress(FileNotFoundError), open(os.path.join(folder, MEMORY_FILE)) as file:
        asked, taken = map(int, file.read().split())
        return taken / asked if asked else 0
    return 0


def read_cost(kernel):
    """What measuring.read says, and read_placed."""
    figures = read(kernel)
    return lambda done: {**figures(done), "placed": read_placed(done.work)}


def measure(driver, kernel, schemes, options, folder):
    """{scheme: {figure: (lower, median, upper) of its ratio to bare, or a number}}"""
    sides = {scheme: ("run", *options.schemes[scheme]) for scheme in schemes}
    rounds = take_turns({"bare": BARE, **sides}, [options.program, f"{kernel}={SCALES[driver.name].get(kernel, 1)}"],
                        {**driver.environment(), **ONE_THREAD, "WARPSAN_SCHEME_MEMORY": MEMORY_FILE}, options.rounds,
                        read_cost(kernel), os.path.join(folder, driver.name, kernel),
                        options.warpsan, LIMITS[driver.name])
    costs = {}
    for scheme in schemes:
        costs[scheme] = {figure: quartiles([each[scheme][figure] / each["bare"][figure] for each in rounds])
                         for figure in ("device", "wall", "memory")}
        if rounds[0][scheme]["placed"]:
            costs[scheme]["placed"] = rounds[0][scheme]["placed"]
    return costs


def measure_all(schemes, drivers, options):
    """{driver: {kernel: {scheme: figures}}}, and what failed"""
    costs, failures = collections.defaultdict(dict), []
    go_first()
    with tempfile.TemporaryDirectory(prefix="warpsan-schemes-") as folder:
        for driver in drivers:
            print(f"\n{driver.name}: time on the device, by that of the bare run")
            print(f"{'':<18}" + columns(schemes), flush=True)
            for kernel in wanted_kernels(options):
                try:
                    row = costs[driver.name][kernel] = measure(driver, kernel, schemes, options, folder)
                    print(f"{kernel:<18}" + columns((row[scheme]["device"][1] for scheme in schemes), ".2f"),
                          flush=True)
                except Skipped as reason:
                    print(f"{kernel:<18} skipped: {reason}", flush=True)
                except Failed as error:
                    failures.append(f"{driver.name} {kernel}")
                    print(f"{kernel:<18} failed: {str(error)[:600]}", flush=True)
            tell_costs(costs[driver.name], schemes)
    return costs, failures


def placed_of(costs, scheme):
    """Mean of the memory that the scheme's allocator would have taken; 0: it has none."""
    found = [row[scheme]["placed"] for row in costs.values() if "placed" in row[scheme]]
    return geomean(found) if found else 0


def means_of(costs, scheme):
    """What a scheme costs on a driver, for docs/figures.json."""
    kernels = {kernel: row[scheme]["device"][1] for kernel, row in costs.items()}
    worst = max(kernels, key=kernels.get)
    found = {"geomean": geomean(kernels.values()), "worst": [worst, kernels[worst]], "kernels": kernels}
    placed = placed_of(costs, scheme)
    return {**found, "memory": placed} if placed else found


def tell_costs(costs, schemes):
    if not costs:
        return

    def line(name, of):
        print(f"{name:<18}" + columns(f"{value:.2f}" if value else "-" for value in map(of, schemes)))

    def of_all(scheme, figure):
        return [row[scheme][figure][1] for row in costs.values()]

    line("geomean", lambda scheme: geomean(of_all(scheme, "device")))
    line("worst", lambda scheme: max(of_all(scheme, "device")))
    line("memory, process", lambda scheme: geomean(of_all(scheme, "memory")))
    line("memory, placed", lambda scheme: placed_of(costs, scheme))


# --- what hardware would see ----------------------------------------------------------

def trace(driver, kernel, options, folder):
    """The figures of bench/hardware.py, and LMI's fragmentation."""
    side = Side(os.path.join(folder, kernel), [options.warpsan, "run", "--scheme=trace"])
    done = run(side, [options.program, f"{kernel}={SCALES[driver.name].get(kernel, 1)}"],
               {**driver.environment(), **ONE_THREAD, "WARPSAN_SCHEME_MEMORY": MEMORY_FILE,
                "WARPSAN_SCHEME_TRACE": TRACE_FILE}, 3 * LIMITS[driver.name])
    read(kernel)(done)
    figures = model(read_trace(os.path.join(done.work, TRACE_FILE)))
    os.remove(os.path.join(done.work, TRACE_FILE))
    return {**figures, "LMI: memory": read_placed(done.work)}


SHOWN = (("pointer operations per access", "ops/access", "{:.2f}"),
         ("LMI: cycles of delay per access", "LMI cycles", "{:.2f}"),
         ("LMI: memory", "LMI memory", "{:.2f}"),
         ("regions", "regions", "{}"),
         ("GPUShield: look-ups per warp's access", "look-ups", "{:.2f}"),
         ("GPUShield: first-level hits", "L1 hits", "{:.1%}"),
         ("GPUShield: second-level hits of the rest", "L2 hits", "{:.1%}"),
         ("GPUShield: cycles per warp's access", "cycles", "{:.3f}"),
         ("GPUShield: more traffic", "traffic", "{:+.3%}"))


PERCENT = ("GPUShield: first-level hits", "GPUShield: more traffic")
MOSTLY = 98  # percent of hits in the first level that docs call most


def counts_of_traces(kernels):
    """Means and ends over all kernels that access anything, for docs/figures.json."""
    rows = {kernel: row for kernel, row in kernels.items() if row["accesses"]}
    found = {}
    for name, _, _ in SHOWN:
        percent = name in PERCENT
        values = {kernel: row[name] * (100 if percent else 1) for kernel, row in rows.items()}
        least, most = min(values, key=values.get), max(values, key=values.get)
        entry = {"mean": sum(values.values()) / len(values), "least": [least, values[least]], "most": [most, values[most]]}
        if name == PERCENT[0]:
            entry["above"] = [sum(value > MOSTLY for value in values.values()), len(values)]
        found[f"{name}, percent" if percent else name] = entry
    return found


def trace_all(driver, options):
    """{kernel: figures}, and what failed"""
    found, failures = {}, []
    print(f"\n{driver.name}: what the units of LMI and GPUShield would see (bench/hardware.py says how it is counted)")
    print(f"{'':<18}" + "".join(f"{short:>12}" for _, short, _ in SHOWN), flush=True)
    with tempfile.TemporaryDirectory(prefix="warpsan-schemes-") as folder:
        for kernel in wanted_kernels(options):
            try:
                row = found[kernel] = trace(driver, kernel, options, folder)
                print(f"{kernel:<18}" + "".join(f"{shape.format(row[name]):>12}" for name, _, shape in SHOWN), flush=True)
            except Skipped as reason:
                print(f"{kernel:<18} skipped: {reason}", flush=True)
            except Failed as error:
                failures.append(f"{driver.name} {kernel} traced")
                print(f"{kernel:<18} failed: {str(error)[:600]}", flush=True)
    if found:
        print(f"{'mean':<18}" + "".join(f"{shape.format(mean) if '.' in shape else f'{mean:.1f}':>12}"
              for name, _, shape in SHOWN for mean in [sum(row[name] for row in found.values()) / len(found)]))
    return found, failures
