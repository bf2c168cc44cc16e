// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - check whether a record has the form of its type
 */
#include <string.h>

#include "base/load.h"
#include "perfdata/record_shape.h"

enum shape_kind {
	SHAPE_NONE,	/* no such type */
	SHAPE_FIXED,	/* fields of fixed length only */
	SHAPE_ARRAY,	/* then an array; the last u64 before it is its length */
	SHAPE_TEXT,	/* then a string, padded to 8 bytes */
	SHAPE_OPEN,	/* then other data */
	SHAPE_READ,	/* then values by the event's read_format */
	SHAPE_POKE,	/* two u16, which are lengths, and as many bytes, padded to 8 bytes */
};

/**
 * struct shape - the form of the records of a type
 * @kind:	what follows the fields of fixed length
 * @fixed:	bytes of header and fields of fixed length
 * @each:	bytes of each entry of the array
 */
struct shape {
	u8	kind;
	u8	fixed;
	u8	each;
};

/* The formats of the kernel's types are in <linux/perf_event.h>. */
static const struct shape shapes[PERFDATA_RECORD_MAX] = {
	[PERF_RECORD_MMAP]		= { SHAPE_TEXT, 40 },
	[PERF_RECORD_LOST]		= { SHAPE_FIXED, 24 },
	[PERF_RECORD_COMM]		= { SHAPE_TEXT, 16 },
	[PERF_RECORD_EXIT]		= { SHAPE_FIXED, 32 },
	[PERF_RECORD_THROTTLE]		= { SHAPE_FIXED, 32 },
	[PERF_RECORD_UNTHROTTLE]	= { SHAPE_FIXED, 32 },
	[PERF_RECORD_FORK]		= { SHAPE_FIXED, 32 },
	[PERF_RECORD_READ]		= { SHAPE_READ, 16 },
	[PERF_RECORD_SAMPLE]		= { SHAPE_OPEN, 8 },
	[PERF_RECORD_MMAP2]		= { SHAPE_TEXT, 72 },
	[PERF_RECORD_AUX]		= { SHAPE_FIXED, 32 },
	[PERF_RECORD_ITRACE_START]	= { SHAPE_FIXED, 16 },
	[PERF_RECORD_LOST_SAMPLES]	= { SHAPE_FIXED, 16 },
	[PERF_RECORD_SWITCH]		= { SHAPE_FIXED, 8 },
	[PERF_RECORD_SWITCH_CPU_WIDE]	= { SHAPE_FIXED, 16 },
	[PERF_RECORD_NAMESPACES]	= { SHAPE_ARRAY, 24, 16 },
	[PERF_RECORD_KSYMBOL]		= { SHAPE_TEXT, 24 },
	[PERF_RECORD_BPF_EVENT]		= { SHAPE_FIXED, 24 },
	/* Data of tprof-lx may follow the text. */
	[PERF_RECORD_CGROUP]		= { SHAPE_OPEN, 17 },
	[PERF_RECORD_TEXT_POKE]		= { SHAPE_POKE, 16 },
	[PERF_RECORD_AUX_OUTPUT_HW_ID]	= { SHAPE_FIXED, 16 },
	[PERFDATA_CHAIN_DEFERRED]	= { SHAPE_ARRAY, 24, 8 },
	/* reader_pipe_record() checks the types of a header. */
	[PERFDATA_HEADER_ATTR]		= { SHAPE_OPEN, 8 },
	[PERFDATA_EVENT_TYPE]		= { SHAPE_OPEN, 16 },
	[PERFDATA_HEADER_TRACING]	= { SHAPE_OPEN, 12 },
	[PERFDATA_HEADER_BUILD_ID]	= { SHAPE_OPEN, 36 },
	[PERFDATA_FINISHED_ROUND]	= { SHAPE_FIXED, 8 },
	/* A second array follows if there are guests. */
	[PERFDATA_ID_INDEX]		= { SHAPE_OPEN, 16 },
	[PERFDATA_AUXTRACE_INFO]	= { SHAPE_OPEN, 16 },
	[PERFDATA_AUXTRACE]		= { SHAPE_FIXED, 48 },
	[PERFDATA_AUXTRACE_ERROR]	= { SHAPE_OPEN, 40 },
	[PERFDATA_THREAD_MAP]		= { SHAPE_ARRAY, 16, 24 },
	[PERFDATA_CPU_MAP]		= { SHAPE_OPEN, 10 },
	[PERFDATA_STAT_CONFIG]		= { SHAPE_ARRAY, 16, 16 },
	[PERFDATA_STAT]			= { SHAPE_FIXED, 48 },
	[PERFDATA_STAT_ROUND]		= { SHAPE_FIXED, 24 },
	[PERFDATA_EVENT_UPDATE]		= { SHAPE_OPEN, 24 },
	[PERFDATA_TIME_CONV]		= { SHAPE_OPEN, 32 },
	[PERFDATA_HEADER_FEATURE]	= { SHAPE_OPEN, 8 },
	[PERFDATA_COMPRESSED_DATA]	= { SHAPE_OPEN, 8 },
	[PERFDATA_FINISHED_INIT]	= { SHAPE_FIXED, 8 },
	[PERFDATA_COMPRESSED_DATA2]	= { SHAPE_OPEN, 8 },
	[PERFDATA_BPF_METADATA]		= { SHAPE_OPEN, 16 },
	[PERFDATA_SCHEDSTAT_CPU]	= { SHAPE_OPEN, 24 },
	[PERFDATA_SCHEDSTAT_DOMAIN]	= { SHAPE_OPEN, 24 },
};

bool record_shape_known(u32 type)
{
	return type < ARRAY_SIZE(shapes) && shapes[type].kind != SHAPE_NONE;
}

/* Does @left hold @nr entries of @each bytes, and nothing else? */
static bool fits_array(const u8 *end_of_count, size_t left, u8 each)
{
	u64 nr = load_u64(end_of_count - sizeof(nr));

	return !(left % each) && left / each == nr;
}

/* Only the padding follows the zero byte. It may have any value. */
static bool fits_text(const u8 *text, size_t left)
{
	const u8 *end = memchr(text, '\0', left);

	return end && text + left - end <= 8;
}

/* An event has READ records only if it counts by thread. A merged one lacks inherit_stat. */
static bool fits_values(size_t left, const struct perf_event_attr *attr)
{
	u64 format = attr->read_format;

	if (!attr->inherit_stat && !format)
		return false;
	if (format & PERF_FORMAT_GROUP)
		return left >= sizeof(u64) && !(left % sizeof(u64));
	return left == sizeof(u64) * (read_format_times(format) + read_format_words(format));
}

static bool fits_poke(const u8 *lengths, size_t left)
{
	return left >= 4 &&
	       left == ALIGN_UP(4ULL + load_u16(lengths) + load_u16(lengths + 2), 8);
}

/*
 * Return true if @body can be a record of @type, which record_shape_known() accepts.
 *
 * @attr: attr of the record's event; NULL for a record that perf or tprof-lx wrote
 */
bool record_shape_fits(const struct record_body *body, u32 type,
		       const struct perf_event_attr *attr)
{
	const struct shape *shape = &shapes[type];
	const u8 *rest = body->data + shape->fixed;
	size_t left = body->size - shape->fixed;

	if (body->size < shape->fixed)
		return false;
	switch (shape->kind) {
	case SHAPE_FIXED:
		return !left;
	case SHAPE_ARRAY:
		return fits_array(rest, left, shape->each);
	case SHAPE_TEXT:
		return fits_text(rest, left);
	case SHAPE_READ:
		return fits_values(left, attr);
	case SHAPE_POKE:
		return fits_poke(rest, left);
	default:
		return true;
	}
}
