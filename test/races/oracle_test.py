# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of OpenCL's happens-before against verdicts that follow from the specification, and against a closed form
where only barriers synchronize."""

import random
import unittest

from oracle import Access, Barrier, DivergentBarrier, Does, Fence, Launch, Order, Race, Scope, Space

GLOBAL, LOCAL = Space.GLOBAL, Space.LOCAL
BOTH = frozenset(Space)
READ, WRITE, UPDATE = Does.READ, Does.WRITE, Does.UPDATE
WORK_GROUP, DEVICE = Scope.WORK_GROUP, Scope.DEVICE


def read(item, address=0, space=GLOBAL, size=4):
    return Access(item, READ, space, address, size)


def write(item, address=0, space=GLOBAL, size=4):
    return Access(item, WRITE, space, address, size)


def atomic(item, does, order=Order.RELAXED, scope=DEVICE, address=100, space=GLOBAL):
    return Access(item, does, space, address, 4, order, scope)


def barrier(*items, spaces=BOTH):
    return [Barrier(item, frozenset(spaces)) for item in items]


class Accesses(unittest.TestCase):

    def races(self, *trace, group_size=2):
        return [(race.first, race.second) for race in Launch(trace, group_size).races()]

    def test_conflicts(self):
        self.assertEqual(self.races(write(0), write(1)), [(0, 1)])
        self.assertEqual(self.races(write(0), read(1)), [(0, 1)])
        self.assertEqual(self.races(read(0), write(2)), [(0, 1)])
        self.assertEqual(self.races(read(0), read(1)), [])
        self.assertEqual(self.races(write(0), write(0), read(0)), [])

    def test_bytes_count(self):
        self.assertEqual(self.races(write(0, 0), write(1, 4)), [])
        self.assertEqual(self.races(write(0, 0), write(1, 3, size=1)), [(0, 1)])
        self.assertEqual(self.races(write(0, 0, size=16), read(1, 12)), [(0, 1)])
        self.assertEqual(self.races(write(0, 0, size=2), read(1, 2, size=2)), [])

    def test_local_memory_is_a_groups_own(self):
        self.assertEqual(self.races(write(0, space=LOCAL), write(2, space=LOCAL)), [])
        self.assertEqual(self.races(write(0, space=LOCAL), write(1, space=LOCAL)), [(0, 1)])
        self.assertEqual(self.races(write(0, space=LOCAL), write(1, space=GLOBAL)), [])

    def test_atomics(self):
        self.assertEqual(self.races(atomic(0, UPDATE), atomic(3, UPDATE)), [])
        self.assertEqual(self.races(atomic(0, UPDATE), read(1, 100)), [(0, 1)])
        self.assertEqual(self.races(atomic(0, READ), read(1, 100)), [])
        self.assertEqual(self.races(atomic(0, READ), write(1, 100)), [(0, 1)])
        # The scope does not include the other work-item.
        self.assertEqual(self.races(atomic(0, UPDATE, scope=WORK_GROUP), atomic(1, UPDATE, scope=WORK_GROUP)), [])
        self.assertEqual(self.races(atomic(0, UPDATE, scope=WORK_GROUP), atomic(2, UPDATE, scope=WORK_GROUP)), [(0, 1)])
        self.assertEqual(self.races(atomic(0, UPDATE, scope=WORK_GROUP), atomic(1, UPDATE)), [(0, 1)])
        # Two objects that share bytes.
        self.assertEqual(self.races(atomic(0, UPDATE), atomic(1, UPDATE, address=102)), [(0, 1)])


class Barriers(unittest.TestCase):

    def races(self, *trace, group_size=2):
        return [(race.first, race.second) for race in Launch(trace, group_size).races()]

    def test_a_barrier_orders_its_group(self):
        self.assertEqual(self.races(write(0), *barrier(0, 1), read(1)), [])
        self.assertEqual(self.races(write(0), *barrier(0, 1, 2, 3), read(2)), [(0, 5)])
        # Not what comes after it in both.
        self.assertEqual(self.races(*barrier(0, 1), write(0), read(1)), [(2, 3)])

    def test_flags_are_address_spaces(self):
        for space, other in ((GLOBAL, LOCAL), (LOCAL, GLOBAL)):
            self.assertEqual(self.races(write(0, space=space), *barrier(0, 1, spaces=[space]), read(1, space=space)), [])
            self.assertEqual(self.races(write(0, space=space), *barrier(0, 1, spaces=[other]), read(1, space=space)),
                             [(0, 3)])
        # The one that counts is among others.
        self.assertEqual(self.races(write(0), *barrier(0, 1, spaces=[LOCAL]), *barrier(0, 1, spaces=[GLOBAL]),
                                    *barrier(0, 1, spaces=[LOCAL]), read(1)), [])

    def test_divergence_is_no_verdict(self):
        with self.assertRaises(DivergentBarrier):
            self.races(write(0), *barrier(0), read(1))
        with self.assertRaises(DivergentBarrier):
            self.races(*barrier(0, spaces=[LOCAL]), *barrier(1, spaces=[GLOBAL]))

    def test_closed_form(self):
        """Without atomics two accesses of a group are ordered exactly if a barrier with their space is between them."""
        chance = random.Random(1)
        racy = clean = 0
        for _ in range(2000):
            items, group_size = chance.randint(2, 6), chance.randint(1, 4)
            flags = {group: [chance.choice(([GLOBAL], [LOCAL], list(Space))) for _ in range(chance.randint(0, 3))]
                     for group in range(items)}
            programs = []
            for item in range(items):
                program = [each for spaces in flags[item // group_size] for each in barrier(item, spaces=spaces)]
                for _ in range(chance.randint(0, 3)):
                    program.insert(chance.randint(0, len(program)),
                                   Access(item, chance.choice((READ, WRITE)), chance.choice(list(Space)),
                                          chance.randint(0, 6), chance.choice((1, 2, 4))))
                programs.append(program)
            trace = []
            # Any order will do: only atomics read from somewhere.
            while any(programs):
                trace.append(chance.choice([each for each in programs if each]).pop(0))
            found = Launch(trace, group_size).races()
            self.assertEqual(found, self.expected(trace, group_size))
            racy, clean = racy + bool(found), clean + (not found)
        self.assertGreater(min(racy, clean), 200)

    @staticmethod
    def expected(trace, group_size):
        def intervals(at):
            """How many barriers with the access's space its work-item has executed."""
            event = trace[at]
            return sum(isinstance(each, Barrier) and each.item == event.item and event.space in each.spaces
                       for each in trace[:at])
        races = []
        for b, second in enumerate(trace):
            for a, first in enumerate(trace[:b]):
                if isinstance(first, Barrier) or isinstance(second, Barrier) or first.item == second.item:
                    continue
                same_group = first.item // group_size == second.item // group_size
                if first.space is not second.space or (first.space is LOCAL and not same_group):
                    continue
                if first.does is READ and second.does is READ:
                    continue
                bytes_of = [set(range(each.address, each.address + each.size)) for each in (first, second)]
                if bytes_of[0] & bytes_of[1] and not (same_group and intervals(a) != intervals(b)):
                    races.append(Race(a, b))
        return races


class ReleaseAndAcquire(unittest.TestCase):
    """Work-item 0 writes data and then a flag; work-item 2, of another group, reads the flag and then the data."""

    def is_racy(self, *between, group_size=2, space=GLOBAL, reader=2):
        trace = (write(0, space=space), *between, read(reader, space=space))
        return (0, len(trace) - 1) in [(race.first, race.second) for race in Launch(trace, group_size).races()]

    def test_orders(self):
        for released in Order:
            for acquired in Order:
                ordered = released.releases and acquired.acquires
                self.assertEqual(self.is_racy(atomic(0, WRITE, released), atomic(2, READ, acquired)), not ordered,
                                 (released, acquired))

    def test_the_flag_must_be_read_from(self):
        self.assertTrue(self.is_racy(atomic(2, READ, Order.ACQUIRE), atomic(0, WRITE, Order.RELEASE)))
        self.assertTrue(self.is_racy(atomic(0, WRITE, Order.RELEASE), atomic(2, READ, Order.ACQUIRE, address=104)))
        # Somebody else's write is between.
        self.assertTrue(self.is_racy(atomic(0, WRITE, Order.RELEASE), atomic(3, WRITE), atomic(2, READ, Order.ACQUIRE)))

    def test_release_sequences(self):
        self.assertFalse(self.is_racy(atomic(0, WRITE, Order.RELEASE), atomic(3, UPDATE), atomic(2, READ, Order.ACQUIRE)))
        self.assertFalse(self.is_racy(atomic(0, WRITE, Order.RELEASE), atomic(0, WRITE), atomic(2, READ, Order.ACQUIRE)))

    def test_scopes(self):
        for scope, ordered in ((WORK_GROUP, False), (DEVICE, True), (Scope.ALL_SVM_DEVICES, True)):
            flag = atomic(0, WRITE, Order.RELEASE, scope), atomic(2, READ, Order.ACQUIRE, scope)
            self.assertEqual(self.is_racy(*flag), not ordered, scope)
        flag = atomic(0, WRITE, Order.RELEASE, WORK_GROUP), atomic(1, READ, Order.ACQUIRE, WORK_GROUP)
        self.assertFalse(self.is_racy(*flag, reader=1))

    def test_fences(self):
        flag = atomic(0, WRITE), atomic(2, READ)

        def fences(spaces, released=Order.RELEASE, acquired=Order.ACQUIRE, scope=DEVICE):
            return (Fence(0, frozenset(spaces), released, scope), *flag, Fence(2, frozenset(spaces), acquired, scope))
        self.assertTrue(self.is_racy(*flag))
        self.assertFalse(self.is_racy(*fences([GLOBAL])))
        self.assertFalse(self.is_racy(*fences([GLOBAL], Order.SEQ_CST, Order.SEQ_CST)))
        self.assertTrue(self.is_racy(*fences([LOCAL])))
        self.assertTrue(self.is_racy(*fences([GLOBAL], Order.ACQUIRE, Order.ACQUIRE)))
        self.assertTrue(self.is_racy(*fences([GLOBAL], Order.RELEASE, Order.RELEASE)))
        self.assertTrue(self.is_racy(*fences([GLOBAL], scope=WORK_GROUP)))
        # On the wrong side of the flag.
        self.assertTrue(self.is_racy(flag[0], Fence(0, BOTH, Order.RELEASE, DEVICE), flag[1],
                                     Fence(2, BOTH, Order.ACQUIRE, DEVICE)))

    def test_a_flag_in_local_memory_orders_local_memory(self):
        flag = [atomic(0, WRITE, Order.RELEASE, WORK_GROUP, space=LOCAL), atomic(1, READ, Order.ACQUIRE, WORK_GROUP, space=LOCAL)]
        self.assertFalse(self.is_racy(*flag, space=LOCAL, reader=1))
        self.assertTrue(self.is_racy(*flag, space=GLOBAL, reader=1))
        # Fences of both address spaces order both.
        relaxed = [atomic(0, WRITE, scope=WORK_GROUP, space=LOCAL), atomic(1, READ, scope=WORK_GROUP, space=LOCAL)]
        fences = Fence(0, BOTH, Order.RELEASE, WORK_GROUP), Fence(1, BOTH, Order.ACQUIRE, WORK_GROUP)
        self.assertFalse(self.is_racy(fences[0], *relaxed, fences[1], space=GLOBAL, reader=1))

    def test_it_is_transitive(self):
        # From 0 to 1 by a barrier, from 1 to 2 by a flag.
        self.assertFalse(self.is_racy(*barrier(0, 1), atomic(1, WRITE, Order.RELEASE), atomic(2, READ, Order.ACQUIRE)))
        self.assertTrue(self.is_racy(*barrier(0, 1, spaces=[LOCAL]), atomic(1, WRITE, Order.RELEASE),
                                     atomic(2, READ, Order.ACQUIRE)))


if __name__ == "__main__":
    unittest.main()
