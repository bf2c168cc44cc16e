// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - waits for all that runs now
 *
 * Context: process, may sleep.
 */
#include <linux/rcupdate.h>
#include <linux/tracepoint.h>

#include "base/grace.h"
#include "base/totals.h"

/** tprof_grace_of_readers - wait until all RCU readers that run now, NMIs included, are done */
void tprof_grace_of_readers(void)
{
	tprof_totals_add(TPROF_TOTAL_GRACE_PERIODS, 1);
	synchronize_rcu();
}

/** tprof_grace_of_probes - wait until all probes of tracepoints that run now are done */
void tprof_grace_of_probes(void)
{
	tprof_totals_add(TPROF_TOTAL_GRACE_PERIODS, 1);
	tracepoint_synchronize_unregister();
}
