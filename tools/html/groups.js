/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of points: by the binary of the sampled function, thread name, thread, cgroup or CPU. */

/* Return a function from a point to a number, and one from the number to a group's name. */
function groupKeys(data, key) {
	const { stack, thread, cpu } = data.points;
	const { functions, threads, base } = data;

	switch (key) {
	case 'dso':
		return [(point) => base.label[stack[point]], (label) => functions[label][1]];
	case 'comm':
		return [(point) => thread[point], (number) => threads[number][2]];
	case 'thread':
		return [(point) => thread[point], (number) => threadName(threads[number])];
	case 'cgroup':
		return [(point) => thread[point], (number) => threads[number][3] || 'cgroup not recorded'];
	case 'cpu':
		return [(point) => cpu[point],
			(number) => number === NO_CPU ? 'CPU not recorded' : 'CPU ' + number];
	default:
		return [() => 0, () => 'all'];
	}
}

function threadName([pid, tid, comm]) {
	return `${comm} ${pid}/${tid}`;
}

/* Return the names of the groups of the chosen points, and the points of each. */
function groupPoints(data, chosen, key) {
	const [numberOf, nameOf] = groupKeys(data, key);
	const byNumber = new Map(), byName = new Map();

	for (const point of chosen) {
		const number = numberOf(point);
		let list = byNumber.get(number);

		if (!list) {
			const name = nameOf(number);

			list = byName.get(name) || [];
			byName.set(name, list);
			byNumber.set(number, list);
		}
		list.push(point);
	}
	const compare = new Intl.Collator('en', { numeric: true }).compare;
	const names = [...byName.keys()].sort(compare);

	return { names, points: names.map((name) => byName.get(name)) };
}
