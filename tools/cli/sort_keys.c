// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - option --sort of the commands that group samples
 */
#include <errno.h>

#include "cli/choose.h"
#include "cli/sort_keys.h"

static bool has_column(const struct profile_keys *keys, const struct column *column)
{
	size_t i;

	for (i = 0; i < keys->nr; i++) {
		if (keys->columns[i] == column)
			return true;
	}
	return false;
}

/* Add a key column, unless @keys has it. Return 0, or -E2BIG if there is no room. */
int sort_keys_add(struct profile_keys *keys, const struct column *column)
{
	if (has_column(keys, column))
		return 0;
	if (keys->nr == PROFILE_MAX_KEYS)
		return -E2BIG;
	keys->columns[keys->nr++] = column;
	return 0;
}

/* Return true if @keys has the column named @word. */
bool sort_keys_have(const struct profile_keys *keys, const char *word)
{
	return has_column(keys, column_find(word));
}

/* Return the word of the Nth key column, counted from 0, or NULL after the last. */
static const char *key_word(size_t nr)
{
	const char *word;
	size_t i;

	for (i = 0; (word = column_word(i)); i++) {
		if (column_find(word)->key && !nr--)
			return word;
	}
	return NULL;
}

static int choose_key(void *arg, size_t i)
{
	return sort_keys_add(arg, column_find(key_word(i)));
}

/*
 * Add the keys of @list, a comma-separated list. Return STATUS_OK, or print a message and
 * return STATUS_USAGE.
 */
int sort_keys_choose(const char *command, const char *list, struct profile_keys *keys)
{
	const struct chooser chooser = { command, "--sort", "key", key_word, choose_key };

	return choose(&chooser, list, keys);
}

/* Print the words of --sort, for the help text. */
void sort_keys_print(void)
{
	const struct chooser chooser = { .name = key_word };

	print_choices(&chooser, "keys to sort by");
}
