/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the instructions of functions, with the samples of each
 *
 * They are in the data as the member "code": a list of functions, hottest first. Those that do not
 * fit are there without instructions.
 */
#ifndef TPROF_HTML_PAGE_CODE_H
#define TPROF_HTML_PAGE_CODE_H

#include "base/json.h"
#include "export/export.h"
#include "export/names.h"

/* Maximum number of bytes of all functions together, before compression. Tests change it. */
extern size_t page_code_most;

int page_code_write(const struct export *export, const char *first, struct interned *names,
		    struct json *json);

#endif /* TPROF_HTML_PAGE_CODE_H */
