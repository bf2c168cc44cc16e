#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compare what export writes with report, by other programs: check_export.py TPROF_LX [RECORDING]

Each line is a comparison: what other programs read is on the left, report's sums are on the
right. Without RECORDING, recordings of program.c are made. scripts/deps.sh export installs the
programs; make check-export runs this.
"""
import json
import os
import sys
import tempfile

import check_autofdo
import check_firefox
import check_inlines
import check_otlp
import check_perf
import check_perfetto
import check_query
import check_runs
import check_tables
import read_callgrind
import read_pprof
import recordings
from compare import Comparison
from report import Sums, Tool

DIRECTORY = os.path.dirname(os.path.abspath(__file__))


def nonzero(sums):
    return {name: value for name, value in sums.items() if value}


def check_pprof(compare, tool, recording, sums, output):
    """-raw has all sums. The other tables have those of the first event, and its names."""
    path = tool.export("pprof", recording, output)
    seen, longest = read_pprof.raw(path)
    periods = sums.total("period")
    samples = seen.pop("samples")
    compare.same("pprof -raw samples", samples, sum(sums.total("samples").values()))
    compare.same("pprof -raw periods", nonzero(seen), nonzero(periods))
    read_pprof.proto(path, output + ".again")
    again, _ = read_pprof.raw(output + ".again")
    compare.same("pprof -proto periods", again, {**seen, "samples": samples})
    return longest


def check_pprof_tables(compare, path, sums):
    for event in sums.events:
        flat, cum = read_pprof.top(path, event)
        compare.same(f"pprof -top flat {event}", nonzero(flat), sums.by_function(event, "period"))
        compare.same(f"pprof -tags comm {event}", read_pprof.tags(path, event, "comm"),
                     sums.by_comm(event, "period"))
        if event in recordings.PERIODS:
            children = sums.by_function(event, "children-samples")
            compare.same(f"pprof -top cum {event}", cum,
                         {name: nr * recordings.PERIODS[event] for name, nr in children.items()})
            compare.same(f"pprof -peek seldom {event}", read_pprof.callers(path, event, "seldom"),
                         cum["seldom"])
    cpus = read_pprof.tags(path, "cpu-clock", "cpu")
    compare.same("pprof -tags cpus", len(cpus), 4)


def check_keys(compare, tool, recording, sums, output):
    """Labels of pprof and members of rows are the keys of report."""
    options = ("--parent", "^(again|vfs_.*)$")
    path = tool.export("pprof", recording, output, *options)
    rows = tool.export("rows", recording, output + ".json", *options)
    wanted = {name: {entry["parent"]: entry["period"] for entry in event["entries"]}
              for name, event in tool.report(recording, "parent", *options).items()}
    for event in sums.events:
        compare.same(f"pprof -tags parent {event}", read_pprof.tags(path, event, "parent"),
                     wanted[event])
    check_tables.check_keys(compare, rows, "parent", wanted)


def check_callgrind(compare, tool, recording, sums, output):
    path = tool.export("callgrind", recording, output)
    totals, _ = read_callgrind.annotate(path)
    events = {read_callgrind.name(event): event for event in sums.events}
    periods = {key: sums.events[event]["period"] for key, event in events.items()}
    compare.same("callgrind_annotate totals", nonzero(totals), nonzero(periods))
    return path


def check_callgrind_tables(compare, path, sums):
    _, own = read_callgrind.annotate(path)
    _, inclusive = read_callgrind.annotate(path, "--inclusive=yes")
    for event in sums.events:
        key = read_callgrind.name(event)
        compare.same(f"callgrind_annotate {event}", nonzero(own[key]),
                     sums.by_function(event, "period"))
        if event not in recordings.PERIODS:
            continue
        children = sums.by_function(event, "children-samples")
        seen = {name: value for name, value in inclusive[key].items() if name != "[root]"}
        compare.same(f"callgrind_annotate --inclusive=yes {event}", nonzero(seen),
                     {name: nr * recordings.PERIODS[event] for name, nr in children.items()})
    first = next(iter(sums.events))
    total = sums.events[first]["period"]
    wanted = {name: 100 * period / total
              for name, period in sums.by_function(first, "period").items()}
    seen = nonzero(read_callgrind.gprof2dot(path))
    compare.close(f"gprof2dot self percent {first}", seen, wanted, 0.02)


def check_firefox_profile(compare, tool, recording, sums, output):
    path = tool.export("firefox", recording, output)
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    compare.same("firefox problems", check_firefox.problems(profile), [])
    seen = dict.fromkeys(sums.events, 0.0)
    for thread in profile["threads"]:
        event = next(name for name in seen if len(seen) == 1 or
                     thread["name"].endswith(f"({name})"))
        scale = 1e6 if thread["samples"].get("weightType") == "tracing-ms" else 1
        seen[event] += sum(thread["samples"]["weight"]) * scale
    compare.close("firefox periods", seen, {**dict.fromkeys(seen, 0), **sums.total("period")}, 0.5)
    return profile


def check_interrupts(compare, profile, sums):
    """The category Interrupt has the samples of the entry and of what it calls."""
    samples = sum(sums.by_function(event, "children-samples").get(recordings.KERNEL_FUNCTIONS[0], 0)
                  for event in sums.events)
    compare.same("firefox samples in interrupts", check_firefox.samples_of(profile, "Interrupt"), samples)


def check_recording(compare, tool, recording, has_names):
    """All formats of a recording. Names are compared only if no format changes them."""
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, "out")
        sums = Sums(tool, recording)
        longest = check_pprof(compare, tool, recording, sums, output)
        if has_names:
            check_pprof_tables(compare, output, sums)
            check_keys(compare, tool, recording, sums, output)
        check_callgrind(compare, tool, recording, sums, output)
        if has_names:
            check_callgrind_tables(compare, output, sums)
        check_tables.check_speedscope(compare, tool, recording, sums, output)
        check_tables.check_folded(compare, tool, recording, sums, output)
        check_tables.check_rows(compare, tool, recording, sums, output, has_names)
        profile = check_firefox_profile(compare, tool, recording, sums, output)
        if has_names:
            check_interrupts(compare, profile, sums)
        check_otlp.check_otlp(compare, tool, recording, sums, output, has_names)
        check_perf.check_samples(compare, recording, sums)
        check_perfetto.check_threads(compare, tool, recording)
        return longest


def check_made(compare, tprof_lx, directory):
    program_path = os.path.join(directory, "program")
    recordings.build(os.path.join(DIRECTORY, "program.c"), program_path)
    program = recordings.Program(program_path)
    kallsyms = os.path.join(directory, "kallsyms")
    program.write_kallsyms(kallsyms)
    tool = Tool(tprof_lx, kallsyms)
    path = os.path.join(directory, "tprof.data")
    for name in ("plain", "flat", "empty", "hostile", "deep"):
        made = getattr(recordings, f"make_{name}")(program, path)
        compare.begin(name)
        longest = check_recording(compare, tool, path, name == "plain")
        if name == "plain":
            check_inlines.check(compare, tool, program, made, path)
            check_perfetto.check_functions(compare, tool, path, program)
        if name == "deep":
            compare.same("frames of the longest chain", longest, 512)
    check_runs.check_merge(compare, tool, program, directory)
    check_runs.check_diff(compare, tool, program, directory)
    check_autofdo.check(compare, tool, program, os.path.join(DIRECTORY, "program.c"), directory)
    compare.begin("manual")
    check_query.check(compare)


def main():
    compare = Comparison()
    if len(sys.argv) > 2:
        compare.begin(sys.argv[2])
        check_recording(compare, Tool(sys.argv[1], None), sys.argv[2], False)
        return compare.end()
    with tempfile.TemporaryDirectory() as directory:
        check_made(compare, sys.argv[1], directory)
    return compare.end()


if __name__ == "__main__":
    sys.exit(main())
