// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - a recording whose writing fails, at every call; or that was
 * cut off, at every byte
 *
 * What the writer calls is ours here, and fails as it is told.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "cut_recording.h"
#include "perfdata_test.h"
#include "read_recording.h"
#include "unit.h"

#define SHORT	(-1)	/* half of it is written */

/**
 * struct fault - what fails
 * @error:	errno of the call, SHORT, or 0 for none
 * @nth:	the first call that does
 * @stays:	so do all that follow
 * @calls:	how many there were
 */
static struct fault {
	int	error;
	int	nth;
	bool	stays;
	int	calls;
} fault;

static bool fails(size_t *len)
{
	int call = ++fault.calls;

	if (!fault.error || call < fault.nth || (call > fault.nth && !fault.stays))
		return false;
	if (fault.error == SHORT) {
		if (len && *len > 1)
			*len /= 2;
		return false;
	}
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
	return fails(NULL) ? -1 : syscall(SYS_fallocate, fd, mode, at, len);
}

int ftruncate(int fd, off_t len)
{
	return fails(NULL) ? -1 : syscall(SYS_ftruncate, fd, len);
}

/* Two recordings are to be the same, and each tells when it was made. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	*now = (struct timespec){ .tv_sec = clock };
	return 0;
}

static int record_with(int fd, bool pipe, int error, int nth, bool stays)
{
	int err;

	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
	fault = (struct fault){ .error = error, .nth = nth, .stays = stays };
	err = write_recording(fd, pipe);
	fault.error = 0;
	return err;
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

/* Without a fault. Return: the contents; @fault.calls is how many calls that takes. */
static char *record_whole(int fd, bool pipe, size_t *bytes)
{
	if (record_with(fd, pipe, 0, 0, false))
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

/* Interrupted, or a part at a time: nothing is to be seen of it in the end. */
static void test_harmless(bool pipe, int error, const char *name)
{
	int fd = memfd_create("recording", MFD_CLOEXEC), wrong = 0;
	size_t bytes;
	char *whole = record_whole(fd, pipe, &bytes), text[128];
	int calls = fault.calls;

	for (int nth = 1; nth <= calls; nth++) {
		wrong += record_with(fd, pipe, error, nth, false) || !is_same(fd, whole, bytes);
		if (error == SHORT)
			wrong += record_with(fd, pipe, error, nth, true) ||
				 !is_same(fd, whole, bytes);
	}
	snprintf(text, sizeof(text), "%s at each of %d calls, %s: the same in the end", name,
		 calls, pipe ? "pipe" : "file");
	unit_ok(!wrong, text);
	free(whole);
	close(fd);
}

/* An error is told, and what is there by then can be read. */
static void test_error(bool pipe, int error, bool stays)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	int err, nr, untold = 0, unsound = 0, nr_opened = 0;
	size_t bytes;
	char *whole = record_whole(fd, pipe, &bytes), text[128];
	int calls = fault.calls, all = read_file(fd, &err);

	for (int nth = 1; nth <= calls; nth++) {
		err = record_with(fd, pipe, error, nth, stays);
		/* Room that cannot be reserved may be there all the same. */
		untold += err != -error && (err || !is_same(fd, whole, bytes));
		nr = read_file(fd, &err);
		unsound += nr > all || (nr < 0 && !err);
		nr_opened += nr >= 0;
		gather_file(fd);
	}
	snprintf(text, sizeof(text), "%s %s of %d calls, %s: is told", strerrorname_np(error),
		 stays ? "from each" : "at each", calls, pipe ? "pipe" : "file");
	unit_ok(!untold, text);
	snprintf(text, sizeof(text), "and what is there is read, %d of %d times more than nothing",
		 nr_opened, calls);
	/* Of its first calls nothing may be left. */
	unit_ok(!unsound && nr_opened >= calls - 2, text);
	free(whole);
	close(fd);
}

/* As after a power cut: all records that end before it, and no other. */
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

/* Killed, or the machine was: a part was made readable, the rest was only written. */
static void write_unended(int fd)
{
	struct feature_set features = { 0 };
	struct perfdata_writer writer;
	struct bytes records = { 0 };
	struct dso_set dsos = { 0 };
	size_t written;

	make_events();
	make_past(&records, &dsos);
	if (perfdata_begin(&writer, fd, false, test_events, NR_EVENTS, &features) ||
	    perfdata_append(&writer, records.data, records.len, &written) ||
	    perfdata_checkpoint(&writer))
		abort();
	records.len = 0;
	make_samples(&records);
	if (perfdata_append(&writer, records.data, records.len, &written))
		abort();
	bytes_free(&records);
	dso_set_free(&dsos);
	features_free(&features);
}

/* Cut off, and with zeroes where the disk had room that was not written any more. */
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
		/* The one that was cut in two may have its length, and zeroes in it. */
		wrong_zeroes += len >= walk.begin && more != 0 &&
				(more != 1 || walk.at == len);
	}
	snprintf(text, sizeof(text), "one without an end, cut off at each of %zu bytes", bytes);
	unit_ok(!wrong && walk.due.nr > NR_SAMPLES && walk.at == walk.end, text);
	unit_ok(!wrong_zeroes, "no zeroes behind it are taken for records");
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
			test_error(pipe, errors[i], false);
			test_error(pipe, errors[i], true);
		}
		test_truncation(pipe);
	}
	test_unended();
	return unit_exit();
}
