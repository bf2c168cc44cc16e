/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - open the recording that a command reads
 */
#ifndef TPROF_FILE_INPUT_H
#define TPROF_FILE_INPUT_H

#include "perfdata/reader.h"

#define DEFAULT_INPUT	"tprof.data"

int open_input(const char *name, struct reader *reader);
int say_several_events(const char *name);
int say_no_event(const char *name, const char *event, const struct reader *reader);
int say_input_failed(const char *name, int err, const struct message *msg);
void close_input(const char *name, struct reader *reader, int fd);

#endif /* TPROF_FILE_INPUT_H */
