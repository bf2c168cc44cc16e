/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames of boxes: names cannot mark a box, because functions may have any name. */

/* Frame the box of the function that callers and callees are around, and mark its ends. */
function frameCentre(pen, width, y) {
	pen.lineWidth = 2;
	pen.strokeStyle = pen.fillStyle = themeColour('--text');
	pen.strokeRect(1, y, width - 2, ROW - 1);
	for (const [x, tip] of [[0, 9], [width, width - 9]]) {
		pen.beginPath();
		pen.moveTo(x, y);
		pen.lineTo(tip, y + (ROW - 1) / 2);
		pen.lineTo(x, y + ROW - 1);
		pen.fill();
	}
}

/* Frame a box that is no function, in the colour of its text. */
function frameOwn(pen, left, width, y) {
	pen.lineWidth = 1;
	pen.setLineDash([4, 4]);
	pen.strokeRect(left + 0.5, y + 0.5, width - 2, ROW - 2);
	pen.setLineDash([]);
}
