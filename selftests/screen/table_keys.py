# SPDX-License-Identifier: GPL-2.0-only
"""What the keys of a table do in report and in top.

Each function presses a key in a terminal that shows a table, with the cursor in its first row
unless something else is said, and waits for the effect. It may leave the screen changed.
"""
import base64
import re

HEAD = 3  # lines above the rows
KEYS = {"Up": "\x1bOA", "Down": "\x1bOB", "Right": "\x1bOC", "Left": "\x1bOD",
        "PgUp": "\x1b[5~", "PgDn": "\x1b[6~", "Home": "\x1b[1~", "End": "\x1b[4~",
        "Shift-Tab": "\x1b[Z", "Tab": "\t", "Enter": "\r", "Esc": "\x1b",
        "Backspace": "\x7f", "Space": " ", "Ctrl-L": "\x0c"}
LEAVE_SCREEN = b"\x1b[?1049l"


def press(terminal, key, what, condition):
    terminal.send(KEYS.get(key, key))
    return terminal.wait(what, condition)


def says(text):
    return lambda t: text in t.line(t.screen.lines - 1)


def settle(terminal):
    """Wait until the effects of all keys are on the screen."""
    press(terminal, "f", "a question", says("find: _"))
    press(terminal, "Enter", "no question", lambda t: not says("find: _")(t))


def at(y):
    return lambda t: t.cursor() == y


def words(line):
    return re.sub(r"^[-+ ] ", "", line).split()


def shown_rows(t):
    """Return the rows on the screen, as lists of words."""
    return [words(line) for line in t.lines()[HEAD:-1] if line]


def help_rows(t):
    """Open the help. Return its lines: a list of keys, and what they do."""
    press(t, "h", "the help", lambda t: t.line(0) == "Keys")
    settle(t)
    table = [re.match(r"  (.{24})  (.*)", line).groups() for line in t.lines()[2:-1] if line]
    return [(re.split(r", (?!$)", keys.strip()), text) for keys, text in table]


def up(t, key):
    press(t, "jj", "down", at(HEAD + 2))
    press(t, key, "up", at(HEAD + 1))


def down(t, key):
    press(t, key, "down", at(HEAD + 1))


def page_up(t, key):
    press(t, "G", "last line", at(t.screen.lines - 2))
    settle(t)
    last = t.line(t.screen.lines - 2)
    press(t, key, "a page up", lambda t: t.line(t.screen.lines - 2) != last and
          t.cursor() is not None)


def page_down(t, key):
    first = t.line(HEAD)
    press(t, key, "a page down", lambda t: t.line(HEAD) != first and t.cursor() is not None)


def first_line(t, key):
    press(t, "G", "last line", at(t.screen.lines - 2))
    press(t, key, "first line", at(HEAD))


def scroll_left(t, key):
    whole = t.line(HEAD)
    press(t, ">", "the right", lambda t: t.line(HEAD) == whole[8:])
    press(t, key, "the left", lambda t: t.line(HEAD) == whole)


def scroll_right(t, key):
    whole = t.line(HEAD)
    press(t, key, "the right", lambda t: t.line(HEAD) == whole[8:])


def is_open(t):
    y = t.cursor()
    return y and t.line(y).startswith("- ") and t.line(y + 1).startswith("    ")


def is_folded(t):
    return t.cursor() and t.line(t.cursor()).startswith("+ ")


def expand(t, key):
    assert is_folded(t), t.lines()
    press(t, key, "a call tree", is_open)


def fold(t, key):
    press(t, "+", "a call tree", is_open)
    press(t, key, "no call tree", is_folded)


def undo(t, key):
    title = t.line(0)
    press(t, "jd", "a zoom", lambda t: ": dso" in t.line(1))
    press(t, key, "no zoom", lambda t: ": dso" not in t.line(1) and t.cursor() == HEAD + 1)
    press(t, "h", "the help", lambda t: t.line(0) == "Keys")
    press(t, key, "the table", lambda t: t.line(0) == title)


def found(t, key, step, pattern, names):
    """Go from the first row with one of NAMES to the second one, or back."""
    hits = [HEAD + i for i, row in enumerate(shown_rows(t)) if row[-1] in names]
    assert len(hits) > 1, t.lines()
    t.send(f"f{pattern}\r")
    t.wait("the first one", at(hits[0]))
    if step < 0:
        press(t, "n", "the second one", at(hits[1]))
    press(t, key, "the other one", at(hits[1] if step > 0 else hits[0]))


def sort(t, key):
    press(t, key, "sorted", lambda t: "sorted by self" in t.line(1))
    settle(t)
    shares = [float(row[1][:-1]) for row in shown_rows(t)]
    assert shares == sorted(shares, reverse=True), shares


def sort_back(t, key, column):
    """COLUMN is the number of the column dso."""
    press(t, key, "sorted", lambda t: "sorted by sym" in t.line(1))
    press(t, key, "sorted", lambda t: "sorted by dso" in t.line(1))
    settle(t)
    names = [row[column] for row in shown_rows(t)]
    assert names == sorted(names), names


def zoom(t, key, word, column, rows):
    """COLUMN of ROWS, which are all rows, is the key WORD."""
    wanted = words(t.line(HEAD))[column]
    count = sum(row[column] == wanted for row in rows)
    press(t, key, "a zoom", lambda t: f": {word} {wanted}" in t.line(1))
    settle(t)
    assert t.line(1).startswith(f"{count} of "), t.line(1)


def copy(t, key):
    name = words(t.line(HEAD))[-1]
    press(t, key, "a message", says("copied: " + name))
    assert b"\x1b]52;c;" + base64.b64encode(name.encode()) + b"\x07" in t.raw


def redraw(t, key):
    before, lines = len(t.raw), t.lines()
    t.screen.reset()
    press(t, key, "the table", lambda t: t.lines()[:-1] == lines[:-1])
    assert re.search(rb"\x1b\[[2H]?J", t.raw[before:])


def show_help(t, key):
    press(t, key, "the help", lambda t: t.line(0) == "Keys")


def leave(t, key):
    t.send(key)
    assert t.end() == 0
    check_restored(t)


def by_help(all_rows, pattern, names, dso):
    """Return what lines of the help say, and what shows it: the keys of all tables.

    ALL_ROWS(t) returns the rows by pid,comm,dso,sym. PATTERN finds the rows of functions with
    one of NAMES. DSO is the number of the column dso.
    """
    def zoom_by(word, column):
        return lambda t, key: zoom(t, key, word, column, all_rows(t))

    return {
        "go up a line": up,
        "go down a line": down,
        "go up a page": page_up,
        "go down a page": page_down,
        "go to the first line": first_line,
        "scroll to the left": scroll_left,
        "scroll to the right; long names are whole there": scroll_right,
        "show the call tree of the line, or more of it": expand,
        "fold the line, or go to the line that it is below": fold,
        "undo the last zoom or filter, or leave this page": undo,
        "find the next one": lambda t, key: found(t, key, 1, pattern, names),
        "find the previous one": lambda t, key: found(t, key, -1, pattern, names),
        "sort by the next column": sort,
        "sort by the previous column": lambda t, key: sort_back(t, key, dso),
        "zoom into the thread of the line": zoom_by("comm", 3),
        "zoom into the process of the line": zoom_by("pid", 2),
        "zoom into the binary (DSO) of the line": zoom_by("dso", 4),
        "copy the name in the line to the clipboard": copy,
        "draw the screen again": redraw,
        "show this help": show_help,
        "quit": leave,
    }


def colours(raw):
    return {m for m in re.findall(rb"\x1b\[([0-9;]*)m", raw)
            if re.search(rb"(^|;)([39][0-7]|38;5;\d+)(;|$)", m)}


def check_colours(start):
    """START(**how) returns a terminal of that kind, which shows the table."""
    few, many, none = (start(term=term) for term in ("linux", "screen-256color", "vt100"))
    unwanted = start(NO_COLOR="1")
    for t in (few, many, none, unwanted):
        press(t, "j", "down", at(HEAD + 1))
    assert any(b"31" in colour for colour in colours(few.raw)), colours(few.raw)
    assert any(b"38;5;196" in colour for colour in colours(many.raw)), colours(many.raw)
    assert not colours(none.raw) and not colours(unwanted.raw)
    for t in (few, many, none, unwanted):
        t.close()


def check_restored(t):
    """The terminal has its modes, and nothing is written after the end of the screen."""
    assert t.has_old_modes(), "modes of the terminal"
    last = t.raw.rsplit(LEAVE_SCREEN, 1)
    assert len(last) == 2, "the second screen is left"
    rest = re.sub(rb"\x1b(\[[0-9;?]*[a-zA-Z]|[=>]|[()]B)|\r|\x0f", b"", last[1])
    assert not rest, rest
    assert b"\x1b[?25h" in t.raw or b"\x1b[34h" in t.raw, "the cursor is shown"
