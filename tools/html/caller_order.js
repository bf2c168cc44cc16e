/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of the nodes of a tree by what leads up from them: by their function, then by that
 * of the caller, and so on up to the root. A node comes right before those that continue its path.
 *
 * As for the suffixes of a text, each round doubles the length of the paths that the ranks of
 * nodes depend on: nodes of the same rank are ordered by the ranks of the nodes where their paths
 * continue.
 */

/* Return the rank of each node by function and kind, and how many there are. The root is first. */
function rankNames(data, { nr, label, kind }) {
	const nrKeys = 8 * data.names.length, rankOf = new Uint32Array(nrKeys);
	const rank = new Uint32Array(nr);
	let nrRanks = 1;

	for (let i = 1; i < nr; i++)
		rankOf[8 * data.ranks[label[i]] + kind[i]] = 1;
	for (let key = 0; key < nrKeys; key++)
		rankOf[key] = rankOf[key] ? nrRanks++ : 0;
	for (let i = 1; i < nr; i++)
		rank[i] = rankOf[8 * data.ranks[label[i]] + kind[i]];
	return { rank, nrRanks };
}

/* Return where the nodes of each rank start in an order by rank. */
function startsOf(rank, nrRanks) {
	const starts = new Uint32Array(nrRanks + 1);

	for (let i = 0; i < rank.length; i++)
		starts[rank[i] + 1]++;
	for (let i = 0; i < nrRanks; i++)
		starts[i + 1] += starts[i];
	return starts;
}

/* Return the nodes in the order of @rank, and those of the same rank in the order of @second. */
function orderByRanks(rank, second, nrRanks) {
	const starts = startsOf(rank, nrRanks), next = startsOf(second, nrRanks);
	const bySecond = new Uint32Array(rank.length), order = new Uint32Array(rank.length);

	for (let i = 0; i < rank.length; i++)
		bySecond[next[second[i]]++] = i;
	for (let i = 0; i < rank.length; i++)
		order[starts[rank[bySecond[i]]]++] = bySecond[i];
	return order;
}

/* Return the ranks of nodes in such an order, and their number. */
function rankBoth(rank, second, order) {
	const both = new Uint32Array(rank.length);
	let last = 0;

	for (let i = 1; i < order.length; i++) {
		const node = order[i], before = order[i - 1];

		if (rank[node] !== rank[before] || second[node] !== second[before])
			last++;
		both[node] = last;
	}
	return { rank: both, nrRanks: last + 1 };
}

/* Return what @from has for each of the numbers in @at. */
function take(from, at) {
	const taken = new Uint32Array(at.length);

	for (let i = 0; i < at.length; i++)
		taken[i] = from[at[i]];
	return taken;
}

/* Return the order, with the ranks of names and the levels of the nodes. A tree keeps them. */
function callerOrder(data, tree) {
	if (tree.callerOrder)
		return tree.callerOrder;
	const { nr, levels } = tree, names = rankNames(data, tree), level = new Uint32Array(nr);
	const order = new Uint32Array(nr);
	let { rank, nrRanks } = names, up = tree.parent;

	while (nrRanks < nr) {
		const second = take(rank, up);

		({ rank, nrRanks } = rankBoth(rank, second, orderByRanks(rank, second, nrRanks)));
		up = take(up, up);
	}
	for (let i = 0; i < nr; i++)
		order[rank[i]] = i;
	for (let i = 0; i + 1 < levels.length; i++)
		level.fill(i, levels[i], levels[i + 1]);
	tree.callerOrder = { order, name: names.rank, level };
	return tree.callerOrder;
}
