/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - format numbers and sets of CPUs for people
 */
#ifndef TPROF_NUMBER_TEXT_H
#define TPROF_NUMBER_TEXT_H

#include "base/parse.h"

const char *size_text(u64 bytes, char *buf, size_t len);
const char *count_text(u64 count, char *buf, size_t len);
const char *cpus_text(const struct cpu_list *cpus, char *buf, size_t len);

/* Return the words that follow a number: @one after 1, @many after each other one. */
static inline const char *by_number(u64 nr, const char *one, const char *many)
{
	return nr == 1 ? one : many;
}

#endif /* TPROF_NUMBER_TEXT_H */
