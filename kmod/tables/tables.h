/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the unwind tables of sessions, and the address spaces that use them
 *
 * Addresses of a table are file offsets, so that a table serves all processes that map the
 * file, and files are identified by build-id.
 *
 * A new mapping of a file without a table flushes the ring at once, so that the command line
 * sees it, and gives the table, before many samples are taken there. No task waits for a
 * table: it would sleep where it did not before, at each new file, for as long as the recorder
 * is busy. Samples that come before the table have a copy of the stack instead, if the event
 * asks for it (chain/stack_copy.h).
 *
 * Tables may be hostile. tprof_table_check() checks each row and rule at TABLE, so that a
 * search cannot leave the table. What a rule computes is an address like any other of the
 * user: it is checked and masked before it is read.
 *
 * Context: see each function.
 */
#ifndef TPROF_TABLES_H
#define TPROF_TABLES_H

#include <linux/irq_work.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "tables/object.h"
#include "tables/space.h"

/**
 * struct tprof_tables - the tables of all sessions with privileges, or of one without
 * @users:	sessions, and pending deferred chains
 * @objects:	the tables
 * @spaces:	the address spaces of sampled processes
 * @wanted:	mm whose mappings @learn must learn, with a reference, or NULL
 * @wanted_by:	user of the task that wants them
 * @kick:	starts @learn, because an NMI cannot
 * @learn:	learns the mappings of @wanted
 */
struct tprof_tables {
	refcount_t		users;
	struct tprof_objects	objects;
	struct tprof_spaces	spaces;
	struct mm_struct	*wanted;
	kuid_t			wanted_by;
	struct irq_work		kick;
	struct work_struct	learn;
};

struct tprof_tables *tprof_tables_get(bool is_private);
void tprof_tables_hold(struct tprof_tables *tables);
void tprof_tables_put(struct tprof_tables *tables);
void tprof_tables_settle(struct tprof_tables *tables);
void tprof_tables_want(struct tprof_tables *tables);

#endif /* TPROF_TABLES_H */
