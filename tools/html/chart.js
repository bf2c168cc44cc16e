/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stack chart of a thread: its samples in the order of their times. A box is a run of samples
 * with the same stack up to its function.
 *
 * A sample lasts up to the next one, but at most for twice the median of these distances: in a
 * longer gap, the thread was not sampled. If there is no room for all samples, the chart has
 * columns, each with the middle one of its samples. So the chart is a sample of the samples, with
 * about the same shares, and no box is too narrow to draw.
 *
 * The chart is a tree whose weights are numbers of steps of time.
 */

const CHART_COLUMN = 2;	/* least width of a column, in pixels */

/* Return the points that edits leave and that are chosen, in the order of their times. */
function pointsByTime({ byTime, left }, state) {
	const { nr, time, event, thread, stack } = byTime, { kept, threads } = left;
	const chosen = new Uint32Array(nr);
	let filled = 0;

	for (let i = firstFrom(nr, (at) => time[at] >= state.from); i < nr && time[i] <= state.to; i++) {
		if (event[i] === state.event && threads[thread[i]] && kept[stack[i]])
			chosen[filled++] = i;
	}
	return chosen.subarray(0, filled);
}

/* Return the first number from @from up to @nr for which @isAfter is true, as for all that follow. */
function firstFrom(nr, isAfter, from = 0) {
	let low = from, high = nr;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (isAfter(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Return the middle point of each column that has points, and the begin of the column. */
function pointsOfColumns({ time }, chosen, first, width) {
	const shown = [];

	for (let i = 0, end; i < chosen.length; i = end) {
		const column = Math.floor((time[chosen[i]] - first) / width);

		end = firstFrom(chosen.length, (at) =>
			Math.floor((time[chosen[at]] - first) / width) > column, i);
		shown.push({ point: chosen[(i + end) >> 1], x: column * width });
	}
	return shown;
}

/* Return how long a sample lasts at most. */
function longest(shown, least) {
	const distances = Float64Array.from(shown.slice(1), ({ x }, i) => x - shown[i].x).sort();

	return distances.length ? 2 * Math.max(distances[distances.length >> 1], least) : Infinity;
}

/* The boxes of a chart, by level. */
class ChartLevels {
	constructor(base) {
		this.base = base;
		this.levels = [];
		this.open = [];	/* the nodes of the stack that ended last */
	}

	pathOf(stack) {
		const path = [];

		for (let node = stack; node; node = this.base.parent[node])
			path.push(node);
		return path.reverse();
	}

	/* Add a sample. With @isNext, it begins where the last one has ended. */
	add(stack, x, end, samples, isNext) {
		const path = this.pathOf(stack);

		path.forEach((node, i) => {
			if (!this.levels[i])
				this.levels[i] = { node: [], parent: [], x: [], end: [], samples: [] };
			const level = this.levels[i], last = level.node.length - 1;

			/* A box that is open has open callers. */
			if (isNext && this.open[i] === node) {
				level.end[last] = end;
				level.samples[last] += samples;
				return;
			}
			level.node.push(node);
			level.parent.push(i ? this.levels[i - 1].node.length - 1 : 0);
			level.x.push(x);
			level.end.push(end);
			level.samples.push(samples);
		});
		this.open = path;
	}

	/* Return all boxes below one that has all steps. */
	tree(steps) {
		const starts = [0, 1];

		for (const { node } of this.levels)
			starts.push(starts[starts.length - 1] + node.length);
		const tree = emptyTree(starts[starts.length - 1], starts, ['weight', 'samples']);

		tree.weight[0] = steps;
		this.levels.forEach((level, i) => level.node.forEach((node, at) => {
			const to = starts[i + 1] + at;

			tree.parent[to] = starts[i] + level.parent[at];
			tree.label[to] = this.base.label[node];
			tree.kind[to] = this.base.kind[node];
			tree.x[to] = level.x[at];
			tree.weight[to] = level.end[at] - level.x[at];
			tree.samples[to] = level.samples[at];
		}));
		return tree;
	}
}

/* Make the chart of the chosen points. Its member columns is their width in steps, or 0. */
function threadChart(data, state, pixels) {
	const { byTime, base, left: { place } } = data, chosen = pointsByTime(data, state);
	const first = Math.max(state.from, 0), last = Math.min(state.to, data.lastStep);
	const steps = Math.max(last - first + 1, 1), levels = new ChartLevels(base);
	const width = Math.max(steps * CHART_COLUMN / Math.max(pixels, 1), 1);
	const ofColumns = pointsOfColumns(byTime, chosen, first, width);
	const columns = ofColumns.length < chosen.length ? width : 0;
	const shown = columns ? ofColumns :
		ofColumns.map(({ point }) => ({ point, x: byTime.time[point] - first }));
	const most = longest(shown, columns);
	let before = -1;

	shown.forEach(({ point, x }, i) => {
		const stack = place ? place[byTime.stack[point]] : byTime.stack[point];
		const next = i + 1 < shown.length ? shown[i + 1].x : steps;
		const end = Math.min(next, x + most, steps);

		levels.add(stack, x, end, byTime.samples[point], x === before);
		before = end;
	});
	return Object.assign(levels.tree(steps), { isChart: true, first, columns, pixels,
						   title: findThread(data, state.thread).name });
}
