# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the edits of a page, beside sums of the stacks that are edited one by one."""
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# The sums of all points after edits: all, by path, and by function. A stack is edited as a list.
WANTED = """const [edits] = arguments, { data, state } = tprof, { full, points } = data;
    const stackOf = (point) => {
        const stack = [];
        for (let node = full.stack[point]; node; node = full.base.parent[node])
            stack.unshift(full.base.label[node]);
        return stack; };
    const sums = { samples: 0, before: 0, weight: 0, paths: {}, total: {}, self: {} };
    const add = (to, key, weight) => { to[key] = (to[key] || 0) + weight; };
    const edited = (stack) => edits.reduce((left, [kind, name]) => !left ? null :
        kind === 'm' ? left.filter((label) => label !== name) :
        left.includes(name) === (kind === 'f') ? left : null, stack);
    for (let i = 0; i < points.nr; i++) {
        if (full.event[i] !== state.event)
            continue;
        sums.before += points.samples[i];
        const stack = edited(stackOf(i)), weight = points.weight[i];
        if (!stack)
            continue;
        sums.samples += points.samples[i];
        sums.weight += weight;
        stack.forEach((label, at) => add(sums.paths, stack.slice(0, at + 1).join(';'), weight));
        new Set(stack).forEach((label) => add(sums.total, label, weight));
        if (stack.length)
            add(sums.self, stack[stack.length - 1], weight);
    }
    return sums;"""

# The same sums, as the page has them.
SHOWN = """const { data, total, functions, before } = tprof, { base, names } = data, paths = [''];
    const sums = { samples: total.samples, before: before ? before.samples : total.samples,
                   weight: total.weight, paths: {}, total: {}, self: {} };
    for (let i = 1; i < base.nr; i++) {
        paths[i] = (base.parent[i] ? paths[base.parent[i]] + ';' : '') + base.label[i];
        if (base.weight[i])
            sums.paths[paths[i]] = (sums.paths[paths[i]] || 0) + base.weight[i];
    }
    names.forEach((name, i) => {
        for (const key of ['total', 'self'])
            if (functions[key][i])
                sums[key][i] = functions[key][i]; });
    return sums;"""


def number_of(browser, name):
    return browser.js("return tprof.data.names.indexOf(arguments[0])", name)


def set_edits(browser, edits):
    """Edits are pairs of a kind and a name. Return them with the numbers of the functions."""
    numbers = [(kind, number_of(browser, name)) for kind, name in edits]
    browser.set(edits=".".join(f"{kind}{number}" for kind, number in numbers))
    return numbers


def test_sums(browser, check):
    """Picture, table, callers, groups and time line have the sums of the edited stacks."""
    js = browser.js
    for edits in ((("f", "hash"),), (("d", "parse"),), (("m", "load"),), (("m", "walk"),),
                  (("f", "serve"), ("d", "render")), (("m", "hash"), ("f", "hash")),
                  (("m", "hash"), ("d", "hash")), (("m", "parse"), ("f", "hash"), ("m", "load")),
                  (("m", "walk"), ("m", "load"), ("m", "serve"), ("d", "sort"))):
        what = ", ".join(f"{kind} {name}" for kind, name in edits)
        wanted = js(WANTED, set_edits(browser, edits))
        check(js(SHOWN) == wanted, f"{what}: boxes and functions have the sums of edited stacks "
              f"({wanted['samples']} of {wanted['before']} samples)")
        check(f"{wanted['samples']:,} of {wanted['before']:,} samples are left" in
              js("return document.getElementById('summary').textContent"),
              f"{what}: the page says how many samples are left")
        check(js("return Math.abs(tprof.time.slots.sums.reduce((sum, slot) => sum + slot, 0) -"
                 "tprof.total.weight) < 1"), f"{what}: the time line has the sum")
        for state in ({"view": "callers"}, {"view": "callees", "group": "thread"},
                      {"view": "callees", "group": "dso"}):
            browser.set(**state)
            check(js("return tprof.picture.parts[0].tree.weight[0]") == wanted["weight"],
                  f"{what}: {' '.join(state.values())} has the sum")
        browser.set(view="callees", group="")
        check(js("""return tprof.table.list.every((focus) => {
            tprof.set({ view: 'sandwich', focus });
            return tprof.picture.parts.every((part) =>
                part.tree.weight[0] === tprof.functions.total[focus]); });"""),
              f"{what}: callers and callees have the totals of functions")
        browser.set(view="callees", focus=-1)
    browser.set(edits="")
    check(js(SHOWN) == js(WANTED, []), "without edits, all sums are those of before")


def edits_of(browser):
    """The edits as the list shows them, the sum of the samples, and the URL."""
    time.sleep(0.3)
    return browser.js("return [Array.from(document.querySelectorAll('#edits button'),"
                      "(item) => item.textContent), tprof.total.samples, location.hash]")


def select(browser, name):
    """Choose a row of the table by the keyboard."""
    at = browser.js("return Array.from(tprof.table.list, (i) => tprof.data.names[i])"
                    ".indexOf(arguments[0])", name)
    browser.press_on("tprof.table.grid", Keys.HOME, *[Keys.ARROW_DOWN] * at)


def test_list(browser, check, page):
    """Edits are made by keys and buttons, undone by Back, and removed one by one."""
    js = browser.js
    browser.open(page)
    all_samples = js("return tprof.total.samples")
    select(browser, "parse")
    browser.press("d")
    check(edits_of(browser)[0] == ["drop parse×"], "d drops the function of the row")
    select(browser, "serve")
    check(js("return document.getElementById('selected').textContent") == "serve",
          "the page says which function edits apply to")
    js("document.querySelector('#edit [data-kind=\"f\"]').click()")
    select(browser, "sort")
    browser.press("m", "m")
    shown, left, url = edits_of(browser)
    check(shown == ["drop parse×", "focus serve×", "merge sort×"] and 0 < left < all_samples and
          "edits=" in url, f"a button focuses, m merges, and the URL has the edits {shown}")
    browser.driver.back()
    browser.driver.back()
    check(edits_of(browser)[0] == ["drop parse×"], "Back undoes edits")
    browser.driver.forward()
    browser.driver.forward()
    check(edits_of(browser) == [shown, left, url], "Forward makes them again")
    js("document.querySelectorAll('#edits button')[1].focus()")
    browser.press(Keys.ENTER)
    check(edits_of(browser)[0] == ["drop parse×", "merge sort×"] and
          js("return document.querySelector('#edits').contains(document.activeElement)"),
          "an edit is removed by itself, and the focus stays in the list")
    browser.press("u", "u", "u")
    check(edits_of(browser)[:2] == [[], all_samples], "u removes the last edit")
    browser.open(page, url[1:])
    check(edits_of(browser) == [shown, left, url], "the URL brings the edits back")
    browser.open(page, "edits=d1.x3.f999999.m.d-1.f1e1.m2")
    check(js("return tprof.state.edits") == "d1.m2", "a wrong edit in the URL is left out")
    browser.open(page)


def test_view(browser, check, page):
    """The picture stays where it was, as far as its function is not gone."""
    js = browser.js
    parse = number_of(browser, "parse")
    browser.set(view="sandwich", focus=parse)
    browser.press_on("tprof.picture.canvas", "d")
    check(js("return tprof.state.view === 'callees' && tprof.state.edits") == f"d{parse}",
          "the picture is not around a function that is dropped")
    browser.open(page)
    browser.press_on("tprof.picture.canvas", *[Keys.ARROW_DOWN] * 4, Keys.ENTER)
    path = js("return tprof.state.zoom.split('.').map(Number)")
    names = js("return arguments[0].slice(1).map((key) => tprof.data.names[key >> 3])", path)
    check(len(path) == 4, f"the zoom is deep enough for this test {names}")
    select(browser, names[1])
    browser.press("m")
    crumbs = js("return Array.from(document.querySelectorAll('#crumbs button'),"
                "(crumb) => crumb.textContent)")
    check(crumbs == ["all", names[0], names[2]],
          f"a merge leaves the zoom without the function {crumbs}")
    browser.open(page)
    for box in browser.driver.find_elements(By.CSS_SELECTOR, "#edit > button"):
        check(not box.is_enabled(), f"{box.text}: without a function, the button is disabled")


def test_diff(browser, check):
    """Both recordings are edited."""
    hash_of = number_of(browser, "hash")
    total = browser.js("return [tprof.total.samples, tprof.total.oldSamples]")
    left = []
    for kind in "fd":
        browser.set(edits=f"{kind}{hash_of}")
        left.append(browser.js("return [tprof.total.samples, tprof.total.oldSamples]"))
        check(f"Old: {left[-1][1]:,} of {total[1]:,} samples are left" in
              browser.js("return document.getElementById('summary').textContent"),
              f"the page says how many samples of the old recording {kind} leaves")
    check([a + b for a, b in zip(*left)] == total and all(sum(left, [])),
          f"focus and drop leave all samples of both recordings {left}")
    browser.set(edits="")
