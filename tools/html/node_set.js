/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of numbers of nodes: a bit for each, and one for each 32 of these bits. So the nodes of
 * a small set are listed in order without a look at all.
 */
class NodeSet {
	constructor(most) {
		this.words = new Int32Array((most >> 5) + 1);
		this.used = new Int32Array((most >> 10) + 1);
	}

	/* Return true if the node was not in the set. */
	add(node) {
		const word = node >> 5, bit = 1 << (node & 31);

		if (this.words[word] & bit)
			return false;
		this.words[word] |= bit;
		this.used[word >> 5] |= 1 << (word & 31);
		return true;
	}

	/* Move all nodes to a list, in order, so that the last one is before @end. */
	moveTo(list, end) {
		const { words, used } = this;

		for (let i = used.length - 1; i >= 0; i--) {
			while (used[i]) {
				const high = 31 - Math.clz32(used[i]), word = 32 * i + high;

				for (let bits = words[word]; bits;) {
					const bit = 31 - Math.clz32(bits);

					list[--end] = 32 * word + bit;
					bits ^= 1 << bit;
				}
				words[word] = 0;
				used[i] ^= 1 << high;
			}
		}
	}
}
