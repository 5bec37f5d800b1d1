# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the two papers' suites (papers.py) have of memory that was freed. LMI says of
its cases: at once or delayed, that is after the allocator may have handed the memory
out again; by the original pointer or by a copy. CuSafe extends them and says how many.

Here: of LMI use-after-free 8, invalid free 2 and double free 2; of CuSafe use-after-
free 11, invalid free 2 and double free 4. CUDA's global memory is an argument here.
Its heap is what kernels allocate, for which OpenCL has nothing: here, shared virtual
memory that the kernel finds a pointer to. Not here: use after scope (LMI 4) and
CuSafe's twelfth use-after-free, of a local variable."""

from cases.heap import SIZE, arguments, text_of
from cases.kinds import case
from model import Expected

NEEDS = ("c30",)
AT = 12  # of 16 ints
SOON, LATER, MUCH_LATER = (), ("churn 100 64",), ("churn 1000 64",)  # cuCatch has 256 tags
OTHER = f"memory other svm {'07' * SIZE}"


def use_after_free(name, path, access, delay):
    """The twin frees other memory."""
    word = {"load": "read", "store": "write", "atomic": "atomic"}[access]
    return case("papers", name, text_of(path, access),
                Expected("use_after_free", word, 4, None, SIZE, offset=4 * AT),
                arguments(path, "svm", AT, 0, before=(OTHER,), after=("free data", *delay)),
                arguments(path, "svm", AT, 0, before=(OTHER,), after=("free other", *delay)), needs=NEEDS)


def wrong_free(name, kind, size, offset, bug, ok):
    """A call that is wrong, and a kernel that has nothing to do with it."""
    text = text_of("argument", "load").replace(" /*BUG*/", "")
    return case("papers", name, text, Expected(kind, "", size=size, offset=offset, api="clSVMFree"),
                arguments("argument", "svm", AT, 0, before=(OTHER, *bug)),
                arguments("argument", "svm", AT, 0, before=(OTHER, *ok)), needs=NEEDS)


def double_free(name, size, delay, copied=False):
    """The twin frees each of two allocations once."""
    made = (f"memory first svm {'07' * size}", f"memory second svm {'07' * size}", "memory kept svm " + "00" * 16,
            "link kept 0 first 0", "link kept 8 second 0")
    again, once = ("free_linked kept 0", "free_linked kept 8") if copied else ("free first", "free second")
    return wrong_free(name, "double_free", size, 0, (*made, "free first", *delay, again),
                      (*made, "free first", *delay, once))


def lmi():
    for memory, original, copied in (("global", "argument", "array"), ("heap", "field", "private_copy")):
        for when, delay in (("immediate", SOON), ("delayed", LATER)):
            for how, path in (("original", original), ("copied", copied)):
                yield use_after_free(f"lmi_uaf_{memory}_{when}_{how}", path, "load", delay)
    yield wrong_free("lmi_invalid_free_immediate", "invalid_free", SIZE, 16, ("free_inside other 16",),
                     ("free_inside other 0",))
    yield wrong_free("lmi_invalid_free_delayed", "invalid_free", SIZE, 16, (*LATER, "free_inside other 16"),
                     (*LATER, "free_inside other 0"))
    yield double_free("lmi_double_free_immediate", SIZE, SOON)
    yield double_free("lmi_double_free_delayed", SIZE, LATER)


def cusafe():
    number = 0
    for delay in SOON, LATER:
        for path in "argument", "list":
            for access in "store", "atomic":
                number += 1
                yield use_after_free(f"cusafe_uaf_{number}", path, access, delay)
    for path in "argument", "array", "interior_node":
        number += 1
        yield use_after_free(f"cusafe_uaf_{number}", path, "load", MUCH_LATER)
    yield wrong_free("cusafe_invalid_free_1", "invalid_free", SIZE, SIZE - 4, (f"free_inside other {SIZE - 4}",),
                     ("free other",))
    yield wrong_free("cusafe_invalid_free_2", "invalid_free", 0, 0, ("free_foreign",), ("free other",))
    for number, (delay, copied) in enumerate(((SOON, False), (SOON, True), (LATER, False), (MUCH_LATER, True)), 1):
        yield double_free(f"cusafe_double_free_{number}", 256, delay, copied)


def cases():
    return [*lmi(), *cusafe()]
