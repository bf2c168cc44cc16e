/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of edits, whose items can be removed, and the buttons that add one. */

const EDIT_HINTS = {
	f: 'Leave the samples that have the function in their stack (f)',
	d: 'Leave the samples that do not have the function in their stack (d)',
	m: 'Remove the frames of the function: its callers get its callees (m)',
};

class EditList {
	constructor(page) {
		this.page = page;
		this.list = document.getElementById('edits');
		this.selected = document.getElementById('selected');
		this.buttons = [...document.querySelectorAll('#edit button')];
		for (const button of this.buttons) {
			button.title = EDIT_HINTS[button.dataset.kind];
			button.addEventListener('click', () => page.edit(button.dataset.kind));
		}
	}

	read() {
		return readEdits(this.page.state.edits, this.page.data.names.length);
	}

	/* Show the edits, and the selected function. */
	show() {
		const { page } = this, name = page.selectedFunction();

		this.selected.textContent = name < 0 ? 'select a function:' : page.data.names[name];
		this.selected.title = this.selected.textContent;
		this.selected.className = name < 0 || name === page.data.small ? 'own' : '';
		for (const button of this.buttons)
			button.disabled = name < 0;
		if (this.shown === page.state.edits)
			return;
		const hasFocus = this.list.contains(document.activeElement);

		this.shown = page.state.edits;
		this.list.replaceChildren(...this.read().map((edit, at) => this.makeItem(edit, at)));
		this.list.hidden = !this.list.children.length;
		if (hasFocus)
			(this.list.querySelector('button') || page.picture.canvas).focus();
	}

	makeItem({ kind, name }, at) {
		const item = document.createElement('li'), button = document.createElement('button');
		const text = document.createElement('span'), cross = document.createElement('span');

		button.type = 'button';
		text.textContent = `${EDIT_VERBS[kind]} ${this.page.data.names[name]}`;
		cross.textContent = '×';
		cross.setAttribute('aria-hidden', 'true');
		text.className = name === this.page.data.small ? 'own' : '';
		button.title = text.textContent + ': remove this edit';
		button.setAttribute('aria-label', button.title);
		button.append(text, cross);
		button.addEventListener('click', () => this.remove(at));
		item.append(button);
		return item;
	}

	add(edit) {
		const edits = this.read();

		if (!edits.some(({ kind, name }) => kind === edit.kind && name === edit.name))
			this.page.set({ edits: editsText([...edits, edit]), ...this.viewAfter(edit) });
	}

	remove(at) {
		this.page.set({ edits: editsText(this.read().filter((edit, i) => i !== at)) });
	}

	removeLast() {
		this.remove(this.read().length - 1);
	}

	/* A function that is gone cannot be what the picture is around, nor on the way to a zoom. */
	viewAfter({ kind, name }) {
		const { state } = this.page;

		if (kind === 'f')
			return {};
		if (state.view === 'sandwich' && state.focus === name)
			return { view: 'callees', focus: DEFAULTS.focus, zoom: '' };
		const path = state.zoom.split('.'), without = path.filter((key, i) =>
			!i || Number(key) >> 3 !== name);

		return kind === 'm' && without.length > 1 ? { zoom: without.join('.') } :
		       without.length < path.length ? { zoom: '' } : {};
	}
}
