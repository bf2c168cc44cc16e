/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the misc device
 *
 * device.c is the device, device_session.c and device_count.c its ioctls,
 * device_copy.c how their structs cross over. No other file touches memory of
 * ioctl callers.
 */
#ifndef TPROF_DEVICE_H
#define TPROF_DEVICE_H

#include <linux/compiler_types.h>
#include <linux/cpumask.h>

struct tprof_session;

/* Is @cpu, as a caller gave it, one that this machine can have? */
static inline bool tprof_device_is_cpu(u32 cpu)
{
	return cpu < nr_cpu_ids && cpu_possible(cpu);
}

long tprof_device_info(struct tprof_session *session, void __user *user);
long tprof_device_sessions(void __user *user);
long tprof_device_stats(struct tprof_session *session, void __user *user);
long tprof_device_config(struct tprof_session *session, void __user *user);
long tprof_device_event(struct tprof_session *session, void __user *user);
long tprof_device_start(struct tprof_session *session, void __user *user);
long tprof_device_stop(struct tprof_session *session, void __user *user);
long tprof_device_mark(struct tprof_session *session, void __user *user);
long tprof_device_read_count(struct tprof_session *session, void __user *user);
long tprof_device_write_count(struct tprof_session *session,
			      void __user *user);
long tprof_device_rows(void __user *user);
long tprof_device_row_admin(void __user *user);

int tprof_device_init(void);
void tprof_device_uninit(void);

#endif /* TPROF_DEVICE_H */
