# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what bench/run measured, as SVG: a row a kernel, a panel a driver, a bar
from 1 to the ratio of device times on a logarithmic axis, and the ratio. The thin
line is the quartiles, the tick the twin without checks. Colors follow the reader's theme."""

import math

LEFT, TOP, ROW, PANEL, GAP = 130, 66, 15, 250, 40
AXIS = (0.25, 0.5, 1, 2, 4, 8, 16, 32)

STYLE = """
  text { font: 11px sans-serif; fill: #24292f; }
  .title { font-weight: bold; }
  .faint { fill: #6e7781; }
  .grid { stroke: #d0d7de; }
  .one { stroke: #24292f; }
  .bar { fill: #4c8dd6; }
  .spread { stroke: #24292f; }
  .tick { stroke: #d1701a; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .faint { fill: #8d96a0; }
    .grid { stroke: #30363d; }
    .one, .spread { stroke: #e6edf3; }
    .bar { fill: #3a6ea8; }
    .tick { stroke: #f0a050; }
  }
"""


def svg(rows):
    drivers = list(dict.fromkeys(row.driver for row in rows))
    kernels = list(dict.fromkeys((row.family, row.kernel) for row in rows))
    of = {(row.driver, row.kernel): row for row in rows}
    ends = [end for row in rows for side in row.ratios.values() for end in side["device"]]
    low = max([mark for mark in AXIS if mark <= min(ends + [1])] or AXIS[:1])
    high = min([mark for mark in AXIS if mark >= max(ends + [2])] or AXIS[-1:])

    def across(panel, ratio):
        part = math.log(min(max(ratio, low), high) / low) / math.log(high / low)
        return LEFT + panel * (PANEL + GAP) + part * PANEL

    out = []

    def draw_line(kind, x1, y1, x2, y2):
        out.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def write(x, y, words, kind="", anchor="start"):
        out.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>')

    families = list(dict.fromkeys(family for family, _ in kernels))
    height = TOP + ROW * (len(kernels) + len(families)) + 8
    width = LEFT + len(drivers) * (PANEL + GAP)
    write(8, 16, "device time under WarpSan, relative to the uninstrumented run", "title")
    write(8, 31, "bar: as `warpsan run` does it; line: quartiles; tick: without checks", "faint")
    for panel, driver in enumerate(drivers):
        write(across(panel, low), 48, driver, "title")
        for mark in AXIS:
            if low <= mark <= high:
                draw_line("one" if mark == 1 else "grid", across(panel, mark), TOP, across(panel, mark), height - 4)
                write(across(panel, mark), TOP - 3, f"{mark:g}", "faint", "middle")
    y = TOP
    last = None
    for family, kernel in kernels:
        if family != last:
            y += ROW
            write(8, y - 3, family, "faint")
            last = family
        write(LEFT - 10, y + 11, kernel, anchor="end")
        for panel, driver in enumerate(drivers):
            row = of.get((driver, kernel))
            if not row:
                write(across(panel, 1) + 4, y + 11, "not measured", "faint")
                continue
            lower, middle, upper = row.ratios["default"]["device"]
            x1, x2 = sorted((across(panel, 1), across(panel, middle)))
            out.append(f'<rect class="bar" x="{x1:.1f}" y="{y + 3}" width="{max(x2 - x1, 1):.1f}" height="{ROW - 6}">'
                       f'<title>{kernel} on {driver}: {middle:.2f} ({lower:.2f} to {upper:.2f})</title></rect>')
            write(max(across(panel, upper), across(panel, 1)) + 4, y + 11, f"{middle:.2f}", "faint")
            draw_line("spread", across(panel, lower), y + ROW / 2, across(panel, upper), y + ROW / 2)
            tick = across(panel, row.ratios["unchecked"]["device"][1])
            draw_line("tick", tick, y + 2, tick, y + ROW - 2)
        y += ROW
    body = "\n".join(out)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n<style>{STYLE}</style>\n{body}\n</svg>\n')
