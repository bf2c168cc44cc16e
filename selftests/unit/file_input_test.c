// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - open recordings that perf has made as directories
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/file_input.h"
#include "perfdata_test.h"
#include "unit.h"

static char dir[] = "/tmp/file_input_test.XXXXXX", whole[64], part[64], *said;

/* Write a recording with a sample, of which DIR_FORMAT says that it has @version. */
static void make_file(const char *path, u64 version)
{
	struct feature_set features = { 0 };
	struct bytes records = { 0 };
	struct writer writer;
	size_t written;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	make_events();
	make_sample(&records, 0, NSEC_PER_SEC, 0x400100, 0);
	bytes_add_u64(&features.section[PERFDATA_DIR_FORMAT], version);
	writer_begin(&writer, fd, false, test_events, NR_EVENTS, &features);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &features);
	features_free(&features);
	bytes_free(&records);
	close(fd);
}

/* Open @name, and let @said be the messages. Return the number of records, or -errno. */
static int records_of(const char *name)
{
	FILE *terminal = stderr;
	struct reader reader;
	struct record record;
	size_t len;
	int fd, nr;

	free(said);
	stderr = open_memstream(&said, &len);
	fd = open_input(name, &reader);
	nr = fd;
	if (fd >= 0) {
		for (nr = 0; reader_next(&reader, &record) > 0;)
			nr++;
		close_input(name, &reader, fd);
	}
	fclose(stderr);
	stderr = terminal;
	return nr;
}

/* Return true if opening @name fails, and the message is that of perf record --threads. */
static bool is_explained(const char *name)
{
	char wanted[256];

	snprintf(wanted, sizeof(wanted),
		 "tprof-lx: %s is a directory of perf record --threads; make one file: perf inject -i %s -o - >FILE\n",
		 dir, dir);
	return records_of(name) == -EISDIR && !strcmp(said, wanted);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(whole, sizeof(whole), "%s/data", dir);
	snprintf(part, sizeof(part), "%s/data.0", dir);
	unit_ok(records_of(dir) == -ENOENT && strstr(said, "is a directory without a recording"),
		"another directory is refused");
	make_file(whole, 0);
	unit_ok(records_of(dir) == 1 && !*said, "the file of perf record --kcore is read");
	make_file(whole, 1);
	unit_ok(records_of(dir) == 1 && records_of(whole) == 1,
		"so is one that perf inject has made of several");
	make_file(part, 1);
	unit_ok(is_explained(dir), "for several files, the user learns what makes one");
	unit_ok(is_explained(whole), "also if the user names the one without samples");
	unlink(part);
	unlink(whole);
	rmdir(dir);
	free(said);
	return unit_exit();
}
