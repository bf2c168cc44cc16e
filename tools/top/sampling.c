// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx top - start a session
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/explain.h"
#include "cli/say.h"
#include "counts/counts_beside.h"
#include "live/privileges.h"
#include "live/targets.h"
#include "symbols/objects.h"
#include "top/sampling.h"

static int open_session(struct sampling *sampling, const struct top_options *opts)
{
	struct claim *claim = &sampling->claim;
	struct message msg;
	int err, device = open_device(&sampling->info, &msg);

	if (device < 0)
		return say_error("%s", msg.text);
	*claim = (struct claim){ .device = device, .info = &sampling->info, .cpus = &opts->cpus,
				 .no_park = opts->no_park };
	sampling->events.claim = claim;
	err = device_queue_begin(&sampling->queue, device);
	if (!err)
		err = privileges_drop(PRIVILEGES_OUTPUT, false);
	return err ? say_failure(err, "cannot begin a session") : STATUS_OK;
}

/* Choose the processes to sample, and how to unwind. */
static int choose_scope(struct sampling *sampling, const struct top_options *opts)
{
	u64 features = sampling->info.info.features;
	struct claim *claim = &sampling->claim;

	if (opts->tids.nr && !(features & TPROF_LX_FEATURE_ATTACH))
		return say_error("the loaded module (version %s) does not sample single threads; give -p, or update and reload it",
				 sampling->info.info.version);
	targets_choose(&sampling->targets, opts->tids.nr ? &opts->tids : &opts->pids);
	if (!opts->everything && features & TPROF_LX_FEATURE_PROCESS_SAMPLES)
		claim->flags |= TPROF_LX_EVENT_PROCESS;
	if (opts->chains && features & TPROF_LX_FEATURE_TABLES)
		claim->flags |= TPROF_LX_EVENT_TABLES;
	return claim_cpus(claim);
}

static int configure(struct sampling *sampling, const struct top_options *opts)
{
	const struct claim_scope scope = { &sampling->targets, opts->tids.nr, opts->no_inherit };

	sampling->config = (struct tprof_lx_config){ .ring_bytes = sampling->ring_bytes,
						     .fifo_bytes = opts->sizes.fifo };
	return claim_configure(&sampling->claim, &scope, &sampling->config);
}

static int add_events(struct sampling *sampling, const struct top_options *opts)
{
	const struct tprof_lx_info *info = &sampling->info.info;
	struct event_defaults defaults = {
		.freq = opts->rate.max ? info->max_rate : opts->rate.hz,
		.is_max = opts->rate.max,
		.chains = { .wanted = opts->chains },
		.clockid = CLOCK_MONOTONIC,
		.sample_cpu = true,
		.features = info->features,
		.user_only = event_user_only(info),
	};
	struct event_spec specs[TPROF_LX_MAX_EVENTS];
	struct message msg;
	int status = STATUS_OK;
	u32 i, nr;

	if (defaults.user_only)
		say_note("sampling user mode only; sudo samples all");
	if (event_list_parse(&opts->events, specs, ARRAY_SIZE(specs), &nr, &msg))
		return say_usage("%s", msg.text);
	defaults.is_sole = nr <= 1;
	if (!nr)
		status = session_events_add_default(&sampling->events, &defaults);
	for (i = 0; i < nr && !status; i++)
		status = session_events_add(&sampling->events, &defaults, &specs[i]);
	sampling->nr_sampled = sampling->events.nr;
	if (!status && opts->counts.nr)
		status = counts_beside_add(&sampling->counting, &sampling->events, &opts->counts,
					   &defaults);
	return status;
}

/* Unless the user chose the size of the rings, choose it by the rates of the events. */
static int fit_rings(struct sampling *sampling, const struct top_options *opts)
{
	if (sampling->ring_bytes)
		return STATUS_OK;
	sampling->ring_bytes = session_ring_bytes(&sampling->events, &sampling->info.info);
	return sampling->ring_bytes ? configure(sampling, opts) : STATUS_OK;
}

static int keep_files(void)
{
	return privileges_drop(PRIVILEGES_FILES, false);
}

/* Start the threads that give unwind tables to the module. */
static int begin_tables(struct sampling *sampling)
{
	int err;

	if (!(sampling->claim.added & TPROF_LX_EVENT_TABLES))
		return 0;
	err = table_maker_begin(&sampling->tables, sampling->claim.device, NULL, NULL,
				privileges_drop_all);
	return err ? err : opener_begin(&sampling->opener, &sampling->tables, keep_files);
}

/* Return the number of processes whose descendants the session has; 0 for all processes. */
static u32 count_roots(const struct sampling *sampling)
{
	return sampling->events.needs_all || sampling->follows ? 0 : sampling->targets.nr;
}

static int start(struct sampling *sampling)
{
	const struct perfdata_event *first = &sampling->events.all[0];
	struct synth *synth = &sampling->synth;
	struct message msg;
	u32 degraded;
	int err;

	*synth = (struct synth){ .dsos = &sampling->dsos, .event_id = first->id,
				 .sample_type = first->attr.sample_type };
	err = synth_before_start(synth, sampling->targets.pids, count_roots(sampling));
	if (!err)
		err = begin_tables(sampling);
	if (err)
		return say_failure(err, "cannot read the running processes");
	if (claim_start(&sampling->claim, ~0U, &degraded, &msg))
		return say_error("%s", msg.text);
	device_queue_map(&sampling->queue, &sampling->info.info, sampling->config.fifo_bytes);
	err = synth_after_start(synth, sampling->targets.pids, count_roots(sampling));
	return err ? say_failure(err, "cannot read the running processes") : STATUS_OK;
}

/*
 * Start a session. Return STATUS_OK, or print an error and return another status. Call
 * sampling_end() in any case.
 */
int sampling_begin(struct sampling *sampling, const struct top_options *opts)
{
	int err, status;

	*sampling = (struct sampling){ .claim.device = -1, .ring_bytes = opts->sizes.ring,
				       .follows = opts->comm.follow };
	objects_allow_many_files();
	status = open_session(sampling, opts);
	if (!status)
		status = choose_scope(sampling, opts);
	if (!status)
		status = configure(sampling, opts);
	if (!status)
		status = add_events(sampling, opts);
	if (!status)
		status = fit_rings(sampling, opts);
	if (!status)
		status = claim_threads(&sampling->claim, &opts->tids);
	if (!status)
		status = comm_option_follow(&opts->comm, &sampling->claim, opts->no_inherit);
	if (status)
		return status;
	err = privileges_drop(PRIVILEGES_PROC, false);
	return err ? say_failure(err, "cannot drop capabilities") : start(sampling);
}

/* Stop the session, and restore the NMI watchdog. */
void sampling_end(struct sampling *sampling)
{
	struct kept_files kept = { 0 };

	opener_end(&sampling->opener, &kept);
	table_maker_end(&sampling->tables);
	kept_files_free(&kept);
	device_queue_end(&sampling->queue);
	claim_release(&sampling->claim);
	counting_free(&sampling->counting);
	session_events_free(&sampling->events);
	synth_free(&sampling->synth);
	dso_set_free(&sampling->dsos);
}
