# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table: which programs are run, how, and what of each is its result.

Seconds in comments are of one bare run with cold kernel caches, on two cores.
"""

import dataclasses
import os
from typing import Callable

from inputs import gray_picture, hash_and_words, leela_network, photograph, picture, raw_video
from results import Content, Counts, Lines, Pixels

PIGLIT = "/usr/lib/x86_64-linux-gnu/piglit"
STARPU = "/usr/lib/x86_64-linux-gnu/starpu/examples"
MANDELBULBER = "/usr/share/mandelbulber2/examples"

# Tests of piglit that leave their memory, by which kernels and arguments
# (docs/explanation/case-studies.md): rows of their own, at the end. Intel's runtime aborts some;
# elsewhere the heap's layout decides whether it shows, so whether they run
# "unchanged" is chance.
PIGLIT_BUGS = {
    "bswap.cl": {"v_bswap_v2u16": ("in", "out")},
    "clz-optimizations.cl": {"v_clz_u16": ("in", "out"), "v_firstbit_u16": ("in", "out")},
    "constant-load.cl": {"constant_load_global_store_1": ("out", )},
    "pyrit-wpa-psk.cl": {"opencl_pmk_kernel": ("outbuffer", )},
    "builtin/atomic/atomic_int64_cmpxchg-local.cl": {"simple_long": ("mem", ), "simple_ulong": ("mem", )},
}
# Those of them that fail if what is wrong in them is left out.
PIGLIT_FAILS = ("constant-load.cl", "builtin/atomic/atomic_int64_cmpxchg-local.cl")


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    # {programs}: test/apps/programs, {built}: where its C++ programs are built.
    command: tuple
    # What has to be the same; the exit code always has to.
    result: tuple
    # must: has to run unchanged. also: run on request, reported, not counted.
    # bug: crashes or corrupts memory when run bare; run on request.
    kind: str = "must"
    lists: tuple = ("apps", )  # in tools/packages
    environment: dict = dataclasses.field(default_factory=dict)
    # Writes the program's input files into the folder that it is given.
    inputs: Callable | None = None
    loader: str = "ocl-icd"
    # Twice, with one home: the second run finds what the first cached there.
    runs: int = 1
    timeout: int = 300  # seconds a run may take, bare or not
    # driver -> why it is not run there
    excluded: dict = dataclasses.field(default_factory=dict)
    # driver -> why it is run there only on request, as an "also" row is
    also_on: dict = dataclasses.field(default_factory=dict)
    # (start of the kernel's name, part of the title): errors of the program that
    # WarpSan has to find; docs/explanation/case-studies.md explains each. Which work-item comes
    # first, and so how far outside it is, differs from driver to driver. Any
    # other finding counts as a change.
    errors: tuple = ()
    # of a bug row under WarpSan: 1 if what is left out was part of its result
    exit_code: int = 0
    # drivers on which it is one of the quick rows
    quick: tuple = ()

    def kind_on(self, driver):
        return "also" if driver in self.also_on else self.kind

    def venv(self):
        """The Python environment that a row from PyPI lives in, or None."""
        return next((f"/opt/{name}" for name in self.lists if name not in ("apps", "apps-also")), None)

    def command_in(self, places):
        return [part.format(**places) for part in self.command]


def only_on(driver, why):
    return {name: why for name in ("pocl", "rusticl", "intel") if name != driver}


ALL = ("pocl", "rusticl", "intel")

CLBLAST_RESULT = (Lines(r"Starting tests for the '(\w+)' routine"),
                  Lines(r"(\d+) test\(s\) (passed|skipped|failed)"))

ROWS = (
    # --- programs as Debian ships them ------------------------------------------
    Row("clpeak", ("clpeak", "--global-bandwidth", "--kernel-latency"),
        # It prints speeds: that it measured them is all that stays.
        (Lines(r"^\s*(float\d*|Kernel launch latency)\s*: [\d.]+"), )),
    Row("hashcat",
        ("hashcat", "-m", "0", "-a", "3", "--potfile-disable", "--force", "-D", "1", "hash.txt", "?l?l?l?d"),
        (Lines(r"^([0-9a-f]{32}:.*)"), Lines(r"^Status\.+: (.*)"), Lines(r"^Recovered\.+: (\S+)")),
        inputs=hash_and_words, runs=2,  # compiles and links sources, then loads binaries
        errors=(("gpu_bzero", "write to a read-only buffer"), ("r_markov", "write to a read-only buffer")),
        timeout=900, also_on={"intel": "takes 267 s to build cold, bare"}, quick=("pocl", )),
    Row("clblast-axpy", ("clblast_test_xaxpy", "-platform", "0", "-device", "0"), CLBLAST_RESULT),
    Row("clblast-gemv", ("clblast_test_xgemv", "-platform", "0", "-device", "0"), CLBLAST_RESULT,
        also_on={"rusticl": "works bare, but is not among what must"}),
    Row("clblast-tuner", ("clblast_tuner_copy_fast", "-runs", "1", "-fraction", "8"),
        # Which configurations it tries is random; how many is not.
        (Counts(r"reference OK|results match|\| +OK |L2 error|compilation error|error code|skipped"), )),
    Row("clfft-client", ("clFFT-client", "-c", "-x", "64", "-y", "32", "-b", "2"),
        (Lines(r"\*(PASS|FAIL)\*"), ),
        excluded={"intel": "its kernels do not build there, bare"}),
    Row("ffmpeg",
        ("ffmpeg", "-y", "-nostdin", "-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device", "ocl",
         "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=2", "-vf",
         "format=yuv420p,hwupload,avgblur_opencl=3,unsharp_opencl,hwdownload,format=yuv420p",
         "-f", "rawvideo", "out.yuv"),
        (Pixels("out.yuv"), ), quick=ALL),
    Row("gegl",
        ("gegl", "in.png", "-o", "out.png", "--", "gaussian-blur", "std-dev-x=3", "std-dev-y=3",
         "brightness-contrast", "contrast=1.5", "pixelize", "size-x=8"),
        (Pixels("out.png"), ), inputs=picture, environment={"GEGL_USE_OPENCL": "cpu"}),
    Row("mandelbulber",
        ("mandelbulber2", "-n", f"{MANDELBULBER}/IFS_001.fract", "-r", "160x120", "-f", "png",
         "-o", "out.png", "-O", "opencl_enabled=1#opencl_platform=0#opencl_device_type=3#opencl_mode=3"),
        # A ray either meets the fractal or just does not, and the kernel is built with
        # -cl-fast-relaxed-math: bare, PoCL and Intel's runtime disagree on 1.6 % of the values.
        (Pixels("out.png", share=0.02), ), environment={"QT_QPA_PLATFORM": "offscreen"}, timeout=600),
    Row("hcxkeys", ("wlangenpmkocl", "-e", "testnet", "-i", "words", "-A", "pmk.txt"),
        (Content("pmk.txt"), Lines(r"(\d+) plainmasterkeys generated")), inputs=hash_and_words),
    Row("starpu", (f"{STARPU}/incrementer", ), (Lines(r"^array -> (.*)", stream="stderr"), ),
        environment={"STARPU_NCPU": "0", "STARPU_NOPENCL": "1", "STARPU_OPENCL_ON_CPUS": "1",
                     "STARPU_OPENCL_ONLY_ON_CPUS": "1"}),
    Row("piglit", ("python3", "{programs}/piglit.py", *(f"--without={test}" for test in PIGLIT_BUGS)),
        (Lines(), ), timeout=1800),

    # --- libraries, through a program of ours -----------------------------------
    Row("clblast", ("{built}/blas", ), (Lines(), ), quick=("rusticl", "intel")),
    Row("clfft", ("{built}/fft", ), (Lines(tolerance=1e-5), ), quick=("pocl", )),
    Row("opencv", ("{built}/opencv", ), (Lines(tolerance=1e-3), ),
        environment={"OPENCV_OPENCL_DEVICE": ":CPU:0", "OPENCV_OPENCL_CACHE_ENABLE": "false"}),
    Row("viennacl", ("{built}/viennacl", ), (Lines(tolerance=1e-4), )),
    Row("boost-compute", ("{built}/boost_compute", ), (Lines(), ), quick=ALL),
    Row("pyopencl", ("python3", "{programs}/pyopencl_algorithms.py"), (Lines(tolerance=1e-5), ),
        environment={"PYOPENCL_NO_CACHE": "1"}, quick=("rusticl", "intel")),
    Row("spirv-svm", ("python3", "{programs}/spirv_svm.py", "{built}/vadd.spv"), (Lines(), ), quick=ALL),
    Row("vkfft", ("python3", "{programs}/vkfft.py"), (Lines(tolerance=1e-5), )),
    Row("silx", ("python3", "{programs}/silx_images.py"), (Lines(tolerance=1e-5), ),
        errors=(("forward_kernel", "past the end of 'd_axis_corrections'"), )),
    Row("sasmodels", ("python3", "{programs}/sasmodels_scattering.py"), (Lines(tolerance=1e-4), ), quick=ALL),
    Row("openmm", ("python3", "{programs}/openmm_argon.py"), (Lines(r"^energy", tolerance=1e-4), ),
        excluded={"rusticl": "crashes, bare"}),
    Row("tinygrad", ("/opt/tinygrad/bin/python3", "{programs}/tinygrad_training.py"),
        (Lines(tolerance=1e-4), ), lists=("apps", "tinygrad"), timeout=600,
        environment={"CACHELEVEL": "0", "DEV": "CL"}),
    Row("dpnp", ("/opt/dpnp/bin/python3", "{programs}/dpnp_arrays.py"), (Lines(tolerance=1e-5), ),
        lists=("apps", "dpnp"), loader="khronos", environment={"LD_LIBRARY_PATH": "/opt/dpnp/lib"},
        excluded=only_on("intel", "only Intel's runtime has all that SYCL needs"), quick=("intel", )),
)

ALSO_ROWS = (
    Row("darktable", ("python3", "{programs}/darktable.py", "in.jpg", "out.png"),
        (Pixels("out.png"), Lines(r"(\d+ out of \d+ events were successful)")), kind="also",
        lists=("apps", "apps-also"), inputs=photograph, runs=2,  # 38 sources, then as many binaries
        timeout=1200, excluded={"intel": "not tried bare"}),
    # It tries kernel after kernel for the best tile sizes: some 300 builds.
    Row("leela-zero",
        ("/usr/games/leelaz", "-w", "network.txt", "--gpu", "0", "--tune-only"),
        (), kind="also", lists=("apps", "apps-also"), inputs=leela_network, timeout=1200,
        excluded={"intel": "not tried bare"}),
    Row("ufo",
        ("ufo-launch", "read", "path=in.tif", "!", "blur", "size=5", "sigma=2", "!", "median-filter",
         "size=3", "!", "write", "filename=out.tif"),
        (Pixels("out.tif"), ), kind="also", lists=("apps", "apps-also"), inputs=gray_picture,
        environment={"UFO_DEVICE_TYPE": "cpu"}, excluded={"intel": "not tried bare"}),
    Row("x264", ("x264", "--opencl", "--input-res", "320x240", "--fps", "10", "-o", "out.264", "in.yuv"),
        (Content("out.264"), Lines(r"^encoded (\d+ frames)", stream="stderr")), kind="also",
        lists=("apps", "apps-also"), inputs=raw_video, environment={"RUSTICL_DEVICE_TYPE": "gpu"},
        excluded=only_on("rusticl", "takes only a GPU, which rusticl can claim to be")),
)

BUG_ROWS = (
    # CopyMatrixFast reads 3588 bytes past a buffer of 16892; the heap is
    # corrupted on every bare run.
    Row("bug-clblast-copy", ("clblast_tuner_copy_fast", "-m", "64", "-n", "64", "-runs", "1"), (), kind="bug",
        errors=(("CopyMatrixFast", "bytes past the end of 'src'"),
                ("CopyMatrixFast", "bytes past the end of 'dest'"))),
    # XaxpyFastest, 65028 bytes past a buffer of 262652.
    Row("bug-clblast-axpy", ("clblast_tuner_xaxpy", "-n", "65536", "-runs", "1"), (), kind="bug",
        errors=(("XaxpyFastest", "bytes past the end of 'xgm'"),
                ("XaxpyFastest", "bytes past the end of 'ygm'")),
        excluded={"rusticl": "its work-groups are too small for it: 2048 work-items of 8 vectors of 8"}),
    # Silent on PoCL and rusticl, as a rule.
    *(Row(f"bug-piglit-{os.path.basename(test).split('-')[0].removesuffix('.cl')}",
          (f"{PIGLIT}/bin/cl-program-tester", f"{PIGLIT}/tests/cl/program/execute/{test}"), (), kind="bug",
          errors=tuple((kernel, f"past the end of '{name}'") for kernel, names in kernels.items() for name in names),
          exit_code=1 if test in PIGLIT_FAILS else 0,
          excluded={"rusticl": "has no 64-bit atomics"} if "int64" in test else {})
      for test, kernels in PIGLIT_BUGS.items()),
)
