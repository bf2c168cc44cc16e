/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - call the device, with one function for each ioctl
 *
 * The function of an ioctl sets the sizes and pointers in the ioctl's argument. It
 * returns 0 or -errno.
 */
#ifndef TPROF_DEVICE_H
#define TPROF_DEVICE_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "base/parse.h"
#include "base/types.h"
#include "live/name_automaton.h"

#define DEVICE_PATH	"/dev/" TPROF_LX_DEVICE_NAME

/**
 * struct device_info - result of INFO
 * @info:	the struct that INFO fills
 * @backends:	array of @info.nr_backends back ends
 */
struct device_info {
	struct tprof_lx_info	info;
	struct tprof_lx_backend	backends[TPROF_LX_MAX_BACKENDS];
};

int device_open(void);
int device_info(int fd, struct device_info *info);
bool device_has_backend(const struct device_info *info, const char *name);
int device_config(int fd, struct tprof_lx_config *config);
int device_table(int fd, struct tprof_lx_table *table);
int device_attach(int fd, s32 pid, u32 flags);
int device_follow(int fd, const struct name_automaton *names, u32 flags, u64 *nr_followed);
int device_event(int fd, const char *backend, const struct perf_event_attr *attr, u32 flags,
		 u32 stack_bytes, const struct cpu_list *cpus, struct tprof_lx_event *event);
int device_start(int fd, u32 mask, u32 *degraded);
int device_stop(int fd, u32 mask);
int device_advance(int fd, struct tprof_lx_span *span);
int device_stats(int fd, u32 cpu, u32 event, struct tprof_lx_stats *stats);
int device_read(int fd, u32 cpu, u32 event, struct tprof_lx_count *count);
int device_threads(int fd, u32 event, struct tprof_lx_thread *threads, u32 room,
		   struct tprof_lx_threads *list);
int device_rows(int fd, u32 cpu, struct tprof_lx_row *rows, u32 room, u32 *nr);
int device_sessions(int fd, struct tprof_lx_session *sessions, u32 room, u32 *nr);
int device_names(int fd, struct tprof_lx_name *names, u32 room, u32 *nr);
int device_events(int fd, u32 cpu, struct tprof_lx_listed *events, u32 room, u32 *nr,
		  u64 *around_ns);
int device_row_admin(int fd, const struct tprof_lx_row_admin *arg);

#endif /* TPROF_DEVICE_H */
