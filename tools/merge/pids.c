// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - numbers of processes and threads that are unique in the output
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "merge/pids.h"

/* Find or make the owner of a free number. If there is none, set @pids->err. */
static const struct pid_owner *claim(struct pids *pids, u32 source, u32 pid)
{
	struct pid_owner *owner;
	u32 number;

	for (number = pid; number <= INT_MAX; number += PIDS_STEP) {
		owner = hash_table_get(&pids->owners, number, sizeof(*owner));
		if (!owner) {
			pids->err = -ENOMEM;
			return NULL;
		}
		if (!owner->number) {
			*owner = (struct pid_owner){ number, source, pid };
			pids->nr_changed += number != pid;
		}
		if (owner->source == source && owner->pid == pid)
			return owner;
	}
	pids->err = -EOVERFLOW;
	pids->failed = pid;
	return NULL;
}

/*
 * Return the number that @pid of recording @source has in the output. 0 and negative
 * numbers, which are of no process, are the same in all recordings.
 */
u32 pids_map(struct pids *pids, u32 source, u32 pid)
{
	struct pid_owner *recent = &pids->recent[(pid ^ source << 5) % PIDS_RECENT];
	const struct pid_owner *owner;

	if (!pid || pid > INT_MAX)
		return pid;
	if (recent->pid == pid && recent->source == source)
		return recent->number;
	owner = claim(pids, source, pid);
	if (!owner)
		return pid;
	*recent = *owner;
	return owner->number;
}

void pids_free(struct pids *pids)
{
	hash_table_free(&pids->owners, free);
}
