/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * tprof-lx - the interface of /dev/tprof-lx
 *
 * An open file of the device is a session. A session is given a place to run
 * (CONFIG), events to sample (EVENT), and is started and stopped by a mask of
 * events (START, STOP). read(2) yields PERF_RECORD_* records, laid out as
 * perf_event_open(2) documents them, whole records only. poll(2) reports
 * POLLIN when a record is there, and POLLIN | POLLHUP when the session is
 * stopped and everything was read; read(2) then returns 0. Before the first
 * START there is nothing to wait for: read(2) returns 0, poll(2) nothing.
 *
 * open(2) fails with EPERM for a caller without CAP_PERFMON and CAP_SYS_ADMIN
 * or where the kernel is locked down, EOPNOTSUPP in a namespace of process ids
 * other than the first, ENOMEM.
 *
 * Every struct starts with its size, as the caller knows it. A smaller struct
 * than the module's is taken as if the rest were zero, a larger one if what
 * the module does not know is zero (else E2BIG). Flags that are not defined
 * and reserved fields must be zero (else EINVAL). Pointers are passed as
 * __u64. An unknown ioctl is ENOTTY.
 *
 * Errors that every ioctl may return: EFAULT for memory that cannot be read
 * or written, EINVAL for a size smaller than the first version of the struct,
 * E2BIG as above, ENOMEM. Only FLUSH waits for others, and can be interrupted.
 */
#ifndef _UAPI_LINUX_TPROF_LX_H
#define _UAPI_LINUX_TPROF_LX_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* The name of the misc device, below /dev. */
#define TPROF_LX_DEVICE_NAME	"tprof-lx"

/*
 * The version of this interface. It grows when something is added and old
 * callers stay valid; a caller needs a module of at least the version that has
 * what it cannot do without, and asks for the rest by feature bits.
 */
#define TPROF_LX_ABI_VERSION	1

#define TPROF_LX_MAX_EVENTS	32
#define TPROF_LX_MAX_BACKENDS	16
#define TPROF_LX_MAX_SESSIONS	256
#define TPROF_LX_MAX_TARGETS	1024
#define TPROF_LX_NAME_LEN	16
#define TPROF_LX_TEXT_LEN	64
#define TPROF_LX_MARK_LEN	128

/* CPU or event number that stands for the sum over all of them. */
#define TPROF_LX_SUM		0xffffffffU

/**
 * enum tprof_lx_feature - what this module can do, bits of @features in INFO
 * @TPROF_LX_FEATURE_TARGETS:	sessions can be limited to process trees
 * @TPROF_LX_FEATURE_TRACKING:	COMM, FORK, EXIT and SWITCH records
 * @TPROF_LX_FEATURE_MMAP:	MMAP2 records as mappings are made
 * @TPROF_LX_FEATURE_BUILD_ID:	MMAP2 records can carry build-ids
 * @TPROF_LX_FEATURE_MODULES:	records of modules that come and go
 * @TPROF_LX_FEATURE_COUNTING:	READ and WRITE, and events without a period
 * @TPROF_LX_FEATURE_ROWS:	ROWS and ROW_ADMIN
 * @TPROF_LX_FEATURE_CHAINS:	call chains, and the user's registers and stack
 * @TPROF_LX_FEATURE_DEFERRED:	TPROF_LX_EVENT_DEFERRED
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
	TPROF_LX_FEATURE_DEFERRED		= 1ULL << 8,
};

/**
 * enum tprof_lx_backend_flag - properties of a back end
 * @TPROF_LX_BACKEND_NMI:	samples arrive by NMI: interrupts-off code is seen
 * @TPROF_LX_BACKEND_CLOCK:	the period is in nanoseconds, no hardware counter
 * @TPROF_LX_BACKEND_DEGRADED:	works now, but less well than its name says;
 *				@text tells why
 * @TPROF_LX_BACKEND_COUNTS:	its events can be counted: READ and WRITE work,
 *				and an event may have no period
 * @TPROF_LX_BACKEND_COUNTER:	a hardware counter: the period is in events, a
 *				frequency is held by adapting it, and it can
 *				be varied at random
 */
enum tprof_lx_backend_flag {
	TPROF_LX_BACKEND_NMI		= 1U << 0,
	TPROF_LX_BACKEND_CLOCK		= 1U << 1,
	TPROF_LX_BACKEND_DEGRADED	= 1U << 2,
	TPROF_LX_BACKEND_COUNTS		= 1U << 3,
	TPROF_LX_BACKEND_COUNTER	= 1U << 4,
};

/**
 * struct tprof_lx_backend - one source of overflows
 * @name:	what EVENT takes as @backend
 * @flags:	enum tprof_lx_backend_flag
 * @nr_counters: hardware counters per CPU, 0 if it needs none
 * @counter_bits: their width
 * @nr_events:	events of all sessions that use it now
 * @min_period:	smallest sample_period that it takes
 * @max_period:	largest
 * @text:	one line for people
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
 * struct tprof_lx_info - TPROF_LX_IOC_INFO, what the module is and can do
 * @size:	in: sizeof(struct tprof_lx_info)
 * @abi_version: out: TPROF_LX_ABI_VERSION of the module
 * @features:	out: enum tprof_lx_feature
 * @backends:	in: array of struct tprof_lx_backend, or 0
 * @nr_backends: in: room in @backends; out: number of back ends, which may be
 *		more than there was room for
 * @backend_size: in: sizeof(struct tprof_lx_backend) of the caller; that much
 *		of each is written, what the module does not know as zeroes
 * @nr_sessions: out: open sessions, this one included
 * @nr_cpus:	out: highest possible CPU number plus one
 * @max_rate:	out: highest sampling rate per CPU and event, in Hz
 * @ring_min:	out: bounds and default of @ring_bytes in CONFIG
 * @ring_max:	see @ring_min
 * @ring_default: see @ring_min
 * @fifo_min:	out: bounds and default of @fifo_bytes in CONFIG
 * @fifo_max:	see @fifo_min
 * @fifo_default: see @fifo_min
 * @flush_ms_default: out: default of @flush_ms in CONFIG
 * @max_stack:	out: most frames of a call chain
 * @version:	out: version of the module
 *
 * Return: 0. Errors: EINVAL when @backend_size is smaller than that of the
 * first version and @backends is not 0.
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
};

/**
 * struct tprof_lx_config - TPROF_LX_IOC_CONFIG, where and how a session runs
 * @size:	in: sizeof(struct tprof_lx_config)
 * @flags:	must be 0
 * @ring_bytes:	in: ring of each CPU, 0 for the default; out: as rounded up to
 *		a power of two
 * @fifo_bytes:	in: queue to the reader, 0 for the default; out: as rounded
 * @cpus:	in: bitmap of CPUs, bit n of byte n / 8, or 0 for all CPUs,
 *		present and to come
 * @cpus_bytes:	in: length of @cpus
 * @nr_targets:	in: number of process ids in @targets, 0 to sample everything
 * @targets:	in: array of __s32 process ids; they and all their descendants,
 *		present and future, are sampled
 * @watermark:	in: bytes in a ring that start a flush before its time, 0 for
 *		half of the ring; out: as used
 * @flush_ms:	in: time between two flushes, 1 to 10000, 0 for the default;
 *		out: as used
 *
 * A session that was never configured has the defaults. CONFIG replaces all
 * that an earlier one said.
 *
 * Return: 0. Errors: EBUSY when an event is running or records are still
 * being drained; EINVAL for a ring, fifo, watermark or flush time out of
 * bounds, for a CPU set without a possible CPU, or for too many targets;
 * ESRCH when one of the targets does not exist.
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
 * @TPROF_LX_EVENT_RANDOM: vary the low part of each period at random, up to an
 *			eighth of it, around the period that was asked for or
 *			that holds the frequency; EINVAL for an event that only
 *			counts
 * @TPROF_LX_EVENT_DEFERRED: continue call chains of samples of user mode that end
 *			at memory that is not present, before the task runs on:
 *			such a sample has TPROF_LX_MISC_CHAIN_DEFERRED set in its
 *			header, and struct tprof_lx_chain follows in a record of
 *			the thread, should it come to be, as do those that other
 *			sessions asked for; EINVAL without samples of user mode,
 *			call chains of the user, sample_id_all, and the thread
 *			and time of samples
 */
enum tprof_lx_event_flag {
	TPROF_LX_EVENT_RANDOM	= 1U << 0,
	TPROF_LX_EVENT_DEFERRED	= 1U << 1,
};

/* In the header of a PERF_RECORD_SAMPLE; perf gives it no meaning there. */
#define TPROF_LX_MISC_CHAIN_DEFERRED	(1 << 13)

/**
 * struct tprof_lx_event - TPROF_LX_IOC_EVENT, add an event to the session
 * @size:	in: sizeof(struct tprof_lx_event)
 * @flags:	in: enum tprof_lx_event_flag
 * @backend:	in: name of the back end, padded with zeroes
 * @attr:	in: pointer to a struct perf_event_attr, of any size that
 *		perf_event_open(2) takes
 * @id:		out: identifier of the event in PERF_SAMPLE_IDENTIFIER
 * @period:	out: events (of a clock: nanoseconds) from sample to sample; 0
 *		when the event only counts, or adapts its period to a frequency
 * @index:	out: number of the event, a bit of the masks
 * @reserved:	must be 0
 *
 * Of the attr, this is understood: type and config as the back end takes them
 * (clocks: PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK; counters:
 * PERF_TYPE_HARDWARE and PERF_TYPE_RAW; `tsc`: PERF_TYPE_HARDWARE,
 * PERF_COUNT_HW_REF_CPU_CYCLES); sample_period, or sample_freq with freq, or
 * neither for an event that only counts, and then asks for no record;
 * sample_type of IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN (the
 * kernel's part by its own unwinder, the user's by its frame pointers) with
 * sample_max_stack, exclude_callchain_kernel and exclude_callchain_user,
 * REGS_USER with sample_regs_user, and STACK_USER with sample_stack_user;
 * exclude_user,
 * exclude_kernel, exclude_idle of samples; exclude_host and exclude_guest where the
 * counter can tell them apart; comm, comm_exec, task, mmap (of code), mmap_data, mmap2,
 * build_id, context_switch; sample_id_all; use_clockid with clockid; watermark
 * with wakeup_watermark, which lowers the watermark of CONFIG.
 *
 * Return: 0. Errors:
 *
 * - ENODEV: no back end of that name.
 * - EOPNOTSUPP: the attr asks for something that perf_event_open(2) knows and
 *   this module or this back end does not do.
 * - EINVAL: the attr contradicts itself, sets bits that nobody knows, has
 *   neither period nor frequency for a back end that cannot count, a CLOCK that
 *   cannot be read in an NMI, no sample_type, comm_exec without comm,
 *   mmap_data or mmap2 without mmap, or build_id without mmap2; says how a chain, the registers or
 *   the stack are to be without asking for them, or the reverse; asks for
 *   registers that a 64-bit program has not got, for a stack whose size is no
 *   multiple of 8, or for more than a record holds; or differs from the session's
 *   other events in sample_id_all or clock; or there are several events that
 *   sample and one has no PERF_SAMPLE_IDENTIFIER.
 * - ERANGE: the period or frequency is out of the back end's bounds, or above
 *   the administrator's maximum rate.
 * - EOVERFLOW: sample_max_stack is more than the administrator allows.
 * - ENOSPC: the session has TPROF_LX_MAX_EVENTS events.
 * - EBUSY: an event is running or records are being drained; or somebody else
 *   holds the back end's hardware, as perf and the NMI watchdog do with the
 *   counters.
 * - EIO: the counters do not do what the processor says; INFO tells in @text.
 * - E2BIG: attr.size is of a newer kernel and more than the module knows is
 *   set.
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
};

/**
 * struct tprof_lx_mask - TPROF_LX_IOC_START and TPROF_LX_IOC_STOP
 * @size:	in: sizeof(struct tprof_lx_mask)
 * @mask:	in: events to start or stop; bits without an event are ignored;
 *		out: events that run now
 * @degraded:	out: of the started events, those that run less well than the
 *		back end promises, as `nmi` with a single CPU online, which
 *		samples from the timer interrupt until a second CPU comes
 * @reserved:	must be 0
 *
 * START starts all of the events or none; when it fails, what a part of them
 * had sampled by then is in the stream, as after a STOP. Events that run
 * already are left alone. STOP of events that do not run does nothing; it
 * returns when no sample of them can be taken any more and everything that was
 * taken is on its way to the reader. When the last event stops, the session drains: what
 * is in its rings can be read, and then read(2) returns 0.
 *
 * Return: 0. Errors of START: ENOENT when no event is in the mask; EBUSY when
 * the back end's resources are in use, as the counters of a CPU that ROWS
 * lists; EOPNOTSUPP when one of the CPUs does not have the event; EIO when the
 * hardware refuses it; EINVAL for an event that only counts in a session with
 * targets: a counter does not know who runs; EMSGSIZE for an event whose longest
 * sample has no room in a ring, or not in half of the fifo.
 */
struct tprof_lx_mask {
	__u32	size;
	__u32	mask;
	__u32	degraded;
	__u32	reserved;
};

/**
 * struct tprof_lx_ledger - what became of the samples, of one CPU and event
 * @taken:	samples that the back end delivered
 * @delivered:	samples that read(2) handed out
 * @queued:	samples that wait in a ring or in the fifo
 * @filtered:	samples outside the targets, or excluded by the attr
 * @lost_ring:	samples refused because the ring was full
 * @reserved:	room for further causes, zero
 *
 * At every quiet moment (no sample is being taken and nobody reads)
 * taken = delivered + queued + filtered + lost_ring, exactly.
 */
struct tprof_lx_ledger {
	__u64	taken;
	__u64	delivered;
	__u64	queued;
	__u64	filtered;
	__u64	lost_ring;
	__u64	reserved[3];
};

/* enum tprof_lx_state - values of @state in STATS */
enum tprof_lx_state {
	TPROF_LX_STATE_IDLE	= 0,	/* no event */
	TPROF_LX_STATE_ARMED	= 1,	/* events, none of them running */
	TPROF_LX_STATE_RUNNING	= 2,
	TPROF_LX_STATE_DRAINING	= 3,	/* stopped, records left to read */
};

/**
 * struct tprof_lx_stats - TPROF_LX_IOC_STATS, the ledger and statistics
 * @size:	in: sizeof(struct tprof_lx_stats)
 * @flags:	must be 0
 * @cpu:	in: a CPU, or TPROF_LX_SUM
 * @event:	in: index of an event, or TPROF_LX_SUM
 * @ledger:	out: of that CPU and event
 * @side_pushed: out: side-band records (all but samples) written to rings of
 *		that CPU
 * @side_lost:	out: side-band records lost for want of room
 * @ticks_merged: out: ticks of a clock that came late or together, or so soon
 *		that clocks would have taken more than a share of the time, and
 *		were made one sample with their periods added, of that CPU
 *		and event
 * @samples_slowed: out: samples that came later than the frequency, or a short
 *		period, asks, since taking one would else take more than an eighth
 *		of the time, of that CPU and event. Periods of counters of the
 *		user's work alone are kept for who opened with CAP_SYS_ADMIN;
 *		of others, PERF_SAMPLE_PERIOD tells what a sample stands for
 * @chains_deep: out: call chains, of that CPU and event, with more frames than
 *		they may have
 * @chains_absent: out: those that ended at a frame of the user's that could not
 *		be read, as it is not in memory now, or nowhere; of these, some
 *		may have been continued later
 * @chains_lost: out: those in which the kernel's unwinder met code that it does
 *		not know, whether it came past it or not
 * @rounds:	out: passes over all rings that moved something; this and
 *		what follows is of the whole session
 * @empty_rounds: out: passes that found nothing
 * @wakeups:	out: times that a reader was woken
 * @kicks:	out: flushes asked for by a ring above its watermark
 * @bytes_read:	out: bytes handed out by read(2)
 * @ring_bytes:	out: as CONFIG
 * @fifo_bytes:	out: as CONFIG
 * @state:	out: enum tprof_lx_state
 * @running:	out: mask of running events
 * @nmi_sampled: out: NMIs on that CPU that took samples; this and what
 *		follows is of all sessions since the module was loaded
 * @nmi_late:	out: NMIs of ours that found their work done by another
 * @nmi_foreign: out: NMIs that were not ours and were passed on
 * @nmi_collapsed: out: NMIs not sent because one was still on its way
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible; ENOENT for an
 * event that does not exist.
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
};

/**
 * struct tprof_lx_session - one session of SESSIONS
 * @pid:	process that opened it, in the first namespace
 * @state:	enum tprof_lx_state
 * @comm:	name of that process
 * @nr_events:	its events
 * @running:	mask of those that run
 * @bytes_read:	bytes handed out by read(2)
 * @side_lost:	side-band records lost for want of room
 * @ledger:	of all its events and CPUs
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
};

/**
 * struct tprof_lx_sessions - TPROF_LX_IOC_SESSIONS, who uses the module
 * @size:	in: sizeof(struct tprof_lx_sessions)
 * @flags:	must be 0
 * @nr_sessions: in: room in @sessions; out: number of sessions, this one
 *		included, which may be more than there was room for or than
 *		TPROF_LX_MAX_SESSIONS, which are the most that are told
 * @session_size: in: sizeof(struct tprof_lx_session) of the caller
 * @sessions:	in: array of struct tprof_lx_session, or 0
 *
 * The oldest session comes first.
 *
 * Return: 0. Errors: EINVAL when @session_size is smaller than that of the
 * first version, or larger than a page.
 */
struct tprof_lx_sessions {
	__u32	size;
	__u32	flags;
	__u32	nr_sessions;
	__u32	session_size;
	__u64	sessions;
};

/**
 * struct tprof_lx_mark - TPROF_LX_IOC_MARK, write a note into the stream
 * @size:	in: sizeof(struct tprof_lx_mark)
 * @flags:	must be 0
 * @value:	in: any number
 * @text:	in: any text, ending with a zero byte
 *
 * The note appears as a PERF_RECORD_CGROUP record with @value as its id and
 * "tprof-lx:mark:" followed by @text as its path: the one record that every
 * reader of perf.data knows and that changes nothing in a profile.
 *
 * Return: 0. Errors: EINVAL when @text does not end; ENOENT when the session
 * is not running, or only counts; ENOBUFS when the ring had no room, which is counted as
 * side-band lost.
 */
struct tprof_lx_mark {
	__u32	size;
	__u32	flags;
	__u64	value;
	char	text[TPROF_LX_MARK_LEN];
};

/**
 * enum tprof_lx_write_flag - @flags of WRITE
 * @TPROF_LX_WRITE_PERIOD: @value becomes the period of a sampling event
 */
enum tprof_lx_write_flag {
	TPROF_LX_WRITE_PERIOD	= 1U << 0,
};

/**
 * struct tprof_lx_count - TPROF_LX_IOC_READ and TPROF_LX_IOC_WRITE
 * @size:	in: sizeof(struct tprof_lx_count)
 * @flags:	READ: must be 0; WRITE: enum tprof_lx_write_flag
 * @cpu:	in: a CPU, or TPROF_LX_SUM
 * @event:	in: index of an event
 * @value:	READ: out: events counted; WRITE: in: what the count, or the
 *		period, is to be
 * @ran_ns:	READ: out: for how long the event ran; over several CPUs, the
 *		sum
 * @reserved:	must be 0
 *
 * Counts go on while the event runs and over any number of stops and starts,
 * with 64 bits whatever the counter has. READ may be called at any time, of
 * sampling events too. WRITE is for events that do not run; to write the sum
 * is to write the first CPU of the session's set and clear the others.
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible, or of WRITE, that
 * is not in the session's set, or one CPU's period; ENOENT for an event that
 * does not exist; EOPNOTSUPP when its back end does not count, or for a period,
 * when the event has none; of WRITE: EBUSY when the event runs, ERANGE for a
 * period out of bounds.
 */
struct tprof_lx_count {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	event;
	__u64	value;
	__u64	ran_ns;
	__u64	reserved;
};

/* enum tprof_lx_row_kind - values of @kind in rows */
enum tprof_lx_row_kind {
	TPROF_LX_ROW_GENERAL	= 0,
	TPROF_LX_ROW_FIXED	= 1,
};

/* enum tprof_lx_row_state - values of @state in rows */
enum tprof_lx_row_state {
	TPROF_LX_ROW_FREE	= 0,
	TPROF_LX_ROW_TAKEN	= 1,	/* by an event of the whole system */
	TPROF_LX_ROW_DISABLED	= 2,	/* taken out of use by ROW_ADMIN */
};

/**
 * struct tprof_lx_row - one counter of one CPU
 * @kind:	enum tprof_lx_row_kind
 * @number:	among those of its kind
 * @bits:	width
 * @state:	enum tprof_lx_row_state
 * @pid:	process that made the event, if taken; so are all that follow
 * @event:	index of the event in its session
 * @id:		PERF_SAMPLE_IDENTIFIER of the event
 * @type:	of its attr
 * @reserved:	zero
 * @config:	of its attr
 * @period:	from sample to sample now, 0 if it only counts
 * @comm:	name of the process
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
	__u32	reserved;
	__u64	config;
	__u64	period;
	char	comm[TPROF_LX_NAME_LEN];
};

#define TPROF_LX_MAX_ROWS	64

/**
 * struct tprof_lx_rows - TPROF_LX_IOC_ROWS, who holds the counters of a CPU
 * @size:	in: sizeof(struct tprof_lx_rows)
 * @flags:	must be 0
 * @cpu:	in: a CPU
 * @nr_rows:	in: room in @rows; out: number of counters, which may be more
 * @row_size:	in: sizeof(struct tprof_lx_row) of the caller; that much of
 *		each is written, what the module does not know as zeroes
 * @reserved:	must be 0
 * @rows:	in: array of struct tprof_lx_row, or 0
 *
 * Return: 0. Errors: EINVAL for a CPU that is not possible, or a @row_size
 * smaller than that of the first version with @rows not 0.
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
 * struct tprof_lx_row_admin - TPROF_LX_IOC_ROW_ADMIN, take a counter out of use
 * @size:	in: sizeof(struct tprof_lx_row_admin)
 * @flags:	must be 0
 * @cpu:	in: a CPU, or TPROF_LX_SUM for all
 * @kind:	in: enum tprof_lx_row_kind
 * @number:	in: among those of its kind
 * @state:	in: TPROF_LX_ROW_DISABLED, or TPROF_LX_ROW_FREE to give it back
 *
 * Return: 0. Errors: EPERM without CAP_SYS_ADMIN; EINVAL for a CPU that is not
 * possible or another @state; ENOENT when there is no such counter; EBUSY when
 * an event has it, on any of the CPUs, and then nothing is changed.
 */
struct tprof_lx_row_admin {
	__u32	size;
	__u32	flags;
	__u32	cpu;
	__u32	kind;
	__u32	number;
	__u32	state;
};

/* What paths of PERF_RECORD_CGROUP records that are ours start with. */
#define TPROF_LX_MARK_PREFIX	"tprof-lx:mark:"
#define TPROF_LX_LEDGER_PREFIX	"tprof-lx:ledger:"
#define TPROF_LX_CHAIN_PATH	"tprof-lx:chain"

/**
 * struct tprof_lx_chain - the rest of a PERF_RECORD_CGROUP of that path, up to its
 *	trailer: the user's part of call chains that could not be had at once
 * @id:		as in all such records, without a meaning
 * @path:	TPROF_LX_CHAIN_PATH, zeroes behind it
 * @elapsed:	nanoseconds of CLOCK_MONOTONIC from the first sample that asked
 *		for it to this, to about 0.1 ms; it is that of all samples since
 *		then that did
 * @nr:		entries of @ips
 * @ips:	PERF_CONTEXT_USER and addresses, as in a sample
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
 * The numbers carry no size, so that structs may grow. 0x00 to 0x0f ask about
 * the module, 0x10 to 0x1f build a session (attach, detach and release will
 * join them), 0x20 to 0x2f run it, 0x30 to 0x3f count, 0x40 to 0x4f administer
 * the counters.
 */
#define TPROF_LX_IOC_INFO	_IO(TPROF_LX_IOC_MAGIC, 0x00)
#define TPROF_LX_IOC_STATS	_IO(TPROF_LX_IOC_MAGIC, 0x01)
#define TPROF_LX_IOC_SESSIONS	_IO(TPROF_LX_IOC_MAGIC, 0x02)
#define TPROF_LX_IOC_CONFIG	_IO(TPROF_LX_IOC_MAGIC, 0x10)
#define TPROF_LX_IOC_EVENT	_IO(TPROF_LX_IOC_MAGIC, 0x11)
#define TPROF_LX_IOC_START	_IO(TPROF_LX_IOC_MAGIC, 0x20)
#define TPROF_LX_IOC_STOP	_IO(TPROF_LX_IOC_MAGIC, 0x21)
/*
 * TPROF_LX_IOC_FLUSH takes no argument (it must be 0, else EINVAL). It
 * returns when every record that was in a ring when it was called is in the
 * fifo, so that read(2) can have it. Errors: EAGAIN when the fifo has no room
 * and the file is O_NONBLOCK; otherwise it waits for the reader, EINTR when a
 * signal came meanwhile.
 */
#define TPROF_LX_IOC_FLUSH	_IO(TPROF_LX_IOC_MAGIC, 0x22)
#define TPROF_LX_IOC_MARK	_IO(TPROF_LX_IOC_MAGIC, 0x23)
#define TPROF_LX_IOC_READ	_IO(TPROF_LX_IOC_MAGIC, 0x30)
#define TPROF_LX_IOC_WRITE	_IO(TPROF_LX_IOC_MAGIC, 0x31)
#define TPROF_LX_IOC_ROWS	_IO(TPROF_LX_IOC_MAGIC, 0x40)
#define TPROF_LX_IOC_ROW_ADMIN	_IO(TPROF_LX_IOC_MAGIC, 0x41)

#endif /* _UAPI_LINUX_TPROF_LX_H */
