/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Edits of all stacks. Focus leaves the samples that have a function in their stack, drop leaves
 * the others, and merge removes the frames of a function: its callees become those of its
 * callers. An edit applies to what the edits before it have left.
 *
 * What was read stays in data.full. An edit changes the tree of all stacks and the points, so
 * that all sums follow. A point that is left out gets no event: no loop over points takes it.
 */

const EDIT_VERBS = { f: 'focus', d: 'drop', m: 'merge' };
const NO_EVENT = 0xffffffff;

/* Return the edits in a text of the URL, such as "f12.m3": their kinds and functions. */
function readEdits(text, nrFunctions) {
	return text.split('.').filter((edit) => /^[fdm]\d{1,9}$/.test(edit))
		.map((edit) => ({ kind: edit[0], name: Number(edit.slice(1)) }))
		.filter(({ name }) => name < nrFunctions);
}

function editsText(edits) {
	return edits.map(({ kind, name }) => kind + name).join('.');
}

/* Leave the nodes that have a function in their path if @has is 1, or the others if it is 0. */
function keepNodes({ nr, parent, label }, kept, name, has) {
	const within = new Uint8Array(nr);

	for (let i = 0; i < nr; i++) {
		within[i] = i ? within[parent[i]] | (label[i] === name) : 0;
		kept[i] &= within[i] === has;
	}
}

/* Find nodes by parent, label and kind, in a table of at most half as many nodes as places. */
class NodeTable {
	constructor(most) {
		this.mask = 2 ** Math.ceil(Math.log2(2 * most + 2)) - 1;
		this.table = new Int32Array(this.mask + 1);
		this.nr = 1;
		this.parent = new Uint32Array(most);
		this.label = new Uint32Array(most);
		this.kind = new Uint8Array(most);
	}

	/* Return the number of a node, which is added if it is new. The root has number 0. */
	find(parent, label, kind) {
		let at = Math.imul(Math.imul(parent, 0x9e3779b1) ^ (8 * label + kind), 0x85ebca6b);

		for (at = (at ^ at >>> 15) & this.mask; this.table[at]; at = (at + 1) & this.mask) {
			const node = this.table[at];

			if (this.parent[node] === parent && this.label[node] === label &&
			    this.kind[node] === kind)
				return node;
		}
		this.table[at] = this.nr;
		this.parent[this.nr] = parent;
		this.label[this.nr] = label;
		this.kind[this.nr] = kind;
		return this.nr++;
	}
}

/* Return the tree without the frames of some functions, and its node for each node of before. */
function mergedTree(data, merged) {
	const { base } = data.full;
	const isMerged = Uint8Array.from(data.names, (name, i) => merged.has(i) ? 1 : 0);
	const nodes = new NodeTable(base.nr), place = new Uint32Array(base.nr);

	for (let i = 1; i < base.nr; i++) {
		const parent = place[base.parent[i]];

		place[i] = isMerged[base.label[i]] ? parent :
			   nodes.find(parent, base.label[i], base.kind[i]);
	}
	const tree = makeTree(nodes, (name) => data.ranks[name], data.names.length, data.sums);

	findOutermost(tree, data.names.length);
	for (let i = 0; i < base.nr; i++)
		place[i] = tree.place[place[i]];
	return { tree, place };
}

/* Return the events of the points, with none for those whose nodes or threads are not kept. */
function keepEvents({ event, stack }, kept, thread, isKept) {
	const left = new Uint32Array(event.length);

	for (let i = 0; i < event.length; i++)
		left[i] = kept[stack[i]] && isKept[thread[i]] ? event[i] : NO_EVENT;
	return left;
}

/* Return 1 for each number of the thread that is chosen, or of all threads. */
function keepThreads(data, key) {
	const { numbers } = findThread(data, key) || {};

	return Uint8Array.from(data.threads, (thread, i) => !numbers || numbers.includes(i) ? 1 : 0);
}

function moveStacks({ stack }, place) {
	const moved = new Uint32Array(stack.length);

	for (let i = 0; i < stack.length; i++)
		moved[i] = place[stack[i]];
	return moved;
}

/* Let the base tree and the points have what the edits and the thread of a state leave. */
function applyEdits(data, { edits: text, thread }) {
	const { full, points } = data, edits = readEdits(text, data.names.length);
	const kept = new Uint8Array(full.base.nr).fill(1), merged = new Set();

	for (const { kind, name } of edits) {
		if (kind === 'm')
			merged.add(name);
		else
			keepNodes(full.base, kept, merged.has(name) ? -1 : name, kind === 'f' ? 1 : 0);
	}
	const threads = keepThreads(data, thread), isLimited = isLimiting(data, thread);

	/* What sums.js keeps without edits stays. */
	data.kept = edits.length || isLimited ? {} : full;
	data.left = { kept, threads };
	data.base = full.base;
	points.stack = full.stack;
	points.event = edits.length > merged.size || isLimited ?
		       keepEvents(full, kept, points.thread, threads) : full.event;
	if (merged.size) {
		const { tree, place } = mergedTree(data, merged);

		data.base = tree;
		data.left.place = place;
		points.stack = moveStacks(full, place);
	}
}

/*
 * Return the sums of a state without its edits and for all threads, or null if these are the
 * same. They are kept.
 */
function sumsBefore(data, { event, from, to, edits, thread }) {
	const { full, points, isDiff } = data, { before } = full;

	if (!edits && !isLimiting(data, thread))
		return null;
	if (!before || before.event !== event || before.from !== from || before.to !== to)
		full.before = { event, from, to, ...sumAll(full, points, isDiff, event, from, to) };
	return full.before;
}

function sumAll(full, points, isDiff, event, from, to) {
	const sums = { weight: 0, samples: 0, oldWeight: 0, oldSamples: 0 };

	for (let i = 0; i < points.nr; i++) {
		if (full.event[i] !== event || points.time[i] < from || points.time[i] > to)
			continue;
		if (isDiff && points.run[i] === OLD) {
			sums.oldWeight += points.weight[i];
			sums.oldSamples += points.samples[i];
		} else {
			sums.weight += points.weight[i];
			sums.samples += points.samples[i];
		}
	}
	return sums;
}
