/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree that leads from a function to its callees. */

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
