/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees of call stacks.
 *
 * A tree has an array for each property of its nodes. Its root is node 0. The nodes of a
 * level follow those of the level above; siblings are in the order of their names. So a loop
 * over all nodes meets callers before callees, and the boxes of a level are ordered by x.
 * The label of a node is the number of a function; labels from the number of functions are
 * groups.
 *
 * A node has the sums that data.sums lists. In a page of two recordings, weight and samples are
 * of the one that the boxes have their widths from, data.shown.
 */

/* Return all nodes, those with a lower rank first. */
function byRank(label, rankOf, nrRanks) {
	const nr = label.length;
	const start = new Uint32Array(nrRanks + 1);
	const order = new Uint32Array(nr);

	for (let i = 1; i < nr; i++)
		start[rankOf(label[i]) + 1]++;
	for (let rank = 0; rank < nrRanks; rank++)
		start[rank + 1] += start[rank];
	for (let i = 1; i < nr; i++)
		order[start[rankOf(label[i])]++] = i;
	return order.subarray(0, nr - 1);
}

/* Return all nodes in the order of the tree, and where each level starts. */
function levelOrder(parent, ordered) {
	const nr = parent.length;
	const child = new Int32Array(nr).fill(-1);
	const next = new Int32Array(nr).fill(-1);
	const order = new Uint32Array(nr);
	const levels = [0, 1];
	let filled = 1;

	for (let i = ordered.length - 1; i >= 0; i--) {
		const node = ordered[i];

		next[node] = child[parent[node]];
		child[parent[node]] = node;
	}
	for (let i = 0; i < filled; i++) {
		if (i === levels[levels.length - 1])
			levels.push(filled);
		for (let node = child[order[i]]; node >= 0; node = next[node])
			order[filled++] = node;
	}
	return { order, levels };
}

/*
 * Make a tree of nodes whose parents have lower numbers. @rankOf gives the order of siblings.
 * The member place has the new number of each node.
 */
function makeTree(nodes, rankOf, nrRanks, sums) {
	const nr = nodes.nr;
	const { order, levels } = levelOrder(nodes.parent.subarray(0, nr),
					     byRank(nodes.label.subarray(0, nr), rankOf, nrRanks));
	const tree = { nr, levels, parent: new Uint32Array(nr), label: new Uint32Array(nr),
		       kind: new Uint8Array(nr), place: new Uint32Array(nr), sums,
		       self: new Float64Array(nr), x: new Float64Array(nr) };

	for (const key of sums)
		tree[key] = new Float64Array(nr);
	for (let i = 0; i < nr; i++)
		tree.place[order[i]] = i;
	for (let i = 0; i < nr; i++) {
		tree.parent[i] = tree.place[nodes.parent[order[i]]];
		tree.label[i] = nodes.label[order[i]];
		tree.kind[i] = nodes.kind[order[i]];
	}
	return tree;
}

/* Add what nodes have themselves to all their callers, and place the boxes. */
function sumTree(tree) {
	const { nr, parent, weight, x } = tree;
	const filled = new Float64Array(nr);

	for (const key of tree.sums) {
		const sum = tree[key];

		for (let i = nr - 1; i > 0; i--)
			sum[parent[i]] += sum[i];
	}
	for (let i = 1; i < nr; i++) {
		x[i] = x[parent[i]] + filled[parent[i]];
		filled[parent[i]] += weight[i];
	}
}

/* Mark nodes without a caller of the same function: a recursive function counts once. */
function findOutermost(tree) {
	const first = new Int32Array(tree.nr).fill(-1);
	const next = new Int32Array(tree.nr).fill(-1);
	const open = new Map();
	const path = [];

	for (let i = tree.nr - 1; i > 0; i--) {
		next[i] = first[tree.parent[i]];
		first[tree.parent[i]] = i;
	}
	tree.outermost = new Uint8Array(tree.nr);
	for (let node = first[0]; node >= 0;) {
		const depth = open.get(tree.label[node]) || 0;

		tree.outermost[node] = depth ? 0 : 1;
		open.set(tree.label[node], depth + 1);
		path.push(node);
		node = first[node];
		while (node < 0 && path.length) {
			const left = path.pop();

			open.set(tree.label[left], open.get(tree.label[left]) - 1);
			node = next[left];
		}
	}
}

/* The tree of all stacks. The points refer to its nodes. */
function baseTree(data) {
	const { up, function: label, kind } = data.column;
	const nodes = !up.length ? new Nodes(0, data.sums) :
		      { nr: up.length, parent: up.map((distance, i) => i - distance), label, kind };
	const tree = makeTree(nodes, (name) => data.ranks[name], data.names.length,
			      data.sums);

	data.points.stack = data.points.stack.map((node) => tree.place[node]);
	findOutermost(tree);
	return tree;
}

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

/* The nodes of a tree that is not complete yet, in arrays that grow. */
class Nodes {
	constructor(label, sums) {
		this.nr = 0;
		this.sums = sums;
		this.room = 1024;
		this.parent = new Uint32Array(this.room);
		this.label = new Uint32Array(this.room);
		this.kind = new Uint8Array(this.room);
		for (const key of sums)
			this[key] = new Float64Array(this.room);
		this.add(0, label, KIND.OTHER);
	}

	grow() {
		this.room *= 2;
		for (const key of ['parent', 'label', 'kind', ...this.sums]) {
			const grown = new this[key].constructor(this.room);

			grown.set(this[key]);
			this[key] = grown;
		}
	}

	/* Return the number of the new node. */
	add(parent, label, kind) {
		if (this.nr === this.room)
			this.grow();
		this.parent[this.nr] = parent;
		this.label[this.nr] = label;
		this.kind[this.nr] = kind;
		return this.nr++;
	}
}

/* Complete a tree. Labels of groups are in the order of their numbers, after functions. */
function finishTree(data, nodes, nrGroups = 0) {
	const nr = data.names.length;
	const tree = makeTree(nodes, (label) => label < nr ? data.ranks[label] : label,
			      nr + nrGroups, data.sums);

	for (const key of data.sums) {
		for (let i = 0; i < tree.nr; i++)
			tree[key][tree.place[i]] = nodes[key][i];
	}
	tree.self.set(tree.weight);
	sumTree(tree);
	return tree;
}

/* Make the tree of the chosen points below a node for each group. */
function groupTree(data, chosen, groups) {
	const { stack } = data.points;
	const base = data.base;
	const nodes = new Nodes(0, data.sums);
	const seen = new Int32Array(base.nr).fill(-1);
	const made = new Uint32Array(base.nr);
	const path = [];

	for (let group = 0; group < groups.names.length; group++) {
		const top = nodes.add(0, data.names.length + group, KIND.GROUP);

		seen[0] = group;
		made[0] = top;
		for (const point of groups.points[group]) {
			let node = stack[point];

			for (; seen[node] !== group; node = base.parent[node])
				path.push(node);
			while (path.length) {
				const callee = path.pop();

				made[callee] = nodes.add(made[base.parent[callee]],
						       base.label[callee], base.kind[callee]);
				seen[callee] = group;
			}
			addPoint(data, nodes, made[stack[point]], point);
		}
	}
	return finishTree(data, nodes, groups.names.length);
}

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

/* Return true if a node has a weight in one of the recordings. */
function hasAny(tree, node) {
	return tree.weight[node] || (tree.otherWeight && tree.otherWeight[node]);
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

/* The tree of a function and its callees. */
function calleesOf(data, label) {
	const base = data.base;
	const nodes = new Nodes(label, data.sums);
	const made = new Int32Array(base.nr).fill(-1);
	const known = new Map();

	for (let i = 1; i < base.nr; i++) {
		const parent = made[base.parent[i]];

		if (!hasAny(base, i))
			continue;
		if (parent < 0) {
			if (base.label[i] !== label)
				continue;
			made[i] = 0;
			nodes.kind[0] = base.kind[i];
		} else {
			const key = (parent * data.names.length + base.label[i]) * 8 + base.kind[i];

			if (!known.has(key))
				known.set(key, nodes.add(parent, base.label[i], base.kind[i]));
			made[i] = known.get(key);
		}
		nodes.weight[made[i]] += base.self[i];
		nodes.samples[made[i]] += base.selfSamples[i];
		if (data.isDiff) {
			nodes.otherWeight[made[i]] += base.otherSelf[i];
			nodes.otherSamples[made[i]] += base.otherSelfSamples[i];
		}
	}
	return finishTree(data, nodes);
}
