// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the reader on damaged files
 *
 * A good recording is cut at every length. It is also damaged at random; the seed is
 * printed, so that a failure can be repeated. For a damaged file, the reader may return
 * any records, but it must terminate without a memory error.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cut_recording.h"
#include "perfdata_test.h"
#include "read_recording.h"
#include "unit.h"

#define DAMAGES		3000

static void put(int fd, const u8 *image, size_t len)
{
	if (ftruncate(fd, 0) || pwrite(fd, image, len, 0) != (ssize_t)len)
		abort();
}

static void test_cuts(int fd, const u8 *image, size_t len, bool pipe)
{
	struct cut_walk walk = cut_walk_begin((const char *)image, len, pipe);
	int wrong = 0;
	char name[64];

	for (size_t cut = 0; cut < len; cut += cut < 4096 ? 1 : 61) {
		put(fd, image, cut);
		wrong += !cut_is_right(&walk, cut, fd);
	}
	snprintf(name, sizeof(name), "%s: cut at every length, it is read up to there",
		 pipe ? "pipe" : "file");
	unit_ok(!wrong && walk.due.nr > NR_SAMPLES, name);
}

/* Cut the file after the records. The reader must return all records, then an error. */
static void test_cut_features(int fd, const u8 *image, size_t len)
{
	struct perfdata_header header;
	int err, whole, nr, fewer = 0, silent = 0;
	size_t cut;

	memcpy(&header, image, sizeof(header));
	put(fd, image, len);
	whole = read_file(fd, &err);
	for (cut = header.data.offset + header.data.size; cut < len; cut++) {
		put(fd, image, cut);
		nr = read_file(fd, &err);
		fewer += nr < whole;
		silent += !err;
	}
	unit_ok(!fewer && !silent,
		"file: cut behind the records, it is read and reported as cut");
}

/* Overwrite parts of @image with random bytes or with edge cases of numbers. */
static void damage(u8 *image, size_t len)
{
	static const u64 edges[] = { 0, 1, ~0ULL, 1ULL << 63, 0xffff, 8, 7 };
	int times = 1 + random() % 8;

	while (times--) {
		size_t at = random() % (len - 8);

		/* Damage the header and the first records more often. */
		if (random() % 2)
			at %= 1024;
		if (random() % 2)
			image[at] = random();
		else
			memcpy(image + at, &edges[random() % ARRAY_SIZE(edges)],
			       random() % 2 ? 8 : 2);
	}
}

static void test_damage(int fd, const u8 *image, size_t len, const char *form)
{
	u8 *copy = malloc(len);
	int opened = 0, err;
	char name[64];

	for (int i = 0; i < DAMAGES; i++) {
		srandom(i);
		memcpy(copy, image, len);
		damage(copy, len);
		put(fd, copy, len);
		printf("seed %d\n", i);
		opened += read_file(fd, &err) >= 0;
		gather_file(fd);
	}
	free(copy);
	snprintf(name, sizeof(name), "%s: %d damaged copies are read, %d of them opened", form,
		 DAMAGES, opened);
	unit_ok(opened > DAMAGES / 10, name);
}

static void test_form(bool pipe)
{
	const char *form = pipe ? "pipe" : "file";
	int fd = memfd_create("recording", 0);
	struct stat st;
	u8 *image;

	if (fd < 0 || write_recording(fd, pipe) || fstat(fd, &st))
		abort();
	image = malloc(st.st_size);
	if (pread(fd, image, st.st_size, 0) != st.st_size)
		abort();
	test_cuts(fd, image, st.st_size, pipe);
	if (!pipe)
		test_cut_features(fd, image, st.st_size);
	test_damage(fd, image, st.st_size, form);
	free(image);
	close(fd);
}

int main(void)
{
	test_form(false);
	test_form(true);
	return unit_exit();
}
