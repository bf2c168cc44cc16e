/* SPDX-License-Identifier: GPL-2.0-only */
/* Search for functions by a regular expression. */

/* Return a RegExp, null for no search, or undefined if the text is none. */
function compileSearch(text) {
	if (!text)
		return null;
	try {
		return new RegExp(text, 'i');
	} catch {
		return undefined;
	}
}

/* Mark the functions whose names or binaries match. Small stacks are none. */
function matchNames(data, regexp) {
	const matches = new Uint8Array(data.names.length);

	for (let i = 0; i < matches.length; i++) {
		if (i === data.small)
			continue;
		if (regexp.test(data.names[i]) || regexp.test(data.functions[i][1]))
			matches[i] = 1;
	}
	return matches;
}

/* Return the sums of all stacks with a match. A stack with several matches counts once. */
function sumMatches(tree, matches) {
	const within = new Uint8Array(tree.nr);
	const found = { weight: 0, samples: 0, otherWeight: 0, names: 0 };

	for (let i = 1; i < tree.nr; i++) {
		within[i] = within[tree.parent[i]] | matches[tree.label[i]];
		if (within[i]) {
			found.weight += tree.self[i];
			found.samples += tree.selfSamples[i];
			if (tree.otherSelf)
				found.otherWeight += tree.otherSelf[i];
		}
	}
	found.names = matches.reduce((sum, match) => sum + match, 0);
	return found;
}
