// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - make the unwind table of a binary
 *
 * libdw looks at the description of a function from its beginning for each range of it. So two
 * threads make a large table, each for one half of the code.
 *
 * Each thread has a handle of libdw of its own. The parts meet where a range ends, so the
 * rules are the same as those of one thread. They (steps.h) are then added to a table in the
 * order of file offsets; table.h merges neighbours with the same rule and divides the rows
 * into pages of 64 KiB.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/huge_pages.h"
#include "base/thread.h"
#include "unwind/eh_frame.h"
#include "unwind/object.h"
#include "unwind/part.h"

/* Maximum size of a binary. It is read into memory: another user may change the file. */
#define MAX_SIZE	(1LL << 30)

/* A table of a smaller binary takes so short that a second thread is of no use. */
#define MIN_SIZE	(1 << 20)

#define MAX_PARTS	2

/**
 * struct reading - a part and the thread that reads it
 * @part:	the part
 * @thread:	the thread
 * @has_thread:	there is a thread; else the caller of read_parts() reads the part
 * @err:	0 or -errno
 */
struct reading {
	struct unwind_part part;
	pthread_t thread;
	bool	has_thread;
	int	err;
};

/* Complete the list of pages. */
static int close_table(struct unwind_table *table)
{
	u32 *pages = realloc(table->pages, (table->nr_pages + 1) * sizeof(*pages));

	if (!pages)
		return -ENOMEM;
	table->pages = pages;
	pages[table->nr_pages] = table->nr_rows;
	return 0;
}

static void add_counts(struct unwind_table *table, const struct unwind_part *part)
{
	u32 i;

	for (i = 0; i < UNWIND_NR_LOSSES; i++)
		table->losses[i] += part->losses[i];
	for (i = 0; i < UNWIND_NR_SOURCES; i++)
		table->sources[i] += part->sources[i];
	table->text_bytes += part->text_bytes;
}

/* Return whether a section describes code. A table of stubs alone is worth nothing. */
static bool is_described(const struct unwind_table *table)
{
	u32 i;

	for (i = 0; i < UNWIND_STUBS; i++) {
		if (table->sources[i])
			return true;
	}
	return false;
}

/* A refused .sframe is the reason for a table without rows, and else a loss. */
static int check_sframe(struct unwind_table *table, int sframe_err)
{
	if (!is_described(table))
		return sframe_err ? sframe_err : -ENODATA;
	table->losses[UNWIND_SFRAME_UNKNOWN] += sframe_err == -ENOTSUP;
	table->losses[UNWIND_SFRAME_DAMAGED] += sframe_err == -EBADMSG;
	return 0;
}

/* Make the table of the parts, which are in the order of file offsets. */
static int build(const struct reading *readings, u32 nr, struct unwind_table *table)
{
	struct table_builder builder = { .table.build_id = table->build_id };
	int err = 0;
	u32 i;

	for (i = 0; i < nr && !err; i++) {
		err = readings[i].err;
		if (!err)
			err = steps_build(&readings[i].part.steps, &builder);
		add_counts(&builder.table, &readings[i].part);
	}
	if (!err)
		err = check_sframe(&builder.table, readings[0].part.sframe_err);
	if (!err)
		err = close_table(&builder.table);
	*table = builder.table;
	builder_free(&builder);
	return err;
}

static void *read_part(void *arg)
{
	struct reading *reading = arg;

	reading->err = unwind_part_read(&reading->part);
	return NULL;
}

/* Read the first part in this thread and the others in threads of their own, if possible. */
static void read_parts(struct reading *readings, u32 nr)
{
	u32 i;

	for (i = 1; i < nr; i++)
		readings[i].has_thread = !thread_start(&readings[i].thread, read_part,
						       &readings[i]);
	for (i = 0; i < nr; i++) {
		if (!readings[i].has_thread)
			read_part(&readings[i]);
	}
	for (i = 1; i < nr; i++) {
		if (readings[i].has_thread)
			pthread_join(readings[i].thread, NULL);
	}
}

/* Divide the code into at most @max parts, and open them. Set *@nr to their number. */
static int open_parts(struct reading *readings, const struct unwind_image *image, u32 max, u32 *nr)
{
	int err = unwind_part_open(&readings[0].part, image, 0, UINT64_MAX);
	u64 middle;

	*nr = 1;
	middle = err || max < 2 ? 0 : unwind_part_middle(&readings[0].part);
	if (!middle)
		return err;
	readings[0].part.to = middle;
	*nr = 2;
	return unwind_part_open(&readings[1].part, image, middle, UINT64_MAX);
}

static int make_table(const struct unwind_image *image, u32 max, struct unwind_table *table)
{
	struct reading readings[MAX_PARTS] = { 0 };
	u32 nr, i;
	int err;

	table->build_id = image->build_id;
	err = open_parts(readings, image, max, &nr);
	if (!err) {
		read_parts(readings, nr);
		err = build(readings, nr, table);
	}
	for (i = 0; i < nr; i++)
		unwind_part_close(&readings[i].part);
	return err;
}

/* Return true if this is a program or library for x86-64, and set @header. */
static bool is_x86_64(Elf *elf, GElf_Ehdr *header)
{
	return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, header) &&
	       header->e_machine == EM_X86_64 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       (header->e_type == ET_EXEC || header->e_type == ET_DYN);
}

static int find_build_id(Elf *elf, struct build_id *id)
{
	const void *bits;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &bits);

	if (len <= 0 || len > BUILD_ID_MAX)
		return -ENOKEY;
	id->size = len;
	memcpy(id->data, bits, len);
	return 0;
}

static int read_header(struct unwind_image *image)
{
	Elf *elf = elf_memory(image->bytes, image->size);
	int err = -ENOEXEC;
	GElf_Ehdr header;

	if (elf && is_x86_64(elf, &header)) {
		image->entry = header.e_entry;
		err = find_build_id(elf, &image->build_id);
		if (!err)
			err = eh_frame_check(elf, image->bytes, image->size);
	}
	elf_end(elf);
	return err;
}

/*
 * Read a file into memory. It is not mapped, as its owner may change it meanwhile, or make it
 * shorter, so that reading it would end this process. Return 0 or -errno.
 */
static int read_whole(int fd, char *bytes, size_t room, size_t *size)
{
	ssize_t len;

	for (*size = 0; *size < room; *size += len) {
		len = pread(fd, bytes + *size, room - *size, *size);
		if (len < 0)
			return -errno;
		if (!len)
			break;
	}
	return 0;
}

static u32 count_cpus(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

/*
 * As unwind_object(), with at most @max threads; 0 stands for as many as are of use. The table does
 * not depend on their number.
 */
int unwind_object_by(int fd, u32 max, const atomic_bool *is_unwanted, struct unwind_table *table)
{
	struct unwind_image image = { .fd = fd, .is_unwanted = is_unwanted };
	struct stat st;
	size_t room;
	int err;

	*table = (struct unwind_table){ 0 };
	elf_version(EV_CURRENT);
	if (fstat(fd, &st))
		return -errno;
	if (st.st_size > MAX_SIZE)
		return -EFBIG;
	if (!max)
		max = st.st_size < MIN_SIZE ? 1 : count_cpus();
	room = st.st_size ? st.st_size : 1;
	image.bytes = huge_alloc(room);
	if (!image.bytes)
		return -ENOMEM;
	err = read_whole(fd, image.bytes, room, &image.size);
	if (!err)
		err = read_header(&image);
	if (!err)
		err = make_table(&image, max, table);
	huge_free(image.bytes, room);
	return err;
}

/*
 * Make the table of the binary @fd. Return 0; -ENOEXEC if it is no program or library for
 * x86-64; -ENOKEY without a build-id; -ENODATA if it describes no code; -ENOTSUP if only an
 * .sframe of an unknown version does; -EBADMSG if it is damaged; -ETIME or -EFBIG if it describes
 * too much; else -errno. -ETIME also if another thread has set @is_unwanted, which may be NULL. The
 * caller frees the table in any case.
 */
int unwind_object(int fd, const atomic_bool *is_unwanted, struct unwind_table *table)
{
	return unwind_object_by(fd, 0, is_unwanted, table);
}
