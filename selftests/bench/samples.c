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
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "events/event_attr.h"
#include "live/dsos.h"
#include "perfdata/buildid.h"
#include "perfdata/record_make.h"
#include "perfdata/writer.h"

#define PROCESSES	200
#define CPUS		8
#define ROUND		500	/* samples per CPU */
#define KERNEL		0xffffffff81000000ULL
#define KERNEL_SIZE	0x1000000ULL
#define SPACE		0x10000000ULL	/* distance between the addresses of binaries */
#define FIRST		0x7f0000000000ULL
#define MAX_BINARIES	64
#define PLACES		4000	/* sampled addresses in each binary and in the kernel */

struct binary {
	const char *path;
	u64	offset;
	u64	size;
	struct build_id id;
};

static struct perfdata_event event = { .id = 1, .name = "nmi" };
static struct binary binaries[MAX_BINARIES];
static int nr_binaries;

/* Find the executable segment of a file. */
static bool find_code(Elf *elf, struct binary *binary)
{
	GElf_Phdr part;
	size_t nr, i;

	if (!elf || elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &part) || part.p_type != PT_LOAD ||
		    !(part.p_flags & PF_X))
			continue;
		binary->offset = part.p_offset & ~4095ULL;
		binary->size = part.p_filesz;
		return part.p_filesz && part.p_filesz < SPACE;
	}
	return false;
}

static void add_binary(const char *path)
{
	struct binary *binary = &binaries[nr_binaries];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);

	binary->path = path;
	if (find_code(elf, binary) && !build_id_of_file(path, &binary->id))
		nr_binaries++;
	elf_end(elf);
	close(fd);
}

static void make_past(struct bytes *out)
{
	struct record_trailer kernel = { .pid = -1, .id = 1 };
	struct mapping text = { .start = KERNEL, .len = KERNEL_SIZE, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };
	char name[16];

	record_kernel_mmap(out, &kernel, &text);
	for (u32 pid = 1000; pid < 1000 + PROCESSES; pid++) {
		struct record_trailer task = { .pid = pid, .tid = pid, .id = 1 };

		snprintf(name, sizeof(name), "task%u", pid % 50);
		record_comm(out, &task, name);
		for (int i = 0; i < nr_binaries; i++) {
			struct mapping map = { .start = FIRST + i * SPACE, .len = binaries[i].size,
					       .pgoff = binaries[i].offset, .prot = 5, .flags = 2,
					       .name = binaries[i].path,
					       .build_id = binaries[i].id };

			record_mmap2(out, &task, &map);
		}
	}
}

/* Return a random number below @range; small numbers are far more frequent. */
static u64 skewed(u64 range)
{
	double dice = drand48();

	return dice * dice * dice * range;
}

/* Return one of PLACES offsets in code of @size bytes. */
static u64 place_in(u64 size)
{
	return skewed(PLACES) * size / PLACES;
}

static void add_sample(struct bytes *out, u64 time, u32 cpu)
{
	bool is_kernel = random() % 4 == 0;
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.size = sizeof(header) + 6 * sizeof(u64),
	};
	u32 pid = 1000 + skewed(PROCESSES);
	int nr = skewed(nr_binaries);

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, event.id);
	bytes_add_u64(out, is_kernel ? KERNEL + place_in(KERNEL_SIZE) :
				       FIRST + nr * SPACE + place_in(binaries[nr].size));
	bytes_add_u32(out, pid);
	bytes_add_u32(out, pid);
	bytes_add_u64(out, time);
	bytes_add_u64(out, cpu);
	bytes_add_u64(out, 1000000);
}

static void make_round(struct bytes *out, u64 time)
{
	for (u32 cpu = 0; cpu < CPUS; cpu++) {
		for (int i = 0; i < ROUND; i++)
			add_sample(out, time + i * CPUS + cpu, cpu);
	}
	record_finished_round(out);
}

static void make_event(void)
{
	struct tprof_lx_backend clock = { .flags = TPROF_LX_BACKEND_CLOCK,
					  .min_period = 1000, .max_period = NSEC_PER_SEC };
	struct event_defaults defaults = { .freq = 1000, .clockid = CLOCK_MONOTONIC };
	struct event_spec spec = { .name = "nmi" };
	struct message msg;

	if (event_attr(&spec, &defaults, &clock, true, &event.attr, &msg))
		errx(1, "%s", msg.text);
}

/* Add the build-id of the running kernel. The recording has another kernel address. */
static void add_ids(struct feature_set *features)
{
	struct dso_set dsos = { 0 };
	struct build_id id;

	if (!build_id_of_kernel(&id))
		dso_set_add(&dsos, PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]", &id);
	dso_set_write(&dsos, &features->section[PERFDATA_BUILD_ID]);
	dso_set_free(&dsos);
}

static void append(struct writer *writer, struct bytes *records)
{
	size_t written;

	if (writer_append(writer, records->data, records->len, &written))
		errx(1, "the file cannot be written");
	records->len = 0;
}

int main(int argc, char **argv)
{
	long left = argc > 3 ? atol(argv[2]) * 1000000 : 0;
	struct writer writer;
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	u64 time = NSEC_PER_SEC;
	int fd;

	if (left <= 0)
		errx(2, "usage: samples FILE MILLIONS BINARY...");
	elf_version(EV_CURRENT);
	for (int i = 3; i < argc && nr_binaries < MAX_BINARIES; i++)
		add_binary(argv[i]);
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	make_event();
	features_add_events(&features, &event, 1);
	if (!nr_binaries || writer_begin(&writer, fd, false, &event, 1, &features))
		errx(1, "%s cannot be written, or there is no binary", argv[1]);
	writer.tail = 4096;
	make_past(&records);
	for (; left > 0; left -= CPUS * ROUND, time += CPUS * ROUND) {
		make_round(&records, time);
		append(&writer, &records);
	}
	add_ids(&features);
	if (writer_end(&writer, &features))
		errx(1, "%s cannot be written", argv[1]);
	printf("%d processes, %d binaries\n", PROCESSES, nr_binaries);
	bytes_free(&records);
	features_free(&features);
	return 0;
}
