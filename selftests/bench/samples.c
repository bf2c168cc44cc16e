// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - write a large synthetic recording
 *
 * usage: samples [-u] [-n] FILE MILLIONS FRAMES BINARY...
 *
 * 200 processes map all binaries. Each sample has a random address in a binary or in the
 * kernel. Some addresses are far more frequent than others.
 *
 * With -u, all processes, all binaries and all addresses in a binary are equally frequent, and no
 * sample is in the kernel. So most addresses have only one sample, or none.
 *
 * With -n, the samples are in the order of their times, and there are no FINISHED_ROUND records.
 *
 * If FRAMES is not 0, each sample has a call chain of FRAMES frames, the sampled address
 * included. Each function calls up to CALLEES others, one of them far more often than the
 * rest, so many chains are equal, as in real programs.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recording.h"

#define PROCESSES	200
#define CPUS		8
#define ROUND		500	/* samples of each CPU between FINISHED_ROUND records */
#define FIRST		0x7f0000000000ULL
#define PLACES		4000	/* sampled addresses in each binary and in the kernel */
#define CALLEES		4
#define MAX_FRAMES	64

static struct recording recording;
static bool is_uniform, has_rounds = true;

static void make_past(struct bytes *out)
{
	char name[16];

	recording_add_kernel(out);
	for (u32 pid = 1000; pid < 1000 + PROCESSES; pid++) {
		struct record_trailer task = { .pid = pid, .tid = pid, .id = 1 };

		snprintf(name, sizeof(name), "task%u", pid % 50);
		record_comm(out, &task, name);
		for (int i = 0; i < recording.nr_binaries; i++)
			recording_add_map(out, &task, &recording.binaries[i], FIRST + i * SPACE);
	}
}

/* Return a random number below @range. Unless is_uniform, small numbers are far more frequent. */
static u64 choose(u64 range)
{
	double dice = drand48();

	return is_uniform ? dice * range : dice * dice * dice * range;
}

/* Return one of PLACES offsets below @size; any offset below it if is_uniform. */
static u64 place_in(u64 size)
{
	return is_uniform ? choose(size) : choose(PLACES) * size / PLACES;
}

static u64 address(bool is_kernel, int nr, u64 offset)
{
	return is_kernel ? KERNEL + offset : FIRST + nr * SPACE + offset;
}

/* Fill in the call chain of a sample of program @program. @frames[0] is the innermost. */
static void make_chain(bool is_kernel, u64 program, u64 *frames, u64 nr_frames)
{
	u64 function = program + 1, i, size;
	int nr;

	for (i = nr_frames; i--;) {
		function = (function * CALLEES + (u64)(pow(drand48(), 12) * CALLEES)) *
			   0x9e3779b97f4a7c15ULL;
		nr = (function >> 48) % recording.nr_binaries;
		size = is_kernel ? KERNEL_SIZE : recording.binaries[nr].size;
		frames[i] = address(is_kernel, nr, (function >> 16) % PLACES * size / PLACES);
	}
}

static void add_sample(struct bytes *out, u64 time, u32 cpu, u64 nr_frames)
{
	bool is_kernel = !is_uniform && random() % 4 == 0;
	u32 pid = 1000 + choose(PROCESSES);
	int nr = choose(recording.nr_binaries);
	struct record_trailer task = { .pid = pid, .tid = pid, .time = time, .cpu = cpu, .id = 1 };
	u64 size = is_kernel ? KERNEL_SIZE : recording.binaries[nr].size;
	u64 frames[MAX_FRAMES] = { address(is_kernel, nr, place_in(size)) };

	make_chain(is_kernel, pid % 50, frames, nr_frames);
	recording_add_sample(out, &task, is_kernel, frames[0], frames, nr_frames);
}

/* Add the samples of all CPUs, which all are at times of their own. */
static void make_round(struct bytes *out, u64 time, u64 nr_frames)
{
	if (!has_rounds) {
		for (u32 i = 0; i < CPUS * ROUND; i++)
			add_sample(out, time + i, i % CPUS, nr_frames);
		return;
	}
	for (u32 cpu = 0; cpu < CPUS; cpu++) {
		for (int i = 0; i < ROUND; i++)
			add_sample(out, time + i * CPUS + cpu, cpu, nr_frames);
	}
	record_finished_round(out);
}

int main(int argc, char **argv)
{
	struct bytes records = { 0 };
	u64 time = NSEC_PER_SEC;
	long left, nr_frames;
	int option;

	while ((option = getopt(argc, argv, "un")) > 0) {
		is_uniform |= option == 'u';
		has_rounds &= option != 'n';
	}
	argc -= optind;
	argv += optind;
	left = argc > 3 ? atol(argv[1]) * 1000000 : 0;
	nr_frames = argc > 3 ? atol(argv[2]) : 0;
	if (left <= 0 || nr_frames < 0 || nr_frames > MAX_FRAMES)
		errx(2, "usage: samples [-u] [-n] FILE MILLIONS FRAMES BINARY...");
	recording_begin(&recording, argv[0], argv + 3, argc - 3, nr_frames);
	make_past(&records);
	for (; left > 0; left -= CPUS * ROUND, time += CPUS * ROUND) {
		make_round(&records, time, nr_frames);
		recording_add(&recording, &records);
	}
	recording_end(&recording);
	printf("%d processes, %d binaries\n", PROCESSES, recording.nr_binaries);
	bytes_free(&records);
	return 0;
}
