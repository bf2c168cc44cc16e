/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of the points that are chosen. */

/* Return the points of an event and a part of the time, as an array of their numbers. */
function choosePoints(data, state) {
	const { nr, time, event } = data.points;
	const chosen = new Uint32Array(nr);
	let filled = 0;

	for (let i = 0; i < nr; i++) {
		if (event[i] === state.event && time[i] >= state.from && time[i] <= state.to)
			chosen[filled++] = i;
	}
	return chosen.subarray(0, filled);
}

/* Add a point to what a node has itself. */
function addPoint(data, tree, node, point) {
	const { weight, samples, run } = data.points;

	if (data.isDiff && run[point] !== data.shown) {
		tree.otherWeight[node] += weight[point];
		tree.otherSamples[node] += samples[point];
	} else {
		tree.weight[node] += weight[point];
		tree.samples[node] += samples[point];
	}
}

/* Give the base tree the sums of the chosen points. */
function sumBase(data, chosen) {
	const { stack } = data.points;
	const tree = data.base;

	for (const key of tree.sums)
		tree[key].fill(0);
	for (let i = 0; i < chosen.length; i++)
		addPoint(data, tree, stack[chosen[i]], chosen[i]);
	tree.self.set(tree.weight);
	tree.selfSamples = tree.samples.slice();
	if (data.isDiff) {
		tree.otherSelf = tree.otherWeight.slice();
		tree.otherSelfSamples = tree.otherSamples.slice();
		tree.z = undefined;
	}
	sumTree(tree);
}

/* Return true if a node has a weight in one of the recordings. */
function hasAny(tree, node) {
	return tree.weight[node] || (tree.otherWeight && tree.otherWeight[node]);
}
