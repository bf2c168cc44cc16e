#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the screen of top in a terminal.

usage: check_top.py PROGRAM PID TEST

PID is a process that spends 3/4 of its time in the function hot and 1/4 in cold. TEST is a
function test_TEST(). Files are written to the current directory.
"""
import glob
import os
import re
import signal
import subprocess
import sys

from table_keys import (HEAD, at, by_help, check_colours, check_restored, expand, first_line, fold,
                        help_rows, is_folded, is_open, page_down, page_up, press, says, settle,
                        shown_rows, words)
from terminal import Terminal

program, pid, name_of_test = sys.argv[1:]


def top(*args, keys="sym", **how):
    return Terminal([program, "top", "-q", "-e", "nmi:u", "-p", pid, "-d", "0.5",
                     "-s", keys, *args], **how)


def share(lines, name):
    """Return the percentage in the row of a function, or 0."""
    for line in lines:
        row = re.match(r"[-+ ]* *([0-9.]+)%.*\] " + name + "$", line)
        if row:
            return float(row.group(1))
    return 0


def has_shares(t):
    return 70 <= share(t.lines(), "hot") <= 80 and 20 <= share(t.lines(), "cold") <= 30


def end_by(t, action, status=0):
    """End top by ACTION(t). It must exit with STATUS, and leave the terminal as it was."""
    action(t)
    assert t.end() == status, t.status
    check_restored(t)
    t.close()


def go_to(t, name):
    press(t, f"f^{name}$\r", f"the row of {name}", lambda t: t.cursor() is not None and
          t.line(t.cursor()).endswith(" " + name))
    settle(t)


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


def check_resize(t):
    t.resize(200, 60)
    t.wait("a larger screen", lambda t: t.line(59) and has_shares(t))
    t.resize(80, 24)
    t.wait("a smaller screen", lambda t: t.line(23) and has_shares(t))


def paused():
    """Return a terminal with a table that does not change. Its call trees begin at _start."""
    t = top("-g", "-z", "-e", "timer:u", keys="pid,comm,dso,sym", size=LARGE)
    # The first chains end before main, as no unwind table is made yet.
    t.wait("whole chains", lambda t: share(t.lines(), "_start") > 95 and share(t.lines(), "hot"))
    press(t, "Z", "a message", says("paused"))
    press(t, "g", "the first line", at(HEAD))
    settle(t)
    return t


# Each function is about the keys of a line of the help. It gets a terminal of paused().

def last_line(t, key):
    last = shown_rows(t)[-1]
    press(t, "g", "the first line", at(HEAD))
    press(t, key, "the last line", lambda t: t.cursor() is not None and
          words(t.line(t.cursor())) == last and t.cursor() == HEAD + len(shown_rows(t)) - 1)


def of_hot(function):
    """Return a function that goes to the row of hot first."""
    def go_first(t, key):
        go_to(t, "hot")
        function(t, key)
    return go_first


def expand_all(t, key):
    go_to(t, "main")
    press(t, key, "a call tree", is_open)
    settle(t)
    tree = [line for line in t.lines()[t.cursor() + 1:-1] if line.startswith("    ")]
    assert tree and not any(line.lstrip().startswith("+ ") for line in tree), tree


def only_filter(t, key):
    press(t, key, "a question", says("filter: _"))
    press(t, "^(HOT|COLD)$\r", "no line", lambda t: "0 of" in t.line(1))
    press(t, "Esc", "all lines", lambda t: "/" not in t.line(1))
    press(t, key, "a question", says("filter: _"))
    press(t, "^(hot|cold)$\r", "two lines", lambda t: t.line(1).startswith("2 of "))
    settle(t)
    assert sorted(row[-1] for row in shown_rows(t)) == ["cold", "hot"], t.lines()


def find(t, key):
    press(t, key, "a question", says("find: _"))
    press(t, "^hot$\r", "a line", lambda t: t.line(t.cursor()).endswith(" hot"))


def parent(t, key):
    go_to(t, "hot")
    press(t, "+", "a call tree", is_open)
    press(t, "jj", "a function that another one calls", lambda t: re.match(
        r"      [-+] ", t.line(t.cursor())))
    settle(t)
    above = t.line(t.cursor() - 1).split()[-1]
    press(t, key, "a zoom", lambda t: f": below {above}" in t.line(1) and
          re.match(r"  - .* " + re.escape(above) + "$", t.line(HEAD)))


def annotate(t, key):
    """The page is about the samples of the table, though top has taken others since."""
    go_to(t, "cold")
    self_share = re.findall(r"[0-9.]+%", t.line(t.cursor()))[-1]
    press(t, key, "instructions", lambda t: re.match("cold in hotcold, samples shown at ..:..:..$",
                                                     t.line(0)))
    settle(t)
    assert "*" in t.line(t.cursor()), t.lines()
    assert f"# {self_share} of " in "\n".join(t.lines()), (self_share, t.lines())


def show_flames(t, key):
    press(t, key, "boxes", lambda t: t.line(0).startswith("Call paths of event 'nmi:u'") and
          any(line.startswith("|hot ") for line in t.lines()))


def intervals(t, key):
    press(t, key, "intervals", lambda t: any(re.match(" *Children +Interval +Self +Interval ", line)
                                             for line in t.lines()) and
          any(re.search(r" \d+\.\d+% +\d+\.\d+-\d+\.\d+ .* hot$", line) for line in t.lines()))
    press(t, key, "no intervals", lambda t: not any("Interval" in line for line in t.lines()))


def pause(t, key):
    """The table goes on, and stays as it is after KEY."""
    title = t.line(0)
    press(t, key, "another interval", lambda t: t.line(0) != title)
    press(t, key, "a message", says("paused"))
    title = t.line(0)
    while t.read(2):
        assert t.line(0) == title, (title, t.line(0))


def zero(t, key):
    """While the process is stopped, samples of older intervals are shown only if they fade."""
    press(t, key, "a message", says("from now on, samples fade"))
    press(t, "Z", "going on", has_samples)
    os.kill(int(pid), signal.SIGSTOP)
    try:
        t.wait("an interval without samples", lambda t: "nmi:u: 0 samples, " in t.line(0))
        settle(t)
        assert share(t.lines(), "hot") and not t.line(1).startswith("0 of "), t.lines()
        press(t, key, "a message", says("from now on, the last interval only"))
        t.wait("no samples", lambda t: t.line(1).startswith("0 of 0 lines"))
    finally:
        os.kill(int(pid), signal.SIGCONT)
    t.wait("samples", has_samples)
    press(t, "Z", "a message", says("paused"))


def has_samples(t):
    return share(t.lines(), "hot") and re.match(r"nmi:u: [1-9]", t.line(0))


def write(t, key):
    press(t, key, "a message", says("written: "))
    [name] = glob.glob("tprof-top-*.data")
    printed = subprocess.run([program, "report", "-i", name, "--stdio", "-s", "sym",
                              "--no-children"], check=True, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True).stdout
    os.unlink(name)
    shares = [share(printed.splitlines(), function) for function in ("hot", "cold")]
    assert all(shares), printed
    return shares


def next_event(t, key):
    press(t, key, "the other event", lambda t: t.line(0).startswith("timer:u: "))
    press(t, key, "the first event again", lambda t: t.line(0).startswith("nmi:u: "))


# What each line of the help says, and what shows it.
BY_HELP = by_help(shown_rows, "^(hot|cold)$", ["hot", "cold"], 4)
BY_HELP |= {
    "pause, or go on": pause,
    "show the last interval only, or add older samples": zero,
    "show the confidence interval of each percentage, or hide it": intervals,
    "write the samples that are shown to a file": write,
    "go to the last line": last_line,
    "show the call tree of the line, or more of it": of_hot(expand),
    "fold the line, or go to the line that it is below": of_hot(fold),
    "show all of the call tree of the line": expand_all,
    "show only lines with a text or a regular expression": only_filter,
    "find a text or a regular expression": find,
    "zoom into the parent: the function above in a call tree, or the key parent": parent,
    "show the next event": next_event,
    "show the previous event": next_event,
    "show the instructions of the line's function": annotate,
    "show all call paths as a flame graph": show_flames,
}

CLEAR = re.compile(rb"\x1b\[[2H]?J")
LARGE, SMALL = (120, 40), (120, HEAD + 5)

# These need a table of more than one page.
PAGED = (page_up, page_down, first_line)


def resize(t, size):
    before = len(t.raw)
    t.resize(*size)
    t.wait("the table", lambda t: CLEAR.search(t.raw[before:]) and t.cursor() is not None)
    settle(t)


def bring_back(t):
    """Bring the table back as it was: leave pages, undo zooms, fold rows, go to the first row."""
    while True:
        press(t, "Esc", "a table", lambda t: t.line(0).startswith("nmi:u: "))
        settle(t)
        if not re.search(r": (comm|pid|dso|below|/)", t.line(1)):
            break
    t.send("<")
    while "sorted by" in t.line(1) and "sorted by children" not in t.line(1):
        t.send("s")
        settle(t)
    if t.screen.lines != LARGE[1]:
        resize(t, LARGE)
    press(t, "g", "the first line", at(HEAD))
    for y, line in enumerate(t.lines()):
        if line.startswith("- "):
            press(t, "g" + "j" * (y - HEAD), "an open row", at(y))
            press(t, "-", "no call tree", is_folded)
            break
    press(t, "g", "the first line", at(HEAD))
    settle(t)


def test_keys():
    """Each key does what the help says, and the help has no other keys."""
    t = paused()
    table = help_rows(t)
    print("\n".join(t.lines()))
    assert {text for _, text in table} == set(BY_HELP), table
    for key, text in [(key, text) for keys, text in table for key in keys]:
        bring_back(t)
        if BY_HELP[text] in PAGED:
            resize(t, SMALL)
        try:
            BY_HELP[text](t, key)
        except Exception as error:
            raise AssertionError(f"{key}: {text}: {error}") from error
    assert text == "quit"


def test_screen():
    """The shares are those of the process, at all sizes of the screen."""
    t = top()
    t.wait("hot and cold", has_shares)
    print("\n".join(t.lines()[:8]))
    check_instructions(t)
    hot, cold = write(t, "w")
    assert 70 <= hot <= 80 and 20 <= cold <= 30, (hot, cold)
    check_resize(t)
    end_by(t, lambda t: t.send("q"))
    t = top("-g")
    t.wait("a table with call trees", has_callers)
    print("\n".join(t.lines()))
    check_flames(t)
    end_by(t, lambda t: t.send("q"))


def test_colours():
    def start(**how):
        t = top("-z", **how)
        t.wait("hot and cold", has_shares)
        return t

    check_colours(start)


def test_ends():
    """However top ends, it leaves the terminal as it was."""
    pages = {"table": lambda t: None,
             "help": lambda t: press(t, "h", "the help", lambda t: t.line(0) == "Keys"),
             "paused": lambda t: press(t, "Z", "a message", says("paused"))}
    for number, page, status in ((signal.SIGTERM, "table", 0), (signal.SIGHUP, "table", 0),
                                 (signal.SIGTERM, "help", 0), (signal.SIGHUP, "paused", 0),
                                 (signal.SIGINT, "table", 0),
                                 (signal.SIGQUIT, "table", -signal.SIGQUIT)):
        t = top()
        t.wait("a table", lambda t: share(t.lines(), "hot"))
        pages[page](t)
        end_by(t, lambda t, number=number: t.kill(number), status)
    end_by(top("-n", "3"), lambda t: None)


globals()["test_" + name_of_test]()
