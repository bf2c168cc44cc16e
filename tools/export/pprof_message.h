/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the messages of a pprof profile
 *
 * A profile is one message. Its fields may have any order. They are compressed and
 * written as soon as they are known, so a profile is never in memory as a whole.
 */
#ifndef TPROF_EXPORT_PPROF_MESSAGE_H
#define TPROF_EXPORT_PPROF_MESSAGE_H

#include "export/frames.h"
#include "export/groups.h"
#include "export/gzip.h"
#include "export/keys.h"
#include "export/protobuf.h"
#include "export/texts.h"

/**
 * struct pprof_mapping - a binary with samples
 * @object:	the binary; NULL if it has none
 * @start:	lowest address of a frame
 * @end:	highest address of a frame
 * @samples:	number of groups of samples in the binary itself
 * @has_lines:	source lines are known
 */
struct pprof_mapping {
	const struct object *object;
	u64	start;
	u64	end;
	u64	samples;
	bool	has_lines;
};

/**
 * struct pprof_message - a profile that is being written
 * @gzip:	the output
 * @fields:	fields that are not written yet
 * @part:	the message of the current field
 * @inner:	a message or array in @part
 * @texts:	strings that were written
 * @mappings:	binaries, by object.number
 * @nr_mappings: number of @mappings
 * @next_id:	number of ids of functions and locations that were used before
 *		pprof_message_forget()
 * @is_written:	frames whose location was written, by frame.number
 * @err:	first error
 */
struct pprof_message {
	struct gzip gzip;
	struct bytes fields;
	struct bytes part;
	struct bytes inner;
	struct texts texts;
	struct pprof_mapping *mappings;
	size_t	nr_mappings;
	u64	next_id;
	struct bytes is_written;
	int	err;
};

int pprof_message_begin(struct pprof_message *message, FILE *out);
u64 pprof_string(struct pprof_message *message, const char *text);
void pprof_type(struct pprof_message *message, u32 field, const char *type, const char *unit);
void pprof_sample(struct pprof_message *message, const struct frames *frames,
		  const struct keys *keys, const struct group *group, const u64 *values,
		  size_t nr);
void pprof_message_forget(struct pprof_message *message, const struct frames *frames);
int pprof_message_end(struct pprof_message *message, bool has_inlines);

#endif /* TPROF_EXPORT_PPROF_MESSAGE_H */
