/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the standard streams, from the start of the process to its exit status
 */
#ifndef TPROF_STREAMS_H
#define TPROF_STREAMS_H

#include <stdio.h>

int streams_open(void);
int stream_error(FILE *stream);
int finish_output(int status);

#endif /* TPROF_STREAMS_H */
