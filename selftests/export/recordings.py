# SPDX-License-Identifier: GPL-2.0-only
"""
Recordings of program.c that need no kernel module: random samples in its functions.
"""
import random
import subprocess

import recording
from recording import KERNEL, Event, Recording

BASE = 0x555500000000
CLOCK, FAULTS, INSTRUCTIONS = range(3)
PERIODS = {"cpu-clock": 1_000_000, "page-faults": 7}
KERNEL_FUNCTIONS = ("asm_sysvec_apic_timer_interrupt", "sysvec_apic_timer_interrupt", "update_load",
                    "entry_SYSCALL_64_after_hwframe", "do_syscall_64", "vfs_read")
HOSTILE_FUNCTION = "x\"\\</script>;\u00e9"
HOSTILE_COMM = b"a\";\\\n</script>"	# as long as the kernel's names
HOSTILE_PATH = b"/tmp/x\"\\\n</script>\xff;y"

# Stacks, outermost function first, and how often each is sampled.
STACKS = {
    ("main", "often"): 40,
    ("main", "often", "seldom"): 10,
    ("main", "again", "again", "again", "often"): 20,
    ("main", "again"): 5,
    ("main",): 5,
    ("main", "often") + KERNEL_FUNCTIONS[:3]: 10,
    ("main", "seldom") + KERNEL_FUNCTIONS[3:]: 10,
}


def build(source, path, *options):
    subprocess.check_call(["clang", "-O2", "-g", "-fdebug-info-for-profiling", *options, "-o", path,
                           source])


class Program:
    """A program, and the addresses of its functions and of the kernel's."""

    def __init__(self, path):
        self.path = path
        self.functions = {}
        for line in subprocess.check_output(["nm", "-S", path], text=True).splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in "tT":
                self.functions[words[3]] = BASE + int(words[0], 16), int(words[1], 16)
        for number, name in enumerate((*KERNEL_FUNCTIONS, HOSTILE_FUNCTION)):
            self.functions[name] = KERNEL + 0x1000 * (number + 1), 0x1000
        headers = subprocess.check_output(["readelf", "-lW", path], text=True)
        for line in headers.splitlines():
            words = line.split()
            if words[:1] == ["LOAD"] and "E" in words[6:-1]:
                self.offset, address, self.size = (int(words[i], 16) for i in (1, 2, 4))
                self.load = BASE + address

    def write_kallsyms(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{KERNEL:016x} T _text\n")
            for name, (start, size) in self.functions.items():
                if start >= KERNEL:
                    file.write(f"{start:016x} T {name}\n")
            file.write(f"{start + size:016x} T _etext\n")

    def chain(self, dice, stack):
        """Return random addresses in the functions of stack, innermost first."""
        places = [self.functions[name] for name in reversed(stack)]
        return [start + 1 + dice.randrange(size - 1) for start, size in places]


def begin(program, events, comms=("one", "two")):
    """A recording of two processes; the second has two threads."""
    made = Recording(events)
    made.kernel()
    made.comm(100, 100, comms[0])
    made.map(100, program.load, program.size, program.offset, program.path)
    made.now += 1000
    made.fork(200, 200, 100, 100)
    made.comm(200, 200, comms[1])
    made.fork(200, 201, 200, 200)
    return made


def all_events(has_chains=True):
    return [Event(0, "cpu-clock", 0, has_chains), Event(1, "page-faults", 7, has_chains),
            Event(2, "instructions", 5000, has_chains)]


def period_of(dice, event):
    return (1_000_000, 7, dice.randrange(5000, 6000))[event]


def add_samples(made, program, seed, nr, stacks=None):
    dice = random.Random(seed)
    stacks = stacks or STACKS
    names, weights = list(stacks), list(stacks.values())
    for number in range(nr):
        if number == nr // 2:
            made.comm(100, 100, "later")
        made.now += dice.randrange(1000, 2_000_000)
        stack = dice.choices(names, weights)[0]
        event = dice.choices((CLOCK, FAULTS, INSTRUCTIONS), (6, 2, 2))[0] if len(made.events) > 1 else 0
        pid, tid = dice.choice(((100, 100), (200, 200), (200, 201)))
        chain = program.chain(dice, stack)
        nr_kernel = sum(address >= KERNEL for address in chain)
        if not made.events[0].has_chains:
            chain, nr_kernel = chain[:1], min(nr_kernel, 1)
        made.sample(event, pid, tid, dice.randrange(4), period_of(dice, event), chain, nr_kernel)
        if number % 500 == 499:
            made.round()
    made.exit(200, 201)


def make_plain(program, path, seed=1, nr=20000, host="host"):
    made = begin(program, all_events())
    add_samples(made, program, seed, nr)
    made.write(path, host)
    return made


def make_flat(program, path):
    made = begin(program, all_events(has_chains=False))
    add_samples(made, program, 2, 3000)
    made.write(path)


def make_empty(program, path):
    begin(program, all_events()).write(path)


def make_hostile(program, path):
    made = begin(program, all_events(), (HOSTILE_COMM, b"\xff\xfe;\x1b[31m"))
    made.map(100, 0x10000, 0x1000, 0, HOSTILE_PATH)
    stacks = {("main", HOSTILE_FUNCTION): 3, ("main", "often", HOSTILE_FUNCTION): 2}
    add_samples(made, program, 3, 2000, stacks)
    for event in range(3):
        made.sample(event, 100, 100, 0, 7, [0x10010, 0x10020])
    made.write(path)


def make_deep(program, path):
    """Chains of 512 frames, of recursion."""
    made = begin(program, all_events())
    stacks = {("main", *("again",) * 510, "often"): 3, ("main", *("again", "often") * 255, "again"): 2}
    add_samples(made, program, 4, 300, stacks)
    made.write(path)


def make_clock(program, path, seed, slower=1.0, nr=20000):
    """Samples of one event; the function seldom() takes slower times its time."""
    made = begin(program, [Event(0, "cpu-clock")])
    stacks = dict(STACKS)
    stacks[("main", "often", "seldom")] = 40 * slower
    add_samples(made, program, seed, nr, stacks)
    made.write(path)


def make_profile(program, path):
    """Samples for autofdo, which needs no chains: most are in often()."""
    made = Recording([Event(0, "cpu-clock", has_chains=False)])
    made.comm(100, 100, "program")
    made.map(100, program.load, program.size, program.offset, program.path)
    add_samples(made, program, 5, 20000, {("often",): 90, ("main",): 9, ("seldom",): 1})
    made.write(path)
