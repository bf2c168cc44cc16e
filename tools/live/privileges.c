// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - drop capabilities phase by phase
 */
#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "live/privileges.h"

#define PHASE(phase)	(1U << (phase))

/**
 * struct kept_capability - a capability and the phases that need it
 * @cap:	the capability
 * @phases:	mask of PHASE()s
 */
static const struct kept_capability {
	cap_value_t cap;
	u32 phases;
} kept[] = {
	{ CAP_DAC_OVERRIDE, PHASE(PRIVILEGES_OUTPUT) },
	{ CAP_DAC_READ_SEARCH,
	  PHASE(PRIVILEGES_OUTPUT) | PHASE(PRIVILEGES_PROC) | PHASE(PRIVILEGES_FILES) },
	{ CAP_SYS_PTRACE,
	  PHASE(PRIVILEGES_OUTPUT) | PHASE(PRIVILEGES_PROC) | PHASE(PRIVILEGES_FILES) },
	{ CAP_SYSLOG, PHASE(PRIVILEGES_OUTPUT) | PHASE(PRIVILEGES_PROC) },
	{ CAP_PERFMON, PHASE(PRIVILEGES_OUTPUT) | PHASE(PRIVILEGES_GUARD) },
};

/* Set @cap in @to only if @from has it: cap_set_proc() cannot add a capability. */
static int keep_one(cap_t from, cap_t to, cap_value_t cap)
{
	cap_flag_value_t have;

	if (cap_get_flag(from, cap, CAP_PERMITTED, &have))
		return -errno;
	if (have != CAP_SET)
		return 0;
	if (cap_set_flag(to, CAP_PERMITTED, 1, &cap, CAP_SET) ||
	    cap_set_flag(to, CAP_EFFECTIVE, 1, &cap, CAP_SET))
		return -errno;
	return 0;
}

static int choose(cap_t from, cap_t to, enum privileges keep, bool keep_kill)
{
	size_t i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(kept) && !err; i++) {
		if (kept[i].phases & PHASE(keep))
			err = keep_one(from, to, kept[i].cap);
	}
	if (!err && keep_kill)
		err = keep_one(from, to, CAP_KILL);
	return err;
}

/*
 * Drop all capabilities that phase @keep does not need. If @keep_kill is set, keep
 * CAP_KILL too.
 */
int privileges_drop(enum privileges keep, bool keep_kill)
{
	cap_t from = cap_get_proc();
	cap_t to = cap_init();
	int err = -ENOMEM;

	if (from && to)
		err = choose(from, to, keep, keep_kill);
	if (!err && cap_set_proc(to))
		err = -errno;
	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = -errno;
	if (from)
		cap_free(from);
	if (to)
		cap_free(to);
	return err;
}

/* Drop all capabilities of this thread. */
int privileges_drop_all(void)
{
	return privileges_drop(PRIVILEGES_NONE, false);
}
