/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info - the state of a session or event in a word
 */
#ifndef TPROF_SESSION_STATE_H
#define TPROF_SESSION_STATE_H

#include "base/types.h"

const char *session_state(u32 state);

#endif /* TPROF_SESSION_STATE_H */
