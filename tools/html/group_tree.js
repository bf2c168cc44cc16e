/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree of call stacks below a node for each group. */

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
