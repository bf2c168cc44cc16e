// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find processes by name
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "live/named.h"
#include "live/procfs.h"

/* Append "NAME-PID" to @text. If it has no room, end it with "...". */
static void add_text(char *text, size_t len, const char *comm, s32 pid)
{
	static const char more[] = ", ...";
	char item[128];
	size_t used = strlen(text);
	int n = snprintf(item, sizeof(item), "%s%s-%d", used ? ", " : "", printable(comm), pid);

	if (used >= sizeof(more) - 1 && !strcmp(text + used - (sizeof(more) - 1), more))
		return;
	if (used + n + sizeof(more) > len)
		snprintf(text + used, len - used, "%s", more);
	else
		memcpy(text + used, item, n + 1);
}

/*
 * Add each process to @pids that has a name which matches @pattern, but not this one. Set @text to
 * a list of those processes, shortened to @len. Return how many there are, or -errno; -E2BIG if
 * @pids has no room.
 */
int named_find(const regex_t *pattern, struct pid_list *pids, char *text, size_t len)
{
	struct process_table table;
	char comm[COMM_LEN];
	int found = 0, err = process_table_read(&table);
	size_t i;

	if (err)
		return err;
	*text = '\0';
	for (i = 0; i < table.nr && !err; i++) {
		s32 pid = table.all[i].pid;

		/* A process that has ended meanwhile has no name. */
		if (pid == getpid() || procfs_comm(pid, pid, comm) ||
		    regexec(pattern, comm, 0, NULL, 0))
			continue;
		found++;
		add_text(text, len, comm, pid);
		if (pid_list_has(pids, pid))
			continue;
		if (pids->nr == PID_LIST_MAX)
			err = -E2BIG;
		else
			pids->pids[pids->nr++] = pid;
	}
	process_table_free(&table);
	return err ? err : found;
}
