// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - COMM and MMAP2 records come before the samples that need them
 *
 * The test reads a stream sorted by time, as tprof-lx report does. A FORK record copies the
 * mappings of the parent to the child, a COMM record of an execve(2) ends the mappings of
 * the process, and an MMAP2 record adds a mapping. Each user-mode sample of this process and
 * its descendants must lie in a mapping that the process has at that time.
 */
#include <stdlib.h>
#include <unistd.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

#define MAX_MAPS	64
#define MAX_PROCESSES	4096

/* A process, as described by the records read so far. */
struct process {
	__u32	pid;
	int	nr_maps;
	struct { __u64 begin, end; } maps[MAX_MAPS];
};

struct reader {
	struct process	*processes;
	size_t		nr_processes;
	size_t		nr_checked;
	size_t		nr_execs;
	size_t		nr_unmapped;
};

/* Find the newest process with this pid, because pids are reused. */
static struct process *find_process(struct reader *reader, __u32 pid)
{
	for (size_t i = reader->nr_processes; i; i--)
		if (reader->processes[i - 1].pid == pid)
			return &reader->processes[i - 1];
	return NULL;
}

static void add_map(struct process *process, __u64 begin, __u64 end)
{
	if (process->nr_maps == MAX_MAPS)
		return;
	process->maps[process->nr_maps].begin = begin;
	process->maps[process->nr_maps++].end = end;
}

/* Add this process, which existed before the stream began. */
static void add_self(struct reader *reader)
{
	struct process *self = &reader->processes[reader->nr_processes++];
	unsigned long begin, end;
	char line[4096], x;
	FILE *file;

	self->pid = getpid();
	file = fopen("/proc/self/maps", "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx-%lx %*c%*c%c", &begin, &end, &x) == 3 &&
		    x == 'x')
			add_map(self, begin, end);
	if (file)
		fclose(file);
}

static void see_fork(struct reader *reader, const struct record_task *task)
{
	struct process *parent = find_process(reader, task->ppid);
	struct process *child;

	if (!parent || task->pid == task->ppid ||
	    reader->nr_processes == MAX_PROCESSES)
		return;
	child = &reader->processes[reader->nr_processes++];
	*child = *parent;
	child->pid = task->pid;
}

static void see_comm(struct reader *reader, const struct record *record)
{
	const struct record_comm *comm = record->body;
	struct process *process = find_process(reader, comm->pid);

	if (!process || !(record->header->misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	process->nr_maps = 0;
	reader->nr_execs++;
}

static void see_sample(struct reader *reader, const struct record *record)
{
	struct process *process = find_process(reader, record->pid);
	bool is_mapped = false;

	if (!process || !record_is_user(record))
		return;
	for (int i = 0; i < process->nr_maps; i++)
		is_mapped |= record->ip >= process->maps[i].begin &&
			     record->ip < process->maps[i].end;
	reader->nr_checked++;
	reader->nr_unmapped += !is_mapped;
}

static void see(struct reader *reader, const struct record *record)
{
	const struct record_mmap2 *map = record->body;
	struct process *process;

	switch (record->header->type) {
	case PERF_RECORD_FORK:
		see_fork(reader, record->body);
		break;
	case PERF_RECORD_COMM:
		see_comm(reader, record);
		break;
	case PERF_RECORD_MMAP2:
		process = find_process(reader, map->pid);
		if (process)
			add_map(process, map->addr, map->addr + map->len);
		break;
	case PERF_RECORD_SAMPLE:
		see_sample(reader, record);
		break;
	}
}

/* Run 1000 processes, not more: on an emulated CPU each of them takes long. */
static int run_many(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/sh", "sh", "-c",
		      "half() { i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i + 1)); done; }; half & half; wait",
		      NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

FIXTURE(explained) {
	int		fd;
	struct stream	stream;
	struct reader	reader;
};

FIXTURE_SETUP(explained)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	self->reader.processes = calloc(MAX_PROCESSES,
					sizeof(*self->reader.processes));
	ASSERT_NE(NULL, self->reader.processes);
}

FIXTURE_TEARDOWN(explained)
{
	free(self->reader.processes);
	stream_free(&self->stream);
	close(self->fd);
}

TEST_F_TIMEOUT(explained, thousand_short_processes, 800)
{
	struct perf_event_attr attr;
	const struct record *record;
	struct tprof_lx_stats stats;

	attr_init(&attr, 5000);
	attr_track(&attr);
	add_self(&self->reader);
	ASSERT_EQ(0, event_add(self->fd, "nmi", &attr));
	ASSERT_EQ(0, session_small(self->fd, 4 << 20, 256 << 20));
	ASSERT_EQ(0, session_start(self->fd, 1));
	ASSERT_EQ(0, run_many());
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));

	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				   &stats));
	EXPECT_EQ(0, stats.side_lost);
	for_each_record(record, &self->stream)
		see(&self->reader, record);
	/* At least the 1000 processes, two shells and this process. */
	EXPECT_LE(1003, self->reader.nr_processes);
	/* The first shell and the 1000 processes call execve(2). */
	EXPECT_LE(1001, self->reader.nr_execs);
	EXPECT_LE(100, self->reader.nr_checked);
	EXPECT_EQ(0, self->reader.nr_unmapped);
}

TEST_HARNESS_MAIN
