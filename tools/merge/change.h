/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx merge - append a record to the output, and change its fields
 *
 * The record is the next one of a recording. Its copy in the output is valid until the next
 * one is appended.
 */
#ifndef TPROF_MERGE_CHANGE_H
#define TPROF_MERGE_CHANGE_H

#include <string.h>

#include "merge/merge.h"

u8 *change_append(struct merge *merge, const struct source *source);
int change_append_named(struct merge *merge, const struct source *source, size_t head,
			const char *name, u8 **at);
void change_pid(struct merge *merge, const struct source *source, u8 *at);
void change_time(const struct source *source, u8 *at);
void change_id(const struct merge *merge, struct source *source, u8 *at);
void change_cgroup(const struct source *source, u8 *at);
void change_addr(const struct merge *merge, struct source *source, u8 *at);
void change_words(struct merge *merge, struct source *source, const struct words_at *words,
		  u8 *at);
void change_trailer(struct merge *merge, struct source *source);

static inline void put_u32(u8 *at, u32 value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void put_u64(u8 *at, u64 value)
{
	memcpy(at, &value, sizeof(value));
}

#endif /* TPROF_MERGE_CHANGE_H */
