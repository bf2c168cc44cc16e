# SPDX-License-Identifier: GPL-2.0-only
"""
The sums of a recording by tprof-lx report --json, to compare with those of other programs.
"""
import json
import subprocess


class Tool:
    """tprof-lx, with the kernel symbols of the recordings."""

    def __init__(self, path, kallsyms):
        self.path = path
        self.symbols = ["--kallsyms", kallsyms] if kallsyms else []

    def run(self, command, *arguments):
        line = [self.path, *command.split(), *arguments]
        return subprocess.check_output(line, stderr=subprocess.DEVNULL)

    def export(self, kind, recording, output, *options):
        self.run(f"export {kind}", "-i", recording, "-o", output, *self.symbols, *options)
        return output

    def report(self, recording, keys, *options):
        text = self.run("report", "--json", "-i", recording, "-s", keys, *self.symbols, "-F",
                        f"{keys},samples,period,children-samples", *options)
        return {event["event"]: event for event in json.loads(text)["events"]}


class Sums:
    """The sums of each event of a recording, by function and by thread name."""

    def __init__(self, tool, recording):
        self.events = tool.report(recording, "dso,sym")
        self.comms = tool.report(recording, "comm")

    def total(self, what):
        return {name: event[what] for name, event in self.events.items()}

    def by_function(self, event, what):
        """Exports name the binary instead of an address in no function."""
        sums = {}
        for entry in self.events[event]["entries"]:
            name = entry["dso"] if entry["sym"].startswith("0x") else entry["sym"]
            sums[name] = sums.get(name, 0) + entry[what]
        return {name: value for name, value in sums.items() if value}

    def by_comm(self, event, what):
        return {entry["comm"]: entry[what] for entry in self.comms[event]["entries"]}
