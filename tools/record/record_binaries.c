// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - start and end the threads that open binaries and make their unwind tables
 */
#include "live/privileges.h"
#include "record/record_binaries.h"

/* Begin to give the module unwind tables, those of the files of a new command first. */
int record_begin_tables(struct recording *rec, const struct record_options *opts)
{
	bool has_command = rec->child.pid && !opts->delay;
	int err;

	if (!(rec->claim.added & TPROF_LX_EVENT_TABLES))
		return 0;
	err = rec->claim.stack_bytes ? recording_begin_unfinished(rec) : 0;
	if (err)
		return err;
	return table_maker_begin(&rec->tables, rec->device, has_command ? *opts->command : NULL,
				 rec->claim.stack_bytes ? &rec->unfinished.store : NULL,
				 privileges_drop_all);
}

static int keep_files(void)
{
	return privileges_drop(PRIVILEGES_FILES, false);
}

/* Return true if the only process to record is the child, which has not exec'ed yet. */
static bool awaits_exec(const struct record_options *opts)
{
	return !(opts->everything || opts->delay || record_has_tasks(opts));
}

/*
 * Begin to open the binaries of the processes that exist already. Before its exec, the child has
 * only the binaries of tprof-lx: count them as seen, and do not open them.
 */
int record_begin_opener(struct recording *rec, const struct record_options *opts)
{
	bool is_early = awaits_exec(opts);
	int err = is_early ? 0 : opener_begin(&rec->opener, &rec->tables, keep_files);

	recording_note(rec, rec->synth.out.data, rec->synth.out.len);
	if (!err && is_early)
		err = opener_begin(&rec->opener, &rec->tables, keep_files);
	return err;
}

/* The child will exec. From here on, it may map what tprof-lx has mapped, such as libc. */
void record_expect_exec(struct recording *rec, const struct record_options *opts)
{
	if (awaits_exec(opts))
		dso_set_free(&rec->seen);
}

/* At the end of the stream, wait for the tables that records need, unless these are lost anyway. */
void record_wait_for_tables(struct recording *rec)
{
	if (!rec->unfinished.held.len || rec->output_err)
		return;
	/* The signal that ended the command or the recording must not end this wait. */
	ending_is_asked(&rec->ending);
	unfinished_wait(&rec->unfinished, rec->ending.fd);
}

/* Write the records that wait, end both threads, and take over the binaries that are kept. */
void record_end_binaries(struct recording *rec)
{
	if (rec->unfinished.write)
		unfinished_end(&rec->unfinished);
	rec->nr_unopened = opener_end(&rec->opener, &rec->kept);
	table_maker_end(&rec->tables);
}
