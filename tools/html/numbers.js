/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as text. */

/* 95 % of a normal distribution lies within Z standard deviations of the mean. */
const Z = 1.959964;

/* The confidence interval of a share, by the method of profile/interval.c; 95 % by default. */
function intervalOf(share, samples, z = Z) {
	if (!samples)
		return [0, 1];
	const scale = 1 + z * z / samples;
	const middle = (share + z * z / (2 * samples)) / scale;
	const reach = z / scale * Math.sqrt(share * (1 - share) / samples +
					    z * z / (4 * samples * samples));

	return [Math.max(middle - reach, 0), Math.min(middle + reach, 1)];
}

/* The confidence interval of a number of samples, as in profile/interval.c. */
function intervalOfCount(samples, z) {
	const middle = samples + z * z / 2, reach = z * Math.sqrt(samples + z * z / 4);

	return [Math.max(middle - reach, 0), middle + reach];
}

function percent(share) {
	return (100 * share).toFixed(2) + '%';
}

function finePercent(share) {
	return (100 * share).toPrecision(2) + '%';
}

function intervalText(share, samples) {
	const [low, high] = intervalOf(share, samples);

	return (100 * low).toFixed(1) + '–' + (100 * high).toFixed(1) + '%';
}

function count(value) {
	return Math.round(value).toLocaleString('en');
}

/* Return a number, and what follows it: @one after 1, @many after each other number. */
function counted(value, one, many = one + 's') {
	return count(value) + ' ' + (Math.round(value) === 1 ? one : many);
}

function duration(ns) {
	if (ns >= 1e9)
		return (ns / 1e9).toFixed(3) + ' s';
	if (ns >= 1e6)
		return (ns / 1e6).toFixed(3) + ' ms';
	return (ns / 1e3).toFixed(3) + ' µs';
}

function weightText(weight, event) {
	return event.isTime ? duration(weight) : count(weight) + ' ' + event.name;
}
