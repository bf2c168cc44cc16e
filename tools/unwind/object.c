// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - make the unwind table of a binary from its call frame information
 *
 * A damaged binary may describe very much; so the time is bounded.
 */
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "unwind/call_frames.h"
#include "unwind/object.h"
#include "unwind/rule.h"

/* Functions are aligned by at most so many bytes less one, which have no rule of their own. */
#define PADDING		16

/* Maximum size of the code at the entry point, which may have no rules. */
#define ENTRY_BYTES	128

/* In a gap, look at each address at first, and then at each PADDING'th. */
#define CLOSE		64

#define MAX_SEGMENTS	64
#define MAX_SECONDS	20

/* Maximum size of a binary. It is read into memory: another user may change the file. */
#define MAX_SIZE	(1LL << 30)

/* Look at the clock after so many searches for a range. */
#define SEARCHES_PER_LOOK	64

/**
 * struct range - code with one rule
 * @begin:	first address
 * @end:	address after it
 * @rule:	the rule
 */
struct range {
	u64	begin;
	u64	end;
	struct tprof_lx_unwind_rule rule;
};

/**
 * struct making - a table that is made of a binary
 * @builder:	the table
 * @frames:	call frame information of the binary
 * @file:	contents of the binary
 * @entry:	address of the entry point
 * @to_offset:	difference of file offset and address, for the present segment
 * @until:	CPU time at which to give up, in seconds
 * @nr:		number of searches for a range
 * @is_unwanted: set by another thread to end the search, or NULL
 * @is_late:	the time is over
 */
struct making {
	struct table_builder builder;
	struct call_frames frames;
	const u8 *file;
	u64	entry;
	u64	to_offset;
	time_t	until;
	u64	nr;
	const atomic_bool *is_unwanted;
	bool	is_late;
};

static time_t cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec;
}

static bool is_late(const struct making *making)
{
	return (making->is_unwanted && atomic_load(making->is_unwanted)) ||
	       cpu_seconds() > making->until;
}

/* Find the range with @addr. Return false if the binary describes none. */
static bool find_range(struct making *making, u64 addr, struct range *range)
{
	Dwarf_Addr begin, end;
	Dwarf_Frame *frame;
	bool is_signal;

	if (!(++making->nr % SEARCHES_PER_LOOK) && is_late(making))
		making->is_late = true;
	frame = call_frames_find(&making->frames, addr);
	if (!frame)
		return false;
	if (dwarf_frame_info(frame, &begin, &end, &is_signal) < 0 || begin > addr || end <= addr) {
		free(frame);
		return false;
	}
	range->begin = begin;
	range->end = end;
	range->rule = unwind_rule(frame, is_signal, making->builder.table.losses);
	free(frame);
	return true;
}

/*
 * Return true if code has only bytes of which compilers and linkers make padding: nop, int3
 * and their prefixes and operands. No function can consist of these, as it has to end.
 */
static bool is_padding(const u8 *code, size_t len)
{
	while (len--) {
		switch (*code++) {
		case 0x00:
		case 0x0f:
		case 0x1f:
		case 0x2e:
		case 0x40:
		case 0x44:
		case 0x66:
		case 0x80:
		case 0x84:
		case 0x90:
		case 0xcc:
			continue;
		default:
			return false;
		}
	}
	return true;
}

/* Skip padding up to the next aligned address. Return @addr if there is none. */
static u64 skip_padding(const struct making *making, u64 addr, u64 limit)
{
	u64 aligned = ALIGN_UP(addr, PADDING);

	if (aligned >= limit ||
	    !is_padding(making->file + (addr + making->to_offset), aligned - addr))
		return addr;
	return aligned;
}

/*
 * Find the first range at or after @addr and before @limit. In padding, and where nothing is
 * described for long, not each address is tried, but ranges before the one that is found are.
 */
static bool find_next(struct making *making, u64 addr, u64 limit, struct range *range)
{
	struct range before = { 0 };
	u64 at = skip_padding(making, addr, limit);

	while (at < limit && !making->is_late && !find_range(making, at, range))
		at += at - addr < CLOSE ? 1 : PADDING;
	if (at >= limit || making->is_late)
		return false;
	while (at != addr && range->begin > addr &&
	       find_range(making, range->begin - 1, &before) && before.begin < range->begin)
		*range = before;
	if (range->begin < addr)
		range->begin = addr;
	if (range->end > limit)
		range->end = limit;
	return true;
}

static bool has_entry(const struct making *making, u64 begin, u64 end)
{
	return making->entry >= begin && making->entry < end;
}

/*
 * The kernel starts a process at the entry point of its dynamic linker, in assembly that often has
 * no rules. Let the code there be an outermost frame, in a gap up to @next.
 */
static int add_entry(struct making *making, u64 begin, u64 next)
{
	static const struct tprof_lx_unwind_rule outermost = { .how = TPROF_LX_UNWIND_END };
	u64 entry = making->entry;
	int err = 0;

	if (entry - begin >= PADDING)
		err = builder_end(&making->builder, begin + making->to_offset);
	if (!err)
		err = builder_add(&making->builder, entry + making->to_offset, &outermost);
	if (!err && next - entry > ENTRY_BYTES)
		err = builder_end(&making->builder, entry + ENTRY_BYTES + making->to_offset);
	return err;
}

/* Code between two ranges has no rule, unless it is only padding, or at the entry point. */
static int end_range(struct making *making, u64 end, u64 next)
{
	if (has_entry(making, end, next))
		return add_entry(making, end, next);
	return next - end < PADDING ? 0 : builder_end(&making->builder, end + making->to_offset);
}

static int end_segment(struct making *making, u64 covered, u64 end)
{
	int err;

	if (!has_entry(making, covered, end))
		return builder_end(&making->builder, covered + making->to_offset);
	err = add_entry(making, covered, end);
	if (err || end - making->entry > ENTRY_BYTES)
		return err;
	return builder_end(&making->builder, end + making->to_offset);
}

static int add_segment(struct making *making, u64 begin, u64 end)
{
	u64 covered = 0, at = begin;
	struct range range = { 0 };
	int err = 0;

	while (!err && at < end && find_next(making, at, end, &range)) {
		if (!covered && has_entry(making, begin, range.begin))
			covered = making->entry;
		if (covered)
			err = end_range(making, covered, range.begin);
		if (!err)
			err = builder_add(&making->builder, range.begin + making->to_offset,
					  &range.rule);
		at = range.end;
		covered = range.end;
	}
	if (making->is_late)
		return -ETIME;
	return err || !covered ? err : end_segment(making, covered, end);
}

static bool is_code(const GElf_Phdr *header)
{
	return header->p_type == PT_LOAD && header->p_flags & PF_X && header->p_filesz &&
	       header->p_offset + header->p_filesz > header->p_offset &&
	       header->p_vaddr + header->p_filesz > header->p_vaddr;
}

/* The rows of a table are in the order of file offsets, and so are segments of all linkers. */
static int add_segments(struct making *making, Elf *elf, size_t size)
{
	size_t nr, i, nr_code = 0;
	GElf_Phdr header;
	u64 done = 0;
	int err = 0;

	if (elf_getphdrnum(elf, &nr))
		return -EBADMSG;
	for (i = 0; i < nr && !err; i++) {
		if (!gelf_getphdr(elf, i, &header) || !is_code(&header))
			continue;
		if (header.p_offset < done || header.p_offset + header.p_filesz > size ||
		    nr_code++ == MAX_SEGMENTS)
			return -EBADMSG;
		done = header.p_offset + header.p_filesz;
		making->to_offset = header.p_offset - header.p_vaddr;
		making->builder.table.text_bytes += header.p_filesz;
		err = add_segment(making, header.p_vaddr, header.p_vaddr + header.p_filesz);
	}
	return err;
}

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

static int add_rules(int fd, Elf *elf, u64 entry, const atomic_bool *is_unwanted,
		     struct unwind_table *table)
{
	size_t size = 0;
	struct making making = {
		.file = (const u8 *)elf_rawfile(elf, &size),
		.entry = entry,
		.until = cpu_seconds() + MAX_SECONDS,
		.is_unwanted = is_unwanted,
	};
	int err = making.file ? 0 : -ENOMEM;

	call_frames_open(&making.frames, fd, elf, &table->build_id);
	if (!err && (making.frames.eh || making.frames.debug))
		err = add_segments(&making, elf, size);
	if (!err && !making.builder.table.nr_rows)
		err = -ENODATA;
	if (!err)
		err = close_table(&making.builder.table);
	making.builder.table.build_id = table->build_id;
	*table = making.builder.table;
	builder_free(&making.builder);
	call_frames_close(&making.frames);
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

static int read_elf(int fd, Elf *elf, const atomic_bool *is_unwanted, struct unwind_table *table)
{
	GElf_Ehdr header;
	int err = is_x86_64(elf, &header) ? find_build_id(elf, &table->build_id) : -ENOEXEC;

	return err ? err : add_rules(fd, elf, header.e_entry, is_unwanted, table);
}

/*
 * Read a file into memory. It is not mapped, as its owner may change it meanwhile, or make it
 * shorter, so that reading it would end this process. Return 0 or -errno.
 */
static int read_whole(int fd, char **image, size_t *size)
{
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size > MAX_SIZE)
		return -EFBIG;
	*image = malloc(st.st_size + 1);
	if (!*image)
		return -ENOMEM;
	for (*size = 0; *size < (size_t)st.st_size; *size += len) {
		len = pread(fd, *image + *size, st.st_size - *size, *size);
		if (len < 0)
			return -errno;
		if (!len)
			break;
	}
	return 0;
}

/*
 * Make the table of the binary @fd. Return 0; -ENOEXEC if it is no program or library for
 * x86-64; -ENOKEY without a build-id; -ENODATA if it describes no code; -EBADMSG if it is
 * damaged; -ETIME or -EFBIG if it describes too much; else -errno. -ETIME also if another thread
 * has set @is_unwanted, which may be NULL. The caller frees the table in any case.
 */
int unwind_object(int fd, const atomic_bool *is_unwanted, struct unwind_table *table)
{
	char *image = NULL;
	size_t size = 0;
	int err = read_whole(fd, &image, &size);
	Elf *elf = NULL;

	*table = (struct unwind_table){ 0 };
	elf_version(EV_CURRENT);
	if (!err)
		elf = elf_memory(image, size);
	if (!err)
		err = elf ? read_elf(fd, elf, is_unwanted, table) : -ENOEXEC;
	elf_end(elf);
	free(image);
	return err;
}
