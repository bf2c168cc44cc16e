// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - compare walks by unwind tables with libdw's, frame by frame
 *
 * The samples of the recording have registers and copies of the stack. Each is unwound twice:
 * by dwfl_getthread_frames() of libdw, and by the module's walk with the tables that the command
 * line makes. The binaries must be those of the recording.
 *
 * usage: chain_agree FILE
 */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "unwind/object.h"
#include "walk/stack_walk.h"
#include "world/call_frame.h"

#define MAX_FILES	1024
#define MAX_PROCESSES	4096
#define MAX_SHOWN	5
#define MAX_MAPS	512
#define MAX_FRAMES	1024
/* perf copies less than 64 KiB. */
#define MAX_STACK	65536

/**
 * struct file - a mapped file and its table
 * @path:	its path
 * @table:	its table
 * @has_table:	it has a table
 */
struct file {
	char	*path;
	struct unwind_table table;
	bool	has_table;
};

/**
 * struct process - a process
 * @pid:	its id
 * @maps:	its executable mappings, sorted
 * @files:	the file of each of @maps
 * @nr:		number of @maps
 * @dwfl:	the same for libdw, or NULL if they have changed since
 */
struct process {
	u32	pid;
	struct walk_map maps[MAX_MAPS];
	struct file *files[MAX_MAPS];
	size_t	nr;
	Dwfl	*dwfl;
};

/**
 * struct stack_copy - registers, and a copy of the stack
 * @regs:	registers by their DWARF numbers; the last is rip
 * @bytes:	the stack, from rsp on
 * @size:	bytes of the copy
 */
struct stack_copy {
	u64	regs[FRAME_REGS];
	const u8 *bytes;
	u64	size;
};

/**
 * struct frames - a call chain
 * @ips:	addresses, innermost frame first
 * @nr:		number of @ips
 * @is_whole:	the last frame is an outermost one
 * @is_beyond:	the next frame is not in the copy
 */
struct frames {
	u64	ips[MAX_FRAMES];
	size_t	nr;
	bool	is_whole;
	bool	is_beyond;
};

/* How both chains of a sample compare. */
enum verdict {
	SAME_WHOLE,
	SAME_BEYOND,
	SAME_CUT,
	OURS_LONGER,
	THEIRS_LONGER,
	DIFFERENT,
	NR_VERDICTS,
};

static const char *const verdict_texts[] = {
	[SAME_WHOLE] = "the same, to the outermost frame",
	[SAME_BEYOND] = "the same, to the end of the copy",
	[SAME_CUT] = "the same, and end early",
	[OURS_LONGER] = "the same, but libdw's end earlier",
	[THEIRS_LONGER] = "the same, but those by tables end earlier",
	[DIFFERENT] = "with different frames",
};

static struct file files[MAX_FILES];
static size_t nr_files;
static struct process *processes[MAX_PROCESSES];
static size_t nr_processes;
static u64 verdicts[NR_VERDICTS];
static struct stack_copy present;
static struct frames ours, theirs;

static struct file *find_file(const char *path)
{
	struct file *file = files;
	int fd;

	for (; file < files + nr_files; file++) {
		if (!strcmp(file->path, path))
			return file;
	}
	if (++nr_files > MAX_FILES)
		abort();
	file->path = strdup(path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	file->has_table = fd >= 0 && !unwind_object(fd, NULL, &file->table);
	if (fd >= 0)
		close(fd);
	return file;
}

static struct process *find_process(u32 pid)
{
	size_t i;

	for (i = 0; i < nr_processes; i++) {
		if (processes[i]->pid == pid)
			return processes[i];
	}
	if (++nr_processes > MAX_PROCESSES)
		abort();
	processes[i] = calloc(1, sizeof(**processes));
	if (!processes[i])
		abort();
	processes[i]->pid = pid;
	return processes[i];
}

static void forget_dwfl(struct process *process)
{
	if (process->dwfl)
		dwfl_end(process->dwfl);
	process->dwfl = NULL;
}

/* Add a mapping in place of those that it overlaps. */
static void add_map(struct process *process, const struct map_record *record)
{
	struct walk_map map = { record->start, record->start + record->len, record->pgoff, NULL };
	struct file *file = find_file(record->name);
	size_t i, kept = 0;

	map.table = file->has_table ? &file->table : NULL;
	forget_dwfl(process);
	for (i = 0; i < process->nr; i++) {
		if (process->maps[i].start < map.end && process->maps[i].end > map.start)
			continue;
		process->files[kept] = process->files[i];
		process->maps[kept++] = process->maps[i];
	}
	if (kept == MAX_MAPS)
		abort();
	for (i = kept; i > 0 && process->maps[i - 1].start > map.start; i--) {
		process->files[i] = process->files[i - 1];
		process->maps[i] = process->maps[i - 1];
	}
	process->files[i] = file;
	process->maps[i] = map;
	process->nr = kept + 1;
}

static void copy_maps(struct process *to, const struct process *from)
{
	forget_dwfl(to);
	memcpy(to->maps, from->maps, sizeof(to->maps));
	memcpy(to->files, from->files, sizeof(to->files));
	to->nr = from->nr;
}

static void apply(const struct record *record)
{
	const struct record_body body = { record->data, record->header.size, record->header.misc };
	struct task_record task;
	struct map_record map;

	switch (record->header.type) {
	case PERF_RECORD_COMM:
		if (!record_task(&body, PERF_RECORD_COMM, &task) && task.exec) {
			forget_dwfl(find_process(task.pid));
			find_process(task.pid)->nr = 0;
		}
		break;
	case PERF_RECORD_FORK:
		if (!record_task(&body, PERF_RECORD_FORK, &task) && task.pid != task.ppid)
			copy_maps(find_process(task.pid), find_process(task.ppid));
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (!record_map(&body, record->header.type, &map) && map.pid >= 0 &&
		    map.prot & PROT_EXEC)
			add_map(find_process(map.pid), &map);
		break;
	}
}

static pid_t next_thread(Dwfl *dwfl, void *process, void **thread)
{
	if (*thread)
		return 0;
	*thread = process;
	return ((struct process *)process)->pid;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr at, Dwarf_Word *word, void *process)
{
	u64 offset = at - present.regs[TPROF_LX_UNWIND_RSP];

	theirs.is_beyond = offset >= present.size || present.size - offset < sizeof(*word);
	if (!theirs.is_beyond)
		memcpy(word, present.bytes + offset, sizeof(*word));
	return !theirs.is_beyond;
}

static bool set_registers(Dwfl_Thread *thread, void *process)
{
	Dwarf_Word regs[FRAME_REGS];
	int i;

	for (i = 0; i < FRAME_REGS; i++)
		regs[i] = present.regs[i];
	return dwfl_thread_state_registers(thread, 0, FRAME_REGS, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static const Dwfl_Callbacks file_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

/* Report the files to libdw. Return false if it cannot use them. */
static bool make_dwfl(struct process *process)
{
	const struct walk_map *map;
	size_t i;

	if (process->dwfl)
		return true;
	process->dwfl = dwfl_begin(&file_callbacks);
	dwfl_report_begin(process->dwfl);
	for (i = 0; i < process->nr; i++) {
		map = &process->maps[i];
		if (process->files[i]->has_table)
			dwfl_report_elf(process->dwfl, process->files[i]->path,
					process->files[i]->path, -1, map->start - map->offset,
					false);
	}
	dwfl_report_end(process->dwfl, NULL, NULL);
	return dwfl_attach_state(process->dwfl, NULL, process->pid, &thread_callbacks, process);
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	Dwarf_Addr pc;
	bool is_exact;

	if (!dwfl_frame_pc(frame, &pc, &is_exact) || theirs.nr == MAX_FRAMES)
		return DWARF_CB_ABORT;
	theirs.ips[theirs.nr++] = pc;
	return DWARF_CB_OK;
}

static enum verdict compare(void)
{
	size_t nr = ours.nr < theirs.nr ? ours.nr : theirs.nr;

	if (memcmp(ours.ips, theirs.ips, nr * sizeof(*ours.ips)))
		return DIFFERENT;
	if (ours.nr != theirs.nr)
		return ours.nr > theirs.nr ? OURS_LONGER : THEIRS_LONGER;
	if (ours.is_whole)
		return SAME_WHOLE;
	return ours.is_beyond && theirs.is_beyond ? SAME_BEYOND : SAME_CUT;
}

static void show_chain(const struct process *process, const char *whose,
		       const struct frames *chain)
{
	size_t i, at;

	printf("  %s:", whose);
	for (i = 0; i < chain->nr && i < 40; i++) {
		for (at = 0; at < process->nr; at++) {
			if (chain->ips[i] - process->maps[at].start <
			    process->maps[at].end - process->maps[at].start)
				break;
		}
		printf(" %s+%#llx", at < process->nr ? basename(process->files[at]->path) : "?",
		       at < process->nr ? chain->ips[i] - process->maps[at].start +
					  process->maps[at].offset : chain->ips[i]);
	}
	printf("%s\n", chain->is_beyond ? " beyond" : "");
}

/*
 * Walk by tables. An epilogue has restored rbp already, but its rules may still say that rbp is in
 * the red zone, which perf does not copy: let rbp stand there. A walk that reads rbx there gets a
 * wrong one, and its chain differs.
 */
static void walk(const struct process *process)
{
	static u8 copy[TPROF_LX_STACK_BELOW + MAX_STACK];
	static struct stack_chain chain;
	struct tprof_lx_stack stack;
	u32 i;

	for (i = 0; i < TPROF_LX_STACK_BELOW; i += sizeof(u64))
		memcpy(copy + i, &present.regs[TPROF_LX_UNWIND_RBP], sizeof(u64));
	if (present.size > MAX_STACK)
		abort();
	memcpy(copy + TPROF_LX_STACK_BELOW, present.bytes, present.size);
	stack = (struct tprof_lx_stack){ .bytes = TPROF_LX_STACK_BELOW + present.size };
	stack.low = stack.bytes;
	stack.present = stack.bytes;
	memcpy(stack.regs, present.regs, sizeof(stack.regs));
	stack_walk(process->maps, process->nr, &stack, copy, MAX_FRAMES, &chain);
	ours = (struct frames){ .is_whole = chain.is_whole, .is_beyond = chain.is_beyond };
	for (i = 0; i < chain.nr; i++) {
		if (chain.words[i] < PERF_CONTEXT_MAX)
			ours.ips[ours.nr++] = chain.words[i];
	}
}

static void unwind(struct process *process)
{
	enum verdict verdict;

	theirs = (struct frames){ .nr = 0 };
	theirs.is_whole = !dwfl_getthread_frames(process->dwfl, process->pid, add_frame, NULL);
	walk(process);
	verdict = compare();
	if (verdict >= SAME_CUT && verdicts[verdict] < MAX_SHOWN) {
		printf("%s\n", verdict_texts[verdict]);
		show_chain(process, "libdw", &theirs);
		show_chain(process, "tables", &ours);
	}
	verdicts[verdict]++;
}

static void add_sample(const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	struct process *process;
	struct call_frame frame;
	struct sample sample;

	if (layout_sample(layout, record->data, &sample) ||
	    !frame_begin(&frame, &sample, layout->attr.sample_regs_user))
		return;
	process = find_process(sample.pid);
	memcpy(present.regs, frame.regs, sizeof(present.regs));
	present.bytes = sample.stack;
	present.size = sample.stack_size;
	if (make_dwfl(process))
		unwind(process);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1, ret;
	u64 nr = 0, nr_same;
	static struct reader reader;
	struct record record;
	size_t i;

	if (fd < 0 || reader_open(&reader, fd)) {
		fprintf(stderr, "chain_agree: cannot read %s\n", argc == 2 ? argv[1] : "no file");
		return 1;
	}
	while ((ret = reader_next(&reader, &record)) > 0) {
		if (record.event && record.header.type == PERF_RECORD_SAMPLE)
			add_sample(&record);
		else
			apply(&record);
	}
	for (i = 0; i < NR_VERDICTS; i++) {
		nr += verdicts[i];
		if (verdicts[i])
			printf("  %llu %s\n", verdicts[i], verdict_texts[i]);
	}
	nr_same = verdicts[SAME_WHOLE] + verdicts[SAME_BEYOND];
	printf("%llu of %llu chains by tables agree with libdw's, %.2f %%\n", nr_same, nr,
	       nr ? 100.0 * nr_same / nr : 0);
	return ret < 0;
}
