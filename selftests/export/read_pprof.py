# SPDX-License-Identifier: GPL-2.0-only
"""
Run pprof on a profile, and read the tables that it prints.
"""
import os
import re
import subprocess

PPROF = os.path.join(os.environ.get("TPROF_ORACLES", ""), "bin", "pprof")
ALL = ("-nodecount=1000000", "-nodefraction=0", "-edgefraction=0", "-unit=nanoseconds")


def run(*arguments):
    clean = dict(os.environ, PPROF_TMPDIR="/nonexistent", HOME="/nonexistent")
    return subprocess.check_output([PPROF, "-symbolize=none", *arguments], text=True, env=clean,
                                   stderr=subprocess.DEVNULL)


def number(text):
    return float(re.match(r"[-\d.]+", text).group())


def raw(path):
    """Return the sums of all types of values, and the longest stack."""
    lines = iter(run("-raw", path).splitlines())
    for line in lines:
        if line == "Samples:":
            break
    types = [kind.split("/")[0] for kind in next(lines).split()]
    sums, longest = [0] * len(types), 0
    for line in lines:
        if line == "Locations":
            break
        found = re.match(r"((?:\s+\d+)+): ((?:\d+ ?)*)$", line)
        if found:
            values = [int(value) for value in found.group(1).split()]
            sums = [sum(pair) for pair in zip(sums, values)]
            longest = max(longest, len(found.group(2).split()))
    return dict(zip(types, sums)), longest


def top(path, event):
    """Return what functions have themselves, and with callees."""
    flat, cum, is_table = {}, {}, False
    for line in run("-top", *ALL, f"-sample_index={event}", path).splitlines():
        words = line.split(None, 5)
        if is_table and len(words) == 6:
            flat[words[5].removesuffix(" (inline)")] = number(words[0])
            cum[words[5].removesuffix(" (inline)")] = number(words[3])
        is_table |= words[:2] == ["flat", "flat%"]
    return flat, cum


def callers(path, event, function):
    """Return the sum of the calls of a function, by -peek."""
    total = 0
    for line in run(f"-peek=^{function}$", *ALL, f"-sample_index={event}", path).splitlines():
        left, bar, right = line.partition("|")
        if not bar:
            continue
        if len(left.split()) > 2:
            return total
        total += number(left.split()[0])
    return total


def tags(path, event, key):
    """Return the sum of each value of a label."""
    sums, is_key = {}, False
    for line in run("-tags", "-unit=nanoseconds", f"-sample_index={event}", path).splitlines():
        if ": Total " in line:
            is_key = line.split(":")[0].strip() == key
        found = re.match(r"\s*(\S+) \(\s*[\d.]+%\): (.*)", line)
        if is_key and found:
            sums[found.group(2)] = number(found.group(1))
    return sums


def proto(path, output):
    """Let pprof write the profile again."""
    run("-proto", f"-output={output}", path)
