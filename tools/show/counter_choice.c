// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx control - the counters that its operands choose, by name or by pattern
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "show/counter_choice.h"

/* Return true if @text has a wildcard of fnmatch(3). */
bool counter_is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

static bool has_counter(const struct counter_choice *choice, const char *name)
{
	u32 i;

	for (i = 0; i < choice->nr; i++) {
		if (!strcmp(choice->names[i], name))
			return true;
	}
	return false;
}

/* Add a counter if it is not chosen yet. Return 0 or -ENOSPC. */
int counter_choose(struct counter_choice *choice, const char *name)
{
	if (has_counter(choice, name))
		return 0;
	if (choice->nr == COUNTER_CHOICE_MAX)
		return -ENOSPC;
	snprintf(choice->names[choice->nr++], COUNTER_NAME_LEN, "%s", name);
	return 0;
}

/*
 * Add the counter that the user calls @text. Numbers may have leading zeros. Return 0, -ENOSPC or
 * -EINVAL.
 */
int counter_choose_name(struct counter_choice *choice, const char *text)
{
	struct tprof_lx_row_admin arg;
	struct tprof_lx_row row = { 0 };
	char name[COUNTER_NAME_LEN];
	int err = counter_parse(text, &arg);

	if (err)
		return err;
	row.kind = arg.kind;
	row.number = arg.number;
	return counter_choose(choice, counter_name(&row, name, sizeof(name)));
}

/* Add the counters of a CPU that fit a pattern. Return 0 or -ENOSPC. */
int counter_choose_fits(struct counter_choice *choice, const char *pattern,
			const struct tprof_lx_row *rows, u32 nr)
{
	char name[COUNTER_NAME_LEN];
	int err = 0;
	u32 i;

	for (i = 0; i < nr && !err; i++) {
		counter_name(&rows[i], name, sizeof(name));
		if (!fnmatch(pattern, name, 0))
			err = counter_choose(choice, name);
	}
	return err;
}

/* Format the names as "gp0, gp1", truncated to @len bytes. */
const char *counter_choice_text(const struct counter_choice *choice, char *buf, size_t len)
{
	size_t used = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; i < choice->nr && used < len; i++)
		used += snprintf(buf + used, len - used, "%s%s", used ? ", " : "",
				 choice->names[i]);
	return buf;
}
