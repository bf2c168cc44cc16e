// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - write a large synthetic recording
 *
 * usage: samples FILE MILLIONS BINARY...
 *
 * 200 processes map all binaries. Each sample has a random address in a binary or in the
 * kernel. Some addresses are far more frequent than others.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "recording.h"

#define PROCESSES	200
#define CPUS		8
#define ROUND		500	/* samples of each CPU between FINISHED_ROUND records */
#define FIRST		0x7f0000000000ULL
#define PLACES		4000	/* sampled addresses in each binary and in the kernel */

static struct recording recording;

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

/* Return a random number below @range. Small numbers are far more frequent. */
static u64 skewed(u64 range)
{
	double dice = drand48();

	return dice * dice * dice * range;
}

/* Return one of PLACES offsets below @size. */
static u64 place_in(u64 size)
{
	return skewed(PLACES) * size / PLACES;
}

static void add_sample(struct bytes *out, u64 time, u32 cpu)
{
	bool is_kernel = random() % 4 == 0;
	u32 pid = 1000 + skewed(PROCESSES);
	int nr = skewed(recording.nr_binaries);
	struct record_trailer task = { .pid = pid, .tid = pid, .time = time, .cpu = cpu, .id = 1 };
	u64 ip = is_kernel ? KERNEL + place_in(KERNEL_SIZE) :
			     FIRST + nr * SPACE + place_in(recording.binaries[nr].size);

	recording_add_sample(out, &task, is_kernel, ip, NULL, 0);
}

static void make_round(struct bytes *out, u64 time)
{
	for (u32 cpu = 0; cpu < CPUS; cpu++) {
		for (int i = 0; i < ROUND; i++)
			add_sample(out, time + i * CPUS + cpu, cpu);
	}
	record_finished_round(out);
}

int main(int argc, char **argv)
{
	long left = argc > 3 ? atol(argv[2]) * 1000000 : 0;
	struct bytes records = { 0 };
	u64 time = NSEC_PER_SEC;

	if (left <= 0)
		errx(2, "usage: samples FILE MILLIONS BINARY...");
	recording_begin(&recording, argv[1], argv + 3, argc - 3, false);
	make_past(&records);
	for (; left > 0; left -= CPUS * ROUND, time += CPUS * ROUND) {
		make_round(&records, time);
		recording_add(&recording, &records);
	}
	recording_end(&recording);
	printf("%d processes, %d binaries\n", PROCESSES, recording.nr_binaries);
	bytes_free(&records);
	return 0;
}
