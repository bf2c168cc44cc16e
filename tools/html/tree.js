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
 *
 * The tree of all stacks is ordered once: by level, and siblings by name. So sums, searches
 * and places of boxes are loops over arrays (sums.js). Other trees are made from it when they
 * are shown (callers.js, callees.js, group_tree.js). Edits (edits.js) and the choice of a
 * thread change the tree of all stacks and the points before all else, so nothing else knows
 * of them.
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

/* Return a tree whose nodes are to be filled in. */
function emptyTree(nr, levels, sums) {
	const tree = { nr, levels, parent: new Uint32Array(nr), label: new Uint32Array(nr),
		       kind: new Uint8Array(nr), sums, x: new Float64Array(nr) };

	for (const key of sums)
		tree[key] = new Float64Array(nr);
	return tree;
}

/*
 * Make a tree of nodes whose parents have lower numbers. @rankOf gives the order of siblings.
 * The member place has the new number of each node.
 */
function makeTree(nodes, rankOf, nrRanks, sums) {
	const nr = nodes.nr;
	const { order, levels } = levelOrder(nodes.parent.subarray(0, nr),
					     byRank(nodes.label.subarray(0, nr), rankOf, nrRanks));
	const tree = emptyTree(nr, levels, sums);

	tree.place = new Uint32Array(nr);
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
	const { nr, parent } = tree;

	for (const key of tree.sums) {
		const sum = tree[key];

		for (let i = nr - 1; i > 0; i--)
			sum[parent[i]] += sum[i];
	}
	placeBoxes(tree);
}

/* Let a first callee begin where its caller begins, and each other one where the last one ends. */
function placeBoxes({ nr, parent, weight, x }) {
	for (let i = 1; i < nr; i++)
		x[i] = i > 1 && parent[i] === parent[i - 1] ? x[i - 1] + weight[i - 1] :
		       x[parent[i]];
}

/* Mark nodes without a caller of the same function: a recursive function counts once. */
function findOutermost(tree, nrLabels) {
	const first = new Int32Array(tree.nr).fill(-1);
	const next = new Int32Array(tree.nr).fill(-1);
	const open = new Uint32Array(nrLabels);
	const path = [];

	for (let i = tree.nr - 1; i > 0; i--) {
		next[i] = first[tree.parent[i]];
		first[tree.parent[i]] = i;
	}
	tree.outermost = new Uint8Array(tree.nr);
	for (let node = first[0]; node >= 0;) {
		tree.outermost[node] = open[tree.label[node]]++ ? 0 : 1;
		path.push(node);
		node = first[node];
		while (node < 0 && path.length) {
			const left = path.pop();

			open[tree.label[left]]--;
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
	findOutermost(tree, data.names.length);
	return tree;
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

/* Complete a tree of functions. */
function finishTree(data, nodes) {
	const tree = makeTree(nodes, (label) => data.ranks[label], data.names.length, data.sums);

	for (const key of data.sums) {
		for (let i = 0; i < tree.nr; i++)
			tree[key][tree.place[i]] = nodes[key][i];
	}
	sumTree(tree);
	return tree;
}
