/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree of call stacks below a node for each group.
 *
 * The nodes of a group are those of the base tree that its points lead to, in the order of the
 * base tree. So no node needs to be sorted: a level of the new tree has, one group after the
 * other, the nodes that the group has in the level above of the base tree.
 */

/* The nodes of all groups, as numbers of the base tree. The nodes of a group are in order. */
class GroupNodes {
	constructor(base, nrGroups) {
		this.base = base;
		this.start = new Uint32Array(nrGroups + 1);
		this.set = new NodeSet(base.nr);
		this.list = new Uint32Array(base.nr + 1024);
		this.nr = 0;
	}

	/* Add a group: the nodes that its points from @from up to @to lead to, up to the root. */
	add(group, stack, from, to) {
		const { set, base: { parent } } = this;
		let { nr } = this;

		for (let i = from; i < to; i++) {
			for (let node = stack[i]; set.add(node); node = parent[node])
				nr++;
		}
		while (nr > this.list.length)
			this.grow();
		set.moveTo(this.list, nr);
		this.nr = this.start[group + 1] = nr;
	}

	grow() {
		const grown = new Uint32Array(2 * this.list.length);

		grown.set(this.list);
		this.list = grown;
	}

	/* Count the nodes of a group at each level. */
	countLevels(group, counts) {
		const { list, start, base: { levels } } = this;
		let level = 0;

		for (let at = start[group]; at < start[group + 1]; at++) {
			while (list[at] >= levels[level + 1])
				level++;
			counts[level]++;
		}
	}

	/*
	 * Put the nodes of a group into a tree. @next has the next place of each level; @place gets
	 * the places of the nodes.
	 */
	copyTo(tree, group, next, place) {
		const { list, start, base } = this, { levels } = base;
		const { parent, label, kind } = tree;
		let level = 0;

		for (let at = start[group]; at < start[group + 1]; at++) {
			const node = list[at];

			while (node >= levels[level + 1])
				level++;
			const to = next[level]++;

			place[node] = to;
			parent[to] = place[base.parent[node]];
			label[to] = base.label[node];
			kind[to] = base.kind[node];
		}
	}
}

/* Return where the levels of the tree of all groups start. */
function groupLevels(nodes, nrGroups) {
	const counts = new Uint32Array(nodes.base.levels.length), levels = [0, 1];

	for (let group = 0; group < nrGroups; group++)
		nodes.countLevels(group, counts);
	for (let level = 0; counts[level]; level++)
		levels.push(levels[level + 1] + counts[level]);
	return levels;
}

/* Add the points of a group to what its nodes have themselves. */
function addGroupPoints({ isDiff, shown }, tree, { start, points }, group, place) {
	const { stack, weight, samples, run } = points;

	for (let i = start[group]; i < start[group + 1]; i++) {
		const node = place[stack[i]];

		if (isDiff && run[i] !== shown) {
			tree.otherWeight[node] += weight[i];
			tree.otherSamples[node] += samples[i];
		} else {
			tree.weight[node] += weight[i];
			tree.samples[node] += samples[i];
		}
	}
}

/* Make the tree of groupPoints(). */
function groupTree(data, groups) {
	const { base } = data, { start, points: { stack } } = groups;
	const nrGroups = groups.names.length, nodes = new GroupNodes(base, nrGroups);

	for (let group = 0; group < nrGroups; group++)
		nodes.add(group, stack, start[group], start[group + 1]);
	const levels = groupLevels(nodes, nrGroups), next = levels.slice(1);
	const tree = emptyTree(nodes.nr + 1, levels, data.sums);
	const place = new Uint32Array(base.nr);

	for (let group = 0; group < nrGroups; group++) {
		const root = next[0];

		nodes.copyTo(tree, group, next, place);
		tree.parent[root] = 0;
		tree.label[root] = data.names.length + group;
		tree.kind[root] = KIND.GROUP;
		addGroupPoints(data, tree, groups, group, place);
	}
	sumTree(tree);
	return tree;
}
