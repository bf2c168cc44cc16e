# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the page of html, beside the sums of report --json."""
import time

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select


def test_sums(browser, check, report_of):
    js = browser.js
    for event in report_of()["events"]:
        name = event["event"]
        browser.choose_event(name)
        check(js("return tprof.total.samples") == event["samples"], f"{name}: samples of report")
        check(js("return tprof.total.weight") == event["period"], f"{name}: period of report")
        check(js("return tprof.picture.parts[0].tree.weight[0] === tprof.total.weight"),
              f"{name}: the picture has the sum")
    browser.set(event=0)


def shares_of(report, event, *keys):
    """The shares of the lines of report: keys -> (children, self), in percent."""
    [found] = [one for one in report["events"] if one["event"] == event]
    shares = {}
    for line in found["entries"]:
        key = tuple(line[word] for word in keys)
        children, own = shares.get(key, (0, 0))
        shares[key] = (children + line["children"], own + line["self"])
    return shares


def is_near(a, b):
    """Report rounds to 4 digits, a page to 2."""
    return abs(a - b) < 0.0052


def test_table(browser, check, report_of):
    js = browser.js
    event = js("return tprof.data.events[tprof.state.event].name")
    wanted = shares_of(report_of("-s", "dso,sym"), event, "sym", "dso")
    rows = js("return Array.from(tprof.table.list, (name) => tprof.table.cellsOf(name))")
    odd = compared = 0
    for total, _, own, _, name, binary in rows:
        children, self = wanted.get((name, binary), (None, None))
        if children is None:
            continue
        compared += 1
        odd += not (is_near(float(total[:-1]), children) and is_near(float(own[:-1]), self))
    check(compared > 5 and not odd, f"the table has the shares of report ({compared} functions)")
    js("document.querySelectorAll('#heads button')[3].click()")
    names = js("return Array.from(tprof.table.list, (name) => tprof.data.names[name])")
    check(names == sorted(names), "a head of the table sorts it")
    check(js("return document.querySelectorAll('#heads [aria-sort]').length") == 1,
          "the head says how the table is sorted")
    browser.set(sort="self")


def test_trees(browser, check):
    js = browser.js
    browser.set(view="callers")
    check(js("""const tree = tprof.picture.parts[0].tree, sums = {};
        for (let i = tree.levels[1]; i < tree.levels[2]; i++)
            sums[tree.label[i]] = (sums[tree.label[i]] || 0) + tree.weight[i];
        return Object.keys(sums).every((name) => sums[name] === tprof.functions.self[name]);"""),
          "the first level of callers has what functions have themselves")
    check(js(IN_ORDER), "boxes of callers are in order")
    check(js("""return tprof.table.list.slice(0, 50).every((focus) => {
        tprof.set({ view: 'sandwich', focus });
        return tprof.picture.parts.every((part) =>
            part.tree.weight[0] === tprof.functions.total[focus]); });"""),
          "callers and callees of a function have its total")
    browser.set(view="callees")


# The colours of pixels of the picture, and the colour of text.
PIXELS = """const canvas = document.getElementById('flame');
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d',
        { willReadFrequently: true });
    const pixel = (x, y) => Array.from(pen.getImageData(x, y, 1, 1).data);
    pen.fillStyle = themeColour('--text').trim();
    pen.fillRect(0, 0, 1, 1);
    const text = pixel(0, 0).join();
    pen.drawImage(canvas, 0, 0);
    return arguments[0].map(([x, y]) => pixel(x, y).join() === text);"""


def test_centre(browser, check):
    """The function that callers and callees are around is marked, in light and dark."""
    js = browser.js
    focus = js("return tprof.data.names.indexOf('hash')")
    for theme in ("light", "dark"):
        browser.set(theme=theme, view="sandwich", focus=focus)
        row, width = js("return [tprof.picture.top() + tprof.picture.parts[0].row * ROW,"
                        "tprof.picture.width]")
        ends = [[2, row + 9], [width - 3, row + 9]]
        check(all(js(PIXELS, ends)), f"{theme}: the ends of the box of the function are marked")
        check(not any(js(PIXELS, [[x, y - 19] for x, y in ends])),
              f"{theme}: its callers are not marked so")
    check(js("return document.getElementById('flame').getAttribute('aria-label')") ==
          "Boxes of the callers of hash, and below of its callees",
          "the picture has the function in its label")
    browser.press_on("tprof.picture.canvas", Keys.HOME)
    label = js("return tprof.picture.canvas.getAttribute('aria-label')")
    check(label.startswith("hash in ") and ", the function around which the picture is:" in label,
          "its box is described as that of the function")
    browser.press_on("tprof.table.grid", Keys.HOME, Keys.ARROW_DOWN)
    marked = js("return Array.from(document.querySelectorAll('#rows [aria-current]'),"
                "(row) => tprof.data.names[tprof.table.list[row.dataset.at]])")
    check(marked == ["hash"], "the table marks its row, wherever the active row is")
    check(js("return document.getElementById('crumbs').textContent") == "Aroundhash",
          "the path begins with the function")
    word, button = js("""const [word, button] = document.getElementById('crumbs').childNodes;
        const range = document.createRange();
        range.selectNode(word);
        return [range, button].map((part) => {
            const { top, bottom } = part.getBoundingClientRect();
            return (top + bottom) / 2; });""")
    check(abs(word - button) <= 1, f"the word before it is in its line ({word}, {button})")
    browser.set(theme="", view="callees", focus=-1)
    check(not js("return document.querySelectorAll('#rows [aria-current]').length"),
          "the mark ends with the view")


def test_reveal(browser, check, page):
    """A page that opens around a function has the row of the function in view."""
    browser.resize(1280, 420)
    browser.open(page)
    last = browser.js("return tprof.table.list[tprof.table.list.length - 1]")
    browser.open(page, f"view=sandwich&focus={last}")
    check(browser.js("""const [row] = document.querySelectorAll('#rows [aria-current]');
        if (!row || tprof.table.rows.scrollHeight <= tprof.table.rows.clientHeight)
            return false;
        const { top, bottom } = row.getBoundingClientRect();
        const rows = tprof.table.rows.getBoundingClientRect();
        return top > rows.top - 1 && bottom < rows.bottom + 1;"""),
          "the row of the function is in view from the beginning")
    browser.resize(1280, 900)
    browser.open(page)


# True if siblings are in the order of their names, do not overlap, and are within their parent.
IN_ORDER = """const { tree } = tprof.picture.parts[0], { data } = tprof;
    const rank = (label) => label < data.names.length ? data.ranks[label] : label;
    for (let i = 1; i < tree.nr; i++) {
        const parent = tree.parent[i], next = i + 1;
        if (tree.x[i] < tree.x[parent] ||
            tree.x[i] + tree.weight[i] > tree.x[parent] + tree.weight[parent])
            return false;
        if (next < tree.nr && tree.parent[next] === parent &&
            (rank(tree.label[next]) < rank(tree.label[i]) ||
             tree.x[next] !== tree.x[i] + tree.weight[i]))
            return false;
    }
    return true;"""

def escaped(name):
    """The name as a page has it. JSON has bytes that are no characters as U+0080 to U+00FF."""
    return "".join(f"\\x{ord(char):02x}" if ord(char) < 32 or 127 <= ord(char) < 160 else char
                   for char in str(name))


# The shares of the groups, by name.
GROUPS = """const { tree } = tprof.picture.parts[0], sums = {};
    for (let i = tree.levels[1]; i < tree.levels[2]; i++)
        sums[tprof.labelName(tree.label[i])] = 100 * tree.weight[i] / tprof.total.weight;
    return sums;"""


def test_group(browser, check, key, report):
    js = browser.js
    event = js("return tprof.data.events[tprof.state.event].name")
    Select(browser.driver.find_element(By.ID, "group")).select_by_value(key)
    wanted = {("CPU " if key == "cpu" else "") + escaped(name): self
              for (name,), (_, self) in shares_of(report, event, key).items() if self}
    shown = js(GROUPS)
    check(set(wanted) == set(shown) and all(is_near(wanted[name], shown[name])
                                            for name in wanted),
          f"groups by {key} have the shares of report ({len(shown)} groups)")
    check(js(IN_ORDER), f"boxes of groups by {key} are in order")
    browser.set(group="")


def test_own_groups(browser, check, report_of):
    words = browser.js("return tprof.data.keys.map((key) => key.word)")
    check({"dso", "comm", "thread", "cpu"} <= set(words), "a page has keys without --sort")
    for key in words:
        test_group(browser, check, key, report_of("-s", key))


def test_chosen_groups(browser, check, report_of, keys, options):
    """The tree of a group by time has the samples of the slice only."""
    for key in keys:
        option = {"parent": options[:2], "time": options[2:]}.get(key, [])
        test_group(browser, check, key, report_of("-s", key, *option))
    browser.set(group="time")
    check(browser.js("""const { tree } = tprof.picture.parts[0], { levels } = tree;
        return levels.length > 2 && tree.weight[0] === tprof.total.weight &&
               tree.weight[levels[1]] < tree.weight[0];"""), "groups by time are parts of the sum")
    browser.open(*browser.js("return [location.pathname, location.hash.slice(1)]"))
    check(browser.js("return tprof.state.group") == "time", "the URL brings the group back")
    browser.set(group="")


def test_search(browser, check):
    js = browser.js
    name = js("return tprof.data.names[tprof.table.list[0]]")
    browser.press_on("tprof.picture.canvas", "/")
    field = browser.driver.find_element(By.ID, "search")
    check(browser.driver.switch_to.active_element == field, "/ goes to the search")
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
    check("% of " in js("return document.getElementById('status').textContent"),
          "the page says the share with a match")
    browser.press_on("tprof.picture.canvas", "n")
    check(js("const { chosen } = tprof.picture;"
             "return !!chosen && tprof.picture.isMatch(chosen.part.tree.label[chosen.node])"),
          "n goes to a match")
    field.send_keys("(")
    check(field.get_attribute("aria-invalid") == "true", "a wrong expression is reported")
    browser.press(Keys.ESCAPE)
    check(js("return tprof.state.search") == "", "Esc ends the search")


def test_picture_keys(browser, check, page):
    js = browser.js
    browser.press_on("tprof.picture.canvas", Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    check(js("return tprof.picture.chosen.node") > 0, "arrows choose a box")
    check("samples" in js("return tprof.picture.canvas.getAttribute('aria-label')"),
          "the chosen box is described")
    browser.press(Keys.ENTER)
    zoomed = browser.driver.current_url.partition("#")[2]
    check("zoom=" in zoomed, "Enter zooms, and the URL has the zoom")
    browser.driver.back()
    time.sleep(0.3)
    check(js("return tprof.state.zoom") == "", "Back undoes the zoom")
    browser.open(page, zoomed)
    check(js("return tprof.picture.zoomed().zoom") > 0, "the URL brings the zoom back")
    browser.press_on("tprof.picture.canvas", Keys.ESCAPE)
    check(js("return tprof.picture.zoomed().zoom") == 0, "Esc undoes the zoom")
    browser.press("i")
    check(js("return tprof.state.shape") == "flame", "i makes a flame")
    browser.press("i", "c")
    check(js("return tprof.state.view") == "callers", "c shows the callers")
    browser.press("c", "?")
    check(js("return document.getElementById('help').open"), "? lists the keys")
    browser.press(Keys.ESCAPE)


def test_table_keys(browser, check, page):
    js = browser.js
    browser.press_on("tprof.table.grid", Keys.ARROW_DOWN, Keys.ENTER)
    check(js("return tprof.state.view") == "sandwich", "Enter in the table shows the function")
    check(js("return !!document.getElementById("
             "tprof.table.grid.getAttribute('aria-activedescendant'))"), "the row is an element")
    check(js("return tprof.picture.canvas.height <= innerHeight * devicePixelRatio"),
          "the canvas is not higher than the window")
    browser.open(page)


def test_focus(browser, check):
    """Go through the page by Tab: each stop must have a frame."""
    js = browser.js
    js("document.activeElement.blur()")
    stops = set()
    bare = []
    for _ in range(60):
        browser.press(Keys.TAB)
        stop = js("""const now = document.activeElement;
            return now === document.body ? null :
                   [now.id || now.textContent, getComputedStyle(now).outlineStyle];""")
        if not stop or stop[0] in stops:
            break
        stops.add(stop[0])
        if stop[1] == "none":
            bare.append(stop[0])
    check({"flame", "lanes", "grid", "search"} <= stops and not bare,
          f"Tab goes to everything, and the focus is visible {bare or ''}")


def test_click(browser, check):
    """Click the middle of the widest box of the second level, and then the path."""
    js = browser.js
    place = js("""const { picture } = tprof, [part] = picture.parts, { tree } = part;
        let node = tree.levels[1];
        for (let i = node; i < tree.levels[2]; i++)
            node = tree.weight[i] > tree.weight[node] ? i : node;
        const x = (tree.x[node] + tree.weight[node] / 2) / tree.weight[0] * picture.width;
        const box = picture.canvas.getBoundingClientRect();
        return [node, x - box.width / 2, 19 * 1.5 - box.height / 2];""")
    canvas = browser.driver.find_element(By.ID, "flame")
    ActionChains(browser.driver).move_to_element_with_offset(
        canvas, int(place[1]), int(place[2])).click().perform()
    check(js("return tprof.picture.zoomed().zoom") == place[0], "a click zooms to the box")
    browser.driver.find_element(By.CSS_SELECTOR, "#crumbs button").click()
    check(js("return tprof.picture.zoomed().zoom") == 0, "the path above undoes the zoom")
