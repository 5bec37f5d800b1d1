# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data races of one launch by OpenCL's memory model (OpenCL 3.0, section 3.3): slow, and simple enough to be checked by reading.

The input is a trace: what each work-item did, in an order in which the launch may have executed. The order of the trace says
one thing only, which write an atomic operation reads from; all other order comes from happens-before.

There are two happens-before relations, one for global and one for local memory. Each is the transitive closure of
    sequenced-before   between actions of one work-item that concern the address space
    synchronizes-with  of barriers whose flags name the address space, and of release and acquire operations on atomics
so a barrier with CLK_LOCAL_MEM_FENCE alone orders nothing in global memory. Two accesses of different work-items to a
common byte race if one of them writes, they are not both atomic with an inclusive scope, and neither happens before the
other in the relation of their address space.

Sub-group scopes and barriers, images and pipes are not modeled."""

import dataclasses
import enum
import itertools


class Space(enum.Enum):
    GLOBAL = "global"
    LOCAL = "local"


class Order(enum.Enum):
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SEQ_CST = "seq_cst"

    @property
    def releases(self):
        return self in (Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST)

    @property
    def acquires(self):
        return self in (Order.ACQUIRE, Order.ACQ_REL, Order.SEQ_CST)


class Scope(enum.Enum):
    WORK_ITEM = "work_item"
    WORK_GROUP = "work_group"
    DEVICE = "device"
    ALL_SVM_DEVICES = "all_svm_devices"


class Does(enum.Enum):
    READ = "read"
    WRITE = "write"
    UPDATE = "update"  # reads and writes in one step; atomics only

    @property
    def reads(self):
        return self is not Does.WRITE

    @property
    def writes(self):
        return self is not Does.READ


@dataclasses.dataclass(frozen=True)
class Access:
    """Of bytes [address, address + size) of global memory, or of the local memory of the work-item's group."""
    item: int
    does: Does
    space: Space
    address: int
    size: int = 4
    order: Order | None = None  # None: not atomic
    scope: Scope = Scope.DEVICE
    site: str = ""

    @property
    def atomic(self):
        return self.order is not None


@dataclasses.dataclass(frozen=True)
class Fence:
    """atomic_work_item_fence."""
    item: int
    spaces: frozenset
    order: Order
    scope: Scope


@dataclasses.dataclass(frozen=True)
class Barrier:
    """A barrier of the work-group. The n-th of each work-item of a group are one barrier."""
    item: int
    spaces: frozenset


@dataclasses.dataclass(frozen=True)
class Race:
    """Positions in the trace, the smaller one first."""
    first: int
    second: int


class DivergentBarrier(Exception):
    """The work-items of a group have executed different numbers of barriers, or with different flags."""


class Launch:
    """A trace, and how many work-items a group has; the last group may be smaller."""

    def __init__(self, trace, group_size):
        self.trace = tuple(trace)
        self.group_size = group_size
        self.nodes = {Space.GLOBAL: self._happens_before(Space.GLOBAL), Space.LOCAL: self._happens_before(Space.LOCAL)}

    def group(self, event):
        return event.item // self.group_size

    def happens_before(self, space, first, second):
        """Whether the action at one position of the trace happens before another one."""
        return second in self.nodes[space].get(first, ())

    def races(self):
        """In the order of their second access."""
        accesses = [(at, event) for at, event in enumerate(self.trace) if isinstance(event, Access)]
        return [Race(a, b) for (b, second), (a, first) in itertools.product(accesses, accesses)
                if a < b and self._conflict(first, second)
                and not self.happens_before(first.space, a, b) and not self.happens_before(first.space, b, a)]

    # --- conflicts ------------------------------------------------------------------

    def _same_memory(self, a, b):
        return a.space is b.space and (a.space is Space.GLOBAL or self.group(a) == self.group(b))

    def _conflict(self, a, b):
        if a.item == b.item or not self._same_memory(a, b) or not (a.does.writes or b.does.writes):
            return False
        if a.address + a.size <= b.address or b.address + b.size <= a.address:
            return False
        same_object = (a.address, a.size) == (b.address, b.size)
        return not (a.atomic and b.atomic and same_object and self._inclusive(a, b))

    def _inclusive(self, a, b):
        """Both have the same scope, and it includes both work-items."""
        if a.scope is not b.scope:
            return False
        if a.scope is Scope.WORK_ITEM:
            return a.item == b.item
        return a.scope is not Scope.WORK_GROUP or self.group(a) == self.group(b)

    # --- happens-before ---------------------------------------------------------------

    def _concerns(self, event, space):
        return event.space is space if isinstance(event, Access) else space in event.spaces

    def _happens_before(self, space):
        """For each position, the set of those that it happens before. A barrier is two fences: (position, "entry") and
        (position, "exit")."""
        edges = {}

        def edge(a, b):
            edges.setdefault(a, set()).add(b)

        for item in {event.item for event in self.trace}:
            own = [at for at, event in enumerate(self.trace) if event.item == item and self._concerns(event, space)]
            for at in own:
                if isinstance(self.trace[at], Barrier):
                    edge((at, "entry"), (at, "exit"))
            for a, b in itertools.pairwise(own):
                edge((a, "exit") if isinstance(self.trace[a], Barrier) else a,
                     (b, "entry") if isinstance(self.trace[b], Barrier) else b)
        for together in self._barriers():
            for a, b in itertools.permutations(together, 2):
                if space in self.trace[a].spaces:
                    edge((a, "entry"), (b, "exit"))
        for release, acquire in self._synchronized(space):
            edge(release, acquire)
        return {at: reachable(edges, at) for at in edges}

    def _barriers(self):
        """Positions of the barriers that are one, for each barrier of each group."""
        of_item = {}
        for at, event in enumerate(self.trace):
            of_item.setdefault(event.item, [])
            if isinstance(event, Barrier):
                of_item[event.item].append(at)
        for group in {item // self.group_size for item in of_item}:
            lists = [barriers for item, barriers in sorted(of_item.items()) if item // self.group_size == group]
            if len({len(each) for each in lists}) > 1:
                raise DivergentBarrier(f"group {group}: {[len(each) for each in lists]} barriers")
            for together in zip(*lists):
                if len({self.trace[at].spaces for at in together}) > 1:
                    raise DivergentBarrier(f"group {group}: flags differ")
                yield together

    # --- release and acquire ------------------------------------------------------------

    def _synchronized(self, space):
        """(release, acquire): positions of operations that synchronize."""
        for at, event in enumerate(self.trace):
            if not (isinstance(event, Access) and event.atomic and event.does.reads and event.scope is not Scope.WORK_ITEM):
                continue
            for head in self._heads(at):
                for release in self._releases(head):
                    for acquire in self._acquires(at):
                        if self._synchronize(release, acquire, event.space, space):
                            yield release, acquire

    def _synchronize(self, release, acquire, of_object, space):
        a, b = self.trace[release], self.trace[acquire]
        if a.item == b.item or not self._inclusive(a, b):
            return False
        if self._concerns(a, space) and self._concerns(b, space) and of_object is space:
            return True
        # The other address space too, if both are sequentially consistent, or fences of both.
        both = frozenset(Space)
        fences = all(isinstance(each, Fence) and each.spaces == both for each in (a, b))
        return fences or a.order is b.order is Order.SEQ_CST

    def _heads(self, read):
        """Positions of the writes whose release sequence the atomic at \\p read reads from."""
        event = self.trace[read]
        writes = [at for at in range(read) if isinstance(self.trace[at], Access) and self.trace[at].does.writes
                  and self._same_memory(self.trace[at], event) and self.trace[at].address == event.address]
        if not writes:
            return
        yield writes[-1]
        # Back through updates, and writes of the head's own work-item.
        for head in writes[:-1]:
            between = [self.trace[at] for at in writes if at > head]
            if all(each.atomic and (each.does is Does.UPDATE or each.item == self.trace[head].item) for each in between):
                yield head

    def _releases(self, write):
        event = self.trace[write]
        if not event.atomic or event.scope is Scope.WORK_ITEM:
            return
        if event.order.releases:
            yield write
        for at in range(write):
            other = self.trace[at]
            if isinstance(other, Fence) and other.item == event.item and other.order.releases:
                yield at

    def _acquires(self, read):
        event = self.trace[read]
        if event.order.acquires:
            yield read
        for at in range(read + 1, len(self.trace)):
            other = self.trace[at]
            if isinstance(other, Fence) and other.item == event.item and other.order.acquires:
                yield at


def reachable(edges, start):
    """All that a path of at least one edge leads to."""
    found, work = set(), [start]
    while work:
        for node in edges.get(work.pop(), ()):
            if node not in found:
                found.add(node)
                work.append(node)
    return found
