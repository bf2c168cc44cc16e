/* SPDX-License-Identifier: GPL-2.0-only */
/* The start of the page. */

readData().then((data) => {
	const page = new Page(data);

	DEFAULTS.event = data.firstEvent;
	DEFAULTS.normalize = data.normalize;
	DEFAULTS.sort = data.isDiff ? 'change' : 'self';
	page.begin();
	/* Tests read what the page shows. */
	window.tprof = page;
	/* So the first look at callers need not wait for it. */
	setTimeout(() => callerOrder(data, data.base));
}).catch((error) => {
	document.getElementById('summary').textContent =
		`The page cannot be shown: ${error.message}. It needs a newer browser, or is not whole.`;
});
