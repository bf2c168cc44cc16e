// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unpacking of compressed records
 *
 * Random records are compressed as one stream, which is cut into pieces at random.
 * Unpacking the pieces must return the same records.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/bytes.h"
#include "perfdata/perfdata.h"
#include "perfdata/unpack.h"
#include "unit.h"

#define RECORDS	20000

static struct bytes plain, packed;

static void make_plain(int nr)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	u8 body[600];

	plain.len = 0;
	for (int i = 0; i < nr; i++) {
		size_t len = random() % sizeof(body);

		header.size = sizeof(header) + len;
		for (size_t at = 0; at < len; at++)
			body[at] = random() % 3;
		bytes_add(&plain, &header, sizeof(header));
		bytes_add(&plain, body, len);
	}
}

static void add_packed(u32 type, const u8 *data, u64 len)
{
	size_t count = type == PERFDATA_COMPRESSED_DATA2 ? sizeof(len) : 0;
	size_t pad = count ? -len & 7 : 0;
	struct perf_event_header header = { .type = type,
					    .size = sizeof(header) + count + len + pad };

	bytes_add(&packed, &header, sizeof(header));
	bytes_add(&packed, &len, count);
	bytes_add(&packed, data, len);
	bytes_add(&packed, "padding", pad);
}

static void pack(u32 type)
{
	ZSTD_CStream *zstd = ZSTD_createCStream();
	size_t at = 0, len;
	u8 piece[60000];

	packed.len = 0;
	while (at < plain.len) {
		len = 1 + random() % 100000;
		if (len > plain.len - at)
			len = plain.len - at;
		ZSTD_inBuffer in = { plain.data + at, len, 0 };
		size_t left;

		do {
			ZSTD_outBuffer out = { piece, 1 + random() % sizeof(piece), 0 };

			left = ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush);
			if (out.pos)
				add_packed(type, piece, out.pos);
		} while (left);
		at += len;
	}
	ZSTD_freeCStream(zstd);
}

/* Unpack all of @packed into @result. Return 0 or -errno. */
static int unpack_all(struct bytes *result)
{
	int fd = memfd_create("packed", MFD_CLOEXEC), ret;
	struct chunk_pool pool = { 0 };
	struct input_record record;
	struct unpack unpack;
	struct input input;
	bool within;

	if (write(fd, packed.data, packed.len) != (ssize_t)packed.len)
		abort();
	lseek(fd, 0, SEEK_SET);
	input_init(&input, &pool, fd, 0, ~0ULL);
	unpack_init(&unpack, &pool);
	while ((ret = input_next(&input, &record)) > 0) {
		ret = unpack_begin(&unpack, &record);
		while (!ret && (ret = unpack_next(&unpack, &record)) > 0) {
			bytes_add(result, record.data, record.header.size);
			ret = 0;
		}
		if (ret)
			break;
	}
	within = unpack_is_within(&unpack);
	unpack_free(&unpack);
	input_free(&input);
	unit_failed += pool.nr_used != 0;
	chunk_pool_free(&pool);
	close(fd);
	return !ret && within ? -ENODATA : ret;
}

static void test_round_trip(u32 type, const char *name)
{
	struct bytes result = { 0 };
	int ret;

	make_plain(RECORDS);
	pack(type);
	ret = unpack_all(&result);
	unit_ok(!ret && result.len == plain.len && !memcmp(result.data, plain.data, plain.len),
		name);
	bytes_free(&result);
}

static void test_cut(void)
{
	struct bytes result = { 0 };

	make_plain(RECORDS);
	plain.len -= 3;
	pack(PERFDATA_COMPRESSED_DATA);
	unit_ok(unpack_all(&result) == -ENODATA,
		"a record without its end is reported");
	unit_ok(result.len < plain.len && plain.len - result.len < 1000 &&
		!memcmp(result.data, plain.data, result.len),
		"records before a cut one are unpacked");
	bytes_free(&result);
}

/* Flip a bit of each byte in turn; the sanitizers must report nothing. */
static void test_damage(void)
{
	struct bytes result = { 0 };
	size_t told = 0;

	make_plain(10);
	pack(PERFDATA_COMPRESSED_DATA2);
	for (size_t at = sizeof(struct perf_event_header); at < packed.len; at++) {
		u8 flip = 1 << random() % 8;

		packed.data[at] ^= flip;
		result.len = 0;
		told += unpack_all(&result) < 0;
		packed.data[at] ^= flip;
	}
	unit_ok(told > 0, "damage is reported");
	bytes_free(&result);
}

int main(void)
{
	srandom(1);
	test_round_trip(PERFDATA_COMPRESSED_DATA,
			"compressed records without padding are unpacked");
	test_round_trip(PERFDATA_COMPRESSED_DATA2,
			"compressed records with padding are unpacked");
	test_cut();
	test_damage();
	bytes_free(&plain);
	bytes_free(&packed);
	return unit_exit();
}
