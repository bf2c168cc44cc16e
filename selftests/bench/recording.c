// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - write a recording; shared by the generators
 */
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "events/event_attr.h"
#include "live/dsos.h"
#include "recording.h"

/*
 * Find the first executable segment of a file. Return false if there is none, if it is
 * empty, or if it does not fit in SPACE.
 */
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

static void add_binary(struct recording *recording, const char *path)
{
	struct binary *binary = &recording->binaries[recording->nr_binaries];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);

	binary->path = path;
	if (find_code(elf, binary) && !build_id_of_file(path, &binary->id))
		recording->nr_binaries++;
	elf_end(elf);
	close(fd);
}

static void make_event(struct perfdata_event *event, bool has_chains)
{
	struct tprof_lx_backend clock = { .flags = TPROF_LX_BACKEND_CLOCK,
					  .min_period = 1000, .max_period = NSEC_PER_SEC };
	struct event_defaults defaults = { .freq = 1000, .clockid = CLOCK_MONOTONIC,
					   .sample_cpu = true };
	struct event_spec spec = { .name = "nmi" };
	struct message msg;

	*event = (struct perfdata_event){ .id = 1, .name = "nmi" };
	if (event_attr(&spec, &defaults, &clock, true, &event->attr, &msg))
		errx(1, "%s", msg.text);
	if (has_chains)
		event->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
}

void recording_begin(struct recording *recording, const char *path, char **binaries, int nr,
		     bool has_chains)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	*recording = (struct recording){ 0 };
	elf_version(EV_CURRENT);
	for (int i = 0; i < nr && recording->nr_binaries < MAX_BINARIES; i++)
		add_binary(recording, binaries[i]);
	make_event(&recording->event, has_chains);
	features_add_events(&recording->features, &recording->event, 1);
	if (!recording->nr_binaries || writer_begin(&recording->writer, fd, false,
						    &recording->event, 1, &recording->features))
		errx(1, "%s cannot be written, or there is no binary", path);
	recording->writer.tail = 4096;
}

void recording_add(struct recording *recording, struct bytes *records)
{
	size_t written;

	if (writer_append(&recording->writer, records->data, records->len, &written))
		errx(1, "the file cannot be written");
	records->len = 0;
}

/*
 * Add the build-id of the running kernel. A report then uses this kernel's symbols
 * although the recorded kernel address differs.
 */
static void add_ids(struct feature_set *features)
{
	struct dso_set dsos = { 0 };
	struct build_id id;

	if (!build_id_of_kernel(&id))
		dso_set_add(&dsos, PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]", &id);
	dso_set_write(&dsos, &features->section[PERFDATA_BUILD_ID]);
	dso_set_free(&dsos);
}

void recording_end(struct recording *recording)
{
	add_ids(&recording->features);
	if (writer_end(&recording->writer, &recording->features))
		errx(1, "the file cannot be written");
	features_free(&recording->features);
}

void recording_add_kernel(struct bytes *out)
{
	struct record_trailer kernel = { .pid = -1, .id = 1 };
	struct mapping text = { .start = KERNEL, .len = KERNEL_SIZE, .pgoff = KERNEL,
				.name = "[kernel.kallsyms]_text" };

	record_kernel_mmap(out, &kernel, &text);
}

void recording_add_map(struct bytes *out, const struct record_trailer *task,
		       const struct binary *binary, u64 start)
{
	struct mapping map = { .start = start, .len = binary->size, .pgoff = binary->offset,
			       .prot = 5, .flags = 2, .name = binary->path,
			       .build_id = binary->id };

	record_mmap2(out, task, &map);
}

void recording_add_sample(struct bytes *out, const struct record_trailer *task, bool is_kernel,
			  u64 ip, const u64 *chain, u64 nr)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.size = sizeof(header) + (6 + (nr ? nr + 2 : 0)) * sizeof(u64),
	};

	bytes_add(out, &header, sizeof(header));
	bytes_add_u64(out, task->id);
	bytes_add_u64(out, ip);
	bytes_add_u32(out, task->pid);
	bytes_add_u32(out, task->tid);
	bytes_add_u64(out, task->time);
	bytes_add_u64(out, task->cpu);
	bytes_add_u64(out, 1000000);
	if (!nr)
		return;
	bytes_add_u64(out, nr + 1);
	bytes_add_u64(out, is_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
	bytes_add(out, chain, nr * sizeof(*chain));
}
