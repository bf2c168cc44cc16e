/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the picture: a tree, or the trees of the callers and callees of a function. */

/**
 * A part of the picture: a tree that grows up or down from a row.
 * @tree: the tree
 * @isUp: callees or callers are above
 * @row: the row of its root
 * @zoom: the node that is as wide as the picture
 */
function makePart(tree, isUp, row) {
	return { tree, isUp, row, zoom: 0 };
}

function partHeight(tree) {
	return tree.levels.length - 1;
}

function makeParts(trees, isFlame) {
	if (trees.length === 1)
		return [makePart(trees[0], isFlame, isFlame ? partHeight(trees[0]) - 1 : 0)];
	const row = partHeight(trees[0]) - 1;

	return [makePart(trees[0], true, row), makePart(trees[1], false, row)];
}

function levelOf(tree, node) {
	let low = 0, high = tree.levels.length - 1;

	while (high - low > 1) {
		const middle = (low + high) >> 1;

		if (tree.levels[middle] <= node)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The number of the first node of a level, from node @from on, that ends after @x. */
function firstAfter(tree, level, x, from = tree.levels[level]) {
	let low = from, high = tree.levels[level + 1];

	while (low < high) {
		const middle = (low + high) >> 1;

		if (tree.x[middle] + tree.weight[middle] > x)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Return the part that has a zoom, or the last one. */
function zoomedPart(parts) {
	return parts.find((part) => part.zoom) || parts[parts.length - 1];
}

/* The zoom as text: the number of the part, and what leads from its root to the node. */
function zoomText(parts) {
	const part = zoomedPart(parts);
	const { tree } = part;
	const path = [];

	for (let node = part.zoom; node; node = tree.parent[node])
		path.push(8 * tree.label[node] + tree.kind[node]);
	return path.length ? parts.indexOf(part) + '.' + path.reverse().join('.') : '';
}

/* Return the child of a node that a number of zoomText() means, or -1. */
function childByKey(tree, node, key) {
	const level = levelOf(tree, node) + 1;

	if (level >= partHeight(tree))
		return -1;
	for (let child = tree.levels[level]; child < tree.levels[level + 1]; child++) {
		if (tree.parent[child] === node && tree.weight[child] &&
		    8 * tree.label[child] + tree.kind[child] === key)
			return child;
	}
	return -1;
}

/* Set the zoom from a text, as far as the trees have its nodes. */
function readZoom(parts, text) {
	const [index, ...path] = text.split('.').map(Number);
	const part = parts[index] || parts[0];

	for (const other of parts)
		other.zoom = 0;
	for (const key of path) {
		const child = childByKey(part.tree, part.zoom, key);

		if (child < 0)
			break;
		part.zoom = child;
	}
}
