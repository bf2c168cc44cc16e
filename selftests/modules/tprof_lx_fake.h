/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - how a test drives the back end "fake"
 *
 * /dev/tprof-lx-fake emits overflows on the CPU that the caller is pinned to.
 * The request sets their number, their program counters and their contexts
 * exactly. A sample belongs to the task that runs: the caller, or the task that
 * its CPU runs while the caller waits.
 */
#ifndef TPROF_LX_FAKE_H
#define TPROF_LX_FAKE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TPROF_LX_FAKE_DEVICE	"/dev/tprof-lx-fake"
#define TPROF_LX_FAKE_BACKEND	"fake"
#define TPROF_LX_FAKE_SECOND	"fake-second"

#define TPROF_LX_FAKE_MIN_PERIOD	2
#define TPROF_LX_FAKE_MAX_PERIOD	(1ULL << 40)

/*
 * The config of an attr is a key that the test chooses, by which EMIT finds the
 * event, and these bits. The attr's type is PERF_TYPE_SOFTWARE.
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
 * struct tprof_lx_fake_emit - TPROF_LX_FAKE_IOC_EMIT
 * @key:	in: low half of the event's config
 * @user:	in: the samples are of user mode
 * @batch:	in: samples per interrupt, 0 for 1
 * @period:	in: period of each sample
 * @ip:		in: program counter of the first sample of each context
 * @span:	in: the Nth sample has ip + N % span; 0: all have ip
 * @count:	in: samples to emit from each context
 * @emitted:	out: samples that were emitted
 *
 * The contexts interrupt each other at arbitrary points: the task emits while a
 * timer raises hard and soft interrupts and another CPU sends NMIs. If the
 * event stops or a signal comes, the request ends early, with fewer samples
 * emitted than asked for.
 *
 * Return: 0. Errors: ENOENT when no event has the key; EXDEV when the caller
 * may run on more than one CPU; EINVAL.
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

/* What TPROF_LX_FAKE_IOC_REGISTRY tries; it returns the registry's result. */
enum tprof_lx_fake_attempt {
	TPROF_LX_FAKE_REGISTER_WRONG_VERSION,
	TPROF_LX_FAKE_REGISTER_DUPLICATE,
	TPROF_LX_FAKE_REGISTER_NO_NAME,
	TPROF_LX_FAKE_REGISTER_LONG_NAME,
	TPROF_LX_FAKE_REGISTER_NO_START,
	TPROF_LX_FAKE_REGISTER_SECOND,
	TPROF_LX_FAKE_UNREGISTER_SECOND,
	TPROF_LX_FAKE_UNREGISTER_FIRST,
	TPROF_LX_FAKE_REGISTER_FIRST,
	TPROF_LX_FAKE_UNREGISTER_STRANGER,
};

#define TPROF_LX_FAKE_IOC_EMIT		_IO(0xB8, 0x00)
#define TPROF_LX_FAKE_IOC_REGISTRY	_IO(0xB8, 0x01)

#endif /* TPROF_LX_FAKE_H */
