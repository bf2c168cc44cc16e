// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - a recording whose writing fails, or that is cut
 *
 * Each call fails in turn, and the recording is cut at each byte. The test
 * defines the system calls of the writer; they fail as @fault says.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "cut_recording.h"
#include "perfdata_test.h"
#include "read_recording.h"
#include "unit.h"

#define SHORT	(-1)	/* write half of the data */

/* Which calls fail, counting from the Nth. */
enum moment {
	AT_CALL,
	FROM_CALL,	/* and all later ones */
	WITHIN_CALL,	/* write half of the data; the next call fails */
};

static const char *const moments[] = { "at each", "from each", "within each" };

/**
 * struct fault - what fails
 * @error:	errno of the call, SHORT, or 0 for none
 * @nth:	number of the first affected call
 * @moment:	which calls from @nth on
 * @calls:	calls so far
 * @failed:	calls that failed, without fallocate()
 */
static struct fault {
	int	error;
	int	nth;
	enum moment moment;
	int	calls;
	int	failed;
} fault;

/* The result is odd, as no record ends at an odd byte. */
static void halve(size_t *len)
{
	if (len && *len > 1)
		*len = *len / 2 | 1;
}

static bool is_hit(size_t *len)
{
	int past = ++fault.calls - fault.nth;

	if (!fault.error || past < 0)
		return false;
	if (fault.moment == WITHIN_CALL) {
		if (!past)
			halve(len);
		return past == 1;
	}
	return !past || fault.moment == FROM_CALL;
}

static bool fails(size_t *len)
{
	if (!is_hit(len))
		return false;
	if (fault.error == SHORT) {
		halve(len);
		return false;
	}
	fault.failed++;
	errno = fault.error;
	return true;
}

ssize_t write(int fd, const void *data, size_t len)
{
	return fails(&len) ? -1 : syscall(SYS_write, fd, data, len);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return fails(&len) ? -1 : syscall(SYS_pwrite64, fd, data, len, at);
}

int fallocate(int fd, int mode, off_t at, off_t len)
{
	if (!fails(NULL))
		return syscall(SYS_fallocate, fd, mode, at, len);
	/* A failed reservation is no error: writing may still succeed. */
	fault.failed--;
	return -1;
}

int ftruncate(int fd, off_t len)
{
	return fails(NULL) ? -1 : syscall(SYS_ftruncate, fd, len);
}

/* A fixed time, so that two recordings are the same. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	*now = (struct timespec){ .tv_sec = clock };
	return 0;
}

static void write_with(struct writing *writing, int fd, bool pipe, int error, int nth,
		       enum moment moment)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
	fault = (struct fault){ .error = error, .nth = nth, .moment = moment };
	writing_do(writing, fd, pipe);
	fault.error = 0;
}

static int record_with(int fd, bool pipe, int error, int nth, enum moment moment)
{
	struct writing writing;

	write_with(&writing, fd, pipe, error, nth, moment);
	writing_free(&writing);
	return writing.err;
}

static char *contents(int fd, size_t *len)
{
	char *data;

	*len = lseek(fd, 0, SEEK_END);
	data = malloc(*len + 1);
	if (!data || pread(fd, data, *len, 0) != (ssize_t)*len)
		abort();
	return data;
}

/* Record without a fault. Return: the contents; @fault.calls is set. */
static char *record_whole(int fd, bool pipe, size_t *bytes)
{
	if (record_with(fd, pipe, 0, 0, AT_CALL))
		abort();
	return contents(fd, bytes);
}

static bool is_same(int fd, const char *whole, size_t bytes)
{
	size_t len;
	char *data = contents(fd, &len);
	bool same = len == bytes && !memcmp(data, whole, len);

	free(data);
	return same;
}

/* Calls that are interrupted or partial must not change the result. */
static void test_harmless(bool pipe, int error, const char *name)
{
	int fd = memfd_create("recording", MFD_CLOEXEC), wrong = 0;
	size_t bytes;
	char *whole = record_whole(fd, pipe, &bytes), text[128];
	int calls = fault.calls;

	for (int nth = 1; nth <= calls; nth++) {
		wrong += record_with(fd, pipe, error, nth, AT_CALL) || !is_same(fd, whole, bytes);
		if (error == SHORT)
			wrong += record_with(fd, pipe, error, nth, FROM_CALL) ||
				 !is_same(fd, whole, bytes);
	}
	snprintf(text, sizeof(text), "%s at each of %d calls, %s: the result is the same", name,
		 calls, pipe ? "pipe" : "file");
	unit_ok(!wrong, text);
	free(whole);
	close(fd);
}

/* A pipe must hold a prefix of the whole recording, and be read as such. */
static bool is_right_pipe(int fd, const char *whole, size_t bytes)
{
	struct cut_walk walk = cut_walk_begin(whole, bytes, true);
	size_t len;
	char *data = contents(fd, &len);
	bool is_right = len <= bytes && !memcmp(data, whole, len) && cut_is_right(&walk, len, fd);

	free(data);
	return is_right;
}

/* A file must have exactly the records that were reported as written. */
static bool is_right_file(int fd, const char *whole, const struct writing *writing)
{
	const struct bytes *records = &writing->records;
	struct perfdata_header header;
	struct delivery came;
	struct cut_walk walk;
	bool is_right = true, can_cut = fault.moment != FROM_CALL;
	int err = read_delivery(fd, &came);
	size_t len;
	char *data;

	/* Without its header a file has no records. */
	if (!writing->has_begun)
		return came.nr <= 0 && (err || !came.nr);
	memcpy(&header, whole, sizeof(header));
	data = contents(fd, &len);
	walk = (struct cut_walk){
		.image = data, .at = header.data.offset, .end = header.data.offset + records->len,
	};
	if (len < walk.end || memcmp(data + walk.at, records->data, records->len))
		is_right = false;
	else
		cut_walk_to(&walk, len);
	free(data);
	/* The only error is a missing end, unless truncation failed. */
	if (err && err != -ENODATA && can_cut)
		is_right = false;
	return is_right && walk.at == walk.end && came.nr == walk.due.nr &&
	       came.sum == walk.due.sum;
}

/* An error must be returned, and what was written until then be readable. */
static void test_error(bool pipe, int error, enum moment moment)
{
	int fd = memfd_create("recording", MFD_CLOEXEC), untold = 0, wrong = 0, calls;
	struct writing writing;
	size_t bytes;
	char *whole = record_whole(fd, pipe, &bytes), text[128];

	calls = fault.calls;
	for (int nth = 1; nth <= calls; nth++) {
		write_with(&writing, fd, pipe, error, nth, moment);
		if (fault.failed)
			untold += writing.err != -error;
		else
			untold += writing.err || !is_same(fd, whole, bytes);
		wrong += pipe ? !is_right_pipe(fd, whole, bytes) :
				!is_right_file(fd, whole, &writing);
		gather_file(fd);
		writing_free(&writing);
	}
	snprintf(text, sizeof(text), "%s %s of %d calls, %s: the error is returned",
		 strerrorname_np(error), moments[moment], calls, pipe ? "pipe" : "file");
	unit_ok(!untold, text);
	unit_ok(!wrong && calls > 8,
		"all records from before the error are read, and no others");
	free(whole);
	close(fd);
}

/* Cut a recording, as a power failure does: all whole records are read, no others. */
static void test_truncation(bool pipe)
{
	int whole_fd = memfd_create("recording", MFD_CLOEXEC);
	int fd = memfd_create("part", MFD_CLOEXEC), wrong = 0;
	size_t bytes, len;
	char *whole = record_whole(whole_fd, pipe, &bytes), text[128];
	struct cut_walk walk = cut_walk_begin(whole, bytes, pipe);

	for (len = 0; len < bytes; len++) {
		if (pwrite(fd, whole + len, 1, len) != 1)
			abort();
		wrong += !cut_is_right(&walk, len + 1, fd);
		if (len % 64 == 0)
			gather_file(fd);
	}
	snprintf(text, sizeof(text), "a %s cut off at each of %zu bytes is read up to there",
		 pipe ? "pipe" : "file", bytes);
	unit_ok(!wrong && walk.due.nr > NR_SAMPLES && walk.at == walk.end, text);
	free(whole);
	close(whole_fd);
	close(fd);
}

/*
 * Write a file as a writer that is killed leaves it: the header covers the
 * records up to the checkpoint, and not those behind it.
 */
static void write_unended(int fd)
{
	struct feature_set features = { 0 };
	struct writer writer;
	struct bytes records = { 0 };
	struct dso_set dsos = { 0 };
	size_t written;

	make_events();
	make_past(&records, &dsos);
	if (writer_begin(&writer, fd, false, test_events, NR_EVENTS, &features) ||
	    writer_append(&writer, records.data, records.len, &written) ||
	    writer_checkpoint(&writer))
		abort();
	records.len = 0;
	make_samples(&records);
	if (writer_append(&writer, records.data, records.len, &written))
		abort();
	bytes_free(&records);
	dso_set_free(&dsos);
	features_free(&features);
}

/*
 * Cut such a file at each byte, with and without zeroes behind the cut, as a
 * disk may have them in blocks that were reserved and not written.
 */
static void test_unended(void)
{
	int whole_fd = memfd_create("recording", MFD_CLOEXEC);
	int fd = memfd_create("part", MFD_CLOEXEC);
	int err, more, wrong = 0, wrong_zeroes = 0;
	struct cut_walk walk;
	char *whole, text[128];
	size_t bytes, len;

	write_unended(whole_fd);
	whole = contents(whole_fd, &bytes);
	walk = cut_walk_file(whole, bytes, false);
	for (len = 1; len <= bytes; len++) {
		if (ftruncate(fd, len - 1) || pwrite(fd, whole + len - 1, 1, len - 1) != 1)
			abort();
		wrong += !cut_is_right(&walk, len, fd);
		if (ftruncate(fd, len + 4096))
			abort();
		more = read_file(fd, &err) - walk.due.nr;
		/* The record that was cut may be read, ending in zeroes. */
		wrong_zeroes += len >= walk.begin && more != 0 &&
				(more != 1 || walk.at == len);
	}
	snprintf(text, sizeof(text),
		 "a file without an end, cut at each of %zu bytes, is read up to there", bytes);
	unit_ok(!wrong && walk.due.nr > NR_SAMPLES && walk.at == walk.end, text);
	unit_ok(!wrong_zeroes,
		"zeroes behind the cut are not taken for records");
	free(whole);
	close(whole_fd);
	close(fd);
}

int main(void)
{
	static const int errors[] = { ENOSPC, EIO, EPIPE, EDQUOT };

	for (int pipe = 0; pipe < 2; pipe++) {
		test_harmless(pipe, EINTR, "an interrupted call");
		test_harmless(pipe, SHORT, "half a write");
		for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
			for (enum moment moment = AT_CALL; moment <= WITHIN_CALL; moment++)
				test_error(pipe, errors[i], moment);
		}
		test_truncation(pipe);
	}
	test_unended();
	return unit_exit();
}
