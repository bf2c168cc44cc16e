#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the screen of report in a terminal, and print a result line for each test.

usage: check_screen.py PROGRAM RECORDING
"""
import os
import re
import signal
import subprocess
import sys
import traceback

from table_keys import (HEAD, at, by_help, check_colours, check_restored, help_rows, is_open, press,
                        says, settle, words)
from terminal import Terminal

SIZES = ((80, 24), (200, 60))
FOOT = "h: help"

program, recording = sys.argv[1:]
failed = 0


def report(*args, **how):
    """Start report in a terminal, and wait for its first screen."""
    return begin([program, "report", "-i", recording, "--whole-names", *args], **how)


def begin(argv, **how):
    terminal = Terminal(argv, **how)
    terminal.wait("the table", lambda t: t.cursor() == HEAD and t.line(t.screen.lines - 1))
    return terminal


def printed(*args):
    """Return what report prints."""
    return subprocess.run([program, "report", "-i", recording, *args], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def printed_rows(*args):
    """Return the rows of the first table that report prints, as lists of words."""
    table = printed("--stdio", *args).split("# Samples:")[1].split("\n\n")[0]
    return [line.split() for line in table.splitlines() if line and "#" not in line[:1]][1:]


# Each function is about the keys of a line of the help. It gets a terminal with the table.

def last_line(t, key):
    last = printed_rows()[-1]
    press(t, key, "last line", lambda t: words(t.line(t.screen.lines - 2)) == last)


def branches(t):
    return sum(line.startswith("    ") and not line.strip().startswith("0.") and
               not re.match(r" +\d", line[:8]) for line in t.lines()[HEAD + 1:-1])


def expand_all(t, key):
    press(t, "+", "a call tree", is_open)
    settle(t)
    some = branches(t)
    press(t, key, "all of a tree", lambda t: branches(t) > some and
          not any(re.match(r"    + *\+ ", line) for line in t.lines()[HEAD + 1:]))


def only_filter(t, key):
    press(t, key, "a question", says("filter: _"))
    t.send("^(SORT|HASH)$\r")
    t.wait("no line", lambda t: "0 of" in t.line(1))
    press(t, "Esc", "all lines", lambda t: "/" not in t.line(1))
    t.send(key + "^(sort|hash)$\r")
    t.wait("some lines", lambda t: ": /" in t.line(1))
    settle(t)
    rows = [line for line in t.lines()[HEAD:-1] if line]
    wanted = [row for row in printed_rows() if row[-1] in ("sort", "hash")]
    assert [words(row) for row in rows] == wanted, rows


def find(t, key):
    press(t, key, "a question", says("find: _"))
    t.send("hash\r")
    t.wait("a line", lambda t: t.line(t.cursor()).endswith(" hash"))


def parent(t, key):
    press(t, "*jjj", "a tree", at(HEAD + 3))
    settle(t)
    name = t.line(HEAD + 1).split()[-1] if t.line(HEAD + 3).startswith("      ") else ""
    assert name, t.lines()
    press(t, key, "a zoom",
          lambda t: ": below " in t.line(1) and t.line(HEAD).startswith("  - "))


def next_event(t, key):
    press(t, key, "another event", lambda t: "'nmi'" not in t.line(0))


def annotate(t, key):
    press(t, "j" * 4, "a function", at(HEAD + 4))
    t.send("/^hash$\r")
    t.wait("the function", lambda t: ": /" in t.line(1))
    press(t, key, "instructions", lambda t: t.line(0).startswith("hash in "))
    settle(t)
    addresses = re.findall(r"\b([0-9a-f]{6}):  ", "\n".join(t.lines()))
    listed = subprocess.run([program, "annotate", "-i", recording, "--stdio", "hash"],
                            check=True, stdout=subprocess.PIPE, text=True).stdout
    assert addresses and all(f"{addr}:  " in listed for addr in addresses)
    assert "*" in t.line(t.cursor()), "the cursor is in the hottest line"


def flames(t, key):
    press(t, key, "boxes", lambda t: t.line(0).startswith("Call paths: ") and
          says("100.00%, self")(t))
    width = t.screen.columns
    assert t.line(HEAD - 1).startswith("|all"), t.lines()
    assert t.line(HEAD).startswith("|") and len(t.line(HEAD)) <= width, t.lines()
    press(t, "j", "the widest thread", lambda t: not says("  all")(t))
    foot = t.line(t.screen.lines - 1)
    press(t, "Enter", "a zoom", lambda t: ", zoom: " in t.line(1))
    press(t, "Backspace", "no zoom", lambda t: ", zoom: " not in t.line(1) and says(foot)(t))
    press(t, "Esc", "the table", lambda t: t.line(0).startswith("Samples"))


BY_HELP = by_help(lambda t: printed_rows("-s", "pid,comm,dso,sym"), "hash", ["hash"], 3)
BY_HELP |= {
    "go to the last line": last_line,
    "show all of the call tree of the line": expand_all,
    "show only lines with a text or a regular expression": only_filter,
    "find a text or a regular expression": find,
    "zoom into the parent: the function above in a call tree, or the key parent": parent,
    "show the next event": next_event,
    "show the previous event": next_event,
    "show the instructions of the line's function": annotate,
    "show all call paths as a flame graph": flames,
}


def test_keys():
    """Each key does what the help says, and the help has no other keys."""
    t = report(size=(120, 60))
    table = help_rows(t)
    t.close()
    assert {text for _, text in table} == set(BY_HELP), table
    for keys, text in table:
        for key in keys:
            zooms = "zoom into the" in text and "parent" not in text
            t = report(*(["-s", "pid,comm,dso,sym"] if zooms else []))
            try:
                BY_HELP[text](t, key)
            except Exception as error:
                raise AssertionError(f"{key}: {text}: {error}") from error
            finally:
                t.close()


def test_rows_are_those_of_stdio():
    for size in SIZES:
        rows = printed_rows()
        t = report(size=size)
        shown = [words(line) for line in t.lines()[HEAD:-1] if line]
        # A narrow screen cuts long names.
        wanted = rows[:len(shown)]
        assert len(shown) == min(size[1] - HEAD - 1, len(rows)), size
        for one, two in zip(shown, wanted):
            assert one == two or (size[0] == 80 and one[:3] == two[:3]), (one, two)
        t.close()


def test_source_lines_fold():
    """The page of instructions has what annotate prints, and can hide each kind of lines."""
    def listing(*args):
        return [line.rstrip() for line in subprocess.run(
            [program, "annotate", "-i", recording, "--stdio", "hash", *args], check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()]

    def shown(t):
        settle(t)
        lines = t.lines()[2:-1]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    t = report(size=(200, 60))
    press(t, "/^hash$\r", "the function", lambda t: ": /" in t.line(1))
    press(t, "a", "instructions", lambda t: t.line(0).startswith("hash in "))
    assert shown(t) == listing(), shown(t)
    star = t.line(t.cursor())
    assert re.match(r"( +\d+\.\d\d\*){2} ", star), "each event has a column"
    press(t, "g", "the first line", at(2))
    press(t, "H", "the hottest line", lambda t: t.cursor() and t.line(t.cursor()) == star)
    press(t, "s", "instructions", lambda t: t.line(1).endswith(": instructions only"))
    assert shown(t) == listing("--no-source"), shown(t)
    assert t.line(t.cursor()) == star, "the cursor stays"
    press(t, "s", "source lines", lambda t: t.line(1).endswith(": source lines only"))
    lines = [line for line in shown(t) if "; recording.c:" in line]
    sums = [sum(float(line[i:i + 7].strip() or 0) for line in lines) for i in (0, 8)]
    assert len(lines) == 3 and all(abs(each - 100) < 0.1 for each in sums), lines
    assert not any(re.search(r"[0-9a-f]{6}:  ", line) for line in shown(t)), shown(t)
    press(t, "s", "both", lambda t: re.match(r"line \d+ of \d+$", t.line(1)))
    assert shown(t) == listing(), shown(t)
    press(t, "h", "the help", lambda t: t.line(0) == "Keys")
    settle(t)
    helps = dict(re.match(r"  (.{24})  (.*)", line).groups() for line in shown(t))
    assert "H".ljust(24) in helps and "only" in helps["s".ljust(24)], helps
    t.close()


def test_trees_are_those_of_option_g():
    """Without -g, trees are read later. Zooms stay, and the trees are the same."""
    screens = []
    for options in ([], ["-g"]):
        t = report(*options, size=(120, 60))
        press(t, "jjjd", "a zoom", lambda t: ": dso" in t.line(1) and t.cursor() == HEAD + 3)
        press(t, "*", "a tree", lambda t: t.line(HEAD + 3).startswith("- "))
        settle(t)
        screens.append(t.lines())
        t.close()
    assert screens[0] == screens[1], screens


def test_resize():
    t = report(size=(80, 24))
    for size in ((200, 60), (60, 12), (80, 24)):
        t.resize(*size)
        fresh = report(size=size)
        settle(fresh)
        wanted = fresh.lines()
        fresh.close()
        t.send("~")
        t.wait(f"the table of {size}", lambda t: t.lines()[:3] == wanted[:3] and
               len([line for line in t.lines() if line]) == len([w for w in wanted if w]))
    t.resize(30, 4)
    t.wait("a request", lambda t: t.line(0) == "enlarge this window")
    t.close()


def test_colours():
    check_colours(report)


def test_quit_restores_the_terminal():
    t = report()
    t.send("q")
    assert t.end() == 0
    check_restored(t)
    t.close()


def test_signals_restore_the_terminal():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT,
                   signal.SIGSEGV, signal.SIGABRT):
        t = report()
        t.kill(number)
        assert t.end() == -number, (number, t.status)
        check_restored(t)
        t.close()
    t = report()
    t.send("\x03")
    assert t.end() == -signal.SIGINT
    check_restored(t)
    t.close()


def test_stop_restores_the_terminal():
    """A shell with job control stops report by Ctrl-Z, and lets it continue."""
    script = (f"set -m; '{program}' report -i '{recording}'; "
              "echo is stopped; read -r line; fg >/dev/null; echo is over")
    t = Terminal(["bash", "-c", script])
    t.wait("the table", at(HEAD))
    t.send("\x1a")
    t.wait("the shell", lambda t: b"is stopped" in t.raw)
    assert t.has_old_modes()
    assert b"\x1b[?1049l" in t.raw
    t.screen.reset()
    t.send("\n")
    t.wait("the table", at(HEAD))
    t.send("jq")
    assert t.end() == 0
    assert t.raw.endswith(b"is over\r\n"), t.raw[-80:]
    assert t.has_old_modes()
    t.close()


def test_signal_ends_report_in_the_background():
    """A report that was sent to the background stops until kill(1) ends it."""
    script = (f"set -m; '{program}' report -i '{recording}'; echo is stopped; read -r line; bg; "
              "until [[ $(jobs -s) ]]; do sleep 0.1; done; kill %1; "
              "while [[ $(jobs -s) ]]; do sleep 0.1; done; echo is over")
    t = Terminal(["bash", "-c", script])
    t.wait("the table", at(HEAD))
    t.send("\x1a")
    t.wait("the shell", lambda t: b"is stopped" in t.raw)
    t.send("\n")
    assert t.end() == 0
    assert t.raw.endswith(b"is over\r\n"), t.raw[-80:]
    assert t.has_old_modes()
    t.close()


def test_dumb_terminal_needs_stdio():
    """A VT52 can move its cursor, but cannot mark a line."""
    for term in ("dumb", "vt52"):
        t = Terminal([program, "report", "-i", recording], term=term)
        assert t.end() == 1, term
        assert f"'{term}' cannot show a screen; use --stdio".encode() in t.raw, t.raw
        t.close()


def test_symbols_are_seen_at_80_columns():
    wanted = {row[-1] for row in printed_rows()}
    t = begin([program, "report", "-i", recording, "--confidence", "-g"])
    rows = [words(line) for line in t.lines()[HEAD:-1] if "[.]" in line or "[k]" in line]
    t.close()
    assert len(rows) > 10, rows
    assert all(row[-1] in wanted for row in rows if len(row[-1]) < 12), rows


def test_lines_of_stdio_fit_the_terminal():
    for options, fits in (((), True), (("--whole-names",), False)):
        t = Terminal([program, "report", "-i", recording, "--stdio", *options], size=(50, 24))
        assert t.end() == 0
        lines = [line for line in t.raw.decode().replace("\r", "").splitlines() if line[:1] == " "]
        t.close()
        assert lines and all(len(line) <= 50 for line in lines) == fits, options


def test_pipe_gets_the_table():
    script = f"'{program}' report -i '{recording}' 2>/dev/null | cat"
    t = Terminal(["sh", "-c", script], size=(200, 60))
    assert t.end() == 0
    assert t.raw.decode().replace("\r\n", "\n") == printed("--stdio")
    t.close()


def test_stdin_can_be_the_recording():
    t = Terminal(["sh", "-c", f"'{program}' report -i - <'{recording}'"])
    t.wait("the table", at(HEAD))
    t.send("a")
    t.wait("a message", says("stdin cannot be read again"))
    t.send("q")
    assert t.end() == 0
    check_restored(t)
    t.close()


def test_hostile_names_are_escaped():
    t = report("-s", "comm,sym", size=(200, 60))
    assert any("\\x" in line for line in t.lines())
    t.close()


def test_shell_goes_on_in_tmux():
    """After report, the window of tmux has what it had before."""
    tmux = ["tmux", "-L", f"tprof-screen-{os.getpid()}", "-f", "/dev/null"]
    command = f"echo before; '{program}' report -i '{recording}'; echo after; read x"
    subprocess.run([*tmux, "new-session", "-d", "-x", "80", "-y", "24", command], check=True)
    try:
        wait_in_tmux(tmux, lambda pane: FOOT in pane or "samples;" in pane)
        subprocess.run([*tmux, "resize-window", "-x", "100", "-y", "30"], check=True)
        subprocess.run([*tmux, "send-keys", "j"], check=True)
        wait_in_tmux(tmux, lambda pane: FOOT in pane.splitlines()[-1])
        subprocess.run([*tmux, "send-keys", "q"], check=True)
        pane = wait_in_tmux(tmux, lambda pane: "after" in pane)
        assert pane.split() == ["before", "after"], pane
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)


def wait_in_tmux(tmux, condition):
    for _ in range(600):
        pane = subprocess.run([*tmux, "capture-pane", "-p"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        if condition(pane):
            return pane
        subprocess.run(["sleep", "0.1"], check=True)
    raise AssertionError(pane)


for name, test in list(globals().items()):
    if not name.startswith("test_"):
        continue
    try:
        test()
        print(f"ok {name[5:]}", flush=True)
    except Exception:
        failed += 1
        print(f"not ok {name[5:]}", flush=True)
        traceback.print_exc()
sys.exit(1 if failed else 0)
