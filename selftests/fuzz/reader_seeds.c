// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - write the first recordings of reader_fuzzer's corpus: reader_seeds DIR
 *
 * The recordings cover the formats for files and for pipes, perf's compression, samples
 * with registers and a piece of the stack, and symbols in the file itself.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "perfdata_test.h"
#include "read_recording.h"

#define PIPE_HEADER	16
#define STACK_BYTES	64
#define REGS		0xff0fffULL	/* all general registers of x86-64 */

static int create(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

/* Close a seed. Exit if the reader cannot read it, since it would be useless. */
static void finish(const char *name, int fd)
{
	int error;

	if (read_file(fd, &error) <= 0 || error)
		errx(1, "%s: cannot be read: %d", name, error);
	close(fd);
}

static void write_seed(const char *name, bool pipe)
{
	int fd = create(name);

	if (write_recording(fd, pipe))
		err(1, "%s", name);
	finish(name, fd);
}

/*
 * Return the offset after the leading records, which describe the other records and are
 * never compressed.
 */
static size_t end_of_head(const u8 *data, size_t len)
{
	struct perf_event_header header;
	size_t at = PIPE_HEADER;

	while (at + sizeof(header) <= len) {
		memcpy(&header, data + at, sizeof(header));
		if (header.type < PERFDATA_HEADER_ATTR)
			break;
		at += header.size;
	}
	return at;
}

/*
 * Write a recording for pipes. Compress all records after the leading ones into a single
 * record.
 */
static void write_packed(const char *name)
{
	struct perf_event_header header = { .type = PERFDATA_COMPRESSED_DATA };
	int plain = memfd_create("plain", MFD_CLOEXEC), fd = create(name);
	static u8 data[1 << 18], packed[60000];
	size_t head, bytes;
	ssize_t len;

	if (write_recording(plain, true))
		err(1, "%s", name);
	len = pread(plain, data, sizeof(data), 0);
	if (len <= 0 || len == sizeof(data))
		errx(1, "%s: the recording has %zd bytes", name, len);
	head = end_of_head(data, len);
	bytes = ZSTD_compress(packed, sizeof(packed), data + head, len - head, 3);
	if (ZSTD_isError(bytes))
		errx(1, "%s: %s", name, ZSTD_getErrorName(bytes));
	header.size = sizeof(header) + bytes;
	if (write(fd, data, head) != (ssize_t)head ||
	    write(fd, &header, sizeof(header)) != sizeof(header) ||
	    write(fd, packed, bytes) != (ssize_t)bytes)
		err(1, "%s", name);
	close(plain);
	finish(name, fd);
}

/* Make a sample of the second event, with registers and stack after the chain. */
static void make_rich_sample(struct bytes *out, u64 time, u64 ip)
{
	size_t at = out->len;
	u16 size;

	make_sample(out, 1, time, ip, 0);
	bytes_add_u64(out, PERF_SAMPLE_REGS_ABI_64);
	for (int i = 0; i < __builtin_popcountll(REGS); i++)
		bytes_add_u64(out, i == 7 ? 0x7ffe0000 : ip);
	bytes_add_u64(out, STACK_BYTES);
	for (int i = 0; i < STACK_BYTES / 8; i++)
		bytes_add_u64(out, 0x400100 + i);
	bytes_add_u64(out, STACK_BYTES);
	size = out->len - at;
	memcpy(out->data + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static void add_text(struct bytes *out, const char *text)
{
	bytes_add_u32(out, strlen(text) + 1);
	bytes_add(out, text, strlen(text) + 1);
}

/* Make the section of embedded symbols (see embedded.c): a binary with one function. */
static void make_symbols(struct bytes *out)
{
	static const u8 build_id[BUILD_ID_MAX] = { 0xab, 0xcd };

	bytes_add_u32(out, 0x101);
	bytes_add_u32(out, 0);
	bytes_add_u32(out, 0);
	bytes_add_u32(out, BUILD_ID_MAX);
	bytes_add(out, build_id, sizeof(build_id));
	add_text(out, "/bin/example");
	bytes_add_u32(out, 1);
	bytes_add_u64(out, 0x100);
	bytes_add_u64(out, 0x200);
	add_text(out, "function");
	bytes_add_u32(out, 0);
}

/* Write a file with these records, and free them and the features. */
static void write_file(const char *name, struct bytes *records, struct feature_set *features)
{
	struct writer writer;
	int fd = create(name);
	size_t written;

	if (writer_begin(&writer, fd, false, test_events, NR_EVENTS, features) ||
	    writer_append(&writer, records->data, records->len, &written) ||
	    writer_end(&writer, features))
		errx(1, "%s", name);
	bytes_free(records);
	features_free(features);
	finish(name, fd);
}

static void write_rich(const char *name)
{
	struct perf_event_attr *attr = &test_events[1].attr;
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct dso_set dsos = { 0 };

	make_events();
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = REGS;
	attr->sample_stack_user = STACK_BYTES;
	features_add_host(&features);
	features_add_events(&features, test_events, NR_EVENTS);
	make_past(&records, &dsos);
	for (int i = 0; i < 20; i++)
		make_rich_sample(&records, FIRST_TIME + i, 0x400100 + i);
	record_finished_round(&records);
	make_symbols(&features.section[PERFDATA_TPROF_SYMBOLS]);
	dso_set_write(&dsos, &features.section[PERFDATA_BUILD_ID]);
	dso_set_free(&dsos);
	write_file(name, &records, &features);
}

/* Write a recording of times on and off CPU, which wall_merge() adds up. */
static void write_waits(const char *name)
{
	struct perf_event_attr *attr = &test_events[1].attr;
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct dso_set dsos = { 0 };

	make_events();
	test_events[1].name = "off-cpu";
	attr->type = PERF_TYPE_RAW;
	attr->config = TPROF_LX_SOFT_OFF_CPU;
	features_add_events(&features, test_events, NR_EVENTS);
	make_past(&records, &dsos);
	make_samples(&records);
	dso_set_free(&dsos);
	write_file(name, &records, &features);
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]))
		errx(2, "usage: reader_seeds DIR");
	write_seed("file", false);
	write_seed("pipe", true);
	write_packed("packed");
	write_rich("rich");
	write_waits("waits");
	return 0;
}
