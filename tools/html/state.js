/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the page shows. The state is in the hash of the URL, so that a link or the browser's
 * button Back brings it back. Without a hash, a page shows what options of html chose.
 */

/* The default of each member that the hash can have. */
const DEFAULTS = { event: 0, view: 'callees', shape: 'icicle', group: '', search: '',
		   palette: 'kind', theme: '', from: 0, to: Infinity, focus: -1, zoom: '',
		   sort: 'self', width: 'new', normalize: 'weight', lanes: 'all', scale: 'line',
		   axis: 'begin', edits: '', thread: '', order: 'name', code: '' };

/* Changes of these add an entry to the browser's history. */
const STEPS = ['event', 'width', 'normalize', 'view', 'group', 'focus', 'zoom', 'from', 'to',
	       'edits', 'thread'];

function readHash(hash) {
	const state = { ...DEFAULTS };

	for (const [key, text] of new URLSearchParams(hash.slice(1))) {
		if (!Object.hasOwn(DEFAULTS, key))
			continue;
		if (typeof DEFAULTS[key] === 'string')
			state[key] = text;
		else if (text && Number.isFinite(Number(text)))
			state[key] = Number(text);
	}
	return state;
}

function hashOf(state) {
	const params = new URLSearchParams();

	for (const key of Object.keys(DEFAULTS)) {
		if (state[key] !== DEFAULTS[key])
			params.set(key, state[key]);
	}
	return '#' + params;
}

/* Reset what the data do not have. */
function checkState(state, data) {
	const choices = { view: ['callees', 'callers', 'sandwich',
				 ...(data.threadList.length ? ['time'] : [])], shape: ['icicle', 'flame'],
			  group: ['', ...data.keys.map((key) => key.word)],
			  palette: ['kind', 'safe'], theme: ['', 'light', 'dark'],
			  sort: columnsOf(data).map((column) => column.key),
			  width: ['new', 'old'], order: ['name', 'weight'],
			  thread: ['', ...data.threadList.map((thread) => thread.key)],
			  normalize: data.isDiff ? ['weight', 'time', 'none'] : ['weight'],
			  lanes: ['all', 'thread', 'cpu'], scale: ['line', 'heat'],
			  code: ['', 'off'],
			  axis: hasTimeOfDay(data) ? ['begin', 'day'] : ['begin'] };

	for (const key of Object.keys(choices)) {
		if (!choices[key].includes(state[key]))
			state[key] = DEFAULTS[key];
	}
	if (!data.events[state.event])
		state.event = DEFAULTS.event;
	if (!data.names[state.focus])
		state.focus = DEFAULTS.focus;
	state.edits = editsText(readEdits(state.edits, data.names.length));
	return state;
}

/* Write @state to the URL. @before is the state that the URL has. */
function saveState(state, before) {
	const hash = hashOf(state);

	if (hash === hashOf(before))
		return;
	if (STEPS.some((key) => state[key] !== before[key]))
		history.pushState(null, '', hash);
	else
		history.replaceState(null, '', hash);
}
