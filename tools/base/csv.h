/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - write fields of CSV, quoted as in RFC 4180
 */
#ifndef TPROF_CSV_H
#define TPROF_CSV_H

#include <stdio.h>

void csv_put(FILE *out, const char *text, const char *separator);

#endif /* TPROF_CSV_H */
