# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the time line of a page."""
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

# How many pixels in the column of a slot have the colour of a variable of the style.
COLOURED = """const [slot, name] = arguments, { slots, picture } = tprof.time;
    const canvas = document.getElementById('lanes');
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d',
        { willReadFrequently: true });
    pen.fillStyle = themeColour(name).trim();
    pen.fillRect(0, 0, 1, 1);
    const wanted = pen.getImageData(0, 0, 1, 1).data;
    pen.drawImage(canvas, 0, 0);
    const x = Math.ceil(slot * picture.width / slots.nr);
    const { data } = pen.getImageData(x, 0, 4, canvas.height);
    let nr = 0;
    for (let i = 0; i < data.length; i += 4)
        nr += [0, 1, 2].every((k) => Math.abs(data[i + k] - wanted[k]) < 3);
    return nr;"""


def samples_of(browser, report_of):
    """Samples of the shown part of the time in the page, and in report."""
    part = browser.js("return document.getElementById('times').textContent").split()[1]
    event = browser.js("return tprof.data.events[0].name")
    return (browser.js("return tprof.total.samples"),
            report_of("--time", part, "--event", event)["events"][0]["samples"])


def test_brush(browser, check, report_of):
    js = browser.js
    lanes = browser.driver.find_element(By.ID, "lanes")
    quarter = lanes.size["width"] // 4
    for scale, by in (("line", (quarter, 0)), ("heat", (quarter, 10))):
        browser.set(scale=scale)
        browser.drag(lanes, (-quarter, 0), by)
        check(0 < js("return tprof.state.from") < js("return tprof.state.to") <
              js("return tprof.data.lastStep"), f"dragging over the {scale} chooses a part")
        shown, wanted = samples_of(browser, report_of)
        check(abs(shown - wanted) <= 1, f"report --time has the samples of the part ({wanted})")
        browser.press_on("tprof.picture.canvas", Keys.ESCAPE)
    browser.set(scale="line")
    shift = (Keys.HOME, *[Keys.ARROW_RIGHT] * 40, Keys.SHIFT, *[Keys.ARROW_RIGHT] * 40)
    browser.press_on("document.getElementById('lanes')", *shift)
    shown, wanted = samples_of(browser, report_of)
    check(0 < shown < js("return tprof.data.runs[0].nrSamples") and abs(shown - wanted) <= 1,
          "arrows with Shift choose a part")
    browser.press(Keys.NULL, Keys.ESCAPE)


def test_lanes(browser, check):
    for lanes, scale in (("thread", "line"), ("cpu", "line"), ("all", "heat"), ("all", "line")):
        browser.set(lanes=lanes, scale=scale)
        check(browser.js("return Math.abs(tprof.time.slots.sums.reduce((sum, slot) => sum + slot) -"
                         "tprof.total.weight) < 1"), f"{lanes} as {scale}: the slots have the sum")


def test_notes(browser, check, wanted):
    """Marks and losses are where script has them."""
    js = browser.js
    marks = js("return tprof.data.marks.map((mark) =>"
               "[timeText(tprof.data, mark.from), mark.text])")
    check(len(marks) == len(wanted) and all(
        shown == text and abs(float(at) - ns / 1e9) < 0.0001
        for (at, shown), (ns, text) in zip(marks, wanted)),
          f"{len(wanted)} marks are those of script")
    if wanted:
        slots = js("return tprof.time.slots.marks().map((mark) => mark.slot)")
        check(all(js(COLOURED, slot, "--mark") > 20 for slot in slots), "marks are drawn")
        Select(browser.driver.find_element(By.ID, "mark")).select_by_index(len(wanted) // 2 + 1)
        check(js("return tprof.state.from === tprof.data.marks[arguments[0]].from &&"
                 "tprof.total.samples < tprof.data.runs[0].nrSamples", len(wanted) // 2),
              "the list of marks chooses the time up to the next one")
        browser.press_on("tprof.picture.canvas", Keys.ESCAPE)
    lost = js("return [...tprof.time.slots.lost[0]]")
    if lost:
        check(all(js(COLOURED, slot, "--loss") > 5 for slot in lost), "losses are hatched")
