// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the fields in the records of an event
 */
#include <errno.h>

#include "base/load.h"
#include "perfdata/layout.h"
#include "perfdata/perfdata.h"

#define HEADER	sizeof(struct perf_event_header)

/* PERF_SAMPLE_BRANCH_COUNTERS (since Linux 6.8), a bit of branch_sample_type. */
#define BRANCH_COUNTERS	(1U << 19)

/*
 * If a sample has one of these fields, some fields that layout_place() reads have no
 * fixed offset. For such a sample, layout_place() calls layout_sample().
 */
#define NOT_BY_PLACE	(PERF_SAMPLE_READ | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* The fields that follow the weight. */
#define AFTER_WEIGHT	(PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | \
			 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |			\
			 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

/* A sample begins with these fields in this order, each of 8 bytes. */
static const u64 sample_words[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
	PERF_SAMPLE_PERIOD,
};

/* The trailer of any other record has these fields in this order, each of 8 bytes. */
static const u64 trailer_words[] = {
	PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
	PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER,
};

/*
 * Return the offset of the first field that is in @wanted, or NO_FIELD. The record
 * has the fields in @type, in the order of @words.
 */
static u16 find_word(const u64 *words, size_t nr, u64 type, u64 wanted)
{
	u16 offset = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (type & words[i] & wanted)
			return offset;
		if (type & words[i])
			offset += sizeof(u64);
	}
	return NO_FIELD;
}

static u16 offset_in_sample(u64 type, u64 wanted)
{
	u16 offset = find_word(sample_words, ARRAY_SIZE(sample_words), type, wanted);

	return offset == NO_FIELD ? 0 : HEADER + offset;
}

/* Return the offset after the fields of sample_words, where a call chain begins. */
static u16 words_end(u64 type)
{
	u16 end = HEADER;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sample_words); i++)
		end += type & sample_words[i] ? sizeof(u64) : 0;
	return end;
}

/*
 * Return the offset in a sample of a field of 8 bytes that comes before the call chain, or
 * NO_FIELD.
 */
u16 layout_sample_word(const struct layout *layout, u64 field)
{
	u16 offset = offset_in_sample(layout->attr.sample_type, field);

	return offset ? offset : NO_FIELD;
}

/* Return the offset of a field in the trailer, or NO_FIELD. */
u16 layout_trailer_word(const struct layout *layout, u64 field)
{
	if (!layout->trailer)
		return NO_FIELD;
	return find_word(trailer_words, ARRAY_SIZE(trailer_words), layout->attr.sample_type,
			 field);
}

/* Return the offset after the fields of layout_sample_word(). */
u16 layout_words_end(const struct layout *layout)
{
	return words_end(layout->attr.sample_type);
}

/* Return a bit of the attr that the installed <linux/perf_event.h> may not name. */
static bool attr_bit(const struct perf_event_attr *attr, unsigned int nr)
{
	const u8 *flags = (const u8 *)attr + offsetof(struct perf_event_attr, read_format) +
			  sizeof(attr->read_format);

	return load_u64(flags) >> nr & 1;
}

/* Compute the layout from an event's sample_type and sample_id_all. */
void layout_init(struct layout *layout, const struct perf_event_attr *attr)
{
	const u64 ids = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID;
	u64 type = attr->sample_type;
	size_t i;

	*layout = (struct layout){
		.attr = *attr,
		.id = offset_in_sample(type, ids),
		.time = offset_in_sample(type, PERF_SAMPLE_TIME),
		.ip = offset_in_sample(type, PERF_SAMPLE_IP),
		.tid = offset_in_sample(type, PERF_SAMPLE_TID),
		.cpu = offset_in_sample(type, PERF_SAMPLE_CPU),
		.period = offset_in_sample(type, PERF_SAMPLE_PERIOD),
		.chain = type & NOT_BY_PLACE ? 0 : words_end(type),
		.trailer_id = NO_FIELD,
		.trailer_time = NO_FIELD,
		.ends_with_weight = type & PERF_SAMPLE_WEIGHT && !(type & AFTER_WEIGHT),
		.defers = type & PERF_SAMPLE_CALLCHAIN && attr_bit(attr, PERFDATA_ATTR_DEFER_CHAIN),
	};
	if (!attr->sample_id_all)
		return;
	for (i = 0; i < ARRAY_SIZE(trailer_words); i++)
		layout->trailer += type & trailer_words[i] ? sizeof(u64) : 0;
	layout->trailer_id = find_word(trailer_words, ARRAY_SIZE(trailer_words), type, ids);
	layout->trailer_time = find_word(trailer_words, ARRAY_SIZE(trailer_words), type,
					 PERF_SAMPLE_TIME);
}

/**
 * struct cursor - a position in a record
 * @at:		first byte not read yet
 * @left:	number of bytes not read yet
 * @short_of:	the record was too short for a read
 */
struct cursor {
	const u8 *at;
	size_t	left;
	bool	short_of;
};

static const u8 *take(struct cursor *cursor, u64 len)
{
	const u8 *at = cursor->at;

	if (len > cursor->left) {
		cursor->short_of = true;
		cursor->left = 0;
		return NULL;
	}
	cursor->at += len;
	cursor->left -= len;
	return at;
}

static u64 take_u64(struct cursor *cursor)
{
	const u8 *at = take(cursor, sizeof(u64));

	return at ? load_u64(at) : 0;
}

static u32 take_u32(struct cursor *cursor)
{
	const u8 *at = take(cursor, sizeof(u32));

	return at ? load_u32(at) : 0;
}

/*
 * Take an array of @nr entries of @each words. @nr comes from the file, so check it
 * before nr * each * sizeof(u64), which could overflow.
 */
static struct words take_words(struct cursor *cursor, u64 nr, u64 each)
{
	struct words words = { 0 };

	if (nr > cursor->left / (each * sizeof(u64))) {
		take(cursor, ~0ULL);
		return words;
	}
	words.at = take(cursor, nr * each * sizeof(u64));
	words.nr = nr;
	return words;
}

/* Read one 8-byte field of a sample or a trailer. */
static void take_word(struct cursor *cursor, u64 field, struct sample *sample)
{
	switch (field) {
	case PERF_SAMPLE_TID:
		sample->pid = take_u32(cursor);
		sample->tid = take_u32(cursor);
		break;
	case PERF_SAMPLE_CPU:
		sample->cpu = take_u32(cursor);
		take_u32(cursor);
		break;
	case PERF_SAMPLE_IDENTIFIER:
	case PERF_SAMPLE_ID:
		sample->id = take_u64(cursor);
		break;
	case PERF_SAMPLE_IP:
		sample->ip = take_u64(cursor);
		break;
	case PERF_SAMPLE_TIME:
		sample->time = take_u64(cursor);
		break;
	case PERF_SAMPLE_ADDR:
		sample->addr = take_u64(cursor);
		break;
	case PERF_SAMPLE_STREAM_ID:
		sample->stream_id = take_u64(cursor);
		break;
	case PERF_SAMPLE_PERIOD:
		sample->period = take_u64(cursor);
		break;
	}
}

static void take_words_of(struct cursor *cursor, const u64 *words, size_t nr, u64 type,
			  struct sample *sample)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (type & words[i])
			take_word(cursor, words[i], sample);
	}
}

/* Skip PERF_SAMPLE_READ. Its size depends on read_format and on the size of the group. */
static void skip_read(struct cursor *cursor, u64 format)
{
	u64 nr = format & PERF_FORMAT_GROUP ? take_u64(cursor) : 1;

	take_words(cursor, read_format_times(format), 1);
	take_words(cursor, nr, read_format_words(format));
}

/* Skip a block of vector registers. See PERFDATA_REGS_ABI_SIMD. */
static void skip_vectors(struct cursor *cursor)
{
	u64 sizes = take_u64(cursor);
	u64 vectors = (sizes & 0xffff) * (sizes >> 16 & 0xffff);
	u64 predicates = (sizes >> 32 & 0xffff) * (sizes >> 48);

	take_words(cursor, vectors + predicates, 1);
}

static struct words take_regs(struct cursor *cursor, u64 mask, u64 *abi)
{
	struct words regs = { 0 };

	*abi = take_u64(cursor);
	if (*abi == PERF_SAMPLE_REGS_ABI_NONE)
		return regs;
	regs = take_words(cursor, __builtin_popcountll(mask), 1);
	if (*abi & PERFDATA_REGS_ABI_SIMD)
		skip_vectors(cursor);
	return regs;
}

static void take_stack(struct cursor *cursor, struct sample *sample)
{
	u64 size = take_u64(cursor);

	if (!size)
		return;
	sample->stack = take(cursor, size);
	/*
	 * The copy is followed by dyn_size (<linux/perf_event.h>), the number of its
	 * valid bytes.
	 */
	sample->stack_size = take_u64(cursor);
	if (sample->stack_size > size)
		cursor->short_of = true;
}

static void take_branches(struct cursor *cursor, u64 branch_type, struct sample *sample)
{
	u64 nr = take_u64(cursor);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take_u64(cursor);
	sample->branches = take_words(cursor, nr, 3);
	if (branch_type & BRANCH_COUNTERS)
		take_words(cursor, nr, 1);
}

/* Read the fields of variable length and all fields after them. */
static void take_rest(struct cursor *cursor, const struct perf_event_attr *attr,
		      struct sample *sample)
{
	u64 type = attr->sample_type, abi;

	if (type & PERF_SAMPLE_READ)
		skip_read(cursor, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		sample->chain = take_words(cursor, take_u64(cursor), 1);
	if (type & PERF_SAMPLE_RAW) {
		sample->raw_size = take_u32(cursor);
		sample->raw = take(cursor, sample->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(cursor, attr->branch_sample_type, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		sample->user_regs = take_regs(cursor, attr->sample_regs_user, &sample->user_abi);
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(cursor, sample);
	/* In a structure, the weight is the first half; latencies follow. */
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		sample->weight = take_u64(cursor);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		sample->weight = (u32)sample->weight;
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_src = take_u64(cursor);
	if (type & PERF_SAMPLE_TRANSACTION)
		sample->transaction = take_u64(cursor);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_regs(cursor, attr->sample_regs_intr, &abi);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = take_u64(cursor);
	if (type & PERF_SAMPLE_CGROUP) {
		sample->cgroup_at = cursor->at;
		sample->cgroup = take_u64(cursor);
	}
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = take_u64(cursor);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = take_u64(cursor);
	if (type & PERF_SAMPLE_AUX)
		take(cursor, take_u64(cursor));
}

static u16 record_size(const u8 *record)
{
	return load_u16(record + offsetof(struct perf_event_header, size));
}

/* Read all fields of a sample. Return 0, or -EBADMSG if the record is too short. */
int layout_sample(const struct layout *layout, const u8 *record, struct sample *sample)
{
	struct cursor cursor = { record + HEADER, record_size(record) - HEADER, false };
	u64 type = layout->attr.sample_type;

	*sample = (struct sample){ .fields = type };
	take_words_of(&cursor, sample_words, ARRAY_SIZE(sample_words), type, sample);
	take_rest(&cursor, &layout->attr, sample);
	sample->end = cursor.at;
	return cursor.short_of ? -EBADMSG : 0;
}

static u64 word_at(const u8 *record, u16 offset)
{
	return offset ? load_u64(record + offset) : 0;
}

/*
 * Read the fields in LAYOUT_PLACE | @needed of a sample. @needed is a mask of
 * PERF_SAMPLE_*.
 *
 * This function has a fast path: it sets only @sample->fields and the members for
 * layout_quick(). Most reports need no other fields. If @needed has other fields, or
 * samples have a field in NOT_BY_PLACE, layout_sample() reads all fields instead.
 *
 * Return 0, or -EBADMSG if the record is too short.
 */
int layout_place(const struct layout *layout, u64 needed, const u8 *record,
		 struct sample *sample)
{
	struct cursor cursor = { .left = record_size(record) };

	if (!layout->chain || needed & ~layout_quick(layout))
		return layout_sample(layout, record, sample);
	if (layout->ends_with_weight && cursor.left < sizeof(u64))
		return -EBADMSG;
	cursor.left -= layout->ends_with_weight ? sizeof(u64) : 0;
	if (cursor.left < layout->chain)
		return -EBADMSG;
	sample->fields = layout->attr.sample_type;
	sample->ip = word_at(record, layout->ip);
	sample->pid = word_at(record, layout->tid);
	sample->tid = word_at(record, layout->tid) >> 32;
	sample->time = word_at(record, layout->time);
	sample->cpu = word_at(record, layout->cpu);
	sample->period = word_at(record, layout->period);
	sample->chain = (struct words){ 0 };
	sample->user_regs = (struct words){ 0 };
	sample->user_abi = PERF_SAMPLE_REGS_ABI_NONE;
	sample->stack_size = 0;
	sample->weight = layout->ends_with_weight ? load_u64(record + cursor.left) : 0;
	if (!(sample->fields & PERF_SAMPLE_CALLCHAIN))
		return 0;
	cursor.at = record + layout->chain;
	cursor.left -= layout->chain;
	sample->chain = take_words(&cursor, take_u64(&cursor), 1);
	return cursor.short_of ? -EBADMSG : 0;
}

/*
 * Read the trailer of a record other than a sample into @sample. If records of the event
 * have no trailer, set @sample->fields to 0.
 *
 * Return 0, or -EBADMSG if the record is shorter than its trailer.
 */
int layout_trailer(const struct layout *layout, const u8 *record, struct sample *sample)
{
	u16 size = record_size(record);
	struct cursor cursor = { .left = layout->trailer };
	u64 type = layout->attr.sample_type, all = 0;
	size_t i;

	*sample = (struct sample){ 0 };
	if (!layout->trailer)
		return 0;
	if (size < HEADER + layout->trailer)
		return -EBADMSG;
	cursor.at = record + size - layout->trailer;
	for (i = 0; i < ARRAY_SIZE(trailer_words); i++)
		all |= trailer_words[i];
	sample->fields = type & all;
	take_words_of(&cursor, trailer_words, ARRAY_SIZE(trailer_words), type, sample);
	return 0;
}
