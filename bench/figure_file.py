# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/figures.json: every figure that the docs quote, with the script that wrote it, driver, date and machine. The
benchmarks write it with --update-figures; test/docs/figures.py compares the docs with it.

    {"measurements": [{"name": "bench", "driver": "pocl", "script": ..., "date": ..., "machine": ..., "values": {...}}],
     "cited": [{"name": ..., "source": ..., "values": {...}}]}

A name and a driver identify a measurement. Cited figures are other people's. The first measurements were taken over from
the docs: their date is that of the commit that quoted them, and scripts that were not written down are "not recorded"."""

import datetime
import json
import os
import re
import sys

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "figures.json")


def load():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def as_text(figures):
    """JSON with one value a line, so that changes can be read."""
    def entry(each):
        values = ",\n".join(f"   {json.dumps(name)}: {json.dumps(value)}" for name, value in each["values"].items())
        head = json.dumps({key: value for key, value in each.items() if key != "values"})
        return f'  {head[:-1]}, "values": {{\n{values}}}}}'
    parts = (f' {json.dumps(part)}: [\n' + ",\n".join(map(entry, entries)) + "]" for part, entries in figures.items())
    return "{\n" + ",\n".join(parts) + "}\n"


def rounded(value):
    """Four significant digits: more are noise."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return f"{os.cpu_count()} cores, {model[1] if model else 'unknown processor'}"


def script():
    """The command that is running, as one would repeat it."""
    return " ".join([os.path.relpath(sys.argv[0], os.path.dirname(os.path.dirname(PATH))), *sys.argv[1:]])


def update(measured):
    """Replaces measurements. \\p measured: {(name, driver): values}, as this script measured them now."""
    figures = load()
    by_key = {(each["name"], each["driver"]): each for each in figures["measurements"]}
    for (name, driver), values in measured.items():
        by_key[name, driver] = {"name": name, "driver": driver, "script": script(),
                                "date": datetime.date.today().isoformat(), "machine": machine(),
                                "values": rounded(values)}
    figures["measurements"] = list(by_key.values())
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(as_text(figures))


def add_option(parser):
    parser.add_argument("--update-figures", action="store_true",
                        help="write the figures that the docs quote into docs/figures.json")
