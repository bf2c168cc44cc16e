#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Print how long a page takes to answer in Chromium: times.py PAGE

Each line has the CPU time of the page's thread, which also paints, and the time of the answer:
the shortest of five, and the median of the times. Other load on the machine lengthens times more
than CPU times. Nothing depends on them.
"""
import glob
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


def ancestors(pid):
    while pid > 1:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
        yield pid


def page_threads(browser):
    """The files with the CPU times of the first threads of the processes that show pages."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, encoding="utf-8") as file:
                if "--type=renderer" not in file.read():
                    continue
            pid = int(path.split("/")[2])
            if browser.driver.service.process.pid in ancestors(pid):
                found.append(f"/proc/{pid}/task/{pid}/schedstat")
        except OSError:
            continue
    return found


def cpu_milliseconds(threads):
    total = 0
    for path in threads:
        with open(path, encoding="utf-8") as file:
            total += int(file.read().split()[0]) / 1e6
    return total


def milliseconds(browser, threads, change):
    """The CPU time and the time that a change of the state takes."""
    before = cpu_milliseconds(threads)
    spent = browser.js(f"const start = performance.now(); tprof.set({{ {change} }});"
                       "return performance.now() - start;")
    return cpu_milliseconds(threads) - before, spent


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
        threads = page_threads(browser)
        print(f"{'':28} {'CPU':>6} {'time':>6} {'median':>6}")
        for what, change, back in ACTIONS:
            milliseconds(browser, threads, back)
            pairs = []
            for _ in range(5):
                pairs.append(milliseconds(browser, threads, change))
                milliseconds(browser, threads, back)
            cpu, times = zip(*pairs)
            print(f"{what:28} {min(cpu):6.0f} {min(times):6.0f} {statistics.median(times):6.0f} ms",
                  flush=True)
            milliseconds(browser, threads, WHOLE)
    finally:
        browser.quit()


if __name__ == "__main__":
    sys.exit(main())
