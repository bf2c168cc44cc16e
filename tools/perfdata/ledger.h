/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - lines of the ledger, with the numbers of samples taken and lost
 */
#ifndef TPROF_LEDGER_H
#define TPROF_LEDGER_H

#include "perfdata/reader.h"

/* Longest line of the ledger. */
#define LEDGER_MAX	1024

const char *ledger_line(const struct record *record);
bool ledger_number(const char *line, const char *name, u64 *value);
int ledger_set_event(const char *line, u32 event, char *text, size_t len);

#endif /* TPROF_LEDGER_H */
