/* SPDX-License-Identifier: GPL-2.0-only */
/* Trees that lead from functions to their callers. */

/*
 * Make a tree of callers of @sources, nodes of the base tree. @startOf gives the node whose path
 * to the root is added for a source, @sums what a source counts, in the order of data.sums.
 *
 * An item is a source, the node of its path that is next (cursor), and the node of the new tree
 * that it is at. All items at a node follow each other, so that an array can have the last
 * node that was made for a label. Each level is put in order when it is complete.
 */
function callersTree(data, rootLabel, sources, startOf, sums) {
	const nodes = new Nodes(rootLabel, data.sums);
	const last = { parent: new Int32Array(8 * data.names.length).fill(-1),
		       node: new Uint32Array(8 * data.names.length) };
	const levels = [0, 1];
	let items = { source: sources, cursor: sources.map(startOf),
		      at: new Uint32Array(sources.length) };

	while (items.source.length) {
		const first = nodes.nr;
		const child = addLevel(data, nodes, items, last, sums);

		if (nodes.nr > first)
			levels.push(nodes.nr);
		items = nextItems(data, items, child, first, nodes.nr, sortSiblings(data, nodes, first));
	}
	return orderedTree(nodes, levels, data.sums);
}

/* Add the callers of all items. Return the new node of each; 0 for an item without a caller. */
function addLevel(data, nodes, { source, cursor, at }, last, sums) {
	const { label, kind } = data.base;
	const child = new Uint32Array(cursor.length);

	for (let i = 0; i < cursor.length; i++) {
		const node = cursor[i];
		const key = 8 * label[node] + kind[node];

		if (!node) {
			for (let k = 0; k < sums.length; k++)
				nodes[data.sums[k]][at[i]] += sums[k][source[i]];
			continue;
		}
		if (last.parent[key] !== at[i]) {
			last.parent[key] = at[i];
			last.node[key] = nodes.add(at[i], label[node], kind[node]);
		}
		child[i] = last.node[key];
	}
	return child;
}

function sortNumbers(numbers, nr) {
	if (nr > 16) {
		numbers.subarray(0, nr).sort();
		return;
	}
	for (let i = 1; i < nr; i++) {
		const number = numbers[i];
		let to = i;

		for (; to && numbers[to - 1] > number; to--)
			numbers[to] = numbers[to - 1];
		numbers[to] = number;
	}
}

/* Put the siblings from node @first on in the order of names. Return where each node went. */
function sortSiblings(data, nodes, first) {
	const { parent, label, kind, nr } = nodes;
	const moved = new Uint32Array(nr - first);
	const numbers = new Float64Array(nr - first);

	for (let from = first, end; from < nr; from = end) {
		for (end = from; end < nr && parent[end] === parent[from]; end++)
			;
		const siblings = end - from;

		for (let i = 0; i < siblings; i++)
			numbers[i] = (data.ranks[label[from + i]] * 8 + kind[from + i]) * siblings + i;
		sortNumbers(numbers, siblings);
		for (let i = 0; i < siblings; i++) {
			const key = Math.floor(numbers[i] / siblings);

			moved[from + numbers[i] - key * siblings - first] = from + i;
			label[from + i] = data.order[Math.floor(key / 8)];
			kind[from + i] = key % 8;
		}
	}
	return moved;
}

/* Return the items that have callers, in the order of the nodes that they are at. */
function nextItems(data, items, child, first, end, moved) {
	const start = new Uint32Array(end - first + 1);
	let nr = 0;

	for (let i = 0; i < child.length; i++) {
		if (!child[i])
			continue;
		child[i] = moved[child[i] - first];
		start[child[i] - first + 1]++;
		nr++;
	}
	for (let i = 0; i < end - first; i++)
		start[i + 1] += start[i];
	const next = { source: new Uint32Array(nr), cursor: new Uint32Array(nr),
		       at: new Uint32Array(nr) };

	for (let i = 0; i < child.length; i++) {
		if (!child[i])
			continue;
		const to = start[child[i] - first]++;

		next.source[to] = items.source[i];
		next.cursor[to] = data.base.parent[items.cursor[i]];
		next.at[to] = child[i];
	}
	return next;
}

/* Return the nodes from @from on that @accepts takes; by default, those below the root. */
function chooseNodes(base, accepts, from = 1) {
	const nodes = new Uint32Array(base.nr);
	let nr = 0;

	for (let i = from; i < base.nr; i++) {
		if (accepts(i))
			nodes[nr++] = i;
	}
	return nodes.subarray(0, nr);
}

/* Return true if a node of the base tree has itself a part of one of the sums. */
function hasSelf(base, node) {
	return base.self[node] || base.selfSamples[node] ||
	       (base.otherSelf && (base.otherSelf[node] || base.otherSelfSamples[node]));
}

/* The tree from sampled functions to their callers. */
function invertedTree(data) {
	const { base } = data;
	const own = [base.self, base.selfSamples, base.otherSelf, base.otherSelfSamples];

	/* After a merge, samples may have no function left. They are in the root alone. */
	return callersTree(data, 0, chooseNodes(base, (node) => hasSelf(base, node), 0),
			   (node) => node, own.slice(0, data.sums.length));
}

/* The tree of the callers of a function. */
function callersOf(data, label) {
	const { base } = data;
	const accepts = (node) => base.label[node] === label && base.outermost[node] &&
				  hasAny(base, node);

	return callersTree(data, label, chooseNodes(base, accepts), (node) => base.parent[node],
			   data.sums.map((key) => base[key]));
}
