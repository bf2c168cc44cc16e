/* SPDX-License-Identifier: GPL-2.0-only */
/* The state that a page begins with, which options of html choose. first_view.c checks them. */

/* Return the function with a name that has the largest total, and the first event with it. */
function findFirst(data, state, name) {
	const named = data.names.map((other, i) => i).filter((i) => data.names[i] === name &&
								     i !== data.small);

	for (let event = DEFAULTS.event; event < data.events.length; event++) {
		sumBase(data, { ...state, event });
		const { total } = sumFunctions(data);
		const focus = named.reduce((best, i) => total[i] > total[best] ? i : best);

		if (total[focus])
			return { event, focus };
	}
	return { focus: named[0] };
}

/* Return the state of a page whose URL has none. A hash that is empty is a state, too. */
function firstState(data) {
	const { function: name, search = '', from = DEFAULTS.from,
		to = DEFAULTS.to } = data.first || {};
	const state = { ...DEFAULTS, search, from, to: to < data.lastStep ? to : DEFAULTS.to };

	return name === undefined ? state :
	       { ...state, view: 'sandwich', ...findFirst(data, state, name) };
}
