// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - add events to a session and start them, and park the NMI watchdog for them
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/claim.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "events/event_attr.h"
#include "live/counters.h"
#include "live/cpus.h"
#include "live/holders.h"

#define SWITCH_OFF	"sysctl kernel.nmi_watchdog=0"

/* What a sample has at most beside its chain, and a copy of the stack beside the stack. */
#define RECORD_REST	2048

/* Explain why adding an event failed with -EBUSY. @parked is the result of park(). */
static void explain_held(const struct event_spec *spec, const struct claim *claim, int parked,
			 struct message *msg)
{
	struct holders who;

	if (parking_watchdog(&parking_system) > 0 && claim->no_park)
		message_set(msg, -EBUSY,
			    "event %s: the NMI watchdog holds the counters; leave out --no-park, or switch it off: "
			    SWITCH_OFF, spec->name);
	else if (parked < 0)
		message_set(msg, -EBUSY,
			    "event %s: the NMI watchdog holds the counters and cannot be parked (%s); as root, type: "
			    SWITCH_OFF, spec->name, strerror(-parked));
	else if (holders_find(&who, "/proc"), who.nr)
		message_set(msg, -EBUSY,
			    "event %s: perf holds the counters, probably for %s; end that process",
			    spec->name, who.text);
	else
		message_set(msg, -EBUSY,
			    "event %s: perf or another driver holds the counters; end perf and virtual machines with a PMU, also in other containers",
			    spec->name);
}

static int park(struct claim *claim)
{
	int ret = claim->no_park ? 0 : parking_park(&claim->parking);

	if (ret > 0)
		say_note("the NMI watchdog holds the counters: it is parked, and restored at the end");
	return ret;
}

static void explain_refusal(int err, const struct claim *claim, const struct event_spec *spec,
			    const struct tprof_lx_backend *backend,
			    const struct perf_event_attr *attr, struct message *msg)
{
	struct device_info now;

	if (err == -EOPNOTSUPP && claim->flags & TPROF_LX_EVENT_THREADS &&
	    !(backend->flags & TPROF_LX_BACKEND_COUNTER)) {
		message_set(msg, err,
			    "event %s is a clock, or happens while threads do not run; choose another event to count by thread",
			    spec->name);
		return;
	}

	/*
	 * The module tests the counters while it adds the event. @claim->info is older
	 * than this test: read INFO again for the result.
	 */
	if (err == -EIO && !device_info(claim->device, &now))
		explain_event(err, spec, attr, &now, msg);
	else
		explain_event(err, spec, attr, claim->info, msg);
}

/*
 * Check the CPUs of the session. If the machine lacks one of these CPUs, print a
 * message and return STATUS_USAGE. Print a note if a CPU is offline, and return
 * STATUS_OK.
 */
int claim_cpus(const struct claim *claim)
{
	struct message msg;
	int err = cpus_check(claim->cpus, CPUS_DIRECTORY, &msg);

	if (err == -EINVAL)
		return say_usage("%s", msg.text);
	if (err)
		say_note("%s: nothing is recorded there until it is online", msg.text);
	return STATUS_OK;
}

/*
 * Limit the session to the threads in @tids, if there are any. CONFIG would undo it. Return
 * STATUS_OK, or print an error and return another status.
 */
int claim_threads(const struct claim *claim, const struct pid_list *tids)
{
	struct message msg;
	int err;
	u32 i;

	for (i = 0; i < tids->nr; i++) {
		err = device_attach(claim->device, tids->pids[i], TPROF_LX_TARGET_THREAD);
		/* The user may have typed a thread twice. */
		if (!err || err == -EEXIST)
			continue;
		explain_thread(err, tids->pids[i], &msg);
		return say_error("%s", msg.text);
	}
	return STATUS_OK;
}

/*
 * Limit the session to the processes in @pids, without their descendants. CONFIG would undo it.
 * Return STATUS_OK, or print an error and return another status.
 */
static int claim_alone(const struct claim *claim, const struct pid_list *pids)
{
	u32 i, nr = 0;
	int err;

	if (!(claim->info->info.features & TPROF_LX_FEATURE_ATTACH))
		return say_error("the loaded module (version %s) observes processes with descendants only; leave out -i, or update and reload it",
				 claim->info->info.version);
	for (i = 0; i < pids->nr; i++) {
		err = device_attach(claim->device, pids->pids[i], TPROF_LX_TARGET_ALONE);
		/* The user may have typed a process twice, and others may go on without one. */
		nr += !err;
		if (err && err != -EEXIST && err != -ESRCH)
			return say_error("cannot observe process %d: %s", pids->pids[i],
					 err == -EPERM ? "run it with sudo" : strerror(-err));
	}
	return nr ? STATUS_OK : say_error("the processes have ended; ps lists those that run");
}

/*
 * Set the session up with the sizes in @config, for the CPUs of the claim and the targets of
 * @scope. Return STATUS_OK, or print an error and return another status.
 */
int claim_configure(const struct claim *claim, const struct claim_scope *scope,
		    struct tprof_lx_config *config)
{
	const struct pid_list *targets = scope->targets;
	bool is_attached_alone = targets->nr && scope->is_alone && !scope->has_threads;
	struct message msg;
	int err;

	if (claim->cpus->bytes) {
		config->cpus = (uintptr_t)claim->cpus->bits;
		config->cpus_bytes = claim->cpus->bytes;
	}
	if (targets->nr && !scope->has_threads && !scope->is_alone) {
		config->targets = (uintptr_t)targets->pids;
		config->nr_targets = targets->nr;
	}
	err = device_config(claim->device, config);
	if (!err)
		return is_attached_alone ? claim_alone(claim, targets) : STATUS_OK;
	explain_config(err, config, claim->info, &msg);
	return say_error("%s", msg.text);
}

/* Check the CPUs of the event, if it has some of its own. */
static int check_event_cpus(const struct claim *claim, const struct event_spec *spec, u32 flags,
			    struct message *msg)
{
	u32 cpu;
	int err;

	if (!spec->cpus.bytes)
		return 0;
	if (!(claim->info->info.features & TPROF_LX_FEATURE_EVENT_CPUS))
		return message_set(msg, -EOPNOTSUPP,
				   "the loaded module (version %s) has the same CPUs for all events; use -C, or update and reload it",
				   claim->info->info.version);
	if (flags & TPROF_LX_EVENT_PARALLELISM)
		return message_set(msg, -EINVAL,
				   "--latency counts threads on all CPUs; leave out cpu= of event %s",
				   spec->name);
	err = cpus_check(&spec->cpus, CPUS_DIRECTORY, msg);
	if (err == -EINVAL)
		return err;
	if (err)
		say_note("%s: event %s does not count there until it is online", msg->text,
			 spec->name);
	for (cpu = 0; claim->cpus->bytes && cpu < 8 * spec->cpus.bytes; cpu++) {
		if (cpu_list_has(&spec->cpus, cpu) && !cpu_list_has(claim->cpus, cpu))
			return message_set(msg, -EINVAL,
					   "event %s is for CPU %u, which -C leaves out; add it to -C",
					   spec->name, cpu);
	}
	return 0;
}

/* Return how much of a stack fits into a record beside the longest chain. */
static u32 fit_stack(const struct claim *claim, const struct perf_event_attr *attr)
{
	u32 room = UINT16_MAX - RECORD_REST - sizeof(u64) * attr->sample_max_stack;

	return (claim->stack_bytes < room ? claim->stack_bytes : room) / sizeof(u64) * sizeof(u64);
}

/* Add an event to the session. Park the NMI watchdog if it holds the counters. */
int claim_event(struct claim *claim, const struct event_spec *spec,
		const struct tprof_lx_backend *backend, const struct perf_event_attr *attr,
		struct tprof_lx_event *added, struct message *msg)
{
	bool is_counter = backend->flags & TPROF_LX_BACKEND_COUNTER;
	u64 unwanted = claim->no_deferred ? TPROF_LX_FEATURE_DEFERRED : 0;
	u32 flags = claim->flags |
		    event_flags(spec, attr, claim->info->info.features & ~unwanted);
	u32 stack_bytes;
	int err, parked = 0;

	err = check_event_cpus(claim, spec, flags, msg);
	if (err)
		return err;
	/* An event without user call chains needs no tables. */
	if (!(flags & TPROF_LX_EVENT_DEFERRED))
		flags &= ~TPROF_LX_EVENT_TABLES;
	if (is_counter && !claim->parking.places)
		parking_join(&claim->parking, &parking_system);
	stack_bytes = flags & TPROF_LX_EVENT_TABLES ? fit_stack(claim, attr) : 0;
	err = device_event(claim->device, backend->name, attr, flags, stack_bytes, &spec->cpus,
			   added);
	if (err == -EBUSY && is_counter) {
		parked = park(claim);
		/*
		 * Retry even if park() did nothing: another process may have parked
		 * the watchdog since the first try.
		 */
		if (parked >= 0)
			err = device_event(claim->device, backend->name, attr, flags,
					   stack_bytes, &spec->cpus, added);
	}
	if (err == -EBUSY && is_counter)
		explain_held(spec, claim, parked, msg);
	else if (err)
		explain_refusal(err, claim, spec, backend, attr, msg);
	/*
	 * If parking did not help, restore the watchdog now, not at the end: this
	 * process may go on without the event.
	 */
	if (err && parked > 0)
		parking_leave(&claim->parking);
	if (!err)
		claim->added |= flags;
	return err;
}

/*
 * Set @msg to name the CPU with the fewest free counters: START does not report the CPU
 * on which it failed. Return false, and leave @msg unchanged, if no counter of the
 * session's CPUs is taken or disabled.
 */
static bool explain_rows(const struct claim *claim, struct message *msg)
{
	struct tprof_lx_row rows[TPROF_LX_MAX_ROWS];
	u32 cpu, nr, held, fewest = ~0U;
	char who[320];

	for (cpu = 0; cpu < claim->info->info.nr_cpus; cpu++) {
		if (claim->cpus->bytes && !cpu_list_has(claim->cpus, cpu))
			continue;
		if (device_rows(claim->device, cpu, rows, ARRAY_SIZE(rows), &nr))
			continue;
		held = counters_holders(rows, nr, who, sizeof(who));
		if (!held || nr - held >= fewest)
			continue;
		fewest = nr - held;
		message_set(msg, -EBUSY,
			    "CPU %u has not enough free counters: %s; see tprof-lx control",
			    cpu, who);
	}
	return fewest != ~0U;
}

/*
 * Start the events in @mask. Set @degraded to the mask of the started events that have a
 * limitation.
 */
int claim_start(struct claim *claim, u32 mask, u32 *degraded, struct message *msg)
{
	int err = device_start(claim->device, mask, degraded);

	if (!err)
		return 0;
	/* If parking.places is NULL, no event of the session uses a hardware counter. */
	if (err != -EBUSY || !claim->parking.places)
		explain_start(err, msg);
	else if (!explain_rows(claim, msg))
		message_set(msg, err,
			    "these events need more counters than a CPU has, and are not multiplexed; use fewer events (see tprof-lx control)");
	return err;
}

/* Close the session, and restore the NMI watchdog if this process has parked it. */
void claim_release(struct claim *claim)
{
	if (claim->device >= 0)
		close(claim->device);
	claim->device = -1;
	parking_leave(&claim->parking);
}
