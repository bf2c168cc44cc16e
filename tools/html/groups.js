/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of points, by a key of report. page_keys.c lists the keys. */

/*
 * A key has a column of the points, the number of the group that each value of the column means,
 * and the names of these numbers, of which several may be equal.
 */
function makeKey(column, numberOf, nameOf, nrNumbers) {
	return { column, numberOf, nameOf, nrNumbers };
}

function groupKey(data, key) {
	const { thread, cpu } = data.points, { threads, cpus } = data;
	const threadKey = (nameOf) => makeKey(thread, countUp(threads.length),
					      (number) => nameOf(threads[number]), threads.length);

	switch (key) {
	case 'dso':
		return binaryKey(data);
	case 'comm':
		return threadKey(([, , comm]) => comm);
	case 'thread':
		return threadKey(([, tid, comm]) => tid + ':' + comm);
	case 'cgroup':
		return threadKey(([, , , cgroup]) => cgroup || 'cgroup not recorded');
	case 'host':
		/* Hosts are a key of threads only if merge made the recording of several. */
		if (data.keys.find(({ word }) => word === 'host').texts)
			return chosenKey(data, 'host');
		return threadKey(([, , , , host]) => host || 'host not recorded');
	case 'cpu':
		return makeKey(cpu, countUp(cpus.length), (number) => cpuName(cpus[number]),
			       cpus.length);
	default:
		return chosenKey(data, key);
	}
}

function countUp(nr) {
	return Uint32Array.from({ length: nr }, (_, i) => i);
}

/* The key of the binary of the sampled function: the number is that of the function. */
function binaryKey({ functions, base, points }) {
	const numberOf = base.label.slice();

	numberOf[0] = functions.length;
	return makeKey(points.stack, numberOf, (label) => label < functions.length ?
		       functions[label][1] : 'no function left', functions.length + 1);
}

/* A key that --sort chooses. */
function chosenKey(data, key) {
	const { tuple, tupleText } = data.column;
	const chosen = data.keys.filter(({ texts }) => texts);
	const at = chosen.findIndex(({ word }) => word === key), { texts } = chosen[at];
	const nrTuples = tupleText.length / chosen.length;

	return makeKey(data.points.tuple, tupleText.subarray(at * nrTuples, (at + 1) * nrTuples),
		       (number) => texts[number], texts.length);
}

function cpuName(cpu) {
	return cpu === NO_CPU ? 'CPU not recorded' : 'CPU ' + cpu;
}

/* Names with numbers, such as those of CPUs, are in the order of the numbers. */
function sortNames(names) {
	return names.sort(new Intl.Collator('en', { numeric: true }).compare);
}

/*
 * Return the names of the groups of the chosen points, where the points of each start, and what
 * the sums need of the points. These are copies: there may be thousands of groups, and to read
 * the points of one of them from all columns would be slower.
 */
function groupPoints(data, chosen, word) {
	const key = groupKey(data, word), { column, numberOf } = key;
	const counts = new Uint32Array(key.nrNumbers);

	for (let i = 0; i < chosen.length; i++)
		counts[numberOf[column[chosen[i]]]]++;
	const { names, groupOf } = nameGroups(counts, key.nameOf);
	const start = new Uint32Array(names.length + 1);

	for (let number = 0; number < counts.length; number++)
		start[groupOf[number] + 1] += counts[number];
	for (let group = 0; group < names.length; group++)
		start[group + 1] += start[group];
	const groupOfValue = numberOf.map((number) => groupOf[number]);

	return { names, start, points: copyPoints(data, chosen, start.slice(),
						  (point) => groupOfValue[column[point]]) };
}

/* Copy chosen points to the places of their groups. @next has the next place of each group. */
function copyPoints({ points, isDiff }, chosen, next, groupOf) {
	const nr = chosen.length;
	const copy = { stack: new Uint32Array(nr), weight: new Float64Array(nr),
		       samples: new Uint32Array(nr), run: new Uint32Array(isDiff ? nr : 0) };

	for (let i = 0; i < nr; i++) {
		const point = chosen[i], to = next[groupOf(point)]++;

		copy.stack[to] = points.stack[point];
		copy.weight[to] = points.weight[point];
		copy.samples[to] = points.samples[point];
		if (isDiff)
			copy.run[to] = points.run[point];
	}
	return copy;
}

/* Return the names of groups whose numbers are counted, in order, and the group of each number. */
function nameGroups(counts, nameOf) {
	const ofNumber = Array.from(counts, (count, number) => count ? nameOf(number) : '');
	const names = sortNames([...new Set(ofNumber.filter((name, number) => counts[number]))]);
	const places = new Map(names.map((name, i) => [name, i]));

	return { names, groupOf: Uint32Array.from(ofNumber, (name) => places.get(name) || 0) };
}
