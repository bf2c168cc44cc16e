/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx control - the counters that its operands choose, by name or by pattern
 */
#ifndef TPROF_COUNTER_CHOICE_H
#define TPROF_COUNTER_CHOICE_H

#include "live/counters.h"

#define COUNTER_CHOICE_MAX	256

/**
 * struct counter_choice - chosen counters, each once
 * @names:	their names
 * @nr:		number of @names
 */
struct counter_choice {
	char	names[COUNTER_CHOICE_MAX][COUNTER_NAME_LEN];
	u32	nr;
};

bool counter_is_pattern(const char *text);
int counter_choose(struct counter_choice *choice, const char *name);
int counter_choose_name(struct counter_choice *choice, const char *text);
int counter_choose_fits(struct counter_choice *choice, const char *pattern,
			const struct tprof_lx_row *rows, u32 nr);
const char *counter_choice_text(const struct counter_choice *choice, char *buf, size_t len);

#endif /* TPROF_COUNTER_CHOICE_H */
