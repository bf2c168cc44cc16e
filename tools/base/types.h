/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the kernel's short type names and a few macros, for the tools
 */
#ifndef TPROF_TYPES_H
#define TPROF_TYPES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define ALIGN_UP(x, to)		(((x) + (to) - 1) / (to) * (to))
#define container_of(member_ptr, type, member) \
	((type *)((char *)(member_ptr) - offsetof(type, member)))
#define NSEC_PER_SEC		1000000000ULL
#define NSEC_PER_MSEC		1000000ULL
#define NSEC_PER_USEC		1000ULL

#define __printf(format, first) __attribute__((__format__(__printf__, format, first)))

#endif /* TPROF_TYPES_H */
