// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read processes, threads and mappings from /proc
 *
 * Processes that end while /proc is read are skipped.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "live/procfs.h"

static bool is_number(const char *name)
{
	return isdigit((unsigned char)name[0]);
}

/*
 * Set @ppid to the id of the parent process. Parse /proc/PID/stat after its last ')', which
 * ends the name of the process. The name may contain ')' too.
 */
int procfs_parent(s32 pid, s32 *ppid)
{
	char path[32], stat[512], *behind;
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	len = fread(stat, 1, sizeof(stat) - 1, file);
	fclose(file);
	stat[len] = '\0';
	behind = strrchr(stat, ')');
	if (!behind || sscanf(behind, ") %*c %d", ppid) != 1)
		return -ESRCH;
	return 0;
}

static int add_process(struct process_table *table, s32 pid)
{
	struct process process = { .pid = pid };
	struct process *all;

	if (procfs_parent(pid, &process.ppid))
		return 0;
	/* The array is full if nr is 0 or a power of two: double its capacity. */
	if (!(table->nr & (table->nr - 1))) {
		all = reallocarray(table->all, table->nr ? 2 * table->nr : 1, sizeof(*all));
		if (!all)
			return -ENOMEM;
		table->all = all;
	}
	table->all[table->nr++] = process;
	return 0;
}

/* Read all processes into @table. The caller frees it with process_table_free(). */
int process_table_read(struct process_table *table)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int err = 0;

	*table = (struct process_table){ 0 };
	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		if (is_number(entry->d_name))
			err = add_process(table, atoi(entry->d_name));
	}
	closedir(dir);
	if (err)
		process_table_free(table);
	return err;
}

static bool is_wanted(const struct process_table *table, s32 pid)
{
	size_t i;

	for (i = 0; i < table->nr; i++) {
		if (table->all[i].pid == pid)
			return table->all[i].wanted;
	}
	return false;
}

/* Set @wanted for the processes in @pids and all their descendants. */
void process_table_want(struct process_table *table, const s32 *pids, u32 nr)
{
	bool found = nr;
	size_t i;
	u32 j;

	for (i = 0; i < table->nr; i++) {
		for (j = 0; j < nr; j++)
			table->all[i].wanted |= table->all[i].pid == pids[j];
	}
	/* Each pass over the table marks the children of all marked processes. */
	while (found) {
		found = false;
		for (i = 0; i < table->nr; i++) {
			if (table->all[i].wanted || !is_wanted(table, table->all[i].ppid))
				continue;
			table->all[i].wanted = true;
			found = true;
		}
	}
}

void process_table_free(struct process_table *table)
{
	free(table->all);
	*table = (struct process_table){ 0 };
}

/*
 * Return the process id of thread @task, or @task itself if /proc cannot be read.
 */
s32 procfs_process_of(s32 task)
{
	char path[64], line[256];
	s32 process = task;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", task);
	file = fopen(path, "re");
	if (!file)
		return task;
	while (fgets(line, sizeof(line), file) && sscanf(line, "Tgid: %d", &process) != 1)
		;
	fclose(file);
	return process;
}

/* Read the name of a thread. */
int procfs_comm(s32 pid, s32 tid, char comm[COMM_LEN])
{
	char path[64];
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	len = fread(comm, 1, COMM_LEN, file);
	fclose(file);
	if (!len)
		return -ESRCH;
	comm[len - 1] = '\0';
	return 0;
}

/*
 * Call @visit for each thread of a process, until @visit fails. Return 0; the error of
 * @visit; -errno if /proc cannot be read.
 */
int procfs_each_thread(s32 pid, int (*visit)(void *arg, s32 pid, s32 tid), void *arg)
{
	struct dirent *entry;
	char path[32];
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		if (is_number(entry->d_name))
			err = visit(arg, pid, atoi(entry->d_name));
	}
	closedir(dir);
	return err;
}

static u32 prot_of(const char *perms)
{
	return (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
	       (perms[2] == 'x' ? PROT_EXEC : 0);
}

/*
 * Parse a line of /proc/PID/maps. @map->name may point into @line, from which the
 * newline is removed. Return false if the line cannot be parsed.
 */
bool procfs_parse_map(char *line, struct mapping *map)
{
	char perms[5];
	u64 end;
	int name = 0;

	*map = (struct mapping){ 0 };
	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &map->start, &end, perms,
		   &map->pgoff, &map->major, &map->minor, &map->ino, &name) != 7 || !name)
		return false;
	if (strlen(perms) != 4 || end <= map->start)
		return false;
	map->len = end - map->start;
	map->prot = prot_of(perms);
	map->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	line[name + strcspn(line + name, "\n")] = '\0';
	map->name = line[name] ? line + name : "//anon";
	return true;
}
