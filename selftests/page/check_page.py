#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Check pages in headless Chromium: check_page.py TPROF_LX RECORDING [NEW [DEEP]]

The page of html must show the sums of tprof-lx report --json. The page of diff, of
RECORDING and NEW or else of RECORDING twice, must show what diff --json has. The page of
DEEP, which has more stacks than a page, must say so. CHROMIUM and
CHROMEDRIVER are the paths of both programs, AXE is the script of axe-core.
"""
import json
import os
import subprocess
import sys
import tempfile

import chart_tests
import code_tests
import diff_tests
import edit_tests
import first_tests
import layout_tests
import page_tests
import small_tests
import time_tests
import tree_tests
from browser import Browser, Results


def run(*command):
    return subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True)


def test_access(browser, check, what):
    path = os.environ.get("AXE", "")
    if not path:
        print(f"skip axe, {what}  # AXE does not have the path of axe.min.js")
        return
    with open(path, encoding="utf-8") as file:
        browser.js(file.read())
    for state in ({"theme": "light"}, {"theme": "dark"}, {"palette": "safe", "view": "callers"},
                  {"view": "callees", "lanes": "thread", "shape": "flame"},
                  {"edits": "d1.m2", "theme": "light"},
                  {"order": "weight", "view": "time", "theme": "dark"}):
        browser.set(**state)
        found = browser.driver.execute_async_script(
            "axe.run().then(arguments[0], (error) => arguments[0]({ violations: [{ id: "
            "String(error) }] }))")["violations"]
        check(not found, f"axe, {what}, {' '.join(state.values())}: no violation"
              f" {[one['id'] for one in found] or ''}")


def test_safety(browser, check, what):
    """No name was markup, and nothing was loaded or sent."""
    check(not browser.js("return document.images.length + document.querySelectorAll("
                         "'script:not(#data)').length - 1"), f"{what}: no name made an element")
    check(not browser.js("return performance.getEntriesByType('resource').length"),
          f"{what}: nothing was loaded")
    errors = [entry["message"] for entry in browser.errors()]
    check(not errors, f"{what}: the console is empty {errors or ''}")
    sent = browser.driver.execute_async_script(
        "fetch('http://127.0.0.1:9/').then(() => arguments[0]('sent'),"
        "(error) => arguments[0](String(error)))")
    refused = any("Content Security Policy" in entry["message"] for entry in browser.errors())
    check(sent != "sent" and refused, f"{what}: the policy forbids the network")


def keys_of(tprof_lx, recording):
    """Keys that a page does not have without --sort, and their options."""
    options = ["--parent", "^(load|serve|w.*k)$", "--time-quantum", "300ms"]
    probe = subprocess.run([tprof_lx, "report", "-i", recording, "--json", "-s", "weight"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return ["time", "parent", "sym", "pid"] + ["weight"] * (not probe.returncode), options


def test_html(browser, check, tprof_lx, recording, page):
    def report_of(*options):
        return json.loads(run(tprof_lx, "report", "-i", recording, "--json", *options))

    def marks_of():
        lines = run(tprof_lx, "script", "--json", "-t", "cgroup", "-i", recording).splitlines()
        records = [json.loads(line) for line in lines]
        return [(record["time"], record["detail"]["path"].partition("mark:")[2])
                for record in records if "tprof-lx:mark:" in record["detail"]["path"]]

    run(tprof_lx, "html", "-i", recording, "-o", page)
    browser.open(page)
    page_tests.test_own_groups(browser, check, report_of)
    keys, options = keys_of(tprof_lx, recording)
    run(tprof_lx, "html", "-i", recording, "-o", page, "-s", ",".join(keys), *options)
    browser.open(page)
    page_tests.test_chosen_groups(browser, check, report_of, keys, options)
    page_tests.test_sums(browser, check, report_of)
    page_tests.test_table(browser, check, report_of)
    page_tests.test_trees(browser, check)
    tree_tests.test_paths(browser, check, "html")
    tree_tests.test_parts(browser, check)
    page_tests.test_centre(browser, check)
    page_tests.test_search(browser, check)
    page_tests.test_picture_keys(browser, check, page)
    page_tests.test_table_keys(browser, check, page)
    page_tests.test_reveal(browser, check, page)
    page_tests.test_focus(browser, check)
    page_tests.test_click(browser, check)
    edit_tests.test_sums(browser, check)
    edit_tests.test_list(browser, check, page)
    edit_tests.test_view(browser, check, page)
    code_tests.test_weights(browser, check, json.loads(
        run(tprof_lx, "annotate", "-i", recording, "--json")))
    code_tests.test_panel(browser, check, page)
    code_tests.test_narrow(browser, check)
    test_access(browser, check, "instructions")
    bare = os.path.join(os.path.dirname(page), "bare.html")
    run(tprof_lx, "html", "-i", recording, "-o", bare, "--no-code")
    code_tests.test_absent(browser, check, bare)
    browser.open(page)
    chart_tests.test_order(browser, check)
    chart_tests.test_thread(browser, check, report_of)
    chart_tests.test_chart(browser, check, page)
    chart_tests.test_chart_state(browser, check, page)
    time_tests.test_brush(browser, check, report_of)
    time_tests.test_lanes(browser, check)
    time_tests.test_notes(browser, check, marks_of())
    time_tests.test_losses(browser, check)
    time_tests.test_axis(browser, check)
    time_tests.test_time_of_day(browser, check)
    time_tests.test_long_times(browser, check)
    browser.resize(1280, 900)
    layout_tests.test_layout(browser, check, "html")
    test_access(browser, check, "html")
    test_safety(browser, check, "html")


def test_first(browser, check, tprof_lx, recording, page):
    def make(*options):
        run(tprof_lx, "html", "-i", recording, "-o", page, *options)
        return page

    first_tests.test_first_view(browser, check, make)
    first_tests.test_first_event(browser, check, make)


def test_diff(browser, check, tprof_lx, recording, new, page):
    run(tprof_lx, "diff", "--html", "--normalize", "time", "-o", page, recording, new)
    browser.open(page)
    check(browser.js("return tprof.state.normalize") == "time", "the page begins with --normalize")
    for normalize in ("time", "none", "weight"):
        diff_tests.test_changes(browser, check, json.loads(
            run(tprof_lx, "diff", "--json", "-s", "dso,sym", "--normalize", normalize,
                recording, new)))
    diff_tests.test_trees(browser, check)
    tree_tests.test_paths(browser, check, "diff")
    diff_tests.test_widths(browser, check)
    edit_tests.test_diff(browser, check)
    chart_tests.test_diff(browser, check)
    layout_tests.test_layout(browser, check, "diff")
    test_access(browser, check, "diff")
    test_safety(browser, check, "diff")


def test_deep(browser, check, tprof_lx, recording, page):
    run(tprof_lx, "html", "-i", recording, "-o", page)
    browser.open(page)
    small_tests.test_sums(browser, check, run(tprof_lx, "report", "-i", recording, "--folded"))
    small_tests.test_time_of_day(browser, check)
    small_tests.test_text(browser, check)
    small_tests.test_narrow(browser, check)
    small_tests.test_own_boxes(browser, check)
    tree_tests.test_paths(browser, check, "small stacks")


def test_hosts(browser, check, tprof_lx, recording, page):
    run(tprof_lx, "html", "-i", recording, "-o", page)
    browser.open(page)
    page_tests.test_group(browser, check, "host", json.loads(
        run(tprof_lx, "report", "-i", recording, "--json", "-s", "host")))


def main():
    tprof_lx, recording, *rest = sys.argv[1:]
    new = rest[0] if rest else recording
    results = Results()
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as directory:
            page = os.path.join(directory, "page.html")
            test_html(browser, results.check, tprof_lx, recording, page)
            test_first(browser, results.check, tprof_lx, recording, page)
            test_diff(browser, results.check, tprof_lx, recording, new, page)
            if len(rest) > 1:
                test_deep(browser, results.check, tprof_lx, rest[1], page)
                test_hosts(browser, results.check, tprof_lx, rest[2], page)
    finally:
        browser.quit()
    return results.failed > 0


if __name__ == "__main__":
    sys.exit(main())
