# SPDX-License-Identifier: GPL-2.0-only
"""Tests of a page whose recording has more stacks than a page."""

import time

MOST = 1 << 18

# The samples of each box: names from the outermost function on -> samples, and of small stacks.
BOXES = """const { base, names } = tprof.data, paths = [''], sums = {};
    let small = 0;
    for (let i = 1; i < base.nr; i++) {
        paths[i] = paths[base.parent[i]] + ';' + names[base.label[i]];
        if (base.kind[i] === KIND.SMALL)
            small += base.samples[i];
        else
            sums[paths[i]] = base.samples[i];
    }
    return [sums, small, base.nr, base.samples[0]];"""


def exact_sums(folded):
    """The samples of each stack with its callees, from the lines of report --folded."""
    sums = {}
    for line in folded.splitlines():
        path, _, samples = line.rpartition(" ")
        stack = ""
        for name in path.split(";")[1:]:
            stack += ";" + name
            sums[stack] = sums.get(stack, 0) + int(samples)
    return sums


def test_sums(browser, check, folded):
    wanted = exact_sums(folded)
    sums, small, nr, total = browser.js(BOXES)
    check(len(wanted) > MOST > nr, f"{len(wanted)} stacks are {nr} boxes")
    check(total == sum(wanted[stack] for stack in wanted if stack.count(";") == 1) and
          0 < small < total, f"{small} of {total} samples are in small stacks")
    check(len(sums) > 100 and all(wanted[stack] == samples for stack, samples in sums.items()),
          f"the samples of {len(sums)} boxes are those of report")
    least = browser.js("return tprof.data.leastShare")
    check(all(stack in sums for stack, samples in wanted.items() if samples >= least * total),
          f"all stacks with {least:.2e} of the samples have a box")


def test_time_of_day(browser, check):
    """The recording was made since this machine's boot, by the monotonic clock."""
    begin, shown = browser.js("""const { data } = tprof, ns = 1e9;
        return [data.startSeconds + data.startNanoseconds / ns,
                data.wallSeconds + data.wallNanoseconds / ns];""")
    check(abs(begin + time.time() - time.monotonic() - shown) < 1,
          "the page has the time of day at the first sample")


def test_text(browser, check):
    js = browser.js
    share = js("return percent(tprof.functions.self[tprof.data.small] /"
               "tprof.total.weight)")
    least = js("return finePercent(tprof.data.leastShare)")
    check(f"stacks with less than {least} of the samples may be in [small stacks], "
          f"which have {share}" in js("return document.getElementById('summary').textContent"),
          f"the summary has what small stacks are ({least}), and their share ({share})")
    check("small stacks" in js("return document.getElementById('legend').textContent"),
          "the legend has small stacks")
    check(js("return tprof.data.names[tprof.hottest()]") == "parse",
          "the function with the most samples is none of small stacks")


# How many boxes match, how many of them have less than half a pixel, and where those are.
NARROW = """const { tree } = tprof.picture.parts[0], { width } = tprof.picture;
    const places = [];
    let all = 0;
    for (let i = 1; i < tree.nr; i++) {
        if (!/render/i.test(tprof.labelName(tree.label[i])) || !tree.weight[i])
            continue;
        all++;
        if (tree.weight[i] / tree.weight[0] * width < 0.5)
            places.push([tree.x[i] / tree.weight[0] * width, levelOf(tree, i)]);
    }
    return [all, places];"""

# True at each place of the picture that has the colour of a match.
IS_FOUND = """const [places] = arguments, canvas = document.getElementById('flame');
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d',
        { willReadFrequently: true });
    const pixel = (x, y) => Array.from(pen.getImageData(x, y, 1, 1).data);
    pen.fillStyle = FOUND_COLOUR;
    pen.fillRect(0, 0, 1, 1);
    const wanted = pixel(0, 0);
    pen.drawImage(canvas, 0, 0);
    return places.map(([x, level]) => [-1, 0, 1].some((right) =>
        pixel(Math.floor(x) + right, level * ROW + 5).every((value, i) =>
            Math.abs(value - wanted[i]) < 60)));"""


def test_narrow(browser, check):
    """Matches in boxes that are too narrow to draw are counted and seen."""
    js = browser.js
    check("too narrow to draw" in js("return document.getElementById('legend').textContent"),
          "the legend has boxes that are too narrow")
    browser.set(search="render")
    boxes, places = js(NARROW)
    status = js("return document.getElementById('status').textContent")
    check(boxes > len(places) > 10 and f"in {boxes:,} boxes; {len(places):,} of these are too "
          "narrow to draw" in status, f"a search counts {len(places)} boxes too narrow to draw")
    rows = js("return tprof.picture.scroll.clientHeight / ROW | 0")
    shown = [place for place in places if place[1] < rows]
    check(len(shown) > 10 and all(js(IS_FOUND, shown)),
          f"a match in each of {len(shown)} narrow boxes is highlighted")
    browser.set(search="no such function")
    check(not any(js(IS_FOUND, shown)), "without a match, nothing is highlighted")
    browser.set(search="render")
    js("tprof.picture.zoomTo(tprof.picture.parts[0], tprof.picture.childOf("
       "tprof.picture.parts[0], 0))")
    check("the function that matches, in " in
          js("return document.getElementById('status').textContent"),
          "a zoom counts the boxes again")
    browser.set(search="", zoom="")


# The root, the function "all", and boxes called [small stacks]: a function, and small stacks.
LIKE_OWN = """const [part] = tprof.picture.parts, { tree } = part, { data } = tprof;
    const find = (accepts) => tree.label.findIndex((label, node) => node && tree.weight[node] &&
                                                    accepts(label));
    const like = (text) => (label) => label !== data.small && data.names[label] === text;
    return [0, find(like('all')), find(like('[small stacks]')),
            find((label) => label === data.small)].map((node) =>
        [boxText(tprof, { part, node }), tprof.picture.isOwn(tree, node),
         !!tprof.picture.isMatchBox(tree, node), tprof.picture.colourOf(tree, node) ===
         MATCH_COLOUR]);"""

# How many of the first pixels at the upper end of a row have the colour of the text of a box.
DASHES = """const canvas = document.getElementById('flame');
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    let nr = 0;
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(2, arguments[0] * ROW, 80, 1);
    for (let i = 0; i < data.length; i += 4)
        nr += data[i] < 60 && data[i + 1] < 60 && data[i + 2] < 60;
    return nr;"""


def test_own_boxes(browser, check):
    """Functions may have the names of boxes that are no functions."""
    js = browser.js
    browser.set(view="callees", search="", zoom="", theme="light")
    boxes = js(LIKE_OWN)
    check([text.partition(":")[0].partition(", /")[0] for text, *_ in boxes] ==
          ["all, not a function", "all in recording", "[small stacks] in recording",
           "[small stacks], not a function"], "the text of a box says if it is no function")
    check([own for _, own, *_ in boxes] == [True, False, False, True],
          "functions are not drawn as what is none")
    check(20 < js(DASHES, 0) < 60 and not js(DASHES, 1), "the box of all stacks has a dashed frame")
    check(js("return Array.from(document.querySelectorAll('#crumbs .own'), (button) =>"
             "button.getAttribute('aria-label'))") == ["all, not a function"],
          "the path says that all stacks are no function")
    browser.set(sort="name")
    rows = js("""const list = [...tprof.table.list].filter((name) =>
        /^\\[small/.test(tprof.data.names[name])).map((name) => tprof.table.list.indexOf(name));
        return list.map((at) => [tprof.table.makeRow(at).className,
                                 tprof.table.cellsOf(tprof.table.list[at])[5]]);""")
    check(sorted(rows) == [["", "recording"], ["own", "not a function"]],
          "the table says which row is no function")
    browser.set(sort="self", search="^(all|.small stacks.)$")
    boxes = js(LIKE_OWN)
    own, function = [False] * 2, [True] * 2
    check([match for _, _, *match in boxes] == [own, function, function, own] and
          js("return tprof.found.names") == 2, "a search finds functions alone")
    check("; [small stacks] have no names to search" in
          js("return document.getElementById('status').textContent"), "and says so")
    browser.set(search=js("return tprof.data.names[tprof.data.base.label[0]]"))
    check(js(LIKE_OWN)[0][2:] == [False, False], "no search finds the box of all stacks")
    browser.set(search="", theme="")
