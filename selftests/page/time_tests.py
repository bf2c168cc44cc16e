# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the time line of a page."""
import datetime

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


# Where each tick and the end of its text are, and the text.
TICKS = """const left = document.getElementById('axis').getBoundingClientRect().left;
    return Array.from(document.querySelectorAll('#axis span'), (tick) => {
        const range = document.createRange();
        range.selectNodeContents(tick);
        return [tick.getBoundingClientRect().left - left,
                range.getBoundingClientRect().right - left, tick.textContent]; });"""


def is_readable(ticks, width):
    """Labels have a gap between them, and are within the axis."""
    labels = [(left, right) for left, right, text in ticks if text]
    ends = [left for left, _ in labels[1:]] + [width + 4]
    return all(right + 4 <= end for (_, right), end in zip(labels, ends))


def has_round_step(ticks):
    """Ticks are at the first multiples of 1, 2 or 5 times a power of ten, from 0 on."""
    values = [float(text.split()[0]) for _, _, text in ticks if text]
    step = values[1] - values[0]
    return values[0] == 0 and f"{step:e}"[0] in "125" and float(f"{step:e}".split("e")[0]) in (
        1, 2, 5) and all(abs(value - i * step) < step / 1e3 for i, value in enumerate(values))


def test_axis(browser, check):
    """The ticks of the time line, at several widths."""
    js = browser.js
    for width in (1440, 1024, 420):
        browser.resize(width, 800)
        for scale in ("line", "heat"):
            browser.set(scale=scale)
            ticks = js(TICKS)
            space, unit = js("const { slots } = tprof.time; return [slots.width, slots.xOf(1)]")
            check(3 <= sum(bool(text) for _, _, text in ticks) and is_readable(ticks, space),
                  f"{scale}, {width} pixels: labels do not overlap ({len(ticks)} ticks)")
            check(has_round_step(ticks) and all(
                abs(left - float(text.split()[0]) * unit) < 1.5 for left, _, text in ticks if text),
                  f"{scale}, {width} pixels: ticks have round times, and are there")
    browser.set(scale="line")
    lane = js("""const { slots } = tprof.time, { points, lastStep } = tprof.data;
        return [slots.xOf(secondsOf(tprof.data, lastStep)),
                slots.slotOf(lastStep) * slots.width / slots.nr];""")
    check(abs(lane[0] - lane[1]) < 3, "the axis has the last sample where the line has it")


def test_time_of_day(browser, check):
    js = browser.js
    if not js("return hasTimeOfDay(tprof.data)"):
        print("skip axis with the time of day  # the recording does not have it")
        return
    seconds = js("return tprof.data.wallSeconds + tprof.data.wallNanoseconds / 1e9")
    for width in (1280, 420):
        browser.resize(width, 900)
        Select(browser.driver.find_element(By.ID, "axis-of")).select_by_value("day")
        ticks = js(TICKS)
        space, unit = js("const { slots } = tprof.time; return [slots.width, slots.xOf(1)]")
        wrong = [text for left, _, text in ticks if text and abs(
            (datetime.datetime.strptime(text.split(".")[0], "%H:%M:%S") -
             datetime.datetime.fromtimestamp(seconds).replace(
                 year=1900, month=1, day=1)).total_seconds() +
            float("0." + (text.split(".") + ["0"])[1]) - left / unit) > 1.5 / unit]
        check(2 <= len(ticks) and not wrong and is_readable(ticks, space),
              f"{width} pixels: ticks have the time of day {wrong or ''}")
    browser.set(axis="begin")


def test_long_times(browser, check):
    """Labels of a recording of some days, of an hour and of milliseconds."""
    clock = """const [span, wall, width] = arguments, data = { ...tprof.data, wallSeconds: wall,
        wallNanoseconds: 0 }, axis = new Axis(data, 'axis');
        const slots = { width, seconds: () => span, xOf: (seconds) => seconds * width / span };
        return ['begin', 'day'].map((by) => {
            axis.show(slots, by);
            return Array.from(axis.place.children, (tick) => tick.textContent); });"""
    for span, begin, day in ((0.004, "0.0010 s", ".001"), (3000, "500 s", ":20"),
                             (200000, "40000 s", " 12:00")):
        shown = browser.js(clock, span, 1700000000, 700)
        check(begin in shown[0] and any(text.endswith(day) for text in shown[1]) and
              len(set(shown[1])) > 3,
              f"{span} s: the axis has {begin}, and a time of day with {day} {shown[1][:3]}")
    browser.js("tprof.time.build()")


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


# The text of the losses in a part of the time. The recording has losses of 5 samples at some
# steps, and may have others without a time.
LOSS_TEXT = """const [nrLost, nrTimed, from, to] = arguments;
    const time = tprof.data.column.lossTime.slice(0, nrTimed);
    const data = { runs: [{ nrLost }], lastStep: tprof.data.lastStep,
                   column: { lossTime: time, lossCount: time.map(() => 5) } };
    return lossTexts(data, { from, to: to ?? Infinity }).join('; ');"""


def test_losses(browser, check):
    """The summary has the losses of the part of the time that is chosen."""
    js = browser.js
    times = js("return Array.from(tprof.data.column.lossTime)")
    if len(times) < 4:
        print("skip losses of a part of the time  # the recording has too few")
        return
    counts = js("return Array.from(tprof.data.column.lossCount)")
    lost = js("return tprof.data.runs[0].nrLost")
    summary = "return document.getElementById('summary').textContent"
    check(f"; {lost:,} samples were lost; the times of losses" in js(summary),
          f"the summary has all {lost} lost samples")
    part = sum(counts[:3])
    for begin, end, wanted in ((0, times[2], part), (times[2] + 1, times[3] - 1, 0),
                               (times[2] + 1, 1 << 31, sum(counts) - part)):
        browser.set(**{"from": begin, "to": end})
        reported = f"losses of {wanted:,} samples" if wanted else "no losses"
        check(f"; {reported} were reported in this time, {lost:,} samples were "
              "lost in the whole recording; " in js(summary),
              f"the summary has the {wanted} lost samples of a part of the time")
    js("tprof.set({ from: 0, to: Infinity })")
    check(js(LOSS_TEXT, 12, 0, 3, 9) == "12 samples were lost in the whole recording; "
          "the page does not have the times of 12 losses",
          "without times of losses, the page says that they are those of the whole recording")
    check(js(LOSS_TEXT, 1, 0, 0, None) == "1 sample was lost in the whole recording; "
          "the page does not have the times of 1 loss", "one lost sample is not said to be several")
    check("not have the times of 2 losses" in js(LOSS_TEXT, 12, 2, 0, None),
          "the page says how many losses have no time")
    check(js(LOSS_TEXT, 0, 0, 0, None) == "", "without losses, the page does not speak of them")
