// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the rules of a part of the code of a binary
 *
 * A damaged binary may describe very much; so the time is bounded.
 */
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/part.h"
#include "unwind/rule.h"

/* Functions are aligned by at most so many bytes less one, which have no rule of their own. */
#define PADDING		16

/* Maximum size of the code at the entry point, which may have no rules. */
#define ENTRY_BYTES	128

/* In a gap, look at each address at first, and then at each PADDING'th. */
#define CLOSE		64

/* All code ends below this address, so that the next aligned address does not overflow. */
#define MAX_ADDR	(UINT64_MAX - UNWIND_PAGE)

#define MAX_SEGMENTS	64

/* CPU time for the rules of a part, and for the search of where to divide the code. */
#define MAX_SECONDS	20
#define MAX_SECONDS_TO_DIVIDE	2

static time_t seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec;
}

/*
 * Note if the time is over. A search in a damaged binary may take long, so this is called before
 * each. The CPU time costs a system call: it is read once a second.
 */
static void look_at_time(struct unwind_part *part)
{
	const atomic_bool *is_unwanted = part->image->is_unwanted;
	time_t now = seconds_of(CLOCK_MONOTONIC_COARSE);

	if (is_unwanted && atomic_load_explicit(is_unwanted, memory_order_relaxed))
		part->is_late = true;
	if (now == part->looked_at)
		return;
	part->looked_at = now;
	if (seconds_of(CLOCK_THREAD_CPUTIME_ID) > part->until)
		part->is_late = true;
}

/* Find the range with @addr of .eh_frame or .debug_frame. Return false if there is none. */
static bool find_range(struct unwind_part *part, u64 addr, struct unwind_range *range)
{
	Dwarf_Addr begin, end;
	Dwarf_Frame *frame;
	bool is_signal;

	look_at_time(part);
	if (part->is_late)
		return false;
	frame = call_frames_find(&part->frames, addr, &range->source);
	if (!frame)
		return false;
	if (dwarf_frame_info(frame, &begin, &end, &is_signal) < 0 || begin > addr || end <= addr) {
		free(frame);
		return false;
	}
	range->begin = begin;
	range->end = end;
	range->rule = unwind_rule(frame, is_signal, part->losses);
	free(frame);
	return true;
}

/*
 * Return true if code has only bytes of which compilers and linkers make padding: nop, int3
 * and their prefixes and operands. No function can consist of these, as it has to end.
 */
static bool is_padding(const char *code, size_t len)
{
	while (len--) {
		switch ((u8)*code++) {
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
static u64 skip_padding(const struct unwind_part *part, u64 addr, u64 limit)
{
	u64 aligned = ALIGN_UP(addr, PADDING);

	if (aligned >= limit ||
	    !is_padding(part->image->bytes + (addr + part->to_offset), aligned - addr))
		return addr;
	return aligned;
}

/*
 * Find the first range of .eh_frame or .debug_frame at or after @addr and before @limit. In
 * padding, and where nothing is described for long, not each address is tried, but the last one is,
 * and so are the ranges before the one that is found.
 */
static bool find_frames(struct unwind_part *part, u64 addr, u64 limit, struct unwind_range *range)
{
	struct unwind_range before = { 0 };
	u64 at;

	if (!part->frames.eh && !part->frames.debug)
		return false;
	at = skip_padding(part, addr, limit);
	while (!part->is_late && !find_range(part, at, range)) {
		if (at == limit - 1)
			return false;
		at += at - addr < CLOSE ? 1 : PADDING;
		at = at < limit ? at : limit - 1;
	}
	if (part->is_late)
		return false;
	while (at != addr && range->begin > addr &&
	       find_range(part, range->begin - 1, &before) && before.begin < range->begin)
		*range = before;
	if (range->begin < addr)
		range->begin = addr;
	if (range->end > limit)
		range->end = limit;
	return true;
}

/*
 * Find the first range at or after @addr and before @limit. .sframe has those between others, and
 * stubs are what no section describes.
 */
static bool find_next(struct unwind_part *part, u64 addr, u64 limit, struct unwind_range *range)
{
	struct unwind_range *ahead = &part->ahead;
	u64 next;

	if (ahead->end <= addr && !find_frames(part, addr, limit, ahead))
		*ahead = (struct unwind_range){ .begin = limit, .end = UINT64_MAX };
	look_at_time(part);
	if (part->is_late)
		return false;
	if (!sframe_find(&part->sframe, addr, ahead->begin, range, part->losses))
		*range = *ahead;
	next = range->begin < limit ? range->begin : limit;
	return stubs_find(&part->stubs, addr, next, range) || range->begin < limit;
}

static bool has_entry(const struct unwind_part *part, u64 begin, u64 end)
{
	return part->image->entry >= begin && part->image->entry < end;
}

/*
 * The kernel starts a process at the entry point of its dynamic linker, in assembly that often has
 * no rules. Let the code there be an outermost frame, in a gap up to @next.
 */
static int add_entry(struct unwind_part *part, u64 begin, u64 next)
{
	static const struct tprof_lx_unwind_rule outermost = { .how = TPROF_LX_UNWIND_END };
	u64 entry = part->image->entry;
	int err = 0;

	if (entry - begin >= PADDING)
		err = steps_end(&part->steps, begin + part->to_offset);
	if (!err)
		err = steps_add(&part->steps, entry + part->to_offset, &outermost);
	if (!err && next - entry > ENTRY_BYTES)
		err = steps_end(&part->steps, entry + ENTRY_BYTES + part->to_offset);
	return err;
}

/* Code between two ranges has no rule, unless it is only padding, or at the entry point. */
static int end_range(struct unwind_part *part, u64 end, u64 next)
{
	if (has_entry(part, end, next))
		return add_entry(part, end, next);
	return next - end < PADDING ? 0 : steps_end(&part->steps, end + part->to_offset);
}

static int end_segment(struct unwind_part *part, u64 covered, u64 end)
{
	int err;

	if (!has_entry(part, covered, end))
		return steps_end(&part->steps, covered + part->to_offset);
	err = add_entry(part, covered, end);
	if (err || end - part->image->entry > ENTRY_BYTES)
		return err;
	return steps_end(&part->steps, end + part->to_offset);
}

/*
 * Add the ranges from @begin to @end. If the part before this one ends at @begin, a range of it
 * does so. Set *@covered to the end of the last range; it is 0 before the first of a segment.
 */
static int add_ranges(struct unwind_part *part, u64 begin, u64 end, u64 *covered)
{
	struct unwind_range range = { 0 };
	u64 at = begin;
	int err = 0;

	part->ahead = (struct unwind_range){ 0 };
	while (!err && at < end && find_next(part, at, end, &range)) {
		if (!*covered && has_entry(part, begin, range.begin))
			*covered = part->image->entry;
		if (*covered)
			err = end_range(part, *covered, range.begin);
		if (!err)
			err = steps_add(&part->steps, range.begin + part->to_offset, &range.rule);
		part->sources[range.source]++;
		at = range.end;
		*covered = range.end;
	}
	return part->is_late ? -ETIME : err;
}

/* Add the part of a segment that is in this part of the code. */
static int add_segment(struct unwind_part *part, const GElf_Phdr *header)
{
	u64 end = header->p_offset + header->p_filesz, covered, begin, limit;
	int err;

	part->to_offset = header->p_offset - header->p_vaddr;
	begin = (part->from > header->p_offset ? part->from : header->p_offset) - part->to_offset;
	limit = (part->to < end ? part->to : end) - part->to_offset;
	part->text_bytes += limit - begin;
	covered = part->from > header->p_offset ? begin : 0;
	err = add_ranges(part, begin, limit, &covered);
	if (err || !covered)
		return err;
	if (part->to >= end)
		return end_segment(part, covered, limit);
	return covered < limit ? end_range(part, covered, limit) : 0;
}

static bool is_code(const GElf_Phdr *header)
{
	return header->p_type == PT_LOAD && header->p_flags & PF_X && header->p_filesz &&
	       header->p_offset + header->p_filesz > header->p_offset &&
	       header->p_vaddr < MAX_ADDR && header->p_filesz < MAX_ADDR - header->p_vaddr;
}

/*
 * Call @visit for each segment of code that has some of this part, until it fails. The rows of a
 * table are in the order of file offsets, and so are segments of all linkers.
 */
static int each_segment(struct unwind_part *part,
			int (*visit)(struct unwind_part *part, const GElf_Phdr *header))
{
	size_t nr, i, nr_code = 0;
	GElf_Phdr header;
	u64 done = 0;
	int err = 0;

	if (elf_getphdrnum(part->elf, &nr))
		return -EBADMSG;
	for (i = 0; i < nr && !err; i++) {
		if (!gelf_getphdr(part->elf, i, &header) || !is_code(&header))
			continue;
		if (header.p_offset < done ||
		    header.p_offset + header.p_filesz > part->image->size ||
		    nr_code++ == MAX_SEGMENTS)
			return -EBADMSG;
		done = header.p_offset + header.p_filesz;
		if (part->from < done && part->to > header.p_offset)
			err = visit(part, &header);
	}
	return err;
}

static void begin_time(struct unwind_part *part, time_t seconds)
{
	part->until = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
}

/* Open .sframe, which may be damaged: there may be other sources. Return 0 or -ENOMEM. */
static int open_sframe(struct unwind_part *part)
{
	const struct unwind_image *image = part->image;
	GElf_Phdr header;
	size_t nr, i;

	if (elf_getphdrnum(part->elf, &nr))
		return 0;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(part->elf, i, &header) || header.p_type != SFRAME_SEGMENT)
			continue;
		if (header.p_offset > image->size ||
		    header.p_filesz > image->size - header.p_offset)
			part->sframe_err = -EBADMSG;
		else
			part->sframe_err = sframe_open(&part->sframe,
						       (u8 *)image->bytes + header.p_offset,
						       header.p_filesz, header.p_vaddr);
		break;
	}
	return part->sframe_err == -ENOMEM ? -ENOMEM : 0;
}

/*
 * Open the code of @image from file offset @from up to @to. Return 0 or -errno; the caller closes
 * @part in any case.
 */
int unwind_part_open(struct unwind_part *part, const struct unwind_image *image, u64 from, u64 to)
{
	int err;

	*part = (struct unwind_part){ .image = image, .from = from, .to = to };
	part->elf = elf_memory(image->bytes, image->size);
	if (!part->elf)
		return -ENOMEM;
	stubs_open(&part->stubs, part->elf, image->bytes, image->size);
	err = call_frames_open(&part->frames, image->fd, part->elf, &image->build_id);
	return err ? err : open_sframe(part);
}

/* Keep in @to where the largest segment can be cut. */
static int cut_segment(struct unwind_part *part, const GElf_Phdr *header)
{
	u64 begin = header->p_vaddr, end = begin + header->p_filesz;
	struct unwind_range range = { 0 };

	part->ahead = (struct unwind_range){ 0 };
	part->to_offset = header->p_offset - header->p_vaddr;
	if (header->p_filesz > part->text_bytes &&
	    find_next(part, begin + header->p_filesz / 2, end, &range) && range.end < end) {
		part->text_bytes = header->p_filesz;
		part->to = range.end + part->to_offset;
	}
	return 0;
}

/*
 * Return the file offset at which @part, which was just opened, may end and another part begin, so
 * that each has about one half of the code; or 0. The rules do not depend on where parts begin, as
 * a range ends there. A debug file is too large to be opened for each part.
 */
u64 unwind_part_middle(const struct unwind_part *part)
{
	struct unwind_part probe = *part;

	begin_time(&probe, MAX_SECONDS_TO_DIVIDE);
	if (probe.frames.dwarf || each_segment(&probe, cut_segment) || probe.to == part->to)
		return 0;
	return probe.to;
}

/*
 * Find the rules. Return 0; -EBADMSG if the binary is damaged; -ETIME if it describes too much or
 * its table is not wanted; -ENOMEM.
 */
int unwind_part_read(struct unwind_part *part)
{
	begin_time(part, MAX_SECONDS);
	return each_segment(part, add_segment);
}

void unwind_part_close(struct unwind_part *part)
{
	steps_free(&part->steps);
	sframe_close(&part->sframe);
	call_frames_close(&part->frames);
	elf_end(part->elf);
	*part = (struct unwind_part){ 0 };
}
