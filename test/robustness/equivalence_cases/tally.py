# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was compared, and what was not the same."""

import collections
import threading


class Tally:
    """Counts by part and driver. Several threads may use one."""

    def __init__(self):
        self.lock = threading.Lock()
        self.cases = collections.Counter()  # (part, driver) -> compared
        self.same = collections.Counter()
        self.notes = {}  # (part, driver) -> Counter of what else is to be told
        self.complaints = 0  # what makes the run fail though no case differs

    def count(self, where, same, of):
        with self.lock:
            self.same[where] += same
            self.cases[where] += of

    def note(self, where, what, number=1):
        with self.lock:
            self.notes.setdefault(where, collections.Counter())[what] += number

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def differs(self, where, text, again, cases=1):
        """Cases that are not the same: what, and what to run to see it again."""
        self.count(where, 0, cases)
        self.say(f"DIFFERENT {' '.join(where)}: {text}\n    again: {again}")

    def complain(self, where, text, again):
        """Something else is wrong, as a finding in a right program."""
        with self.lock:
            self.complaints += 1
        self.say(f"WRONG {' '.join(where)}: {text}\n    again: {again}")

    def lines(self):
        for where in self.cases | {key: 0 for key in self.notes}:
            notes = "".join(f"; {number:,} {what}" for what, number in sorted(self.notes.get(where, {}).items()))
            yield f"{' on '.join(where)}: {self.same[where]:,} same of {self.cases[where]:,}{notes}"

    def totals(self):
        return sum(self.same.values()), sum(self.cases.values())
