/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of functions. It says the same as the picture, for readers of a screen too. Only
 * rows in the window are elements.
 */

const TABLE_ROW = 20;

const COLUMNS = [
	{ key: 'total', title: 'Total', isNumber: true, hint: 'with callees, counted once a stack' },
	{ key: null, title: '95% interval', isNumber: true, hint: 'of the total', spare: 'spare' },
	{ key: 'self', title: 'Self', isNumber: true, hint: 'without callees' },
	{ key: 'samples', title: 'Samples', isNumber: true, hint: 'of the total',
	  spare: 'spare' },
	{ key: 'name', title: 'Function', isNumber: false },
	{ key: 'binary', title: 'Binary', isNumber: false, spare: 'spare-first' },
];

/* The columns of a page of two recordings compare what functions have themselves. */
const DIFF_COLUMNS = [
	{ key: 'old', title: 'Old', isNumber: true, hint: 'self, without callees' },
	{ key: 'self', title: 'New', isNumber: true, hint: 'self, without callees' },
	{ key: 'change', title: 'Change', isNumber: true, hint: 'in percentage points' },
	{ key: null, title: '95% interval', isNumber: true, hint: 'of the change',
	  spare: 'spare' },
	{ key: null, title: 'Result', isNumber: false, hint: 'depends on the number of functions',
	  spare: 'spare' },
	{ key: 'name', title: 'Function', isNumber: false },
	{ key: 'binary', title: 'Binary', isNumber: false, spare: 'spare-first' },
];

/* A narrow table leaves out spare columns, as page.css has it. */
function classOf({ isNumber, spare }) {
	return (isNumber ? 'number ' : '') + (spare || '');
}

function columnsOf(data) {
	return data.isDiff ? DIFF_COLUMNS : COLUMNS;
}

function sumByLabel(tree, values, nr) {
	const sums = new Float64Array(nr);

	for (let i = 1; i < tree.nr; i++)
		sums[tree.label[i]] += values[i];
	return sums;
}

/* Set what functions have themselves in both recordings, with the samples. */
function sumSelf(data, sums, nr) {
	const tree = data.base;
	const shown = [sums.self, sumByLabel(tree, tree.selfSamples, nr)];
	const other = [sumByLabel(tree, tree.otherSelf, nr),
		       sumByLabel(tree, tree.otherSelfSamples, nr)];

	[[sums.self, sums.selfSamples], [sums.oldSelf, sums.oldSelfSamples]] =
		data.shown === NEW ? [shown, other] : [other, shown];
}

/* Return the sums of each function in the base tree. */
function sumFunctions(data) {
	const tree = data.base;
	const nr = data.names.length;
	const sums = { total: new Float64Array(nr), self: new Float64Array(nr),
		       samples: new Float64Array(nr) };

	for (let i = 1; i < tree.nr; i++) {
		const label = tree.label[i];

		sums.self[label] += tree.self[i];
		if (!tree.outermost[i])
			continue;
		sums.total[label] += tree.weight[i];
		sums.samples[label] += tree.samples[i];
	}
	if (data.isDiff)
		sumSelf(data, sums, nr);
	return sums;
}

/*
 * Sort functions for a column. @list is in the order of names, and equal functions stay so:
 * the comparison is short, because there may be many thousands of functions.
 */
function sortFunctions(data, sums, list, key) {
	const { functions } = data;
	const values = key === 'old' ? sums.oldSelf : sums[key];

	if (key === 'change')
		list.sort((a, b) => compareChanges(values[a], values[b]));
	else if (key === 'binary')
		list.sort((a, b) => functions[a][1] < functions[b][1] ? -1 :
				    functions[a][1] > functions[b][1] ? 1 : 0);
	else if (values)
		list.sort((a, b) => values[b] - values[a]);
}

class Table {
	constructor(data, onSort, onOpen, onSelect) {
		this.data = data;
		this.onSort = onSort;
		this.onOpen = onOpen;
		this.onSelect = onSelect;
		this.columns = columnsOf(data);
		this.grid = document.getElementById('grid');
		this.rows = document.getElementById('rows');
		this.list = [];
		this.active = 0;
		this.makeHeads();
		this.rows.addEventListener('scroll', () => this.draw());
		this.rows.addEventListener('click', (event) => this.click(event));
		this.grid.addEventListener('keydown', (event) => this.key(event));
		this.grid.addEventListener('focus', () => this.select());
		new ResizeObserver(() => this.draw()).observe(this.rows);
	}

	makeHeads() {
		const row = document.createElement('div');

		row.setAttribute('role', 'row');
		row.setAttribute('aria-rowindex', 1);
		for (const column of this.columns) {
			const head = document.createElement('div');
			const text = document.createElement(column.key ? 'button' : 'span');

			head.setAttribute('role', 'columnheader');
			head.className = classOf(column);
			head.title = column.hint || '';
			text.textContent = column.title;
			if (column.key)
				text.addEventListener('click', () => this.onSort(column.key));
			head.append(text);
			row.append(head);
		}
		document.getElementById('heads').append(row);
		this.heads = [...row.children];
	}

	/* Return true if a function has samples; in a diff, samples of its own. */
	hasSamples(sums, i) {
		return this.data.isDiff ? sums.selfSamples[i] || sums.oldSelfSamples[i] :
					  sums.total[i] || sums.samples[i];
	}

	/* Show the functions that have samples and that @matches has, unless it is null. */
	show(sums, matches, sort, total, focus) {
		this.sums = sums;
		this.total = total;
		this.list = this.data.order.filter((i) => this.hasSamples(sums, i) &&
							  (!matches || matches[i]));
		sortFunctions(this.data, sums, this.list, sort);
		this.heads.forEach((head, i) => {
			const isText = !this.columns[i].isNumber;

			if (this.columns[i].key === sort)
				head.setAttribute('aria-sort', isText ? 'ascending' : 'descending');
			else
				head.removeAttribute('aria-sort');
		});
		this.grid.setAttribute('aria-rowcount', this.list.length + 1);
		this.active = Math.max(this.list.indexOf(focus), 0);
		this.rows.scrollTop = 0;
		/* Only rows that are drawn can be scrolled to. */
		this.draw();
		this.reveal();
		this.draw();
	}

	/* Mark the row of the function that the picture is around; -1 is none. */
	mark(centre) {
		if (this.centre === centre)
			return;
		this.centre = centre;
		this.draw();
	}

	binaryOf(name) {
		return name === this.data.small ? 'not a function' : this.data.functions[name][1];
	}

	cellsOf(name) {
		const { sums, total } = this;

		if (this.data.isDiff)
			return this.changeCells(sums.change[name], name);
		const share = total.weight ? sums.total[name] / total.weight : 0;

		return [percent(share), intervalText(share, total.samples),
			percent(total.weight ? sums.self[name] / total.weight : 0),
			count(sums.samples[name]), this.data.names[name], this.binaryOf(name)];
	}

	changeCells(change, name) {
		const [low, high] = changeInterval(change, this.total);

		return [percent(change.old), percent(change.now), pointsText(change.by),
			pointsText(low) + '…' + pointsText(high), VERDICTS[change.verdict],
			this.data.names[name], this.binaryOf(name)];
	}

	makeRow(at) {
		const row = document.createElement('div');

		row.id = 'row' + at;
		row.setAttribute('role', 'row');
		row.setAttribute('aria-rowindex', at + 2);
		row.setAttribute('aria-selected', at === this.active);
		row.className = this.list[at] === this.data.small ? 'own' : '';
		if (this.list[at] === this.centre)
			row.setAttribute('aria-current', 'true');
		row.style.top = at * TABLE_ROW + 'px';
		row.dataset.at = at;
		this.cellsOf(this.list[at]).forEach((text, i) => {
			const cell = document.createElement('div');

			cell.setAttribute('role', 'gridcell');
			cell.className = classOf(this.columns[i]);
			cell.textContent = text;
			if (!this.columns[i].isNumber)
				cell.title = text;
			row.append(cell);
		});
		return row;
	}

	draw() {
		const first = Math.floor(this.rows.scrollTop / TABLE_ROW);
		const end = Math.min(first + Math.ceil(this.rows.clientHeight / TABLE_ROW) + 1,
				     this.list.length);
		const space = document.createElement('div');
		const rows = [];

		for (let at = first; at < end; at++)
			rows.push(this.makeRow(at));
		space.style.height = this.list.length * TABLE_ROW + 'px';
		space.setAttribute('role', 'presentation');
		this.rows.replaceChildren(space, ...rows);
		if (this.active >= first && this.active < end)
			this.grid.setAttribute('aria-activedescendant', 'row' + this.active);
		else
			this.grid.removeAttribute('aria-activedescendant');
	}

	/* Scroll to the active row. */
	reveal() {
		const y = this.active * TABLE_ROW, height = this.rows.clientHeight;

		if (y < this.rows.scrollTop)
			this.rows.scrollTop = y;
		else if (y + TABLE_ROW > this.rows.scrollTop + height)
			this.rows.scrollTop = y + TABLE_ROW - height;
	}

	activate(at) {
		this.active = Math.min(Math.max(at, 0), Math.max(this.list.length - 1, 0));
		this.reveal();
		this.draw();
		this.select();
	}

	/* Select the function of the active row. */
	select() {
		if (this.list.length)
			this.onSelect(this.list[this.active]);
	}

	click(event) {
		const row = event.target.closest('[role="row"]');

		if (!row)
			return;
		this.activate(Number(row.dataset.at));
		this.onOpen(this.list[this.active]);
	}

	key(event) {
		const page = Math.max(Math.floor(this.rows.clientHeight / TABLE_ROW) - 1, 1);
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
				Home: -Infinity, End: Infinity };

		if (event.target !== this.grid)
			return;
		if (event.key in steps)
			this.activate(this.active + steps[event.key]);
		else if (event.key === 'Enter' && this.list.length)
			this.onOpen(this.list[this.active]);
		else
			return;
		event.preventDefault();
	}
}
