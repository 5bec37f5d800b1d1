# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much longer a row takes under WarpSan: wall time of warm runs.

A run is the whole process, from its start to its end; so the time of a short
program is mostly that of starting it, on both sides.
"""

import dataclasses
import statistics


@dataclasses.dataclass
class Wall:
    """Seconds of the runs of a row, one of each side in each round."""
    bare: list = dataclasses.field(default_factory=list)
    other: list = dataclasses.field(default_factory=list)

    def add(self, bare, other):
        self.bare.append(bare)
        self.other.append(other)

    def ratio(self):
        """The median over the rounds: what disturbs the machine for longer
        than a round slows both of its sides."""
        return statistics.median(other / bare for bare, other in zip(self.bare, self.other))

    def __str__(self):
        return (f"warm {statistics.median(self.bare):.2f} s, {statistics.median(self.other):.2f} s, "
                f"wall {self.ratio():.2f}x")


def mean_ratio(walls):
    """The geometric mean over rows, or None if there are none: each row counts
    the same, however long it takes."""
    return statistics.geometric_mean(wall.ratio() for wall in walls) if walls else None
