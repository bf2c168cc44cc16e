/* SPDX-License-Identifier: GPL-2.0-only */
/* The data of the page. page_data.h describes its form. */
'use strict';

const CHUNK = 1 << 18;
const NO_CPU = 0xffffffff;

/* The recordings of a diff. */
const OLD = 0, NEW = 1;

/* Kinds of frames; those up to JIT are of enum frame_kind, SMALL is TREE_SMALL_KIND. */
const KIND = { OTHER: 0, USER: 1, KERNEL: 2, INLINED: 3, JIT: 4, GROUP: 5, SMALL: 6 };

function decodeBase64(text) {
	const end = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	const bytes = new Uint8Array(text.length / 4 * 3 - end);
	let at = 0;

	for (let from = 0; from < text.length; from += CHUNK) {
		const part = atob(text.slice(from, from + CHUNK));

		for (let i = 0; i < part.length; i++)
			bytes[at++] = part.charCodeAt(i);
	}
	return bytes;
}

async function decompress(bytes) {
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

	return new Response(plain).arrayBuffer();
}

/* Return the document of JSON, and its columns as a member. */
function splitColumns(buffer) {
	const length = new Uint32Array(buffer, buffer.byteLength - 4, 1)[0];
	const text = new Uint8Array(buffer, buffer.byteLength - 4 - length, length);
	const data = JSON.parse(new TextDecoder().decode(text));
	let at = 0;

	data.column = {};
	for (const [name, rows] of data.columns) {
		data.column[name] = new Uint32Array(buffer, at, rows);
		at += 4 * rows;
	}
	return data;
}

function readPoints(column) {
	const nr = column.time.length;
	const time = new Uint32Array(nr);
	const weight = new Float64Array(nr);
	let now = 0;

	for (let i = 0; i < nr; i++) {
		now += column.time[i];
		time[i] = now;
		weight[i] = column.weightHigh[i] * 4294967296 + column.weight[i];
	}
	return { nr, time, weight, event: column.event, run: column.run,
		 thread: column.thread, cpu: column.cpu, stack: column.stack, tuple: column.tuple,
		 samples: column.samples };
}

/* Give the CPUs of points numbers from 0. */
function numberCpus(data) {
	const numbers = new Map();

	data.points.cpu = data.points.cpu.map((cpu) => {
		if (!numbers.has(cpu))
			numbers.set(cpu, numbers.size);
		return numbers.get(cpu);
	});
	data.cpus = [...numbers.keys()];
}

/* Put points in the order of their stacks: so a loop over them finds the nodes in the cache. */
function sortPoints(points, nrStacks) {
	const start = new Uint32Array(nrStacks + 1);
	const place = new Uint32Array(points.nr);

	for (let i = 0; i < points.nr; i++)
		start[points.stack[i] + 1]++;
	for (let stack = 0; stack < nrStacks; stack++)
		start[stack + 1] += start[stack];
	for (let i = 0; i < points.nr; i++)
		place[i] = start[points.stack[i]]++;
	for (const key of Object.keys(points)) {
		const from = points[key];

		if (!from.length)
			continue;
		points[key] = new from.constructor(points.nr);
		for (let i = 0; i < points.nr; i++)
			points[key][place[i]] = from[i];
	}
}

/* Return all functions in the order of their names. */
function orderOf(names) {
	const order = Uint32Array.from(names.keys());

	return order.sort((a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b);
}

async function readData() {
	const text = document.getElementById('data').textContent.trim();
	const data = splitColumns(await decompress(decodeBase64(text)));

	data.isDiff = data.runs.length > 1;
	data.sums = data.isDiff ? ['weight', 'samples', 'otherWeight', 'otherSamples'] :
				  ['weight', 'samples'];
	data.shown = NEW;
	data.input = data.runs.map((run) => run.input).join(' → ');
	data.names = data.functions.map((row) => row[0]);
	data.code = data.code || [];
	data.codeEvents = data.codeEvents || [];
	/* What stands for small stacks is no function, though it has a number as one. */
	data.small = data.leastShare ? data.names.length - 1 : -1;
	data.order = orderOf(data.names);
	data.ranks = new Uint32Array(data.names.length);
	data.order.forEach((name, rank) => { data.ranks[name] = rank; });
	data.points = readPoints(data.column);
	numberCpus(data);
	data.lastStep = data.points.time.length ? data.points.time[data.points.nr - 1] : 0;
	data.base = baseTree(data);
	data.marks = readMarks(data);
	/* The chart of a thread needs the points in the order of their times. */
	data.byTime = { ...data.points };
	sortPoints(data.points, data.base.nr);
	data.threadList = data.isDiff ? [] : listThreads(data);
	data.full = data.kept = { base: data.base, stack: data.points.stack,
				  event: data.points.event };
	return data;
}
