/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads of a recording. A thread that has changed its name or its cgroup is one. */

/* Return all threads, those with the most samples first: their keys in the URL, and names. */
function listThreads({ points, threads }) {
	const sums = new Float64Array(threads.length), list = new Map();

	for (let i = 0; i < points.nr; i++)
		sums[points.thread[i]] += points.samples[i];
	threads.forEach(([pid, tid, comm], number) => {
		const key = `${pid}-${tid}`;
		const thread = list.get(key) || { key, numbers: [], samples: 0, most: -1 };

		thread.numbers.push(number);
		thread.samples += sums[number];
		if (sums[number] > thread.most) {
			thread.most = sums[number];
			thread.name = `${tid}:${comm}`;
		}
		list.set(key, thread);
	});
	return [...list.values()].sort((a, b) => b.samples - a.samples);
}

/* Return the key of the thread with the most samples of an event in a part of the time. */
function busiestThread({ points, full, threads, threadList }, { event, from, to }) {
	const sums = new Float64Array(threads.length);
	const sumOf = ({ numbers }) => numbers.reduce((sum, number) => sum + sums[number], 0);

	for (let i = 0; i < points.nr && threadList.length > 1; i++) {
		if (full.event[i] === event && points.time[i] >= from && points.time[i] <= to)
			sums[points.thread[i]] += points.samples[i];
	}
	return threadList.reduce((best, thread) => sumOf(thread) > sumOf(best) ? thread : best).key;
}

/* Return true if the choice of a thread leaves others out. */
function isLimiting({ threadList }, key) {
	return key && threadList.length > 1;
}

function findThread(data, key) {
	return data.threadList.find((thread) => thread.key === key);
}

/* Fill the list to choose a thread from. If there is no choice, it is hidden. */
function fillThreads(data, list) {
	for (const { key, name } of data.threadList)
		list.add(new Option(name, key));
	list.parentElement.hidden = data.threadList.length < 2;
}
