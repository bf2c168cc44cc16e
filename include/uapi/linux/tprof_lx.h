/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * tprof-lx - the interface of /dev/tprof-lx
 *
 * An open file of the device is a session. CONFIG sets its CPUs, processes and
 * buffer sizes, EVENT adds an event, START and STOP take a mask of events. read(2)
 * returns whole PERF_RECORD_* records in the layout that perf_event_open(2)
 * documents. poll(2) reports POLLIN when a record can be read, and
 * POLLIN | POLLHUP when the session is stopped and all records were read; read(2)
 * then returns 0. Before the first START, read(2) returns 0 and poll(2) reports
 * nothing.
 *
 * Errors of open(2):
 *
 * - EPERM: the caller has neither CAP_PERFMON nor CAP_SYS_ADMIN, and the module parameter
 *   `access` is 0 or the caller is not in the initial user namespace; or the kernel
 *   is locked down.
 * - EOPNOTSUPP: the caller is not in the initial PID namespace.
 * - EUSERS: the caller has no privileges, and TPROF_LX_MAX_USER_SESSIONS sessions already.
 * - ENOMEM.
 *
 * A session that was opened with CAP_PERFMON or CAP_SYS_ADMIN has privileges. Any other
 * session has the following limits, also if another process uses its file:
 *
 * - Events have TPROF_LX_EVENT_PROCESS, but not context_switch. enum tprof_lx_access says what
 *   else they may have. They use at most as many counters as the module parameter
 *   `unprivileged_counters` allows, and clocks whose rates have at most the sum
 *   `unprivileged_rate`.
 * - No record has an address of the kernel, unless events may have samples of the kernel, and
 *   kernel.kptr_restrict is 0, or is 1 and the opener had CAP_SYSLOG. If addresses are hidden,
 *   samples of the kernel have the address 0, and call chains have no kernel part. Records of
 *   modules are always left out.
 * - A target is a process whose user, group and saved ids are those of the task that
 *   opened the file, which has no capability that this task lacked, and which the kernel's
 *   ptrace access mode PTRACE_MODE_READ_REALCREDS allows to observe. If one of its threads
 *   gets other credentials, for example by setuid(2) or by execve(2) of a set-user-ID
 *   program, or enters a user namespace, or if it executes a program that it may not read,
 *   the process stops to be a target before it executes its next instruction in user mode.
 *   Descendants that are no such processes do not become targets.
 * - Buffers are at most as large as the defaults in INFO, which are smaller than those of other
 *   sessions, and shrink to the user's limit of locked memory. They count to that memory, as the
 *   buffers of perf do, unless the user has CAP_IPC_LOCK. The user is the one that opened the
 *   file.
 * - CONFIG, EVENT, RELEASE, ATTACH, DETACH, START and STOP wait if the user has called them
 *   more than 256 times at once, or more than 50 times in a second; READ, WRITE, THREADS,
 *   EVENTS, NAMES, SESSIONS, ROWS and FLUSH, at 1000 times in a second. A signal interrupts the
 *   wait: EINTR, and the call does not count.
 *   mmap(2) counts as READ does, but fails instead of waiting.
 * - INFO, SESSIONS and EVENTS report the sessions of the same user only, ROWS reports no owners,
 *   and STATS reports no NMIs, calls and buffers.
 *
 * Errors of read(2):
 *
 * - EAGAIN: the file is O_NONBLOCK, and no record can be read yet.
 * - EINVAL: the next record is longer than the buffer.
 * - EFAULT: the buffer cannot be written.
 * - EINTR: a signal without SA_RESTART arrived.
 *
 * mmap(2) maps the queue of these records, so that they can be read without a copy: see
 * ADVANCE. The mapping must be shared, and cannot be writable or executable. From offset 0
 * on, it has the queue twice in a row, so that records at the end of the queue continue
 * after it; its size is twice @fifo_bytes. A child does not inherit the mapping. CONFIG
 * replaces the queue, but the mapping keeps the old one. The session ends when the file is
 * closed and all its mappings are removed.
 *
 * At offset TPROF_LX_PAGE_OFFSET(index), mmap(2) maps a single page: the count page of an
 * event with TPROF_LX_EVENT_PAGE. It is a struct perf_event_mmap_page, to be read as
 * perf_event_open(2) describes it, by the thread that has called EVENT; <tprof-lx/rdpmc.h>
 * has a function for it. While the thread is counted, @index is the number of its counter for
 * RDPMC, plus one. Else @index is 0, and @offset is the count. If user mode may not execute
 * RDPMC, as root has written 0 to the file rdpmc of the PMU in sysfs, @cap_user_rdpmc and
 * @index are 0, and @offset is the count at the time of the last switch to the thread; READ
 * returns the count in all cases. @time_enabled and @time_running are the time for which the
 * thread was counted. As long as the page is mapped, its process may execute RDPMC, and can
 * read all counters of the CPU that it runs on. A child does not inherit that. If root writes
 * 0 to the file rdpmc meanwhile, RDPMC raises SIGSEGV.
 *
 * Errors of mmap(2):
 *
 * - ENXIO: no event was started since open(2) or CONFIG, or the mapping is larger than
 *   twice @fifo_bytes; or there is no event with a count page at the offset.
 * - EINVAL: the mapping is private, or that of a count page is longer than a page.
 * - EPERM, EACCES: the mapping is to be writable or executable; or another thread has called
 *   EVENT.
 * - EBUSY: a real-time task keeps a CPU from permitting RDPMC to the process.
 * - EAGAIN: the session has no privileges, and the user has called ioctls and mmap(2) too often:
 *   try it again later.
 * - ENOMEM.
 *
 * The struct of every ioctl starts with the size that the caller was compiled
 * with. If the caller's struct is smaller than the module's, the missing fields
 * count as zero. If it is larger, the fields that the module does not know must
 * be zero (else E2BIG). Undefined flags and reserved fields must be zero (else
 * EINVAL). Pointers are passed as __u64. An unknown ioctl fails with ENOTTY.
 *
 * Errors that every ioctl may return:
 *
 * - EFAULT: memory of the caller cannot be read or written.
 * - EINVAL: the size is smaller than the first version of the struct.
 * - E2BIG: a field that the module does not know is not zero, or the size is larger
 *   than a page.
 * - ENOMEM.
 *
 * FLUSH is the only ioctl that may wait for a call of read(2) or ADVANCE; a signal
 * interrupts the wait.
 */
#ifndef _UAPI_LINUX_TPROF_LX_H
#define _UAPI_LINUX_TPROF_LX_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* The name of the misc device, below /dev. */
#define TPROF_LX_DEVICE_NAME	"tprof-lx"

/*
 * The version of this interface. It increases when something is added; old callers
 * keep working. A caller refuses a module with a lower version than it needs, and
 * checks feature bits for optional parts.
 */
#define TPROF_LX_ABI_VERSION	1

#define TPROF_LX_MAX_EVENTS	32
#define TPROF_LX_MAX_BACKENDS	16
#define TPROF_LX_MAX_SESSIONS	256
#define TPROF_LX_MAX_TARGETS	1024
/* Sessions without privileges that a user may have. */
#define TPROF_LX_MAX_USER_SESSIONS	16
/* Events that these sessions may have together. */
#define TPROF_LX_MAX_USER_EVENTS	64
#define TPROF_LX_MAX_EXITED	4096
#define TPROF_LX_NAME_LEN	16
#define TPROF_LX_TEXT_LEN	64
#define TPROF_LX_MARK_LEN	128

/* The offset of the count page of an event, for mmap(2). */
#define TPROF_LX_PAGE_OFFSET(index)	((1ULL << 40) + ((__u64)(index) << 12))

/* As a CPU, this value means all CPUs; as the index of an event, all events. */
#define TPROF_LX_SUM		0xffffffffU

/**
 * enum tprof_lx_feature - features of this module, bits of @features in INFO
 * @TPROF_LX_FEATURE_TARGETS:	sessions can be limited to process trees
 * @TPROF_LX_FEATURE_TRACKING:	COMM, FORK, EXIT and SWITCH records
 * @TPROF_LX_FEATURE_MMAP:	MMAP2 records of new mappings
 * @TPROF_LX_FEATURE_BUILD_ID:	MMAP2 records can carry build-ids
 * @TPROF_LX_FEATURE_MODULES:	records of modules that are loaded or unloaded
 * @TPROF_LX_FEATURE_COUNTING:	READ and WRITE, and events without a period
 * @TPROF_LX_FEATURE_ROWS:	ROWS and ROW_ADMIN
 * @TPROF_LX_FEATURE_CHAINS:	call chains, and copies of the user registers and
 *		of the user stack
 * @TPROF_LX_FEATURE_DEFERRED:	TPROF_LX_EVENT_DEFERRED
 * @TPROF_LX_FEATURE_EXACT_PERIODS: in this session, the module does not lengthen the
 *		period of a counter that counts user mode only, however short
 *		the period is
 * @TPROF_LX_FEATURE_PROCESS:	TPROF_LX_EVENT_PROCESS
 * @TPROF_LX_FEATURE_ATTACH:	ATTACH and DETACH
 * @TPROF_LX_FEATURE_ENDING:	a session stops when its last target has exited
 * @TPROF_LX_FEATURE_RELEASE:	RELEASE
 * @TPROF_LX_FEATURE_MAPPING:	mmap(2) and ADVANCE
 * @TPROF_LX_FEATURE_PROCESS_SAMPLES: TPROF_LX_EVENT_PROCESS for events that sample
 * @TPROF_LX_FEATURE_THREADS:	TPROF_LX_EVENT_THREADS, TPROF_LX_EVENT_SWITCHES and THREADS
 * @TPROF_LX_FEATURE_WAITS:	PERF_SAMPLE_RAW in samples of TPROF_LX_SOFT_OFF_CPU
 * @TPROF_LX_FEATURE_UNPRIVILEGED: this session has no privileges: see above
 * @TPROF_LX_FEATURE_STALL:	TPROF_LX_EVENT_STALL
 * @TPROF_LX_FEATURE_PAGE:	TPROF_LX_EVENT_PAGE
 * @TPROF_LX_FEATURE_TABLES:	TABLE and TPROF_LX_EVENT_TABLES
 * @TPROF_LX_FEATURE_COUNT_RECORDS: an event that only counts can have a sample_type, for READ
 *		records; of the events of a session, some can have TPROF_LX_EVENT_THREADS
 * @TPROF_LX_FEATURE_BESIDE:	EVENT works while events run and while records are unread; so does
 *		CONFIG with TPROF_LX_CONFIG_KEEP
 * @TPROF_LX_FEATURE_STACKS:	@stack_bytes of EVENT, and tables without rows
 * @TPROF_LX_FEATURE_PARALLELISM: TPROF_LX_EVENT_PARALLELISM
 * @TPROF_LX_FEATURE_NAMES:	NAMES
 * @TPROF_LX_FEATURE_EVENTS:	EVENTS
 * @TPROF_LX_FEATURE_EVENT_CPUS: an event can have a set of CPUs of its own
 * @TPROF_LX_FEATURE_FOLLOW:	FOLLOW
 */
enum tprof_lx_feature {
	TPROF_LX_FEATURE_TARGETS	= 1ULL << 0,
	TPROF_LX_FEATURE_TRACKING	= 1ULL << 1,
	TPROF_LX_FEATURE_MMAP		= 1ULL << 2,
	TPROF_LX_FEATURE_BUILD_ID	= 1ULL << 3,
	TPROF_LX_FEATURE_MODULES	= 1ULL << 4,
	TPROF_LX_FEATURE_COUNTING	= 1ULL << 5,
	TPROF_LX_FEATURE_ROWS		= 1ULL << 6,
	TPROF_LX_FEATURE_CHAINS		= 1ULL << 7,
	TPROF_LX_FEATURE_DEFERRED	= 1ULL << 8,
	TPROF_LX_FEATURE_EXACT_PERIODS	= 1ULL << 9,
	TPROF_LX_FEATURE_PROCESS	= 1ULL << 10,
	TPROF_LX_FEATURE_ATTACH		= 1ULL << 11,
	TPROF_LX_FEATURE_ENDING		= 1ULL << 12,
	TPROF_LX_FEATURE_RELEASE	= 1ULL << 13,
	TPROF_LX_FEATURE_MAPPING	= 1ULL << 14,
	TPROF_LX_FEATURE_PROCESS_SAMPLES = 1ULL << 15,
	TPROF_LX_FEATURE_THREADS	= 1ULL << 16,
	TPROF_LX_FEATURE_WAITS		= 1ULL << 17,
	TPROF_LX_FEATURE_UNPRIVILEGED	= 1ULL << 18,
	TPROF_LX_FEATURE_STALL		= 1ULL << 19,
	TPROF_LX_FEATURE_PAGE		= 1ULL << 20,
	TPROF_LX_FEATURE_TABLES		= 1ULL << 21,
	TPROF_LX_FEATURE_COUNT_RECORDS	= 1ULL << 22,
	TPROF_LX_FEATURE_BESIDE		= 1ULL << 23,
	TPROF_LX_FEATURE_STACKS		= 1ULL << 24,
	TPROF_LX_FEATURE_PARALLELISM	= 1ULL << 25,
	TPROF_LX_FEATURE_NAMES		= 1ULL << 26,
	TPROF_LX_FEATURE_EVENTS		= 1ULL << 27,
	TPROF_LX_FEATURE_EVENT_CPUS	= 1ULL << 28,
	TPROF_LX_FEATURE_FOLLOW		= 1ULL << 30,
};

/**
 * enum tprof_lx_access - what sessions without privileges may observe of the user's own
 * processes: the module parameter `access`. Each value permits what the lower ones permit
 * @TPROF_LX_ACCESS_NONE: nothing: open(2) fails
 * @TPROF_LX_ACCESS_OWN: user mode, by clocks and software events
 * @TPROF_LX_ACCESS_COUNTERS: user mode, by hardware counters too; and
 *		TPROF_LX_EVENT_PAGE. While a user has an event that needs a counter, perf, guests
 *		and the NMI watchdog get no counters
 * @TPROF_LX_ACCESS_KERNEL: the kernel too: events without exclude_kernel. `nmi` is degraded
 *		then: it samples from the timer interrupt, as `timer` does
 *
 * If the administrator lowers `access`, sessions and events that exist go on.
 */
enum tprof_lx_access {
	TPROF_LX_ACCESS_NONE		= 0,
	TPROF_LX_ACCESS_OWN		= 1,
	TPROF_LX_ACCESS_COUNTERS	= 2,
	TPROF_LX_ACCESS_KERNEL		= 3,
};

/**
 * enum tprof_lx_backend_flag - properties of a back end
 * @TPROF_LX_BACKEND_NMI:	takes samples by NMI, so code that runs with
 *		interrupts off is sampled too
 * @TPROF_LX_BACKEND_CLOCK:	a clock: the period is in nanoseconds, and no
 *		hardware counter is used
 * @TPROF_LX_BACKEND_DEGRADED:	works, but with a limitation that @text explains
 * @TPROF_LX_BACKEND_COUNTS:	counts events, so READ and WRITE work, and an event
 *				may have no period
 * @TPROF_LX_BACKEND_COUNTER:	a hardware counter: the period is in events, can be
 *		varied at random, and can be adjusted to a sampling frequency
 * @TPROF_LX_BACKEND_THRESHOLD: on its general counters, an event can count the cycles in which
 *		it happens at least a number of times
 * @TPROF_LX_BACKEND_INVERT: or fewer times than that number
 * @TPROF_LX_BACKEND_EQUAL: or exactly that number of times
 * @TPROF_LX_BACKEND_EDGE: or how often such cycles begin
 */
enum tprof_lx_backend_flag {
	TPROF_LX_BACKEND_NMI		= 1U << 0,
	TPROF_LX_BACKEND_CLOCK		= 1U << 1,
	TPROF_LX_BACKEND_DEGRADED	= 1U << 2,
	TPROF_LX_BACKEND_COUNTS		= 1U << 3,
	TPROF_LX_BACKEND_COUNTER	= 1U << 4,
	TPROF_LX_BACKEND_THRESHOLD	= 1U << 5,
	TPROF_LX_BACKEND_INVERT		= 1U << 6,
	TPROF_LX_BACKEND_EQUAL		= 1U << 7,
	TPROF_LX_BACKEND_EDGE		= 1U << 8,
};

/**
 * struct tprof_lx_backend - one back end: a source of samples or counts
 * @name:	name for @backend in EVENT
 * @flags:	enum tprof_lx_backend_flag
 * @nr_counters: number of hardware counters per CPU, 0 if it needs none
 * @counter_bits: width of the counters
 * @nr_events:	number of events that use it now, over all sessions
 * @min_period:	smallest sample_period
 * @max_period:	largest sample_period, 0 if it only counts
 * @text:	description, one line
 */
struct tprof_lx_backend {
	char	name[TPROF_LX_NAME_LEN];
	__u32	flags;
	__u32	nr_counters;
	__u32	counter_bits;
	__u32	nr_events;
	__u64	min_period;
	__u64	max_period;
	char	text[TPROF_LX_TEXT_LEN];
};

/**
 * struct tprof_lx_info - argument of TPROF_LX_IOC_INFO: read the version, features
 * and limits
 * @size:	in: sizeof(struct tprof_lx_info)
 * @abi_version: out: TPROF_LX_ABI_VERSION of the module
 * @features:	out: enum tprof_lx_feature
 * @backends:	in: address of an array of struct tprof_lx_backend, or 0 for none
 * @nr_backends: in: capacity of @backends, in entries; out: number of back ends,
 *		which may be larger
 * @backend_size: in: sizeof(struct tprof_lx_backend) of the caller: the size of
 *		each entry that is written, with zeroes in fields that the
 *		module does not know
 * @nr_sessions: out: open sessions, this one included
 * @nr_cpus:	out: highest possible CPU number plus one
 * @max_rate:	out: highest sampling rate per CPU and event, in Hz
 * @ring_min:	out: smallest @ring_bytes in CONFIG
 * @ring_max:	out: largest @ring_bytes in CONFIG
 * @ring_default: out: default of @ring_bytes in CONFIG
 * @fifo_min:	out: smallest @fifo_bytes in CONFIG
 * @fifo_max:	out: largest @fifo_bytes in CONFIG
 * @fifo_default: out: default of @fifo_bytes in CONFIG
 * @flush_ms_default: out: default of @flush_ms in CONFIG
 * @max_stack:	out: maximum number of frames in a call chain
 * @version:	out: version of the module
 * @access:	out: enum tprof_lx_access, also in sessions with privileges; 0 from older modules
 * @reserved:	out: 0
 *
 * Return: 0. Errors: EINVAL when @backends is not 0, but @backend_size is
 * smaller than in the first version or larger than a page.
 */
struct tprof_lx_info {
	__u32	size;
	__u32	abi_version;
	__u64	features;
	__u64	backends;
	__u32	nr_backends;
	__u32	backend_size;
	__u32	nr_sessions;
	__u32	nr_cpus;
	__u64	max_rate;
	__u64	ring_min;
	__u64	ring_max;
	__u64	ring_default;
	__u64	fifo_min;
	__u64	fifo_max;
	__u64	fifo_default;
	__u32	flush_ms_default;
	__u32	max_stack;
	char	version[32];
	__u32	access;
	__u32	reserved;
};

/**
 * enum tprof_lx_config_flag - @flags in CONFIG
 * @TPROF_LX_CONFIG_KEEP: change only @flush_ms and @watermark, also while events run and while
 *		records are unread. The other fields must be 0; @ring_bytes and @fifo_bytes return
 *		the present sizes
 */
enum tprof_lx_config_flag {
	TPROF_LX_CONFIG_KEEP	= 1U << 0,
};

/**
 * struct tprof_lx_config - argument of TPROF_LX_IOC_CONFIG: set the CPUs,
 * processes and buffer sizes
 * @size:	in: sizeof(struct tprof_lx_config)
 * @flags:	in: enum tprof_lx_config_flag
 * @ring_bytes:	in: size of the ring of each CPU that samples, 0 for the default; out: that
 *		size, rounded up to a power of two. Other CPUs, and those on which no target
 *		may run at START, have smaller rings. With the default and more than 32 CPUs,
 *		the rings of a session with targets are smaller, too
 * @fifo_bytes:	in: size of the queue to the reader, 0 for the default; out: that
 *		size, rounded up to a power of two
 * @cpus:	in: address of a bitmap of CPUs (CPU n is bit n % 8 of byte
 *		n / 8), or 0 for all CPUs, including those that are offline now
 * @cpus_bytes:	in: length of @cpus, in bytes
 * @nr_targets:	in: number of process ids in @targets, 0 for all processes
 * @targets:	in: address of an array of __s32 process ids; these processes and
 *		all their present and future descendants are sampled, or counted by
 *		events with TPROF_LX_EVENT_PROCESS
 * @watermark:	in: fill level of a ring, in bytes, at which a flush starts
 *		early, 0 for half of the ring; out: value used. In a smaller ring, half of it
 *		is enough
 * @flush_ms:	in: milliseconds between two flushes, 1 to 10000, 0 for the
 *		default; out: value used
 *
 * A session without CONFIG has the defaults. CONFIG replaces all values of an
 * earlier CONFIG, but see TPROF_LX_CONFIG_KEEP.
 *
 * Return: 0. Errors: EBUSY without TPROF_LX_CONFIG_KEEP, when an event is running, when the
 * session is stopped and has unread records, or when it has no privileges and its fifo is
 * mapped; EINVAL for a ring, fifo, watermark or flush time out of bounds, for another field
 * with TPROF_LX_CONFIG_KEEP, for a CPU set without a possible CPU, for @cpus_bytes without
 * @cpus, or for too many targets; ESRCH when one of the targets does not exist or has exited;
 * EPERM when the session has no privileges and may not observe one of the targets; EAGAIN and
 * EINTR as for ATTACH.
 */
struct tprof_lx_config {
	__u32	size;
	__u32	flags;
	__u64	ring_bytes;
	__u64	fifo_bytes;
	__u64	cpus;
	__u32	cpus_bytes;
	__u32	nr_targets;
	__u64	targets;
	__u32	watermark;
	__u32	flush_ms;
};

/**
 * enum tprof_lx_event_flag - @flags in EVENT
 * @TPROF_LX_EVENT_RANDOM: vary each period at random, by up to 1/16 up or down. With a
 *		frequency, this applies to the adjusted period. EINVAL for an event that
 *		only counts, EOPNOTSUPP if the back end has no TPROF_LX_BACKEND_COUNTER
 * @TPROF_LX_EVENT_DEFERRED: if the call chain of a user-mode sample ends at memory
 *		that is not present, complete the chain before the task returns
 *		to user mode. Page faults' chains are not completed. Such a sample has
 *		TPROF_LX_MISC_CHAIN_DEFERRED in its header. If the rest of the chain
 *		can be read, a later record of that thread carries struct
 *		tprof_lx_chain. The stream also has chains that other sessions
 *		requested. EINVAL unless the event has user-mode samples, user call
 *		chains, sample_id_all, TID and TIME
 * @TPROF_LX_EVENT_PROCESS: on each CPU of the session, count and sample only while
 *		the CPU runs a thread of a target. CONFIG and ATTACH add targets;
 *		their descendants are targets, too. The event counts from
 *		START to STOP; enable_on_exec may delay the beginning. The
 *		kernel's work for a switch to a target is counted, but not its
 *		work for the switch away. When another task runs, the period stands
 *		still, and the next target on that CPU continues it. So does the period of a
 *		clock; but if `nmi` samples the kernel, it takes the samples that are due
 *		at its next tick that interrupts a target, the first after half a period.
 *		START returns ESRCH if the session has no targets
 * @TPROF_LX_EVENT_THREADS: keep the count of each thread apart, for THREADS. EINVAL
 *		without TPROF_LX_EVENT_PROCESS; EOPNOTSUPP for clocks that sample, and
 *		for CPU migrations, time off CPU and wakeups, which happen to threads that
 *		do not run
 * @TPROF_LX_EVENT_SWITCHES: with inherit_stat, also write a PERF_RECORD_READ record at
 *		each switch from a target to another task. EINVAL without inherit_stat
 * @TPROF_LX_EVENT_STALL: if the ring of a CPU has no space for a sample, stop the event on
 *		that CPU, so that it neither samples nor counts there, until the queue has
 *		taken records and half of the ring is free. The first sample without space
 *		counts in @lost_ring, as does one that was on its way then; later ones are
 *		not taken. PERF_RECORD_THROTTLE is written when the event stops, and
 *		PERF_RECORD_UNTHROTTLE when it goes on, or when STOP or an offline CPU ends
 *		the wait; if the ring has no space for one of them, it counts in @side_lost.
 *		@stalls and @stalled_ns of STATS count the waits and their time, and @ran_ns
 *		of READ includes that time. EINVAL for an event that only counts, EOPNOTSUPP
 *		if the back end cannot wait
 * @TPROF_LX_EVENT_PAGE: the thread that calls EVENT can map a count page, from which it
 *		reads its own count without a system call: see above. This thread must be
 *		the only target, and the session must have had no process as target: ATTACH
 *		it with TPROF_LX_TARGET_THREAD, or START returns EINVAL. EINVAL without
 *		TPROF_LX_EVENT_PROCESS, with TPROF_LX_EVENT_THREADS, or if another thread
 *		has a count page in the session; EOPNOTSUPP if the back end has no counter
 *		that user mode can read
 * @TPROF_LX_EVENT_TABLES: follow the user part of call chains by the unwind tables that
 *		TABLE has given for the mapped files, and by frame pointers in code without
 *		a table. If the mappings of the process are not known yet, or have changed,
 *		a user-mode sample has only the interrupted address, and the whole chain is
 *		deferred; a kernel-mode sample follows frame pointers. Each
 *		PERF_CONTEXT_USER in the user part of a chain, after the first, changes how
 *		the addresses after it were found: by frame pointers, then by tables again,
 *		and so on. There are at most five such marks; if there are five, the
 *		addresses after the last one were found in both ways. EINVAL without
 *		TPROF_LX_EVENT_DEFERRED, or if another event of the session has user call
 *		chains without this flag
 * @TPROF_LX_EVENT_CPU_CORE: on a hybrid processor, count and sample only on performance
 *		cores, which perf calls cpu_core. Only these need to have the event. Threads
 *		may move between the kinds of cores; on the others, the event stands still,
 *		and @missed_ns of READ has the time. EOPNOTSUPP if no online CPU is of that
 *		kind
 * @TPROF_LX_EVENT_CPU_ATOM: the same for efficient cores, which perf calls cpu_atom. EINVAL
 *		with both flags
 * @TPROF_LX_EVENT_PARALLELISM: PERF_SAMPLE_WEIGHT in the samples is the parallelism: on how many
 *		CPUs of the session a target ran when the sample was taken, at least 1. With
 *		enable_on_exec, a target counts from its execve(2) on. A target counts from the
 *		switch to it until the switch away from it, on CPUs on which an event with this
 *		flag runs. EINVAL without PERF_SAMPLE_WEIGHT, without
 *		TPROF_LX_EVENT_PROCESS, and for an event that only counts
 */
enum tprof_lx_event_flag {
	TPROF_LX_EVENT_RANDOM	= 1U << 0,
	TPROF_LX_EVENT_DEFERRED	= 1U << 1,
	TPROF_LX_EVENT_PROCESS	= 1U << 2,
	TPROF_LX_EVENT_THREADS	= 1U << 3,
	TPROF_LX_EVENT_SWITCHES	= 1U << 4,
	TPROF_LX_EVENT_STALL	= 1U << 5,
	TPROF_LX_EVENT_PAGE	= 1U << 6,
	TPROF_LX_EVENT_TABLES	= 1U << 7,
	TPROF_LX_EVENT_CPU_CORE	= 1U << 8,
	TPROF_LX_EVENT_CPU_ATOM	= 1U << 9,
	TPROF_LX_EVENT_PARALLELISM = 1U << 10,
};

/**
 * enum tprof_lx_soft - values of config, with PERF_TYPE_RAW, for those events
 * of the back end `soft` that perf does not have
 * @TPROF_LX_SOFT_TICKS:	scheduler ticks; an idle CPU may have none
 * @TPROF_LX_SOFT_LOCK_CONTENTION: hits of the tracepoint lock:contention_begin:
 *		a task must spin or sleep, because a lock of the kernel is
 *		already held
 * @TPROF_LX_SOFT_OFF_CPU:	nanoseconds for which threads did not run, because they
 *		waited for something or for a CPU. The time is counted when it ends, on
 *		the CPU that switches the thread in; what came before START is left out.
 *		A wait that lasts when its thread becomes a target is counted as a whole.
 *		The samples are taken there, too, so they have the stack in which the
 *		thread was switched out. If more than about 40000 threads do not run,
 *		the times of some are left out. PERF_SAMPLE_RAW is one __u32: the letter
 *		of the state in which the thread was switched out, as in
 *		/proc/PID/stat; R if it could have gone on; 0 if it was switched out
 *		before the first event of this kind was added
 * @TPROF_LX_SOFT_WAKEUPS:	hits of the tracepoint sched:sched_waking: a task or an interrupt
 *		wakes a thread. With TPROF_LX_EVENT_PROCESS, the wakeups of targets are counted,
 *		and a sample is of the task that wakes the target, or that the interrupt has
 *		interrupted, whether it is a target or not. The side-band records of the session
 *		are of all tasks then. PERF_SAMPLE_RAW is one __u32: the id of the thread that is
 *		woken. EACCES in sessions without privileges
 *
 * Context switches, migrations, wakeups and lock contention happen in kernel mode, same
 * as in perf. Threads leave the CPU in kernel mode, too. So with exclude_kernel,
 * none of these is counted. Page faults and ticks happen in either mode. The task
 * clock counts the time for which the event runs, on idle CPUs too, in either mode
 * and whatever the attr excludes.
 * A migration is counted on the CPU that moves the task.
 *
 * With a period, an event also takes samples where it is counted. Their registers are
 * those that the fault or the tick has interrupted, or else an address in the kernel's
 * function that switches or waits. If the tracepoint has several probes, the address is in
 * the function that calls them, __traceiter_*(), and the call chain has the former. A lock
 * that is contended in an NMI is counted, but its sample is taken at the next contended
 * lock. EVENT returns EOPNOTSUPP for samples of the task clock or of migrations, for a
 * frequency, and for samples of ticks if the kernel has no CONFIG_KPROBES_ON_FTRACE.
 */
enum tprof_lx_soft {
	TPROF_LX_SOFT_TICKS		= 1,
	TPROF_LX_SOFT_LOCK_CONTENTION	= 2,
	TPROF_LX_SOFT_OFF_CPU		= 3,
	TPROF_LX_SOFT_WAKEUPS		= 4,
};

/*
 * All events of the back end `soft`, as EVENT(name, alias, type, config, text, kind); an alias
 * may be NULL. The answer of NAMES is made of this list. So are the names that tprof-lx knows
 * without the module, since it also reads recordings and completes names where there is none.
 */
#define TPROF_LX_SOFT_EVENTS(EVENT)					\
	EVENT("task-clock", NULL, PERF_TYPE_SOFTWARE,			\
	      PERF_COUNT_SW_TASK_CLOCK,					\
	      "time for which the processes ran; for all processes, the time of the CPUs", \
	      TASK_CLOCK)						\
	EVENT("context-switches", "cs", PERF_TYPE_SOFTWARE,		\
	      PERF_COUNT_SW_CONTEXT_SWITCHES,				\
	      "switches from a thread to another one", CONTEXT_SWITCHES)\
	EVENT("cpu-migrations", "migrations", PERF_TYPE_SOFTWARE,	\
	      PERF_COUNT_SW_CPU_MIGRATIONS,				\
	      "moves of a thread to another CPU", CPU_MIGRATIONS)	\
	EVENT("page-faults", "faults", PERF_TYPE_SOFTWARE,		\
	      PERF_COUNT_SW_PAGE_FAULTS,				\
	      "accesses to user memory for which the kernel had to find a page", PAGE_FAULTS) \
	EVENT("ticks", NULL, PERF_TYPE_RAW,				\
	      TPROF_LX_SOFT_TICKS,					\
	      "scheduler ticks while the processes ran", TICKS)		\
	EVENT("lock-contention", NULL, PERF_TYPE_RAW,			\
	      TPROF_LX_SOFT_LOCK_CONTENTION,				\
	      "waits for a lock of the kernel that another task held", LOCK_CONTENTION) \
	EVENT("off-cpu", NULL, PERF_TYPE_RAW,				\
	      TPROF_LX_SOFT_OFF_CPU,					\
	      "nanoseconds for which threads did not run", OFF_CPU)	\
	EVENT("wakeups", NULL, PERF_TYPE_RAW,				\
	      TPROF_LX_SOFT_WAKEUPS,					\
	      "wakeups of threads, sampled in the task that wakes them", WAKEUPS)

#define TPROF_LX_EVENT_NAME_LEN	32
#define TPROF_LX_EVENT_TEXT_LEN	96
#define TPROF_LX_MAX_NAMES	256

/**
 * enum tprof_lx_name_flag - @flags of a named event
 * @TPROF_LX_NAME_HERE:	this kernel has the event; else EVENT returns EOPNOTSUPP
 * @TPROF_LX_NAME_SAMPLES: it can take samples
 * @TPROF_LX_NAME_THREADS: it can have TPROF_LX_EVENT_THREADS
 * @TPROF_LX_NAME_RAW:	its samples can have PERF_SAMPLE_RAW
 * @TPROF_LX_NAME_PRIVILEGED: sessions without privileges cannot have it
 *
 * All named events can count.
 */
enum tprof_lx_name_flag {
	TPROF_LX_NAME_HERE		= 1U << 0,
	TPROF_LX_NAME_SAMPLES		= 1U << 1,
	TPROF_LX_NAME_THREADS		= 1U << 2,
	TPROF_LX_NAME_RAW		= 1U << 3,
	TPROF_LX_NAME_PRIVILEGED	= 1U << 4,
};

/**
 * struct tprof_lx_name - an event that a back end has by name
 * @backend:	name of its back end
 * @name:	name of the event
 * @alias:	second name, or empty
 * @type:	type of its attr
 * @flags:	enum tprof_lx_name_flag
 * @config:	config of its attr
 * @text:	what it counts, one line
 */
struct tprof_lx_name {
	char	backend[TPROF_LX_NAME_LEN];
	char	name[TPROF_LX_EVENT_NAME_LEN];
	char	alias[TPROF_LX_EVENT_NAME_LEN];
	__u32	type;
	__u32	flags;
	__u64	config;
	char	text[TPROF_LX_EVENT_TEXT_LEN];
};

/**
 * struct tprof_lx_names - argument of TPROF_LX_IOC_NAMES: list the events that back ends have by
 * name: all of `soft`, and perhaps some of back ends in other modules
 * @size:	in: sizeof(struct tprof_lx_names)
 * @flags:	must be 0
 * @nr_names:	in: capacity of @names, in entries; out: number of events, which may be larger. At
 *		most TPROF_LX_MAX_NAMES are listed
 * @name_size:	in: sizeof(struct tprof_lx_name) of the caller
 * @names:	in: address of an array of struct tprof_lx_name, or 0 for none
 *
 * Return: 0. Errors: EINVAL when @names is not 0, but @name_size is smaller than in the first
 * version or larger than a page.
 */
struct tprof_lx_names {
	__u32	size;
	__u32	flags;
	__u32	nr_names;
	__u32	name_size;
	__u64	names;
};

/* Bits of header.misc in a PERF_RECORD_SAMPLE; perf does not use them in samples. */
#define TPROF_LX_MISC_CHAIN_DEFERRED	(1 << 13)
#define TPROF_LX_MISC_STACK		(1 << 12)

/* The most that @stack_bytes of EVENT may be, and where the copy of a stack begins. */
#define TPROF_LX_MAX_STACK_BYTES	57344
#define TPROF_LX_STACK_BELOW		128

/**
 * struct tprof_lx_stack - the end of the copy of a stack
 * @regs:	registers of the thread in user mode, by their DWARF numbers; the last is rip
 * @bytes:	length of the copy, which precedes this struct, a multiple of 8. It begins
 *		TPROF_LX_STACK_BELOW bytes below rsp
 * @low:	length of the first part of the copy. If the stack of a program's first thread is
 *		larger than the copy, the second part is the upper end of the stack
 * @gap:	bytes of the stack between both parts
 * @present:	end of the last page of the first part that could be read; other pages are zero.
 *		If the second part could not be read, @low is @bytes
 * @frames:	maximum number of frames of the chain, kernel frames included
 *
 * A record with TPROF_LX_MISC_STACK in its header has the copy and this struct after its own
 * fields: a sample at its end, a record with struct tprof_lx_chain before its trailer. The walk of
 * its chain has met a file that may still get a table. The reader can walk again by @regs and the
 * copy, when it has the tables, and then remove both: a recording has no memory of programs.
 */
struct tprof_lx_stack {
	__u64	regs[17];
	__u64	gap;
	__u32	bytes;
	__u32	low;
	__u32	present;
	__u32	frames;
};

/**
 * struct tprof_lx_event - argument of TPROF_LX_IOC_EVENT: add an event to the
 * session
 * @size:	in: sizeof(struct tprof_lx_event)
 * @flags:	in: enum tprof_lx_event_flag
 * @backend:	in: name of the back end, padded with zeroes
 * @attr:	in: pointer to a struct perf_event_attr, of any size that
 *		perf_event_open(2) accepts
 * @id:		out: identifier of the event in PERF_SAMPLE_IDENTIFIER
 * @period:	out: events between two samples, or nanoseconds for a clock; 0 when the
 *		event only counts, or when the period of a counter is adjusted to a
 *		frequency
 * @index:	out: index of the event, which is its bit in masks
 * @reserved:	must be 0
 * @cpus:	in: address of a bitmap of CPUs as in CONFIG: the event runs on those of them that
 *		the session has; or 0 for all CPUs of the session
 * @cpus_bytes:	in: length of @cpus, in bytes
 * @stack_bytes: in: with TPROF_LX_EVENT_TABLES, copy at most so many bytes of the stack, a
 *		multiple of 8 and at most TPROF_LX_MAX_STACK_BYTES, into records of chains that
 *		meet a file that may still get a table: see TPROF_LX_MISC_STACK. A ring that has
 *		reached its watermark gets the record without the copy. 0 for no copies
 *
 * An event that is added while others run neither counts nor samples before a START with its
 * bit.
 *
 * Supported parts of the attr:
 *
 * - type and config: PERF_TYPE_SOFTWARE and PERF_COUNT_SW_CPU_CLOCK for clocks;
 *   PERF_TYPE_HARDWARE or PERF_TYPE_RAW for counters; PERF_TYPE_HARDWARE and
 *   PERF_COUNT_HW_REF_CPU_CYCLES for `tsc`; for `soft`, PERF_TYPE_SOFTWARE and
 *   PERF_COUNT_SW_TASK_CLOCK, _PAGE_FAULTS, _CONTEXT_SWITCHES or _CPU_MIGRATIONS, or
 *   PERF_TYPE_RAW and enum tprof_lx_soft.
 * - sample_period; or freq with sample_freq; or neither for an event that only
 *   counts and writes no records but READ.
 * - sample_type: IDENTIFIER, IP, TID, TIME, CPU, PERIOD; CALLCHAIN (the kernel part
 *   by the kernel's unwinder, the user part by frame pointers or tables) with
 *   sample_max_stack, exclude_callchain_kernel and exclude_callchain_user;
 *   RAW for TPROF_LX_SOFT_OFF_CPU and _WAKEUPS; REGS_USER with sample_regs_user; STACK_USER with
 *   sample_stack_user; WEIGHT with TPROF_LX_EVENT_PARALLELISM only.
 * - exclude_user and exclude_kernel; exclude_idle for an event that samples;
 *   exclude_host and exclude_guest where the counter distinguishes them.
 * - enable_on_exec, with TPROF_LX_EVENT_PROCESS only: a target, or one of its
 *   descendants, is counted and sampled only after it has called execve(2) successfully.
 *   The call must come after CONFIG or ATTACH; it may come before START or between STOP
 *   and START. A child is counted from its start if its parent is then, else after its
 *   own execve(2).
 * - inherit_stat, with TPROF_LX_EVENT_THREADS: at the exit of a thread, and for all other
 *   threads at STOP of the last event, a PERF_RECORD_READ record has what the thread
 *   has counted since its last record. inherit and a read_format of
 *   PERF_FORMAT_TOTAL_TIME_ENABLED, _TOTAL_TIME_RUNNING and _ID must be set too. The records of
 *   an event that only counts have the trailer of its own sample_type, which may have TID,
 *   TIME, CPU and IDENTIFIER; without a sample_type, they have that of the first event with one,
 *   and if there is none, they are not written.
 * - comm, comm_exec, task, mmap (executable mappings), mmap_data, mmap2, build_id,
 *   context_switch.
 * - sample_id_all; use_clockid with clockid; watermark with wakeup_watermark, which
 *   lowers the watermark of CONFIG.
 *
 * Return: 0. Errors:
 *
 * - ENODEV: no back end of that name.
 * - EACCES: the session has no privileges. Then flags must have TPROF_LX_EVENT_PROCESS, the
 *   attr must have no context_switch, a config of Intel's counters must not count the other
 *   thread of a core, and enum tprof_lx_access must permit the event.
 * - EDQUOT: the session has no privileges, and the events of the same user have all counters
 *   that the module parameter `unprivileged_counters` allows; or the sum of the rates of their
 *   clocks would be higher than `unprivileged_rate`.
 * - EUSERS: the session has no privileges, and the sessions of the same user have
 *   TPROF_LX_MAX_USER_EVENTS events.
 * - EOPNOTSUPP: the attr needs a feature of perf_event_open(2) that this module
 *   or back end lacks; enable_on_exec is set without TPROF_LX_EVENT_PROCESS; sample_type has
 *   PERF_SAMPLE_WEIGHT without TPROF_LX_EVENT_PARALLELISM; the back
 *   end cannot have TPROF_LX_EVENT_PROCESS, TPROF_LX_EVENT_STALL or TPROF_LX_EVENT_PAGE;
 *   or the event counts by a register that perf_event_open(2) takes from config1 or config2.
 * - EINVAL: the attr sets unknown bits or contradicts itself. Further cases:
 *
 *   - @backend has no zero byte.
 *   - The attr has neither period nor frequency, but the back end cannot count.
 *   - The attr has a period or frequency, but sample_type is 0.
 *   - The clockid cannot be read in an NMI.
 *   - A bit is set without the bit that it needs: comm_exec needs comm,
 *     mmap_data and mmap2 need mmap, build_id needs mmap2.
 *   - The attr has parameters of call chains, user registers or the user stack,
 *     but sample_type does not request them.
 *   - sample_type has REGS_USER, but sample_regs_user is 0; or sample_type has
 *     STACK_USER, but sample_stack_user is 0.
 *   - sample_regs_user has registers that a 64-bit program lacks.
 *   - sample_stack_user is not a multiple of 8.
 *   - A sample could be longer than the longest possible record.
 *   - Two events of the session have TPROF_LX_EVENT_PROCESS, but only one of them has
 *     enable_on_exec.
 *   - One event of the session has TPROF_LX_EVENT_PAGE, and another TPROF_LX_EVENT_THREADS.
 *   - @cpus has no possible CPU, or is set together with TPROF_LX_EVENT_PAGE or
 *     TPROF_LX_EVENT_PARALLELISM.
 *   - An event that only counts has a sample_type with other fields than those of READ records,
 *     or sample_id_all without a sample_type.
 *   - inherit_stat is set without TPROF_LX_EVENT_THREADS.
 *   - Flags contradict each other: see there.
 *   - sample_id_all or the clock differs from that of another event of the session.
 *   - The session has several events with a sample_type, and one of them has no
 *     PERF_SAMPLE_IDENTIFIER.
 *
 * - ERANGE: the period or frequency is outside the bounds of the back end, or
 *   above max_rate.
 * - EOVERFLOW: sample_max_stack exceeds max_stack.
 * - ENOSPC: the session has TPROF_LX_MAX_EVENTS events.
 * - EBUSY: another user, such as perf or the NMI watchdog, holds the counters. While an event
 *   runs, or the stopped session has unread records, also:
 *
 *   - The event could not share the session with one that was released, but has unread records.
 *   - An event runs, and TPROF_LX_EVENT_THREADS is set.
 *   - An event runs, TPROF_LX_EVENT_PROCESS is set, the back end counts, and when the first of
 *     the running events started, the session had an event with TPROF_LX_EVENT_THREADS.
 *   - All indexes were used, and none can be used again: see RELEASE.
 *
 * - EIO: the counters fail the module's test; @text of the back end says how.
 * - E2BIG: the attr sets a field of a newer kernel that the module does not know;
 *   attr.size then returns the supported size.
 */
struct tprof_lx_event {
	__u32	size;
	__u32	flags;
	char	backend[TPROF_LX_NAME_LEN];
	__u64	attr;
	__u64	id;
	__u64	period;
	__u32	index;
	__u32	reserved;
	__u64	cpus;
	__u32	cpus_bytes;
	__u32	stack_bytes;
};

/**
 * struct tprof_lx_release - argument of TPROF_LX_IOC_RELEASE: remove an event from the
 * session
 * @size:	in: sizeof(struct tprof_lx_release)
 * @event:	in: index of the event
 *
 * A running event is stopped first. Its records stay in the stream, and STATS still
 * returns its ledger. Side-band records may have its id until the session stops.
 *
 * When all indexes were used, EVENT uses those of released events again, with another
 * @id and an empty ledger. While an event runs, or the stopped session has unread records, the
 * index of a released event is not used again if the event has unread or lost samples, if the
 * side-band records have its id, or if an event runs and the session has counts by thread. The
 * ids and indexes of the other events never change.
 *
 * Return: 0. Errors: ENOENT for an event that does not exist.
 */
struct tprof_lx_release {
	__u32	size;
	__u32	event;
};

/**
 * enum tprof_lx_target_flag - @flags in ATTACH and DETACH
 * @TPROF_LX_TARGET_ALONE: the process without its descendants
 * @TPROF_LX_TARGET_THREAD: one thread, without the threads and processes that it creates.
 *		EINVAL together with TPROF_LX_TARGET_ALONE
 */
enum tprof_lx_target_flag {
	TPROF_LX_TARGET_ALONE	= 1U << 0,
	TPROF_LX_TARGET_THREAD	= 1U << 1,
};

/**
 * struct tprof_lx_target - argument of TPROF_LX_IOC_ATTACH and TPROF_LX_IOC_DETACH: add
 * or remove a target of the session
 * @size:	in: sizeof(struct tprof_lx_target)
 * @flags:	in: enum tprof_lx_target_flag
 * @pid:	in: process id, where the id of a thread stands for its process; with
 *		TPROF_LX_TARGET_THREAD, thread id; 0 for the caller
 * @reserved:	must be 0
 *
 * Without flags, the target is a process with all its present and future descendants.
 * ATTACH adds to the targets of CONFIG; a later CONFIG replaces all of them. A session
 * without targets covers all processes until its first ATTACH; after a DETACH of its last
 * target, it covers none.
 *
 * Both ioctls work before START and while events run. After ATTACH has returned, what
 * the target executes is sampled and counted; after DETACH has returned, it is not.
 * Both ioctls write a PERF_RECORD_CGROUP record with the process or thread id as its
 * id. The path of the record is "tprof-lx:attach:" or "tprof-lx:detach:", followed by
 * the name of the task. Without an event that has a sample_type, there is none. If no event runs,
 * the next START writes the record of ATTACH, if the target is still one; there is none of DETACH.
 *
 * DETACH without flags removes all present descendants, however they were added. A process
 * whose parent has exited is no descendant any more. A process is a target until its last
 * thread has exited. A thread that is a target by itself remains one after the DETACH of
 * its process, and is a target until its exit.
 *
 * If events request comm or mmap records, ATTACH, or the next START, also writes those of the names
 * and mappings that a new target and its descendants have already; with build_id, they have the
 * build-ids that are in memory. While events run, names and mappings that are found before and
 * after the target is added are recorded twice. A session without privileges has no such records:
 * its program can read them in /proc.
 *
 * After ATTACH, a caller with a pidfd can check that the process still exists, for
 * example by pidfd_send_signal(2) with signal 0. If it exists, @pid was not reused.
 *
 * Return: 0. Errors:
 *
 * - EINVAL: DETACH of what is not a target.
 * - ESRCH: the process or thread does not exist; or ATTACH finds that it has exited.
 * - EEXIST: ATTACH of what is a target already, or of a thread whose process is a
 *   target.
 * - EBUSY: ATTACH while an event runs in a session that covers all processes; or ATTACH of
 *   another target than the thread that reads the count pages of the session; or one of the
 *   tasks is a target of another session whose events share counters with those of this one.
 * - EPERM: ATTACH in a session without privileges, which may not observe the process.
 * - EAGAIN: in a session without privileges, the processes fork faster than ATTACH finds
 *   them.
 * - EINTR: a signal killed the caller of ATTACH.
 */
struct tprof_lx_target {
	__u32	size;
	__u32	flags;
	__s32	pid;
	__u32	reserved;
};

/* Limit of FOLLOW, and the size of a state. */
#define TPROF_LX_MAX_NAME_STATES	256
#define TPROF_LX_NAME_STATE_BYTES	256

/**
 * struct tprof_lx_follow - argument of TPROF_LX_IOC_FOLLOW: let processes become targets by
 * their names
 * @size:	in: sizeof(struct tprof_lx_follow)
 * @flags:	in: 0, or TPROF_LX_TARGET_ALONE
 * @nr_states:	in: number of states, at most TPROF_LX_MAX_NAME_STATES; 0 to read @nr_followed only
 * @reserved:	must be 0
 * @states:	in: address of an array of @nr_states times TPROF_LX_NAME_STATE_BYTES __u8
 * @nr_followed: out: number of processes that became targets by their names
 *
 * A process becomes a target when it calls execve(2), if its new name (comm) is accepted. With
 * TPROF_LX_TARGET_ALONE, its descendants do not become targets, except those that are forked
 * with an accepted name. The process is a target before it maps the program, so the records of
 * its name and its mappings are in the stream, but no FORK record. A process that changes its
 * name by prctl(2) does not become a target, nor does one that ceases to have an accepted name
 * leave the targets.
 *
 * A name is accepted by an automaton, which begins in state 0. For each byte b of the name, and
 * then for the terminating zero, the next state is @states[256 * state + b]; the name is accepted
 * if the entry for the terminating zero is not 0.
 *
 * The session may have no other targets. It does not end when its last target has exited, as
 * others may come. Its events share no counters with those of other sessions. CONFIG ends it.
 *
 * Return: 0. Errors:
 *
 * - EINVAL: unknown flags, too many states, or an entry for a byte that is not below @nr_states.
 * - EBUSY: an event runs, or the session has count pages.
 * - EEXIST: FOLLOW was called since the last CONFIG.
 * - ENOENT: @nr_states is 0, and FOLLOW was not called since the last CONFIG.
 * - EPERM: the session has no privileges.
 */
struct tprof_lx_follow {
	__u32	size;
	__u32	flags;
	__u32	nr_states;
	__u32	reserved;
	__u64	states;
	__u64	nr_followed;
};

/**
 * struct tprof_lx_mask - argument of TPROF_LX_IOC_START and TPROF_LX_IOC_STOP:
 * start or stop events
 * @size:	in: sizeof(struct tprof_lx_mask)
 * @mask:	in: mask of events to start or stop; bits without an event are
 *		ignored; out: mask of the running events
 * @degraded:	out: mask of the running events that have a limitation. Example:
 *		with a single CPU online, `nmi` samples from the timer interrupt
 *		until a second CPU comes online
 * @reserved:	must be 0
 *
 * START starts all of the events or none. If START fails, the samples that events took
 * before the failure stay in the stream, as after a STOP. Events that already run are not
 * affected. STOP ignores events that do not run. When STOP returns, the events take no
 * more samples. After the last event has stopped, the records in the rings can still be
 * read. When all records were read, read(2) returns 0.
 *
 * If the session has targets and all of them have exited, all events are stopped. The exits
 * are counted and sampled to the end, except those of single threads. DETACH of the last
 * target does not stop the events.
 *
 * Return: 0. Errors of START:
 *
 * - ENOENT: no event is in the mask.
 * - EBUSY: on one of the CPUs, no assignment of the enabled counters has one for each of the
 *   events and for each event that runs there (ROWS lists the counters). The events that run
 *   may move to other counters for that. Events with TPROF_LX_EVENT_PROCESS may share a
 *   counter with such events of other sessions, but not if a task is a target of both.
 *   Also if firmware or another program has started a counter of the CPU since EVENT.
 * - EOPNOTSUPP: one of the events does not exist on one of the CPUs that it is for.
 * - EIO: the hardware refuses one of the events.
 * - EINVAL: the session has targets, and one of the events would count all processes,
 *   because it does not sample and has no TPROF_LX_EVENT_PROCESS.
 * - ESRCH: all targets of the session have exited or were detached; or one of the events
 *   has TPROF_LX_EVENT_PROCESS, and the session never had targets. To observe the caller, attach
 *   it before: ATTACH with @pid 0.
 * - EMSGSIZE: the longest sample of one of the events does not fit into a ring or
 *   into half of the fifo.
 * - ENOBUFS: in a session without privileges, the buffers exceed the user's limit of locked
 *   memory.
 */
struct tprof_lx_mask {
	__u32	size;
	__u32	mask;
	__u32	degraded;
	__u32	reserved;
};

/**
 * struct tprof_lx_ledger - what became of the samples of an event on a CPU
 * @taken:	samples that the back end took
 * @delivered:	samples that read(2) returned or ADVANCE removed
 * @queued:	samples in a ring or in the fifo
 * @filtered:	samples that were outside the targets, or that the attr excluded
 * @lost_ring:	samples refused because the ring was full
 * @reserved:	for further causes; zero
 *
 * While no sample is taken and no task reads, taken = delivered + queued +
 * filtered + lost_ring, exactly.
 */
struct tprof_lx_ledger {
	__u64	taken;
	__u64	delivered;
	__u64	queued;
	__u64	filtered;
	__u64	lost_ring;
	__u64	reserved[3];
};

/* enum tprof_lx_state - values of @state in STATS, SESSIONS and EVENTS */
enum tprof_lx_state {
	TPROF_LX_STATE_IDLE	= 0,	/* no event */
	TPROF_LX_STATE_ARMED	= 1,	/* events, none of them running */
	TPROF_LX_STATE_RUNNING	= 2,
	TPROF_LX_STATE_DRAINING	= 3,	/* stopped, records left to read */
	TPROF_LX_STATE_BUSY	= 4,	/* SESSIONS, EVENTS: a call to the session goes on */
};

/**
 * struct tprof_lx_stats - argument of TPROF_LX_IOC_STATS: read the ledger and
 * statistics
 * @size:	in: sizeof(struct tprof_lx_stats)
 * @flags:	must be 0
 * @cpu:	in: a CPU, or TPROF_LX_SUM
 * @event:	in: index of an event, or TPROF_LX_SUM
 * @ledger:	out: ledger of @cpu and @event
 * @side_pushed: out: side-band records (all records but samples) written to the
 *		ring of @cpu
 * @side_lost:	out: side-band records lost because the ring was full or the module
 *		had no memory for them
 * @ticks_merged: out: clock ticks of @cpu and @event that have no sample of
 *		their own: they came late or together, or sampling would have
 *		cost too much of the CPU's time. The period of the next sample
 *		includes the periods of these ticks
 * @samples_slowed: out: samples of @cpu and @event that came later than
 *		requested, because sampling would have cost more than 1/8 (with a
 *		frequency) or 1/32 (with a fixed period) of the CPU's time.
 *		PERF_SAMPLE_PERIOD has the real period. If the session was opened with
 *		CAP_SYS_ADMIN, user-only counters and software events always keep their
 *		fixed periods; else all software events may cost 1/8 of the time
 * @chains_deep: out: call chains of @cpu and @event that reached the maximum number
 *		of frames
 * @chains_absent: out: call chains that ended at an unreadable user frame; a
 *		later struct tprof_lx_chain may have completed some of these
 *		chains
 * @chains_lost: out: call chains that the unwinder could not follow through kernel code
 * @rounds:	out: number of passes that moved records (a pass visits all rings); this
 *		and the following fields are of the whole session
 * @empty_rounds: out: number of passes that found no records
 * @wakeups:	out: number of wakeups of a reader
 * @kicks:	out: flushes that a ring requested because it had reached the watermark
 *		or was full, or because a file without an unwind table was mapped
 * @bytes_read:	out: bytes returned by read(2) or removed by ADVANCE
 * @ring_bytes:	out: size of the rings of CPUs that sample
 * @fifo_bytes:	out: size of the fifo
 * @state:	out: enum tprof_lx_state
 * @running:	out: mask of running events
 * @nmi_sampled: out: NMIs on @cpu that took samples; the fields whose names begin with nmi_
 *		are of all sessions since the module was loaded
 * @nmi_late:	out: NMIs of this module whose work an earlier NMI had done
 * @nmi_foreign: out: NMIs of other sources, left to the other handlers
 * @nmi_collapsed: out: NMIs not sent because an earlier one was still pending
 * @stalls:	out: how often @event stopped on @cpu because of TPROF_LX_EVENT_STALL
 * @stalled_ns:	out: nanoseconds for which @event was stopped so, summed over the CPUs and
 *		the events; includes waits that last
 * @calls:	out: ioctls of all sessions since the module was loaded, without those that
 *		have not returned; this and the next five fields are 0 in a session without
 *		privileges
 * @calls_failed: out: ioctls among @calls that returned an error
 * @buffers:	out: rings and queues for which sessions requested memory since then
 * @buffers_failed: out: those of @buffers that did not get it
 * @tables:	out: unwind tables that the module has now
 * @table_bytes: out: memory of these tables, and of the mappings that are kept for
 *		TPROF_LX_EVENT_TABLES
 * @frames_table: out: steps to a caller by a table, in samples of @cpu and @event; this and
 *		the following fields leave out the chains of struct tprof_lx_chain
 * @frames_fp:	out: steps to a caller by the frame pointer, in chains with
 *		TPROF_LX_EVENT_TABLES
 * @chains_whole: out: user call chains that reached an outermost frame
 *		(TPROF_LX_UNWIND_END)
 * @chains_cut:	out: user call chains that ended at a rule TPROF_LX_UNWIND_CUT, or at a rule
 *		that needs a register whose value is not known
 * @chains_astray: out: user call chains that ended where the stack pointer did not grow,
 *		where a return address was in no executable mapping, or at too many signal
 *		frames
 * @chains_unmapped: out: samples that were taken while the mappings of the process were not
 *		known
 * @yields:	out: how often @event stopped on @cpu because another program had changed a
 *		register of the CPU's counters. It starts again with the next START after a
 *		STOP, if the counters are free then
 * @doubtful_ns: out: nanoseconds before these stops in which the counts and samples of @event
 *		on @cpu may be wrong, summed over the CPUs and the events
 * @yielded_ns:	out: CLOCK_MONOTONIC of the last of these stops, 0 if there was none
 * @rings_bytes: out: size of the ring of @cpu, 0 if it has none; for all CPUs, the sum
 * @ipi_calls:	out: functions that CPUs have called for all sessions since the module was loaded:
 *		in an IPI, or without one on the CPU of the caller; this and the following fields
 *		are 0 in a session without privileges
 * @cpu_works:	out: works that were queued for a CPU since then
 * @grace_periods: out: waits for all RCU readers, or for all probes of tracepoints, since then
 * @total_lost: out: samples that full rings have refused, of all sessions since the module was
 *		loaded, those that have ended included; this and the following fields are from
 *		TPROF_LX_FEATURE_EVENTS on, and 0 in a session without privileges
 * @total_side_lost: out: side-band records lost, as in @side_lost
 * @total_rounds: out: passes that moved records, as in @rounds
 * @total_empty_rounds: out: passes that found none
 * @total_kicks: out: flushes that rings requested, as in @kicks
 * @total_stalls: out: how often events stopped, as in @stalls
 * @total_interrupts: out: interrupts on @cpu of all events; this and the next two fields are as
 *		in struct tprof_lx_listed
 * @total_handler_ns: out: time in their handlers
 * @total_around_ns: out: estimated time before and after these, by the present estimate: it may
 *		decrease
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible; ENOENT for an event
 * that never existed.
 */
struct tprof_lx_stats {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	event;
	struct tprof_lx_ledger ledger;
	__u64	side_pushed;
	__u64	side_lost;
	__u64	ticks_merged;
	__u64	samples_slowed;
	__u64	chains_deep;
	__u64	chains_absent;
	__u64	chains_lost;
	__u64	rounds;
	__u64	empty_rounds;
	__u64	wakeups;
	__u64	kicks;
	__u64	bytes_read;
	__u64	ring_bytes;
	__u64	fifo_bytes;
	__u32	state;
	__u32	running;
	__u64	nmi_sampled;
	__u64	nmi_late;
	__u64	nmi_foreign;
	__u64	nmi_collapsed;
	__u64	stalls;
	__u64	stalled_ns;
	__u64	calls;
	__u64	calls_failed;
	__u64	buffers;
	__u64	buffers_failed;
	__u64	tables;
	__u64	table_bytes;
	__u64	frames_table;
	__u64	frames_fp;
	__u64	chains_whole;
	__u64	chains_cut;
	__u64	chains_astray;
	__u64	chains_unmapped;
	__u64	yields;
	__u64	doubtful_ns;
	__u64	yielded_ns;
	__u64	rings_bytes;
	__u64	ipi_calls;
	__u64	cpu_works;
	__u64	grace_periods;
	__u64	total_lost;
	__u64	total_side_lost;
	__u64	total_rounds;
	__u64	total_empty_rounds;
	__u64	total_kicks;
	__u64	total_stalls;
	__u64	total_interrupts;
	__u64	total_handler_ns;
	__u64	total_around_ns;
};

/**
 * struct tprof_lx_session - entry of the list that TPROF_LX_IOC_SESSIONS returns
 * @pid:	process that opened the session, in the initial PID namespace
 * @state:	enum tprof_lx_state
 * @comm:	name of that process
 * @nr_events:	number of events
 * @running:	mask of the running events
 * @bytes_read:	bytes returned by read(2) or removed by ADVANCE
 * @side_lost:	as in struct tprof_lx_stats
 * @ledger:	sum over all events and CPUs
 * @stalls:	as in struct tprof_lx_stats, as is @stalled_ns
 * @stalled_ns:	sum over all events and CPUs
 */
struct tprof_lx_session {
	__s32	pid;
	__u32	state;
	char	comm[TPROF_LX_NAME_LEN];
	__u32	nr_events;
	__u32	running;
	__u64	bytes_read;
	__u64	side_lost;
	struct tprof_lx_ledger ledger;
	__u64	stalls;
	__u64	stalled_ns;
};

/**
 * struct tprof_lx_sessions - argument of TPROF_LX_IOC_SESSIONS: list the sessions
 * of all tasks
 * @size:	in: sizeof(struct tprof_lx_sessions)
 * @flags:	must be 0
 * @nr_sessions: in: capacity of @sessions, in entries; out: number of sessions,
 *		this one included, which may be larger. At most
 *		TPROF_LX_MAX_SESSIONS are listed
 * @session_size: in: sizeof(struct tprof_lx_session) of the caller
 * @sessions:	in: address of an array of struct tprof_lx_session, or 0 for none
 *
 * The oldest session comes first. If another call to a session goes on, this call waits up to
 * 20 ms for it, but not for all sessions. Then @state is TPROF_LX_STATE_BUSY, and all later
 * fields but @comm and @nr_events are 0.
 *
 * Return: 0. Errors: EINVAL when @sessions is not 0, but @session_size is
 * smaller than in the first version or larger than a page; EINTR when a signal
 * interrupts the wait of a session without privileges.
 */
struct tprof_lx_sessions {
	__u32	size;
	__u32	flags;
	__u32	nr_sessions;
	__u32	session_size;
	__u64	sessions;
};

/**
 * enum tprof_lx_scope - what an event observes: @scope in EVENTS; 0 for all tasks on all CPUs
 * @TPROF_LX_SCOPE_TARGETS: only the targets of its session
 * @TPROF_LX_SCOPE_CPUS: only some CPUs, because of CONFIG or of @cpus of EVENT
 */
enum tprof_lx_scope {
	TPROF_LX_SCOPE_TARGETS	= 1U << 0,
	TPROF_LX_SCOPE_CPUS	= 1U << 1,
};

/* enum tprof_lx_exclude - the exclude_* bits of an attr: @excludes in EVENTS */
enum tprof_lx_exclude {
	TPROF_LX_EXCLUDE_USER	= 1U << 0,
	TPROF_LX_EXCLUDE_KERNEL	= 1U << 1,
	TPROF_LX_EXCLUDE_HV	= 1U << 2,
	TPROF_LX_EXCLUDE_IDLE	= 1U << 3,
	TPROF_LX_EXCLUDE_HOST	= 1U << 4,
	TPROF_LX_EXCLUDE_GUEST	= 1U << 5,
};

/* Entries that EVENTS returns at most. */
#define TPROF_LX_MAX_LISTED	(TPROF_LX_MAX_SESSIONS * TPROF_LX_MAX_EVENTS)

/**
 * struct tprof_lx_listed - an event of a session, as EVENTS lists it
 * @session:	number of the session, which no other session has until the module is unloaded
 * @id:		PERF_SAMPLE_IDENTIFIER of the event
 * @pid:	process that added the event, in the initial PID namespace
 * @uid:	user that opened the session, as its id in the caller's user namespace
 * @comm:	name of process @pid
 * @backend:	name of the back end
 * @index:	index of the event in its session
 * @state:	TPROF_LX_STATE_RUNNING, or TPROF_LX_STATE_ARMED if the event does not run; or
 *		TPROF_LX_STATE_BUSY: see below
 * @flags:	enum tprof_lx_event_flag
 * @scope:	enum tprof_lx_scope
 * @excludes:	enum tprof_lx_exclude
 * @type:	type of its attr
 * @config:	config of its attr
 * @period:	events or nanoseconds from sample to sample; 0 if the event only counts, or if its
 *		period adapts to @freq
 * @freq:	sample_freq of its attr, or 0
 * @nr_cpus:	number of possible CPUs that it runs on
 * @reserved:	0
 * @taken:	samples that it has taken on @cpu of the argument
 * @lost:	those of them that a full ring has refused
 * @ran_ns:	time for which it has run on @cpu, as in struct tprof_lx_count
 * @interrupts:	interrupts on @cpu that its samples and ticks took. One in 64 NMIs of counters is
 *		measured, and stands for all of them; so this and the following fields of such
 *		an event may be 0 although it has taken a few samples
 * @handler_ns:	time on @cpu in the handlers of these interrupts, or in samples of software events,
 *		as measured
 * @around_ns:	estimated time for the entry to these interrupts and the exit from them: @around_ns
 *		of the argument for each. If that decreases, this does, too
 */
struct tprof_lx_listed {
	__u64	session;
	__u64	id;
	__s32	pid;
	__u32	uid;
	char	comm[TPROF_LX_NAME_LEN];
	char	backend[TPROF_LX_NAME_LEN];
	__u32	index;
	__u32	state;
	__u32	flags;
	__u32	scope;
	__u32	excludes;
	__u32	type;
	__u64	config;
	__u64	period;
	__u64	freq;
	__u32	nr_cpus;
	__u32	reserved;
	__u64	taken;
	__u64	lost;
	__u64	ran_ns;
	__u64	interrupts;
	__u64	handler_ns;
	__u64	around_ns;
};

/**
 * struct tprof_lx_events - argument of TPROF_LX_IOC_EVENTS: list the events of all sessions and
 * back ends
 * @size:	in: sizeof(struct tprof_lx_events)
 * @flags:	must be 0
 * @cpu:	in: a CPU, or TPROF_LX_SUM
 * @nr_events:	in: capacity of @events, in entries; out: number of entries, which may be larger. At
 *		most TPROF_LX_MAX_LISTED are listed
 * @event_size:	in: sizeof(struct tprof_lx_listed) of the caller
 * @reserved:	must be 0
 * @events:	in: address of an array of struct tprof_lx_listed, or 0 for none
 * @around_ns:	out: estimated time for the entry to an interrupt on @cpu and the exit from it:
 *		twice the time by which timers of the CPU are late that nothing delays; NMIs are
 *		taken to be alike. With TPROF_LX_SUM, the largest of all CPUs
 *
 * The cost of an event is @handler_ns + @around_ns. It leaves out the work of hooks that only
 * count, of gates at task switches, of side-band records, and of reading.
 *
 * All events are listed, whatever @cpu is: those of the oldest session first, by their indexes.
 * The events of a session are as they were at one time, between two of its ioctls. Two calls list
 * an event with the same @id.
 *
 * If another call to a session goes on, this call waits up to 20 ms for it, but not for all
 * sessions. Such a session has a single entry, with TPROF_LX_STATE_BUSY; then @pid and @comm are of
 * the process that opened it, and all other fields but @session and @uid are 0.
 *
 * A session without privileges lists the events of the same user.
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible, or when @events is not 0, but
 * @event_size is smaller than in the first version or larger than a page; EINTR when a signal
 * interrupts the wait of a session without privileges.
 */
struct tprof_lx_events {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	nr_events;
	__u32	event_size;
	__u32	reserved;
	__u64	events;
	__u64	around_ns;
};

/**
 * struct tprof_lx_mark - argument of TPROF_LX_IOC_MARK: write a mark into the
 * stream
 * @size:	in: sizeof(struct tprof_lx_mark)
 * @flags:	must be 0
 * @value:	in: any number
 * @text:	in: any text, terminated by a zero byte
 *
 * The mark is a PERF_RECORD_CGROUP record with @value as its id and
 * "tprof-lx:mark:" followed by @text as its path. Every reader of perf.data knows
 * this record, and it does not affect a profile.
 *
 * Return: 0. Errors: EINVAL when @text has no zero byte; ENOENT when the session is
 * not running, or no event has a sample_type; ENOBUFS when the ring is full: the mark then counts
 * in @side_lost of STATS.
 */
struct tprof_lx_mark {
	__u32	size;
	__u32	flags;
	__u64	value;
	char	text[TPROF_LX_MARK_LEN];
};

/**
 * struct tprof_lx_span - argument of TPROF_LX_IOC_ADVANCE: remove records that were read
 * in a mapping, and find the records after them
 * @size:	in: sizeof(struct tprof_lx_span)
 * @is_end:	out: 1 if read(2) would return 0, because the session is stopped and all
 *		records were read; else 0
 * @offset:	in: as the last ADVANCE returned it; out: offset of the oldest record in the
 *		mapping
 * @bytes:	in: length of the records to remove, at most what the last ADVANCE
 *		returned, or 0 to remove none; out: length of all records that can be read
 *		now
 *
 * A program reads the records at @offset, and passes the struct unchanged to the next
 * ADVANCE. The records stay in place until then. ADVANCE does not wait for records;
 * poll(2) does. A record of which only a part is in @bytes is not removed. After read(2)
 * or CONFIG, @bytes of the next ADVANCE must be 0.
 *
 * If another thread calls read(2) or ADVANCE between two calls, it removes records that
 * this thread reads.
 *
 * Return: 0. Errors: EINVAL when @bytes is not 0, and @offset is not where the oldest
 * record is, or @bytes is more than can be read; EINTR.
 */
struct tprof_lx_span {
	__u32	size;
	__u32	is_end;
	__u64	offset;
	__u64	bytes;
};

/**
 * enum tprof_lx_unwind_how - how a rule of an unwind table finds the caller
 * @TPROF_LX_UNWIND_CUT:	not at all: the chain ends
 * @TPROF_LX_UNWIND_END:	this is an outermost frame, it has no caller
 * @TPROF_LX_UNWIND_CFA:	CFA = register @base + @offset
 * @TPROF_LX_UNWIND_DEREF:	CFA = 64 bits at address (register @base + @offset)
 * @TPROF_LX_UNWIND_PLT:	CFA = rsp + 8, plus 8 if (rip & 15) >= @offset
 * @TPROF_LX_UNWIND_SIGNAL:	a signal frame: struct ucontext is at address rsp + @offset,
 *				and has the registers of the caller
 * @TPROF_LX_UNWIND_FP:		by the frame pointer, as in code without a table
 *
 * CFA is the value that rsp had before the call, so the return address is at CFA - 8, and
 * the caller has rsp = CFA.
 */
enum tprof_lx_unwind_how {
	TPROF_LX_UNWIND_CUT	= 0,
	TPROF_LX_UNWIND_END	= 1,
	TPROF_LX_UNWIND_CFA	= 2,
	TPROF_LX_UNWIND_DEREF	= 3,
	TPROF_LX_UNWIND_PLT	= 4,
	TPROF_LX_UNWIND_SIGNAL	= 5,
	TPROF_LX_UNWIND_FP	= 6,
};

/* Values of @rbp in a rule: the caller has the same rbp, or any. */
#define TPROF_LX_UNWIND_RBP_SAME	0x7fff
#define TPROF_LX_UNWIND_RBP_UNDEFINED	0x7ffe

/* The base registers of rules that frames other than the first may know, as DWARF numbers them. */
#define TPROF_LX_UNWIND_RBX	3
#define TPROF_LX_UNWIND_RBP	6
#define TPROF_LX_UNWIND_RSP	7

/* @base of a rule: a register by its number, and the place of the caller's rbx. */
#define TPROF_LX_UNWIND_BASE(number, place)	((number) | (place) << 4)

/* The parts of @base in a rule, and values of the second: N from 2 on stands for CFA - 8 * N. */
#define TPROF_LX_UNWIND_REGISTER(base)	((base) & 15)
#define TPROF_LX_UNWIND_RBX_PLACE(base)	((base) >> 4)
#define TPROF_LX_UNWIND_RBX_UNKNOWN	0
#define TPROF_LX_UNWIND_RBX_SAME	1

/**
 * struct tprof_lx_unwind_rule - a rule of an unwind table
 * @how:	enum tprof_lx_unwind_how
 * @base:	low 4 bits, for CFA and DEREF: DWARF number of a register. All registers are
 *		known in the interrupted function, and in one that a signal has interrupted.
 *		Elsewhere, rsp is known, and rbp and rbx as far as rules say where they are; at
 *		any other register, the chain is cut.
 *		High 4 bits, for CFA, DEREF and PLT: TPROF_LX_UNWIND_RBX_SAME if the caller has
 *		the same rbx, TPROF_LX_UNWIND_RBX_UNKNOWN if it has any, or N if its rbx is at
 *		address CFA - 8 * N
 * @rbp:	CFA, DEREF and PLT: the caller's rbp is at address CFA + @rbp, which must be
 *		negative; or TPROF_LX_UNWIND_RBP_SAME or TPROF_LX_UNWIND_RBP_UNDEFINED
 * @offset:	CFA and DEREF: -2^24 to 2^24; PLT: 0 to 16; SIGNAL: 0 to 4096
 *
 * Fields that @how does not use are ignored.
 */
struct tprof_lx_unwind_rule {
	__u8	how;
	__u8	base;
	__s16	rbp;
	__s32	offset;
};

/**
 * struct tprof_lx_unwind_row - a row of an unwind table: from which address on a rule holds
 * @low:	low 16 bits of the first file offset of the row
 * @rule:	index of the rule
 */
struct tprof_lx_unwind_row {
	__u16	low;
	__u16	rule;
};

#define TPROF_LX_UNWIND_MAX_PAGES	65536
#define TPROF_LX_UNWIND_MAX_RULES	65536

/**
 * struct tprof_lx_table - argument of TPROF_LX_IOC_TABLE: give the unwind table of an
 * object to the session
 * @size:	in: sizeof(struct tprof_lx_table)
 * @flags:	must be 0
 * @build_id:	in: GNU build-id of the object, padded with zeroes
 * @build_id_size: in: its length, 1 to 20
 * @page0:	in: the table begins at file offset @page0 * 65536
 * @nr_pages:	in: number of pages of 64 KiB, at most TPROF_LX_UNWIND_MAX_PAGES
 * @nr_rows:	in: number of rows
 * @nr_rules:	in: number of rules, at most TPROF_LX_UNWIND_MAX_RULES
 * @pages:	in: address of an array of __u32, one more than @nr_pages: the index of the
 *		first row of each page, and last @nr_rows
 * @rows:	in: address of an array of struct tprof_lx_unwind_row
 * @rules:	in: address of an array of struct tprof_lx_unwind_rule
 *
 * The addresses of code are file offsets. The rows of a page are sorted by @low, which is
 * different in each. A row holds up to the next row of its page, and the last row up to the
 * end of the page. File offsets before the first row of a page, and outside of the table,
 * have no rule: the frame pointer leads to the caller.
 *
 * A table whose three numbers are 0 says that the file has no table: the frame pointer leads
 * through all of its code, and no stacks are copied for it. It gives way to any other table.
 *
 * A table serves all files with the build-id that are mapped already or later, the vdso
 * included, until the session ends. Sessions with privileges share their tables: the module
 * has one copy of the tables that they give with the same contents. Tables of a session
 * without privileges serve that session only. TABLE works at any time, also while events
 * run.
 *
 * Return: 0, also if the session has the same table already. Errors: EINVAL for a table that
 * is not as described; EEXIST if there is another table for the build-id; ENOSPC if the
 * tables of all sessions would need more memory than the module parameter `table_bytes`
 * allows, or those of sessions without privileges more than a quarter of it.
 */
struct tprof_lx_table {
	__u32	size;
	__u32	flags;
	__u8	build_id[20];
	__u32	build_id_size;
	__u32	page0;
	__u32	nr_pages;
	__u32	nr_rows;
	__u32	nr_rules;
	__u64	pages;
	__u64	rows;
	__u64	rules;
};

/**
 * enum tprof_lx_write_flag - @flags of WRITE
 * @TPROF_LX_WRITE_PERIOD: @value becomes the period of a sampling event
 */
enum tprof_lx_write_flag {
	TPROF_LX_WRITE_PERIOD	= 1U << 0,
};

/**
 * struct tprof_lx_count - argument of TPROF_LX_IOC_READ and TPROF_LX_IOC_WRITE:
 * read or set a count
 * @size:	in: sizeof(struct tprof_lx_count)
 * @flags:	READ: must be 0; WRITE: enum tprof_lx_write_flag
 * @cpu:	in: a CPU, or TPROF_LX_SUM
 * @event:	in: index of an event
 * @value:	READ: out: events counted; WRITE: in: new count or period
 * @ran_ns:	READ: out: time from START to STOP, summed over the CPUs, in nanoseconds.
 *		With TPROF_LX_EVENT_PROCESS: only the time in which a target ran
 * @yields:	READ: out: as in struct tprof_lx_stats: if it grows, the count may be wrong.
 *		WRITE: must be 0
 * @missed_ns:	READ: out: as @ran_ns, on CPUs that the event is not for, because of
 *		TPROF_LX_EVENT_CPU_CORE or _CPU_ATOM. WRITE: must be 0
 *
 * A count has 64 bits, whatever the width of the counter, and is kept across stops and
 * starts. READ works at any time, for sampling events too. WRITE fails while the event
 * runs. WRITE with TPROF_LX_SUM sets the count of the first CPU of the session's set
 * and clears the counts of the other CPUs.
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible; ENOENT for an event
 * that does not exist; EOPNOTSUPP when its back end does not count. WRITE also:
 * EINVAL for a CPU outside the session's set, or for a period with a @cpu other
 * than TPROF_LX_SUM; EOPNOTSUPP for a period when the event only counts, or when the
 * period of a counter is adjusted to a frequency; EBUSY when the event runs; ERANGE for
 * a period out of bounds.
 */
struct tprof_lx_count {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	event;
	__u64	value;
	__u64	ran_ns;
	__u64	yields;
	__u64	missed_ns;
};

/* enum tprof_lx_thread_flag - values of @flags in threads */
enum tprof_lx_thread_flag {
	TPROF_LX_THREAD_EXITED	= 1U << 0,
};

/**
 * struct tprof_lx_thread - the count of a thread
 * @pid:	process id
 * @tid:	thread id
 * @flags:	enum tprof_lx_thread_flag
 * @reserved:	0
 * @started:	time of its start, in ns of CLOCK_BOOTTIME; it differs between threads
 *		that have had the same id
 * @value:	events counted
 * @ran_ns:	time for which the thread ran while the events of the session counted it, in
 *		nanoseconds
 * @comm:	name of the thread; empty if the session has no privileges, and the thread has
 *		got credentials that the session may not observe
 */
struct tprof_lx_thread {
	__s32	pid;
	__s32	tid;
	__u32	flags;
	__u32	reserved;
	__u64	started;
	__u64	value;
	__u64	ran_ns;
	char	comm[TPROF_LX_NAME_LEN];
};

/**
 * struct tprof_lx_threads - argument of TPROF_LX_IOC_THREADS: list the counts of an event
 * by thread
 * @size:	in: sizeof(struct tprof_lx_threads)
 * @flags:	must be 0
 * @event:	in: index of an event with TPROF_LX_EVENT_THREADS
 * @nr_threads:	in: capacity of @threads, in entries; out: number of threads that have
 *		a count of their own, which may be larger
 * @threads:	in: address of an array of struct tprof_lx_thread, or 0 for none
 * @thread_size: in: sizeof(struct tprof_lx_thread) of the caller: the size of each entry
 *		that is written, with zeroes in fields that the module does not know
 * @reserved:	must be 0
 * @unattributed: out: events of threads for which the module had no memory yet; also what
 *		WRITE has added
 * @gone:	out: events of threads that have exited and are not listed
 * @gone_ns:	out: sum of @ran_ns over these threads
 * @nr_gone:	out: number of these threads
 *
 * While no target runs, or after STOP, the values of all threads, @gone and @unattributed
 * add up to the count that READ returns with TPROF_LX_SUM. The threads are in no order. Only
 * the first TPROF_LX_MAX_EXITED threads that exit are listed; @gone has the sum of the others.
 *
 * Counts by thread are kept across stops and starts. EVENT makes them all unattributed.
 *
 * Return: 0. Errors: ENOENT for an event that does not exist; EOPNOTSUPP when it has no
 * TPROF_LX_EVENT_THREADS; EINVAL when @threads is not 0, but @thread_size is smaller than in
 * the first version or larger than a page.
 */
struct tprof_lx_threads {
	__u32	size;
	__u32	flags;
	__u32	event;
	__u32	nr_threads;
	__u64	threads;
	__u32	thread_size;
	__u32	reserved;
	__u64	unattributed;
	__u64	gone;
	__u64	gone_ns;
	__u64	nr_gone;
};

/* enum tprof_lx_row_kind - values of @kind in rows */
enum tprof_lx_row_kind {
	TPROF_LX_ROW_GENERAL	= 0,
	TPROF_LX_ROW_FIXED	= 1,
};

/* enum tprof_lx_row_state - values of @state in rows */
enum tprof_lx_row_state {
	TPROF_LX_ROW_FREE	= 0,
	TPROF_LX_ROW_TAKEN	= 1,	/* by an event of any session */
	TPROF_LX_ROW_DISABLED	= 2,	/* by ROW_ADMIN */
	TPROF_LX_ROW_FOREIGN	= 3,	/* runs for firmware or another program */
	TPROF_LX_ROW_YIELDED	= 4,	/* taken, but another program changed its registers */
};

/**
 * struct tprof_lx_row - one counter of one CPU
 * @kind:	enum tprof_lx_row_kind
 * @number:	index among the counters of its kind
 * @bits:	width of the counter
 * @state:	enum tprof_lx_row_state
 * @pid:	process that added the event; this and the following fields are
 *		set if @state is TPROF_LX_ROW_TAKEN or TPROF_LX_ROW_YIELDED
 * @event:	index of the event in its session
 * @id:		PERF_SAMPLE_IDENTIFIER of the event
 * @type:	type of its attr
 * @sharers:	number of further events that share the counter. Events with
 *		TPROF_LX_EVENT_PROCESS may share one if their sessions have no target in common
 * @in_way:	1 if the last START that this CPU refused with EBUSY needed this counter, or
 *		needed it for an event that would have made room; else 0. It is also set if the
 *		counter was disabled, and cleared when an event gets a counter of the CPU
 * @config:	config of its attr
 * @period:	current period, 0 if the event only counts
 * @comm:	name of process @pid
 */
struct tprof_lx_row {
	__u32	kind;
	__u32	number;
	__u32	bits;
	__u32	state;
	__u32	pid;
	__u32	event;
	__u64	id;
	__u32	type;
	__u16	sharers;
	__u16	in_way;
	__u64	config;
	__u64	period;
	char	comm[TPROF_LX_NAME_LEN];
};

#define TPROF_LX_MAX_ROWS	64

/**
 * struct tprof_lx_rows - argument of TPROF_LX_IOC_ROWS: list the counters of a CPU
 * and their events
 * @size:	in: sizeof(struct tprof_lx_rows)
 * @flags:	must be 0
 * @cpu:	in: a CPU
 * @nr_rows:	in: capacity of @rows, in entries; out: number of counters, which
 *		may be larger
 * @row_size:	in: sizeof(struct tprof_lx_row) of the caller: the size of each
 *		entry that is written, with zeroes in fields that the module does
 *		not know
 * @reserved:	must be 0
 * @rows:	in: address of an array of struct tprof_lx_row, or 0 for none
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible, or when @rows is
 * not 0, but @row_size is smaller than in the first version or larger than a
 * page; EINTR when a signal interrupts the wait of a session without privileges.
 */
struct tprof_lx_rows {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	nr_rows;
	__u32	row_size;
	__u32	reserved;
	__u64	rows;
};

/**
 * struct tprof_lx_row_admin - argument of TPROF_LX_IOC_ROW_ADMIN: disable or enable
 * a counter
 * @size:	in: sizeof(struct tprof_lx_row_admin)
 * @flags:	must be 0
 * @cpu:	in: a CPU, or TPROF_LX_SUM for all CPUs
 * @kind:	in: enum tprof_lx_row_kind
 * @number:	in: index among the counters of its kind
 * @state:	in: TPROF_LX_ROW_DISABLED, or TPROF_LX_ROW_FREE to enable it again
 *
 * Return: 0. Errors: EPERM without CAP_SYS_ADMIN; EINVAL for another @state, or
 * for a CPU that is not possible; ENOENT when there is no such counter; EBUSY
 * when it is to be disabled, and an event uses it on any of the CPUs; the counter
 * then stays as it is on all of them.
 */
struct tprof_lx_row_admin {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	kind;
	__u32	number;
	__u32	state;
};

/*
 * Paths in PERF_RECORD_CGROUP records of tprof-lx. All but TPROF_LX_CHAIN_PATH and
 * TPROF_LX_PARALLELISM_PATH are prefixes of a path, and these are whole paths. Recordings have
 * TPROF_LX_PARALLELISM_PATH in a record of each event with TPROF_LX_EVENT_PARALLELISM, before
 * its samples: their PERF_SAMPLE_WEIGHT is parallelism.
 */
#define TPROF_LX_MARK_PREFIX	"tprof-lx:mark:"
#define TPROF_LX_LEDGER_PREFIX	"tprof-lx:ledger:"
#define TPROF_LX_ATTACH_PREFIX	"tprof-lx:attach:"
#define TPROF_LX_DETACH_PREFIX	"tprof-lx:detach:"
#define TPROF_LX_CHAIN_PATH	"tprof-lx:chain"
#define TPROF_LX_PARALLELISM_PATH	"tprof-lx:parallelism"

/**
 * struct tprof_lx_chain - a deferred user call chain: the part of a
 * PERF_RECORD_CGROUP between header and trailer
 * @id:	a constant without meaning
 * @path:	TPROF_LX_CHAIN_PATH, padded with zeroes
 * @elapsed:	nanoseconds of CLOCK_MONOTONIC from the first sample that requested the
 *		chain to this record, accurate to about 0.1 ms. In that time,
 *		all samples of the thread with TPROF_LX_MISC_CHAIN_DEFERRED have
 *		this chain
 * @nr:	number of @ips
 * @ips:	PERF_CONTEXT_USER, addresses, and perhaps further marks, as in a sample
 */
struct tprof_lx_chain {
	__u64	id;
	char	path[16];
	__u64	elapsed;
	__u64	nr;
	__u64	ips[];
};

#define TPROF_LX_IOC_MAGIC	0xB7

/*
 * The ioctl numbers contain no size, so that structs can grow. Ioctls 0x00 to 0x0f make
 * queries, 0x10 to 0x1f build a session, 0x20 to 0x2f run it, 0x30 to 0x3f count, and
 * 0x40 to 0x4f administer the counters.
 */
#define TPROF_LX_IOC_INFO	_IO(TPROF_LX_IOC_MAGIC, 0x00)
#define TPROF_LX_IOC_STATS	_IO(TPROF_LX_IOC_MAGIC, 0x01)
#define TPROF_LX_IOC_SESSIONS	_IO(TPROF_LX_IOC_MAGIC, 0x02)
#define TPROF_LX_IOC_NAMES	_IO(TPROF_LX_IOC_MAGIC, 0x03)
#define TPROF_LX_IOC_EVENTS	_IO(TPROF_LX_IOC_MAGIC, 0x04)
#define TPROF_LX_IOC_CONFIG	_IO(TPROF_LX_IOC_MAGIC, 0x10)
#define TPROF_LX_IOC_EVENT	_IO(TPROF_LX_IOC_MAGIC, 0x11)
#define TPROF_LX_IOC_ATTACH	_IO(TPROF_LX_IOC_MAGIC, 0x12)
#define TPROF_LX_IOC_DETACH	_IO(TPROF_LX_IOC_MAGIC, 0x13)
#define TPROF_LX_IOC_RELEASE	_IO(TPROF_LX_IOC_MAGIC, 0x14)
#define TPROF_LX_IOC_TABLE	_IO(TPROF_LX_IOC_MAGIC, 0x15)
#define TPROF_LX_IOC_FOLLOW	_IO(TPROF_LX_IOC_MAGIC, 0x16)
#define TPROF_LX_IOC_START	_IO(TPROF_LX_IOC_MAGIC, 0x20)
#define TPROF_LX_IOC_STOP	_IO(TPROF_LX_IOC_MAGIC, 0x21)
/*
 * TPROF_LX_IOC_FLUSH takes no argument (it must be 0, else EINVAL). It returns
 * when every record that was in a ring at the time of the call is in the fifo,
 * where read(2) finds it. While the fifo is full, FLUSH waits for read(2) or ADVANCE.
 * Errors: EAGAIN if the file is O_NONBLOCK and FLUSH would wait; EINTR when a signal
 * arrives.
 */
#define TPROF_LX_IOC_FLUSH	_IO(TPROF_LX_IOC_MAGIC, 0x22)
#define TPROF_LX_IOC_MARK	_IO(TPROF_LX_IOC_MAGIC, 0x23)
#define TPROF_LX_IOC_ADVANCE	_IO(TPROF_LX_IOC_MAGIC, 0x24)
#define TPROF_LX_IOC_READ	_IO(TPROF_LX_IOC_MAGIC, 0x30)
#define TPROF_LX_IOC_WRITE	_IO(TPROF_LX_IOC_MAGIC, 0x31)
#define TPROF_LX_IOC_THREADS	_IO(TPROF_LX_IOC_MAGIC, 0x32)
#define TPROF_LX_IOC_ROWS	_IO(TPROF_LX_IOC_MAGIC, 0x40)
#define TPROF_LX_IOC_ROW_ADMIN	_IO(TPROF_LX_IOC_MAGIC, 0x41)

#endif /* _UAPI_LINUX_TPROF_LX_H */
