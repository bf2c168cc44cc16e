/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - functions that all test programs share
 *
 * Every function that can fail returns -errno, so that tests never read errno. Only
 * the expect_*() functions print.
 */
#ifndef TPROF_SELFTESTS_COMMON_H
#define TPROF_SELFTESTS_COMMON_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "modules/tprof_lx_burn.h"
#include "modules/tprof_lx_fake.h"

#define DEVICE		"/dev/" TPROF_LX_DEVICE_NAME
#define ALL_EVENTS	0xffffffffU
#define KERNEL_BEGIN	(1ULL << 63)	/* addresses of the kernel are higher */
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Poll @condition for at most @ms milliseconds. Return whether it became true. */
#define wait_until(condition, ms)					\
	({								\
		__u64 deadline_ = now_ns() + (ms) * NSEC_PER_MSEC;	\
		bool held_;						\
		while (!(held_ = (condition)) && now_ns() < deadline_)	\
			nap();						\
		held_;							\
	})

/* Sessions */
int session_open(int flags);
int session_ioctl(int fd, unsigned long cmd, void *arg);
bool compat_is_possible(void);
int compat_ioctl(int fd, unsigned long cmd, void *arg);
int session_info(int fd, struct tprof_lx_info *info);
int sessions_left(void);
int session_config(int fd, const struct tprof_lx_config *config);
int session_small(int fd, __u64 ring_bytes, __u64 fifo_bytes);
int session_cpus(int fd, int cpu);
int session_target(int fd, int pid);
int session_attach(int fd, int pid, __u32 flags);
int session_detach(int fd, int pid, __u32 flags);
int session_start(int fd, __u32 mask);
int session_start_degraded(int fd, __u32 mask, __u32 *degraded);
int session_stop(int fd, __u32 mask);
int session_running(int fd, __u32 *running);
int session_state(int fd);
int session_flush(int fd);
int session_mark(int fd, __u64 value, const char *text);
int session_stats(int fd, __u32 cpu, __u32 event,
		  struct tprof_lx_stats *stats);
__u64 session_taken(int fd, __u32 cpu, __u32 event);
bool ledger_is_balanced(const struct tprof_lx_ledger *ledger);
bool ledgers_add_up(int fd, __u32 nr_events);

/* Events */
void attr_init(struct perf_event_attr *attr, __u64 freq);
void attr_omit_cpu(struct perf_event_attr *attr);
void attr_track(struct perf_event_attr *attr);
void attr_drop_clock(struct perf_event_attr *attr);
int event_add_with(int fd, const char *backend,
		   const struct perf_event_attr *attr, __u32 flags,
		   struct tprof_lx_event *event);
int event_add_full(int fd, const char *backend,
		   const struct perf_event_attr *attr,
		   struct tprof_lx_event *event);
int event_add(int fd, const char *backend, const struct perf_event_attr *attr);
int event_try_with(const char *backend, const struct perf_event_attr *attr, __u32 flags);
int event_try(const char *backend, const struct perf_event_attr *attr);
int event_clock(int fd, const char *backend, __u64 freq);
void attr_fake(struct perf_event_attr *attr, __u32 key);
int event_fake(int fd, __u32 key);

/* Counts */
void attr_count(struct perf_event_attr *attr, __u32 type, __u64 config);
int count_read(int fd, __u32 cpu, __u32 event, struct tprof_lx_count *count);
int count_write(int fd, __u32 cpu, __u32 event, __u64 value);
int period_write(int fd, __u32 cpu, __u32 event, __u64 period);

/* Kernel modules of the tests */
int fake_emit(struct tprof_lx_fake_emit *emit);
int fake_emit_from(__u32 key, int context, __u64 count);
int fake_count(__u32 key, __u64 nr, __u64 *changes);
int fake_count_late(__u32 key, __u64 nr);
int fake_let_close(void);
__u64 fake_emitted(const struct tprof_lx_fake_emit *emit);
int fake_registry(enum tprof_lx_fake_attempt attempt);
int burn(enum tprof_lx_burn_context context, unsigned int ms,
	 __u64 *spent_ns);
int burn_foreign_nmi(int cpu);
int burn_lvtpc(int cpu);
int burn_stall(unsigned int ms);
int burn_stalled(void);
int module_load(const char *name, const char *parameters);
int module_unload(const char *name);
int modules_load_anew(void);
bool module_is_loaded(const char *name);

/* The machine */
__u64 now_ns(void);
void nap(void);
void spin_ms(unsigned int ms);
int cpu_pin(int cpu);
int cpus_online(void);
int cpu_set_online(int cpu, bool online);
int kernel_symbol(const char *name, __u64 *begin, __u64 *end);
long file_number(const char *path);
unsigned long environment(const char *name, unsigned long fallback);
int file_write(const char *path, const char *text);
int child_runs(void (*function)(const char *argument), const char *argument);
void do_nothing(const char *unused);
void do_exec(const char *path);
void expect_dmesg(const char *pattern);
void expect_counters(void);
void expect_load(void);
void expect_oom(void);

#endif /* TPROF_SELFTESTS_COMMON_H */
