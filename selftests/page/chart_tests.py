# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the order by weight, of a thread's part of all sums, and of the chart by time."""
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

# The weights of the boxes by path and kind, and true if siblings are in the order of weights.
BY_WEIGHT = """return tprof.picture.parts.map(({ tree }) => {
    const paths = [''], sums = {};
    let inOrder = true;
    for (let i = 1; i < tree.nr; i++) {
        paths[i] = paths[tree.parent[i]] + ';' + tree.label[i] + '.' + tree.kind[i];
        sums[paths[i]] = tree.weight[i];
        if (i > 1 && tree.parent[i] === tree.parent[i - 1])
            inOrder = inOrder && tree.weight[i] <= tree.weight[i - 1] &&
                      tree.x[i] === tree.x[i - 1] + tree.weight[i - 1];
        else
            inOrder = inOrder && tree.x[i] === tree.x[tree.parent[i]];
    }
    return [sums, inOrder]; });"""


def test_order(browser, check):
    js = browser.js
    for state in ({"view": "callees"}, {"view": "callers"}, {"view": "callees", "group": "thread"},
                  {"view": "sandwich", "focus": js("return tprof.data.names.indexOf('hash')")}):
        browser.set(**state)
        before = js(BY_WEIGHT)
        browser.press_on("tprof.picture.canvas", "o")
        after = js(BY_WEIGHT)
        check([sums for sums, _ in before] == [sums for sums, _ in after] and
              all(good for _, good in after) and not all(good for _, good in before),
              f"{' '.join(map(str, state.values()))}: boxes are in the order of weights")
        browser.set(order="name", view="callees", group="", focus=-1)
    check("order=" not in js("return location.hash"), "the order by name is the first one")


def test_thread(browser, check, report_of):
    js = browser.js
    event = js("return tprof.data.events[tprof.state.event].name")
    threads = js("return tprof.data.threadList.map(({ key, name }) => [key, name])")
    check(len(threads) > 2, f"the page has the list of threads {threads}")
    for key, name in threads:
        Select(browser.driver.find_element(By.ID, "thread")).select_by_value(key)
        wanted = report_of("--tid", key.partition("-")[2], "--event", event)["events"][0]
        check(js("return [tprof.total.samples, tprof.total.weight]") ==
              [wanted["samples"], wanted["period"]],
              f"{name}: sums are those of report --tid ({wanted['samples']} samples)")
    browser.press_on("tprof.picture.canvas", Keys.ESCAPE)
    check(js("return tprof.state.thread") == "", "Esc shows all threads again")


# For each sample of the thread: what the chart has at its time, and what its stack is. Samples
# are in the order of the chart's columns. Stacks are texts.
AT_SAMPLES = """const { data, chart, state } = tprof, { full, points } = data;
    const thread = findThread(data, state.thread), found = [];
    const stackOf = (node) => node ? stackOf(full.base.parent[node]) + ';' +
        full.base.label[node] + '.' + full.base.kind[node] : '';
    const chartAt = (x) => {
        let text = '';
        for (let level = 1; level < chart.levels.length - 1; level++) {
            const node = firstAfter(chart, level, x);
            if (node >= chart.levels[level + 1] || chart.x[node] > x)
                break;
            text += ';' + chart.label[node] + '.' + chart.kind[node];
        }
        return text; };
    for (let i = 0; i < points.nr; i++) {
        if (!thread.numbers.includes(points.thread[i]) || full.event[i] !== state.event ||
            points.time[i] < state.from || points.time[i] > state.to)
            continue;
        const x = points.time[i] - chart.first;
        const at = chart.columns ? (Math.floor(x / chart.columns) + 0.5) * chart.columns : x + 0.5;
        found.push([x, chartAt(at), stackOf(full.stack[i]),
                    chart.columns ? Math.floor(x / chart.columns) : x]);
    }
    return [found, chart.columns];"""

# True if boxes have a width, do not overlap, and are within the box of their caller.
IS_WITHIN = """const { chart } = tprof, { x, weight, parent, levels } = chart;
    for (let level = 1; level < levels.length - 1; level++)
        for (let i = levels[level]; i < levels[level + 1]; i++) {
            if (weight[i] <= 0 || x[i] < x[parent[i]] ||
                x[i] + weight[i] > x[parent[i]] + weight[parent[i]] ||
                (i > levels[level] && x[i] < x[i - 1] + weight[i - 1]))
                return false;
            if (i > levels[level] && parent[i] === parent[i - 1] &&
                chart.label[i] === chart.label[i - 1] && chart.kind[i] === chart.kind[i - 1] &&
                x[i] === x[i - 1] + weight[i - 1])
                return false;
        }
    return true;"""


def test_chart(browser, check, page):
    js = browser.js
    browser.open(page)
    exact = 0
    for key in js("return tprof.data.threadList.map(({ key }) => key)"):
        for begin, end in ((0, 1), (0.5, 0.52), (0.3, 0.304), (0.45, 0.452)):
            js("const { lastStep } = tprof.data; tprof.set({ view: 'time', thread: arguments[0],"
               "from: lastStep * arguments[1] | 0, to: lastStep * arguments[2] | 0 })",
               key, begin, end)
            found, columns = js(AT_SAMPLES)
            stacks = {}
            for _, _, stack, column in found:
                stacks.setdefault(column, set()).add(stack)
            exact += len(found) if not columns else 0
            check(all(shown in stacks[column] for _, shown, _, column in found),
                  f"{key}, {begin} to {end}: the chart has the stacks of samples at their times "
                  f"({len(found)} samples, columns {columns})")
            check(js(IS_WITHIN), f"{key}, {begin} to {end}: runs are boxes within their callers")
            check(bool(columns) == (len(stacks) < len(found)),
                  f"{key}, {begin} to {end}: there are columns if samples have no room")
    check(exact > 50, f"with few samples, the chart has all ({exact})")
    summary = "return document.getElementById('summary').textContent"
    js("tprof.set({ from: 0, to: Infinity })")
    check("of the chart has the middle one of its samples" in js(summary),
          "the page says what columns have")
    check(js("const { chart, picture } = tprof; return chart.weight.every((weight) =>"
             "weight / chart.weight[0] * picture.width >= 0.5)"), "no box is too narrow to draw")
    check("narrow" not in js("return document.getElementById('legend').textContent"),
          "the legend of a chart has no narrow boxes")
    gap = js("""const { chart } = tprof, ends = [];
        for (let i = chart.levels[1] + 1; i < chart.levels[2]; i++)
            ends.push(chart.x[i] - chart.x[i - 1] - chart.weight[i - 1]);
        return Math.max(0, ...ends) / chart.weight[0];""")
    check(gap > 0.005, f"where the thread has no samples, the chart is empty ({gap:.3f})")


def test_chart_state(browser, check, page):
    """Keys, zoom, texts and the URL of the chart."""
    js = browser.js
    browser.open(page)
    browser.press_on("tprof.picture.canvas", "t")
    state = js("return [tprof.state.view, tprof.chart.title]")
    check(state == ["time", js("return tprof.data.threadList[0].name")],
          f"t shows the thread with the most samples {state}")
    check(js("return document.getElementById('flame').getAttribute('aria-label')") ==
          f"Boxes of the stacks of thread {state[1]} in the order of time",
          "the picture has the thread in its label")
    ticks = js("""const left = document.getElementById('chart-axis').getBoundingClientRect().left;
        return Array.from(document.querySelectorAll('#chart-axis span'), (tick) =>
            [tick.getBoundingClientRect().left - left, tick.textContent]);""")
    unit = js("return tprof.picture.width / secondsOf(tprof.data, tprof.chart.weight[0])")
    check(len(ticks) > 3 and all(abs(left - float(text.split()[0]) * unit) < 2
                                 for left, text in ticks if text), "the axis has the times of boxes")
    browser.press_on("tprof.picture.canvas", Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    label = js("return tprof.picture.canvas.getAttribute('aria-label')")
    check(" s, " in label and "ms" in label, f"a box is described by its time ({label})")
    box = js("""const { chart, picture: { chosen } } = tprof;
        return [chart.first + chart.x[chosen.node], chart.weight[chosen.node]];""")
    browser.press(Keys.ENTER)
    part = js("return [tprof.state.from, tprof.state.to]")
    check(part[0] == int(box[0]) and abs(part[1] + 1 - sum(box)) < 1 and
          js("return tprof.chart.first") == part[0], "a zoom chooses the time of the box")
    hash_of = js("return location.hash")
    browser.driver.back()
    time.sleep(0.3)
    check(js("return tprof.state.to === Infinity && tprof.state.view") == "time",
          "Back undoes the zoom")
    browser.open(page, hash_of[1:])
    check(js("return [tprof.state.view, tprof.state.from, tprof.state.to]") == ["time", *part] and
          js("return tprof.chart.title") == state[1], "the URL brings the chart back")
    browser.press_on("tprof.picture.canvas", Keys.ESCAPE, Keys.ESCAPE)
    check(js("return [tprof.state.view, tprof.state.thread]") == ["callees", ""] and
          js("return document.getElementById('chart-axis').hidden"), "Esc ends the chart")
    js("tprof.set({ view: 'time', from: tprof.data.lastStep * 0.6 | 0 })")
    check(js("return tprof.total.samples") > 0, "a thread with samples in the part is chosen")
    merged = js("return tprof.data.names.indexOf('serve')")
    browser.set(edits=f"m{merged}")
    check(js("return tprof.chart.nr > 1 && !tprof.chart.label.slice(1).includes(arguments[0])",
             merged), "the chart has the edits")
    width = js("return tprof.chart.pixels")
    browser.resize(1000, 700)
    time.sleep(0.3)
    check(js("return tprof.chart.pixels") < width and
          js("return tprof.chart.pixels === tprof.picture.scroll.offsetWidth"),
          "the chart fits another width")
    browser.resize(1280, 900)
    browser.open(page, "view=time&thread=7-7")
    check(js("return tprof.state.view === 'time' && findThread(tprof.data, tprof.state.thread)"),
          "a wrong thread in the URL is left out")
    browser.open(page)


def test_diff(browser, check):
    """The threads of two recordings are not the same, so that there is no chart."""
    browser.open(*browser.js("return [location.pathname, 'view=time&thread=100-100']"))
    check(browser.js("return tprof.state.view") == "callees" and
          not browser.driver.find_element(By.ID, "thread").is_displayed() and
          "time" not in [option.get_attribute("value") for option in
                         Select(browser.driver.find_element(By.ID, "view")).options],
          "a page of two recordings has no chart")
    browser.press_on("tprof.picture.canvas", "t")
    check(browser.js("return tprof.state.view") == "callees", "and no key for it")
