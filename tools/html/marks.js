/* SPDX-License-Identifier: GPL-2.0-only */
/* The marks of the recordings: they divide the time into parts. */

/* Return the marks in the order of their times. Each has the step at which its part ends. */
function readMarks(data) {
	const { markTime, markRun } = data.column;
	const marks = data.marks.map((text, i) => ({ text, from: markTime[i], to: Infinity,
						     run: data.isDiff ? markRun[i] : 0 }));

	marks.sort((a, b) => a.run - b.run || a.from - b.from);
	for (let i = 0; i + 1 < marks.length; i++) {
		if (marks[i].run === marks[i + 1].run)
			marks[i].to = Math.max(marks[i + 1].from - 1, marks[i].from);
	}
	return marks;
}

function markText(data, mark) {
	const run = data.isDiff ? ['old, ', 'new, '][mark.run] : '';

	return `${run}${secondsOf(data, mark.from).toFixed(3)} s: ${mark.text}`;
}

/* Fill a list with the parts of the time that marks begin. Without marks, it is hidden. */
function fillMarks(data, list) {
	data.marks.forEach((mark, i) => list.add(new Option(markText(data, mark), i)));
	list.parentElement.hidden = !data.marks.length;
}

/* Return the number of the mark whose part is chosen, or an empty text. */
function chosenMark(data, { from, to }) {
	const number = data.marks.findIndex((mark) => mark.from === from && mark.to === to);

	return number < 0 ? '' : number;
}
