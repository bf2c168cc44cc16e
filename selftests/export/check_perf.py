# SPDX-License-Identifier: GPL-2.0-only
"""
Compare the recording itself with report, by perf script.
"""
import re
import subprocess


def samples_of(recording):
    """Return the number of samples and the sum of periods of each event."""
    done = subprocess.run(["perf", "script", "-i", recording, "-F", "event,period"],
                          capture_output=True, check=False)
    samples, periods = {}, {}
    for line in done.stdout.decode(errors="replace").splitlines():
        found = re.match(r"\s*(\d+)\s+(\S+):", line)
        if found:
            event = found.group(2)
            samples[event] = samples.get(event, 0) + 1
            periods[event] = periods.get(event, 0) + int(found.group(1))
    return samples, periods


def check_samples(compare, recording, sums):
    samples, periods = samples_of(recording)
    for name, seen, what in (("samples", samples, "samples"), ("periods", periods, "period")):
        ours = {event: total for event, total in sums.total(what).items() if total}
        compare.same(f"perf script, {name}", seen, ours)
