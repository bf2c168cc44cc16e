/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of the page and of the picture. The table has keys of its own. */

const KEY_TEXTS = [
	['Tab', 'go to the next control, the picture or the table'],
	['Arrows', 'picture: go to callers, callees and neighbours; table: to other rows'],
	['Shift+arrows', 'time: choose a part, from where the arrows went'],
	['Enter', 'picture: zoom to the box; table: show callers and callees of the function'],
	['Esc', 'undo the zoom, then the part of time, then the function or thread, then the search'],
	['/', 'search by a regular expression'],
	['n, N', 'go to the next or previous box with a match'],
	['s', 'show callers and callees of the chosen function'],
	['c', 'picture: swap callers and callees'],
	['i', 'swap icicle and flame'],
	['o', 'swap the orders by name and by weight'],
	['t', 'show the samples of a thread by time, or all callers and callees again'],
	['f, d, m', 'focus on, drop or merge the chosen function'],
	['u', 'remove the last of these edits'],
	['a', 'show or hide the instructions of the chosen function'],
	['y', 'copy the name of the chosen function'],
	['?', 'this list'],
];

function showKeys() {
	const list = document.getElementById('keys');

	list.replaceChildren();
	for (const [key, text] of KEY_TEXTS) {
		const term = document.createElement('dt'), what = document.createElement('dd');

		term.textContent = key;
		what.textContent = text;
		list.append(term, what);
	}
	document.getElementById('help').showModal();
}

/* Keys of the picture while it has the focus. */
function pictureKey(picture, event) {
	const moves = { ArrowUp: [true, -1], ArrowDown: [true, 1], ArrowLeft: [false, -1],
			ArrowRight: [false, 1] };

	if (event.key in moves)
		picture.move(...moves[event.key]);
	else if (event.key === 'Enter' && picture.chosen)
		picture.zoomTo(picture.chosen.part, picture.chosen.node);
	else if (event.key === 'Home')
		picture.choose(picture.zoomed(), 0);
	else
		return;
	event.preventDefault();
}

function isTyping(target) {
	return target.tagName === 'INPUT' || target.tagName === 'SELECT';
}

/* Keys that apply wherever the focus is, except in a text. Esc applies there too. */
function listenToKeys(page) {
	const actions = { '/': () => page.controls.focusSearch(),
			  'n': () => page.picture.nextMatch(1),
			  'N': () => page.picture.nextMatch(-1),
			  's': () => page.openChosen(),
			  'c': () => page.swapCallers(),
			  'i': () => page.swapShape(),
			  'o': () => page.swapOrder(),
			  't': () => page.swapTime(),
			  'f': () => page.edit('f'),
			  'd': () => page.edit('d'),
			  'm': () => page.edit('m'),
			  'u': () => page.edits.removeLast(),
			  'a': () => page.code.swap(),
			  'y': () => page.copyName(),
			  '?': showKeys };

	page.picture.canvas.addEventListener('keydown', (event) => pictureKey(page.picture, event));
	document.getElementById('help-button').addEventListener('click', showKeys);
	document.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey ||
		    document.getElementById('help').open)
			return;
		if (event.key === 'Escape') {
			page.goBack();
		} else if (event.key in actions && !isTyping(event.target)) {
			event.preventDefault();
			actions[event.key]();
		}
	});
}
