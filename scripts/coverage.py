#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sum the output of gcov --json-format for the files of kmod/. For coverage.sh."""

import argparse
import collections
import json
import os
import sys


def read_counts(stream):
    """Sum executions by file and line. A header's lines occur in several objects."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for text in stream:
        for file in json.loads(text)["files"]:
            name = file["file"]
            if "/kmod/" not in name:
                continue
            for line in file["lines"]:
                counts[os.path.basename(name)][line["line_number"]] += line["count"]
    return counts


def ranges(numbers):
    """Return [1, 2, 3, 7] as "1-3 7"."""
    spans = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--least", type=float, default=0)
    return parser.parse_args()


def main():
    options = parse()
    counts = read_counts(sys.stdin)
    ran = total = 0
    for name, lines in sorted(counts.items()):
        missed = sorted(number for number, count in lines.items() if not count)
        ran += len(lines) - len(missed)
        total += len(lines)
        text = f"{name:24} {len(lines) - len(missed):6} of {len(lines):5} lines"
        if options.missed and missed:
            text += "  not: " + ranges(missed)
        print(text)
    if not total:
        sys.exit("coverage: the input has no file of kmod/")
    percent = 100 * ran / total
    print(f"{'all':24} {ran:6} of {total:5} lines, {percent:.1f} percent")
    if percent < options.least:
        sys.exit(1)


main()
