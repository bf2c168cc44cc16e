// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - MMAP and MMAP2 records
 *
 * Context: any but NMI. No locks, no allocation.
 */
#include <linux/build_bug.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "sample/sideband.h"
#include "tables/tables.h"
#include "track/mapping.h"
#include "track/track_list.h"

/*
 * The fixed part of PERF_RECORD_MMAP2. Up to and including @pgoff, PERF_RECORD_MMAP has
 * the same layout.
 */
struct mmap_record {
	struct perf_event_header	header;
	u32				pid;
	u32				tid;
	u64				start;
	u64				len;
	u64				pgoff;
	union {
		struct {
			u32		maj;
			u32		min;
			u64		ino;
			u64		ino_generation;
		};
		struct {
			u8		id_bytes;
			u8		zero[3];
			u8		id[TPROF_ELFNOTE_ID_MAX];
		};
	};
	u32				prot;
	u32				flags;
};

static_assert(offsetof(struct mmap_record, maj) == 40);
static_assert(sizeof(struct mmap_record) == 72);

static void fill_record_file(struct mmap_record *record,
			     const struct tprof_mapping *mapping, u32 wants)
{
	record->prot = mapping->prot;
	record->flags = mapping->flags;
	if ((wants & TPROF_TRACK_BUILD_ID) && mapping->id_bytes) {
		record->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		record->id_bytes = mapping->id_bytes;
		memcpy(record->id, mapping->id, sizeof(record->id));
		return;
	}
	record->maj = mapping->maj;
	record->min = mapping->min;
	record->ino = mapping->ino;
	record->ino_generation = mapping->ino_generation;
}

/*
 * The reader gives the module the table of a file when it has seen the first mapping, and until
 * then the chains that begin there lack callers: it must see it soon.
 */
static bool lacks_table(const struct tprof_tracker *tracker, const struct tprof_mapping *mapping)
{
	struct tprof_object_id id = { .size = mapping->id_bytes };

	if (!tracker->tables || !mapping->id_bytes || !(mapping->prot & PROT_EXEC))
		return false;
	memcpy(id.bytes, mapping->id, sizeof(id.bytes));
	return !tprof_objects_have_table(&tracker->tables->objects, &id);
}

/**
 * tprof_mapping_write - write the record of a mapping
 * @tracker:	tracker that wants the record; its @wants selects MMAP or MMAP2
 *
 * Context: any but NMI.
 */
void tprof_mapping_write(const struct tprof_tracker *tracker,
			 const struct tprof_mapping *mapping)
{
	bool is_mmap2 = tracker->wants & TPROF_TRACK_MMAP2;
	struct mmap_record record = {
		.header.type = is_mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP,
		.header.misc = mapping->misc,
		.pid = mapping->pid,
		.tid = mapping->tid,
		.start = mapping->start,
		.len = mapping->len,
		.pgoff = mapping->pgoff,
	};
	struct tprof_sideband side = {
		.header = &record.header,
		.bytes = is_mmap2 ? sizeof(record) :
				    offsetof(struct mmap_record, maj),
		.text = mapping->name,
		.task = current,
		.is_urgent = lacks_table(tracker, mapping),
	};

	if (is_mmap2)
		fill_record_file(&record, mapping, tracker->wants);
	tprof_sideband_write(tracker->sampler, &side);
}
