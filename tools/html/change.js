/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes from the old recording to the new one, as diff/change.c and profile/interval.c compute
 * them for shares.
 */

/* Functions and boxes with fewer samples in both recordings are never beyond noise. */
const FEW = 10;

/* How often at most something is beyond noise though nothing has changed. */
const CHANCE = 0.05;

const NOISE = 0, GREW = 1, SHRANK = 2;
const VERDICTS = ['noise', 'grew', 'shrank'];

/* The complementary error function of @x from 1, as a continued fraction. */
function erfc(x) {
	let rest = x;

	for (let i = 80; i > 0; i--)
		rest = x + i / 2 / rest;
	return Math.exp(-x * x) / rest / Math.sqrt(Math.PI);
}

/*
 * Return the standard deviations beyond which a change is not noise if @nr changes are looked
 * at.
 */
function zOf(nr) {
	const chance = CHANCE / Math.max(nr, 1);
	let low = Math.SQRT2, high = 40;

	for (let i = 0; i < 60; i++) {
		const middle = (low + high) / 2;

		if (erfc(middle / Math.SQRT2) > chance)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The whole that a share of the new recording refers to. The old one refers to its own. */
function wholeOf(normalize, total, seconds) {
	const [oldSeconds, newSeconds] = normalize === 'time' ? seconds : [1, 1];

	return normalize === 'weight' ? total.weight :
	       total.oldWeight / (oldSeconds || 1) * (newSeconds || 1);
}

/*
 * The interval of a share of @whole with @samples of a recording with @all samples and a weight:
 * of a binomial distribution if it is a share of the recording itself, else of a Poisson
 * distribution.
 */
function shareInterval(share, samples, all, weight, whole, isShare, z) {
	if (isShare)
		return intervalOf(share, all, z);
	const unit = samples ? share / samples : weight / (all || 1) / (whole || 1);

	return intervalOfCount(samples, z).map((bound) => bound * unit);
}

/* The interval of a change by Newcombe's method; 95 % by default. */
function changeInterval({ old, now, by, samples, oldSamples }, total, z = Z) {
	const isShare = total.normalize === 'weight';
	const [oldLow, oldHigh] = shareInterval(old, oldSamples, total.oldSamples, total.oldWeight,
						total.oldWeight, isShare, z);
	const [low, high] = shareInterval(now, samples, total.samples, total.weight, total.whole,
					  isShare, z);

	return [by - Math.hypot(now - low, oldHigh - old), by + Math.hypot(high - now, old - oldLow)];
}

/* Compare sums of weights and samples. @total has those of both recordings, @z is of zOf(). */
function changeOf(sums, total, z) {
	const old = total.oldWeight ? sums.oldWeight / total.oldWeight : 0;
	const now = total.whole ? sums.weight / total.whole : 0;
	const change = { old, now, by: now - old, verdict: NOISE, samples: sums.samples,
			 oldSamples: sums.oldSamples };

	if (sums.samples + sums.oldSamples < FEW)
		return change;
	const [low, high] = changeInterval(change, total, z);

	change.verdict = low > 0 ? GREW : high < 0 ? SHRANK : NOISE;
	return change;
}

/* Return how many entries of two arrays of samples have enough samples to be compared. */
function nrCompared(samples, oldSamples, from = 0) {
	let nr = 0;

	for (let i = from; i < samples.length; i++) {
		if (samples[i] + oldSamples[i] >= FEW)
			nr++;
	}
	return nr;
}

/* The sums of a node in the new and the old recording. */
function sumsAt(data, tree, node) {
	const shown = [tree.weight[node], tree.samples[node]];
	const other = [tree.otherWeight[node], tree.otherSamples[node]];
	const [[weight, samples], [oldWeight, oldSamples]] =
		data.shown === NEW ? [shown, other] : [other, shown];

	return { weight, samples, oldWeight, oldSamples };
}

function changeOfNode(data, tree, node, total) {
	if (tree.z === undefined)
		tree.z = zOf(nrCompared(tree.samples, tree.otherSamples, 1));
	return changeOf(sumsAt(data, tree, node), total, tree.z);
}

/* The changes of what functions have themselves, as an array by function. */
function changeFunctions(sums, total) {
	const z = zOf(nrCompared(sums.selfSamples, sums.oldSelfSamples));

	return Array.from(sums.self, (weight, i) =>
		changeOf({ weight, samples: sums.selfSamples[i], oldWeight: sums.oldSelf[i],
			   oldSamples: sums.oldSelfSamples[i] }, total, z));
}

/* Put changes beyond noise first, then larger ones, as diff does. */
function compareChanges(a, b) {
	const isNoise = (change) => change.verdict === NOISE;

	if (isNoise(a) !== isNoise(b))
		return isNoise(a) ? 1 : -1;
	return Math.abs(b.by) - Math.abs(a.by);
}

function pointsText(share) {
	return (share < 0 ? '−' : '+') + (100 * Math.abs(share)).toFixed(2);
}

function changeText(change, total) {
	const [low, high] = changeInterval(change, total);

	return `${pointsText(change.by)} (${pointsText(low)} to ${pointsText(high)}): ` +
	       VERDICTS[change.verdict];
}
