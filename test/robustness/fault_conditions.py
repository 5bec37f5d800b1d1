# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditions that a whole run is under, instead of one call that fails: closed
streams, limits, caches that somebody has meddled with, compilers that die. Each
is a generator of (what, what is wrong or None)."""

import contextlib
import os
import random
import shutil
import subprocess
import sys

from fault_runs import Fault, Wrong

CONDITIONS = []


def condition(function):
    CONDITIONS.append(function)
    return function


def slow(function):
    function.slow = True  # not with --quick
    return function


def same(bench, run, like=None):
    """What is wrong, or None."""
    try:
        bench.check_same(run, like)
        if not like:
            bench.check_told(run)
    except Wrong as error:
        return str(error)
    return None


def warm_copy(bench, name):
    folder = bench.place() + "-" + name
    shutil.copytree(bench.warm, folder)
    return folder


def entries(cache):
    return [os.path.join(where, name) for where, _, names in os.walk(cache) for name in names]


# --- where the process is -----------------------------------------------------


@condition
def nowhere_to_write(bench, quick):
    nowhere = {name: "/nonexistent" for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    for names in ("HOME", "XDG_CACHE_HOME"), ("TMPDIR",), tuple(nowhere):
        given = {name: nowhere[name] for name in names}
        yield f"{', '.join(names)} do not exist", same(bench, bench.run_under(wrap=["env", *(
            f"{name}={value}" for name, value in given.items())]))
    yield "no HOME at all", same(bench, bench.run_under(wrap=["env", "-u", "HOME", "-u", "XDG_CACHE_HOME", "-u", "TMPDIR"]))
    yield "in a folder that is gone", same(bench, bench.run_under(
        wrap=["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"]))


@condition
def closed_streams(bench, quick):
    """What the program prints must not land in a file of ours that has got the number of a stream."""
    for closed in ["0", "1", "2", "01", "12", "02", "012"]:
        shut = " ".join({"0": "0<&-", "1": "1>&-", "2": "2>&-"}[each] for each in closed)
        wrap = ["sh", "-c", f'exec "$@" {shut}', "sh"]
        bare = bench.run_bare(wrap=wrap)
        for cache in "warm", "cold":
            folder = warm_copy(bench, "cache") if cache == "warm" else bench.place() + "-cache"
            why = same(bench, bench.run_under([f"--cache_dir={folder}"], wrap=wrap), bare)
            again = bench.run_under([f"--cache_dir={folder}"])
            usual = bench.usual["warm"]["programs"]
            if not why and again.summary["programs"]["cache_hits"] < usual["cache_hits"]:
                why = f"the cache is damaged: {again.summary['programs']}, else {usual}"
            yield f"streams {closed} closed, {cache} cache", why or same(bench, again)
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def small_disk(folder, size):
    os.makedirs(folder)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "warpsan-faults", folder],
                      capture_output=True).returncode:
        raise PermissionError("mounting a small disk is not permitted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@condition
def full_disk(bench, quick):
    """Where the run's files are: counts, gaps and findings. The program does not notice."""
    for size in ["4k", "1m"] if quick else ["4k", "8k", "16k", "64k", "256k", "1m", "2m", "4m"]:
        folder = bench.place() + "-disk"
        with small_disk(folder, size):
            yield f"a disk of {size}", same(bench, bench.run_under(
                environment={"TMPDIR": folder}, options=[f"--cache_dir={bench.warm}"]))


# --- limits -------------------------------------------------------------------


def least_for_bare(bench, wrap, low, high):
    """The least limit with which the program runs bare."""
    while low < high:
        middle = (low + high) // 2
        if bench.run_bare(wrap=wrap(middle)).stdout == bench.bare.stdout:
            high = middle
        else:
            low = middle + 1
    return low


@condition
def few_files(bench, quick):
    def wrap(limit):
        return ["prlimit", f"--nofile={limit}:{limit}"]

    least = least_for_bare(bench, wrap, 3, 64)
    for limit in range(least, least + (4 if quick else 24)):
        for cache in ["warm"] if quick else ["warm", "cold"]:
            folder = warm_copy(bench, "cache") if cache == "warm" else bench.place() + "-cache"
            yield f"ulimit -n {limit}, {cache} cache", same(
                bench, bench.run_under([f"--cache_dir={folder}"], wrap=wrap(limit)))
            shutil.rmtree(folder, ignore_errors=True)


@condition
def little_stack(bench, quick):
    def wrap(limit):
        return ["prlimit", f"--stack={limit * 1024}:{limit * 1024}"]

    least = least_for_bare(bench, wrap, 32, 1024)
    for limit in sorted({least + 32, 2 * least, 1024}):
        yield f"ulimit -s {limit}", same(bench, bench.run_under(wrap=wrap(limit)))


@condition
@slow
def little_address_space(bench, quick):
    """WarpSan itself takes some 370 MiB of addresses, hardly any of it memory; PoCL 6.0 crashes where its own allocations
    fail, so there must be so much more than it needs alone. With 4,096 MiB more a table of ours took nearly all."""
    def wrap(limit):
        return ["prlimit", f"--as={limit << 20}"]

    least = least_for_bare(bench, wrap, 64, 8192)
    for more in 400, 512, 768, 1024, 1536, 2048, 4096, 8192, 16384:
        yield f"ulimit -v {(least + more) << 10}", same(bench, bench.run_under(wrap=wrap(least + more)))


NOBODY = 65534


def as_nobody(*more):
    if os.getuid() != 0:
        raise PermissionError("only root can become another user")
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *more]


@condition
def few_processes(bench, quick):
    open_for_all(bench)

    def wrap(limit):
        return as_nobody("prlimit", f"--nproc={limit}:{limit}")

    least = least_for_bare(bench, wrap, 1, 64)
    for limit in range(least, least + (2 if quick else 6)):
        folder = bench.place() + "-cache"
        yield f"ulimit -u {limit}", same(bench, bench.run_under([f"--cache_dir={folder}"], wrap=wrap(limit)))
        shutil.rmtree(folder, ignore_errors=True)


def open_for_all(bench):
    """Another user can read the program, and write into the driver's cache."""
    os.chmod(os.path.dirname(bench.folder), 0o755)
    for where, _, names in os.walk(bench.drivers_cache):
        os.chmod(where, 0o777)
        for name in names:
            os.chmod(os.path.join(where, name), 0o666)


@condition
def untrusted_kernels_without_memory(bench, quick):
    """In pass-through mode no launch is made natively: it is refused with the documented error."""
    program, bench.program = bench.program, [bench.program[0], "crowd"]
    try:
        fault = Fault(bench.driver, "warm", "memory", 1, forever=True)
        for options, wanted in ([], ""), (["--untrusted_kernels=1"], "clEnqueueNDRangeKernel: -45\n"):
            run, _ = bench.run("warm", fault, options=options)
            why = None if (run.stdout, run.exit_code) == (wanted, 0) else f"{run.ending()}, it printed {run.stdout!r}"
            refused = [gap for gap in run.summary["gaps"] if gap["reason"].startswith("refused: ")]
            if bool(refused) != bool(wanted):
                why = why or f"gaps: {run.summary['gaps']}"
            yield f"options {options}", why
    finally:
        bench.program = program


# --- the cache ----------------------------------------------------------------


@condition
def cache_of_another_user(bench, quick):
    open_for_all(bench)
    for mode in 0o700, 0o755:
        folder = warm_copy(bench, "cache")
        os.chmod(folder, mode)
        before = {path: os.stat(path).st_mtime_ns for path in entries(folder)}
        why = same(bench, bench.run_under([f"--cache_dir={folder}"], wrap=as_nobody()))
        changed = [path for path, time in before.items() if os.stat(path).st_mtime_ns != time]
        yield f"mode {mode:o}", why or (f"changed: {changed}" if changed else None)
        shutil.rmtree(folder, ignore_errors=True)


@condition
def cache_with_planted_links(bench, quick):
    """Entries that are links to something else are not read and not written through."""
    precious = bench.place() + "-precious"
    with open(precious, "w") as file:
        file.write("precious\n")
    folder = warm_copy(bench, "cache")
    for path in entries(folder):
        os.remove(path)
        os.symlink(precious, path)
    why = same(bench, bench.run_under([f"--cache_dir={folder}"]))
    with open(precious) as file:
        if not why and file.read() != "precious\n":
            why = "what an entry was a link to was written to"
    yield "entries", why
    shutil.rmtree(folder, ignore_errors=True)
    folder = warm_copy(bench, "cache")
    for name in os.listdir(folder):
        shutil.rmtree(os.path.join(folder, name))
        os.symlink("/nonexistent", os.path.join(folder, name))
    yield "folders, to nowhere", same(bench, bench.run_under([f"--cache_dir={folder}"]))
    # Under load the last run may have proven less, and so have made a twin (and a folder) that is not in the warm cache.
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.islink(path):
            os.remove(path)
        else:
            shutil.rmtree(path)
        os.symlink(name, path)
    yield "folders, to themselves", same(bench, bench.run_under([f"--cache_dir={folder}"]))
    shutil.rmtree(folder, ignore_errors=True)


@condition
def cache_shared_by_32_processes(bench, quick):
    folder = bench.place() + "-cache"
    count = 8 if quick else 32
    running = []
    for _ in range(count):
        environment = {**os.environ, **bench.environment}
        running.append(subprocess.Popen([bench.warpsan, "run", "--exit_code=0", f"--cache_dir={folder}", "--",
                                         *bench.program], env=environment, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL))
    for process in running:
        out, _ = process.communicate()
        yield "one of them", None if (process.returncode, out) == (bench.bare.exit_code, bench.bare.stdout) else \
            f"exit code {process.returncode}: {out}"
    warm = bench.run_under([f"--cache_dir={folder}"])
    usual = bench.usual["warm"]["programs"]["cache_hits"]
    yield "afterwards", same(bench, warm) or (
        None if warm.summary["programs"]["cache_hits"] >= usual else f"not all in the cache: {warm.summary['programs']}")
    shutil.rmtree(folder, ignore_errors=True)


# --- the compiler -------------------------------------------------------------


def compiler(bench, text):
    path = bench.place() + "-compiler"
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


@condition
def compiler_killed_at_any_moment(bench, quick):
    """All of it, by SIGKILL; the first, or every one that is started."""
    real = os.path.join(bench.build, "bin/warpsan-clc")
    moments = random.Random(1)
    for number in range(4 if quick else 24):
        seconds = moments.uniform(0, 1.5)
        text = f"#!/bin/bash\n{real} --serve 3 &\nsleep {seconds:.3f}\nkill -9 0\n"
        path = compiler(bench, text)
        yield f"after {seconds:.3f} s", same(
            bench, bench.run_under(["--cache_dir=off", f"--compiler={path}"]))


@condition
def compiler_stopped(bench, quick):
    real = os.path.join(bench.build, "bin/warpsan-clc")
    for seconds in [0.1] if quick else [0.05, 0.3, 0.8]:
        text = f"#!/bin/bash\n{real} --serve 3 &\nsleep {seconds}\nkill -STOP $!\nsleep 60\nkill -9 0\n"
        path = compiler(bench, text)
        yield f"after {seconds} s", same(
            bench, bench.run_under(["--cache_dir=off", "--compile_seconds=1", f"--compiler={path}"]))


@condition
def compiler_is_slow(bench, quick):
    real = os.path.join(bench.build, "bin/warpsan-clc")
    path = compiler(bench, f"#!/bin/bash\nsleep 3\nexec {real} --serve 3\n")
    yield "3 s", same(bench, bench.run_under(["--cache_dir=off", f"--compiler={path}"]))


@condition
def compiler_answers_a_part(bench, quick):
    """The beginning of a product that was right."""
    products = [path for path in entries(bench.warm) if path.endswith(".product")]
    for path in products[:1 if quick else 4]:
        with open(path, "rb") as file:
            whole = file.read()[44:]  # behind layer/twin/cache.cpp's header
        answer = bench.place() + "-answer"
        for share in (2,) if quick else (2, 3, 10, 100):
            with open(answer, "wb") as file:
                file.write(whole[:len(whole) // share])
            text = (f"#!{sys.executable}\nimport os, socket\nserver = socket.socket(fileno=3)\n"
                    "while True:\n"
                    "    message, files, _, _ = socket.recv_fds(server, 4096, 8)\n"
                    "    if not message:\n        break\n"
                    f"    os.pwrite(files[1], open({answer!r}, 'rb').read(), 0)\n"
                    "    for each in files:\n        os.close(each)\n")
            yield f"1/{share} of one", same(
                bench, bench.run_under(["--cache_dir=off", f"--compiler={compiler(bench, text)}"]))
