// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the ring
 *
 * Between the steps of a writer, the nesting test calls another writer or the consumer at
 * random. The consumer must get every accepted record once and whole, and must get the
 * records of each level in order. The last test has two threads, for TSan.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stream/ring.h"
#include "unit.h"

#define RING_BYTES	4096UL
#define LEVELS		4
#define NMI_LEVEL	(LEVELS - 1)
#define MAX_WORDS	16

void (*tprof_test_interrupt)(void);

/*
 * A record: its length, the nesting level of its writer, its sequence number, and copies
 * of that number.
 */
struct record {
	u32 bytes;
	u32 level;
	u64 number;
	u64 body[];
};

static void *map_mirror(unsigned long bytes)
{
	int fd = memfd_create("ring", 0);
	char *addr;

	if (fd < 0 || ftruncate(fd, bytes))
		abort();
	addr = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	for (int i = 0; i < 2; i++) {
		if (mmap(addr + i * bytes, bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			abort();
	}
	close(fd);
	return addr;
}

static struct tprof_ring ring;
static void *mirror;

static void setup(void)
{
	tprof_test_interrupt = NULL;
	if (!mirror)
		mirror = map_mirror(RING_BYTES);
	memset(mirror, 0xee, RING_BYTES);
	tprof_ring_init(&ring, mirror, RING_BYTES);
}

static void fill_record(struct record *record, u32 level, u64 number, u32 words)
{
	record->bytes = sizeof(*record) + words * sizeof(u64);
	record->level = level;
	record->number = number;
	for (u32 i = 0; i < words; i++) {
		tprof_test_step();
		record->body[i] = number;
	}
}

static bool write_record(u32 level, u64 number, u32 words,
			 enum tprof_ring_room room)
{
	u32 bytes = sizeof(struct record) + words * sizeof(u64);
	struct record *record = tprof_ring_begin(&ring, bytes, room);

	if (!record)
		return false;
	fill_record(record, level, number, words);
	tprof_ring_end(&ring);
	return true;
}

/* An NMI asks for the maximum length of its record, and reserves the actual length. */
static bool write_in_nmi(u64 number, u32 words, u32 max_words)
{
	u32 bytes = sizeof(struct record) + max_words * sizeof(u64);
	struct record *record;
	void *place;

	if (!tprof_ring_nmi_begin(&ring, bytes, ring.sample_bytes, &place))
		return false;
	record = place;
	fill_record(record, NMI_LEVEL, number, words);
	tprof_ring_nmi_end(&ring, record->bytes);
	return true;
}

static bool is_whole(const struct record *record)
{
	u32 words = (record->bytes - sizeof(*record)) / sizeof(u64);

	for (u32 i = 0; i < words; i++) {
		if (record->body[i] != record->number)
			return false;
	}
	return record->bytes >= sizeof(*record) && record->level < LEVELS;
}

/*
 * Numbers of accepted and refused records, and next expected number, for each level.
 * @is_hidden: the ring looked idle to the consumer, but a record was not published.
 */
static struct {
	u64 accepted[LEVELS];
	u64 refused[LEVELS];
	u64 next[LEVELS];
	bool is_broken;
	bool is_late;
	bool is_hidden;
} model;

/* Consume up to @limit records. */
static void consume(unsigned int limit)
{
	unsigned long head = tprof_ring_head(&ring);

	while (ring.tail != head && limit--) {
		const struct record *record = tprof_ring_peek(&ring);

		if (!is_whole(record) ||
		    record->number < model.next[record->level]) {
			model.is_broken = true;
			return;
		}
		model.next[record->level] = record->number + 1;
		tprof_ring_consume(&ring, record->bytes);
	}
}

static u32 level;
static u64 numbers[LEVELS];
static u64 delivered;

static void count_consumed(unsigned int limit)
{
	unsigned long tail = ring.tail;

	consume(limit);
	while (tail != ring.tail) {
		const struct record *record =
			(void *)(ring.data + (tail & (RING_BYTES - 1)));

		tail += record->bytes;
		delivered++;
	}
}

static void write_one(void)
{
	enum tprof_ring_room room = random() % 4 ? TPROF_RING_SAMPLES :
						   TPROF_RING_SIDE;
	u32 words = random() % MAX_WORDS;
	bool is_written;

	/*
	 * Use up the sequence number even if the ring refuses the record: consume()
	 * allows gaps.
	 */
	if (level == NMI_LEVEL && random() % 4)
		is_written = write_in_nmi(numbers[level]++, words,
					  words + random() % MAX_WORDS);
	else
		is_written = write_record(level, numbers[level]++, words, room);
	if (is_written)
		model.accepted[level]++;
	else
		model.refused[level]++;
}

static void interrupt(void)
{
	int dice = random() % 16;

	if (level + 1 < LEVELS && dice == 0) {
		level++;
		write_one();
		level--;
	} else if (dice == 1) {
		/*
		 * In the kernel, the consumer runs on another CPU: no writer interrupts
		 * it.
		 */
		void (*saved)(void) = tprof_test_interrupt;

		tprof_test_interrupt = NULL;
		if (!tprof_ring_is_busy(&ring) &&
		    tprof_ring_head(&ring) != (unsigned long)local_read(&ring.reserved))
			model.is_hidden = true;
		count_consumed(random() % 4);
		tprof_test_interrupt = saved;
	}
}

static void nesting_is_exact(void)
{
	u64 accepted = 0, refused = 0;

	setup();
	memset(&model, 0, sizeof(model));
	srandom(1);
	for (int i = 0; i < 300000 && !model.is_broken; i++) {
		tprof_test_interrupt = interrupt;
		write_one();
		tprof_test_interrupt = NULL;
		/* No writer is active, so all records must be published. */
		if (ring.head != (unsigned long)local_read(&ring.reserved))
			model.is_late = true;
	}
	count_consumed(~0U);

	for (int i = 0; i < LEVELS; i++) {
		accepted += model.accepted[i];
		refused += model.refused[i];
	}
	unit_ok(!model.is_broken, "no record is torn or out of order");
	unit_ok(!model.is_late,
		"the writer that leaves last publishes all records");
	unit_ok(!model.is_hidden,
		"the ring is not idle to the consumer while a record is not published");
	unit_ok(delivered == accepted, "every accepted record is consumed");
	unit_ok(refused > 0 && accepted + refused > 300000,
		"the ring was full at times, and writers were nested");
	unit_ok(!tprof_ring_is_busy(&ring) && !tprof_ring_used(&ring),
		"the ring is idle and empty at the end");
}

static void full_ring_refuses(void)
{
	u64 samples = 0, side = 0;
	u32 bytes = sizeof(struct record) + 8;

	setup();
	while (write_record(0, samples, 1, TPROF_RING_SAMPLES))
		samples++;
	while (write_record(0, samples + side, 1, TPROF_RING_SIDE))
		side++;
	unit_ok(samples == ring.sample_bytes / bytes,
		"samples fill their part of the ring exactly");
	unit_ok(samples + side == RING_BYTES / bytes,
		"side-band records fill the rest exactly");
	unit_ok(!tprof_ring_is_busy(&ring), "a refused writer leaves the ring");
	tprof_ring_consume(&ring, bytes);
	unit_ok(write_record(0, 0, 1, TPROF_RING_SIDE) &&
		!write_record(0, 0, 1, TPROF_RING_SIDE),
		"room for one record is room for only one");
}

static void limited_record_fits_or_leaves(void)
{
	void *outer, *inner;

	setup();
	unit_ok(!tprof_ring_begin_below(&ring, 64, 63, &inner) && !tprof_ring_is_busy(&ring) &&
		tprof_ring_begin_below(&ring, 64, 64, &inner),
		"a record fills the ring up to its limit, not further");
	tprof_ring_end(&ring);
	setup();
	outer = tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
	unit_ok(outer && !tprof_ring_begin_below(&ring, 64, 127, &inner) &&
		tprof_ring_is_busy(&ring) && tprof_ring_head(&ring) == 0,
		"a nested record over its limit publishes nothing of the outer one");
	tprof_ring_end(&ring);
	unit_ok(tprof_ring_head(&ring) == 64 && !tprof_ring_is_busy(&ring),
		"the outer record is published without the refused one");
}

static void nested_record_waits(void)
{
	void *outer, *inner;

	setup();
	outer = tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
	inner = tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
	unit_ok(outer && inner == (char *)outer + 64,
		"a nested record is placed behind the outer one");
	tprof_ring_end(&ring);
	unit_ok(tprof_ring_head(&ring) == 0 && tprof_ring_is_busy(&ring),
		"an inner record is not seen before the outer one");
	unit_ok(tprof_ring_reserved(&ring) == 128 && tprof_ring_used(&ring) == 0,
		"a nested writer sees the space of both records as reserved");
	tprof_ring_end(&ring);
	unit_ok(tprof_ring_head(&ring) == 128 && !tprof_ring_is_busy(&ring),
		"both records are seen after the outer one ends");
}

static void nmi_takes_what_it_needs(void)
{
	u32 bytes = sizeof(struct record) + 8;
	u64 samples = 0;
	void *place;

	setup();
	unit_ok(write_in_nmi(0, 1, 100) && tprof_ring_head(&ring) == bytes,
		"an NMI publishes its record, but not the space that it has not used");
	unit_ok(!write_in_nmi(0, 1, RING_BYTES) && !tprof_ring_is_busy(&ring) &&
		tprof_ring_head(&ring) == bytes,
		"an NMI that finds too little space leaves the ring as it was");
	setup();
	unit_ok(!tprof_ring_nmi_begin(&ring, 2 * bytes, 2 * bytes - 1, &place) &&
		!tprof_ring_is_busy(&ring) &&
		tprof_ring_nmi_begin(&ring, 2 * bytes, 2 * bytes, &place),
		"an NMI fills the ring up to its limit, not further");
	setup();
	while (write_in_nmi(samples, 1, 1))
		samples++;
	unit_ok(samples == ring.sample_bytes / bytes,
		"samples of NMIs fill their part of the ring exactly");
	unit_ok(write_record(0, 0, 1, TPROF_RING_SIDE),
		"samples of NMIs leave space for side-band records");
}

static void nmi_nests(void)
{
	u32 bytes = sizeof(struct record) + 8;
	char *outer, *behind;

	setup();
	outer = tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
	write_in_nmi(0, 1, 50);
	unit_ok(tprof_ring_head(&ring) == 0 && tprof_ring_is_busy(&ring),
		"the record of an NMI is not published before the record that it interrupted");
	behind = tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
	unit_ok(behind == outer + 64 + bytes,
		"the next record lies right behind the record of an NMI");
	tprof_ring_end(&ring);
	tprof_ring_end(&ring);
	unit_ok(tprof_ring_head(&ring) == 128 + bytes && !tprof_ring_is_busy(&ring),
		"the writer that an NMI interrupted publishes both records");
}

/* Let an NMI write a record at step @at. @reserved is the end of that record. */
static struct {
	int steps;
	int at;
	unsigned long reserved;
	bool is_hidden;
} late_nmi;

/* From step @at on, let the consumer look for the record of the NMI. */
static void interrupt_end(void)
{
	void (*saved)(void) = tprof_test_interrupt;

	tprof_test_interrupt = NULL;
	if (late_nmi.steps++ == late_nmi.at) {
		write_in_nmi(0, 1, 1);
		late_nmi.reserved = local_read(&ring.reserved);
	}
	if (late_nmi.reserved && !tprof_ring_is_busy(&ring) &&
	    tprof_ring_head(&ring) < late_nmi.reserved)
		late_nmi.is_hidden = true;
	tprof_test_interrupt = saved;
}

static void idle_ring_hides_no_record(void)
{
	memset(&late_nmi, 0, sizeof(late_nmi));
	do {
		setup();
		late_nmi.steps = 0;
		late_nmi.reserved = 0;
		tprof_ring_begin(&ring, 64, TPROF_RING_SAMPLES);
		tprof_test_interrupt = interrupt_end;
		tprof_ring_end(&ring);
		tprof_test_interrupt = NULL;
		late_nmi.at++;
	} while (late_nmi.reserved);
	unit_ok(late_nmi.at > 5 && !late_nmi.is_hidden,
		"an NMI at any step of tprof_ring_end() is published before the ring is idle");
}

#define THREAD_RECORDS	200000

static void *produce(void *unused)
{
	u64 number = 0;

	while (number < THREAD_RECORDS) {
		u32 words = number % MAX_WORDS;

		/* Write one record as a task does, then two records as an NMI does. */
		if (number % 3 ? write_in_nmi(number, words, 2 * words) :
				 write_record(NMI_LEVEL, number, words,
					      TPROF_RING_SAMPLES))
			number++;
		else
			sched_yield();
	}
	return unused;
}

/* A pass can begin before a ring is replaced, and go on afterwards. */
static void new_ring_has_no_records_of_the_old_one(void)
{
	unsigned long noted;

	setup();
	write_record(0, 0, 1, TPROF_RING_SIDE);
	tprof_ring_note_end(&ring);
	noted = tprof_ring_noted(&ring);
	tprof_ring_consume(&ring, noted);
	unit_ok(noted && !tprof_ring_noted(&ring), "a pass moves what it has noted");
	tprof_ring_init(&ring, mirror, RING_BYTES);
	unit_ok(!tprof_ring_noted(&ring), "a pass moves nothing of a ring that was replaced");
}

static void two_threads_agree(void)
{
	pthread_t producer;

	setup();
	memset(&model, 0, sizeof(model));
	pthread_create(&producer, NULL, produce, NULL);
	while (model.next[NMI_LEVEL] < THREAD_RECORDS && !model.is_broken) {
		u64 before = model.next[NMI_LEVEL];

		consume(~0U);
		if (before == model.next[NMI_LEVEL])
			sched_yield();
	}
	pthread_join(producer, NULL);
	unit_ok(!model.is_broken, "another CPU sees whole records in order");
}

int main(void)
{
	full_ring_refuses();
	limited_record_fits_or_leaves();
	nested_record_waits();
	nmi_takes_what_it_needs();
	nmi_nests();
	idle_ring_hides_no_record();
	nesting_is_exact();
	new_ring_has_no_records_of_the_old_one();
	two_threads_agree();
	return unit_exit();
}
