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
	constructor(data, nrGroups) {
		this.data = data;
		this.base = data.base;
		this.start = new Uint32Array(nrGroups + 1);
		this.seen = new Int32Array(this.base.nr).fill(-1);
		this.room = this.base.nr + 1024;
		this.list = new Uint32Array(this.room);
		this.sums = data.sums.map(() => new Float64Array(this.room));
		this.sumsAt = data.sums.map(() => new Float64Array(this.base.nr));
		this.nr = 0;
	}

	/* Add a group: its points, and the nodes that they lead to up to the root. */
	add(group, points) {
		const { seen, start } = this;
		const { stack } = this.data.points, { parent } = this.base;

		this.addSums(points);
		for (let i = 0; i < points.length; i++) {
			for (let node = stack[points[i]]; seen[node] !== group; node = parent[node]) {
				seen[node] = group;
				if (this.nr === this.room)
					this.grow();
				this.list[this.nr++] = node;
			}
		}
		this.order(group, start[group]);
		start[group + 1] = this.nr;
		this.takeSums(start[group]);
	}

	/* Add points to what their nodes have themselves. */
	addSums(points) {
		const { run, stack, weight, samples } = this.data.points;
		const { isDiff, shown } = this.data;

		for (let i = 0; i < points.length; i++) {
			const point = points[i], node = stack[point];
			const first = isDiff && run[point] !== shown ? 2 : 0;

			this.sumsAt[first][node] += weight[point];
			this.sumsAt[first + 1][node] += samples[point];
		}
	}

	grow() {
		const widen = (array) => {
			const grown = new array.constructor(2 * this.room);

			grown.set(array);
			return grown;
		};

		this.list = widen(this.list);
		this.sums = this.sums.map(widen);
		this.room *= 2;
	}

	/* Bring the nodes of a group in order: by a look at all nodes if the group has many. */
	order(group, first) {
		const { seen, list, base } = this;

		if ((this.nr - first) * 128 < base.nr) {
			list.subarray(first, this.nr).sort();
			return;
		}
		for (let node = 0, at = first; node < base.nr; node++) {
			if (seen[node] === group)
				list[at++] = node;
		}
	}

	takeSums(first) {
		for (let i = 0; i < this.sums.length; i++) {
			const sums = this.sums[i], from = this.sumsAt[i];

			for (let at = first; at < this.nr; at++) {
				sums[at] = from[this.list[at]];
				from[this.list[at]] = 0;
			}
		}
	}
}

/* Return where each node is in the new tree, and where the levels of that tree start. */
function placeNodes(nodes, nrGroups) {
	const { list, start, base } = nodes;
	const place = new Uint32Array(nodes.nr);
	const next = start.slice(0, nrGroups);
	const levels = [0, 1];
	let nr = 1;

	for (let level = 0; level + 1 < base.levels.length; level++) {
		const end = base.levels[level + 1];

		for (let group = 0; group < nrGroups; group++) {
			while (next[group] < start[group + 1] && list[next[group]] < end)
				place[next[group]++] = nr++;
		}
		if (nr === levels[levels.length - 1])
			break;
		levels.push(nr);
	}
	return { place, levels };
}

/* Make the tree of groupPoints(). */
function groupTree(data, groups) {
	const { base } = data;
	const nrGroups = groups.names.length;
	const nodes = new GroupNodes(data, nrGroups);

	for (let group = 0; group < nrGroups; group++)
		nodes.add(group, groups.points[group]);
	const { place, levels } = placeNodes(nodes, nrGroups);
	const tree = emptyTree(nodes.nr + 1, levels, data.sums);
	const placeOf = new Uint32Array(base.nr);

	for (let group = 0; group < nrGroups; group++) {
		const first = nodes.start[group], end = nodes.start[group + 1];

		for (let at = first; at < end; at++) {
			const node = nodes.list[at], to = place[at];

			placeOf[node] = to;
			tree.parent[to] = placeOf[base.parent[node]];
			tree.label[to] = base.label[node];
			tree.kind[to] = base.kind[node];
		}
		/* The first node of a group is its root. */
		tree.parent[place[first]] = 0;
		tree.label[place[first]] = data.names.length + group;
		tree.kind[place[first]] = KIND.GROUP;
	}
	data.sums.forEach((key, i) => {
		const sum = tree[key], from = nodes.sums[i];

		for (let at = 0; at < nodes.nr; at++)
			sum[place[at]] = from[at];
	});
	tree.self.set(tree.weight);
	sumTree(tree);
	return tree;
}
