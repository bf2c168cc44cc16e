/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When samples were taken: a line for all, or for each thread or CPU, or a heat map. A part of
 * the time is chosen by dragging, by keys, or by its ends in seconds.
 */

class Time {
	constructor(data, onBrush) {
		this.data = data;
		this.onBrush = onBrush;
		this.scroll = document.getElementById('time-scroll');
		this.space = document.getElementById('time-space');
		this.canvas = document.getElementById('lanes');
		this.picture = new TimePicture(this.scroll, this.canvas);
		this.axis = new Axis(data, 'axis');
		this.cursor = this.anchor = 0;
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
		const isSame = this.state && 
			['event', 'lanes', 'scale', 'axis', 'edits', 'thread'].every((key) =>
				this.state[key] === state[key]);

		this.state = state;
		if (!isSame)
			this.build();
		this.draw();
	}

	resize() {
		const { width } = this.picture;

		this.picture.resize();
		if (this.state && width !== this.picture.width)
			this.build();
		this.draw();
	}

	build() {
		this.slots = new Slots(this.data, this.state, Math.max(this.scroll.clientWidth, 1));
		this.cursor = this.slots.nearest(this.cursor);
		this.anchor = this.slots.nearest(this.anchor);
		this.space.style.height = this.slots.height() + 'px';
		this.scroll.style.height = Math.min(this.slots.height(), CELLS * CELL) + 2 + 'px';
		this.axis.show(this.slots, this.state.axis);
		this.canvas.setAttribute('aria-label', 'Samples by time, in ' +
			duration(this.slots.seconds() * 1e9));
	}

	draw() {
		if (this.slots)
			this.picture.draw(this.slots, this.dragged || this.slots.chosen(this.state),
					  this.cursor);
	}

	slotAt(event) {
		return this.slots.at(event.offsetX, event.offsetY + this.scroll.scrollTop);
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
		const [first, last] = this.range(), { slots } = this;

		this.onBrush(slots.stepOf(first),
			     Math.max(slots.stepOf(last + 1) - 1, slots.stepOf(first)));
	}

	/* Arrows move the cursor. With Shift, they choose the time from where it was. */
	key(event) {
		const { isHeat } = this.slots;
		const side = isHeat ? CELLS : 1;
		const page = 10 * side;
		const moves = { ArrowLeft: -side, ArrowRight: side, PageUp: -page, PageDown: page,
				ArrowUp: isHeat ? -1 : 0, ArrowDown: isHeat ? 1 : 0,
				Home: -Infinity, End: Infinity };

		if (!(event.key in moves) || !moves[event.key])
			return;
		event.preventDefault();
		this.cursor = this.slots.nearest(this.cursor + moves[event.key]);
		if (event.shiftKey)
			this.choose();
		else
			this.anchor = this.cursor;
		this.draw();
	}
}
