# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the instructions in a page, beside annotate."""
from selenium.webdriver.common.keys import Keys

from edit_tests import select

SHOWN = """const { code } = tprof; return {
    hidden: code.place.hidden, title: code.title.textContent,
    rows: code.list ? code.list.length : 0, drawn: code.rows.querySelectorAll('[role=row]').length };"""

# The weights of all instructions of a function, by offset.
WEIGHTS = """const { code } = tprof, weights = {};
    for (const row of code.list)
        if (rowWeight(row, code.column))
            weights[row[1]] = rowWeight(row, code.column);
    return weights;"""


# How long the slowest function takes to show, in ms. Other load cannot make all of 5 tries longer.
TIMES = """return Math.max(...tprof.data.names.map((name, i) => {
    const tries = Array.from({ length: 5 }, () => {
        const begun = performance.now();
        tprof.select(-1);
        tprof.select(i);
        document.body.offsetHeight;
        return performance.now() - begun; });
    return Math.min(...tries); }));"""


def annotated(function, event):
    """What annotate has of a function: the weights by offset."""
    start = int(function["address"], 16)
    return {str(int(one["address"], 16) - start): one["events"][event]["period"]
            for one in function["instructions"]
            if "events" in one and one["events"][event]["period"]}


def test_weights(browser, check, annotate):
    """Instructions have the weights of annotate, for each event."""
    events = [one["event"] for one in annotate["events"]]
    known = [one for one in annotate["functions"] if one["instructions"]]
    check(len(known) > 3, f"annotate knows {len(known)} functions of the recording")
    for at, event in enumerate(events):
        browser.choose_event(event)
        for function in known:
            wanted = annotated(function, at)
            if not wanted:
                continue
            browser.js("tprof.select(tprof.data.names.indexOf(arguments[0]))", function["function"])
            check(browser.js(WEIGHTS) == wanted,
                  f"{event}, {function['function']}: instructions have the weights of annotate")
    check(browser.js("return tprof.code.list.some((row) => row[0] === 1 && row[3])"),
          "source lines are beside the instructions")
    browser.choose_event(events[0])


def test_panel(browser, check, page):
    """The panel shows the function that was chosen, and is swapped by a key and a button."""
    js = browser.js
    browser.open(page)
    check(js(SHOWN)["hidden"], "without a chosen function there are no instructions")
    select(browser, "hash")
    shown = js(SHOWN)
    check(not shown["hidden"] and shown["title"].startswith("hash: ") and shown["rows"] > 3 and
          shown["drawn"] > 3, f"a row of the table brings instructions {shown}")
    check(js("const top = tprof.code.rows.getBoundingClientRect(), hot = tprof.code.rows"
             ".querySelector('.hot'), at = hot && hot.getBoundingClientRect();"
             "return at && at.top >= top.top - 1 && at.bottom <= top.bottom + 1"),
          "the hottest instruction is in the window")
    browser.press("a")
    check(js(SHOWN)["hidden"] and "code=off" in js("return location.hash"), "a hides the panel")
    js("document.getElementById('code-button').click()")
    check(not js(SHOWN)["hidden"] and
          js("return document.getElementById('code-button').getAttribute('aria-pressed')") == "true",
          "a button shows it again")
    browser.press_on("tprof.picture.canvas", *[Keys.ARROW_DOWN] * 3)
    check(js("return tprof.code.name === tprof.selected"), "a box of the picture chooses, too")
    took = js(TIMES)
    check(took < 100, f"a function is shown in {took:.1f} ms")


def test_narrow(browser, check):
    browser.resize(420, 800)
    select(browser, "hash")
    left, right = browser.js("const { left, right } = tprof.code.table.getBoundingClientRect();"
                             "return [left, right]")
    check(not browser.js(SHOWN)["hidden"] and left >= 0 and right <= 420 and
          browser.js("return document.documentElement.scrollWidth") <= 420,
          f"420 pixels: the panel has the width of the page {left} {right}")
    browser.resize(1280, 900)


def test_absent(browser, check, page):
    """A page without instructions has no panel and no button."""
    browser.open(page)
    select(browser, "hash")
    check(browser.js(SHOWN)["hidden"] and browser.js("return tprof.code.button.hidden"),
          "--no-code: there is no panel and no button")
