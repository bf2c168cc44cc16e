/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - gather records by way of a recording in memory
 */
#ifndef TPROF_GATHER_RECORDS_H
#define TPROF_GATHER_RECORDS_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata_test.h"
#include "profile/wall.h"

/*
 * Write @records, of the first @nr_events of test_events, and free them. Read them into
 * @gather, and call wall_merge() if @wall. Return the error of either, and set @message to
 * that of the reader.
 */
static inline int gather_records(struct gather *gather, const struct gather_options *options,
				 struct bytes *records, size_t nr_events, bool wall,
				 struct message *message)
{
	struct symbol_options symbols = { 0 };
	static struct feature_set none;
	struct feature_set names = { 0 };
	struct writer writer;
	struct reader reader;
	size_t written;
	int fd = memfd_create("recording", MFD_CLOEXEC), err;

	features_add_events(&names, test_events, nr_events);
	writer_begin(&writer, fd, false, test_events, nr_events, &none);
	writer_append(&writer, records->data, records->len, &written);
	writer_end(&writer, &names);
	features_free(&names);
	bytes_free(records);
	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd))
		abort();
	err = gather_init(gather, options, &symbols, &reader);
	if (!err)
		err = gather_all(gather, &reader);
	if (!err && wall)
		err = wall_merge(gather, &reader);
	*message = reader.msg;
	reader_close(&reader);
	close(fd);
	return err;
}

#endif /* TPROF_GATHER_RECORDS_H */
