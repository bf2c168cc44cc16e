/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - read a session and decode its records
 */
#ifndef TPROF_SELFTESTS_STREAM_H
#define TPROF_SELFTESTS_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/perf_event.h>

/* PERF_RECORD_FINISHED_ROUND of the perf tool. No kernel header defines it. */
#define RECORD_FINISHED_ROUND	68

/* PERF_RECORD_CGROUP, which older kernel headers lack. */
#define RECORD_CGROUP	19

/* PERF_RECORD_MISC_MMAP_BUILD_ID, which older kernel headers lack. */
#define MISC_MMAP_BUILD_ID	(1 << 14)

/**
 * struct record - one decoded record
 * @header:	start of the record in the stream's data
 * @body:	bytes after the header; in a sample, bytes after the fixed fields
 * @body_bytes:	length of @body without the sample_id trailer
 * @id:		id of the event
 * @ip:		program counter; samples only
 * @pid:	process id
 * @tid:	thread id
 * @time:	timestamp in nanoseconds
 * @cpu:	CPU on which the record was written; 0 if the records omit it
 * @period:	period; samples only
 */
struct record {
	const struct perf_event_header	*header;
	const void			*body;
	size_t				body_bytes;
	__u64				id;
	__u64				ip;
	__u32				pid;
	__u32				tid;
	__u64				time;
	__u32				cpu;
	__u64				period;
};

/**
 * struct stream - the records read from a session so far
 * @data:	whole records, in the order in which read(2) returned them
 * @bytes:	length of @data in bytes
 * @room:	allocated size of @data in bytes
 * @omits_cpu:	the events omit the CPU: see attr_omit_cpu(); stream_free() keeps it
 * @is_at_end:	read(2) returned 0
 * @index:	decoded records, in the order of @data; stream_sort() sorts them by time
 * @nr_records:	number of records in @index
 */
struct stream {
	char		*data;
	size_t		bytes;
	size_t		room;
	bool		omits_cpu;
	bool		is_at_end;
	struct record	*index;
	size_t		nr_records;
};

/* Body of an MMAP2 record with a build ID. */
struct record_mmap2 {
	__u32	pid;
	__u32	tid;
	__u64	addr;
	__u64	len;
	__u64	pgoff;
	__u8	build_id_bytes;
	__u8	reserved[3];
	__u8	build_id[20];
	__u32	prot;
	__u32	flags;
	char	filename[];
};

struct record_task {
	__u32	pid;
	__u32	ppid;
	__u32	tid;
	__u32	ptid;
	__u64	time;
};

struct record_comm {
	__u32	pid;
	__u32	tid;
	char	comm[];
};

struct record_switch {
	__u32	next_prev_pid;
	__u32	next_prev_tid;
};

struct record_cgroup {
	__u64	id;
	char	path[];
};

void stream_free(struct stream *stream);
int stream_append(struct stream *stream, const void *data, size_t bytes);
int stream_read_some(struct stream *stream, int fd);
int stream_read_portion(struct stream *stream, int fd);
int stream_read_to_end(struct stream *stream, int fd, unsigned int ms);
int stream_read_all(struct stream *stream, int fd);
int stream_flush(struct stream *stream, int fd);
int stream_soil(struct stream *stream, int fd, size_t ring_bytes);

int stream_index(struct stream *stream);
int stream_sort(struct stream *stream);
int stream_finish(struct stream *stream, int fd);
size_t stream_count(const struct stream *stream, __u32 type);
const struct record *stream_find(const struct stream *stream, __u32 type,
				 __u32 pid);

bool stream_has_samples(const struct stream *stream, __u64 first_ip, __u64 count);
bool record_is_user(const struct record *record);
bool record_is_kernel(const struct record *record);
const __u64 *record_chain(const struct record *record, __u64 *nr);
__u32 record_raw(const struct record *record);

#define for_each_record(record, stream)					\
	for (record = (stream)->index;					\
	     record < (stream)->index + (stream)->nr_records; record++)

#define for_each_record_type(record, stream, type_)			\
	for_each_record(record, stream)					\
		if ((record)->header->type == (type_))

#endif /* TPROF_SELFTESTS_STREAM_H */
