/* SPDX-License-Identifier: GPL-2.0-only */
/* Trees that lead from functions to their callers. */

/*
 * Make a tree of callers. An item is a node of the base tree with what it counts; its path
 * to the root is added. All items below a node of the new tree follow each other, so that
 * an array can have the last node that was made for a label.
 */
function callersTree(data, rootLabel, items) {
	const base = data.base;
	const nodes = new Nodes(rootLabel, data.sums);
	const lastParent = new Int32Array(8 * data.names.length).fill(-1);
	const lastNode = new Uint32Array(8 * data.names.length);
	let at = new Uint32Array(items.cursor.length);

	while (items.cursor.length) {
		const { cursor } = items;
		const first = nodes.nr;
		const child = new Uint32Array(cursor.length);
		let alive = 0;

		for (let i = 0; i < cursor.length; i++) {
			const node = cursor[i];
			const key = 8 * base.label[node] + base.kind[node];

			if (!node) {
				for (const sum of data.sums)
					nodes[sum][at[i]] += items[sum][i];
				continue;
			}
			if (lastParent[key] !== at[i]) {
				lastParent[key] = at[i];
				lastNode[key] = nodes.add(at[i], base.label[node],
							base.kind[node]);
			}
			child[i] = lastNode[key];
			alive++;
		}
		items = nextItems(items, child, first, nodes.nr, alive, data);
		at = items.at;
	}
	return finishTree(data, nodes);
}

/* Return the items that have callers, ordered by the nodes that they are at. */
function nextItems(items, child, first, end, alive, data) {
	const start = new Uint32Array(end - first + 1);
	const next = { cursor: new Uint32Array(alive), at: new Uint32Array(alive) };

	for (const key of data.sums)
		next[key] = new Float64Array(alive);
	const place = new Uint32Array(child.length);

	for (let i = 0; i < child.length; i++) {
		if (items.cursor[i])
			start[child[i] - first + 1]++;
	}
	for (let i = 0; i < end - first; i++)
		start[i + 1] += start[i];
	for (let i = 0; i < child.length; i++) {
		if (!items.cursor[i])
			continue;
		const to = start[child[i] - first]++;

		next.cursor[to] = data.base.parent[items.cursor[i]];
		next.at[to] = child[i];
		place[i] = to;
	}
	for (const key of data.sums) {
		const from = items[key], into = next[key];

		for (let i = 0; i < child.length; i++) {
			if (items.cursor[i])
				into[place[i]] = from[i];
		}
	}
	return next;
}

/* Make items of nodes. @sums has an array for each key of data.sums, in the same order. */
function makeItems(data, list, cursorOf, sums) {
	const items = { cursor: Uint32Array.from(list, cursorOf) };

	data.sums.forEach((key, i) => {
		items[key] = Float64Array.from(list, (node) => sums[i][node]);
	});
	return items;
}

/* Return true if a node of the base tree has itself a part of one of the sums. */
function hasSelf(base, node) {
	return base.self[node] || base.selfSamples[node] ||
	       (base.otherSelf && (base.otherSelf[node] || base.otherSelfSamples[node]));
}

/* The tree from sampled functions to their callers. */
function invertedTree(data) {
	const base = data.base;
	const list = [];

	for (let i = 1; i < base.nr; i++) {
		if (hasSelf(base, i))
			list.push(i);
	}
	return callersTree(data, 0, makeItems(data, list, (node) => node,
					      [base.self, base.selfSamples, base.otherSelf,
					       base.otherSelfSamples]));
}

/* The tree of the callers of a function. */
function callersOf(data, label) {
	const base = data.base;
	const list = [];

	for (let i = 1; i < base.nr; i++) {
		if (base.label[i] === label && base.outermost[i] && hasAny(base, i))
			list.push(i);
	}
	return callersTree(data, label, makeItems(data, list, (node) => base.parent[node],
						  data.sums.map((key) => base[key])));
}
