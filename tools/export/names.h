/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - names from the recording, in a form that any reader accepts
 *
 * A profiled program chooses its names of threads, files and functions. In an export,
 * names are valid UTF-8 without control characters, and have a limited length.
 */
#ifndef TPROF_EXPORT_NAMES_H
#define TPROF_EXPORT_NAMES_H

#include "base/interned.h"

/* Maximum length in bytes. Names of C++ templates are longer than those of files. */
#define NAME_LEN	4096

const char *name_get(struct interned *names, const char *text);

#endif /* TPROF_EXPORT_NAMES_H */
