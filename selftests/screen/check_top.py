#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the screen of top in a terminal: the shares of hot and cold, and the keys of top.

usage: check_top.py PROGRAM PID

PID is a process that spends 3/4 of its time in the function hot and 1/4 in cold. Files are
written to the current directory.
"""
import glob
import re
import signal
import subprocess
import sys

from terminal import Terminal

program, pid = sys.argv[1:]
ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"


def top(*args, **how):
    return Terminal([program, "top", "-q", "-e", "nmi:u", "-p", pid, "-d", "0.5",
                     "-s", "sym", *args], **how)


def share(lines, name):
    """Return the percentage in the row of a function, or 0."""
    for line in lines:
        found = re.match(r"[-+ ]* *([0-9.]+)%.*\] " + name + "$", line)
        if found:
            return float(found.group(1))
    return 0


def has_shares(t):
    return 70 <= share(t.lines(), "hot") <= 80 and 20 <= share(t.lines(), "cold") <= 30


def says(text):
    return lambda t: text in t.line(t.screen.lines - 1)


def end_by(t, action):
    """End top by ACTION(t). It must exit with status 0, and leave the terminal as it was."""
    action(t)
    assert t.end() == 0, t.status
    assert t.has_old_modes()
    rest = t.raw.rsplit(LEAVE_SCREEN, 1)[1]
    rest = re.sub(rb"\x1b(\[[0-9;?]*[a-zA-Z]|[=>]|[()]B)|\r|\x0f", b"", rest)
    assert not rest, rest
    t.close()


def check_keys(t):
    t.send("h")
    t.wait("the help", lambda t: any("pause, or go on" in line for line in t.lines()))
    t.send("\x1b")
    t.wait("the table", has_shares)
    t.send("i")
    t.wait("intervals", lambda t: any(re.match(" *Overhead +Interval +Symbol", line)
                                      for line in t.lines()) and
           any(re.search(r" 7\d\.\d+% +\d+\.\d+-\d+\.\d+ .* hot$", line) for line in t.lines()))
    t.send("i")
    t.wait("no intervals", lambda t: not any("Interval" in line for line in t.lines()))
    t.send("/cold\r")
    t.wait("one row", lambda t: share(t.lines(), "cold") and not share(t.lines(), "hot"))
    t.send("\x1b")
    t.wait("all rows", has_shares)


def check_instructions(t):
    """The page of hot has its instructions and their shares, and top goes on meanwhile."""
    t.send("fhot\r")
    t.wait("the row of hot", lambda t: t.cursor() is not None and
           t.line(t.cursor()).endswith(" hot"))
    t.send("a")
    t.wait("instructions, with the cursor in the hottest one", lambda t: re.match(
        "hot in hotcold, samples shown at ..:..:..$", t.line(0)) and
        t.cursor() is not None and re.match(r" *(9[0-9]|100)\.", t.line(t.cursor())))
    listed = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"/proc/{pid}/exe"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    rows = [re.search(r" ([0-9a-f]+):  ", line) for line in t.lines()]
    addresses = [row.group(1) for row in rows if row]
    assert addresses and all(f" {addr}:" in listed for addr in addresses), addresses
    print("\n".join(t.lines()))
    t.send("\x1b")
    title = t.line(0)
    t.wait("the table", has_shares)
    t.wait("another interval", lambda t: t.line(0) != title)


def has_callers(t):
    return any(re.match(r"\+ .* main$", line) for line in t.lines()) and share(t.lines(), "hot")


def check_flames(t):
    """Boxes are below their callers, and a zoom makes one as wide as the screen."""
    # The first chains end before main, as no unwind table is made yet.
    t.send("z")
    t.wait("whole chains", lambda t: share(t.lines(), "_start") > 95)
    t.send("F")
    t.wait("boxes", lambda t: re.match("Call paths of event 'nmi:u', samples shown at ", t.line(0))
           and any(re.match(r"\|hot +\|cold", line) for line in t.lines()) and
           t.line(t.screen.lines - 1).startswith("100.00%, self 0.00%  all"))
    level = [line.startswith("|hot ") for line in t.lines()].index(True) - 2
    hot = t.line(2 + level).index("|cold")
    assert 52 <= hot <= 68, hot
    print("\n".join(t.lines()))
    t.send("j" * level)
    t.wait("the box of hot", lambda t: re.match(r"[0-9.]+%, self .*  hot$",
                                                t.line(t.screen.lines - 1)))
    t.send("\r")
    t.wait("a zoom", lambda t: ", zoom: " in t.line(1) and t.line(2) == "|hot")
    t.send("z")
    t.wait("all boxes", lambda t: ", zoom: " not in t.line(1))
    t.send("\x1b")
    t.wait("the table", has_callers)


def check_pause(t):
    t.send("Z")
    t.wait("a message", says("paused"))
    title = t.line(0)
    while t.read(2):
        assert t.line(0) == title, (title, t.line(0))
    t.send("Z")
    t.wait("another interval", lambda t: t.line(0) != title)


def check_file(t):
    t.send("w")
    t.wait("a message", says("written: "))
    [name] = glob.glob("tprof-top-*.data")
    printed = subprocess.run([program, "report", "-i", name, "--stdio", "-s", "sym"], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    hot, cold = share(printed.splitlines(), "hot"), share(printed.splitlines(), "cold")
    assert 70 <= hot <= 80 and 20 <= cold <= 30, printed


def check_resize(t):
    t.resize(200, 60)
    t.wait("a larger screen", lambda t: t.line(59) and has_shares(t))
    t.resize(80, 24)
    t.wait("a smaller screen", lambda t: t.line(23) and has_shares(t))


terminal = top()
terminal.wait("hot and cold", has_shares)
print("\n".join(terminal.lines()[:8]))
check_keys(terminal)
check_instructions(terminal)
check_pause(terminal)
check_file(terminal)
check_resize(terminal)
end_by(terminal, lambda t: t.send("q"))
for number in (signal.SIGTERM, signal.SIGINT):
    terminal = top()
    terminal.wait("a table", lambda t: ENTER_SCREEN in t.raw and share(t.lines(), "hot"))
    end_by(terminal, lambda t, number=number: t.kill(number))
terminal = top("-g")
terminal.wait("a table with call trees", has_callers)
print("\n".join(terminal.lines()))
check_flames(terminal)
end_by(terminal, lambda t: t.send("q"))
terminal = top("-n", "3")
end_by(terminal, lambda t: None)
