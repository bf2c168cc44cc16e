#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare tprof-lx annotate with perf annotate and objdump, for each recording.

The share of each instruction must be that of perf annotate, which prints two digits. The
address, length and text of each instruction must be those of objdump -d, apart from the ways to
write that are in plain(). Arrows and loops are compared in code_test.

With --same, two documents of annotate --json are compared: all functions of the kernel and of
modules must have code, and both must have the same instructions.

usage: check_annotate.py RECORDING...
       check_annotate.py --same OURS THEIRS
"""

import collections
import json
import re
import subprocess
import sys

PERF_HEAD = re.compile(r"Source code & Disassembly of (\S+) for ")
PERF_LINE = re.compile(r"^ +([0-9]+\.[0-9]+) +: +([0-9a-f]+):")
OBJDUMP_STUB = re.compile(r"^([0-9a-f]+) <[^>]*@plt(?:\+0x[0-9a-f]+)?>:$")
OBJDUMP_LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *(?:\t(.*))?$")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode(errors="replace")


def plain(text):
    """Return the text of an instruction, as both disassemblers would write it."""
    text = re.sub(r" *(#|<).*", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    # Names of nop, which depend on its prefixes.
    if re.search(r"\bnop[wl]?\b|^xchg %ax,%ax$", text):
        return "nop"
    # A shift by 1 may leave it out, and a displacement of 0 may be left out.
    text = re.sub(r"^((?:sa|sh|ro|rc)[lr][bwlq]?) \$0x1,", r"\1 ", text)
    text = re.sub(r"(^|[ ,*:])0x0\(", r"\1(", text)
    # String instructions may leave out their registers.
    text = re.sub(r"\b(movs|stos|lods|scas|cmps)([bwlqd])?( [^,]*[(%].*)?$", r"\1", text)
    # The topmost register of the x87.
    text = text.replace("%st(0)", "%st")
    # Prefixes without effect.
    return re.sub(r"\b(bnd|addr32|data16|cs|ds|rex\.\S+) ", "", text)


def disassembly(path, cache={}):
    """Return what objdump prints of a binary."""
    if path not in cache:
        cache[path] = run("objdump", "-dw", path).splitlines()
    return cache[path]


def instructions(path, cache={}):
    """Return the length and text of the instructions of a binary, by address."""
    if path not in cache:
        matches = map(OBJDUMP_LINE.match, disassembly(path))
        cache[path] = {int(match[1], 16): (len(match[2].split()), match[3] or "")
                       for match in matches if match}
    return cache[path]


def stubs(path):
    """Return the addresses of the PLT stubs of a binary, which perf takes for a part of _init."""
    matches = map(OBJDUMP_STUB.match, disassembly(path))
    return {int(match[1], 16) for match in matches if match}


def perf_shares(recording):
    shares, dso = {}, None
    for line in run("perf", "annotate", "-i", recording, "--stdio", "--no-source",
                    "--objdump=objdump").splitlines():
        head, match = PERF_HEAD.search(line), PERF_LINE.match(line)
        if head:
            dso = code_of(head[1])
        elif match and float(match[1]):
            shares[dso, int(match[2], 16)] = float(match[1])
    return shares


def compare_objdump(function, counts):
    theirs = instructions(function["path"])
    for line in function["instructions"]:
        addr = int(line["address"], 16)
        length, text = theirs.get(addr, (0, None))
        if text is None or "(bad)" in text:
            counts["not in objdump"] += 1
            continue
        ours = line["text"]
        if "target" in line and line.get("flow") in ("branch", "jump", "call"):
            ours += " " + line["target"][2:]
        counts["instructions"] += 1
        if length != line["length"] or plain(ours) != plain(text):
            counts["instructions differ"] += 1
            print("# %s %x: '%s', objdump '%s'" % (function["dso"], addr, ours, text))


def code_of(dso):
    """Return which code addresses of a binary are in. perf reads that of modules from kcore too."""
    return "kernel" if dso == "kcore" or dso.startswith("[") else dso


def our_shares(document):
    shares = {}
    for function in document["functions"]:
        total = function["events"][0]["period"]
        for line in function["instructions"]:
            period = line.get("events", [{"period": 0}])[0]["period"]
            if total and period:
                shares[code_of(function["dso"]), int(line["address"], 16)] = 100 * period / total
    return shares


def compare_perf(document, recording, counts):
    ours, theirs = our_shares(document), perf_shares(recording)
    paths = {code_of(function["dso"]): function["path"] for function in document["functions"]
             if function["code"] == "found"}
    for key, share in theirs.items():
        if key not in ours:
            if key[1] in stubs(paths.get(key[0], "")):
                counts["stubs of perf"] += 1
                continue
            # perf rounds what is less than 0.005 to 0, but not what is more.
            counts["only in perf"] += 1
            print("# only in perf: %s %x, %.2f" % (*key, share))
            continue
        counts["shares"] += 1
        if abs(ours[key] - share) > 0.0051:
            counts["shares differ"] += 1
            print("# %s %x: %.2f, perf %.2f" % (*key, ours[key], share))
    counts["only here"] += sum(1 for key, share in ours.items()
                               if share >= 0.005 and key not in theirs)


def place_of(line):
    return line["address"], line["length"], line.get("target")


def compare_documents(ours, theirs):
    """Compare two documents. Return 0 if they are the same.

    The texts of one instruction in 200 may differ, as versions of objdump write some rare
    instructions of the kernel in other ways.
    """
    nr = differ = texts = missing = 0
    for one, other in zip(ours["functions"], theirs["functions"]):
        if one["dso"].startswith("["):
            missing += one["code"] != "found"
        for a, b in zip(one["instructions"], other["instructions"]):
            nr += 1
            if place_of(a) != place_of(b):
                differ += 1
                print("# %s: %s, not %s" % (one["function"], place_of(a), place_of(b)))
            elif plain(a["text"]) != plain(b["text"]):
                texts += 1
                print("# %s: '%s', not '%s'" % (one["function"], a["text"], b["text"]))
        differ += len(one["instructions"]) != len(other["instructions"])
    print("%d functions, %d without code; %d instructions, %d differ, %d in text only" % (
        len(ours["functions"]), missing, nr, differ, texts))
    return 1 if missing or differ or texts > nr / 200 or not nr else 0


def main():
    if sys.argv[1:2] == ["--same"]:
        return compare_documents(*(json.load(open(name, encoding="utf-8"))
                                   for name in sys.argv[2:4]))
    failed = False
    for recording in sys.argv[1:]:
        counts = collections.Counter()
        document = json.loads(run("tprof-lx", "annotate", "-i", recording, "--json",
                                  "--percent-limit", "0", "--no-source"))
        for function in document["functions"]:
            if function["code"] == "found" and function["path"].startswith("/"):
                compare_objdump(function, counts)
        compare_perf(document, recording, counts)
        print("%s: %d instructions, %d differ from objdump; %d shares, %d differ from perf; "
              "%d only in perf, %d only here, %d not in objdump" % (
                  recording, counts["instructions"], counts["instructions differ"],
                  counts["shares"], counts["shares differ"], counts["only in perf"],
                  counts["only here"], counts["not in objdump"]))
        failed |= bool(counts["instructions differ"] or counts["shares differ"] or
                       counts["only in perf"] or not counts["shares"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
