/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - write the recording that a command makes of others
 */
#ifndef TPROF_RECORDING_OUTPUT_H
#define TPROF_RECORDING_OUTPUT_H

#include "perfdata/reader.h"
#include "perfdata/writer.h"

/**
 * struct recording_output - the output; set up by writer_begin() on @writer
 * @writer:	writes it
 * @records:	records that are not written yet
 * @nr:		number of calls of recording_output_next()
 */
struct recording_output {
	struct writer writer;
	struct bytes *records;
	u64	nr;
};

int recording_output_check(const char *command, const char *path);
int recording_output_next(struct recording_output *output, const struct reader *reader);
int recording_output_flush(struct recording_output *output);
int say_left_out(const char *path, u64 nr, u32 type);

#endif /* TPROF_RECORDING_OUTPUT_H */
