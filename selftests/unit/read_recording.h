/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - read a recording, intact or damaged, as the commands do
 */
#ifndef TPROF_READ_RECORDING_H
#define TPROF_READ_RECORDING_H

#include <unistd.h>

#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "profile/wall.h"

static inline void use_record(const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	const struct record_type *type = record_type_find(record->header.type);
	struct record_body body = { record->data, record->header.size,
				    record->header.misc };
	struct task_record task;
	struct map_record map;
	struct sample sample;
	u64 number;

	layout_sample(layout, record->data, &sample);
	if (layout_trailer(layout, record->data, &sample))
		return;
	body.size -= layout->trailer;
	record_task(&body, record->header.type, &task);
	record_map(&body, record->header.type, &map);
	for (size_t i = 0; type && type->fields[i].name; i++) {
		record_number(&body, &type->fields[i], &number);
		record_text(&body, &type->fields[i]);
	}
}

/**
 * struct delivery - number of records read, and a checksum independent of their order
 * @nr:		number of records; -1 if the file could not be opened
 * @sum:	sum of the records' hashes; a hash covers offset and contents
 */
struct delivery {
	int	nr;
	u64	sum;
};

static inline void delivery_add(struct delivery *delivery, u64 offset, const void *data,
				size_t size)
{
	const u8 *at = data, *end = at + size;
	u64 hash = offset + 0xcbf29ce484222325;

	while (at < end)
		hash = (hash ^ *at++) * 0x100000001b3;
	delivery->sum += hash;
	delivery->nr++;
}

/* Read all records. Return 0 if the file has a valid end, else -errno. */
static inline int read_delivery(int fd, struct delivery *delivery)
{
	struct reader reader;
	struct record record;
	int err;

	*delivery = (struct delivery){ .nr = -1 };
	lseek(fd, 0, SEEK_SET);
	err = reader_open(&reader, fd);
	if (err)
		return err;
	delivery->nr = 0;
	while ((err = reader_next(&reader, &record)) > 0) {
		if (record.event)
			use_record(&record);
		delivery_add(delivery, record.offset, record.data, record.header.size);
	}
	reader_close(&reader);
	return err;
}

/*
 * Return the number of records, or -1 if the file could not be opened. Set @err to the
 * result of read_delivery().
 */
static inline int read_file(int fd, int *err)
{
	struct delivery delivery;

	*err = read_delivery(fd, &delivery);
	return delivery.nr;
}

/* Make a profile of the file, which may be damaged. The tools must not crash. */
static inline void gather_file(int fd)
{
	struct symbol_options symbols = { .no_debuginfod = true };
	struct gather_options options = {
		.keys = { { column_find("comm"), column_find("event"), column_find("sym") }, 3 },
		.children = CHILDREN_YES,
		.trees = true,
	};
	struct gather gather;
	struct reader reader;

	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd))
		return;
	if (!gather_init(&gather, &options, &symbols, &reader))
		gather_all(&gather, &reader);
	/* Few files have the events for this. */
	wall_merge(&gather, &reader);
	reader_close(&reader);
	for (u32 i = 0; i < gather.nr_profiles; i++) {
		if (gather.profiles[i])
			profile_sort(gather.profiles[i], column_find("children")->value);
	}
	gather_free(&gather);
}

#endif /* TPROF_READ_RECORDING_H */
