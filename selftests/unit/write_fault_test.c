// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - failures while a recording is written, and truncated recordings
 *
 * Each system call of the writer fails in turn, and the recording is cut in all records.
 * This file replaces the system calls by functions that fail as @fault says.
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

/* Which calls fail. */
enum moment {
	AT_CALL,	/* only the Nth call */
	FROM_CALL,	/* the Nth call and all calls after it */
	WITHIN_CALL,	/* the Nth call writes half of its data; the next call fails */
};

static const char *const moments[] = { "at each", "from each", "within each" };

/**
 * struct fault - which system calls fail, and how
 * @error:	errno of the failing calls; SHORT: write half; 0: none fails
 * @nth:	number of the first affected call
 * @moment:	whether calls after @nth fail, too
 * @calls:	number of calls so far
 * @failed:	number of calls that failed, not counting fallocate()
 */
static struct fault {
	int	error;
	int	nth;
	enum moment moment;
	int	calls;
	int	failed;
} fault;

/*
 * Halve @len and make it odd. No record ends at an odd offset, so the write ends within a
 * record.
 */
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
	/* Do not count this failure: the writer may ignore it and still succeed. */
	fault.failed--;
	return -1;
}

int ftruncate(int fd, off_t len)
{
	return fails(NULL) ? -1 : syscall(SYS_ftruncate, fd, len);
}

/* Return a fixed time, so that all recordings are the same. */
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

/*
 * Write the recording without a fault. Return its contents, and set @fault.calls to the
 * number of calls.
 */
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

/* Interrupted calls and partial writes must not change the recording. */
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

/*
 * Return true if the pipe has a prefix of the whole recording, and the reader returns
 * exactly the complete records of that prefix.
 */
static bool is_right_pipe(int fd, const char *whole, size_t bytes)
{
	struct cut_walk walk = cut_walk_begin(whole, bytes, true);
	size_t len;
	char *data = contents(fd, &len);
	bool is_right = len <= bytes && !memcmp(data, whole, len) && cut_is_right(&walk, len, fd);

	free(data);
	return is_right;
}

/*
 * Return true if reading the file returns exactly the records that the writer reported as
 * written.
 */
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

	/* If the header was not written, the file has no records. */
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
	/*
	 * The reader may return -ENODATA. If the writer could not truncate the file, the
	 * reader may return any error.
	 */
	if (err && err != -ENODATA && can_cut)
		is_right = false;
	return is_right && walk.at == walk.end && came.nr == walk.due.nr &&
	       came.sum == walk.due.sum;
}

/*
 * Make system calls of the writer fail with @error. The writer must return @error, and
 * the records that were written before must be readable.
 */
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

/*
 * Return where to cut a recording of @bytes after @cut: at each byte of its header and of its
 * first records, then at each 7th, so that records are cut at all bytes of a word.
 */
static size_t next_cut(size_t cut, size_t bytes)
{
	size_t next = cut + (cut < 2048 ? 1 : 7);

	return cut < bytes && next > bytes ? bytes : next;
}

/* Make file @fd, which has @from bytes of @whole or more, the first @to bytes of @whole. */
static void continue_file(int fd, const char *whole, size_t from, size_t to)
{
	ssize_t more = to - from;

	if (ftruncate(fd, from) || pwrite(fd, whole + from, more, from) != more)
		abort();
}

/* Cut a recording: exactly the complete records must be read. */
static void test_truncation(bool pipe)
{
	int whole_fd = memfd_create("recording", MFD_CLOEXEC);
	int fd = memfd_create("part", MFD_CLOEXEC), wrong = 0, cuts = 0;
	size_t bytes, len, before = 0;
	char *whole = record_whole(whole_fd, pipe, &bytes), text[128];
	struct cut_walk walk = cut_walk_begin(whole, bytes, pipe);

	for (len = 1; len <= bytes; before = len, len = next_cut(len, bytes)) {
		continue_file(fd, whole, before, len);
		wrong += !cut_is_right(&walk, len, fd);
		if (cuts++ % 64 == 0)
			gather_file(fd);
	}
	snprintf(text, sizeof(text), "a %s cut off at %d of %zu bytes is read up to there",
		 pipe ? "pipe" : "file", cuts, bytes);
	unit_ok(!wrong && walk.due.nr > NR_SAMPLES && walk.at == walk.end, text);
	free(whole);
	close(whole_fd);
	close(fd);
}

/*
 * Write the file of a killed writer: the header covers the records before the last
 * checkpoint, but not those after it.
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
	    writer_append(&writer, records.data, records.len, &written))
		abort();
	records.len = 0;
	make_samples(&records);
	/* The header leaves out what was appended last before the checkpoint. */
	if (writer_append(&writer, records.data, records.len, &written) ||
	    writer_checkpoint(&writer) ||
	    writer_append(&writer, records.data, records.len, &written))
		abort();
	bytes_free(&records);
	dso_set_free(&dsos);
	features_free(&features);
}

/*
 * Cut the file of a killed writer. A file system may leave zeroes after the
 * last written byte, in blocks that were reserved, so also read each cut file with zeroes
 * added.
 */
static void test_unended(void)
{
	int whole_fd = memfd_create("recording", MFD_CLOEXEC);
	int fd = memfd_create("part", MFD_CLOEXEC);
	int err, more, wrong = 0, wrong_zeroes = 0, cuts = 0;
	struct cut_walk walk;
	char *whole, text[128];
	size_t bytes, len, before = 0;

	write_unended(whole_fd);
	whole = contents(whole_fd, &bytes);
	walk = cut_walk_file(whole, bytes, false);
	for (len = 1; len <= bytes; before = len, len = next_cut(len, bytes)) {
		continue_file(fd, whole, before, len);
		cuts++;
		wrong += !cut_is_right(&walk, len, fd);
		if (ftruncate(fd, len + 4096))
			abort();
		more = read_file(fd, &err) - walk.due.nr;
		/*
		 * The reader may return one more record: the one that was cut, with
		 * zeroes at its end.
		 */
		wrong_zeroes += len >= walk.begin && more != 0 &&
				(more != 1 || walk.at == len);
	}
	snprintf(text, sizeof(text),
		 "a file without an end, cut at %d of %zu bytes, is read up to there", cuts, bytes);
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
