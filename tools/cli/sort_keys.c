// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - option --sort of the commands that group samples
 */
#include <errno.h>
#include <string.h>

#include "base/printable.h"
#include "cli/choose.h"
#include "cli/say.h"
#include "cli/sort_keys.h"

/* The default of --time-quantum. */
#define TIME_SLICE	(100 * NSEC_PER_MSEC)

/* Maximum length of --parent: regcomp() calls itself for each parenthesis. */
#define PATTERN_MAX	1000

static bool has_column(const struct profile_keys *keys, const struct column *column)
{
	return profile_find_key(keys, column) < keys->nr;
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

static int read_parent(const char *command, struct key_options *options,
		       struct gather_options *gather)
{
	char why[128];
	int err;

	if (strlen(options->parent) > PATTERN_MAX)
		return say_usage("%s: --parent: the expression is longer than %d characters",
				 command, PATTERN_MAX);
	err = regcomp(&options->pattern, options->parent, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &options->pattern, why, sizeof(why));
		return say_usage("%s: --parent: '%s': %s", command, printable(options->parent),
				 why);
	}
	options->has_pattern = true;
	gather->parent = &options->pattern;
	if (sort_keys_add(&gather->keys, column_find("parent")))
		return say_usage("%s: too many keys for --parent; leave out one", command);
	return STATUS_OK;
}

/*
 * Set the options of the keys of @gather, which are all keys that the user has chosen; add
 * the key of --parent. Return STATUS_OK, or print a message and return STATUS_USAGE. Call
 * sort_keys_free() after the last use of @gather in any case.
 */
int sort_keys_finish(const char *command, struct key_options *options,
		     struct gather_options *gather)
{
	bool has_time = sort_keys_have(&gather->keys, "time");

	if (options->quantum && !has_time)
		return say_usage("%s: --time-quantum is the length of slices; give -s time as well",
				 command);
	if (has_time)
		gather->slice = options->quantum ?: TIME_SLICE;
	if (options->parent)
		return read_parent(command, options, gather);
	return sort_keys_have(&gather->keys, "parent") ?
	       say_usage("%s: key parent needs the names of callers; give --parent REGEX as well",
			 command) : STATUS_OK;
}

/*
 * Add the keys of @list, unless it is NULL, for a command that does not join waits with
 * wakeups; then the same as sort_keys_finish().
 */
int sort_keys_read(const char *command, const char *list, struct key_options *options,
		   struct gather_options *gather)
{
	int status = list ? sort_keys_choose(command, list, &gather->keys) : STATUS_OK;

	if (!status && sort_keys_have(&gather->keys, "waker"))
		status = say_usage("%s: key waker is of waits, which only report shows; leave it out",
				   command);
	return status ? status : sort_keys_finish(command, options, gather);
}

void sort_keys_free(struct key_options *options)
{
	if (options->has_pattern)
		regfree(&options->pattern);
	options->has_pattern = false;
}

/* Print the words of --sort, for the help text. */
void sort_keys_print(void)
{
	const struct chooser chooser = { .name = key_word };

	print_choices(&chooser, "keys to sort by");
}
