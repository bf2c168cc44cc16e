#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Check pages in headless Chromium: check_page.py TPROF_LX RECORDING [NEW]

The page of html must show the sums of tprof-lx report --json. The page of diff, of
RECORDING and NEW or else of RECORDING twice, must show what diff --json has. make check-page
installs what it needs, except axe_selenium_python of PyPI: without it, the checks of
accessibility are skipped. CHROMIUM and CHROMEDRIVER are the paths of both programs.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

failed = 0


def check(good, name):
    global failed
    failed += not good
    print(("ok " if good else "not ok ") + name)


def start():
    options = Options()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
    return webdriver.Chrome(service=Service(driver), options=options)


def open_page(browser, url):
    browser.get("about:blank")
    browser.get(url)
    for _ in range(300):
        if browser.execute_script("return !!window.tprof"):
            return
        time.sleep(0.1)
    sys.exit("the page does not start")


def press(browser, *keys):
    ActionChains(browser).send_keys(*keys).perform()


def check_sums(js, report):
    for event in report["events"]:
        name = event["event"]
        index = js("return tprof.data.events.findIndex((event) => event.name === arguments[0])", name)
        js("tprof.set({ event: arguments[0] })", index)
        check(js("return tprof.total.samples") == event["samples"], f"{name}: samples of report")
        check(js("return tprof.total.weight") == event["period"], f"{name}: period of report")
        check(js("return tprof.picture.parts[0].tree.weight[0] === tprof.total.weight"),
              f"{name}: the picture has the sum")
    js("tprof.set({ event: 0 })")


def check_trees(js):
    js("tprof.set({ view: 'callers' })")
    check(js("""const tree = tprof.picture.parts[0].tree, sums = {};
        for (let i = tree.levels[1]; i < tree.levels[2]; i++)
            sums[tree.label[i]] = (sums[tree.label[i]] || 0) + tree.weight[i];
        return Object.keys(sums).every((name) => sums[name] === tprof.functions.self[name]);"""),
          "the first level of callers has what functions have themselves")
    check(js("""return tprof.table.list.slice(0, 50).every((focus) => {
        tprof.set({ view: 'sandwich', focus });
        return tprof.picture.parts.every((part) =>
            part.tree.weight[0] === tprof.functions.total[focus]); });"""),
          "callers and callees of a function have its total")
    js("tprof.set({ view: 'callees' })")
    has_cgroups = js("return hasCgroups(tprof.data)")
    for group in ("dso", "comm", "thread", "cpu", *(["cgroup"] if has_cgroups else [])):
        js("tprof.set({ group: arguments[0] })", group)
        check(js("return tprof.picture.parts[0].tree.weight[0] === tprof.total.weight"),
              f"groups by {group} have the sum")
    js("tprof.set({ group: '' })")


def check_search(browser, js):
    name = js("return tprof.data.names[tprof.table.list[0]]")
    field = browser.find_element(By.ID, "search")
    field.send_keys(name[:4].replace("[", "\\["))
    check(js("""const { data, matches } = tprof, { points, base } = data;
        let sum = 0;
        for (let i = 0; i < points.nr; i++) {
            let node = points.event[i] === tprof.state.event ? points.stack[i] : 0;
            while (node && !matches[base.label[node]])
                node = base.parent[node];
            if (node)
                sum += points.weight[i];
        }
        return sum > 0 && sum === tprof.found.weight;"""), "a search counts a stack once")
    field.send_keys("(")
    check(field.get_attribute("aria-invalid") == "true", "a wrong expression is reported")
    press(browser, Keys.ESCAPE)
    check(js("return tprof.state.search") == "", "Esc ends the search")


def check_keys(browser, js, url):
    js("tprof.picture.canvas.focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    check(js("return tprof.picture.chosen.node") > 0, "arrows choose a box")
    check("samples" in js("return tprof.picture.canvas.getAttribute('aria-label')"),
          "the chosen box is described")
    press(browser, Keys.ENTER)
    zoomed = browser.current_url
    check("zoom=" in zoomed, "Enter zooms, and the URL has the zoom")
    browser.back()
    time.sleep(0.3)
    check(js("return tprof.state.zoom") == "", "Back undoes the zoom")
    open_page(browser, zoomed)
    check(js("return tprof.picture.zoomed().zoom") > 0, "the URL brings the zoom back")
    js("tprof.picture.canvas.focus()")
    press(browser, Keys.ESCAPE)
    check(js("return tprof.picture.zoomed().zoom") == 0, "Esc undoes the zoom")
    press(browser, "i")
    check(js("return tprof.state.shape") == "flame", "i makes a flame")
    press(browser, "i", "?")
    check(js("return document.getElementById('help').open"), "? lists the keys")
    press(browser, Keys.ESCAPE)
    js("tprof.table.grid.focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ENTER)
    check(js("return tprof.state.view") == "sandwich", "Enter in the table shows the function")
    check(js("return !!document.getElementById("
             "tprof.table.grid.getAttribute('aria-activedescendant'))"), "the row is an element")
    check(js("return tprof.picture.canvas.height <= innerHeight"),
          "the canvas is not higher than the window")
    open_page(browser, url)


def check_time(browser, js, report_of):
    lanes = browser.find_element(By.ID, "lanes")
    quarter = lanes.size["width"] // 4
    drag = ActionChains(browser).move_to_element_with_offset(lanes, -quarter, 0)
    drag.click_and_hold().move_by_offset(quarter, 0).release().perform()
    check(0 < js("return tprof.state.from") < js("return tprof.state.to") <
          js("return tprof.data.lastStep"), "dragging chooses a part of the time")
    part = js("return document.getElementById('times').textContent").split()[1]
    event = js("return tprof.data.events[0].name")
    samples = report_of("--time", part, "--event", event)["events"][0]["samples"]
    check(abs(samples - js("return tprof.total.samples")) <= 1,
          "report --time has the samples of the part")
    js("tprof.picture.canvas.focus()")
    press(browser, Keys.ESCAPE)
    for lanes, scale in (("thread", "line"), ("cpu", "line"), ("all", "heat")):
        js("tprof.set({ lanes: arguments[0], scale: arguments[1] })", lanes, scale)
        check(js("return Math.abs(tprof.time.slots.sums.reduce((sum, slot) => sum + slot) -"
                 "tprof.total.weight) < 1"), f"{lanes} as {scale}: the slots have the sum")


def check_diff(browser, js, diff):
    js("tprof.set({ sort: 'name' })")
    for event in diff["events"]:
        name = event["event"]
        index = js("return tprof.data.events.findIndex((event) => event.name === arguments[0])", name)
        js("tprof.set({ event: arguments[0] })", index)
        rows = js("return Array.from(tprof.table.list, (name) => tprof.table.cellsOf(name))")
        shown = {(row[5], row[6]): row[:5] for row in rows}
        odd = compared = 0
        for line in event["lines"]:
            [new] = line["new"]
            row = shown.get((line["sym"], line["dso"]))
            compared += row is not None
            want = [f"{line['old']['percent']:.2f}%", f"{new['percent']:.2f}%",
                    f"{new['change']:+.2f}",
                    f"{new['interval'][0]:+.2f}…{new['interval'][1]:+.2f}", new["result"]]
            want = [text.replace("-", "−") for text in want]
            odd += row is not None and [text.replace("−0.00", "+0.00") for text in row] != \
                [text.replace("−0.00", "+0.00") for text in want]
        check(compared and not odd, f"{name}: {compared} functions have the changes of diff")
        check(js("""const { total, picture } = tprof, tree = picture.parts[0].tree;
            return tree.weight[0] === total.weight && tree.otherWeight[0] === total.oldWeight"""),
              f"{name}: the picture has both sums")
    check(js("""return tprof.table.list.slice(0, 50).every((focus) => {
        tprof.set({ view: 'sandwich', focus });
        const [up, down] = tprof.picture.parts.map((part) => part.tree);
        return up.otherWeight[0] === down.otherWeight[0] && up.weight[0] === down.weight[0]; });"""),
          "callers and callees have the same old and new sums")
    for state in ({"view": "callers"}, {"view": "callees", "group": "dso"}):
        js("tprof.set(arguments[0])", state)
        check(js("return tprof.picture.parts[0].tree.otherWeight[0] === tprof.total.oldWeight"),
              f"{state}: the old sum is whole")
    js("tprof.set({ view: 'callees', group: '', event: 0 })")
    cells = "return Array.from(tprof.table.list, (name) => tprof.table.cellsOf(name).join(' '))"
    before = js(cells)
    js("tprof.set({ width: 'old' })")
    check(js("return tprof.picture.parts[0].tree.weight[0] === tprof.total.oldWeight") and
          js(cells) == before, "with widths of the old recording, the changes are the same")
    js("tprof.set({ width: 'new' })")
    js("tprof.picture.canvas.focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    check(" before, " in js("return tprof.picture.canvas.getAttribute('aria-label')"),
          "the change of the chosen box is described")


def check_access(browser, js):
    try:
        from axe_selenium_python import Axe
    except ImportError:
        print("skip accessibility # there is no axe_selenium_python")
        return
    axe = Axe(browser)
    axe.inject()
    for theme in ("light", "dark"):
        js("tprof.set({ theme: arguments[0] })", theme)
        found = [violation["id"] for violation in axe.run()["violations"]]
        check(not found, f"axe finds nothing in the {theme} theme {found or ''}")


def main():
    tprof_lx, recording, *rest = sys.argv[1:]
    new = rest[0] if rest else recording

    def report_of(*options):
        command = [tprof_lx, "report", "-i", recording, "--json", *options]
        return json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))

    with tempfile.TemporaryDirectory() as directory:
        page = os.path.join(directory, "page.html")
        subprocess.check_call([tprof_lx, "html", "-i", recording, "-o", page])
        browser = start()
        js = browser.execute_script
        open_page(browser, "file://" + page)
        check_sums(js, report_of())
        check_trees(js)
        check_search(browser, js)
        check_keys(browser, js, "file://" + page)
        check_time(browser, js, report_of)
        check_access(browser, js)
        check(not js("return document.images.length"), "no name made an element")
        subprocess.check_call([tprof_lx, "diff", "--html", "-o", page, recording, new])
        diff = [tprof_lx, "diff", "--json", "-s", "dso,sym", recording, new]
        open_page(browser, "file://" + page)
        check_diff(browser, js, json.loads(subprocess.check_output(diff)))
        check_access(browser, js)
        check(not js("return document.images.length"), "no name made an element of the diff")
        check(not browser.get_log("browser"), "the console is empty")
        browser.quit()
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
