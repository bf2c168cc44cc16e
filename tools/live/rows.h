/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - counters of a CPU, by name and by who has them
 */
#ifndef TPROF_ROWS_H
#define TPROF_ROWS_H

#include <linux/tprof_lx.h>

#include "base/types.h"

#define ROW_NAME_LEN	16
#define ROW_EVENT_LEN	48

const char *row_name(const struct tprof_lx_row *row, char *buf, size_t len);
int row_parse(const char *text, struct tprof_lx_row_admin *arg);
const char *row_event(const struct tprof_lx_row *row, char *buf, size_t len);
const char *row_state(const struct tprof_lx_row *row);
u32 rows_who(const struct tprof_lx_row *rows, u32 nr, char *text, size_t len);

#endif /* TPROF_ROWS_H */
