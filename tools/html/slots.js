/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots that divide the time: SLOT pixels of a line, or cells of the heat map. A column of the
 * heat map is a period, whose cells are from top to bottom. A line is a lane of all samples, of a
 * recording, a thread or a CPU; each lane has a sum for each slot.
 */

const LANE = 24;
const ONE_LANE = 64;
const SLOT = 2;
const CELLS = 50;
const CELL = 3;
const COLUMN = 5;

class Slots {
	constructor(data, state, width) {
		this.data = data;
		this.state = state;
		this.width = width;
		this.steps = data.lastStep + 1;
		this.isHeat = state.scale === 'heat';
		if (this.isHeat)
			this.chooseColumns();
		else
			this.nr = Math.min(Math.ceil(width / SLOT), this.steps);
		this.addUp(this.makeLanes());
		this.addLosses();
	}

	height() {
		return this.isHeat ? CELLS * CELL : this.names.length * this.laneHeight();
	}

	laneHeight() {
		return this.names.length > 1 ? LANE : ONE_LANE;
	}

	/* The seconds from the first sample to the end of the last slot with samples. */
	seconds() {
		return secondsOf(this.data, this.steps);
	}

	/* Return where the time line has a time, in seconds from the first sample. */
	xOf(seconds) {
		const ns = seconds * 1e9;

		return this.isHeat ? ns / this.period * this.columnWidth() :
				     ns / this.data.step * this.width / this.steps;
	}

	columnWidth() {
		return Math.min(this.width / (this.nr / CELLS), 4 * COLUMN);
	}

	/* Choose a period of 1, 2 or 5 times a power of ten, so that the columns fit. */
	chooseColumns() {
		const ns = this.steps * this.data.step, most = Math.floor(this.width / COLUMN);
		let period = 1e3 * CELLS;

		for (let i = 0; ns / period > most; i++)
			period *= [2, 2.5, 2][i % 3];
		this.period = period;
		this.nr = Math.ceil(ns / period) * CELLS;
	}

	slotOf(step) {
		if (this.isHeat)
			return Math.floor(step * this.data.step / this.period * CELLS);
		return Math.floor(step * this.nr / this.steps);
	}

	/* The first step of a slot. */
	stepOf(slot) {
		if (this.isHeat)
			return Math.ceil(slot * this.period / CELLS / this.data.step);
		return Math.ceil(slot * this.steps / this.nr);
	}

	/* Return the slot at a place of the time line. */
	at(x, y) {
		const slot = this.isHeat ?
			Math.floor(x / this.columnWidth()) * CELLS +
			Math.min(Math.max(Math.floor(y / CELL), 0), CELLS - 1) :
			Math.floor(x * this.nr / this.width);

		return this.nearest(slot);
	}

	nearest(slot) {
		return Math.min(Math.max(slot, 0), this.nr - 1);
	}

	/* Return the first and the last chosen slot, or null if all are chosen. */
	chosen({ from, to }) {
		if (from === DEFAULTS.from && to === DEFAULTS.to)
			return null;
		return [this.slotOf(Math.min(from, this.steps - 1)),
			this.slotOf(Math.min(to, this.steps - 1))];
	}

	/* Return the lane of each thread or CPU, and set the names of all lanes. */
	makeLanes() {
		const { data } = this;
		const lanes = this.isHeat ? 'all' : this.state.lanes;

		if (lanes === 'all' && data.isDiff && !this.isHeat) {
			this.names = ['old', 'new'];
			return (point) => data.points.run[point];
		}
		if (lanes === 'all') {
			this.names = [''];
			return () => 0;
		}
		const { column, numberOf: numbers, nameOf, nrNumbers } = groupKey(data, lanes);
		const numberOf = (point) => numbers[column[point]];
		const ofNumber = Array.from({ length: nrNumbers }, (none, number) => nameOf(number));

		this.names = lanes === 'cpu' ? sortNames([...new Set(ofNumber)]) :
			     this.sortByWeight(ofNumber, numberOf);
		const places = new Map(this.names.map((name, i) => [name, i]));
		const laneOf = Uint32Array.from(ofNumber, (name) => places.get(name));

		return (point) => laneOf[numberOf(point)];
	}

	/* Return each of the names once, those with the largest weights first. */
	sortByWeight(ofNumber, numberOf) {
		const { nr, event, weight } = this.data.points;
		const sums = new Float64Array(ofNumber.length), ofName = new Map();

		for (let i = 0; i < nr; i++) {
			if (event[i] === this.state.event)
				sums[numberOf(i)] += weight[i];
		}
		ofNumber.forEach((name, number) => {
			ofName.set(name, (ofName.get(name) || 0) + sums[number]);
		});
		return [...ofName.keys()].sort((a, b) => ofName.get(b) - ofName.get(a));
	}

	/* The slots of all points are kept until the time is divided in another way. */
	slotsOfPoints() {
		const { data, nr, period } = this, { time } = data.points;

		if (!data.slots || data.slots.nr !== nr || data.slots.period !== period) {
			data.slots = { nr, period, list: new Uint32Array(time.length) };
			for (let i = 0; i < time.length; i++)
				data.slots.list[i] = this.slotOf(time[i]);
		}
		return data.slots.list;
	}

	addUp(laneOf) {
		const { nr, event, weight } = this.data.points;
		const slots = this.slotsOfPoints(), isOne = this.names.length === 1;

		this.sums = new Float64Array(this.names.length * this.nr);
		for (let i = 0; i < nr; i++) {
			if (event[i] === this.state.event)
				this.sums[(isOne ? 0 : laneOf(i) * this.nr) + slots[i]] += weight[i];
		}
		this.most = this.sums.reduce((most, sum) => sum > most ? sum : most, 0) || 1;
	}

	/* Find the slots in which losses were recorded. */
	addLosses() {
		const { lossTime, lossRun } = this.data.column;

		/* The losses of each recording. All are in the first set if lanes are not recordings. */
		this.lost = [new Set(), new Set()];
		for (let i = 0; i < lossTime.length; i++) {
			const set = this.hasRuns() ? lossRun[i] : 0;

			this.lost[set].add(this.nearest(this.slotOf(lossTime[i])));
		}
	}

	/* Return the slot and the lane of each mark: the first lane if lanes are not recordings. */
	marks() {
		return this.data.marks.map(({ text, from, run }) =>
			({ text, slot: this.nearest(this.slotOf(from)), lane: this.hasRuns() ? run : 0 }));
	}

	/* Return true if each recording has its lane. */
	hasRuns() {
		return this.data.isDiff && !this.isHeat && this.state.lanes === 'all';
	}

}

/* Seconds from the first sample to a step. */
function secondsOf(data, step) {
	return step * data.step / 1e9;
}

/* The seconds of each recording that are in the chosen part of the time. */
function secondsOfRuns(data, { from, to }) {
	return data.runs.map(({ seconds }) => from === DEFAULTS.from && to === DEFAULTS.to ? seconds :
		Math.max(Math.min(seconds, secondsOf(data, to + 1)) - secondsOf(data, from), 0));
}

/* A step as report and script take it with --time. */
function timeText(data, step) {
	const ns = data.startNanoseconds + step * data.step;
	const seconds = data.startSeconds + Math.floor(ns / 1e9);

	return seconds + '.' + String(Math.floor(ns % 1e9 / 1e3)).padStart(6, '0');
}
