/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of points, by a key of report. page_keys.c lists the keys. */

/* Return a function from a point to a number, one from a number to a name, and their number. */
function groupKeys(data, key) {
	const { stack, thread, cpu } = data.points;
	const { functions, threads, cpus, base } = data;

	switch (key) {
	case 'dso':
		return [(point) => stack[point] ? base.label[stack[point]] : functions.length,
			(label) => label < functions.length ? functions[label][1] : 'no function left',
			functions.length + 1];
	case 'comm':
		return [(point) => thread[point], (number) => threads[number][2], threads.length];
	case 'thread':
		return [(point) => thread[point], (number) => threads[number][1] + ':' +
			threads[number][2], threads.length];
	case 'cgroup':
		return [(point) => thread[point],
			(number) => threads[number][3] || 'cgroup not recorded', threads.length];
	case 'host':
		return hostKey(data);
	case 'cpu':
		return [(point) => cpu[point], (number) => cpuName(cpus[number]), cpus.length];
	default:
		return chosenKey(data, key);
	}
}

/* The same for hosts, which are a key of threads only if merge made the recording of several. */
function hostKey(data) {
	if (data.keys.find(({ word }) => word === 'host').texts)
		return chosenKey(data, 'host');
	return [(point) => data.points.thread[point],
		(number) => data.threads[number][4] || 'host not recorded', data.threads.length];
}

/* The same for a key that --sort chooses. */
function chosenKey(data, key) {
	const { tuple, tupleText } = data.column;
	const chosen = data.keys.filter(({ texts }) => texts);
	const at = chosen.findIndex(({ word }) => word === key);
	const first = at * tupleText.length / chosen.length;

	return [(point) => tupleText[first + data.points.tuple[point]],
		(number) => chosen[at].texts[number], chosen[at].texts.length];
}

function cpuName(cpu) {
	return cpu === NO_CPU ? 'CPU not recorded' : 'CPU ' + cpu;
}

/* Names with numbers, such as those of CPUs, are in the order of the numbers. */
function sortNames(names) {
	return names.sort(new Intl.Collator('en', { numeric: true }).compare);
}

/* Return the names of the groups of the chosen points, and the points of each. */
function groupPoints(data, chosen, key) {
	const [numberOf, nameOf, nrNumbers] = groupKeys(data, key);
	const numbers = chosen.map((point) => numberOf(point));
	const { names, groupOf } = nameGroups(numbers, nameOf, nrNumbers);
	const start = new Uint32Array(names.length + 1);
	const points = new Uint32Array(chosen.length);

	for (let i = 0; i < numbers.length; i++)
		start[groupOf[numbers[i]] + 1]++;
	for (let group = 0; group < names.length; group++)
		start[group + 1] += start[group];
	const next = start.slice();

	for (let i = 0; i < numbers.length; i++)
		points[next[groupOf[numbers[i]]]++] = chosen[i];
	return { names, points: names.map((name, i) => points.subarray(start[i], start[i + 1])) };
}

/* Return the names of groups that have numbers, in order, and the group of each number. */
function nameGroups(numbers, nameOf, nrNumbers) {
	const isUsed = new Uint8Array(nrNumbers);

	for (let i = 0; i < numbers.length; i++)
		isUsed[numbers[i]] = 1;
	const ofNumber = Array.from(isUsed, (used, number) => used ? nameOf(number) : '');
	const names = sortNames([...new Set(ofNumber.filter((name, number) => isUsed[number]))]);
	const places = new Map(names.map((name, i) => [name, i]));

	return { names, groupOf: Uint32Array.from(ofNumber, (name) => places.get(name) || 0) };
}
