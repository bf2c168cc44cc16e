/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the GNU build-id of an ELF file
 *
 * Files may be hostile: each offset, length and count is checked before use, and the
 * amount of work is bounded. The caller provides the function that reads the file, so
 * that the unit test elfnote_test can compile this code in user space.
 */
#ifndef TPROF_ELFNOTE_H
#define TPROF_ELFNOTE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "kernel.h"
#endif

/* Longest build-id that a PERF_RECORD_MMAP2 can hold. */
#define TPROF_ELFNOTE_ID_MAX	20

/**
 * typedef tprof_elfnote_read_t - read a piece of the file
 * @source:	@source of tprof_elfnote_build_id()
 * @offset:	offset in the file, less than 2^62
 * @buf:	result
 * @bytes:	length, at most 64
 *
 * Return: true if all of it could be read.
 */
typedef bool (*tprof_elfnote_read_t)(void *source, u64 offset, void *buf,
				     u32 bytes);

u32 tprof_elfnote_build_id(tprof_elfnote_read_t read, void *source, u8 *id);
u32 tprof_elfnote_scan(const void *memory, u32 bytes, u8 *id);

#endif /* TPROF_ELFNOTE_H */
