# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the trees of callers and groups, beside sums of each path that are made one by one."""

# What a test adds up by path, and the same of the tree that is shown. A path has the label and
# the kind of each of its nodes; for groups, it begins with the name of the group.
SUMS = """const { data, state, picture: { parts: [{ tree }] } } = tprof;
    const { base, points, sums } = data;
    const wanted = new Map(), found = new Map();
    const step = (label, kind) => '/' + (label < data.names.length ? label + '.' + kind :
                                         tprof.labelName(label));
    const add = (map, path, values) => map.set(path, values.map((value, i) =>
        value + (map.get(path) || [])[i] || value));
    const addPath = (steps, values) => steps.reduce((path, next) => {
        add(wanted, path + next, values);
        return path + next;
    }, '');
    const up = (node) => !node ? [] :
        [step(base.label[node], base.kind[node]), ...up(base.parent[node])];
    const isEqual = () => {
        const path = [];
        for (let i = 0; i < tree.nr; i++) {
            path.push(i ? path[tree.parent[i]] + step(tree.label[i], tree.kind[i]) : '');
            if (found.has(path[i]))
                return false;
            add(found, path[i], sums.map((key) => tree[key][i]));
        }
        return found.size === wanted.size &&
               [...wanted].every(([at, values]) => String(found.get(at)) === String(values));
    };
"""

# The sums of a point, in the order of data.sums.
POINTS = SUMS + """const eachPoint = (use) => {
        for (let i = 0; i < points.nr; i++) {
            const time = points.time[i], own = [points.weight[i], points.samples[i]];
            if (points.event[i] !== state.event || time < state.from || time > state.to)
                continue;
            use(i, !data.isDiff ? own :
                   points.run[i] === data.shown ? [...own, 0, 0] : [0, 0, ...own]);
        }
    };
"""

CALLERS = POINTS + """eachPoint((i, values) => addPath(['', ...up(points.stack[i])], values));
    return isEqual();"""

# The callers of a function are those of its outermost node in a stack.
AROUND = POINTS + """eachPoint((i, values) => {
        let last = -1;
        for (let node = points.stack[i]; node; node = base.parent[node])
            last = base.label[node] === state.focus ? node : last;
        if (last >= 0)
            addPath(['', ...up(base.parent[last])], values);
    });
    return isEqual();"""

GROUPS = POINTS + """const nameOf = { cpu: (i) => cpuName(data.cpus[points.cpu[i]]),
        thread: (i) => data.threads[points.thread[i]].slice(1, 3).join(':'),
        dso: (i) => points.stack[i] ? data.functions[base.label[points.stack[i]]][1] :
                    'no function left' }[state.group];
    eachPoint((i, values) =>
        addPath(['', '/' + nameOf(i), ...up(points.stack[i]).reverse()], values));
    return isEqual() && tree.levels[tree.levels.length - 1] === tree.nr;"""


def test_paths(browser, check, what):
    """A tree has the paths of the chosen points, each with the sums of its points, and no other."""
    js = browser.js
    browser.set(view="callers")
    check(js(CALLERS), f"{what}: paths of all callers have the sums of their points")
    names = js("return tprof.table.list.slice(0, 50)")
    good = 0
    for focus in names:
        browser.set(view="sandwich", focus=focus)
        good += js(AROUND)
    check(good == len(names) > 0, f"{what}: so have paths of callers of {len(names)} functions")
    browser.set(view="callees", focus=-1)
    for group in ("thread", "cpu", "dso"):
        browser.set(group=group)
        check(js(GROUPS), f"{what}: paths in groups by {group} have the sums of their points")
    browser.set(group="")
    check(not js(GROUPS.replace("nameOf(i)", "i")), f"{what}: other paths are not taken for equal")


def test_parts(browser, check):
    """The same for a part of the time, and for stacks without a function."""
    last = browser.js("return tprof.data.lastStep")
    browser.js("tprof.set({ from: arguments[0], to: arguments[1] })", last // 3, last // 2)
    test_paths(browser, check, "a part of the time")
    browser.js("tprof.set({ from: 0, to: Infinity })")
    browser.js("tprof.set({ edits: 'm' + tprof.table.list[0] + '.m' + tprof.hottest() })")
    test_paths(browser, check, "merged functions")
    browser.set(edits="")
