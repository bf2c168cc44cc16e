/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - a URL as messages show it
 *
 * User, password, path and query may be secret, so messages and logs have none of them.
 */
#ifndef TPROF_PUSH_SHOWN_URL_H
#define TPROF_PUSH_SHOWN_URL_H

#include <stddef.h>

#include "push/library.h"

/* Longest SCHEME://HOST:PORT with the terminating zero; a longer one is cut. */
#define SHOWN_URL	161

void shown_url(const struct curl_library *curl, const char *text, char shown[SHOWN_URL]);

#endif /* TPROF_PUSH_SHOWN_URL_H */
