// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - synthesize records about processes that exist before the recording
 *
 * Each thread gets a FORK and a COMM record. Each code mapping of a process gets an
 * MMAP2 record. All these records have time 0.
 *
 * The caller walks /proc with SYNTH_ALL before it starts the session, and again while
 * the session runs. The first walk finds processes that end before the second walk
 * reaches them. The second walk adds only processes that are new or have changed. Both
 * walks take long, so the caller also looks for new processes with SYNTH_NEW, right
 * before and right after the start of the session.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/ordered_set.h"
#include "live/procfs.h"
#include "live/synth.h"
#include "perfdata/buildid.h"

/**
 * struct known_file - a file and its build-id
 * @major:	major number of its device
 * @minor:	minor number of its device
 * @ino:	its inode number
 * @id:		its build-id, of size 0 if it has none
 */
struct known_file {
	u32	major;
	u32	minor;
	u64	ino;
	struct build_id id;
};

/* Inode number that no file has. It stands for the vdso, which is not a file. */
#define VDSO_INO	(~0ULL)

static int compare_files(const void *a, const void *b)
{
	const struct known_file *x = a, *y = b;

	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->major != y->major)
		return x->major < y->major ? -1 : 1;
	return x->minor < y->minor ? -1 : x->minor > y->minor;
}

static bool is_vdso(const struct mapping *map)
{
	return !strcmp(map->name, "[vdso]");
}

/* Return whether @path is the file of a mapping, whatever its name is now. */
static bool is_file_of(const struct mapping *map, const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_ino == map->ino && major(st.st_dev) == map->major &&
	       minor(st.st_dev) == map->minor;
}

/*
 * Open the file below /proc/PID/root: the process may have its own mount namespace. A program
 * that was deleted is still at /proc/PID/exe. For a deleted library, there is no such path that
 * needs no CAP_SYS_ADMIN.
 */
static void read_build_id(s32 pid, const struct mapping *map, struct build_id *id)
{
	char path[4200];

	if (is_vdso(map)) {
		build_id_of_vdso(id);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, map->name);
	if (!build_id_of_file(path, id))
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (is_file_of(map, path))
		build_id_of_file(path, id);
}

/* Cache build-ids by inode: most processes map the same few files. */
static void find_build_id(struct synth *synth, s32 pid, struct mapping *map)
{
	struct known_file key = {
		.major = map->major,
		.minor = map->minor,
		.ino = is_vdso(map) ? VDSO_INO : map->ino,
	}, *file;
	bool is_new;

	file = ordered_get(&synth->files, &key, sizeof(key), compare_files, &is_new);
	if (!file)
		return;
	if (is_new)
		read_build_id(pid, map, &file->id);
	map->build_id = file->id;
}

static int write_maps(struct synth *synth, s32 pid)
{
	struct record_trailer trailer = { .pid = pid, .tid = pid, .id = synth->event_id,
					  .sample_type = synth->sample_type };
	char path[32], *line = NULL;
	struct mapping map;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (getline(&line, &room, file) > 0) {
		if (!procfs_parse_map(line, &map) ||
		    !(map.prot & PROT_EXEC || synth->data))
			continue;
		if (map.name[0] == '/' || is_vdso(&map))
			find_build_id(synth, pid, &map);
		record_mmap2(&synth->out, &trailer, &map);
		if (map.build_id.size)
			dso_set_add(synth->dsos, PERF_RECORD_MISC_USER, map.name, &map.build_id);
	}
	free(line);
	fclose(file);
	return 0;
}

/**
 * struct thread_walk - argument of write_thread()
 * @synth:	output of the records
 * @ppid:	the parent of the process
 */
struct thread_walk {
	struct synth *synth;
	s32	ppid;
};

/*
 * Return @err if memory or file descriptors ran out; 0 if only the process cannot be
 * read.
 */
static int general_error(int err)
{
	return err == -ENOMEM || err == -EMFILE || err == -ENFILE ? err : 0;
}

static int write_thread(void *arg, s32 pid, s32 tid)
{
	struct thread_walk *walk = arg;
	struct record_trailer trailer = { .pid = pid, .tid = tid, .id = walk->synth->event_id,
					  .sample_type = walk->synth->sample_type };
	s32 parent = pid == tid ? walk->ppid : pid;
	char comm[COMM_LEN];
	int err = procfs_comm(pid, tid, comm);

	if (err)
		return general_error(err);
	record_fork(&walk->synth->out, &trailer, parent, parent);
	record_comm(&walk->synth->out, &trailer, comm);
	return 0;
}

/**
 * struct written_process - a process that has records in synth->out
 * @pid:	its id
 * @offset:	offset of its records
 * @len:	length of its records in bytes
 */
struct written_process {
	s32	pid;
	size_t	offset;
	size_t	len;
};

static int compare_pids(const void *a, const void *b)
{
	const struct written_process *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static bool is_same(const struct bytes *out, const struct written_process *a,
		    const struct written_process *b)
{
	return a->len == b->len && !memcmp(out->data + a->offset, out->data + b->offset, a->len);
}

/*
 * Store where the new records of a process are. If they equal the earlier records of
 * the process, remove the new ones from synth->out instead.
 */
static int remember(struct synth *synth, const struct written_process *now)
{
	struct written_process *written;
	bool is_new;

	written = ordered_get(&synth->written, now, sizeof(*now), compare_pids, &is_new);
	if (!written)
		return -ENOMEM;
	if (!is_new && is_same(&synth->out, written, now))
		synth->out.len = now->offset;
	else
		*written = *now;
	return 0;
}

static bool is_written(const struct synth *synth, s32 pid)
{
	struct written_process key = { .pid = pid };

	return ordered_find(&synth->written, &key, compare_pids);
}

static int write_process(struct synth *synth, const struct process *process)
{
	struct written_process now = { .pid = process->pid, .offset = synth->out.len };
	struct thread_walk walk = { .synth = synth, .ppid = process->ppid };
	int err;

	/* Skip a process that has ended or that may not be read. */
	err = procfs_each_thread(process->pid, write_thread, &walk);
	if (!err)
		err = write_maps(synth, process->pid);
	if (general_error(err))
		return err;
	if (bytes_err(&synth->out))
		return -ENOMEM;
	now.len = synth->out.len - now.offset;
	return now.len ? remember(synth, &now) : 0;
}

/*
 * Write the records of the @nr processes in @roots and their descendants, or of all
 * processes if @nr is 0. Skip processes whose records are unchanged. With SYNTH_NEW,
 * which is much faster, skip all processes that have records already.
 */
int synth_processes(struct synth *synth, const s32 *roots, u32 nr, enum synth_which which)
{
	struct process_table table;
	size_t i;
	int err = process_table_read(&table);

	if (err)
		return err;
	process_table_want(&table, roots, nr);
	for (i = 0; i < table.nr && !err; i++) {
		if (nr && !table.all[i].wanted)
			continue;
		if (which == SYNTH_NEW && is_written(synth, table.all[i].pid))
			continue;
		err = write_process(synth, &table.all[i]);
		if (synth->between)
			synth->between(synth->arg);
	}
	process_table_free(&table);
	return err;
}

/*
 * Write the records of the kernel and of the @nr processes in @roots and their descendants, or
 * of all processes if @nr is 0. Call this before the session starts: reading the kernel's symbols
 * takes long, and a process that ends right after the start could not be read later.
 */
int synth_before_start(struct synth *synth, const s32 *roots, u32 nr)
{
	int err = synth_kernel(synth);

	if (!err)
		err = synth_processes(synth, roots, nr, SYNTH_ALL);
	return err ? err : synth_processes(synth, roots, nr, SYNTH_NEW);
}

/* Write the records of what may have changed since synth_before_start(). The session must run. */
int synth_after_start(struct synth *synth, const s32 *roots, u32 nr)
{
	int err = synth_processes(synth, roots, nr, SYNTH_NEW);

	if (!err)
		err = synth_modules(synth);
	return err ? err : synth_processes(synth, roots, nr, SYNTH_ALL);
}

void synth_free(struct synth *synth)
{
	bytes_free(&synth->out);
	ordered_free(&synth->files);
	ordered_free(&synth->written);
}
