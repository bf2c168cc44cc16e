/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - parse numbers, sizes, times and lists of the command line
 *
 * Every parse function parses the whole text. If that fails, it returns -ERANGE for a
 * value that does not fit, and -EINVAL for any other reason. The result is then
 * unchanged.
 */
#ifndef TPROF_PARSE_H
#define TPROF_PARSE_H

#include "base/types.h"

#define CPU_LIST_MAX	8192
#define PID_LIST_MAX	1024

/**
 * struct cpu_list - a set of CPUs
 * @bits:	CPU n is bit n % 8 of byte n / 8
 * @bytes:	number of bytes of @bits in use; 0 if no list was given
 */
struct cpu_list {
	u8	bits[CPU_LIST_MAX / 8];
	u32	bytes;
};

/**
 * struct pid_list - process ids in the order given
 * @pids:	the ids
 * @nr:		number of ids
 */
struct pid_list {
	s32	pids[PID_LIST_MAX];
	u32	nr;
};

int parse_u64(const char *text, u64 *value);
int parse_size(const char *text, u64 *bytes);
int parse_seconds(const char *text, u64 *ns);
int parse_duration(const char *text, u64 *ns);
int parse_cpu_list(const char *text, struct cpu_list *cpus);
bool cpu_list_has(const struct cpu_list *cpus, u32 cpu);
int parse_pid_list(const char *text, struct pid_list *pids);
bool pid_list_has(const struct pid_list *pids, s32 pid);

#endif /* TPROF_PARSE_H */
