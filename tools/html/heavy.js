/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees in the order of weights: siblings with larger weights are first, on the left. Equal ones
 * stay in the order of names.
 */

/* Sort numbers of nodes by weight. Most siblings are few. */
function sortByWeight(nodes, weight) {
	if (nodes.length > 16) {
		nodes.sort((a, b) => weight[b] - weight[a] || a - b);
		return;
	}
	for (let i = 1; i < nodes.length; i++) {
		const node = nodes[i];
		let to = i;

		for (; to && weight[nodes[to - 1]] < weight[node]; to--)
			nodes[to] = nodes[to - 1];
		nodes[to] = node;
	}
}

/* Return the nodes in their new order: callees in the order of their callers, then by weight. */
function heavyOrder({ nr, parent, weight }) {
	const start = new Uint32Array(nr + 1), order = new Uint32Array(nr);
	let filled = 1;

	/* The callees of a node follow each other, and those of the next node follow them. */
	for (let i = 1; i < nr; i++)
		start[parent[i] + 1]++;
	start[0] = 1;
	for (let i = 0; i < nr; i++)
		start[i + 1] += start[i];
	for (let i = 0; i < filled; i++) {
		const first = filled;

		for (let node = start[order[i]]; node < start[order[i] + 1]; node++)
			order[filled++] = node;
		if (filled - first > 1)
			sortByWeight(order.subarray(first, filled), weight);
	}
	return order;
}

/* Return the same tree with the nodes of each level in the order of weights. */
function heavyTree(tree) {
	const { nr, parent, label, kind } = tree, order = heavyOrder(tree), place = new Uint32Array(nr);
	const heavy = emptyTree(nr, tree.levels, tree.sums);

	for (let i = 0; i < nr; i++) {
		const node = order[i];

		place[node] = i;
		heavy.parent[i] = place[parent[node]];
		heavy.label[i] = label[node];
		heavy.kind[i] = kind[node];
	}
	for (const key of tree.sums) {
		const from = tree[key], to = heavy[key];

		for (let i = 0; i < nr; i++)
			to[i] = from[order[i]];
	}
	placeBoxes(heavy);
	return heavy;
}
