/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - what a server of OTLP answers with status 200
 */
#ifndef TPROF_PUSH_OTLP_ANSWER_H
#define TPROF_PUSH_OTLP_ANSWER_H

#include <stddef.h>

#include "base/types.h"

u64 otlp_rejected(const char *body, size_t len, char *why, size_t room);

#endif /* TPROF_PUSH_OTLP_ANSWER_H */
