/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - the interface of the back end "fake"
 *
 * /dev/tprof-lx-fake emits overflows on the CPU to which the caller is pinned. The
 * request EMIT sets the exact number of overflows, their program counters and their
 * contexts. A sample belongs to the task that runs on this CPU: the caller, or
 * another task while the caller sleeps.
 */
#ifndef TPROF_LX_FAKE_H
#define TPROF_LX_FAKE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TPROF_LX_FAKE_DEVICE	"/dev/tprof-lx-fake"
#define TPROF_LX_FAKE_BACKEND	"fake"
#define TPROF_LX_FAKE_SECOND	"fake-second"
#define TPROF_LX_FAKE_COUNTER	"fake-count"

#define TPROF_LX_FAKE_MIN_PERIOD	2
#define TPROF_LX_FAKE_MAX_PERIOD	(1ULL << 40)

/*
 * Bits of attr.config. The low half is a key that the test chooses; EMIT finds the
 * event by its key. attr.type is PERF_TYPE_SOFTWARE.
 */
#define TPROF_LX_FAKE_KEY_MASK		0xffffffffULL
/* event_init() returns EBUSY. */
#define TPROF_LX_FAKE_FAIL_INIT		(1ULL << 32)
/* start() returns EBUSY on the online CPU with the highest number. */
#define TPROF_LX_FAKE_FAIL_START	(1ULL << 33)
/* is_degraded() returns true. */
#define TPROF_LX_FAKE_DEGRADED		(1ULL << 34)

enum tprof_lx_fake_context {
	TPROF_LX_FAKE_TASK,
	TPROF_LX_FAKE_SOFTIRQ,
	TPROF_LX_FAKE_HARDIRQ,
	TPROF_LX_FAKE_NMI,
	TPROF_LX_FAKE_CONTEXTS,
};

/**
 * struct tprof_lx_fake_emit - argument of TPROF_LX_FAKE_IOC_EMIT: emit samples
 * @key:	in: low half of the event's config
 * @user:	in: 1 if the samples show user mode
 * @batch:	in: number of samples per interrupt; 0 means 1
 * @period:	in: period of each sample
 * @ip:		in: program counter of the first sample, for each context
 * @span:	in: sample N has the program counter ip + N % span; if @span is 0, all
 *		samples have the program counter ip
 * @count:	in: number of samples to emit, for each context
 * @emitted:	out: number of samples emitted, for each context, including those
 *		that the closed gate or a stall of the event has suppressed
 *
 * The contexts interrupt each other at arbitrary points: the task emits while a
 * timer raises hard and soft interrupts and another CPU sends NMIs. If the event is
 * stopped or the caller gets a signal, the request ends early, and @emitted is less
 * than @count.
 *
 * Return: 0. Errors: ENOENT if no event has the key; EXDEV if the caller may run on
 * more than one CPU; ENOMEM.
 */
struct tprof_lx_fake_emit {
	__u32	key;
	__u32	user;
	__u64	batch;
	__u64	period;
	__u64	ip[TPROF_LX_FAKE_CONTEXTS];
	__u64	span;
	__u64	count[TPROF_LX_FAKE_CONTEXTS];
	__u64	emitted[TPROF_LX_FAKE_CONTEXTS];
};

/**
 * struct tprof_lx_fake_count - argument of TPROF_LX_FAKE_IOC_COUNT: count events
 * @key:	in: low half of the config of the events that count
 * @reserved:	not used
 * @nr:		in: number to add to the count of each of these events that runs on
 *		the caller's CPU with its gate open
 * @changes:	out: number of calls of gate() on this CPU for the last of the events
 *
 * Return: 0. Errors: ENOENT if no event has the key.
 */
struct tprof_lx_fake_count {
	__u32	key;
	__u32	reserved;
	__u64	nr;
	__u64	changes;
};

/*
 * TPROF_LX_FAKE_IOC_COUNT_LATE counts as TPROF_LX_FAKE_IOC_COUNT does, but only when the
 * file is closed. This close(2), or the exit that closes the file, waits for
 * TPROF_LX_FAKE_IOC_LET_CLOSE, but not longer than TPROF_LX_FAKE_CLOSE_S.
 */
#define TPROF_LX_FAKE_CLOSE_S		30

/*
 * Argument of TPROF_LX_FAKE_IOC_REGISTRY: which back end to register or unregister.
 * The ioctl returns the result of tprof_pmu_register() or tprof_pmu_unregister().
 */
enum tprof_lx_fake_attempt {
	TPROF_LX_FAKE_REGISTER_WRONG_VERSION,
	TPROF_LX_FAKE_REGISTER_DUPLICATE,
	TPROF_LX_FAKE_REGISTER_NO_NAME,
	TPROF_LX_FAKE_REGISTER_LONG_NAME,
	TPROF_LX_FAKE_REGISTER_NO_START,
	TPROF_LX_FAKE_REGISTER_NO_READ_HERE,
	TPROF_LX_FAKE_REGISTER_SECOND,
	TPROF_LX_FAKE_UNREGISTER_SECOND,
	TPROF_LX_FAKE_UNREGISTER_FIRST,
	TPROF_LX_FAKE_REGISTER_FIRST,
	TPROF_LX_FAKE_UNREGISTER_STRANGER,
};

#define TPROF_LX_FAKE_IOC_EMIT		_IO(0xB8, 0x00)
#define TPROF_LX_FAKE_IOC_REGISTRY	_IO(0xB8, 0x01)
#define TPROF_LX_FAKE_IOC_COUNT		_IO(0xB8, 0x02)
#define TPROF_LX_FAKE_IOC_COUNT_LATE	_IO(0xB8, 0x03)
#define TPROF_LX_FAKE_IOC_LET_CLOSE	_IO(0xB8, 0x04)

#endif /* TPROF_LX_FAKE_H */
