# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what the page shows first, as options of html choose it."""


def test_first_view(browser, check, make):
    """@make makes the page with options, and returns its path."""
    js = browser.js
    browser.open(make(), None)
    check(js("return tprof.state.view === 'callees' && tprof.state.search === '' &&"
             "location.hash === ''"), "without options, the page begins with all")
    lines = js("return [timeText(tprof.data, tprof.data.lastStep * 0.25 | 0),"
               "timeText(tprof.data, (tprof.data.lastStep * 0.75 | 0) + 1)]")
    page = make("--function", "hash", "--search", "^(load|serve)$", "--part", ",".join(lines))
    browser.open(page, None)
    check(js("const { state, data } = tprof;"
             "return state.view === 'sandwich' && data.names[state.focus] === 'hash'") and
          js("return document.getElementById('crumbs').textContent") == "Aroundhash",
          "--function begins with callers and callees of the function")
    check(js("return document.getElementById('search').value") == "^(load|serve)$" and
          "one of 2 functions that match" in
          js("return document.getElementById('status').textContent"),
          "--search begins with the search")
    check(f"--time {','.join(lines)}" == js("return document.getElementById('times').textContent"),
          "--part begins with the part of the time that the page prints")
    hash_of = js("return location.hash")
    check(all(f"{key}=" in hash_of for key in ("view", "focus", "search", "from", "to")),
          "the URL has what the page begins with")
    js("tprof.set({ view: 'callees', focus: -1, search: '', from: 0, to: Infinity });"
       "location.reload()")
    browser.wait()
    check(js("return tprof.state.view === 'callees' && tprof.state.search === ''"),
          "an empty hash is a state, too")
    browser.open(page, "search=render")
    check(js("return tprof.state.search === 'render' && tprof.state.view === 'callees'"),
          "a state in the URL replaces that of the options")


def test_first_event(browser, check, make):
    """A name in several binaries, and one that has samples of the second event only."""
    js = browser.js
    browser.open(make("--function", "[kernel.kallsyms]"), None)
    check(js("return tprof.data.names[tprof.state.focus]") == "[kernel.kallsyms]",
          "--function takes the name of a binary for addresses outside its functions")
    wanted = js("""const { data } = tprof, same = { ...data, names: ['a', 'b', 'a', 'b'] };
        const { total } = tprof.functions, order = [0, 2].sort((a, b) => total[b] - total[a]);
        return [findFirst(same, tprof.state, 'a'), order[0]];""")
    check(wanted[0]["focus"] == wanted[1], "of functions with one name, the largest is chosen")
