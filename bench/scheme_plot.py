# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what bench/schemes measured, as SVG: a row a scheme; a panel with how many errors it finds on each driver, and one
with how long benchmarks take on the device, by the uninstrumented run, on a logarithmic axis: each a dot, the bar their mean.

    bench/scheme_plot.py > docs/explanation/schemes.svg    what docs/figures.json has"""

import math
import sys

import figure_file
from plot import STYLE

LEFT, TOP, ROW, PANEL, GAP = 110, 58, 20, 240, 60
AXIS = (1, 2, 4, 8, 16, 32)


class Drawing:
    def __init__(self):
        self.out = []

    def write(self, x, y, words, kind="", anchor="start"):
        self.out.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>')

    def bar(self, x1, x2, y, words):
        x1, x2 = min(x1, x2), max(x1, x2)
        self.out.append(f'<rect class="bar" x="{x1:.1f}" y="{y + 4}" width="{max(x2 - x1, 1):.1f}" height="{ROW - 8}">'
                        f'<title>{words}</title></rect>')

    def dot(self, x, y, words):
        self.out.append(f'<circle class="faint" cx="{x:.1f}" cy="{y + ROW / 2}" r="1.6"><title>{words}</title></circle>')


def panels_of(measurements):
    """[(title, {scheme: (value, [(dot, its name)], words)}, whether its axis is logarithmic)]"""
    found, costs = {}, {}
    for each in measurements:
        kind, _, scheme = each["name"].partition("/")
        values = each["values"]
        if kind == "scheme_found":
            found.setdefault(each["driver"], {})[scheme] = (values["found"] / max(values["cases"], 1), [],
                                                            f"{values['found']} of {values['cases']}")
        elif kind == "scheme_costs":
            dots = [(cost, kernel) for kernel, cost in values["kernels"].items()]
            costs.setdefault(each["driver"], {})[scheme] = (values["geomean"], dots, f"{values['geomean']:.2f}")
    return ([(f"errors found, {driver}", rows, False) for driver, rows in found.items()] +
            [(f"device time by uninstrumented, {driver}", rows, True) for driver, rows in costs.items()])


def svg(measurements):
    """\\p measurements: as docs/figures.json has them."""
    panels = panels_of(measurements)
    schemes = list(dict.fromkeys(scheme for _, rows, _ in panels for scheme in rows))
    draw = Drawing()
    draw.write(8, 16, "schemes side by side", "title")
    draw.write(8, 31, "bench/schemes; a dot is a benchmark, a bar all of them", "faint")
    for row, scheme in enumerate(schemes):
        draw.write(LEFT - 10, TOP + row * ROW + 14, scheme, anchor="end")
    for number, (title, rows, logarithmic) in enumerate(panels):
        left = LEFT + number * (PANEL + GAP)

        def across(value, left=left, logarithmic=logarithmic):
            part = math.log(min(max(value, 0.5), AXIS[-1]) / 0.5) / math.log(AXIS[-1] / 0.5) if logarithmic else value
            return left + part * PANEL
        draw.write(left, TOP - 12, title, "title")
        for mark in AXIS if logarithmic else ():
            draw.write(across(mark), TOP - 1, f"{mark}", "faint", "middle")
        for row, scheme in enumerate(schemes):
            if scheme not in rows:
                continue
            value, dots, words = rows[scheme]
            y = TOP + row * ROW
            draw.bar(across(1) if logarithmic else left, across(value), y, f"{scheme}: {words}")
            for dot, name in dots:
                draw.dot(across(dot), y, f"{scheme}, {name}: {dot:.2f}")
            draw.write(left + PANEL + 4, y + 14, words, "faint")
    width, height = LEFT + len(panels) * (PANEL + GAP), TOP + ROW * len(schemes) + 8
    body = "\n".join(draw.out)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n<style>{STYLE}</style>\n{body}\n</svg>\n')


if __name__ == "__main__":
    sys.stdout.write(svg(figure_file.load()["measurements"]))
