// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - write a large recording of a busy machine
 *
 * usage: machine FILE MILLIONS FRAMES BINARY...
 *
 * The rings of 16 CPUs are written to the file after every 65536 samples. 200
 * processes run. After about every 500 samples, one of them exits and another is
 * forked. The new process executes a program and maps ten binaries, the first of
 * them at a random address. 30 % of the samples are in the kernel. 95 % of the
 * sampled addresses are distributed by Zipf's law, 5 % evenly. The call chain of a sample
 * has FRAMES frames, the sampled address included. The addresses of callers are distributed
 * by Zipf's law.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define CPUS		16
#define ROUND		65536
#define PROCESSES	200
#define MAPPED		10
#define LIFE		500	/* mean number of samples between exits */
#define SLICE		50	/* mean number of samples between task switches on a CPU */
#define PLACES		20000	/* sampled addresses in each binary and in the kernel */
#define MAX_FRAMES	64

struct process {
	u32	pid;
	u64	base;
	int	binaries[MAPPED];
};

static struct recording recording;
static struct process processes[PROCESSES];
static struct bytes rings[CPUS];
static struct process *running[CPUS];
static u64 now = NSEC_PER_SEC;
static u32 next_pid = 1000;

/* Return a random K, 1 <= K < @range, with a probability proportional to 1 / K. */
static u64 zipf(u64 range)
{
	return exp(drand48() * log(range));
}

/*
 * Return a random offset below @size. Some offsets are far more frequent than
 * others; the frequent offsets are spread over all of @size. A caller is always at one of
 * PLACES offsets: a program has far fewer calls than instructions.
 */
static u64 place_in(u64 size, bool is_caller)
{
	if (!is_caller && random() % 20 == 0)
		return random() % size;
	return zipf(PLACES) * 0x9e3779b97f4a7c15ULL % PLACES * size / PLACES;
}

static u64 address(const struct process *process, bool is_kernel, bool is_caller)
{
	u64 nr = zipf(MAPPED + 1) - 1;

	if (is_kernel)
		return KERNEL + place_in(KERNEL_SIZE, is_caller);
	return process->base + nr * SPACE +
	       place_in(recording.binaries[process->binaries[nr]].size, is_caller);
}

static struct record_trailer trailer(u32 pid, u32 cpu)
{
	return (struct record_trailer){ .pid = pid, .tid = pid, .time = now, .cpu = cpu, .id = 1 };
}

/* Set header.misc of the record at @at in @ring. */
static void set_misc(struct bytes *ring, size_t at, u16 misc)
{
	memcpy(ring->data + at + offsetof(struct perf_event_header, misc), &misc, sizeof(misc));
}

/* Add records of a fork, an exec, and the mappings of the new program. */
static void start(struct process *process, u32 parent, u32 cpu)
{
	struct record_trailer task = trailer(next_pid++, cpu);
	struct bytes *ring = &rings[cpu];
	size_t at = ring->len;
	char name[16];

	process->pid = task.pid;
	process->base = 0x7f0000000000ULL + (random() % 0x100000 << 12);
	record_fork(ring, &task, parent, parent);
	set_misc(ring, at, 0);
	snprintf(name, sizeof(name), "task%u", task.pid % 50);
	at = ring->len;
	record_comm(ring, &task, name);
	set_misc(ring, at, PERF_RECORD_MISC_COMM_EXEC);
	for (int i = 0; i < MAPPED; i++) {
		process->binaries[i] = zipf(recording.nr_binaries + 1) - 1;
		recording_add_map(ring, &task, &recording.binaries[process->binaries[i]],
				  process->base + i * SPACE);
	}
}

/* Add an EXIT record, which has the same members as FORK. */
static void end(const struct process *process, u32 cpu)
{
	struct record_trailer task = trailer(process->pid, cpu);
	const u32 type = PERF_RECORD_EXIT;
	size_t at = rings[cpu].len;

	record_fork(&rings[cpu], &task, 1, 1);
	memcpy(rings[cpu].data + at, &type, sizeof(type));
	set_misc(&rings[cpu], at, 0);
}

static void add_sample(u32 cpu, u64 nr_frames)
{
	bool is_kernel = random() % 10 < 3;
	struct record_trailer task;
	u64 frames[MAX_FRAMES];

	if (!running[cpu] || random() % SLICE == 0)
		running[cpu] = &processes[random() % PROCESSES];
	task = trailer(running[cpu]->pid, cpu);
	frames[0] = address(running[cpu], is_kernel, false);
	for (u64 i = 1; i < nr_frames; i++)
		frames[i] = address(running[cpu], is_kernel, true);
	recording_add_sample(&rings[cpu], &task, is_kernel, frames[0], frames, nr_frames);
}

static void finish_round(void)
{
	for (u32 cpu = 0; cpu < CPUS; cpu++)
		recording_add(&recording, &rings[cpu]);
	record_finished_round(&rings[0]);
	recording_add(&recording, &rings[0]);
}

int main(int argc, char **argv)
{
	long nr = argc > 4 ? atol(argv[2]) * 1000000 : 0;
	long nr_frames = argc > 4 ? atol(argv[3]) : 0;
	struct process *process;

	if (nr <= 0 || nr_frames < 0 || nr_frames > MAX_FRAMES)
		errx(2, "usage: machine FILE MILLIONS FRAMES BINARY...");
	recording_begin(&recording, argv[1], argv + 4, argc - 4, nr_frames);
	recording_add_kernel(&rings[0]);
	for (int i = 0; i < PROCESSES; i++)
		start(&processes[i], 1, 0);
	for (long i = 1; i <= nr; i++) {
		now += random() % 100;
		add_sample(random() % CPUS, nr_frames);
		if (random() % LIFE == 0) {
			process = &processes[random() % PROCESSES];
			end(process, random() % CPUS);
			start(process, processes[0].pid, random() % CPUS);
		}
		if (i % ROUND == 0)
			finish_round();
	}
	finish_round();
	recording_end(&recording);
	printf("%u processes, %d binaries\n", next_pid - 1000, recording.nr_binaries);
	return 0;
}
