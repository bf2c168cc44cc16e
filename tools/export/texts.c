// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - numbers of texts, for formats that write each text once
 */
#include <errno.h>

#include "export/texts.h"

/*
 * Set @number to the number of @text, a pointer that stays valid. Equal texts with different
 * pointers may get different numbers. Return 1 if the text is new, 0 if it is not, or -ENOMEM.
 */
int texts_number(struct texts *texts, const char *text, u64 *number)
{
	u64 hash = hash_number((uintptr_t)text);
	void *found = hash_table_find(&texts->numbers, hash, NULL, NULL);

	*number = found ? (uintptr_t)found - 1 : texts->nr;
	if (found)
		return 0;
	return hash_table_add(&texts->numbers, hash, (void *)(uintptr_t)++texts->nr) ?: 1;
}

/* Forget all texts. Numbers are not used again. */
void texts_forget(struct texts *texts)
{
	hash_table_free(&texts->numbers, NULL);
	interned_free(&texts->names);
}
