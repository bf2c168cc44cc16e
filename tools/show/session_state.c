// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx info - the state of a session or event in a word
 */
#include <linux/tprof_lx.h>

#include "show/session_state.h"

/* Return the name of a state, enum tprof_lx_state. */
const char *session_state(u32 state)
{
	static const char *const names[] = {
		[TPROF_LX_STATE_IDLE] = "idle",
		[TPROF_LX_STATE_ARMED] = "stopped",
		[TPROF_LX_STATE_RUNNING] = "running",
		[TPROF_LX_STATE_DRAINING] = "draining",
		[TPROF_LX_STATE_BUSY] = "busy",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "unknown";
}
