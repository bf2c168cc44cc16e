/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The picture of slots of the time. As in the picture of stacks, the canvas is as large as its
 * window.
 */

const LANE_FONT = '11px monospace';

class TimePicture {
	constructor(scroll, canvas) {
		this.scroll = scroll;
		this.canvas = canvas;
		this.pen = canvas.getContext('2d', { alpha: false });
	}

	resize() {
		this.width = this.scroll.clientWidth;
		this.scale = fitCanvas(this.canvas, this.width, this.scroll.clientHeight);
	}

	/* Draw slots. @chosen has the first and the last chosen one, or is null. */
	draw(slots, chosen, cursor) {
		const { pen } = this;

		this.slots = slots;
		pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
		pen.fillStyle = themeColour('--back');
		pen.fillRect(0, 0, this.width, this.scroll.clientHeight);
		if (slots.isHeat)
			this.drawHeat(chosen);
		else
			this.drawLanes(chosen);
		if (document.activeElement === this.canvas)
			this.drawCursor(cursor);
	}

	drawLanes(chosen) {
		const { pen, slots } = this;
		const height = slots.laneHeight();
		const top = this.scroll.scrollTop, bottom = top + this.scroll.clientHeight;

		for (let lane = Math.floor(top / height); lane < slots.names.length; lane++) {
			const y = lane * height;

			if (y >= bottom)
				break;
			pen.fillStyle = themeColour('--bar');
			for (let slot = 0; slot < slots.nr; slot++) {
				const size = slots.sums[lane * slots.nr + slot] / slots.most *
					     (height - 2);

				if (size)
					this.fillSlot(slot, y - top + height - 1 - size, size);
			}
			pen.fillStyle = themeColour('--line');
			pen.fillRect(0, y - top + height - 1, this.width, 1);
			this.drawName(slots.names[lane], y - top);
		}
		this.drawLosses(height, top, bottom);
		this.drawMarks(height, top);
		if (chosen)
			this.shade(chosen);
	}

	drawLosses(height, top, bottom) {
		const { slots } = this;
		const wide = this.width / slots.nr;

		slots.lost.forEach((lost, run) => lost.forEach((slot) => {
			if (slots.hasRuns())
				this.hatch(slot * wide, run * height - top, Math.max(wide, 3), height);
			else
				this.hatch(slot * wide, 0, Math.max(wide, 3), bottom - top);
		}));
	}

	/* Draw a line at each mark, and its text if there is room up to the next one. */
	drawMarks(height, top) {
		const { pen, slots, width } = this;
		const marks = slots.marks();

		pen.font = LANE_FONT;
		pen.textBaseline = 'top';
		marks.forEach(({ text, slot, lane }, i) => {
			const next = marks[i + 1], x = slot * width / slots.nr;
			const end = next && next.lane === lane ? next.slot * width / slots.nr : width;
			const y = slots.hasRuns() ? lane * height - top : 0;
			const left = Math.max(x + 2, this.nameWidth(slots.names[lane]));

			pen.fillStyle = themeColour('--mark');
			pen.fillRect(x, y, 2, slots.hasRuns() ? height : this.scroll.clientHeight);
			this.drawMarkText(text, left, y, end - left);
		});
	}

	nameWidth(name) {
		return name ? this.pen.measureText(name).width + 6 : 0;
	}

	drawMarkText(text, x, y, room) {
		const { pen } = this;
		const letters = Math.floor((room - 6) / pen.measureText('M').width);
		const shown = text.length > letters ? text.slice(0, letters - 1) + '…' : text;

		if (letters < 3)
			return;
		pen.fillRect(x, y, pen.measureText(shown).width + 6, 13);
		pen.fillStyle = themeColour('--back');
		pen.fillText(shown, x + 3, y + 1);
	}

	fillSlot(slot, y, height) {
		const wide = this.width / this.slots.nr;

		this.pen.fillRect(slot * wide, y, Math.max(wide, 1), Math.max(height, 1));
	}

	drawName(name, y) {
		const { pen } = this;

		if (!name)
			return;
		pen.font = LANE_FONT;
		pen.textBaseline = 'top';
		pen.globalAlpha = 0.8;
		pen.fillStyle = themeColour('--back');
		pen.fillRect(0, y, this.nameWidth(name), 13);
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

	/* Shade what is not chosen, or not dragged over. */
	shade([first, last]) {
		const { pen, width, slots } = this;
		const left = first * width / slots.nr, right = (last + 1) * width / slots.nr;
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

	drawHeat(chosen) {
		const { pen, slots } = this;
		const wide = slots.columnWidth();
		const isDark = document.documentElement.classList.contains('dark');

		for (let slot = 0; slot < slots.nr; slot++) {
			const x = Math.floor(slot / CELLS) * wide, y = slot % CELLS * CELL;
			const share = Math.sqrt(slots.sums[slot] / slots.most);
			const isChosen = !chosen || (slot >= chosen[0] && slot <= chosen[1]);

			if (slots.lost[0].has(slot)) {
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
		this.drawMarksOfHeat(wide);
	}

	/* Draw a line beside the column of each mark, and fill its cell. */
	drawMarksOfHeat(wide) {
		const { pen, slots } = this;

		pen.fillStyle = themeColour('--mark');
		for (const { slot } of slots.marks()) {
			const x = Math.floor(slot / CELLS) * wide;

			pen.fillRect(x - 1, 0, 2, CELLS * CELL);
			pen.fillRect(x, slot % CELLS * CELL, wide, CELL);
		}
	}

	drawCursor(cursor) {
		const { pen, slots } = this;

		pen.strokeStyle = themeColour('--focus');
		pen.lineWidth = 2;
		if (slots.isHeat)
			pen.strokeRect(Math.floor(cursor / CELLS) * slots.columnWidth(),
				       cursor % CELLS * CELL, slots.columnWidth(), CELL);
		else
			pen.strokeRect(cursor * this.width / slots.nr, 0, 1,
				       this.scroll.clientHeight);
	}
}
