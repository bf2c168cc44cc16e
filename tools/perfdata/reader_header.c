// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read the events, identifiers and features of a perf.data
 *
 * In a file, these are in sections that the header points to. In a pipe, they
 * arrive as records.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/load.h"
#include "perfdata/reader.h"

static int read_at(struct reader *reader, void *to, size_t len, u64 offset)
{
	ssize_t n;

	while (len) {
		n = pread(reader->input.fd, to, len, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -ENODATA;
		to = (char *)to + n;
		offset += n;
		len -= n;
	}
	return 0;
}

static bool inside(const struct reader *reader, const struct perfdata_section *section)
{
	return section->offset <= reader->size &&
	       section->size <= reader->size - section->offset;
}

static int read_ids(struct reader *reader, const struct perfdata_section *section, u32 event)
{
	u64 id, offset = section->offset;
	u64 nr = section->size / sizeof(id);
	int err = 0;

	if (!inside(reader, section) || section->size % sizeof(id))
		return message_set(&reader->msg, -EBADMSG,
				   "the identifiers of event %u lie outside the file", event);
	for (; nr && !err; nr--, offset += sizeof(id)) {
		err = read_at(reader, &id, sizeof(id), offset);
		if (!err)
			err = reader_add_id(reader, id, event);
	}
	return err;
}

static int read_attrs(struct reader *reader, const struct perfdata_header *header)
{
	size_t attr_size = header->attr_size - sizeof(struct perfdata_section);
	struct perfdata_section ids;
	u8 entry[4096];
	u64 offset;
	int err = 0;

	if (header->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(ids) ||
	    header->attr_size > sizeof(entry) || !inside(reader, &header->attrs) ||
	    header->attrs.size % header->attr_size || !header->attrs.size)
		return message_set(&reader->msg, -EBADMSG, "the table of events is damaged");
	for (offset = 0; offset < header->attrs.size && !err; offset += header->attr_size) {
		err = read_at(reader, entry, header->attr_size, header->attrs.offset + offset);
		if (!err)
			err = reader_add_event(reader, entry, attr_size);
		memcpy(&ids, entry + attr_size, sizeof(ids));
		if (!err)
			err = read_ids(reader, &ids, reader->nr_events - 1);
	}
	return err;
}

static int read_feature(struct reader *reader, u32 bit, const struct perfdata_section *section)
{
	void *place;

	if (!inside(reader, section))
		return message_set(&reader->msg, -EBADMSG, "feature %u lies outside the file", bit);
	if (bit >= PERFDATA_NR_FEATURES || section->size > PERFDATA_FEATURE_MAX)
		return 0;
	place = bytes_extend(&reader->features.section[bit], section->size);
	return place ? read_at(reader, place, section->size, section->offset) : -ENOMEM;
}

/* Drop a damaged feature. At the end, reader_next() reports the first damaged one. */
static void damaged_feature(struct reader *reader, u32 bit, int err)
{
	if (bit < PERFDATA_NR_FEATURES)
		reader->features.section[bit].len = 0;
	if (reader->damaged)
		return;
	if (err == -ENODATA)
		message_set(&reader->msg, err, "truncated within its features");
	reader->damaged = err;
	reader->damage = reader->msg;
}

/*
 * Read the features. After the records, the file has a table with the section of each
 * feature, in the order of the bits set in @header->features.
 */
static void read_features(struct reader *reader, const struct perfdata_header *header)
{
	u64 offset = header->data.offset + header->data.size;
	struct perfdata_section section;
	u32 bit, nr;
	int err;

	for (bit = 0; bit < 64 * ARRAY_SIZE(header->features); bit++) {
		if (!(header->features[bit / 64] >> bit % 64 & 1))
			continue;
		nr = bit < PERFDATA_TPROF_FIRST ? bit : PERFDATA_NR_FEATURES;
		if (bit >= PERFDATA_TPROF_BIT)
			nr = bit - PERFDATA_TPROF_BIT + PERFDATA_TPROF_FIRST;
		err = read_at(reader, &section, sizeof(section), offset);
		if (!err)
			err = read_feature(reader, nr, &section);
		if (err)
			damaged_feature(reader, nr, err);
		offset += sizeof(section);
	}
	reader_name_events(reader);
}

/*
 * Return true if the recorder was killed before it completed the file. Such a file
 * has the header of its last checkpoint: no features, and a size of the records that
 * is 0 or does not reach the end of the file.
 */
static bool is_unfinished(const struct reader *reader, const struct perfdata_header *header)
{
	size_t i;

	if (!header->data.size)
		return true;
	for (i = 0; i < ARRAY_SIZE(header->features); i++) {
		if (header->features[i])
			return false;
	}
	return header->data.size < reader->size - header->data.offset;
}

static int read_file_header(struct reader *reader)
{
	struct perfdata_header header;
	int err = read_at(reader, &header, sizeof(header), 0);

	if (err)
		return message_set(&reader->msg, err, "truncated within its header");
	/* Do not check data.size: a truncated file still has its first records. */
	if (header.data.offset < sizeof(header) || header.data.offset > reader->size)
		return message_set(&reader->msg, -EBADMSG, "the records lie outside the file");
	reader->unfinished = is_unfinished(reader, &header);
	err = read_attrs(reader, &header);
	if (err)
		return err;
	if (!reader->unfinished && inside(reader, &header.data))
		read_features(reader, &header);
	if (lseek(reader->input.fd, header.data.offset, SEEK_SET) < 0)
		return -errno;
	input_init(&reader->input, &reader->pool, reader->input.fd, header.data.offset,
		   reader->unfinished ? ~0ULL : header.data.size);
	return 0;
}

static int check_magic(struct reader *reader, u64 magic)
{
	if (magic == PERFDATA_MAGIC)
		return 0;
	if (magic == PERFDATA_MAGIC_SWAPPED)
		return message_set(&reader->msg, -EOPNOTSUPP,
				   "recorded on a machine with the other byte order");
	return message_set(&reader->msg, -EBADMSG, "not a perf.data file");
}

/*
 * Read the header and, in a file, events, identifiers and features. The input must be at
 * offset 0. Return 0, or set @reader->msg and return -errno.
 */
int reader_header(struct reader *reader)
{
	struct perfdata_pipe_header start;
	struct stat st;
	int err;

	if (fstat(reader->input.fd, &st))
		return -errno;
	reader->size = S_ISREG(st.st_mode) ? st.st_size : 0;
	err = input_bytes(&reader->input, &start, sizeof(start));
	if (err == -ENODATA)
		return message_set(&reader->msg, -EBADMSG, "empty, or not a perf.data file");
	if (!err)
		err = check_magic(reader, start.magic);
	if (err)
		return err;
	reader->pipe = start.size == sizeof(start);
	if (reader->pipe)
		return 0;
	if (!S_ISREG(st.st_mode))
		return message_set(&reader->msg, -ESPIPE,
				   "a perf.data file cannot be read from a pipe; name the file with -i");
	input_free(&reader->input);
	return read_file_header(reader);
}

static int attr_record(struct reader *reader, const u8 *body, size_t len)
{
	size_t size;
	int err;

	if (len < PERF_ATTR_SIZE_VER0)
		return message_set(&reader->msg, -EBADMSG, "a HEADER_ATTR record is too short");
	size = load_u32(body + offsetof(struct perf_event_attr, size));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > len)
		return message_set(&reader->msg, -EBADMSG, "the attr of an event is larger than its record");
	err = reader_add_event(reader, body, size);
	for (; !err && size + sizeof(u64) <= len; size += sizeof(u64))
		err = reader_add_id(reader, load_u64(body + size), reader->nr_events - 1);
	return err;
}

static int feature_record(struct reader *reader, const u8 *body, size_t len)
{
	struct bytes *section;
	u64 bit;

	if (len < sizeof(bit))
		return message_set(&reader->msg, -EBADMSG, "a HEADER_FEATURE record is too short");
	bit = load_u64(body);
	/* Ignore unknown features. Those from PERFDATA_TPROF_FIRST on are never in a pipe. */
	if (bit >= PERFDATA_TPROF_FIRST)
		return 0;
	section = &reader->features.section[bit];
	section->len = 0;
	bytes_add(section, body + sizeof(bit), len - sizeof(bit));
	if (bit == PERFDATA_EVENT_DESC)
		reader_name_events(reader);
	return bytes_err(section);
}

/* Append a build-id. PERFDATA_FEATURE_MAX limits the memory that a file can use up. */
static int build_id_record(struct reader *reader, const struct input_record *record)
{
	struct bytes *section = &reader->features.section[PERFDATA_BUILD_ID];

	if (section->len + record->header.size > PERFDATA_FEATURE_MAX)
		return message_set(&reader->msg, -EBADMSG, "the recording has too many build-ids");
	bytes_add(section, record->data, record->header.size);
	return bytes_err(section);
}

/*
 * Handle a PERFDATA_HEADER_* record. Return 1 if @record is such a record; 0 if it has
 * another type. On failure, set @reader->msg and return -errno.
 */
int reader_pipe_record(struct reader *reader, const struct input_record *record)
{
	const u8 *body = record->data + sizeof(record->header);
	size_t len = record->header.size - sizeof(record->header);
	int err;

	switch (record->header.type) {
	case PERFDATA_HEADER_ATTR:
		err = attr_record(reader, body, len);
		break;
	case PERFDATA_HEADER_FEATURE:
		err = feature_record(reader, body, len);
		break;
	case PERFDATA_HEADER_BUILD_ID:
		err = build_id_record(reader, record);
		break;
	default:
		return 0;
	}
	return err ? err : 1;
}
