// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - call chains that are completed when the task returns to
 * user mode
 *
 * At each sample, the page of the next frame is not present. When the task returns
 * to user mode, the module causes a page fault. The page fault may succeed, fail, or
 * block without limit (userfaultfd).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/absent_page.h"
#include "harness/chains.h"
#include "harness/nobody.h"
#include "harness/target.h"
#include "harness/test.h"

/* Maximum number of requests per CPU in 100 ms: see kmod/chain/deferred.c. */
#define MAX_ASKED	128

/* Seconds for 400 samples on a debug kernel on a busy machine. */
#define LIMIT		600

FIXTURE(deferred) {
	struct chains	own;
};

FIXTURE_VARIANT(deferred) {
	const char	*backend;
};

#define BACKEND(name)							\
	FIXTURE_VARIANT_ADD(deferred, name) {				\
		.backend	= #name,				\
	}

BACKEND(nmi);
BACKEND(timer);

FIXTURE_SETUP(deferred)
{
	ASSERT_EQ(0, chains_open(&self->own));
}

/* Load the modules again if a test failed while they were unloaded. */
FIXTURE_TEARDOWN(deferred)
{
	chains_close(&self->own);
	if (!module_is_loaded("tprof-lx"))
		module_load("tprof-lx", "");
	if (!module_is_loaded("tprof-lx-fake"))
		module_load("tprof-lx-fake", "");
}

static int begin(struct chains *chains, const char *backend)
{
	return chains_begin(chains, backend, TPROF_LX_EVENT_DEFERRED);
}

/* Map a page of a file, so that its contents survive MADV_DONTNEED. */
static unsigned long *map_file(void)
{
	int fd = memfd_create("frames", MFD_CLOEXEC);
	void *memory = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, 4096))
		memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return memory;
}

static const struct tprof_lx_chain *told_chain(const struct record *record)
{
	const struct tprof_lx_chain *chain = record->body;

	return record->header->type == RECORD_CGROUP &&
	       !strcmp(chain->path, TPROF_LX_CHAIN_PATH) ? chain : NULL;
}

/*
 * Return true if @chain, the body of @record, is the deferred chain of @sample and
 * contains the frame that is absent in @sample.
 */
static bool is_told(const struct tprof_lx_chain *chain,
		    const struct record *record, const struct record *sample)
{
	return record->tid == sample->tid && chain->nr == 3 &&
	       chain->elapsed && chain->ips[0] == PERF_CONTEXT_USER &&
	       chain->ips[1] == sample->ip && chain->ips[2] == 0x123456 &&
	       record->time - chain->elapsed <= sample->time + 100000;
}

/* Samples in user mode request a deferred chain. Samples in a system call do not. */
TEST_F_TIMEOUT(deferred, absent_frame_is_in_the_deferred_chain, LIMIT)
{
	int fd = open(TPROF_LX_BURN_DEVICE, O_RDWR | O_CLOEXEC);
	const struct record *record, *last = NULL;
	size_t asked = 0, told = 0, of_kernel = 0;
	const struct tprof_lx_chain *chain;
	unsigned long *frame = map_file();

	ASSERT_LE(0, fd);
	ASSERT_NE(MAP_FAILED, frame);
	frame[1] = 0x123456;
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	do {
		stray_absent(frame, 1000, fd);
	} while (session_taken(self->own.fd, TPROF_LX_SUM, 0) < 400);
	ASSERT_EQ(0, chains_end(&self->own));
	for_each_record(record, &self->own.stream) {
		chain = told_chain(record);
		if (record->header->type == PERF_RECORD_SAMPLE &&
		    record->header->misc & TPROF_LX_MISC_CHAIN_DEFERRED) {
			EXPECT_FALSE(record_is_kernel(record));
			asked++;
			last = record;
		} else if (record->header->type == PERF_RECORD_SAMPLE) {
			of_kernel += record_is_kernel(record);
		} else if (chain) {
			ASSERT_NE(NULL, last);
			told += is_told(chain, record, last);
			last = NULL;
		}
	}
	printf("# %zu requested, %zu recorded, %zu in the kernel\n", asked, told,
	       of_kernel);
	EXPECT_LT(20, asked);
	EXPECT_LT(5, of_kernel);
	/*
	 * On a slow machine, some samples share one request, so there may be fewer
	 * deferred chains than samples that requested one.
	 */
	EXPECT_LE(2 * asked, 3 * told);
	munmap(frame, 4096);
	close(fd);
}

/* Count the deferred chains with @nr entries, and expect that no chain is longer. */
static size_t count_told(struct __test_metadata *_metadata,
			 const struct stream *stream, __u64 nr)
{
	const struct tprof_lx_chain *chain;
	const struct record *record;
	size_t told = 0;

	for_each_record(record, stream) {
		chain = told_chain(record);
		if (!chain)
			continue;
		told += chain->nr == nr;
		EXPECT_GE(nr, chain->nr);
		EXPECT_EQ(0x123456, chain->ips[2]);
	}
	return told;
}

/* Two sessions share a request, but each has its own sample_max_stack. */
TEST_F(deferred, each_session_limits_its_own_depth)
{
	unsigned long *frame = map_file();
	struct chains other;

	ASSERT_EQ(0, chains_open(&other));
	ASSERT_NE(MAP_FAILED, frame);
	frame[0] = (unsigned long)(frame + 2);
	frame[1] = 0x123456;
	frame[3] = 0x234567;
	self->own.attr.sample_max_stack = 2;
	other.attr.sample_max_stack = 3;
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	ASSERT_EQ(0, begin(&other, variant->backend));
	stray_absent(frame, 600, -1);
	ASSERT_EQ(0, chains_end(&self->own));
	ASSERT_EQ(0, chains_end(&other));
	EXPECT_LT(2, count_told(_metadata, &self->own.stream, 3));
	EXPECT_LT(2, count_told(_metadata, &other.stream, 4));
	munmap(frame, 4096);
	chains_close(&other);
}

static size_t count_asked(const struct stream *stream)
{
	const struct record *record;
	size_t asked = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE)
		asked += !!(record->header->misc & TPROF_LX_MISC_CHAIN_DEFERRED);
	return asked;
}

/* After a request has failed, the module does not repeat it for some seconds. */
TEST_F(deferred, inaccessible_memory_is_not_requested_again)
{
	size_t asked;
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	ASSERT_NE(MAP_FAILED, hole);
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	stray_for(hole, 300);
	ASSERT_EQ(0, chains_end(&self->own));
	asked = count_asked(&self->own.stream);
	EXPECT_LE(1, asked);
	EXPECT_GE(3, asked);
	EXPECT_LT(5, self->own.stats.chains_absent);
	EXPECT_EQ(0, stream_count(&self->own.stream, RECORD_CGROUP));
	munmap(hole, 4096);
}

/* If RBP points outside the stack, it most likely is no frame pointer. */
TEST_F(deferred, memory_outside_the_stack_is_not_requested)
{
	unsigned long *memory = map_file();

	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	stray_elsewhere(memory, 300);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_EQ(0, count_asked(&self->own.stream));
	EXPECT_LT(5, self->own.stats.chains_absent);
	munmap(memory, 4096);
}

/*
 * The task keeps dropping its stack page. Because of MAX_ASKED, most samples do not
 * request a deferred chain.
 */
TEST_F(deferred, requests_are_rate_limited)
{
	const unsigned int ms = 1000, bound = MAX_ASKED * (ms / 100 + 2);
	unsigned long *frame = map_file();
	size_t asked;

	ASSERT_NE(MAP_FAILED, frame);
	frame[1] = 0x123456;
	self->own.attr.sample_freq = 20000;
	ASSERT_EQ(0, cpu_pin(0));
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	stray_often(frame, ms);
	ASSERT_EQ(0, chains_end(&self->own));
	asked = count_asked(&self->own.stream);
	printf("# note: %zu requested, %llu absent\n", asked,
	       self->own.stats.chains_absent);
	EXPECT_LT(0, asked);
	EXPECT_GE(bound, asked);
	munmap(frame, 4096);
	if (self->own.stats.chains_absent <= bound)
		SKIP(return, "this machine takes too few samples to reach the bound");
}

TEST_F(deferred, event_without_user_chain_is_einval)
{
	self->own.attr.exclude_callchain_user = 1;
	EXPECT_EQ(-EINVAL, begin(&self->own, variant->backend));
	self->own.attr.exclude_callchain_user = 0;
	self->own.attr.sample_id_all = 0;
	EXPECT_EQ(-EINVAL, begin(&self->own, variant->backend));
	self->own.attr.sample_id_all = 1;
	self->own.attr.exclude_user = 1;
	EXPECT_EQ(-EINVAL, begin(&self->own, variant->backend));
	self->own.attr.exclude_user = 0;
	self->own.attr.sample_type &= ~PERF_SAMPLE_CALLCHAIN;
	EXPECT_EQ(-EINVAL, begin(&self->own, variant->backend));
}

/**
 * struct waiting - a thread that blocks in a page fault on its stack
 * @thread:	the thread
 * @frame:	the thread's stack and frame pointer while it is sampled
 * @is_over:	the thread must exit when it runs again
 */
struct waiting {
	pthread_t		thread;
	struct absent_page	frame;
	bool			is_over;
};

static void *wait_for_stack(void *arg)
{
	struct waiting *waiting = arg;

	while (!__atomic_load_n(&waiting->is_over, __ATOMIC_RELAXED))
		stray_for(waiting->frame.page, 1);
	return NULL;
}

/*
 * Start the thread, and wait for the page fault. Only the module can cause it: the
 * thread does not access its stack.
 */
static int waiting_begin(struct waiting *waiting)
{
	waiting->is_over = false;
	return -pthread_create(&waiting->thread, NULL, wait_for_stack, waiting) ?:
	       absent_page_wait(&waiting->frame);
}

static int waiting_end(struct waiting *waiting)
{
	__atomic_store_n(&waiting->is_over, true, __ATOMIC_RELAXED);
	return absent_page_provide(&waiting->frame) ?: -pthread_join(waiting->thread, NULL);
}

/*
 * The caller has unloaded tprof-lx-fake, which depends on tprof-lx. Expect that tprof-lx
 * can be unloaded, too, and load both again.
 */
static void expect_unloads(struct __test_metadata *_metadata)
{
	expect_load();
	EXPECT_TRUE(wait_until(!module_unload("tprof-lx"), 10000));
	EXPECT_EQ(0, module_load("tprof-lx", ""));
	EXPECT_EQ(0, module_load("tprof-lx-fake", ""));
}

/* While the page fault blocks, the session can end, but tprof-lx cannot be unloaded. */
TEST_F(deferred, pending_page_fault_holds_only_the_module)
{
	struct waiting waiting;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, absent_page_make(&waiting.frame));
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	ASSERT_EQ(0, waiting_begin(&waiting));
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_TRUE(ledgers_add_up(self->own.fd, 1));
	chains_close(&self->own);
	self->own.fd = -1;
	EXPECT_EQ(0, module_unload("tprof-lx-fake"));
	EXPECT_EQ(-EAGAIN, module_unload("tprof-lx"));
	EXPECT_EQ(0, waiting_end(&waiting));
	expect_unloads(_metadata);
}

#define CROWD	16

static struct waiting crowd_threads[CROWD];

/* The memory that no thread provides. Only root may have it. */
static int make_absent_pages(struct target *target, __u64 unused)
{
	int err = cpu_pin(0);

	for (int i = 0; i < CROWD && !err; i++)
		err = absent_page_make(&crowd_threads[i].frame);
	return err;
}

/*
 * Become the user @uid without privileges. All its threads wait for memory. The module lets only
 * some of them wait; the others go on.
 */
static int wait_in_crowd(struct target *target, __u64 uid)
{
	int err = become_user(uid, -1);

	for (int i = 0; i < CROWD && !err; i++)
		err = -pthread_create(&crowd_threads[i].thread, NULL, wait_for_stack,
				      &crowd_threads[i]);
	/* A thread that goes on runs for most of a second before the next one is found. */
	for (int i = 0; i < CROWD && !err; i++)
		poll(&(struct pollfd){ .fd = crowd_threads[i].frame.fault, .events = POLLIN }, 1,
		     200);
	return err;
}

/* Sample a crowd of the user @uid, and then a task of root. Return how many chains that has. */
static int count_beside(struct __test_metadata *_metadata, FIXTURE_DATA(deferred) *self,
			const char *backend, struct target *crowd, __u64 uid)
{
	unsigned long *frame = map_file();

	ASSERT_NE(MAP_FAILED, frame);
	frame[1] = 0x123456;
	ASSERT_EQ(0, begin(&self->own, backend));
	EXPECT_EQ(0, target_ask(crowd, wait_in_crowd, uid) ?: target_wait(crowd));
	/* The threads that do not wait take most of the CPU. */
	stray_absent(frame, 4000, -1);
	target_end(crowd);
	ASSERT_EQ(0, chains_end(&self->own));
	munmap(frame, 4096);
	return count_told(_metadata, &self->own.stream, 3);
}

/* Each CPU has memory for some chains only, which one user must not take for long. */
TEST_F_TIMEOUT(deferred, waiting_tasks_of_a_user_leave_room_for_others, LIMIT)
{
	struct target crowd;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, target_start(&crowd, 0, 0));
	EXPECT_EQ(0, target_do(&crowd, make_absent_pages, 0));
	EXPECT_LE(1, count_beside(_metadata, self, variant->backend, &crowd, NOBODY));
}

static int enter_namespace(struct target *target, __u64 unused)
{
	return unshare(CLONE_NEWUSER) ? -errno : 0;
}

/* Map id 0 of the user namespace of @pid to a user without privileges. */
static int map_ids(pid_t pid)
{
	static const char *const files[] = { "uid_map", "gid_map" };
	char path[64], map[32];
	int err = 0;

	snprintf(map, sizeof(map), "0 %d 1", NOBODY);
	for (size_t i = 0; i < ARRAY_LEN(files) && !err; i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		err = file_write(path, map);
	}
	return err;
}

/* Root makes the namespace of a container, but not for itself. */
TEST_F_TIMEOUT(deferred, waiting_tasks_of_a_container_leave_room_for_root, LIMIT)
{
	struct target crowd;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, target_start(&crowd, 0, 0));
	EXPECT_EQ(0, target_do(&crowd, make_absent_pages, 0));
	if (target_do(&crowd, enter_namespace, 0)) {
		target_end(&crowd);
		SKIP(return, "this kernel has no user namespaces");
	}
	EXPECT_EQ(0, map_ids(crowd.pid));
	EXPECT_LE(1, count_beside(_metadata, self, variant->backend, &crowd, 0));
}

static int spin_in_chain(struct target *target, __u64 ms)
{
	spin_ms(ms);
	return 0;
}

static int become_nobody(struct target *target, __u64 unused)
{
	return cpu_pin(0) ?: become_user(NOBODY, -1);
}

/* Return the number of samples of @pid with a caller in their chains. */
static size_t count_with_callers(const struct stream *stream, __u32 pid)
{
	const struct record *record;
	size_t nr = 0;

	for_each_record_type(record, stream, PERF_RECORD_SAMPLE) {
		/* The number of addresses: the mark of user mode, the sample's, its callers. */
		nr += record->pid == pid && *(const __u64 *)record->body > 2;
	}
	return nr;
}

/* If a task cannot learn the mappings of its process, a worker does. */
TEST_F_TIMEOUT(deferred, mappings_are_learned_without_room_for_chains, LIMIT)
{
	struct target crowd, other;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, target_start(&crowd, 0, 0));
	ASSERT_EQ(0, target_start(&other, 0, 0));
	EXPECT_EQ(0, target_do(&crowd, make_absent_pages, 0));
	EXPECT_EQ(0, target_do(&other, become_nobody, 0));
	/* Samples of the kernel are not deferred, so a worker learns the mappings for them. */
	self->own.attr.exclude_kernel = 1;
	ASSERT_EQ(0, chains_begin(&self->own, variant->backend,
				  TPROF_LX_EVENT_DEFERRED | TPROF_LX_EVENT_TABLES));
	EXPECT_EQ(0, target_ask(&crowd, wait_in_crowd, NOBODY) ?: target_wait(&crowd));
	EXPECT_EQ(0, target_do(&other, spin_in_chain, 3000));
	target_end(&crowd);
	target_end(&other);
	ASSERT_EQ(0, chains_end(&self->own));
	EXPECT_LT(2, count_with_callers(&self->own.stream, other.pid));
}

static void wait_and_die(void)
{
	struct waiting waiting;

	if (!absent_page_make(&waiting.frame) && !waiting_begin(&waiting))
		kill(getpid(), SIGKILL);
}

TEST_F(deferred, task_killed_in_page_fault_holds_nothing)
{
	int pid, status;

	if (access(USERFAULTFD, F_OK))
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, begin(&self->own, variant->backend));
	pid = fork();
	if (!pid) {
		wait_and_die();
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	ASSERT_EQ(0, chains_end(&self->own));
	chains_close(&self->own);
	self->own.fd = -1;
	EXPECT_EQ(0, module_unload("tprof-lx-fake"));
	expect_unloads(_metadata);
}

TEST_HARNESS_MAIN
