/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of a canvas, in pixels of the page and of the screen. */

/* Give a canvas a size in pixels of the page. Return the pixels of the screen in one. */
function fitCanvas(canvas, width, height) {
	const scale = devicePixelRatio || 1;

	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
	canvas.width = Math.max(Math.floor(width * scale), 1);
	canvas.height = Math.max(Math.floor(height * scale), 1);
	return scale;
}
