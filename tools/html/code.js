/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The panel with the instructions of the selected function. page_code.c writes the data. Only rows
 * in the window are elements.
 */

const CODE_ROW = 18;

/* What a row of a function is. */
const ROW_KIND = { INSTRUCTION: 0, LINE: 1, INLINED: 2 };

/* Shares of a function at which an instruction is marked. */
const HOT_SHARE = 0.05;

function codeKey(name, binary) {
	return name + '\0' + binary;
}

/* Return the functions of data.code by name and binary. */
function indexCode(code) {
	const found = new Map();

	for (const entry of code) {
		const key = codeKey(entry.name, entry.binary);

		if (!found.has(key))
			found.set(key, entry);
	}
	return found;
}

/* The weight of a row for an event, which is a number in data.codeEvents. */
function rowWeight(row, event) {
	return row[0] === ROW_KIND.INSTRUCTION ? row[3 + event] || 0 : 0;
}

/* Return the index of the row with the most weight, or 0. */
function hottestRow(rows, event) {
	return rows.reduce((best, row, i) =>
		rowWeight(row, event) > rowWeight(rows[best], event) ? i : best, 0);
}

function rowText(row) {
	switch (row[0]) {
	case ROW_KIND.LINE:
		return row[1].split('/').pop() + ':' + row[2] + (row[3] ? '  ' + row[3] : '');
	case ROW_KIND.INLINED:
		return row[1] + '() is inlined here:';
	default:
		return row[2];
	}
}

class Code {
	constructor(page) {
		this.page = page;
		this.place = document.getElementById('code');
		this.button = document.getElementById('code-button');
		this.title = document.getElementById('code-title');
		this.table = document.getElementById('code-table');
		this.rows = document.getElementById('code-rows');
		this.functions = indexCode(page.data.code);
		this.button.hidden = !page.data.code.length;
		this.button.addEventListener('click', () => this.swap());
		this.rows.addEventListener('scroll', () => this.draw());
		new ResizeObserver(() => this.draw()).observe(this.rows);
	}

	swap() {
		if (this.functions.size)
			this.page.set({ code: this.page.state.code ? '' : 'off' });
	}

	/* Show the selected function, unless the panel is off. */
	show() {
		const { page } = this, name = page.selectedFunction();
		const isShown = this.functions.size > 0 && !page.state.code && name >= 0 &&
				name !== page.data.small;

		this.button.setAttribute('aria-pressed', !page.state.code);
		if (this.place.hidden === isShown) {
			this.place.hidden = !isShown;
			document.body.classList.toggle('has-code', isShown);
			/* The table has another height. */
			page.table.reveal();
			page.table.draw();
		}
		if (!isShown || (this.name === name && this.event === page.state.event))
			return;
		this.name = name;
		this.event = page.state.event;
		this.showFunction(page.data.functions[name]);
	}

	showFunction([name, binary]) {
		const entry = this.functions.get(codeKey(name, binary));
		const event = this.page.data.codeEvents.indexOf(this.event);

		this.column = event;
		this.sum = entry && event >= 0 ? entry.sums[event] : 0;
		this.list = entry && entry.rows || [];
		this.table.hidden = !this.list.length;
		this.table.setAttribute('aria-rowcount', this.list.length + 1);
		this.title.textContent = this.list.length ?
			`${name}: shares of its own ${this.page.data.events[this.event].name} in the whole recording` :
			this.whyNone(name, entry);
		/* Only rows that are drawn can be scrolled to. */
		this.rows.scrollTop = 0;
		this.draw();
		this.rows.scrollTop = Math.max(hottestRow(this.list, event) * CODE_ROW -
					       this.rows.clientHeight / 2, 0);
		this.draw();
	}

	whyNone(name, entry) {
		if (!entry)
			return `${name} has no samples of its own, or few; html --function '${name}' shows its instructions if it has any`;
		return entry.why ? `${name} has no instructions here: ${entry.why}` :
			`The page has no room for ${name}; html --function '${name}' makes one with its instructions`;
	}

	/* Return the share of the function's weight, or no text for a row without samples. */
	shareText(row) {
		const weight = rowWeight(row, this.column);

		return weight && this.sum ? percent(weight / this.sum) : '';
	}

	makeRow(at) {
		const row = this.list[at], element = document.createElement('div');
		const isCode = row[0] === ROW_KIND.INSTRUCTION;
		const texts = [this.shareText(row), isCode ? '+' + row[1].toString(16) : '', rowText(row)];
		const isHot = this.sum && rowWeight(row, this.column) / this.sum >= HOT_SHARE;

		element.setAttribute('role', 'row');
		element.setAttribute('aria-rowindex', at + 2);
		element.className = isCode ? isHot ? 'hot' : '' : 'source';
		element.style.top = at * CODE_ROW + 'px';
		for (const [i, text] of texts.entries()) {
			const cell = document.createElement('div');

			cell.setAttribute('role', 'cell');
			cell.className = i < 2 ? 'number' : '';
			cell.textContent = text;
			if (i === 2)
				cell.title = row[0] === ROW_KIND.LINE ? row[1] + ':' + row[2] : text;
			element.append(cell);
		}
		return element;
	}

	draw() {
		if (!this.list || this.place.hidden)
			return;
		const first = Math.floor(this.rows.scrollTop / CODE_ROW);
		const end = Math.min(first + Math.ceil(this.rows.clientHeight / CODE_ROW) + 1,
				     this.list.length);
		const space = document.createElement('div'), rows = [];

		for (let at = first; at < end; at++)
			rows.push(this.makeRow(at));
		space.style.height = this.list.length * CODE_ROW + 'px';
		space.setAttribute('role', 'presentation');
		this.rows.replaceChildren(space, ...rows);
	}
}
