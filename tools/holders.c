// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - other users of the counters that /proc knows of
 *
 * The kernel says that the counters are taken, not by whom. Who has events of
 * perf, or a virtual machine, open is not always the one, but there the search
 * begins.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "holders.h"
#include "printable.h"

#define PATH_LEN	512

static const char *const files[] = {
	"anon_inode:[perf_event]",
	"anon_inode:kvm-vm",
};

static bool is_suspect(const char *link)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (!strcmp(link, files[i]))
			return true;
	}
	return false;
}

static bool has_suspect(const char *proc, const char *pid)
{
	char path[PATH_LEN], link[64];
	const struct dirent *entry;
	bool found = false;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s/fd", proc, pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		found = is_suspect(link);
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

/**
 * holders_find - who has events of perf or a virtual machine open?
 * @proc:	/proc
 * @text:	"NAME (process PID), ..."; what does not fit is left out
 * @len:	size of @text
 *
 * Return: how many processes.
 */
u32 holders_find(const char *proc, char *text, size_t len)
{
	const struct dirent *entry;
	size_t used = 0;
	char name[64];
	u32 nr = 0;
	DIR *dir = opendir(proc);

	text[0] = '\0';
	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || !has_suspect(proc, entry->d_name))
			continue;
		name_of(proc, entry->d_name, name, sizeof(name));
		if (used < len)
			used += snprintf(text + used, len - used, "%s%s (process %s)",
					 nr ? ", " : "", printable(name), entry->d_name);
		nr++;
	}
	closedir(dir);
	return nr;
}
