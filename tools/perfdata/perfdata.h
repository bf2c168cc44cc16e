/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the parts of the perf.data format that <linux/perf_event.h> does not define
 *
 * A file consists of header, ids, attrs, records, a table with offset and size of each
 * feature section, and the feature sections. A feature is present if its bit in the
 * header is set. In a pipe, the header is short, and records of types PERFDATA_HEADER_*
 * replace ids, attrs and features. Numbers have the byte order of the recorded machine.
 * A reader recognizes the byte order by the magic.
 */
#ifndef TPROF_PERFDATA_H
#define TPROF_PERFDATA_H

#include <linux/perf_event.h>

#include "base/types.h"

/* "PERFILE2" as a little-endian number. */
#define PERFDATA_MAGIC		0x32454c4946524550ULL
#define PERFDATA_MAGIC_SWAPPED	0x50455246494c4532ULL

/*
 * tprof-lx writes attrs of this old, small size: perf refuses a file if its attrs are
 * larger than perf's own struct perf_event_attr.
 */
#define PERFDATA_ATTR_SIZE	PERF_ATTR_SIZE_VER5

/*
 * Deferred call chains of perf, since Linux 6.19: a bit of perf_event_attr after sigtrap, a
 * mark in a call chain, and a record.
 */
#define PERFDATA_ATTR_DEFER_CHAIN	38
#define PERFDATA_CONTEXT_USER_DEFERRED	((u64)-640)
#define PERFDATA_CHAIN_DEFERRED		22

/*
 * A bit of the register ABI in a sample: a block of vector registers follows the general
 * ones. It begins with four u16: the number of vector registers and the words of each, then
 * the same of predicate registers. Patches for Linux add it; Linux 7.3 does not have it.
 */
#define PERFDATA_REGS_ABI_SIMD		(1U << 2)

struct perfdata_section {
	u64	offset;
	u64	size;
};

struct perfdata_header {
	u64	magic;
	u64	size;
	u64	attr_size;
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;
	u64	features[4];
};

struct perfdata_pipe_header {
	u64	magic;
	u64	size;
};

/* Maximum size of a feature. The build-ids of a large system take several megabytes. */
#define PERFDATA_FEATURE_MAX	(16U << 20)

/*
 * In a file, the last bits of perfdata_header.features, which perf ignores, stand for the
 * features from PERFDATA_TPROF_FIRST on. They are in the same order; a new one comes first, so
 * that the others keep their bits.
 */
#define PERFDATA_TPROF_BIT	(256 - (PERFDATA_NR_FEATURES - PERFDATA_TPROF_FIRST))

enum perfdata_feature {
	PERFDATA_TRACING_DATA	= 1,
	PERFDATA_BUILD_ID	= 2,
	PERFDATA_HOSTNAME	= 3,
	PERFDATA_OSRELEASE	= 4,
	PERFDATA_VERSION	= 5,
	PERFDATA_ARCH		= 6,
	PERFDATA_NRCPUS		= 7,
	PERFDATA_CPUDESC	= 8,
	PERFDATA_CPUID		= 9,
	PERFDATA_TOTAL_MEM	= 10,
	PERFDATA_CMDLINE	= 11,
	PERFDATA_EVENT_DESC	= 12,
	PERFDATA_SAMPLE_TIME	= 21,
	PERFDATA_CLOCKID	= 23,
	PERFDATA_DIR_FORMAT	= 24,
	PERFDATA_COMPRESSED	= 27,
	PERFDATA_CLOCK_DATA	= 29,
	PERFDATA_TPROF_FIRST	= 32,	/* PERFDATA_TPROF_BIT in the file */
	PERFDATA_TPROF_HOSTS	= PERFDATA_TPROF_FIRST,
	PERFDATA_TPROF_CODE	= 33,
	PERFDATA_TPROF_SYMBOLS	= 34,	/* the last bit in the file */
	PERFDATA_NR_FEATURES	= 35,
};

/* Types of records that perf and tprof-lx write. The kernel writes types below 64. */
enum perfdata_record {
	PERFDATA_USER_TYPES	= 64,
	PERFDATA_HEADER_ATTR	= 64,
	PERFDATA_EVENT_TYPE	= 65,
	PERFDATA_HEADER_TRACING	= 66,
	PERFDATA_HEADER_BUILD_ID = 67,
	PERFDATA_FINISHED_ROUND	= 68,
	PERFDATA_ID_INDEX	= 69,
	PERFDATA_AUXTRACE_INFO	= 70,
	PERFDATA_AUXTRACE	= 71,
	PERFDATA_AUXTRACE_ERROR	= 72,
	PERFDATA_THREAD_MAP	= 73,
	PERFDATA_CPU_MAP	= 74,
	PERFDATA_STAT_CONFIG	= 75,
	PERFDATA_STAT		= 76,
	PERFDATA_STAT_ROUND	= 77,
	PERFDATA_EVENT_UPDATE	= 78,
	PERFDATA_TIME_CONV	= 79,
	PERFDATA_HEADER_FEATURE	= 80,
	PERFDATA_COMPRESSED_DATA = 81,
	PERFDATA_FINISHED_INIT	= 82,
	PERFDATA_COMPRESSED_DATA2 = 83,
	PERFDATA_BPF_METADATA	= 84,
	PERFDATA_SCHEDSTAT_CPU	= 85,
	PERFDATA_SCHEDSTAT_DOMAIN = 86,
	PERFDATA_RECORD_MAX	= 87,
};

/*
 * Strings in features are padded to a multiple of this many bytes. The length before
 * a string includes the padding.
 */
#define PERFDATA_TEXT_ALIGN	64
#define PERFDATA_RECORD_LIMIT	65535
#define PERFDATA_ID_SIZE_BIT	(1U << 15)	/* misc: perfdata_build_id.size is set */

#define BUILD_ID_MAX		20

/**
 * struct build_id - the GNU build-id of a binary
 * @size:	bytes of @data in use; 0 if there is no build-id
 * @data:	the build-id
 */
struct build_id {
	u8	size;
	u8	data[BUILD_ID_MAX];
};

/**
 * struct perfdata_build_id - a HEADER_BUILD_ID record, or an entry of feature BUILD_ID
 * @header:	its type is PERFDATA_HEADER_BUILD_ID, or 0 in the feature BUILD_ID that
 *		perf writes; its misc contains a CPU mode (PERF_RECORD_MISC_*)
 * @pid:	-1 for the host
 * @build_id:	the build-id
 * @size:	bytes of @build_id in use, if misc has PERFDATA_ID_SIZE_BIT
 * @pad:	zero
 * @filename:	path of the binary, terminated and padded with zero bytes
 */
struct perfdata_build_id {
	struct perf_event_header header;
	s32	pid;
	u8	build_id[BUILD_ID_MAX];
	u8	size;
	u8	pad[3];
	char	filename[];
};

#endif /* TPROF_PERFDATA_H */
