/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When samples were taken: a line for all, or for each thread or CPU, or a heat map. A part of
 * the time is chosen by dragging, by keys, or by its ends in seconds.
 *
 * Slots divide the time: SLOT pixels of a line, or cells of the heat map. A column of the heat map
 * is a period, whose cells are from top to bottom. As in the picture of stacks, the canvas is
 * as large as its window.
 */

const LANE = 24;
const ONE_LANE = 64;
const SLOT = 2;
const CELLS = 50;
const CELL = 3;
const COLUMN = 5;

class Time {
	constructor(data, onBrush) {
		this.data = data;
		this.onBrush = onBrush;
		this.scroll = document.getElementById('time-scroll');
		this.space = document.getElementById('time-space');
		this.canvas = document.getElementById('lanes');
		this.pen = this.canvas.getContext('2d', { alpha: false });
		this.cursor = this.anchor = 0;
		this.steps = data.lastStep + 1;
		this.scroll.addEventListener('scroll', () => this.draw());
		this.canvas.addEventListener('pointerdown', (event) => this.press(event));
		this.canvas.addEventListener('pointermove', (event) => this.drag(event));
		this.canvas.addEventListener('pointerup', (event) => this.release(event));
		this.canvas.addEventListener('keydown', (event) => this.key(event));
		this.canvas.addEventListener('focus', () => this.draw());
		this.canvas.addEventListener('blur', () => this.draw());
		new ResizeObserver(() => this.resize()).observe(this.scroll);
	}

	/* Show the points of an event. */
	show(state) {
		const isSame = this.state && ['event', 'lanes', 'scale'].every((key) =>
			this.state[key] === state[key]);

		this.state = state;
		if (!isSame)
			this.build();
		this.draw();
	}

	resize() {
		const width = this.scroll.clientWidth;

		this.scale = fitCanvas(this.canvas, width, this.scroll.clientHeight);
		if (this.state && width !== this.width)
			this.build();
		this.draw();
	}

	/* Divide the time into slots, and add up the weights of each lane in each slot. */
	build() {
		this.width = Math.max(this.scroll.clientWidth, 1);
		this.isHeat = this.state.scale === 'heat';
		if (this.isHeat)
			this.chooseColumns();
		else
			this.nrSlots = Math.min(Math.ceil(this.width / SLOT), this.steps);
		this.addUp(this.makeLanes());
		this.addLosses();
		this.cursor = Math.min(this.cursor, this.nrSlots - 1);
		this.anchor = Math.min(this.anchor, this.nrSlots - 1);
		this.space.style.height = this.height() + 'px';
		this.scroll.style.height = Math.min(this.height(), CELLS * CELL) + 2 + 'px';
	}

	height() {
		return this.isHeat ? CELLS * CELL : this.names.length > 1 ?
		       this.names.length * LANE : ONE_LANE;
	}

	/* Choose a period of 1, 2 or 5 times a power of ten, so that the columns fit. */
	chooseColumns() {
		const ns = this.steps * this.data.step, most = Math.floor(this.width / COLUMN);
		let period = 1e3 * CELLS;

		for (let i = 0; ns / period > most; i++)
			period *= [2, 2.5, 2][i % 3];
		this.period = period;
		this.nrSlots = Math.ceil(ns / period) * CELLS;
	}

	slotOf(step) {
		if (this.isHeat)
			return Math.floor(step * this.data.step / this.period * CELLS);
		return Math.floor(step * this.nrSlots / this.steps);
	}

	/* The first step of a slot. */
	stepOf(slot) {
		if (this.isHeat)
			return Math.ceil(slot * this.period / CELLS / this.data.step);
		return Math.ceil(slot * this.steps / this.nrSlots);
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
		const numbers = data.points[lanes];
		const [, nameOf] = groupKeys(data, lanes);
		const used = [...new Set(numbers)];
		const names = new Map(used.map((number) => [number, nameOf(number)]));

		this.names = this.sortLanes([...new Set(names.values())], numbers, names);
		const places = new Map(this.names.map((name, i) => [name, i]));
		const laneOf = new Map(used.map((number) => [number, places.get(names.get(number))]));

		return (point) => laneOf.get(numbers[point]);
	}

	/* CPUs are in the order of their numbers, threads in the order of their weights. */
	sortLanes(list, numbers, names) {
		const { nr, event, weight } = this.data.points;
		const sums = new Map();

		if (this.state.lanes === 'cpu')
			return list.sort(new Intl.Collator('en', { numeric: true }).compare);
		for (let i = 0; i < nr; i++) {
			if (event[i] === this.state.event)
				sums.set(numbers[i], (sums.get(numbers[i]) || 0) + weight[i]);
		}
		const ofName = new Map();

		for (const [number, sum] of sums)
			ofName.set(names.get(number), (ofName.get(names.get(number)) || 0) + sum);
		return list.sort((a, b) => (ofName.get(b) || 0) - (ofName.get(a) || 0));
	}

	addUp(laneOf) {
		const { nr, time, event, weight } = this.data.points;

		this.sums = new Float64Array(this.names.length * this.nrSlots);
		for (let i = 0; i < nr; i++) {
			if (event[i] === this.state.event)
				this.sums[laneOf(i) * this.nrSlots + this.slotOf(time[i])] += weight[i];
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

			this.lost[set].add(Math.min(this.slotOf(lossTime[i]), this.nrSlots - 1));
		}
	}

	/* Return true if each recording has its lane. */
	hasRuns() {
		return this.data.isDiff && !this.isHeat && this.state.lanes === 'all';
	}

	draw() {
		const { pen } = this;

		if (!this.state)
			return;
		pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
		pen.fillStyle = themeColour('--back');
		pen.fillRect(0, 0, this.width, this.scroll.clientHeight);
		if (this.isHeat)
			this.drawHeat();
		else
			this.drawLanes();
		if (document.activeElement === this.canvas)
			this.drawCursor();
	}

	drawLanes() {
		const height = this.names.length > 1 ? LANE : ONE_LANE;
		const { pen, nrSlots } = this;
		const top = this.scroll.scrollTop, bottom = top + this.scroll.clientHeight;

		for (let lane = Math.floor(top / height); lane < this.names.length; lane++) {
			const y = lane * height;

			if (y >= bottom)
				break;
			pen.fillStyle = themeColour('--bar');
			for (let slot = 0; slot < nrSlots; slot++) {
				const size = this.sums[lane * nrSlots + slot] / this.most * (height - 2);

				if (size)
					this.fillSlot(slot, y - top + height - 1 - size, size);
			}
			pen.fillStyle = themeColour('--line');
			pen.fillRect(0, y - top + height - 1, this.width, 1);
			this.drawName(this.names[lane], y - top);
		}
		this.drawLosses(height, top, bottom);
		this.shade();
	}

	drawLosses(height, top, bottom) {
		const wide = this.width / this.nrSlots;

		this.lost.forEach((slots, run) => slots.forEach((slot) => {
			if (this.hasRuns())
				this.hatch(slot * wide, run * height - top, Math.max(wide, 3), height);
			else
				this.hatch(slot * wide, 0, Math.max(wide, 3), bottom - top);
		}));
	}

	fillSlot(slot, y, height) {
		const wide = this.width / this.nrSlots;

		this.pen.fillRect(slot * wide, y, Math.max(wide, 1), Math.max(height, 1));
	}

	drawName(name, y) {
		const { pen } = this;

		if (!name)
			return;
		pen.font = '11px monospace';
		pen.textBaseline = 'top';
		pen.globalAlpha = 0.8;
		pen.fillStyle = themeColour('--back');
		pen.fillRect(0, y, pen.measureText(name).width + 6, 13);
		pen.globalAlpha = 1;
		pen.fillStyle = themeColour('--text');
		pen.fillText(name, 3, y + 1);
	}

	/* Draw diagonal lines over a place: samples were lost. */
	hatch(x, y, width, height) {
		const { pen } = this;

		pen.save();
		pen.beginPath();
		pen.rect(x, y, width, height);
		pen.clip();
		pen.fillStyle = themeColour('--back');
		pen.fillRect(x, y, width, height);
		pen.strokeStyle = themeColour('--loss');
		pen.lineWidth = 1.5;
		pen.beginPath();
		for (let at = y - width; at < y + height; at += 4) {
			pen.moveTo(x, at + width);
			pen.lineTo(x + width, at);
		}
		pen.stroke();
		pen.restore();
	}

	/* Return the first and the last chosen slot, or null if all are chosen. */
	chosenSlots() {
		const { from, to } = this.state;

		if (from === DEFAULTS.from && to === DEFAULTS.to)
			return null;
		return [this.slotOf(Math.min(from, this.steps - 1)),
			this.slotOf(Math.min(to, this.steps - 1))];
	}

	/* Shade what is not chosen, or not dragged over. */
	shade() {
		const chosen = this.dragged || this.chosenSlots();

		if (!chosen)
			return;
		const { pen, nrSlots, width } = this;
		const left = chosen[0] * width / nrSlots, right = (chosen[1] + 1) * width / nrSlots;
		const height = this.scroll.clientHeight;

		pen.globalAlpha = 0.7;
		pen.fillStyle = themeColour('--raised');
		pen.fillRect(0, 0, left, height);
		pen.fillRect(right, 0, width - right, height);
		pen.globalAlpha = 1;
		pen.fillStyle = themeColour('--focus');
		pen.fillRect(left - 1, 0, 2, height);
		pen.fillRect(right - 1, 0, 2, height);
	}

	columnWidth() {
		return Math.min(this.width / (this.nrSlots / CELLS), 4 * COLUMN);
	}

	drawHeat() {
		const { pen } = this;
		const wide = this.columnWidth(), chosen = this.dragged || this.chosenSlots();
		const isDark = document.documentElement.classList.contains('dark');

		for (let slot = 0; slot < this.nrSlots; slot++) {
			const x = Math.floor(slot / CELLS) * wide, y = slot % CELLS * CELL;
			const share = Math.sqrt(this.sums[slot] / this.most);
			const isChosen = !chosen || (slot >= chosen[0] && slot <= chosen[1]);

			if (this.lost[0].has(slot)) {
				this.hatch(x, y, wide, CELL);
			} else if (share) {
				pen.fillStyle = `hsl(${isChosen ? '14 85%' : '220 5%'} ` +
						`${isDark ? 22 + 55 * share : 90 - 58 * share}%)`;
				pen.fillRect(x, y, wide - 0.5, CELL);
			} else if (chosen && isChosen) {
				pen.fillStyle = themeColour('--chosen');
				pen.fillRect(x, y, wide - 0.5, CELL);
			}
		}
	}

	drawCursor() {
		const { pen, cursor } = this;

		pen.strokeStyle = themeColour('--focus');
		pen.lineWidth = 2;
		if (this.isHeat)
			pen.strokeRect(Math.floor(cursor / CELLS) * this.columnWidth(),
				       cursor % CELLS * CELL, this.columnWidth(), CELL);
		else
			pen.strokeRect(cursor * this.width / this.nrSlots, 0, 1,
				       this.scroll.clientHeight);
	}

	slotAt(event) {
		const y = event.offsetY + this.scroll.scrollTop;
		const slot = this.isHeat ?
			Math.floor(event.offsetX / this.columnWidth()) * CELLS +
			Math.min(Math.max(Math.floor(y / CELL), 0), CELLS - 1) :
			Math.floor(event.offsetX * this.nrSlots / this.width);

		return Math.min(Math.max(slot, 0), this.nrSlots - 1);
	}

	press(event) {
		this.anchor = this.cursor = this.slotAt(event);
		this.isPressed = true;
		this.canvas.setPointerCapture(event.pointerId);
	}

	drag(event) {
		if (!this.isPressed)
			return;
		this.cursor = this.slotAt(event);
		this.dragged = this.range();
		this.draw();
	}

	/* A click without dragging chooses all. */
	release(event) {
		if (!this.isPressed)
			return;
		this.drag(event);
		this.isPressed = false;
		this.dragged = null;
		if (this.cursor === this.anchor)
			this.onBrush(DEFAULTS.from, DEFAULTS.to);
		else
			this.choose();
	}

	range() {
		return [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
	}

	choose() {
		const [first, last] = this.range();

		this.onBrush(this.stepOf(first), Math.max(this.stepOf(last + 1) - 1, this.stepOf(first)));
	}

	/* Arrows move the cursor. With Shift, they choose the time from where it was. */
	key(event) {
		const side = this.isHeat ? CELLS : 1;
		const page = 10 * side;
		const moves = { ArrowLeft: -side, ArrowRight: side, PageUp: -page, PageDown: page,
				ArrowUp: this.isHeat ? -1 : 0, ArrowDown: this.isHeat ? 1 : 0,
				Home: -Infinity, End: Infinity };

		if (!(event.key in moves) || !moves[event.key])
			return;
		event.preventDefault();
		this.cursor = Math.min(Math.max(this.cursor + moves[event.key], 0), this.nrSlots - 1);
		if (event.shiftKey)
			this.choose();
		else
			this.anchor = this.cursor;
		this.draw();
	}
}

/* Seconds from the first sample to a step. */
function secondsOf(data, step) {
	return step * data.step / 1e9;
}

/* A step as report and script take it with --time. */
function timeText(data, step) {
	const ns = data.startNanoseconds + step * data.step;
	const seconds = data.startSeconds + Math.floor(ns / 1e9);

	return seconds + '.' + String(Math.floor(ns % 1e9 / 1e3)).padStart(6, '0');
}
