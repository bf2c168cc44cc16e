/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of points: by the binary of the sampled function, thread name, thread or CPU. */

/* Return a function from a point to the name of its group. */
function groupNamer(data, key) {
	const { stack, thread, cpu } = data.points;
	const { functions, threads, base } = data;

	switch (key) {
	case 'dso':
		return (point) => functions[base.label[stack[point]]][1];
	case 'comm':
		return (point) => threads[thread[point]][2];
	case 'thread':
		return (point) => threads[thread[point]][2] + ' ' + threads[thread[point]][0] + '/' +
				  threads[thread[point]][1];
	case 'cpu':
		return (point) => cpu[point] === NO_CPU ? 'CPU not recorded' : 'CPU ' + cpu[point];
	default:
		return () => 'all';
	}
}

/* Return the names of the groups of the chosen points, and the points of each. */
function groupPoints(data, chosen, key) {
	const nameOf = groupNamer(data, key);
	const byName = new Map();

	for (const point of chosen) {
		const name = nameOf(point);
		const list = byName.get(name);

		if (list)
			list.push(point);
		else
			byName.set(name, [point]);
	}
	const compare = new Intl.Collator('en', { numeric: true }).compare;
	const names = [...byName.keys()].sort(compare);

	return { names, points: names.map((name) => byName.get(name)) };
}
