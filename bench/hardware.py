# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the units of LMI and GPUShield would see, by traces of real kernels (--scheme=trace): a model, not a simulator.

How it counts:

- Work-items 0 to 1,023 of each launch are 32 warps of 32 on one core, which take turns: each issues its next access. The
  n-th access of a work-item is made together with the n-th of the others in its warp; work-items that go different ways
  are so taken to go the same way.
- Traffic is the different sectors of 32 bytes that a warp's access touches, in global memory.
- LMI: the overflow checking unit delays each pointer operation by 3 cycles (the paper, section XI); nothing is looked up.
- GPUShield: one look-up for each region that a warp's access touches. The first-level cache is a queue of 4 entries, the
  second has 64 and replaces the oldest; both are empty when a kernel begins. A miss in the first that hits in the second
  costs a cycle (the paper, section 5.5), a miss in both reads an entry of 16 bytes from memory. Pointers to private
  memory carry their size, and local memory is not watched: no look-up.
- Memory: what buffers take if each is rounded up to LMI's power of two, by what was asked for."""

import collections
import struct

ENTRY = struct.Struct("<QQ")  # WsTraceEntry of abi/schemes.h
MOVE, READ, WRITE = range(3)
WARP, SECTOR = 32, 32
FIRST_LEVEL, SECOND_LEVEL = 4, 64
REGION_BYTES = 16
REGION_SHIFT = 48  # of a tag: the region's number, 0 if there is none
OCU_CYCLES, SECOND_LEVEL_CYCLES = 3, 1


class Queue:
    """A cache that replaces what came first."""

    def __init__(self, entries):
        self.entries = entries
        self.there = collections.OrderedDict()

    def has(self, name):
        return name in self.there

    def add(self, name):
        if len(self.there) == self.entries:
            self.there.popitem(last=False)
        self.there[name] = True


class Seen:
    """Counts over all launches."""

    def __init__(self):
        self.moves = self.accesses = self.issued = 0
        self.lookups = self.first_hits = self.second_hits = self.misses = 0
        self.sectors = 0
        self.regions = 0  # most in one launch

    def figures(self):
        def part(of, by):
            return of / by if by else 0.0
        return {
            "accesses": self.accesses,
            "pointer operations per access": part(self.moves, self.accesses),
            "LMI: cycles of delay per access": part(OCU_CYCLES * self.moves, self.accesses),
            "GPUShield: look-ups per warp's access": part(self.lookups, self.issued),
            "GPUShield: first-level hits": part(self.first_hits, self.lookups),
            "GPUShield: second-level hits of the rest": part(self.second_hits, self.lookups - self.first_hits),
            "GPUShield: cycles per warp's access": part(SECOND_LEVEL_CYCLES * self.second_hits, self.issued),
            "GPUShield: more traffic": part(REGION_BYTES * self.misses, SECTOR * self.sectors),
            "regions": self.regions,
        }


def launches_of(entries):
    """{launch: {work-item: [(tag, bytes) of its accesses]}}, and how many pointer operations there were."""
    launches = collections.defaultdict(lambda: collections.defaultdict(list))
    moves = 0
    for what, tag in entries:
        if what & 255 == MOVE:
            moves += 1
        else:
            launches[what >> 32][what >> 16 & 0xffff].append((tag, what >> 8 & 255))
    return launches, moves


def watch(items, seen):
    """One launch."""
    warps = collections.defaultdict(list)
    for item, accesses in sorted(items.items()):
        warps[item // WARP].append(accesses)
        seen.accesses += len(accesses)
    first, second = Queue(FIRST_LEVEL), Queue(SECOND_LEVEL)
    all_regions = set()
    for turn in range(max(len(accesses) for accesses in items.values())):
        for lanes in warps.values():
            now = [accesses[turn] for accesses in lanes if turn < len(accesses)]
            if not now:
                continue
            seen.issued += 1
            seen.sectors += len({sector for tag, size in now if tag >> REGION_SHIFT
                                 for sector in range(tag // SECTOR, (tag + max(size, 1) - 1) // SECTOR + 1)})
            regions = {tag >> REGION_SHIFT for tag, _ in now} - {0}
            all_regions |= regions
            for region in sorted(regions):
                seen.lookups += 1
                if first.has(region):
                    seen.first_hits += 1
                    continue
                if second.has(region):
                    seen.second_hits += 1
                else:
                    seen.misses += 1
                    second.add(region)
                first.add(region)
    seen.regions = max(seen.regions, len(all_regions))


def model(entries):
    """The figures of a trace: pairs as abi/schemes.h has them."""
    seen = Seen()
    launches, seen.moves = launches_of(entries)
    for items in launches.values():
        watch(items, seen)
    return seen.figures()


def read_trace(path):
    with open(path, "rb") as file:
        return ENTRY.iter_unpack(file.read())
