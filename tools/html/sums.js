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

/*
 * Add the points of an event and a part of the time to what nodes have themselves. There may be
 * millions of points, so this loop allocates nothing.
 */
function addPoints(data, { event, from, to }) {
	const { points, isDiff, shown, base } = data;
	const { nr, run, time, stack, weight, samples } = points;

	for (let i = 0; i < nr; i++) {
		if (points.event[i] !== event || time[i] < from || time[i] > to)
			continue;
		if (isDiff && run[i] !== shown) {
			base.otherWeight[stack[i]] += weight[i];
			base.otherSamples[stack[i]] += samples[i];
		} else {
			base.weight[stack[i]] += weight[i];
			base.samples[stack[i]] += samples[i];
		}
	}
}

/*
 * Set what nodes have themselves. The sums of all of the time are kept for one event, because
 * leaving a part of the time, or all edits, chooses them again.
 */
function sumOwn(data, state) {
	const tree = data.base;
	const isWhole = state.from === DEFAULTS.from && state.to === DEFAULTS.to;
	const { whole } = data.kept;
	const isKept = isWhole && whole && whole.event === state.event &&
		       whole.shown === data.shown;

	for (const key of tree.sums) {
		if (isKept)
			tree[key].set(whole[key]);
		else
			tree[key].fill(0);
	}
	if (!isKept)
		addPoints(data, state);
	if (!isWhole || isKept)
		return;
	data.kept.whole = { event: state.event, shown: data.shown };
	for (const key of tree.sums)
		data.kept.whole[key] = tree[key].slice();
}

/* Give the base tree the sums of the points that @state chooses. */
function sumBase(data, state) {
	const tree = data.base;

	sumOwn(data, state);
	tree.self = tree.weight.slice();
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
