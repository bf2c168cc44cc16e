/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - option --sort of the commands that group samples
 */
#ifndef TPROF_SORT_KEYS_H
#define TPROF_SORT_KEYS_H

#include "cli/command.h"
#include "profile/gather.h"

/**
 * struct key_options - options of keys
 * @parent:	--parent, or NULL
 * @pattern:	the expression in @parent
 * @has_pattern: @pattern was compiled
 * @quantum:	--time-quantum, or 0
 */
struct key_options {
	const char *parent;
	regex_t	pattern;
	bool	has_pattern;
	u64	quantum;
};

/* The row of the option of key parent. It sets @type.key_options. */
#define PARENT_ROW(type)                                                                \
	OPTION_ROW(type, 0, "parent", "REGEX", option_text, key_options.parent,        \
		   "group samples by the innermost caller whose name REGEX matches")

/* The row of the option of key time. It sets @type.key_options. */
#define QUANTUM_ROW(type)                                                               \
	OPTION_ROW(type, 0, "time-quantum", "TIME", option_duration,                   \
		   key_options.quantum, "length of the slices of key time (100ms)")

/* The row of the option that weighs samples by latency. It sets @type.gather.latency. */
#define LATENCY_ROW(type)                                                               \
	OPTION_ROW(type, 0, "latency", NULL, option_flag, gather.latency,              \
		   "weigh samples by latency: by their periods, divided by the parallelism")

int sort_keys_add(struct profile_keys *keys, const struct column *column);
bool sort_keys_have(const struct profile_keys *keys, const char *word);
int sort_keys_choose(const char *command, const char *list, struct profile_keys *keys);
int sort_keys_read(const char *command, const char *list, struct key_options *options,
		   struct gather_options *gather);
int sort_keys_finish(const char *command, struct key_options *options,
		     struct gather_options *gather);
void sort_keys_free(struct key_options *options);
void sort_keys_print(void);

#endif /* TPROF_SORT_KEYS_H */
