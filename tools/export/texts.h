/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - numbers of texts, for formats that write each text once
 */
#ifndef TPROF_EXPORT_TEXTS_H
#define TPROF_EXPORT_TEXTS_H

#include "base/hash_table.h"
#include "export/names.h"

/**
 * struct texts - all texts; empty if all members are zero
 * @names:	names of threads and binaries
 * @numbers:	numbers of texts, plus one, by their pointers
 * @nr:		number of texts that got a number
 */
struct texts {
	struct interned names;
	struct hash_table numbers;
	u64	nr;
};

int texts_number(struct texts *texts, const char *text, u64 *number);
void texts_forget(struct texts *texts);

#endif /* TPROF_EXPORT_TEXTS_H */
