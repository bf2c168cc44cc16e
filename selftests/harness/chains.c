// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - sample call chains, and run code with a bad frame pointer
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/chains.h"

int chains_open(struct chains *chains)
{
	int err;

	memset(chains, 0, sizeof(*chains));
	chains->fd = session_open(0);
	if (chains->fd < 0)
		return chains->fd;
	attr_init(&chains->attr, 1000);
	chains->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	err = cpu_pin(0);
	return err ?: session_target(chains->fd, getpid());
}

int chains_begin(struct chains *chains, const char *backend, __u32 flags)
{
	struct tprof_lx_event event;

	return event_add_with(chains->fd, backend, &chains->attr, flags, &event) ?:
	       session_start(chains->fd, 1);
}

int chains_end(struct chains *chains)
{
	int err = session_stop(chains->fd, 1);

	err = err ?: stream_read_all(&chains->stream, chains->fd);
	return err ?: session_stats(chains->fd, TPROF_LX_SUM, TPROF_LX_SUM,
				    &chains->stats);
}

void chains_close(struct chains *chains)
{
	stream_free(&chains->stream);
	close(chains->fd);
}

/* Loop with @frame in RSP and RBP, so that the unwinder cannot find the callers. */
OWN_SECTION(stray) static void stray(unsigned long frame, unsigned long steps)
{
	asm volatile("push	%%rbp\n\t"
		     "mov	%%rsp, %%r12\n\t"
		     "mov	%0, %%rbp\n\t"
		     "mov	%0, %%rsp\n"
		     "1:	dec	%1\n\t"
		     "jnz	1b\n\t"
		     "mov	%%r12, %%rsp\n\t"
		     "pop	%%rbp"
		     : "+r"(frame), "+r"(steps) : : "memory", "cc", "r12");
}

/* Same as stray(), but spend the time in the kernel: 5 ms in an ioctl(2) on @fd. */
OWN_SECTION(stray) static void stray_call(unsigned long frame, long fd)
{
	static struct tprof_lx_burn slice = {
		.context	= TPROF_LX_BURN_TASK,
		.usecs		= 5000,
	};
	long nr = SYS_ioctl;

	asm volatile("push	%%rbp\n\t"
		     "mov	%%rsp, %%r12\n\t"
		     "mov	%1, %%rbp\n\t"
		     "mov	%1, %%rsp\n\t"
		     "syscall\n\t"
		     "mov	%%r12, %%rsp\n\t"
		     "pop	%%rbp"
		     : "+a"(nr)
		     : "r"(frame), "D"(fd), "S"(TPROF_LX_BURN_IOC_BURN), "d"(&slice)
		     : "memory", "cc", "rcx", "r11", "r12");
}

void stray_for(const void *frame, unsigned int ms)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	do {
		stray((unsigned long)frame, 1000000);
	} while (now_ns() < end);
}

/* Same as stray(), but keep RSP: only RBP points to @memory. */
OWN_SECTION(stray) static void stray_off(unsigned long memory, unsigned long steps)
{
	asm volatile("push	%%rbp\n\t"
		     "mov	%0, %%rbp\n"
		     "1:	dec	%1\n\t"
		     "jnz	1b\n\t"
		     "pop	%%rbp"
		     : "+r"(memory), "+r"(steps) : : "memory", "cc");
}

static void stray_without(unsigned long *memory, unsigned int ms,
			  void (*how)(unsigned long memory, unsigned long steps),
			  unsigned long steps)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	do {
		madvise(memory, 4096, MADV_DONTNEED);
		how((unsigned long)memory, steps);
	} while (now_ns() < end);
}

/*
 * Run for @ms milliseconds with RBP = @memory, a page that is outside of the stack and
 * not present.
 */
void stray_elsewhere(unsigned long *memory, unsigned int ms)
{
	stray_without(memory, ms, stray_off, 1000000);
}

/* Run with RSP = RBP = @frame. Drop the page of @frame every 20000 steps. */
void stray_often(unsigned long *frame, unsigned int ms)
{
	stray_without(frame, ms, stray, 20000);
}

/*
 * Alternate between a loop in user mode and a system call on @fd. Drop the page of
 * @frame before each loop and each call.
 */
void stray_absent(unsigned long *frame, unsigned int ms, int fd)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	do {
		madvise(frame, 4096, MADV_DONTNEED);
		stray((unsigned long)frame, 1000000);
		madvise(frame, 4096, MADV_DONTNEED);
		stray_call((unsigned long)frame, fd);
	} while (now_ns() < end);
}
