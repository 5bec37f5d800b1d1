# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of CUDA: what an access through a pointer to them touches, and what
memory of them is filled with."""

import dataclasses
import struct


@dataclasses.dataclass(frozen=True)
class Type:
    """Element number k holds k + 1: in the part that is accessed, if it is a struct."""
    name: str             # in CUDA; $K as in the text
    bytes: int            # sizeof
    value: str            # the type of what is accessed
    format: str           # its struct.pack format
    member: str = ""      # what comes behind the index
    offset: int = 0       # of the part that is accessed
    declaration: str = ""

    @property
    def value_bytes(self):
        return struct.calcsize("<" + self.format)

    def packed(self, number):
        """A value all of whose components are `number`."""
        count = int(self.format[:-1] or 1)
        return struct.pack("<" + self.format, *[number] * count)

    def filled(self, size):
        """`size` bytes of elements."""
        each = bytearray(self.bytes)
        out = b""
        for number in range(-(-size // self.bytes)):
            each[self.offset:self.offset + self.value_bytes] = self.packed(number + 1)
            out += bytes(each)
        return out[:size]

    def fill(self, pointer, count):
        """A line of a kernel that does the same."""
        return f"for (int k = 0; k < {count}; ++k) {pointer}[k]{self.member} = ({self.value})(k + 1);"


TYPES = {
    "char": Type("char", 1, "char", "b"),
    "short": Type("short", 2, "short", "h"),
    "int": Type("int", 4, "int", "i"),
    "float": Type("float", 4, "float", "f"),
    "long": Type("long long", 8, "long long", "q"),
    "double": Type("double", 8, "double", "d"),
    "int2": Type("int2", 8, "int2", "2i"),
    "float4": Type("float4", 16, "float4", "4f"),
    "member": Type("cell_$K", 24, "double", "d", ".b", 8, "struct cell_$K { int a; double b; char c[4]; };"),
}
