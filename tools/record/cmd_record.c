// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - sample and write a perf.data file
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/event_help.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "code/kernel_memory.h"
#include "live/privileges.h"
#include "live/targets.h"
#include "record/record_binaries.h"
#include "record/record_events.h"
#include "record/record_options.h"
#include "record/record_output.h"
#include "record/recording.h"
#include "symbols/objects.h"

static int prepare_command(struct recording *rec, const struct record_options *opts)
{
	struct identity identity = { .no_stdout = !strcmp(opts->output, "-") };
	int err;

	if (!opts->as_root)
		identity_of_invoker(&identity);
	if (*opts->command) {
		err = child_prepare(&rec->child, opts->command, &identity);
		if (err)
			return say_failure(err, "cannot start the command");
	}
	/*
	 * The device is open, so drop the capabilities that are needed only to open
	 * it.
	 */
	err = privileges_drop(PRIVILEGES_OUTPUT, rec->child.pid && identity.changed);
	return err ? say_failure(err, "cannot drop capabilities") : STATUS_OK;
}

/*
 * Choose the processes that the session is limited to; with -t, those of the threads. With
 * -a, there is no limit.
 */
static void choose_targets(struct recording *rec, const struct record_options *opts)
{
	if (opts->everything)
		return;
	targets_choose(&rec->targets, opts->tids.nr ? &opts->tids : &opts->pids);
	if (!rec->targets.nr && !opts->comm.follow)
		rec->targets.pids[rec->targets.nr++] = rec->child.pid;
}

/* How much of a stack is copied for a chain whose tables are not there yet. */
#define STACK_BYTES	TPROF_LX_MAX_STACK_BYTES

/*
 * Tables need deferred chains. An older module has none; without --call-graph table, frame
 * pointers do instead.
 */
static bool wants_tables(const struct recording *rec, const struct record_options *opts)
{
	const struct chain_spec *chains = &opts->chains;

	if (chains->way != CHAIN_BEST)
		return chains->way == CHAIN_TABLE;
	return chains->wanted && !chains->no_deferred &&
	       rec->info.info.features & TPROF_LX_FEATURE_TABLES;
}

/*
 * Let targets alone be sampled, so that no other process is interrupted. An older module
 * interrupts all processes, and then drops the samples of the others.
 */
static int choose_scope(struct recording *rec, const struct record_options *opts)
{
	u64 features = rec->info.info.features;

	if (wants_tables(rec, opts) && !(features & TPROF_LX_FEATURE_TABLES))
		return say_error("the loaded module (version %s) has no unwind tables; update and reload it",
				 rec->info.info.version);
	if (opts->stat && !(features & TPROF_LX_FEATURE_THREADS))
		return say_error("the loaded module (version %s) does not count by thread; update and reload it",
				 rec->info.info.version);
	if (opts->tids.nr && !(features & TPROF_LX_FEATURE_ATTACH))
		return say_error("the loaded module (version %s) does not record single threads; give -p, or update and reload it",
				 rec->info.info.version);
	if (opts->latency && !(features & TPROF_LX_FEATURE_PARALLELISM))
		return say_error("the loaded module (version %s) has no parallelism for --latency; update and reload it",
				 rec->info.info.version);
	if (opts->stall && !(features & TPROF_LX_FEATURE_STALL))
		return say_error("the loaded module (version %s) does not stall events; update and reload it",
				 rec->info.info.version);
	if (!opts->everything && features & TPROF_LX_FEATURE_PROCESS_SAMPLES)
		rec->claim.flags = TPROF_LX_EVENT_PROCESS;
	if (opts->stat)
		rec->claim.flags |= TPROF_LX_EVENT_THREADS;
	if (opts->switch_counts)
		rec->claim.flags |= TPROF_LX_EVENT_SWITCHES;
	if (opts->stall)
		rec->claim.flags |= TPROF_LX_EVENT_STALL;
	if (wants_tables(rec, opts)) {
		rec->claim.flags |= TPROF_LX_EVENT_TABLES;
		rec->claim.stack_bytes = features & TPROF_LX_FEATURE_STACKS ? STACK_BYTES : 0;
	}
	return STATUS_OK;
}

/*
 * Set the session up. claim_threads() adds the threads of -t later, and comm_option_follow() lets
 * processes follow.
 */
static int configure(struct recording *rec, const struct record_options *opts)
{
	const struct claim_scope scope = { &rec->targets, opts->tids.nr, opts->no_inherit };

	/* The module would take nr_targets 0 to mean all processes. */
	if (!rec->targets.nr && !opts->everything && !opts->comm.follow)
		return say_error("the processes to record have ended");
	rec->config = (struct tprof_lx_config){
		.ring_bytes = rec->ring_bytes,
		.fifo_bytes = opts->sizes.fifo,
		.watermark = opts->watermark,
		.flush_ms = opts->flush_ms,
	};
	return claim_configure(&rec->claim, &scope, &rec->config);
}

/*
 * Unless the user chose the size of the rings, choose it by the rates of the events.
 */
static int fit_rings(struct recording *rec, const struct record_options *opts)
{
	if (rec->ring_bytes)
		return STATUS_OK;
	rec->ring_bytes = session_ring_bytes(&rec->events, &rec->info.info);
	return rec->ring_bytes ? configure(rec, opts) : STATUS_OK;
}

static void note_degraded(const struct recording *rec, u32 degraded)
{
	bool is_user = rec->info.info.features & TPROF_LX_FEATURE_UNPRIVILEGED;
	u32 i;

	for (i = 0; i < rec->events.nr; i++) {
		if (!(degraded & 1U << i))
			continue;
		if (is_user)
			say_note("event %s is blind while interrupts are off, without privileges; run it with sudo",
				 rec->events.all[i].name);
		else
			say_note("event %s is degraded; see tprof-lx list",
				 rec->events.all[i].name);
	}
}

/*
 * Start the session. Set @event to RECORDING_ENDED if all targets have ended during the
 * delay, before there was anything to record.
 */
static int start(struct recording *rec, const struct record_options *opts,
		 enum recording_event *event)
{
	struct message msg;
	u32 degraded;
	int err;

	objects_allow_many_files();
	err = record_begin_tables(rec, opts);
	if (err)
		return say_failure(err, "cannot make unwind tables");
	err = recording_look_around(rec);
	if (err)
		return say_failure(err, "cannot read the running processes");
	err = record_begin_opener(rec, opts);
	if (err)
		return say_failure(err, "cannot open mapped binaries");
	err = claim_start(&rec->claim, ~0U, &degraded, &msg);
	if (err == -ESRCH && rec->delay) {
		*event = RECORDING_ENDED;
		return STATUS_OK;
	}
	if (err)
		return say_error("%s", msg.text);
	rec->started = monotonic_ns();
	device_queue_map(&rec->queue, &rec->info.info, rec->config.fifo_bytes);
	say_detail("rings of %llu bytes, queue of %llu, flushed every %u ms or at %u bytes",
		   rec->config.ring_bytes, rec->config.fifo_bytes, rec->config.flush_ms,
		   rec->config.watermark);
	note_degraded(rec, degraded);
	return STATUS_OK;
}

static int synthesize(struct recording *rec)
{
	int err = rec->level ? packer_begin(&rec->packer, rec->level, privileges_drop_all) : 0;

	if (err)
		return say_failure(err, "cannot compress the recording");
	err = recording_synthesize(rec);
	if (err)
		return say_failure(err, "cannot read the running processes");
	/*
	 * From here on, only two functions need capabilities: embed(), and child_end() if
	 * the command runs as another user.
	 */
	err = rec->embeds ? 0 : privileges_drop(PRIVILEGES_NONE, rec->child.pid);
	return err ? say_failure(err, "cannot drop capabilities") : STATUS_OK;
}

/* With --self-contained, call this before the last privileges_drop(). */
static int embed(struct recording *rec)
{
	int err = recording_embed(rec);

	if (err)
		return say_failure(err, "cannot add symbols; the file is complete otherwise");
	return STATUS_OK;
}

static int release(struct recording *rec, const struct record_options *opts)
{
	int err = rec->child.pid ? child_release(&rec->child) : 0;

	if (!err)
		return STATUS_OK;
	say_failure(err, *opts->command);
	return child_wait(&rec->child);
}

/*
 * Start recording, then the command. With -D, the command starts first. The targets of the
 * session follow forks from CONFIG on, so they include the processes that were created
 * during the delay, even if their parents have ended.
 */
static int begin(struct recording *rec, const struct record_options *opts,
		 enum recording_event *event)
{
	int status = STATUS_OK;

	*event = RECORDING_TIME_OUT;
	if (opts->delay) {
		status = release(rec, opts);
		if (!status)
			*event = recording_wait(rec, opts->delay);
		if (status || *event != RECORDING_TIME_OUT)
			return status;
	}
	status = start(rec, opts, event);
	if (status || *event != RECORDING_TIME_OUT)
		return status;
	status = synthesize(rec);
	record_expect_exec(rec, opts);
	if (!status && !opts->delay)
		status = release(rec, opts);
	return status;
}

/* End the command if a signal ended the recording, else let the command run on. */
static void end_command(struct recording *rec, enum recording_event event)
{
	if (rec->child.pid && event == RECORDING_INTERRUPTED)
		child_end(&rec->child, SIGTERM);
	/*
	 * The file is complete: let signals kill this process while it embeds symbols or
	 * waits for the command.
	 */
	if (event != RECORDING_ENDED || rec->embeds || rec->kept.nr)
		ending_release(&rec->ending);
}

static int output_failed(const struct recording *rec, int err)
{
	switch (-err) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return say_error("%s: %s; the samples written so far can be read", rec->output,
				 strerror(-err));
	case EPIPE:
		return say_error("%s: the reader has closed the pipe", rec->output);
	case ETIMEDOUT:
		return say_error("%s: nothing reads the pipe", rec->output);
	default:
		return say_failure(err, rec->output);
	}
}

static int end(struct recording *rec, enum recording_event event)
{
	int status = STATUS_OK, err = 0, stop_err = 0;

	if (rec->started)
		stop_err = recording_drain(rec);
	record_wait_for_tables(rec);
	record_end_binaries(rec);
	err = recording_finish(rec);
	if (rec->output_err)
		err = rec->output_err;
	recording_summary(rec);
	comm_option_note(&rec->comm, &rec->claim);
	if (verbosity >= 0)
		status = recording_print_all_counts(rec);
	if (stop_err)
		status = say_failure(stop_err, "cannot read the last records from the device");
	if (err)
		status = output_failed(rec, err);
	/* Release counters and restore the watchdog before waiting for the command. */
	claim_release(&rec->claim);
	end_command(rec, event);
	if (rec->embeds && !status)
		status = embed(rec);
	err = privileges_drop(PRIVILEGES_NONE, rec->child.pid);
	if (err && !status)
		status = say_failure(err, "cannot drop capabilities");
	if (!rec->embeds && rec->kept.nr && !status && record_has_file(rec))
		status = embed(rec);
	err = rec->child.pid ? child_wait(&rec->child) : STATUS_OK;
	return status ? status : err;
}

static int get_ready(struct recording *rec, const struct record_options *opts, int argc,
		     char **argv)
{
	struct message msg;
	int err, status = say_missing_command(*opts->command);

	if (status)
		return status;
	rec->device = open_device(&rec->info, &msg);
	if (rec->device < 0)
		return say_error("%s", msg.text);
	rec->claim.device = rec->device;
	if (rec->embeds)
		rec->kernel_memory = kernel_memory_open(KERNEL_MEMORY);
	err = device_queue_begin(&rec->queue, rec->device);
	if (err)
		return say_failure(err, "cannot record");
	status = prepare_command(rec, opts);
	if (status)
		return status;
	choose_targets(rec, opts);
	status = choose_scope(rec, opts);
	if (!status)
		status = claim_cpus(&rec->claim);
	if (!status)
		status = configure(rec, opts);
	if (!status)
		status = record_add_events(rec, opts);
	if (!status)
		status = fit_rings(rec, opts);
	if (!status)
		status = claim_threads(&rec->claim, &opts->tids);
	if (!status)
		status = comm_option_follow(&opts->comm, &rec->claim, opts->no_inherit);
	if (!status)
		status = record_begin_output(rec, opts->output, argc, argv);
	if (status)
		return status;
	err = privileges_drop(PRIVILEGES_PROC, rec->child.pid);
	return err ? say_failure(err, "cannot prepare the recording") : STATUS_OK;
}

static void forget(struct recording *rec)
{
	session_events_free(&rec->events);
	counting_free(&rec->counts.counting);
	device_queue_end(&rec->queue);
	claim_release(&rec->claim);
	features_free(&rec->features);
	record_end_binaries(rec);
	/* Until here, the threads may put tables in. */
	unfinished_free(&rec->unfinished);
	kept_files_free(&rec->kept);
	dso_set_free(&rec->dsos);
	dso_set_free(&rec->seen);
	synth_free(&rec->synth);
	if (rec->kernel_memory >= 0)
		close(rec->kernel_memory);
}

/* Clean up after an error. A pipe gets the last records, a file is emptied. */
static void give_up(struct recording *rec)
{
	if (rec->started)
		recording_drain(rec);
	record_end_binaries(rec);
	recording_finish(rec);
	record_leave_empty(rec);
	claim_release(&rec->claim);
	ending_release(&rec->ending);
	child_see_off(&rec->child);
}

static int record(struct recording *rec, const struct record_options *opts, int argc, char **argv)
{
	enum recording_event event;
	int status = get_ready(rec, opts, argc, argv);

	if (status)
		return status;
	status = begin(rec, opts, &event);
	if (status) {
		give_up(rec);
		return status;
	}
	if (event == RECORDING_TIME_OUT)
		event = recording_loop(rec);
	return end(rec, event);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct record_options opts;
	int status = record_options_read(&opts, self, argc, argv);
	struct recording rec = {
		.output = strcmp(opts.output, "-") ? opts.output : "stdout",
		.clockid = opts.clockid,
		.comm = opts.comm,
		.delay = opts.delay,
		.duration = opts.duration,
		.level = opts.level,
		.ring_bytes = opts.sizes.ring,
		.embeds = opts.self_contained,
		.kernel_memory = -1,
		.claim = { .device = -1, .info = &rec.info, .cpus = &opts.cpus,
			   .no_park = opts.no_park, .no_deferred = opts.chains.no_deferred },
		.events.claim = &rec.claim,
		.tally.first = ~0ULL,
	};

	if (!status)
		status = record(&rec, &opts, argc, argv);
	forget(&rec);
	return status;
}

const struct command record_command = {
	.name = "record",
	.summary = "sample and write a perf.data file",
	.operands = "[-- command [argument ...]]",
	.text = "Samples the command from its exec on, or the processes of -p, and descendants, or\n"
		"all processes with -a, and writes a file in perf's format. Exits with the status\n"
		"of the command.\n",
	.more_help = event_help,
	.options = record_option_rows,
	.run = run,
};
