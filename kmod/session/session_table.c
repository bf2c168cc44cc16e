// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the unwind tables of a session: TABLE
 *
 * Context: process.
 */
#include <linux/err.h>
#include <linux/mutex.h>

#include "chain/deferred.h"
#include "session/session_table.h"
#include "tables/tables.h"

/**
 * tprof_session_get_tables - get the set of tables of a session, if it has none yet
 *
 * Context: process, under the session lock.
 * Return: 0 or -ENOMEM.
 */
int tprof_session_get_tables(struct tprof_session *session)
{
	struct tprof_tables *tables;

	lockdep_assert_held(&session->lock);
	if (session->tables)
		return 0;
	tables = tprof_tables_get(session->watcher);
	if (IS_ERR(tables))
		return PTR_ERR(tables);
	session->tables = tables;
	return 0;
}

/**
 * tprof_session_put_tables - withdraw the tables of a session
 * @session:	session without events that run
 *
 * Context: process, may sleep.
 */
void tprof_session_put_tables(struct tprof_session *session)
{
	if (!session->tables)
		return;
	/* Chains that were requested have their own references to the tables then. */
	tprof_deferred_stop();
	tprof_tables_settle(session->tables);
	tprof_objects_withdraw(&session->tables->objects, &session->table_holds);
	tprof_tables_put(session->tables);
}

/**
 * tprof_session_give_table - add a table
 * @id:		build-id of the object
 * @table:	table that was checked; freed, or kept by the session
 *
 * Return: 0, or the errors of TPROF_LX_IOC_TABLE.
 */
int tprof_session_give_table(struct tprof_session *session, const struct tprof_object_id *id,
			     struct tprof_object_table *table)
{
	int err;

	guard(mutex)(&session->lock);
	err = tprof_session_get_tables(session);
	if (!err)
		err = tprof_objects_give(&session->tables->objects, &session->table_holds, id,
					 table);
	if (err)
		tprof_object_table_free(table, session->watcher);
	return err;
}
