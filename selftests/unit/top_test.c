// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the thread of top that reads records, its profiles and its status lines
 *
 * The records are made here, as those of a session would be. They are of processes that start
 * and end, and of one that goes on.
 */
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/hot_functions.h"
#include "base/thread.h"
#include "perfdata_test.h"
#include "top/live_profile.h"
#include "top/snapshot.h"
#include "unit.h"
#include "view/table_view.h"
#include "view/table_zoom.h"

#define STEADY_PID	50
#define PERIOD		1000
#define STORM		20000
#define PER_STEP	500

/* All records of the session so far, and how many of their bytes the feed has. */
static struct bytes records;
static size_t nr_read;
static u64 now = FIRST_TIME;
static u32 next_pid = 1000;
static bool has_ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Append EXIT, which record_make.h does not make. */
static void add_exit(struct bytes *out, u32 pid)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_EXIT, .size = sizeof(header) + 24 + RECORD_TRAILER_BYTES,
	};
	struct record_trailer trailer = { .pid = pid, .tid = pid, .time = ++now, .id = 41 };

	bytes_add(out, &header, sizeof(header));
	bytes_add_u32(out, pid);
	bytes_add_u32(out, 1);
	bytes_add_u32(out, pid);
	bytes_add_u32(out, 1);
	bytes_add_u64(out, now);
	record_add_trailer(out, &trailer);
}

static void add_sample(struct bytes *out, u32 pid, u64 ip)
{
	const struct test_sample sample = {
		.ip = ip, .pid = pid, .tid = pid, .time = ++now, .period = PERIOD,
	};

	make_fields(out, &sample, 0);
}

/* A process with a name and a mapping of its own, which is sampled once and ends. */
static void add_process(struct bytes *out, u32 pid)
{
	struct record_trailer trailer = { .pid = pid, .tid = pid, .time = ++now, .id = 41 };
	struct mapping map = { .start = 0x400000, .len = 0x1000, .prot = 5, .name = "/bin/storm" };
	char name[16];

	snprintf(name, sizeof(name), "storm%u", pid);
	record_fork(out, &trailer, STEADY_PID, STEADY_PID);
	trailer.time = ++now;
	record_comm(out, &trailer, name);
	trailer.time = ++now;
	record_mmap2(out, &trailer, &map);
	add_sample(out, pid, 0x400010);
	add_exit(out, pid);
}

/* Append a round of records: @nr processes, and 3 samples of the steady one for each. */
static void add_round(u32 nr)
{
	pthread_mutex_lock(&lock);
	for (; nr; nr--) {
		add_process(&records, next_pid++);
		add_sample(&records, STEADY_PID, 0x10);
		add_sample(&records, STEADY_PID, 0x10);
		add_sample(&records, STEADY_PID, 0x20);
	}
	record_finished_round(&records);
	record_finished_round(&records);
	pthread_mutex_unlock(&lock);
}

/* The function feed_source.next: at most 64 KiB, which may end within a record. */
static ssize_t next(void *arg, const u8 **out)
{
	static u8 buffer[1 << 16];
	size_t len;

	(void)arg;
	pthread_mutex_lock(&lock);
	len = records.len - nr_read;
	len = len < sizeof(buffer) ? len : sizeof(buffer);
	if (len)
		memcpy(buffer, records.data + nr_read, len);
	nr_read += len;
	pthread_mutex_unlock(&lock);
	*out = buffer;
	return len ? (ssize_t)len : has_ended ? 0 : -EAGAIN;
}

static int keep_all(void)
{
	return 0;
}

static void begin(struct feed *feed, struct resolver **resolver, struct live_profile *live,
		  const struct top_options *opts)
{
	const struct feed_source source = { .next = next, .fd = -1, .events = test_events,
					    .nr_events = 1 };

	if (resolver_begin(resolver, &opts->symbols, keep_all) ||
	    feed_begin(feed, &source, &opts->keys, 20 * NSEC_PER_MSEC))
		abort();
	live_profile_init(live, feed, *resolver, opts);
}

/* Wait until the feed has all records, and has handed over an interval since. */
static void take_all(struct live_profile *live, enum fading_older older)
{
	bool is_new = false, is_read = false;
	struct pollfd pfd = { .fd = live->feed->ready, .events = POLLIN };
	u64 count;

	while (!is_new || !is_read) {
		pthread_mutex_lock(&lock);
		is_read = nr_read == records.len;
		pthread_mutex_unlock(&lock);
		poll(&pfd, 1, -1);
		if (read(live->feed->ready, &count, sizeof(count)) < 0)
			abort();
		if (live_profile_take(live, older, &is_new))
			abort();
	}
}

/* Return the samples at address @addr of the steady process, or NULL. */
static const struct tally *find_steady(const struct profile *profile, u64 addr)
{
	char text[COLUMN_TEXT_LEN], wanted[32];
	struct profile_entry entry;

	snprintf(wanted, sizeof(wanted), "0x%016llx", addr);
	for (u32 i = 0; i < profile->entries.nr; i++) {
		entry = entries_at(&profile->entries, i);
		if (entry.keys[1] == STEADY_PID &&
		    !strcmp(symbol_key_text(entry.keys[2], text, sizeof(text)), wanted))
			return entry.self;
	}
	return NULL;
}

/* Write the samples of @live to a file, and compare them with what is read back. */
static void check_snapshot(const struct live_profile *live, const struct top_options *opts)
{
	const struct snapshot snapshot = { .fading = &live->fading, .tags = live->tags,
					   .events = test_events, .nr_events = 1 };
	const struct gather_options options = { .keys = opts->keys };
	const struct symbol_options symbols = { .only_kept = true };
	const struct profile *shown = live->gather->profiles[0], *read;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	const struct tally *before, *after;
	struct gather gather;
	struct reader reader;

	unit_ok(!snapshot_write(&snapshot, fd), "what is shown can be written");
	lseek(fd, 0, SEEK_SET);
	if (reader_open(&reader, fd) || gather_init(&gather, &options, &symbols, &reader) ||
	    gather_all(&gather, &reader))
		abort();
	read = gather.profiles[0];
	before = find_steady(shown, 0x10);
	after = find_steady(read, 0x10);
	unit_ok(before && after && before->samples == after->samples &&
		after->period > before->period * 0.99 && after->period <= before->period,
		"a row of the file has the same samples and period");
	unit_ok(read->entries.nr == shown->entries.nr, "the file has all rows");
	gather_free(&gather);
	reader_close(&reader);
	close(fd);
}

/* Count the samples of @live again by address, as the page of instructions does. */
static void check_addresses(const struct live_profile *live)
{
	const struct gather_options options = { .keys = hot_functions_keys(),
						.children = CHILDREN_NO, .find = resolver_find,
						.arg = live->resolver };
	const struct profile *shown = live->gather->profiles[0], *counted;
	u64 samples[2] = { 0 };
	struct profile_entry entry;
	const struct object *object;
	struct gather gather;

	if (live_profile_count(live, &gather, &options))
		abort();
	counted = gather.profiles[0];
	for (u32 i = 0; i < counted->entries.nr; i++) {
		entry = entries_at(&counted->entries, i);
		object = (const struct object *)(uintptr_t)entry.keys[0];
		/* Only the steady process has no mappings. */
		if (object->kind == OBJECT_NOTHING)
			samples[entry.keys[2] == 0x20] += entry.self->samples;
	}
	unit_ok(counted->samples == shown->samples && samples[1] &&
		samples[0] == find_steady(shown, 0x10)->samples &&
		samples[1] == find_steady(shown, 0x20)->samples,
		"the samples that are shown can be counted by address");
	gather_free(&gather);
}

static void test_storm(void)
{
	const struct top_options opts = {
		.keys = { { column_find("comm"), column_find("pid"), column_find("sym") }, 3 },
	};
	struct resolver *resolver;
	struct live_profile live;
	struct status status = { 0 };
	const struct profile *profile;
	struct profile_entry first, second;
	static struct feed feed;
	u64 read_samples = 0;
	u32 done, tries;

	begin(&feed, &resolver, &live, &opts);
	for (done = 0; done < STORM; done += PER_STEP) {
		add_round(PER_STEP);
		take_all(&live, OLDER_FADE);
		if (live_profile_update(&live))
			abort();
		live_profile_describe(&live, &status);
		read_samples += status.samples;
	}
	/* A harvest may have been due before all records were counted. */
	for (tries = 0; tries < 100 && read_samples + status.left_out < 4ULL * STORM; tries++) {
		take_all(&live, OLDER_FADE);
		live_profile_describe(&live, &status);
		read_samples += status.samples;
	}
	unit_ok(read_samples + status.left_out == 4ULL * STORM, "each sample is counted once");
	profile = live.gather->profiles[0];
	first = profile_sorted(profile, 0);
	/* The one sample of a process fades away, if a slow machine has many intervals. */
	second = profile_sorted(profile, 1);
	unit_ok(first.keys[1] == STEADY_PID && second.keys[1] == STEADY_PID &&
		first.self->samples > second.self->samples * 1.9 &&
		first.self->samples < second.self->samples * 2.1,
		"the address that has two of four samples has twice as many as the next");
	if (live_profile_update(&live))
		abort();
	check_snapshot(&live, &opts);
	check_addresses(&live);
	unit_ok(live.fading.stacks.table.nr < STORM / 2, "processes that ended fade away");
	feed_end(&feed);
	live_profile_free(&live);
	resolver_end(&resolver);
}

/* Append a round with a sample in the kernel as well. */
static void add_kernel_round(void)
{
	const struct test_sample sample = {
		.ip = 0xffffffff81000010, .misc = PERF_RECORD_MISC_KERNEL, .pid = STEADY_PID,
		.tid = STEADY_PID, .time = ++now, .period = PERIOD,
	};

	pthread_mutex_lock(&lock);
	make_fields(&records, &sample, 0);
	pthread_mutex_unlock(&lock);
	add_round(1);
}

static void test_modes(void)
{
	const struct top_options opts = { .keys = { { column_find("sym") }, 1 } };
	struct resolver *resolver;
	struct live_profile live;
	struct status status = { 0 };
	static struct feed feed;

	begin(&feed, &resolver, &live, &opts);
	add_kernel_round();
	take_all(&live, OLDER_FADE);
	live_profile_describe(&live, &status);
	unit_ok(status.samples == 5 && status.kernel == 1, "samples are counted by mode");
	add_round(1);
	take_all(&live, OLDER_FADE);
	live_profile_describe(&live, &status);
	unit_ok(status.samples == 4 && !status.kernel && status.all_samples == 9 &&
		status.all_kernel == 1, "the counts of all intervals are kept");
	feed_end(&feed);
	live_profile_free(&live);
	resolver_end(&resolver);
}

/* Return the number of rows that a zoom by a key of the first row has in the next interval. */
static size_t zoom_and_go_on(struct live_profile *live, struct table_view *view, const char *key)
{
	const char *words[] = { key, NULL };
	struct message message;

	table_zoom_by_key(view, words, &message);
	add_round(1);
	take_all(live, OLDER_FADE);
	if (live_profile_update(live) || table_view_replace(view, live->gather->profiles[0]))
		abort();
	return view->items.nr;
}

/* The texts that are keys stay where they are, though their threads are counted anew. */
static void test_zooms(void)
{
	const struct top_options opts = {
		.keys = { { column_find("comm"), column_find("thread"), column_find("sym") }, 3 },
	};
	const struct table_options columns = { .columns = opts.keys.columns, .nr_columns = 3 };
	struct resolver *resolver;
	struct live_profile live;
	struct table_view view;
	static struct feed feed;

	begin(&feed, &resolver, &live, &opts);
	add_round(1);
	take_all(&live, OLDER_FADE);
	if (live_profile_update(&live) ||
	    table_view_init(&view, &columns, live.gather->profiles[0]))
		abort();
	unit_ok(zoom_and_go_on(&live, &view, "comm") == 2,
		"a zoom into the threads of a name lasts");
	unit_ok(zoom_and_go_on(&live, &view, "thread") == 2, "a zoom into a thread lasts");
	table_view_free(&view);
	feed_end(&feed);
	live_profile_free(&live);
	resolver_end(&resolver);
}

static bool line_has(const struct status *status, u32 at, const char *text)
{
	char buf[STATUS_LEN];

	return strstr(status_line(status, at, buf, sizeof(buf)), text);
}

/* While nothing is taken from the feed, it has the last intervals. */
static void test_pause(void)
{
	const struct top_options opts = { .keys = { { column_find("comm") }, 1 } };
	const u32 nr_rounds = 2 * FEED_MAX_HARVESTS;
	struct pollfd pfd = { .events = POLLIN };
	struct resolver *resolver;
	struct live_profile live;
	struct status status = { 0 };
	static struct feed feed;
	char expected[64];
	u64 count;

	begin(&feed, &resolver, &live, &opts);
	pfd.fd = feed.ready;
	for (u32 i = 0; i < nr_rounds; i++) {
		add_round(1);
		poll(&pfd, 1, -1);
		if (read(feed.ready, &count, sizeof(count)) < 0)
			abort();
		feed_make_room(&feed);
	}
	unit_ok(!live.nr_samples, "no sample is taken meanwhile");
	take_all(&live, OLDER_FADE);
	if (live_profile_update(&live))
		abort();
	live_profile_describe(&live, &status);
	unit_ok(status.passed_over && status.samples + status.passed_over == 4 * nr_rounds,
		"then the samples of the last intervals are taken, and others are counted");
	snprintf(expected, sizeof(expected), "samples of pauses (left out): %llu",
		 status.passed_over);
	unit_ok(!status_has_losses(&status) && line_has(&status, 2, expected),
		"the samples of a pause are not lost");
	feed_end(&feed);
	live_profile_free(&live);
	resolver_end(&resolver);
}

/* After feed_end(), no thread changes the world: look at its size before it is freed. */
static void test_memory(void)
{
	const struct top_options opts = { .keys = { { column_find("comm") }, 1 }, .zero = true };
	struct resolver *resolver;
	struct live_profile live;
	static struct feed feed;
	bool is_new;
	int err;

	begin(&feed, &resolver, &live, &opts);
	for (u32 done = 0; done < STORM; done += PER_STEP) {
		add_round(PER_STEP);
		take_all(&live, OLDER_DROP);
	}
	has_ended = true;
	while (!feed_has_ended(&feed, &err)) {
		if (live_profile_take(&live, OLDER_DROP, &is_new))
			abort();
	}
	unit_ok(!err, "the end of the session ends the feed");
	unit_ok(feed.gather.world.tasks.table.nr < GONE_TASKS + 10,
		"threads that ended are forgotten");
	unit_ok(feed.gather.world.spaces.table.nr < GONE_SPACES + 10,
		"processes that ended are forgotten");
	unit_ok(feed.gather.world.objects.nr < 10, "equal binaries are one");
	live_profile_free(&live);
	resolver_end(&resolver);
	feed_end(&feed);
}

/*
 * An exit handler as libraries have them: it frees what the thread uses. If it runs, the process
 * ends with another status.
 */
static void free_all(void)
{
	_exit(2);
}

/*
 * In a process of its own, let the resolver read symbols from @path, end it, and end the process
 * with status @status, as main() does. A file without a writer is one that takes long.
 */
static void end_while_loading(const char *path, int status)
{
	const struct symbol_options options = { .kallsyms = path };
	const struct object_key key = { .name = "[kernel.kallsyms]", .kind = OBJECT_KERNEL };
	struct spot spot = { .addr = 0xffffffff81000000 };
	struct resolver *resolver;

	if (atexit(free_all) || resolver_begin(&resolver, &options, keep_all))
		abort();
	spot.object = objects_get(&resolver->objects, &key);
	if (!spot.object || resolver_find(resolver, &spot))
		abort();
	/* The thread has begun to load when it holds this lock. */
	while (resolver_borrow(resolver)) {
		resolver_give_back(resolver);
		sched_yield();
	}
	if (resolver_end(&resolver))
		_exit(3);
	thread_exit_process(status);
}

static void test_end_while_loading(void)
{
	char dir[] = "/tmp/top-test-XXXXXX", path[64];
	int status;
	pid_t pid;

	if (!mkdtemp(dir))
		abort();
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	if (mkfifo(path, 0600))
		abort();
	fflush(stdout);
	pid = fork();
	if (!pid)
		end_while_loading(path, 7);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	unit_ok(WIFEXITED(status) && WEXITSTATUS(status) == 7,
		"no exit handler runs while symbols are loaded");
	unlink(path);
	rmdir(dir);
}

/* Return true if line @at of @status is @text, after the time of day. */
static bool line_is(const struct status *status, u32 at, const char *text)
{
	char buf[STATUS_LEN];
	const char *line = status_line(status, at, buf, sizeof(buf));

	line += at == 0 ? strlen("hh:mm:ss  ") : 0;
	if (!strcmp(line, text))
		return true;
	printf("# %s\n", line);
	return false;
}

/* The counts of an interval change with each table. */
static void test_counts(void)
{
	struct count_cell cells[2] = { { .value = 1234567 }, { .value = 2500000 } };
	struct counting counting = {
		.events = {
			{ .name = "page-faults", .cells = &cells[0],
			  .attr = { .type = PERF_TYPE_SOFTWARE,
				    .config = PERF_COUNT_SW_PAGE_FAULTS } },
			{ .name = "task-clock", .cells = &cells[1],
			  .attr = { .type = PERF_TYPE_SOFTWARE,
				    .config = PERF_COUNT_SW_TASK_CLOCK } },
		},
		.nr_events = 2,
	};
	struct status status = { .counting = &counting };
	char title[256];

	unit_ok(line_is(&status, 3, "counts: 1,234,567 page-faults, 2.5 ms task-clock"),
		"a line has the counts of the interval");
	status_title(&status, "nmi", title, sizeof(title));
	unit_ok(strstr(title, "; 1,234,567 page-faults, 2.5 ms task-clock; unread"),
		"the first line of a screen has them, too");
	counting.nr_events = 0;
	unit_ok(line_is(&status, 3, ""), "without --count, there is no such line");
}

static void test_status(void)
{
	struct status status = { .ns = 2 * NSEC_PER_SEC, .samples = 8, .kernel = 1,
				 .all_samples = 20000, .all_kernel = 3000,
				 .cpu_ns = 10 * NSEC_PER_MSEC, .memory = 20 << 20 };

	unit_ok(line_is(&status, 0, "2.0 s: 8 samples (7 user, 1 kernel), 4 a second; 0 not read yet; "
				    "top itself: 0.5 % of a CPU, 20.0 MiB"),
		"the first line has the rate and the cost");
	unit_ok(line_is(&status, 1, "since the start: 20,000 samples (17,000 user, 3,000 kernel); "
				    "lost: none"),
		"the second line has totals, and no losses");
	unit_ok(line_is(&status, 2, ""), "the third line is empty if symbols are complete");
	status.stats.ledger.queued = 12;
	status.stats.ledger.lost_ring = 1000;
	status.stats.side_lost = 2;
	status.left_out = 3;
	status.nr_binaries_left_out = 4;
	status.nr_waiting = 5;
	status.nr_refused = 6;
	unit_ok(line_is(&status, 0, "2.0 s: 8 samples (7 user, 1 kernel), 4 a second; 12 not read yet; "
				    "top itself: 0.5 % of a CPU, 20.0 MiB"),
		"the first line has what was not read");
	unit_ok(line_has(&status, 1, "; lost: 1,000 samples by a full ring, ") &&
		line_has(&status, 1, ", 3 samples for lack of memory, ") &&
		line_has(&status, 1, ", 2 records about tasks and mappings, ") &&
		line_has(&status, 1, ", 4 mappings of too many binaries"),
		"the second line has losses by cause");
	unit_ok(line_is(&status, 2, "binaries that wait for their symbols: 5; "
				    "binaries without symbols for lack of memory: 6"),
		"the third line has what symbols are missing");
}

int main(void)
{
	make_events();
	test_status();
	test_counts();
	test_end_while_loading();
	test_storm();
	test_modes();
	test_zooms();
	test_pause();
	test_memory();
	bytes_free(&records);
	return unit_exit();
}
