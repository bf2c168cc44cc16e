/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees that lead from functions to their callers.
 *
 * They are made of paths of the base tree, from a node up to the root. In the order of
 * caller_order.js, each path begins with what it shares with the one before it: nothing is sorted
 * or looked up. The rest of a path becomes new nodes, each the next one of its level.
 */

/* Return the nodes with a part of one of the sums, in the order of their paths. */
function orderSources(order, own) {
	const sources = new Uint32Array(order.length);
	let nr = 0;

	for (let i = 0; i < order.length; i++) {
		for (let k = 0; k < own.length; k++) {
			if (own[k][order[i]]) {
				sources[nr++] = order[i];
				break;
			}
		}
	}
	return sources.subarray(0, nr);
}

/*
 * Compare each path with the one before it. Return how many nodes both have in common where they
 * begin, and the node of the base tree that follows these.
 */
function findShared({ parent }, name, sources) {
	const length = new Uint32Array(sources.length), rest = sources.slice();

	for (let i = 1; i < sources.length; i++) {
		let before = sources[i - 1], node = sources[i];

		for (; before && name[before] === name[node]; length[i]++) {
			before = parent[before];
			node = parent[node];
		}
		rest[i] = node;
	}
	return { length, rest };
}

/* Return where the levels of the tree start. Path i has new nodes below level length[i]. */
function countLevels(sources, level, length, nrLevels) {
	const change = new Int32Array(nrLevels + 1), levels = [0, 1];

	for (let i = 0; i < sources.length; i++) {
		change[length[i]]++;
		change[level[sources[i]]]--;
	}
	for (let i = 0, nr = change[0]; nr > 0; nr += change[++i])
		levels.push(levels[levels.length - 1] + nr);
	return levels;
}

/* Make a tree of paths to the root. @own has what the path from each node counts. */
function callersTree(data, rootLabel, own) {
	const { base, sums } = data, { parent, label, kind } = base;
	const { order, name, level } = callerOrder(data, base);
	const sources = orderSources(order, own);
	const { length, rest } = findShared(base, name, sources);
	const levels = countLevels(sources, level, length, base.levels.length);
	const tree = emptyTree(levels[levels.length - 1], levels, sums);
	const next = levels.slice(), open = new Uint32Array(levels.length);

	tree.label[0] = rootLabel;
	for (let i = 0; i < sources.length; i++) {
		let at = length[i];

		for (let node = rest[i]; node; node = parent[node]) {
			const to = next[at + 1]++;

			tree.parent[to] = open[at++];
			tree.label[to] = label[node];
			tree.kind[to] = kind[node];
			open[at] = to;
		}
		for (let k = 0; k < sums.length; k++)
			tree[sums[k]][open[at]] += own[k][sources[i]];
	}
	sumTree(tree);
	return tree;
}

/*
 * The tree from sampled functions to their callers. After a merge, samples may have no function
 * left. They are in the root alone.
 */
function invertedTree(data) {
	const { base } = data;
	const own = [base.self, base.selfSamples, base.otherSelf, base.otherSelfSamples];

	return callersTree(data, 0, own.slice(0, data.sums.length));
}

/* The tree of the callers of a function: the paths from the callers of its nodes. */
function callersOf(data, name) {
	const { base } = data, { nr, parent, label, outermost } = base;
	const own = data.sums.map(() => new Float64Array(nr));

	for (let i = 1; i < nr; i++) {
		if (label[i] !== name || !outermost[i])
			continue;
		for (let k = 0; k < own.length; k++)
			own[k][parent[i]] += base[data.sums[k]][i];
	}
	return callersTree(data, name, own);
}
