// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - records contain no stale bytes
 *
 * answer_test.c checks the results of ioctls for stale bytes. open_test.c checks
 * which processes may open the device. Documentation/security.md lists what each
 * test covers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <asm/perf_regs.h>

#include "harness/clean.h"
#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

/* Types of records that older kernel headers lack. */
#define RECORD_KSYMBOL		17
#define RECORD_LOST_SAMPLES	13

/* Size of the fields between the header and the name in a KSYMBOL record. */
#define KSYMBOL_BYTES	16

#define STACK_BYTES	512
#define SOME_REGS							\
	(1ULL << PERF_REG_X86_IP | 1ULL << PERF_REG_X86_SP |		\
	 1ULL << PERF_REG_X86_FLAGS)
#define NR_REGS		3

/* Cause COMM and MMAP2 records with names of all lengths. */
static void change(struct __test_metadata *_metadata)
{
	char name[16] = "", path[64];

	for (size_t len = 0; len < sizeof(name) - 1; len++) {
		name[len] = 'a' + len;
		ASSERT_EQ(0, prctl(PR_SET_NAME, name));
		snprintf(path, sizeof(path), "/dev/shm/%s", name);
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0700);
		void *map;

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, ftruncate(fd, 4096));
		map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		unlink(path);
		close(fd);
		ASSERT_NE(MAP_FAILED, map);
		munmap(map, 4096);
	}
}

static bool mmap2_is_clean(const struct record *record)
{
	const struct record_mmap2 *map = record->body;

	/* Without a build ID, the record has the inode in place of these bytes. */
	if (record->header->misc & MISC_MMAP_BUILD_ID &&
	    (!is_zero(map->reserved, sizeof(map->reserved)) ||
	     !is_zero(map->build_id + map->build_id_bytes,
		      sizeof(map->build_id) - map->build_id_bytes)))
		return false;
	return is_clean(map->filename, record->body_bytes - sizeof(*map));
}

/* Target this process, and configure small rings, which are soon overwritten. */
static int configure(int fd, size_t *ring_bytes)
{
	struct tprof_lx_config config = { .nr_targets = 1 };
	struct tprof_lx_info info = {};
	__s32 self = getpid();
	int err = session_info(fd, &info);

	config.targets = (unsigned long)&self;
	config.ring_bytes = info.ring_min;
	config.fifo_bytes = info.fifo_min;
	*ring_bytes = info.ring_min;
	return err ?: session_config(fd, &config);
}

TEST(texts_in_records_are_padded_with_zeroes)
{
	const struct record *record;
	struct perf_event_attr attr;
	struct stream stream = {};
	size_t nr_comm = 0, nr_mmap = 0;
	int fd = session_open(0);
	size_t ring_bytes;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	attr_init(&attr, 100);
	attr_track(&attr);
	ASSERT_EQ(0, configure(fd, &ring_bytes));
	ASSERT_EQ(0, event_add(fd, "timer", &attr));
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, stream_soil(&stream, fd, ring_bytes));
	change(_metadata);
	ASSERT_EQ(0, stream_finish(&stream, fd));
	for_each_record(record, &stream) {
		const struct record_comm *comm = record->body;

		if (record->header->type == PERF_RECORD_COMM) {
			EXPECT_TRUE(is_clean(comm->comm, record->body_bytes -
							 sizeof(*comm)));
			nr_comm++;
		} else if (record->header->type == PERF_RECORD_MMAP2) {
			EXPECT_TRUE(mmap2_is_clean(record));
			nr_mmap++;
		}
	}
	EXPECT_LE(15, nr_comm);
	EXPECT_LE(15, nr_mmap);
	stream_free(&stream);
	close(fd);
}

/*
 * Return true if @bytes contain text of stream_soil(), or poison of free pages or
 * objects.
 */
static bool has_dirt(const void *bytes, size_t len)
{
	static const __u64 dirt[] = {
		DIRT_8, 0x7878787878787878, 0x6b6b6b6b6b6b6b6b, 0x5a5a5a5a5a5a5a5a,
	};
	const __u64 *word = bytes;

	for (; len >= sizeof(*word); len -= sizeof(*word), word++)
		for (size_t i = 0; i < ARRAY_LEN(dirt); i++)
			if (*word == dirt[i])
				return true;
	return false;
}

/*
 * Return true if the chain and the registers have no dirt, and zeroes follow the
 * stack copy.
 */
static bool sample_is_clean(const struct record *record)
{
	const void *begin = record->header, *end = begin + record->header->size;
	const __u64 *part;
	__u64 nr, kept;

	part = record_chain(record, &nr) + nr;
	if (*part++ != PERF_SAMPLE_REGS_ABI_NONE)
		part += NR_REGS;
	if (has_dirt(begin, (const void *)part - begin))
		return false;
	if (!*part++)
		return part == end;
	kept = part[STACK_BYTES / sizeof(*part)];
	return kept <= STACK_BYTES &&
	       is_zero((const char *)part + kept, STACK_BYTES - kept) &&
	       part + STACK_BYTES / sizeof(*part) + 1 == end;
}

static bool side_is_clean(const struct record *record)
{
	const char *text = record->body;
	size_t room = record->body_bytes;

	switch (record->header->type) {
	case PERF_RECORD_COMM:
		return is_clean(text + sizeof(struct record_comm),
				room - sizeof(struct record_comm));
	case PERF_RECORD_MMAP2:
		return mmap2_is_clean(record);
	case RECORD_CGROUP:
		return is_clean(text + sizeof(struct record_cgroup),
				room - sizeof(struct record_cgroup));
	case RECORD_KSYMBOL:
		return is_clean(text + KSYMBOL_BYTES, room - KSYMBOL_BYTES);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return room == sizeof(struct record_task);
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return room == sizeof(struct record_switch);
	case RECORD_LOST_SAMPLES:
		return room == sizeof(__u64);
	default:
		return false;
	}
}

static bool record_is_clean(const struct record *record)
{
	if (record->header->type == PERF_RECORD_SAMPLE)
		return sample_is_clean(record);
	return side_is_clean(record) && !has_dirt(record->header, record->header->size);
}

/* Read all records written so far, so that none is lost to a full ring. */
static int gather(struct stream *stream, int fd)
{
	int err = session_mark(fd, 1, "so far") ?: session_flush(fd);

	err = err ?: stream_read_some(stream, fd);
	return err < 0 ? err : 0;
}

static int do_everything(struct __test_metadata *_metadata, struct stream *stream, int fd)
{
	change(_metadata);
	ASSERT_EQ(0, gather(stream, fd));
	ASSERT_LT(0, child_runs(do_nothing, NULL));
	ASSERT_EQ(0, gather(stream, fd));
	ASSERT_EQ(0, module_load("tprof-lx-load", ""));
	ASSERT_EQ(0, module_unload("tprof-lx-load"));
	ASSERT_EQ(0, gather(stream, fd));
	spin_ms(200);
	return gather(stream, fd);
}

static void attr_everything(struct perf_event_attr *attr)
{
	attr_init(attr, 200);
	attr_track(attr);
	attr->context_switch = 1;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			     PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = SOME_REGS;
	attr->sample_stack_user = STACK_BYTES;
}

TEST(records_of_all_kinds_have_no_stale_bytes)
{
	static const __u32 kinds[] = {
		PERF_RECORD_SAMPLE, PERF_RECORD_COMM, PERF_RECORD_MMAP2,
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_SWITCH_CPU_WIDE,
		RECORD_CGROUP, RECORD_KSYMBOL,
	};
	const struct record *record;
	struct perf_event_attr attr;
	struct stream stream = {};
	int fd = session_open(0);
	size_t ring_bytes;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, cpu_pin(0));
	attr_everything(&attr);
	ASSERT_EQ(0, configure(fd, &ring_bytes));
	ASSERT_EQ(0, event_add(fd, "nmi", &attr));
	ASSERT_EQ(0, session_start(fd, 1));
	ASSERT_EQ(0, stream_soil(&stream, fd, ring_bytes));
	ASSERT_EQ(0, do_everything(_metadata, &stream, fd));
	ASSERT_EQ(0, stream_finish(&stream, fd));
	for_each_record(record, &stream) {
		EXPECT_TRUE(record_is_clean(record))
			TH_LOG("type %u", record->header->type);
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		EXPECT_LT(0, stream_count(&stream, kinds[i]))
			TH_LOG("type %u", kinds[i]);
	}
	stream_free(&stream);
	close(fd);
}

TEST_HARNESS_MAIN
