// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx stat - count events
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/event_help.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "cli/streams.h"
#include "live/targets.h"
#include "stat/stat_events.h"
#include "stat/stat_report.h"

static int open_session(struct stat_session *session)
{
	struct message msg;

	session->claim.device = open_device(&session->info, &msg);
	if (session->claim.device < 0)
		return say_error("%s", msg.text);
	if (!(session->info.info.features & TPROF_LX_FEATURE_COUNTING))
		return say_error("the loaded module (version %s) does not count; update and reload it",
				 session->info.info.version);
	if (session->opts->is_process_scope &&
	    !(session->info.info.features & TPROF_LX_FEATURE_PROCESS))
		return say_error("the loaded module (version %s) counts all processes only; give -a, or update and reload it",
				 session->info.info.version);
	if (session->opts->tids.nr &&
	    !(session->info.info.features & TPROF_LX_FEATURE_ATTACH))
		return say_error("the loaded module (version %s) does not count single threads; give -p, or update and reload it",
				 session->info.info.version);
	if (session->opts->per_thread &&
	    !(session->info.info.features & TPROF_LX_FEATURE_THREADS))
		return say_error("the loaded module (version %s) does not count by thread; update and reload it",
				 session->info.info.version);
	return STATUS_OK;
}

/* Set up the session, which has no events yet. */
static int configure(struct stat_session *session)
{
	const struct stat_options *opts = session->opts;
	int err, status;

	targets_choose(&session->targets, opts->tids.nr ? &opts->tids : &opts->pids);
	status = stat_configure(session);
	if (status)
		return status;
	session->counting.device = session->claim.device;
	session->counting.is_cumulative = opts->cumulative;
	err = counting_choose_lanes(&session->counting, &opts->cpus, session->info.info.nr_cpus,
				    opts->per_cpu);
	return err ? say_failure(err, "cannot count") : STATUS_OK;
}

static int open_output(struct stat_output *output, const struct stat_session *session)
{
	const struct stat_options *opts = session->opts;

	*output = (struct stat_output){
		.out = stderr,
		.format = opts->json ? &stat_json : opts->separator ? &stat_csv : &stat_text,
		.separator = opts->separator,
		.counting = &session->counting,
		.command = opts->command,
		.cpus = &opts->cpus,
		.pids = &opts->pids,
		.tids = &opts->tids,
		.names = opts->comm.follow ? opts->comm.pattern : NULL,
		.is_process_scope = opts->is_process_scope,
		.is_alone = opts->no_inherit,
		.per_cpu = opts->per_cpu,
		.per_thread = opts->per_thread,
		.intervals = opts->interval,
		.repeated = opts->repeat > 1,
	};
	if (opts->output && !strcmp(opts->output, "-"))
		output->out = stdout;
	else if (opts->output)
		output->out = fopen(opts->output, opts->append ? "ae" : "we");
	return output->out ? STATUS_OK : say_failure(-errno, opts->output);
}

static int close_output(struct stat_session *session, int status)
{
	FILE *out = session->output.out;
	int err;

	/* finish_output() checks stdout and stderr. */
	if (!out || out == stdout || out == stderr)
		return status;
	err = stream_error(out);
	if (fclose(out) && !err)
		err = -errno;
	return err ? say_failure(err, session->opts->output) : status;
}

static int set_up(struct stat_session *session)
{
	int status = say_missing_command(*session->opts->command);

	if (!status)
		status = open_session(session);
	if (!status)
		status = claim_cpus(&session->claim);
	if (!status)
		status = configure(session);
	if (!status)
		status = stat_add_events(session);
	if (!status)
		status = claim_threads(&session->claim, &session->opts->tids);
	if (!status)
		status = comm_option_follow(&session->opts->comm, &session->claim,
					    session->opts->no_inherit);
	if (!status)
		status = open_output(&session->output, session);
	return status ? status : count_file_open(&session->file, &session->counting, session->opts);
}

/* Clean up after an error. If the command runs, it uses the terminal: wait for it. */
static int give_up(struct stat_session *session, int status)
{
	claim_release(&session->claim);
	if (session->is_catching)
		ending_release(&session->ending);
	count_file_close(&session->file, true);
	child_see_off(&session->child);
	return status;
}

/*
 * Return true if a further run may follow a run that ended with @event. After a signal,
 * none follows. With a command, a run goes on after the first Ctrl-C until the command
 * exits, and ends with STAT_ENDED; ending.interrupts shows that there was a signal.
 * Without a command, STAT_ENDED means that the tasks of -p or -t have ended.
 */
static bool may_run(const struct stat_session *session, enum stat_end event)
{
	if (event == STAT_INTERRUPTED || session->ending.interrupts)
		return false;
	return event == STAT_TIME_OUT || *session->opts->command;
}

static int count(struct stat_session *session)
{
	enum stat_end event = STAT_TIME_OUT;
	int status = set_up(session), file_status;
	u64 i;

	if (status)
		return status;
	for (i = 1; i <= session->opts->repeat && may_run(session, event); i++) {
		event = stat_run_once(session, i == session->opts->repeat, &status);
		if (event == STAT_FAILED)
			return give_up(session, status);
	}
	if (!session->opts->interval)
		stat_lines(&session->output, 0);
	stat_end(&session->output, &session->times);
	comm_option_note(&session->opts->comm, &session->claim);

	/* Release counters and restore the watchdog before waiting for the command. */
	claim_release(&session->claim);
	ending_release(&session->ending);
	file_status = count_file_close(&session->file, false);
	if (session->child.pid)
		status = child_wait(&session->child);
	return file_status ? file_status : status;
}

/* Print the counts of a recording. */
static int report(struct stat_session *session)
{
	int status = open_output(&session->output, session);

	return status ? status : stat_report(&session->output, session->opts);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct stat_options opts;
	struct stat_session session = {
		.opts = &opts,
		.claim = { .device = -1, .info = &session.info, .cpus = &opts.cpus },
	};
	int status = stat_options_read(&opts, self, argc, argv);

	session.claim.no_park = opts.no_park;
	session.claim.flags = (opts.is_process_scope ? TPROF_LX_EVENT_PROCESS : 0) |
			      (opts.per_thread ? TPROF_LX_EVENT_THREADS : 0);
	if (!status)
		status = opts.report ? report(&session) : count(&session);
	claim_release(&session.claim);
	count_file_close(&session.file, true);
	status = close_output(&session, status);
	counting_free(&session.counting);
	return status;
}

const struct command stat_command = {
	.name = "stat",
	.summary = "count events",
	.operands = "[-- command [argument ...]]",
	.text = "Counts the command from its exec on, or the processes of -p, and descendants.\n"
		"With -a or -C, and without a command or -p, counts all processes. Exits with\n"
		"the status of the command. Events are not multiplexed: each has its own counter\n"
		"all the time, and events that do not fit are refused.\n",
	.more_help = event_help,
	.options = stat_option_rows,
	.run = run,
};
