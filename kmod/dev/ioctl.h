/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the ioctls, one function for each
 *
 * Each function copies the argument in, checks what it can without the session,
 * calls the session, and copies the result out. Only kmod/dev accesses memory of
 * ioctl callers.
 *
 * Context: process, may sleep.
 */
#ifndef TPROF_IOCTL_H
#define TPROF_IOCTL_H

#include <linux/compiler_types.h>

struct tprof_session;

long tprof_device_info(struct tprof_session *session, void __user *user);
long tprof_device_sessions(struct tprof_session *session, void __user *user);
long tprof_device_stats(struct tprof_session *session, void __user *user);
long tprof_device_names(void __user *user);
long tprof_device_events(struct tprof_session *session, void __user *user);
long tprof_device_config(struct tprof_session *session, void __user *user);
long tprof_device_event(struct tprof_session *session, void __user *user);
long tprof_device_attach(struct tprof_session *session, void __user *user);
long tprof_device_detach(struct tprof_session *session, void __user *user);
long tprof_device_follow(struct tprof_session *session, void __user *user);
long tprof_device_release_event(struct tprof_session *session, void __user *user);
long tprof_device_table(struct tprof_session *session, void __user *user);
long tprof_device_start(struct tprof_session *session, void __user *user);
long tprof_device_stop(struct tprof_session *session, void __user *user);
long tprof_device_mark(struct tprof_session *session, void __user *user);
long tprof_device_advance(struct tprof_session *session, void __user *user);
long tprof_device_read_count(struct tprof_session *session, void __user *user);
long tprof_device_write_count(struct tprof_session *session,
			      void __user *user);
long tprof_device_threads(struct tprof_session *session, void __user *user);
long tprof_device_rows(struct tprof_session *session, void __user *user);
long tprof_device_row_admin(void __user *user);

#endif /* TPROF_IOCTL_H */
