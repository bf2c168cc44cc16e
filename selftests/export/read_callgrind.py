# SPDX-License-Identifier: GPL-2.0-only
"""
Read the tables of callgrind_annotate, and the graph of gprof2dot.
"""
import os
import re
import subprocess

COLUMN = re.compile(r"\s*(\.|[\d,]+)\s*(\(\s*[\d.]+%\))?\s")


def name(event):
    """The name of an event in the file."""
    return re.sub(r"\W", "_", event)


def columns(line, nr):
    """Return the numbers at the start of a line, and the rest; None if there are fewer."""
    values = []
    for _ in range(nr):
        found = COLUMN.match(line)
        if not found:
            return None, line
        values.append(0 if found.group(1) == "." else int(found.group(1).replace(",", "")))
        line = line[found.end():]
    return values, line.strip()


def annotate(path, *options):
    """Return the totals of the events, and a table of functions for each event."""
    command = ["callgrind_annotate", "--auto=no", "--threshold=100", *options, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    events, totals, tables = [], {}, {}
    for line in done.stdout.splitlines():
        if line.startswith("Events recorded:"):
            events = line.split(":", 1)[1].split()
            tables = {event: {} for event in events}
        values, rest = columns(line + " ", len(events)) if events else (None, "")
        if not values:
            continue
        if rest == "PROGRAM TOTALS":
            totals = dict(zip(events, values))
            continue
        function = re.sub(r" \[\S*\]$", "", rest.split(":", 1)[1] if ":" in rest else rest)
        for event, value in zip(events, values):
            tables[event][function] = tables[event].get(function, 0) + value
    return totals, tables


def gprof2dot(path):
    """Return the percentages that functions have themselves."""
    program = os.path.join(os.environ["TPROF_ORACLES"], "bin", "gprof2dot")
    graph = subprocess.check_output([program, "-f", "callgrind", "-n0", "-e0", path], text=True,
                                    stderr=subprocess.DEVNULL)
    found = re.findall(r'label="([^"]*?)\\n[\d.]+%\\n\(([\d.]+)%\)', graph)
    return {label.split("\\n")[-1]: float(percent) for label, percent in found}
