// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - give a number to each combination of task, CPU, time and weight that keys depend on
 */
#include <stdlib.h>

#include "profile/subjects.h"

/*
 * Set up an empty set.
 *
 * @keys: keys of the profiles
 * @needs_comm: use the name of the thread even if it is not a key
 */
void subjects_init(struct subjects *subjects, const struct profile_keys *keys, bool needs_comm)
{
	u32 members = needs_comm ? SUBJECT_COMM : 0;
	size_t i;

	for (i = 0; i < keys->nr; i++)
		members |= keys->columns[i]->subject;
	*subjects = (struct subjects){ .members = members };
}

static bool is_subject(const void *entry, const void *wanted)
{
	const struct subject *subject = entry, *key = wanted;

	return subject->pid == key->pid && subject->tid == key->tid && subject->cpu == key->cpu &&
	       subject->slice == key->slice && subject->weight == key->weight &&
	       subject->comm == key->comm;
}

static const struct subject *look_up(struct subjects *subjects, const struct subject *key)
{
	u64 hash = hash_number((uintptr_t)key->comm);
	struct subject *subject;

	hash = hash_number(hash + key->pid);
	hash = hash_number(hash + ((u64)key->tid << 32 | key->cpu));
	hash = hash_number(hash + key->slice);
	hash = hash_number(hash + key->weight);
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
 * Find or add a combination of task, CPU, time and weight. Ignore the members of @sample that no
 * key uses. If names of threads are not used, @comm must be NULL. Return NULL if out of memory.
 */
const struct subject *subjects_search(struct subjects *subjects, const struct sample *sample,
				      const char *comm)
{
	u32 members = subjects->members;
	struct subject key = { .pid = members & SUBJECT_PID ? sample->pid : 0,
			       .tid = members & SUBJECT_TID ? sample->tid : 0,
			       .cpu = members & SUBJECT_CPU ? sample->cpu : 0,
			       .slice = members & SUBJECT_SLICE ? sample->slice : 0,
			       .weight = members & SUBJECT_WEIGHT ? sample->weight : 0,
			       .comm = comm };
	u32 at = (sample->tid ^ key.cpu << 5 ^ (u32)key.weight << 3) % RECENT_SUBJECTS;
	const struct subject **recent = &subjects->recent[at];

	if (!*recent || !is_subject(*recent, &key))
		*recent = look_up(subjects, &key);
	return *recent;
}

void subjects_free(struct subjects *subjects)
{
	hash_table_free(&subjects->table, free);
}
