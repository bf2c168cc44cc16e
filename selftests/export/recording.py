# SPDX-License-Identifier: GPL-2.0-only
"""
Write perf.data files, by the format alone and without code of tprof-lx.

All events have the fields of SAMPLE_TYPE, and CALLCHAIN if has_chains. Times are
nanoseconds.
"""
import struct

IP, TID, TIME, CALLCHAIN, CPU, PERIOD, IDENTIFIER = 1, 2, 4, 32, 128, 256, 1 << 16
SAMPLE_TYPE = IP | TID | TIME | CPU | PERIOD | IDENTIFIER
MMAP, COMM, EXIT, FORK, SAMPLE, MMAP2, FINISHED_ROUND = 1, 3, 4, 7, 9, 10, 68
KERNEL_MODE, USER_MODE, HAS_BUILD_ID = 1, 2, 1 << 14
CONTEXT_KERNEL, CONTEXT_USER = 2**64 - 128, 2**64 - 512
HOSTNAME, OS_RELEASE, ARCH, EVENT_DESC, CLOCK_DATA = 3, 4, 6, 12, 29
SOFTWARE, CPU_CLOCK = 1, 0
ATTR_BYTES = 128
SAMPLE_ID_ALL, FREQUENCY, USE_CLOCKID = 1 << 18, 1 << 10, 1 << 25
KERNEL, KERNEL_BYTES = 0xffffffff81000000, 0x1000000


def padded(text):
    data = text if isinstance(text, bytes) else text.encode()
    return data + bytes(8 - len(data) % 8)


def text_of_header(text):
    data = padded(text)
    return struct.pack("<I", len(data)) + data


class Event:
    """An event: a clock with a frequency, or a counter with a fixed period."""

    def __init__(self, number, name, period=0, has_chains=True):
        self.id = 100 + number
        self.name = name
        self.has_chains = has_chains
        flags = SAMPLE_ID_ALL | USE_CLOCKID | (0 if period else FREQUENCY)
        kind = SAMPLE_TYPE | (CALLCHAIN if has_chains else 0)
        attr = struct.pack("<IIQQQQQ", SOFTWARE, ATTR_BYTES, CPU_CLOCK if not period else 2,
                           period or 1000, kind, 0, flags)
        clock = struct.pack("<i", 1)
        self.attr = attr.ljust(ATTR_BYTES - 36, b"\0") + clock
        self.attr = self.attr.ljust(ATTR_BYTES, b"\0")


class Recording:
    def __init__(self, events):
        self.events = events
        self.records = []
        self.leaves = []
        self.start = self.now = 10**9

    def add(self, kind, misc, body):
        self.records.append(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)

    def add_of_task(self, kind, misc, body, pid, tid):
        trailer = struct.pack("<IIQIIQ", pid, tid, self.now, 0, 0, self.events[0].id)
        self.add(kind, misc, body + trailer)

    def comm(self, pid, tid, name):
        self.add_of_task(COMM, 0, struct.pack("<II", pid, tid) + padded(name), pid, tid)

    def fork(self, pid, tid, ppid, ptid):
        body = struct.pack("<IIIIQ", pid, ppid, tid, ptid, self.now)
        self.add_of_task(FORK, 0, body, pid, tid)

    def exit(self, pid, tid):
        body = struct.pack("<IIIIQ", pid, pid, tid, tid, self.now)
        self.add_of_task(EXIT, 0, body, pid, tid)

    def kernel(self):
        body = struct.pack("<IIQQQ", 2**32 - 1, 0, KERNEL, KERNEL_BYTES, KERNEL)
        self.add_of_task(MMAP, KERNEL_MODE, body + padded("[kernel.kallsyms]_text"), 2**32 - 1, 0)

    def map(self, pid, start, size, offset, path, build_id=b""):
        body = struct.pack("<IIQQQ", pid, pid, start, size, offset)
        if build_id:
            body += struct.pack("<BBH20s", len(build_id), 0, 0, build_id)
        else:
            body += bytes(24)
        body += struct.pack("<II", 5, 2)
        misc = USER_MODE | (HAS_BUILD_ID if build_id else 0)
        self.add_of_task(MMAP2, misc, body + padded(path), pid, pid)

    def sample(self, event, pid, tid, cpu, period, chain, nr_kernel=0):
        """chain is innermost first; the first nr_kernel frames are of the kernel."""
        event = self.events[event]
        self.leaves.append((event.name, period, chain[0]))
        body = struct.pack("<QQIIQIIQ", event.id, chain[0], pid, tid, self.now, cpu, 0, period)
        if event.has_chains:
            parts = [CONTEXT_KERNEL, *chain[:nr_kernel]] if nr_kernel else []
            if chain[nr_kernel:]:
                parts += [CONTEXT_USER, *chain[nr_kernel:]]
            body += struct.pack(f"<Q{len(parts)}Q", len(parts), *parts)
        self.add(SAMPLE, KERNEL_MODE if nr_kernel else USER_MODE, body)

    def round(self):
        self.add(FINISHED_ROUND, 0, b"")

    def features(self):
        names = struct.pack("<II", len(self.events), ATTR_BYTES)
        for event in self.events:
            names += event.attr + struct.pack("<I", 1) + text_of_header(event.name)
            names += struct.pack("<Q", event.id)
        clock = struct.pack("<IIQQ", 1, 1, 1_700_000_000 * 10**9, self.start)
        return {HOSTNAME: text_of_header(self.host), OS_RELEASE: text_of_header("6.12.0"),
                ARCH: text_of_header("x86_64"), EVENT_DESC: names, CLOCK_DATA: clock}

    def write(self, path, host="host"):
        self.host = host
        ids_at = 104
        attrs_at = ids_at + 8 * len(self.events)
        data_at = attrs_at + len(self.events) * (ATTR_BYTES + 16)
        data = b"".join(self.records)
        features = self.features()
        at = data_at + len(data) + 16 * len(features)
        mask = sum(1 << bit for bit in features)
        with open(path, "wb") as file:
            file.write(b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, ATTR_BYTES + 16, attrs_at,
                       data_at - attrs_at, data_at, len(data), 0, 0) + struct.pack("<QQQQ", mask, 0, 0, 0))
            file.write(b"".join(struct.pack("<Q", event.id) for event in self.events))
            for number, event in enumerate(self.events):
                file.write(event.attr + struct.pack("<QQ", ids_at + 8 * number, 8))
            file.write(data)
            for section in features.values():
                file.write(struct.pack("<QQ", at, len(section)))
                at += len(section)
            file.write(b"".join(features.values()))
