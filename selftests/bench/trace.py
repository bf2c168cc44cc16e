#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Count the instructions, the register accesses and the serialising instructions of an
# interrupt that takes a sample, from the entry to the return to user mode, for perf and
# tprof-lx. The lab's emulator logs each instruction while a profiler samples a loop. The log
# says where an instruction is; its bytes are read from the guest's memory at the end.
# Samples of a timer come by the timer's interrupt, all others by NMIs. The clock `nmi` needs
# a second CPU, which sends the NMIs.
#
# usage: trace.py [MODE [KERNEL]]	defaults: intel-v4 6.12
#
# Run it after make bench, which builds what the guest needs.

import base64, bisect, collections, gzip, os, socket, subprocess, sys, tempfile, time

PERIOD = 20000
LOG_BYTES_PER_CPU = 100 << 20
USER_END = 1 << 47
PAGE = 4096

# Opcodes, without prefixes, of instructions that cost much on hardware.
KINDS = {
    b"\x0f\x30": "wrmsr", b"\x0f\x32": "rdmsr", b"\x0f\x33": "rdpmc",
    b"\xcf": "iret", b"\x0f\xa2": "cpuid", b"\x0f\x22": "mov to cr",
    b"\x0f\xae\xe8": "lfence", b"\x0f\xae\xf0": "mfence", b"\x0f\x01\xf9": "rdtscp",
    b"\x0f\x31": "rdtsc",
}
# The kinds that wait for all earlier instructions: those that the Intel SDM, volume 3,
# section 9.3, calls serialising, and LFENCE, which no later instruction passes.
SERIALISING = ("wrmsr", "iret", "cpuid", "mov to cr", "lfence")
PREFIXES = b"\x66\xf2\xf3" + bytes(range(0x40, 0x50))


class Monitor:
    """QEMU's monitor on a UNIX socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.answer()

    def answer(self):
        text = b""
        while not text.endswith(b"(qemu) "):
            part = self.socket.recv(65536)
            if not part:
                sys.exit("trace.py: the emulator has ended")
            text += part
        return text.decode(errors="replace")

    def command(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return self.answer()


def trace(monitor, path, cpus):
    """Log single instructions until the log is large enough."""
    monitor.command(f"logfile {path}")
    monitor.command("singlestep on")
    monitor.command("log exec,nochain")
    while not os.path.exists(path) or os.path.getsize(path) < LOG_BYTES_PER_CPU * cpus:
        time.sleep(0.1)
    monitor.command("log none")
    monitor.command("singlestep off")


def addresses(path, cpu):
    """Yield the addresses of the logged instructions of @cpu."""
    with open(path, "rb") as log:
        for line in log:
            if not line.startswith(b"Trace %d:" % cpu):
                continue
            part = line.split(b"/", 2)
            if len(part) == 3:
                yield int(part[1], 16)


def interrupts(path, cpu, entry):
    """Yield the addresses of each interrupt of user mode, which begins at @entry."""
    current, last = None, 0
    for address in addresses(path, cpu):
        if address == entry and last < USER_END:
            current = []
        elif current is not None and address < USER_END:
            yield current
            current = None
        if current is not None:
            current.append(address)
        last = address


class Kernel:
    """Symbols and code of the guest's kernel."""

    def __init__(self, text):
        rows = (line.split()[:3] for line in text.splitlines())
        rows = sorted((int(a, 16), name) for a, kind, name in rows if kind in "tTwW")
        self.starts = [row[0] for row in rows]
        self.names = [row[1] for row in rows]
        self.pages = {}

    def address(self, name):
        return self.starts[self.names.index(name)]

    def function(self, address):
        return self.names[bisect.bisect_right(self.starts, address) - 1]

    def read(self, monitor, wanted):
        """Read the pages of @wanted addresses. While the guest is in user mode, they may
        not be mapped: let the guest run a bit and try again."""
        for page in sorted({a // PAGE for a in wanted} | {(a + 8) // PAGE for a in wanted}):
            path = tempfile.mktemp()
            for _ in range(50):
                monitor.command(f"memsave {page * PAGE:#x} {PAGE} \"{path}\"")
                if os.path.exists(path) and os.path.getsize(path) == PAGE:
                    break
                monitor.command("cont")
                time.sleep(0.002)
                monitor.command("stop")
            if os.path.exists(path):
                with open(path, "rb") as code:
                    self.pages[page] = code.read()
                os.unlink(path)

    def kind(self, address):
        page, offset = divmod(address, PAGE)
        code = (self.pages.get(page, b"") + self.pages.get(page + 1, b""))[offset:offset + 8]
        code = code.lstrip(PREFIXES)
        for opcode, kind in KINDS.items():
            if code.startswith(opcode):
                return kind
        return None


def summarise(kernel, name, found):
    """Print the figures of the first interrupt that has the most frequent length."""
    if not found:
        print(f"{name}: no interrupt\n")
        return
    lengths = collections.Counter(map(len, found))
    length = lengths.most_common(1)[0][0]
    first = next(one for one in found if len(one) == length)
    kinds = collections.Counter(filter(None, map(kernel.kind, first)))
    functions = collections.Counter(map(kernel.function, first))
    registers = kinds["rdmsr"] + kinds["wrmsr"] + kinds["rdpmc"]
    serialising = sum(kinds[kind] for kind in SERIALISING)
    print(f"{name}: {len(found)} interrupts, {lengths[length]} of them with {length} instructions")
    print(f"  {registers} register accesses, {serialising} serialising instructions:",
          ", ".join(f"{nr} {kind}" for kind, nr in kinds.most_common()))
    for function, nr in functions.most_common():
        print(f"  {nr:6} {function}")
    print()


def entry_of(name):
    """Return the function that the interrupts of the profiler @name enter."""
    timer = "-timer" in name
    return "asm_sysvec_apic_timer_interrupt" if timer else "asm_exc_nmi"


def trace_guest(mode, kernel_name, cpus):
    """Trace all profilers in a guest with @cpus CPUs, and print their figures."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    logs, symbols, monitor = {}, "", None
    with tempfile.TemporaryDirectory() as run:
        lab = subprocess.Popen(
            [f"{top}/selftests/lab/lab.sh", "-i", "-c", str(cpus), "-k", kernel_name,
             "-t", "1800", "-q", f"{run}/monitor", mode, "--", "bash",
             "selftests/bench/trace_guest.sh", str(PERIOD), str(cpus)],
            cwd=top, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
        for line in lab.stdout:
            word, _, rest = line.strip().partition(" ")
            monitor = monitor or Monitor(f"{run}/monitor")
            if word == "trace":
                logs[rest] = f"{run}/{rest}"
                trace(monitor, logs[rest], cpus)
            elif word == "symbols":
                symbols += rest
            elif word == "code":
                monitor.command("stop")
                kernel = Kernel(gzip.decompress(base64.b64decode(symbols)).decode())
                found = {name: list(interrupts(path, cpus - 1, kernel.address(entry_of(name))))
                         for name, path in logs.items()}
                kernel.read(monitor, {a for one in sum(found.values(), []) for a in one})
                monitor.socket.sendall(b"quit\n")
        status = lab.wait()
        if not logs:
            sys.exit(f"trace.py: the lab ended with status {status}; try 'make lab bench'")
        print(f"{cpus} CPU{'s' * (cpus > 1)}\n")
        for name in logs:
            summarise(kernel, name, found[name])


def main():
    mode, kernel_name = (sys.argv[1:] + ["intel-v4", "6.12"][len(sys.argv) - 1:])[:2]
    trace_guest(mode, kernel_name, cpus=1)
    trace_guest(mode, kernel_name, cpus=2)


main()
