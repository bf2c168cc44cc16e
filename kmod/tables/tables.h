/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the unwind tables of sessions, and the address spaces that use them
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
