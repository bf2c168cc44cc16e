#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Print how long a page takes to answer in Chromium: times.py PAGE

Each line has the shortest and the median of five times. Other load on the machine
lengthens them, so nothing depends on them.
"""
import statistics
import sys
import time

from browser import Browser

# What is done, the change of the state, and the change that undoes it.
TENTH = "from: tprof.data.lastStep * 0.4 | 0, to: tprof.data.lastStep * 0.5 | 0"
WHOLE = "from: 0, to: Infinity"
ACTIONS = (
    ("choose a tenth of the time", TENTH, WHOLE),
    ("choose all of the time", WHOLE, TENTH),
    ("search", "search: 'alloc|free'", "search: ''"),
    ("callers of a function", "view: 'sandwich', focus: tprof.table.list[0]", "view: 'callees'"),
    ("all callers", "view: 'callers'", "view: 'callees'"),
    ("group by binary", "group: 'dso'", "group: ''"),
    ("group by thread", "group: 'thread'", "group: ''"),
    ("group by CPU", "group: 'cpu'", "group: ''"),
    ("a lane for each thread", "lanes: 'thread'", "lanes: 'all'"),
    ("focus", "edits: 'f' + tprof.table.list[0]", "edits: ''"),
    ("drop", "edits: 'd' + tprof.table.list[0]", "edits: ''"),
    ("merge", "edits: 'm' + tprof.table.list[0]", "edits: ''"),
    ("order by weight", "order: 'weight'", "order: 'name'"),
    ("chart of a thread", "view: 'time'", "view: 'callees', thread: ''"),
    ("heat map", "scale: 'heat'", "scale: 'line'"),
    ("hide the instructions", "code: 'off'", "code: ''"),
    ("show the instructions", "code: ''", "code: 'off'"),
)


def milliseconds(browser, change):
    return browser.js(f"const start = performance.now(); tprof.set({{ {change} }});"
                      "return performance.now() - start;")


def main():
    browser = Browser()
    try:
        start = time.time()
        browser.open(sys.argv[1])
        sizes = browser.js("return [tprof.data.points.nr, tprof.data.base.nr,"
                           "tprof.data.names.length]")
        print(f"opened in {time.time() - start:.1f} s: "
              "{:,} points, {:,} stacks, {:,} functions".format(*sizes))
        browser.js("tprof.select(tprof.hottest())")
        for what, change, back in ACTIONS:
            milliseconds(browser, back)
            times = []
            for _ in range(5):
                times.append(milliseconds(browser, change))
                milliseconds(browser, back)
            print(f"{what:28} {min(times):6.0f} {statistics.median(times):6.0f} ms")
            milliseconds(browser, WHOLE)
    finally:
        browser.quit()


if __name__ == "__main__":
    sys.exit(main())
