/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boxes that are too narrow to draw. The picture draws those beside each other as one grey box,
 * and a line of the colour of a match where at least one of them has a match.
 */

const SMALL = 0.5;	/* narrower boxes are drawn together, in pixels */
const FOUND = 2;	/* width of the line of a match, and the least one of a box with a match */

/* Return, for each node of a tree, how many with samples and a match are before it. */
function matchesBefore(tree, matches) {
	if (tree.matchedBy !== matches) {
		tree.matchedBy = matches;
		tree.before = new Uint32Array(tree.nr + 1);
		for (let i = 0; i < tree.nr; i++)
			tree.before[i + 1] = tree.before[i] +
				(tree.weight[i] > 0 && matches[tree.label[i]] ? 1 : 0);
	}
	return tree.before;
}

/* Return true if a match is in the nodes from @node up to before @end. */
function hasMatch(tree, matches, node, end) {
	if (!matches)
		return false;
	const before = matchesBefore(tree, matches);

	return before[end] > before[node];
}

/* Count the boxes with a match that the picture could show, and those too narrow to draw. */
function countBoxes({ parts, width, matches }, isVisible) {
	const boxes = { all: 0, narrow: 0 };

	for (const part of parts) {
		const { tree, zoom } = part;
		const least = SMALL * tree.weight[zoom] / width;

		for (let i = 1; i < tree.nr; i++) {
			if (!matches[tree.label[i]] || !isVisible(part, i))
				continue;
			boxes.all++;
			boxes.narrow += tree.weight[i] < least;
		}
	}
	return boxes;
}

/* Draw narrow boxes with a match, over what is beside them. */
function drawFound(pen, width, found, y) {
	pen.fillStyle = FOUND_COLOUR;
	for (const left of found)
		pen.fillRect(Math.min(Math.floor(left), width - FOUND), y, FOUND, ROW - 1);
}
