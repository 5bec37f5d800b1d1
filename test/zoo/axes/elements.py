# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of OpenCL C, their vectors, and what memory of them is filled with."""

import dataclasses
import struct

# name: (bytes, struct's letter)
SCALARS = {
    "char": (1, "b"), "uchar": (1, "B"), "short": (2, "h"), "ushort": (2, "H"), "int": (4, "i"), "uint": (4, "I"),
    "long": (8, "q"), "ulong": (8, "Q"), "float": (4, "f"), "double": (8, "d"), "half": (2, "e"),
}
WIDTHS = (1, 2, 3, 4, 8, 16)


@dataclasses.dataclass(frozen=True)
class Element:
    scalar: str
    width: int = 1

    @property
    def name(self):
        return self.scalar + (str(self.width) if self.width > 1 else "")

    @property
    def scalar_bytes(self):
        return SCALARS[self.scalar][0]

    @property
    def bytes(self):
        """sizeof: three components take the place of four."""
        return self.scalar_bytes * (4 if self.width == 3 else self.width)

    @property
    def packed_bytes(self):
        """What vloadN touches."""
        return self.scalar_bytes * self.width


def value_at(index):
    """What component number `index` of filled memory is, in any type."""
    return index % 100 + 1


def filled(scalar, size):
    """`size` bytes of memory, component by component; a last incomplete one is 0."""
    bytes_each, letter = SCALARS[scalar]
    count = size // bytes_each
    data = struct.pack(f"<{count}{letter}", *map(value_at, range(count)))
    return data.ljust(size, b"\0")
