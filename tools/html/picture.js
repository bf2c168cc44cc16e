/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The picture of call stacks, with a box for each node.
 *
 * The canvas is as large as its window and stays there; the element around it has the height
 * of all rows and is scrolled. Only boxes in the window are drawn.
 */

const ROW = 19;
const FONT = '12px monospace';
const TEXT_FROM = 26;	/* width of a box that has text, in pixels */

class Picture {
	constructor(data, labelName, onChoose, onZoom, onTime) {
		this.data = data;
		this.labelName = labelName;
		this.onChoose = onChoose;
		this.onZoom = onZoom;
		this.onTime = onTime;
		this.onWidth = () => {};
		this.scroll = document.getElementById('scroll');
		this.space = document.getElementById('space');
		this.canvas = document.getElementById('flame');
		this.pen = this.canvas.getContext('2d', { alpha: false });
		this.parts = [];
		this.rows = 0;
		this.chosen = null;
		this.matches = null;
		this.scroll.addEventListener('scroll', () => this.later());
		this.canvas.addEventListener('mousemove', (event) => this.hover(event));
		this.canvas.addEventListener('mouseleave', () => this.onChoose(this.chosen, false));
		this.canvas.addEventListener('click', (event) => this.click(event));
		this.canvas.addEventListener('focus', () => this.later());
		this.canvas.addEventListener('blur', () => this.later());
		new ResizeObserver(() => this.resize()).observe(this.scroll);
	}

	setTrees(trees, isFlame) {
		this.parts = makeParts(trees, isFlame);
		this.chosen = null;
		this.isFlame = isFlame;
		this.rows = trees.reduce((sum, tree) => sum + partHeight(tree), 1 - trees.length);
		this.space.style.height = Math.max(this.rows * ROW, 1) + 'px';
		this.scroll.scrollTop = trees.length > 1 ?
			this.parts[0].row * ROW - this.scroll.clientHeight / 2 :
			isFlame ? this.rows * ROW : 0;
	}

	resize() {
		const width = this.scroll.clientWidth, height = this.scroll.clientHeight;

		/* A flame stays at its bottom. */
		if (this.isFlame && this.shownHeight)
			this.scroll.scrollTop += this.shownHeight - height;
		this.shownHeight = height;
		if (this.width !== width) {
			this.width = width;
			this.onWidth();
		}
		this.scale = fitCanvas(this.canvas, width, height);
		this.draw();
	}

	later() {
		if (this.isWaiting)
			return;
		this.isWaiting = true;
		requestAnimationFrame(() => {
			this.isWaiting = false;
			this.draw();
		});
	}

	rowOf(part, level) {
		return part.isUp ? part.row - level : part.row + level;
	}

	levelAt(part, row) {
		const level = part.isUp ? part.row - row : row - part.row;

		return level >= 0 && level < partHeight(part.tree) ? level : -1;
	}

	/* A picture that is lower than the window begins at the bottom of it if it is a flame. */
	top() {
		const spare = this.scroll.clientHeight - this.rows * ROW;

		return (this.isFlame && spare > 0 ? spare : 0) - this.scroll.scrollTop;
	}

	draw() {
		const { pen } = this;
		const height = this.scroll.clientHeight, top = this.top();

		pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
		pen.fillStyle = themeColour('--back');
		pen.fillRect(0, 0, this.width, height);
		pen.font = FONT;
		pen.textBaseline = 'middle';
		this.letter = pen.measureText('M').width;
		for (const part of this.parts) {
			for (let level = 0; level < partHeight(part.tree); level++) {
				const y = top + this.rowOf(part, level) * ROW;

				if (y > -ROW && y < height)
					this.drawLevel(part, level, y);
			}
		}
		if (this.isAround())
			frameCentre(pen, this.width, top + this.parts[0].row * ROW);
		if (this.chosen && document.activeElement === this.canvas)
			this.drawFocus();
	}

	/* Return true if the picture has callers and callees of a function. */
	isAround() {
		return this.parts.length > 1;
	}

	/* Return the left end of a box, and its width. */
	placeOf(part, node) {
		const { tree, zoom } = part;
		const scale = this.width / (tree.weight[zoom] || 1);
		const left = Math.max((tree.x[node] - tree.x[zoom]) * scale, 0);
		const right = (tree.x[node] + tree.weight[node] - tree.x[zoom]) * scale;

		return [left, Math.min(right, this.width) - left];
	}

	/* Draw the boxes of a level. After a narrow box, those that end within SMALL are skipped. */
	drawLevel(part, level, y) {
		const { tree, zoom } = part, { x, weight } = tree;
		const scale = this.width / weight[zoom], found = [];
		const end = tree.levels[level + 1], limit = x[zoom] + weight[zoom];
		let rest = -1, restEnd = 0, next;

		if (!weight[zoom])
			return;
		for (let node = firstAfter(tree, level, x[zoom]); node < end && x[node] < limit;
		     node = next) {
			const left = Math.max((x[node] - x[zoom]) * scale, 0);
			const right = Math.min((x[node] + weight[node] - x[zoom]) * scale, this.width);

			next = node + 1;
			if (right - left < SMALL)
				next = firstAfter(tree, level,
						  x[node] + (weight[node] ? SMALL / scale : 0), next);
			if (right - left < FOUND && hasMatch(tree, this.matches, node, next))
				found.push(left);
			if (right - left >= SMALL) {
				this.drawBox(tree, node, left, right - left, y);
				continue;
			}
			if (!weight[node])
				continue;
			if (rest < 0 || left > restEnd + 1) {
				this.drawRest(rest, restEnd, y);
				rest = left;
			}
			restEnd = right;
		}
		this.drawRest(rest, restEnd, y);
		drawFound(this.pen, this.width, found, y);
	}

	drawRest(left, right, y) {
		if (left < 0)
			return;
		this.pen.globalAlpha = this.matches ? 0.55 : 1;
		this.pen.fillStyle = REST_COLOUR;
		this.pen.fillRect(left, y, Math.max(right - left, SMALL), ROW - 1);
		this.pen.globalAlpha = 1;
	}

	/* Return true if a node is the root of all stacks, which has the label of no function. */
	isAll(node) {
		return !node && !this.isAround();
	}

	/* Return true if a node is no function: all stacks, small stacks or a group. */
	isOwn(tree, node) {
		return this.isAll(node) || tree.label[node] === this.data.small ||
		       tree.label[node] >= this.data.names.length;
	}

	isMatchBox(tree, node) {
		return !this.isAll(node) && this.isMatch(tree.label[node]);
	}

	isMatch(label) {
		return this.matches && label < this.matches.length && this.matches[label];
	}

	colourOf(tree, node) {
		const label = tree.label[node];

		if (this.isAll(node) && !this.data.isDiff)
			return this.colours[KIND.OTHER][SHADES - 1];
		if (this.isMatchBox(tree, node))
			return MATCH_COLOUR;
		if (this.data.isDiff) {
			const change = changeOfNode(this.data, tree, node, this.total);

			return this.changeColours[change.verdict][shadeOf(change)];
		}
		return this.colours[tree.kind[node]][(Math.imul(label + 1, 2654435761) >>> 16) % SHADES];
	}

	drawBox(tree, node, left, width, y) {
		const { pen } = this, isFaint = this.matches && !this.isMatchBox(tree, node);

		pen.globalAlpha = isFaint ? 0.55 : 1;
		pen.fillStyle = this.colourOf(tree, node);
		pen.fillRect(left, y, width > 2 ? width - 0.7 : width, ROW - 1);
		pen.globalAlpha = 1;
		pen.fillStyle = pen.strokeStyle = isFaint ? themeColour('--text') : BOX_TEXT;
		if (this.isOwn(tree, node) && width > 6)
			frameOwn(pen, left, width, y);
		if (width >= TEXT_FROM)
			this.drawBoxText(tree, node, left, width, y);
	}

	drawBoxText(tree, node, left, width, y) {
		const isCentre = !node && this.isAround(), name = this.nameOf(tree, node);
		const letters = Math.floor((width - (isCentre ? 26 : 6)) / this.letter);

		this.pen.font = (this.isOwn(tree, node) ? 'italic ' : '') + (isCentre ? 'bold ' : '') + FONT;
		this.pen.fillText(name.length > letters ? name.slice(0, letters - 1) + '…' : name,
				  left + (isCentre ? 13 : 3), y + ROW / 2);
	}

	drawFocus() {
		const { part, node } = this.chosen;
		const [left, width] = this.placeOf(part, node);
		const y = this.top() + this.rowOf(part, levelOf(part.tree, node)) * ROW;

		this.pen.lineWidth = 5;
		this.pen.strokeStyle = themeColour('--back');
		this.pen.strokeRect(left + 1, y + 1, Math.max(width - 2, 1), ROW - 3);
		this.pen.lineWidth = 3;
		this.pen.strokeStyle = themeColour('--focus');
		this.pen.strokeRect(left + 1, y + 1, Math.max(width - 2, 1), ROW - 3);
	}

	nameOf(tree, node) {
		return this.isAll(node) ? tree.title || 'all' : this.labelName(tree.label[node]);
	}

	/* Return the box at a place of the canvas, or null. */
	hit(x, y) {
		const row = Math.floor((y - this.top()) / ROW);

		for (const part of this.parts.slice().reverse()) {
			const level = this.levelAt(part, row);
			const { tree, zoom } = part;

			if (level < 0 || !tree.weight[zoom])
				continue;
			const at = tree.x[zoom] + x / this.width * tree.weight[zoom];
			const node = firstAfter(tree, level, at);

			if (node < tree.levels[level + 1] && tree.x[node] <= at)
				return { part, node };
		}
		return null;
	}

	hover(event) {
		const box = this.hit(event.offsetX, event.offsetY);

		this.canvas.style.cursor = box ? 'pointer' : 'default';
		this.onChoose(box || this.chosen, false);
	}

	click(event) {
		const box = this.hit(event.offsetX, event.offsetY);

		if (!box)
			return;
		this.chosen = box;
		this.zoomTo(box.part, box.node);
		this.onChoose(box, true);
	}

	/* In a chart, a zoom chooses the time of a box. */
	zoomTo(part, node) {
		const { isChart, x, weight, first } = part.tree;

		if (isChart && node)
			this.onTime(first + Math.floor(x[node]),
				    first + Math.ceil(x[node] + weight[node]) - 1);
		if (isChart && !node)
			this.onTime(DEFAULTS.from, DEFAULTS.to);
		if (isChart)
			return;
		for (const other of this.parts)
			other.zoom = 0;
		part.zoom = node;
		this.onZoom();
		this.draw();
	}

	/* Choose a box by the keyboard, and scroll to it. */
	choose(part, node) {
		const y = this.rowOf(part, levelOf(part.tree, node)) * ROW;
		const height = this.scroll.clientHeight;

		this.chosen = { part, node };
		if (y < this.scroll.scrollTop)
			this.scroll.scrollTop = y;
		else if (y + ROW > this.scroll.scrollTop + height)
			this.scroll.scrollTop = y + ROW - height;
		this.onChoose(this.chosen, true);
		this.draw();
	}

	zoomed() {
		return zoomedPart(this.parts);
	}

	isVisible(part, node) {
		const { tree, zoom } = part;

		return tree.weight[node] > 0 && tree.x[node] < tree.x[zoom] + tree.weight[zoom] &&
		       tree.x[node] + tree.weight[node] > tree.x[zoom];
	}

	/* Return the widest child of a node, or -1. */
	childOf(part, node) {
		const { tree } = part;
		const level = levelOf(tree, node) + 1;
		let widest = -1;

		if (level >= partHeight(tree))
			return -1;
		for (let child = firstAfter(tree, level, tree.x[node]);
		     child < tree.levels[level + 1] && tree.x[child] < tree.x[node] + tree.weight[node];
		     child++) {
			if (tree.parent[child] === node && this.isVisible(part, child) &&
			    (widest < 0 || tree.weight[child] > tree.weight[widest]))
				widest = child;
		}
		return widest;
	}

	/* Return the next box of the same level, or -1. */
	neighbourOf(part, node, step) {
		const { tree } = part;
		const level = levelOf(tree, node);

		for (let next = node + step;
		     next >= tree.levels[level] && next < tree.levels[level + 1]; next += step) {
			if (this.isVisible(part, next))
				return next;
		}
		return -1;
	}

	/* Move from the chosen box to the one in a direction: -1 is up or left, 1 down or right. */
	move(isVertical, step) {
		const { part, node } = this.chosen || { part: this.zoomed(), node: this.zoomed().zoom };
		const isAway = (step < 0) === part.isUp;
		let to;

		if (!this.chosen) {
			this.choose(part, node);
			return;
		}
		if (!isVertical)
			to = this.neighbourOf(part, node, step);
		else if (isAway)
			to = this.childOf(part, node);
		else
			to = node ? part.tree.parent[node] : -1;
		if (to >= 0) {
			this.choose(part, to);
			return;
		}
		const other = this.parts.find((candidate) => candidate !== part);

		if (isVertical && !isAway && !node && other && this.childOf(other, 0) >= 0)
			this.choose(other, this.childOf(other, 0));
	}

	/* Choose the next box with a match, after or before the chosen one. */
	nextMatch(step) {
		const start = this.chosen || { part: this.zoomed(), node: 0 };
		const { tree } = start.part;

		for (let i = 1; i <= tree.nr; i++) {
			const node = (start.node + step * i + 2 * tree.nr) % tree.nr;

			if (node && this.isMatch(tree.label[node]) && this.isVisible(start.part, node)) {
				this.choose(start.part, node);
				return;
			}
		}
	}
}
