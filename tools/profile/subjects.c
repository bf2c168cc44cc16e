// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - give a number to each combination of task, CPU and time that keys depend on
 */
#include <stdlib.h>

#include "profile/subjects.h"

static bool has_column(const struct profile_keys *keys, const char *word)
{
	size_t i;

	for (i = 0; i < keys->nr; i++) {
		if (keys->columns[i] == column_find(word))
			return true;
	}
	return false;
}

/*
 * Set up an empty set.
 *
 * @keys: keys of the profiles
 * @needs_comm: use the name of the thread even if it is not a key
 */
void subjects_init(struct subjects *subjects, const struct profile_keys *keys, bool needs_comm)
{
	bool has_thread = has_column(keys, "thread");

	*subjects = (struct subjects){
		.has_pid = has_column(keys, "pid"),
		.has_tid = has_column(keys, "tid") || has_thread,
		.has_cpu = has_column(keys, "cpu"),
		.has_slice = has_column(keys, "time"),
		.has_comm = has_column(keys, "comm") || has_thread || needs_comm,
	};
	subjects->has_any = subjects->has_pid || subjects->has_tid || subjects->has_cpu ||
			    subjects->has_slice || subjects->has_comm;
}

static bool is_subject(const void *entry, const void *wanted)
{
	const struct subject *subject = entry, *key = wanted;

	return subject->pid == key->pid && subject->tid == key->tid && subject->cpu == key->cpu &&
	       subject->slice == key->slice && subject->comm == key->comm;
}

static const struct subject *look_up(struct subjects *subjects, const struct subject *key)
{
	u64 hash = hash_number((uintptr_t)key->comm);
	struct subject *subject;

	hash = hash_number(hash + key->pid);
	hash = hash_number(hash + ((u64)key->tid << 32 | key->cpu));
	hash = hash_number(hash + key->slice);
	subject = hash_table_find(&subjects->table, hash, is_subject, key);
	if (subject)
		return subject;
	subject = malloc(sizeof(*subject));
	if (!subject)
		return NULL;
	*subject = *key;
	subject->number = subjects->table.nr + 1;
	if (!hash_table_add(&subjects->table, hash, subject))
		return subject;
	free(subject);
	return NULL;
}

/*
 * Find or add a combination of task, CPU and time. Ignore the members of @sample that no key
 * uses. If names of threads are not used, @comm must be NULL. Return NULL if out of memory.
 */
const struct subject *subjects_search(struct subjects *subjects, const struct sample *sample,
				      const char *comm)
{
	struct subject key = { .pid = subjects->has_pid ? sample->pid : 0,
			       .tid = subjects->has_tid ? sample->tid : 0,
			       .cpu = subjects->has_cpu ? sample->cpu : 0,
			       .slice = subjects->has_slice ? sample->slice : 0, .comm = comm };
	u32 at = (sample->tid ^ key.cpu << 5) % RECENT_SUBJECTS;
	const struct subject **recent = &subjects->recent[at];

	if (!*recent || !is_subject(*recent, &key))
		*recent = look_up(subjects, &key);
	return *recent;
}

void subjects_free(struct subjects *subjects)
{
	hash_table_free(&subjects->table, free);
}
