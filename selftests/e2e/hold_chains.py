#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare call chains of perf and tprof-lx: hold_chains.py PERFS OURS, both in the
format of `perf script`. perf cannot unwind some code, so it lacks some frames. A chain of
tprof-lx must have each frame that perf has, in the same order. One chain of fifty may
differ."""

import sys


def read(path):
    """Return a list of the samples; a sample is the list of its frames."""
    samples = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line[0] not in "\t\n":
                samples.append([])
            elif line.strip():
                samples[-1].append(line.strip())
    return samples


def is_within(frames, others):
    """Is FRAMES a subsequence of OTHERS?"""
    rest = iter(others)
    return all(any(frame == other for other in rest) for frame in frames)


def known(frames):
    """Return the frames without stubs and without those that perf did not resolve."""
    return [frame for frame in frames if not frame.startswith(("[unknown]", "@plt"))]


def main():
    perfs, ours = read(sys.argv[1]), read(sys.argv[2])
    if not perfs or len(perfs) != len(ours):
        sys.exit(f"{len(perfs)} samples of perf, {len(ours)} of ours")
    pairs = list(zip(perfs, ours))
    same = sum(a == b for a, b in pairs)
    odd = [(a, b) for a, b in pairs if not is_within(known(a), b)]
    print(f"# {len(pairs)} chains: {same} the same, "
          f"{len(pairs) - same - len(odd)} with more than perf found, {len(odd)} others")
    for a, b in odd[:5]:
        print("# perf:", *a, sep="\n#\t")
        print("# ours:", *b, sep="\n#\t")
    sys.exit(len(odd) > len(pairs) / 50)


if __name__ == "__main__":
    main()
