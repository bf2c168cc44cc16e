/* SPDX-License-Identifier: GPL-2.0-only */
/* What the page says in words: sums, the search, and the chosen box. */

/* Samples and a weight, and of how many they are left if edits left some out. */
function sumsText(event, samples, weight, allSamples, allWeight) {
	return allSamples === undefined ?
	       `${counted(samples, 'sample')}, ${weightText(weight, event)}` :
	       `${count(samples)} of ${counted(allSamples, 'sample is', 'samples are')} left, ` +
	       `${weightText(weight, event)} of ${weightText(allWeight, event)}`;
}

function summaryText({ data, total, before, state, chart }) {
	const event = data.events[state.event];
	const parts = [sumsText(event, total.samples, total.weight, before?.samples,
				before?.weight)];
	const all = data.isDiff && total.normalize !== 'weight' ?
		    '; all: ' + changeText(changeOf(total, total, zOf(1)), total) : '';
	const nrMarks = data.runs.reduce((sum, run) => sum + run.nrMarks, 0);

	if (data.isDiff)
		parts[0] = 'Old: ' + sumsText(event, total.oldSamples, total.oldWeight,
					      before?.oldSamples, before?.oldWeight) +
			   `; new: ${parts[0]}${all}`;
	parts.push(...lossTexts(data, state));
	if (nrMarks > data.marks.length)
		parts.push(`${counted(nrMarks - data.marks.length, 'mark is', 'marks are')} left out`);
	if (chart && chart.columns)
		parts.push(`each ${duration(chart.columns * data.step)} of the chart has the middle one of ` +
			   'its samples; choose a part of the time to see more');
	if (data.isCoarse)
		parts.push('samples are added up over ' + duration(data.step));
	if (data.leastShare)
		parts.push(smallText(data));
	return parts.join('; ');
}

/*
 * The samples that the recording reports as lost. A report has its own time, but not all losses
 * have a report: the ledger at the end of a recording has those of unwritten samples, too. With
 * --time, the page lacks the reports of other times.
 */
function lossTexts(data, { from, to }) {
	const { lossTime, lossCount } = data.column;
	const nrLost = data.runs.reduce((sum, run) => sum + run.nrLost, 0);
	const isWhole = from === DEFAULTS.from && to === DEFAULTS.to;
	let timed = 0, within = 0;

	for (let i = 0; i < lossTime.length; i++) {
		const time = Math.min(lossTime[i], data.lastStep);

		timed += lossCount[i];
		within += time >= from && time <= to ? lossCount[i] : 0;
	}
	if (!nrLost && !timed)
		return [];
	const lost = counted(nrLost, 'sample was lost', 'samples were lost');
	const whole = `${lost} in the whole recording`;
	const reported = within ? 'losses of ' + counted(within, 'sample') : 'no losses';
	const texts = [isWhole && timed === nrLost ? lost : isWhole || !timed ? whole :
		       `${reported} were reported in this time, ${whole}`];

	if (timed)
		texts.push('the times of losses are hatched');
	if (nrLost > timed)
		texts.push(`the page does not have the times of ${counted(nrLost - timed, 'loss', 'losses')}`);
	return texts;
}

/* What is not shown, because page_prune.c has folded it into a node of its callers. */
function smallText({ base, leastShare, missedShare }) {
	let small = 0;

	for (let i = 1; i < base.nr; i++)
		small += base.kind[i] === KIND.SMALL ? base.self[i] : 0;
	return `stacks with less than ${finePercent(leastShare)} of the samples may be in ` +
	       `[small stacks], which have ${percent(base.weight[0] ? small / base.weight[0] : 0)}` +
	       (missedShare ? `; so a box may lack up to ${finePercent(missedShare)}` : '');
}

function searchText(page) {
	const { state, data, found, picture } = page;

	if (!state.search)
		return '';
	if (!found)
		return 'This is no regular expression.';
	const { all, narrow } = countBoxes(picture, (part, node) => picture.isVisible(part, node));

	return `${foundShare(page)} of ${data.events[state.event].isTime ? 'time' : 'events'}, ` +
	       `${counted(found.samples, 'sample')}, have ` +
	       (found.names === 1 ? 'the function that matches, ' :
				    `one of ${count(found.names)} functions that match, `) +
	       `in ${counted(all, 'box', 'boxes')}` +
	       (narrow ? `; ${count(narrow)} of these are too narrow to draw: zoom, or press n` : '') +
	       (data.small < 0 ? '' : '; [small stacks] have no names to search');
}

/* What the picture shows, for readers of a screen. */
function pictureText({ state, data, chart }) {
	if (chart)
		return `Boxes of the stacks of thread ${chart.title} in the order of time`;
	return state.view === 'sandwich' ?
	       `Boxes of the callers of ${data.names[state.focus]}, and below of its callees` :
	       'Boxes of call stacks';
}

/* The share of the stacks with a match: in a diff, in the recording that is shown. */
function foundShare({ data, found, total }) {
	const share = (weight, all) => percent(all ? weight / all : 0);

	if (!data.isDiff)
		return share(found.weight, total.weight);
	const { weight, otherWeight } = data.base;
	const names = data.shown === NEW ? ['new', 'old'] : ['old', 'new'];

	return `${share(found.weight, weight[0])} (${names[0]}; ${names[1]}: ` +
	       `${share(found.otherWeight, otherWeight[0])})`;
}

/* The binary and the source line of a box of a function, or that it is none. */
function placeText(page, tree, node) {
	const label = tree.label[node];

	if (page.picture.isOwn(tree, node))
		return page.chart ? ', a thread' : label >= page.data.names.length ? ', a group' :
		       ', not a function';
	const [, binary, path, line] = page.data.functions[label];

	return ` in ${binary}` + (path ? `, ${path}${line ? ':' + line : ''}` : '');
}

/* When a box of the chart begins and ends. The samples of columns are not all. */
function chartText(data, { first, x, weight, samples, columns }, node) {
	const seconds = (step) => secondsOf(data, first + step).toFixed(6);

	return `${seconds(x[node])} to ${seconds(x[node] + weight[node])} s, ` +
	       duration(weight[node] * data.step) +
	       (columns || !node ? '' : `, ${counted(samples[node], 'sample')} in a row`);
}

function boxText(page, { part: { tree }, node }) {
	const { data, total, state } = page;
	const name = page.picture.nameOf(tree, node) + placeText(page, tree, node) +
		     (!node && page.picture.isAround() ? ', the function around which the picture is' : '');

	if (tree.isChart)
		return `${name}: ${chartText(data, tree, node)}`;
	if (data.isDiff) {
		const change = changeOfNode(data, tree, node, total);
		const { samples, oldSamples } = sumsAt(data, tree, node);

		return `${name}: ${percent(change.old)} before, ${percent(change.now)} now, ` +
		       `${changeText(change, total)}; ` +
		       `${count(oldSamples)} and ${counted(samples, 'sample')}`;
	}
	const share = total.weight ? tree.weight[node] / total.weight : 0;

	return `${name}: ${percent(share)} (${intervalText(share, total.samples)}), ` +
	       `${counted(tree.samples[node], 'sample')}, ` +
	       weightText(tree.weight[node], data.events[state.event]);
}
