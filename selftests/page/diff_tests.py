# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the page of diff, beside the lines of diff --json."""
from selenium.webdriver.common.keys import Keys


def is_same(row, line):
    """A row has 2 digits, a line 4."""
    [new] = line["new"]
    numbers = [float(text.rstrip("%").replace("−", "-"))
               for text in (*row[:3], *row[3].split("…"))]
    wanted = [line["old"]["percent"], new["percent"], new["change"], *new["interval"]]
    return row[4] == new["result"] and all(abs(a - b) < 0.0052
                                           for a, b in zip(numbers, wanted))


def test_changes(browser, check, diff):
    js = browser.js
    by = diff["normalize"]
    browser.set(normalize=by)
    browser.set(sort="name")
    for event in diff["events"]:
        name = event["event"]
        browser.choose_event(name)
        rows = js("return Array.from(tprof.table.list, (name) => tprof.table.cellsOf(name))")
        shown = {(row[5], row[6]): row for row in rows}
        lines = [line for line in event["lines"] if (line["sym"], line["dso"]) in shown]
        check(lines and all(is_same(shown[line["sym"], line["dso"]], line) for line in lines),
              f"{name}: {len(lines)} functions have the changes of diff by {by}")
        check(js("""const { total, picture } = tprof, tree = picture.parts[0].tree;
            return tree.weight[0] === total.weight && tree.otherWeight[0] === total.oldWeight"""),
              f"{name}: the picture has both sums")


def test_trees(browser, check):
    js = browser.js
    check(js("""return tprof.table.list.slice(0, 50).every((focus) => {
        tprof.set({ view: 'sandwich', focus });
        const [up, down] = tprof.picture.parts.map((part) => part.tree);
        return up.otherWeight[0] === down.otherWeight[0] &&
               up.weight[0] === down.weight[0]; });"""),
          "callers and callees have the same old and new sums")
    for state in ({"view": "callers"}, {"view": "callees", "group": "dso"}):
        browser.set(**state)
        check(js("return tprof.picture.parts[0].tree.otherWeight[0] === tprof.total.oldWeight"),
              f"{' '.join(state.values())}: the old sum is whole")
    browser.set(view="callees", group="", event=0)


def test_widths(browser, check):
    js = browser.js
    cells = "return Array.from(tprof.table.list, (name) => tprof.table.cellsOf(name).join(' '))"
    before = js(cells)
    browser.set(width="old")
    check(js("return tprof.picture.parts[0].tree.weight[0] === tprof.total.oldWeight") and
          js(cells) == before, "with widths of the old recording, the changes are the same")
    browser.set(width="new")
    browser.press_on("tprof.picture.canvas", Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    check(" before, " in js("return tprof.picture.canvas.getAttribute('aria-label')"),
          "the change of the chosen box is described")
