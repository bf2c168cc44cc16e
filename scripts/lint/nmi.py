#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the code that can run in an NMI, by gcc's call graphs (*.ci). For nmi.sh.

The stack must be bounded, each called function outside of the module must be in OUTSIDE,
and no function may call itself. The call graphs lack calls from assembly."""

import os
import re
import sys

# Bytes of stack that the module may use. The NMI stack is a page, and part of it is used
# before the module is called. (An NMI that interrupts user mode runs on the task's stack.)
MOST_BYTES = 1024

ROOTS = ["intel_nmi", "amd_nmi", "amd_guest_nmi", "tprof_nmi_serve_all", "nmi_unknown_handler"]

# INDIRECT[f]: functions that f() may call through pointers.
CLOCKS = ["local_clock", "tprof_mono_clock", "ktime_get_raw_fast_ns",
          "ktime_get_real_fast_ns", "ktime_get_boot_fast_ns", "ktime_get_tai_fast_ns"]
SINKS = ["tprof_sample_overflow", "tprof_sample_overflow_weighed", "trial_sink"]
STALLS = ["x86_stall", "nmi_stall", "timer_stall", "soft_stall"]
INDIRECT = {
    "tprof_nmi_serve_all": ["nmi_handle", "intel_handle", "amd_handle"],
    "nmi_unknown_handler": ["nmi_claim"],
    "intel_serve": SINKS,
    "intel_nmi": SINKS,
    "serve_more": SINKS,
    # The local APIC's read, outside of the module, is safe in any context.
    "handle_silent": [],
    "amd_serve": SINKS,
    "amd_nmi": SINKS,
    "amd_guest_nmi": SINKS,
    "tprof_x86_overflow_rows": SINKS,
    "tprof_x86_overflow_general": SINKS,
    "tprof_clock_sample": SINKS,
    "tprof_clock_sample_from_host": SINKS,
    "take_reserving_first": CLOCKS,
    "take_in_nmi": CLOCKS,
    "take_weighed_in_nmi": CLOCKS,
    "request_rest": CLOCKS,
    "tprof_deep_write": ["tprof_soft_event_raw"],
    "tprof_sample_stall": STALLS,
    "write_throttle": CLOCKS,
    "tprof_sample_write_lost": CLOCKS,
}

# STATIC[t]: functions that static calls through trampoline t may call. The local APIC's
# write, outside of the module, is safe in any context.
STATIC = {
    "__SCT__tprof_apic_write": [],
}

# Functions outside of the module that are safe in an NMI: they take no lock and do not
# sleep.
OUTSIDE = set(CLOCKS) | set("""
    ktime_get_mono_fast_ns
    __stack_chk_fail memcpy memset copy_from_user_nmi get_cpu_entry_area
    __unwind_start unwind_next_frame unwind_get_return_address irq_work_queue make_kuid
""".split())

# Functions that are not called in an NMI, though functions that can run there have calls of
# them. tprof_gather_wait() is called for deferred chains (deferred.c), in task context.
# tprof_tables_want() does not drop the last reference to an mm, as the current task has one. An
# NMI stalls a counter; resume_row() ends a stall, in other contexts.
NEVER = {"tprof_gather_wait", "__mmdrop", "resume_row"}


def name_of(title):
    """Return the name of a function without its file and without gcc's suffix of clones."""
    name = title.rsplit(":", 1)[-1]
    return re.sub(r"\.(part|isra|constprop|cold)\b.*", "", name)


def read(paths):
    """Return the stack size and the callees of each function of the module."""
    stack, calls = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for title, label in re.findall(r'^node: { title: "([^"]*)" label: "([^"]*)"',
                                       text, re.M):
            size = re.search(r"(\d+) bytes", label)
            if size and "dynamic" in label and "bounded" not in label:
                stack[name_of(title)] = 1 << 20
            elif size:
                name = name_of(title)
                stack[name] = max(stack.get(name, 0), int(size[1]))
        for caller, callee in re.findall(
                r'^edge: { sourcename: "([^"]*)" targetname: "([^"]*)"', text, re.M):
            # A function that gcc has split appears to call itself.
            if name_of(caller) != name_of(callee) or caller == callee:
                calls.setdefault(name_of(caller), set()).add(name_of(callee))
    return stack, calls


class Walk:
    """A depth-first walk of the call graph, from the functions in ROOTS."""

    def __init__(self, stack, calls):
        self.stack = stack
        self.calls = calls
        self.deepest = {}
        self.errors = set()

    def targets(self, name):
        for callee in sorted(self.calls.get(name, ())):
            if callee in NEVER:
                continue
            if callee in STATIC:
                yield from STATIC[callee]
            elif callee != "__indirect_call":
                yield callee
            elif name in INDIRECT:
                yield from INDIRECT[name]
            else:
                self.errors.add(f"{name}() calls through a pointer: list its targets in INDIRECT")

    def depth(self, name, path=()):
        """Return the stack size and the functions of the deepest call chain from NAME."""
        if name in path:
            self.errors.add(f"{name}() calls itself, by {' '.join(path)}")
            return 0, ()
        if name not in self.stack:
            if name not in OUTSIDE:
                self.errors.add(f"{path[-1]}() calls {name}(): is that safe in an NMI?")
            return 0, ()
        if name not in self.deepest:
            below = [self.depth(callee, path + (name,)) for callee in self.targets(name)]
            # Add 8 bytes for the return address.
            size, way = max(below, default=(0, ()))
            self.deepest[name] = (self.stack[name] + 8 + size, (name,) + way)
        return self.deepest[name]


def main():
    walk = Walk(*read(sys.argv[1:]))
    size, way = max(walk.depth(root) for root in ROOTS)
    for name in INDIRECT:
        if "__indirect_call" not in walk.calls.get(name, ()):
            walk.errors.add(f"{name}() is in INDIRECT, but calls through no pointer")
    print(f"{len(walk.deepest)} functions can run in an NMI; at most {size} bytes of stack: "
          + " ".join(f"{name} {walk.stack[name]}" for name in way))
    if size > MOST_BYTES:
        walk.errors.add(f"that is more than {MOST_BYTES}")
    for error in sorted(walk.errors):
        print(error)
    return bool(walk.errors)


sys.exit(main())
