// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - other users of the counters, found in /proc
 *
 * The kernel reports that the counters are taken, but not by which process. A process
 * that has a perf event or a virtual machine open may be the holder, but need not be.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "live/holders.h"

#define PATH_LEN	512

/* Kind of open file that makes a process a suspect. The largest value wins. */
enum suspicion {
	SUSPECT_NOTHING,
	SUSPECT_PERF,	/* a perf event */
	SUSPECT_GUEST,	/* a virtual machine, which may have a PMU */
};

static enum suspicion suspect(const char *link)
{
	if (!strcmp(link, "anon_inode:[perf_event]"))
		return SUSPECT_PERF;
	return strcmp(link, "anon_inode:kvm-vm") ? SUSPECT_NOTHING : SUSPECT_GUEST;
}

static enum suspicion suspect_process(const char *proc, const char *pid)
{
	enum suspicion found = SUSPECT_NOTHING, one;
	char path[PATH_LEN], link[64];
	const struct dirent *entry;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/fd", proc, pid);
	dir = opendir(path);
	if (!dir)
		return SUSPECT_NOTHING;
	while (found < SUSPECT_GUEST && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		one = suspect(link);
		if (one > found)
			found = one;
	}
	closedir(dir);
	return found;
}

static void name_of(const char *proc, const char *pid, char *name, int len)
{
	char path[PATH_LEN];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/comm", proc, pid);
	file = fopen(path, "re");
	if (!file || !fgets(name, len, file))
		snprintf(name, len, "?");
	name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
}

static void add(struct holders *holders, const char *proc, const char *pid)
{
	size_t used = strlen(holders->text);
	char name[64];

	name_of(proc, pid, name, sizeof(name));
	snprintf(holders->text + used, sizeof(holders->text) - used, "%s%s (process %s)",
		 holders->nr ? ", " : "", printable(name), pid);
	holders->nr++;
}

/* Find the processes that have a perf event or a virtual machine open. */
void holders_find(struct holders *holders, const char *proc)
{
	const struct dirent *entry;
	enum suspicion suspicion;
	DIR *dir = opendir(proc);

	*holders = (struct holders){ 0 };
	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		suspicion = suspect_process(proc, entry->d_name);
		if (suspicion == SUSPECT_NOTHING)
			continue;
		if (suspicion == SUSPECT_PERF && !holders->perf)
			holders->perf = strtol(entry->d_name, NULL, 10);
		holders->guests |= suspicion == SUSPECT_GUEST;
		add(holders, proc, entry->d_name);
	}
	closedir(dir);
}
