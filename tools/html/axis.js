/* SPDX-License-Identifier: GPL-2.0-only */
/* The axis of the time line: ticks with the seconds since the first sample, or the time of day. */

const TICK_ROOM = 14;	/* between the end of a label and the next tick, in pixels */
const DAY = 86400;

/* Steps of the time of day that are longer than a second. */
const DAY_STEPS = [2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600,
		   43200];

/* Return the shortest step of at least @least that is 1, 2 or 5 times a power of ten. */
function roundStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));

	return [1, 2, 5].map((times) => times * power).find((step) => step >= least) || 10 * power;
}

function dayStep(least) {
	if (least <= 1)
		return roundStep(least);
	return DAY_STEPS.find((step) => step >= least) || DAY * roundStep(least / DAY);
}

/* Return the text of a number of seconds that is a multiple of a step. */
function decimals(seconds, step) {
	return seconds.toFixed(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0));
}

function twoDigits(number) {
	return String(number).padStart(2, '0');
}

/* Seconds since the first sample. */
class BeginClock {
	constructor() {
		this.first = 0;
		this.stepOf = roundStep;
	}

	text(seconds, step) {
		return decimals(seconds, step) + ' s';
	}
}

/*
 * Seconds since the midnight before the first sample, in the time zone of the browser. A day is
 * short enough for a number to have all digits of a nanosecond.
 */
class DayClock {
	constructor({ wallSeconds, wallNanoseconds }, span) {
		const date = new Date(wallSeconds * 1e3);
		const since = (date.getHours() * 60 + date.getMinutes()) * 60 + date.getSeconds();

		this.midnight = wallSeconds - since;
		this.first = since + wallNanoseconds / 1e9;
		this.hasDays = this.first + span >= DAY;
		this.stepOf = dayStep;
	}

	text(seconds, step) {
		const whole = Math.floor(seconds + 1e-9);
		const date = new Date((this.midnight + whole) * 1e3);
		const day = `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} `;
		const minute = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
		const fraction = decimals(Math.max(seconds - whole, 0), step).slice(1);

		return (this.hasDays ? day : '') + minute +
		       (step < 60 ? ':' + twoDigits(date.getSeconds()) + fraction : '');
	}
}

/* Return true if the page knows at which time of day the recording was made. */
function hasTimeOfDay(data) {
	return !data.isDiff && data.wallSeconds !== undefined;
}

class Axis {
	constructor(data, id) {
		this.data = data;
		this.place = document.getElementById(id);
		this.pen = document.createElement('canvas').getContext('2d');
	}

	/* Show the ticks of the slots of a time line, or of a part of the time with a begin. */
	show(slots, axis) {
		const span = slots.seconds(), { begin = 0 } = slots;
		const clock = axis === 'day' ? new DayClock(this.data, begin + span) : new BeginClock();
		const first = clock.first + begin, step = this.chooseStep(clock, slots, first + span);
		const ticks = [];

		for (let i = Math.ceil(first / step - 1e-9); i * step <= first + span; i++)
			ticks.push(this.makeTick(slots, clock.text(i * step, step), i * step - first));
		this.place.replaceChildren(...ticks);
	}

	/* Return the shortest step whose labels do not overlap. */
	chooseStep(clock, slots, end) {
		const pixels = slots.xOf(1);
		let step = clock.stepOf(TICK_ROOM / pixels);

		while (step < slots.seconds() &&
		       step * pixels < this.widthOf(clock.text(end, step)))
			step = clock.stepOf(step * 1.01);
		return step;
	}

	widthOf(text) {
		this.pen.font = LANE_FONT;
		return this.pen.measureText(text).width + TICK_ROOM;
	}

	/* A label is right of its tick. There is none if it would not be within the axis. */
	makeTick(slots, text, seconds) {
		const tick = document.createElement('span'), x = slots.xOf(seconds);

		tick.style.left = Math.min(x, slots.width - 1) + 'px';
		if (x + this.widthOf(text) - TICK_ROOM / 2 <= slots.width)
			tick.textContent = text;
		return tick;
	}
}
