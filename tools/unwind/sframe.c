// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - .sframe, a section that describes frames, of versions 1 to 3
 *
 * The format is that of "The SFrame Format", a document of the GNU binutils. The whole section is
 * checked when it is opened.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/load.h"
#include "base/sorted.h"
#include "unwind/sframe.h"

#define MAGIC		0xdee2
#define MAGIC_SWAPPED	0xe2de
#define AMD64		3

/* Flags of the section: addresses of functions are relative to the entry, not to the section. */
#define FROM_ENTRY	4

/* On x86-64, the return address is directly below the address of the frame. */
#define RETURN_ADDRESS	(-8)

/* Version 1 does not have the size of blocks. Only stubs of PLTs have some. */
#define STUB_BYTES	16

/**
 * struct header - the beginning of the section
 * @magic:	MAGIC, in the byte order of the machine
 * @version:	1 to 3
 * @flags:	flags of the section
 * @machine:	AMD64
 * @rbp:	fixed place of the caller's rbp, or 0
 * @rip:	fixed place of the return address, or 0
 * @more:	size of a header that follows this one
 * @nr_functions: number of functions
 * @nr_rows:	number of rows of all functions
 * @rows_len:	size of the rows
 * @functions:	where the functions begin, counted from the end of the headers
 * @rows:	where the rows begin, counted as @functions
 */
struct header {
	u16	magic;
	u8	version;
	u8	flags;
	u8	machine;
	signed char rbp;
	signed char rip;
	u8	more;
	u32	nr_functions;
	u32	nr_rows;
	u32	rows_len;
	u32	functions;
	u32	rows;
};

/**
 * struct version - what differs between versions
 * @flags:	the flags that are defined
 * @entry_bytes: size of an entry of a function
 */
static const struct version {
	u8	flags;
	u8	entry_bytes;
} versions[] = {
	[1] = { 0x3, 17 },
	[2] = { 0x7, 20 },
	[3] = { 0x5, 16 },
};

/**
 * struct section - a section that is being opened
 * @header:	its header
 * @entries:	the entries of functions
 * @entries_addr: their address
 * @addr:	address of the section
 * @left:	number of rows that the functions have not used of those in @header
 */
struct section {
	struct header header;
	const u8 *entries;
	u64	entries_addr;
	u64	addr;
	u32	left;
};

/* Return -ENOTSUP if the section is of a version, or for a machine, that is not known. */
static int check_header(const struct header *header)
{
	if (header->magic != MAGIC)
		return header->magic == MAGIC_SWAPPED ? -ENOTSUP : -EBADMSG;
	if (!header->version || header->version >= ARRAY_SIZE(versions) ||
	    header->flags & ~versions[header->version].flags || header->machine != AMD64 ||
	    header->rip != RETURN_ADDRESS)
		return -ENOTSUP;
	return 0;
}

/* Find the functions and rows of the section. */
static int divide(struct sframe *sframe, struct section *section, const u8 *bytes, size_t len)
{
	const struct header *header = &section->header;
	u64 begin = sizeof(*header) + header->more, functions = begin + header->functions;
	u64 rows = begin + header->rows;

	if (functions + (u64)header->nr_functions * versions[header->version].entry_bytes > len ||
	    rows + header->rows_len > len)
		return -EBADMSG;
	section->entries = bytes + functions;
	section->entries_addr = section->addr + functions;
	section->left = header->nr_rows;
	sframe->rows = bytes + rows;
	sframe->rows_len = header->rows_len;
	sframe->rbp = header->rbp;
	return 0;
}

/* Set what the bits of an entry say: 0 to 3, the size of offsets; 4, there are blocks. */
static bool read_bits(struct sframe_function *function, u8 bits, u8 block)
{
	function->offset_bytes = 1 << (bits & 15);
	function->block = bits & 0x10 ? block : 0;
	return (bits & 15) <= 2 && (block || !(bits & 0x10));
}

/* Read an entry of version 1 or 2. */
static bool read_entry(const struct section *section, const u8 *entry,
		       struct sframe_function *function)
{
	u8 block = section->header.version == 1 ? STUB_BYTES : entry[17];

	function->begin = (s64)(s32)load_u32(entry);
	function->end = load_u32(entry + 4);
	function->rows = load_u32(entry + 8);
	function->nr_rows = load_u32(entry + 12);
	return read_bits(function, entry[16], block);
}

/* In version 3, a part of the entry is before the rows, and bit 7 marks signal frames. */
static bool read_divided_entry(const struct sframe *sframe, const u8 *entry,
			       struct sframe_function *function)
{
	u32 at = load_u32(entry + 12);
	const u8 *part = sframe->rows + at;

	if (at > sframe->rows_len || sframe->rows_len - at < 5)
		return false;
	function->begin = load_u64(entry);
	function->end = load_u32(entry + 8);
	function->rows = at + 5;
	function->nr_rows = load_u16(part);
	function->is_signal = part[2] & 0x80;
	function->kind = (part[3] & 31) < SFRAME_UNKNOWN ? part[3] & 31 : SFRAME_UNKNOWN;
	return read_bits(function, part[2], part[4]);
}

/* The offsets of rows must grow. Rows at the same offset are possible; the last one holds. */
static bool check_rows(const struct sframe *sframe, const struct sframe_function *function)
{
	u64 max = function->block ? function->block : function->end - function->begin;
	struct sframe_row row = { 0 };
	size_t at = function->rows;
	u32 before = 0, i;

	for (i = 0; i < function->nr_rows; i++, at = row.end) {
		if (!sframe_row_read(function, sframe->rows, sframe->rows_len, at, &row) ||
		    row.offset < before || row.offset > max)
			return false;
		before = row.offset;
	}
	return true;
}

static bool add_function(struct sframe *sframe, struct section *section, u32 i)
{
	size_t at = (size_t)i * versions[section->header.version].entry_bytes;
	struct sframe_function *function = &sframe->functions[sframe->nr];
	const u8 *entry = section->entries + at;
	bool is_read;

	*function = (struct sframe_function){ 0 };
	is_read = section->header.version < 3 ? read_entry(section, entry, function) :
						read_divided_entry(sframe, entry, function);
	if (!is_read || function->nr_rows > section->left)
		return false;
	section->left -= function->nr_rows;
	function->begin += section->header.flags & FROM_ENTRY ? section->entries_addr + at :
								 section->addr;
	function->end += function->begin;
	if (function->end < function->begin || !check_rows(sframe, function))
		return false;
	sframe->nr += function->end > function->begin && function->nr_rows;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct sframe_function *one = a, *other = b;

	if (one->begin != other->begin)
		return one->begin < other->begin ? -1 : 1;
	return one->rows < other->rows ? -1 : one->rows > other->rows;
}

static int read_functions(struct sframe *sframe, struct section *section)
{
	u32 nr = section->header.nr_functions, i;

	/* Each row has two bytes at least: a false number must not make this take long. */
	if (section->left > sframe->rows_len / 2)
		return -EBADMSG;
	sframe->functions = calloc(nr ? nr : 1, sizeof(*sframe->functions));
	if (!sframe->functions)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (!add_function(sframe, section, i))
			return -EBADMSG;
	}
	qsort(sframe->functions, sframe->nr, sizeof(*sframe->functions), by_address);
	sframe->at = sframe->nr;
	return 0;
}

/*
 * Open a section of @len bytes for the address @addr. Return 0; -ENOTSUP if it is of an unknown
 * version or for another machine; -EBADMSG if it is damaged; -ENOMEM. The caller closes @sframe in
 * any case, and keeps @bytes until then.
 */
int sframe_open(struct sframe *sframe, const u8 *bytes, size_t len, u64 addr)
{
	struct section section = { .addr = addr };
	int err;

	*sframe = (struct sframe){ 0 };
	if (len < sizeof(section.header))
		return -EBADMSG;
	memcpy(&section.header, bytes, sizeof(section.header));
	err = check_header(&section.header);
	if (!err)
		err = divide(sframe, &section, bytes, len);
	if (!err)
		err = read_functions(sframe, &section);
	if (err)
		sframe_close(sframe);
	return err;
}

/* Find the first function that ends after @addr. */
static u32 find_function(const struct sframe *sframe, u64 addr)
{
	u32 at = sorted_above(sframe->functions, 0, sframe->nr, begin, addr);

	return at && sframe->functions[at - 1].end > addr ? at - 1 : at;
}

static void read_next(struct sframe *sframe, const struct sframe_function *function)
{
	sframe->row = sframe->next;
	sframe->nr_rows++;
	if (sframe->nr_rows < function->nr_rows)
		sframe_row_read(function, sframe->rows, sframe->rows_len, sframe->row.end,
				&sframe->next);
}

/* Read the last row at or before @offset, or the first row of the function. */
static void seek(struct sframe *sframe, u32 at, u32 offset)
{
	const struct sframe_function *function = &sframe->functions[at];

	if (sframe->at != at || sframe->row.offset > offset) {
		sframe->at = at;
		sframe->nr_rows = 0;
		sframe_row_read(function, sframe->rows, sframe->rows_len, function->rows,
				&sframe->next);
		read_next(sframe, function);
	}
	while (sframe->nr_rows < function->nr_rows && sframe->next.offset <= offset)
		read_next(sframe, function);
}

/* Find the range of a function at or after @from and before @to. */
static bool find_in_function(struct sframe *sframe, u32 at, u64 from, u64 to,
			     struct unwind_range *range, u32 *losses)
{
	const struct sframe_function *function = &sframe->functions[at];
	u64 base = function->begin, end = function->end, next;

	from = from > base ? from : base;
	to = to < end ? to : end;
	if (function->block) {
		base += (from - base) / function->block * function->block;
		end = end - base < function->block ? end : base + function->block;
	}
	seek(sframe, at, from - base);
	if (sframe->row.offset > from - base) {
		from = base + sframe->row.offset;
		seek(sframe, at, from - base);
	}
	next = sframe->nr_rows < function->nr_rows ? base + sframe->next.offset : end;
	range->begin = from;
	range->end = next < to ? next : to;
	if (range->begin >= range->end)
		return false;
	range->source = UNWIND_SFRAME;
	range->rule = sframe_rule(function, &sframe->row, sframe->rbp, losses);
	return true;
}

/*
 * Find the first range at or after @from and before @to, without what is outside of these. Return
 * false if there is none. What its rule cannot express is counted in @losses.
 */
bool sframe_find(struct sframe *sframe, u64 from, u64 to, struct unwind_range *range, u32 *losses)
{
	u32 at = from < to ? find_function(sframe, from) : sframe->nr;

	for (; at < sframe->nr && sframe->functions[at].begin < to; at++) {
		if (find_in_function(sframe, at, from, to, range, losses))
			return true;
	}
	return false;
}

void sframe_close(struct sframe *sframe)
{
	free(sframe->functions);
	*sframe = (struct sframe){ 0 };
}
