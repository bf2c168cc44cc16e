# SPDX-License-Identifier: GPL-2.0-only
"""Tests of where a page has its parts, in windows of several sizes."""

# Where the picture, the table and the end of the controls are, and the size of all.
PLACES = """const box = (id) => document.getElementById(id).getBoundingClientRect();
    const [picture, table] = [box('scroll'), box('grid')];
    return [[picture.top, picture.bottom], [table.top, table.bottom],
            [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
            box('controls').height];"""

# The ends of the texts of the heads that are shown, and the width of the column of names.
HEADS = """const shown = [...document.querySelectorAll('#heads [role="columnheader"]')].filter(
        (head) => head.offsetWidth);
    return [shown.map((head) => {
        const range = document.createRange();
        range.selectNodeContents(head.firstElementChild);
        const { left, right } = range.getBoundingClientRect();
        return [left, right]; }),
        shown.find((head) => head.textContent === 'Function').offsetWidth];"""


def test_heads(browser, check, what, width):
    ends, names = browser.js(HEADS)
    check(all(right + 3 <= left for (_, right), (left, _) in zip(ends, ends[1:])),
          f"{what}, {width} pixels: heads do not overlap")
    check(names >= 110, f"{what}, {width} pixels: names have room ({names} pixels)")


# The lists that cut a choice. Lists of names from the recording may do so.
CUT_LISTS = """const lists = [...document.querySelectorAll('select')].filter((list) =>
        list.offsetWidth && !['event', 'group', 'thread', 'mark'].includes(list.id));
    return lists.filter((list) => {
        const width = list.offsetWidth;
        list.style.maxWidth = 'none';
        const whole = list.offsetWidth;
        list.style.maxWidth = '';
        return width < whole; }).map((list) => list.id);"""


def test_rare(browser, check, what):
    """A narrow window shows the rare controls by a button."""
    js, shown = browser.js, "return document.getElementById('theme').offsetWidth > 0"
    top = js(PLACES)[0][0]
    check(top <= 340 and not js(shown), f"{what}, 420 pixels: the picture begins at {top:.0f}")
    browser.driver.find_element("id", "more-button").click()
    check(js(shown), f"{what}, 420 pixels: a button shows all controls")
    browser.driver.find_element("id", "more-button").click()
    check(js(PLACES)[0][0] == top, f"{what}, 420 pixels: the button hides them again")


def test_layout(browser, check, what):
    """Picture and table have most of the window, end together, and have room for names."""
    js = browser.js
    for width, height, least in ((1440, 900, 0.66), (1280, 800, 0.62), (1024, 768, 0.58)):
        browser.resize(width, height)
        picture, table, whole, _ = js(PLACES)
        share = (picture[1] - picture[0]) / height
        check(share >= least, f"{what}, {width}x{height}: the picture has most of the height "
              f"({share:.2f})")
        check(picture == table, f"{what}, {width}x{height}: picture and table end together")
        check(whole == [width, height], f"{what}, {width}x{height}: the page fits {whole}")
        test_heads(browser, check, what, width)
    cut = js(CUT_LISTS)
    check(not cut, f"{what}: lists show their choices whole {cut or ''}")
    browser.resize(1440, 900)
    if what == "html":
        check(js(PLACES)[3] < 32, "1440 pixels have the controls in one line")
    browser.resize(420, 800)
    picture, table, whole, _ = js(PLACES)
    check(min(picture[1] - picture[0], table[1] - table[0]) > 400 and whole[0] <= 420,
          f"{what}, 420 pixels: picture and table have half of a window each")
    test_heads(browser, check, what, 420)
    test_rare(browser, check, what)
    browser.resize(1280, 900)
