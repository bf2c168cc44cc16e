// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the instructions of a piece of machine code
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "code/instruction.h"

/* Append a copy of @instruction, with a copy of its text. */
int instructions_add(struct instructions *all, const struct instruction *instruction)
{
	struct instruction *list = array_grow(all->list, all->nr, &all->room, sizeof(*list));
	struct instruction copy = *instruction;

	if (!list)
		return -ENOMEM;
	all->list = list;
	copy.text = arena_text(&all->texts, instruction->text);
	if (!copy.text)
		return -ENOMEM;
	list[all->nr++] = copy;
	return 0;
}

/* Append copies of all instructions of @from. Return 0 or -ENOMEM. */
int instructions_copy(struct instructions *all, const struct instructions *from)
{
	size_t i;
	int err = 0;

	for (i = 0; i < from->nr && !err; i++)
		err = instructions_add(all, &from->list[i]);
	return err;
}

/* Return the index of the instruction that contains @addr, or the number of instructions. */
size_t instructions_find(const struct instructions *all, u64 addr)
{
	size_t low = 0, high = all->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (all->list[middle].addr + all->list[middle].len <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->nr && all->list[low].addr <= addr ? low : all->nr;
}

/* Remove all instructions. */
void instructions_free(struct instructions *all)
{
	free(all->list);
	arena_free(&all->texts);
	*all = (struct instructions){ 0 };
}
