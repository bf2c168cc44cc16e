/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours of boxes. All have a contrast of at least 4.5 to the black text on them. */

const KIND_NAMES = ['unknown', 'user', 'kernel', 'inlined', 'JIT', 'group', 'small stacks'];

/* Hue, saturation and lightness, by kind. */
const PALETTES = {
	kind: [[220, 8, 72], [42, 90, 66], [14, 85, 69], [205, 75, 73], [140, 50, 66],
	       [265, 45, 80], [220, 8, 84]],
	/* After Okabe and Ito: these differ in lightness too. */
	safe: [[0, 0, 78], [41, 100, 60], [202, 100, 42], [202, 77, 74], [164, 100, 37],
	       [327, 45, 72], [0, 0, 90]],
};

/* Changes of a diff: within noise, grew and shrank. */
const CHANGE_PALETTES = {
	kind: [[220, 6, 76], [4, 85, 68], [212, 85, 70]],
	safe: [[0, 0, 78], [30, 100, 58], [202, 77, 66]],
};

const CHANGE_NAMES = ['within noise', 'grew', 'shrank'];

const MATCH_COLOUR = 'hsl(300 95% 80%)';
const FOUND_COLOUR = 'hsl(300 90% 55%)';	/* stronger, for narrow boxes */
const REST_COLOUR = 'hsl(220 6% 50%)';
const BOX_TEXT = '#000000';

/* Number of shades of a colour, so that neighbours differ. */
const SHADES = 5;

function makeColours(palette) {
	return makeShades(PALETTES[palette]);
}

function makeShades(colours) {
	return colours.map(([hue, saturation, lightness]) => {
		const shades = [];

		for (let i = 0; i < SHADES; i++)
			shades.push(`hsl(${hue} ${saturation}% ${lightness + 2 * i}%)`);
		return shades;
	});
}

function themeColour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name);
}

/*
 * Return colours of changes, the strongest ones first. Grey has no shades: a change within noise
 * has no size.
 */
function makeChangeColours(palette) {
	return CHANGE_PALETTES[palette].map(([hue, saturation, lightness], i) => {
		const shades = [];

		for (let k = 0; k < SHADES; k++)
			shades.push(`hsl(${hue} ${saturation}% ${lightness + (i ? 5 * k : 0)}%)`);
		return shades;
	});
}

/* Return the shade of a change: the strongest one if the share was doubled or halved. */
function shadeOf(change) {
	const ratio = Math.abs(change.by) / (Math.max(change.old, change.now) || 1);

	return SHADES - 1 - Math.min(Math.floor(ratio * 2 * (SHADES - 1)), SHADES - 1);
}

/* What the colours of the picture mean, as [colour, text]. Absent kinds are left out. */
function legendOf({ picture, data, state }, kinds) {
	const [colours, names] = data.isDiff ? [picture.changeColours, CHANGE_NAMES] :
					       [picture.colours, KIND_NAMES];
	const entries = kinds.map((kind) => [colours[kind][0], names[kind]]);

	/* A chart has no narrow boxes (chart.js). */
	if (state.view !== 'time')
		entries.push([REST_COLOUR, 'boxes too narrow to draw: zoom']);
	if (state.search)
		entries.push([FOUND_COLOUR, 'match']);
	return entries;
}

function showLegend(list, entries) {
	list.replaceChildren();
	for (const [colour, text] of entries) {
		const item = document.createElement('li');
		const box = document.createElement('canvas');
		const pen = box.getContext('2d');

		pen.fillStyle = colour;
		pen.fillRect(0, 0, box.width, box.height);
		box.setAttribute('aria-hidden', 'true');
		item.append(box, text);
		list.append(item);
	}
}
