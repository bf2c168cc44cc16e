/* SPDX-License-Identifier: GPL-2.0-only */
/* The way from the root of the picture to the zoomed box, as buttons. */

function showCrumbs(picture) {
	const crumbs = document.getElementById('crumbs');
	const part = picture.zoomed();
	const path = [];

	for (let node = part.zoom; node; node = part.tree.parent[node])
		path.push(node);
	path.push(0);
	const hasFocus = crumbs.contains(document.activeElement);

	crumbs.replaceChildren(picture.isAround() ? 'Around' : '',
			       ...path.reverse().map((node) => makeCrumb(picture, part, node)));
	if (hasFocus)
		crumbs.lastElementChild.focus();
}

function makeCrumb(picture, part, node) {
	const button = document.createElement('button');

	button.type = 'button';
	button.textContent = picture.nameOf(part.tree, node);
	button.title = button.textContent;
	if (picture.isOwn(part.tree, node)) {
		button.className = 'own';
		button.setAttribute('aria-label', button.textContent + ', not a function');
	}
	if (node === part.zoom)
		button.setAttribute('aria-current', 'true');
	button.addEventListener('click', () => picture.zoomTo(part, node));
	return button;
}
