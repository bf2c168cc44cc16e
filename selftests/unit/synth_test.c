// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - records about processes that exist when recording starts
 *
 * The test makes the records of its own process and of its child.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/load.h"
#include "live/synth.h"
#include "perfdata/record_types.h"
#include "unit.h"

static struct dso_set dsos;
static struct synth synth = { .dsos = &dsos, .event_id = 7 };

/* Number of records of each kind about a process. */
struct told {
	int forks;
	int comms;
	int maps;
	int maps_of_code;
	int with_build_id;
	char comm[32];
};

static void count(const struct record_body *body, u32 type, s32 pid,
		  struct told *told)
{
	struct task_record task;
	struct map_record map;

	if (type == PERF_RECORD_MMAP2 && !record_map(body, type, &map) &&
	    map.pid == pid) {
		told->maps++;
		told->maps_of_code += !!(map.prot & 4);
		told->with_build_id += map.build_id.size == 20;
	}
	if (type == PERF_RECORD_MMAP2 || record_task(body, type, &task) ||
	    task.pid != pid)
		return;
	told->forks += type == PERF_RECORD_FORK && task.ppid == getppid();
	told->comms += type == PERF_RECORD_COMM;
	if (type == PERF_RECORD_COMM)
		snprintf(told->comm, sizeof(told->comm), "%s", task.comm);
}

static struct told look(size_t offset, s32 pid)
{
	const u8 *data = synth.out.data;
	struct told told = { 0 };

	while (offset < synth.out.len) {
		struct perf_event_header header;
		struct record_body body = { .data = data + offset };

		memcpy(&header, data + offset, sizeof(header));
		if (!header.size || header.size % 8)
			abort();
		body.size = header.size - RECORD_TRAILER_BYTES;
		body.misc = header.misc;
		count(&body, header.type, pid, &told);
		offset += header.size;
	}
	return told;
}

static void test_self(void)
{
	s32 self = getpid();
	struct told told;
	size_t before;

	prctl(PR_SET_NAME, "synth-test");
	unit_ok(!synth_processes(&synth, &self, 1, SYNTH_ALL),
		"the tree of a process is walked");
	told = look(0, self);
	unit_ok(told.forks == 1 && told.comms == 1 &&
		!strcmp(told.comm, "synth-test"),
		"a process and its name are recorded");
	unit_ok(told.maps >= 4 && told.maps == told.maps_of_code,
		"executable mappings are recorded, and no others");
	unit_ok(told.with_build_id >= 4,
		"build-ids of files and of the vDSO are recorded");

	before = synth.out.len;
	unit_ok(!synth_processes(&synth, &self, 1, SYNTH_ALL) && synth.out.len == before,
		"a process that did not change is not recorded again");
	prctl(PR_SET_NAME, "new-name");
	synth_processes(&synth, &self, 1, SYNTH_ALL);
	told = look(before, self);
	unit_ok(told.comms == 1 && !strcmp(told.comm, "new-name") &&
		told.maps >= 4, "a process that changed is recorded again");
}

static pid_t start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		pause();
		_exit(0);
	}
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void test_child(void)
{
	s32 self = getpid();
	size_t before = synth.out.len;
	pid_t child = start_child();

	synth_processes(&synth, &self, 1, SYNTH_NEW);
	unit_ok(look(before, child).maps >= 4, "a new process is recorded");
	unit_ok(!look(before, self).comms, "only the new process is recorded");
	before = synth.out.len;
	prctl(PR_SET_NAME, "newest-name");
	synth_processes(&synth, &self, 1, SYNTH_NEW);
	unit_ok(synth.out.len == before,
		"a search for new processes ignores a new name");
	end_child(child);
}

static struct rlimit files;

/* Called after the first process: let no further file be opened. */
static void allow_no_files(void *arg)
{
	struct rlimit none = { 0, files.rlim_max };

	(void)arg;
	setrlimit(RLIMIT_NOFILE, &none);
}

static void test_no_files(void)
{
	s32 self = getpid();
	pid_t child = start_child();
	int err;

	getrlimit(RLIMIT_NOFILE, &files);
	synth.between = allow_no_files;
	err = synth_processes(&synth, &self, 1, SYNTH_ALL);
	synth.between = NULL;
	setrlimit(RLIMIT_NOFILE, &files);
	unit_ok(err == -EMFILE,
		"without files for the second process, the walk fails");
	end_child(child);
}

/* Return the address of a symbol of the kernel, 0 if it is hidden. */
static u64 kallsyms_address(const char *name)
{
	char line[512], found[512];
	unsigned long long addr = 0;
	FILE *file = fopen("/proc/kallsyms", "re");

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %511s", &addr, found) == 2 && !strcmp(found, name))
			break;
		addr = 0;
	}
	if (file)
		fclose(file);
	return addr;
}

/* The record of the kernel begins at @offset. */
static void test_kernel_bounds(size_t offset)
{
	u64 start = load_u64(synth.out.data + offset + 16);
	u64 len = load_u64(synth.out.data + offset + 24);

	if (kallsyms_address("_etext"))
		unit_ok(start == kallsyms_address("_text") &&
			start + len == kallsyms_address("_etext"),
			"the mapping of the kernel is its code");
	else
		unit_skip("the mapping of the kernel is its code", "its addresses are hidden");
}

static void test_kernel(void)
{
	struct bytes build_ids = { 0 };
	size_t before = synth.out.len;
	struct told told;

	unit_ok(!synth_kernel(&synth) && synth.out.len > before &&
		load_u32(synth.out.data + before) == PERF_RECORD_MMAP &&
		load_u64(synth.out.data + before + 16) >= 0xffffffff80000000,
		"the kernel is recorded as a mapping");
	test_kernel_bounds(before);
	told = look(before, -1);
	unit_ok(!told.maps, "the kernel has no mapping of user space");
	unit_ok(!synth_modules(&synth),
		"the modules are recorded, if there are any");
	dso_set_write(&dsos, &build_ids);
	unit_ok(memmem(build_ids.data, build_ids.len, "[kernel.kallsyms]", 17),
		"the build-id of the kernel is recorded");
	bytes_free(&build_ids);
}

int main(void)
{
	test_self();
	test_child();
	test_no_files();
	test_kernel();
	synth_free(&synth);
	dso_set_free(&dsos);
	return unit_exit();
}
