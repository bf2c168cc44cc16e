// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - side-band records of tasks and their names
 *
 * A source of side-band records, such as a probe, is started when the first
 * tracker that needs it attaches. It is stopped when the last such tracker
 * detaches. The probes for tasks are here; those for mappings and modules are
 * in track_mmap.c and track_module.c.
 *
 * Context: probes are preemptible on kernels newer than 6.18; the probe of sched_switch runs
 * with the lock of a run queue held and interrupts off.
 */
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "base/grace.h"
#include "base/tracepoints.h"
#include "chain/deferred.h"
#include "sample/sideband.h"
#include "track/track.h"
#include "track/track_chain.h"
#include "track/track_mmap.h"
#include "track/track_module.h"

/*
 * Serialises changes of the list of trackers and of the sources. Taken inside
 * the session lock. The locks of kprobes, tracepoints, module notifiers and CPU
 * hotplug are taken inside this lock.
 */
static DEFINE_MUTEX(track_lock);

/* PERF_RECORD_COMM without the name. */
struct comm_record {
	struct perf_event_header	header;
	u32				pid;
	u32				tid;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT. */
struct task_record {
	struct perf_event_header	header;
	u32				pid;
	u32				ppid;
	u32				tid;
	u32				ptid;
	u64				time;
};

/* PERF_RECORD_SWITCH_CPU_WIDE. */
struct switch_record {
	struct perf_event_header	header;
	u32				next_prev_pid;
	u32				next_prev_tid;
};

/* Write @record for each tracker that wants it and covers @task. */
static void report_task(u32 want, const struct task_struct *task,
			const struct tprof_sideband *record)
{
	struct tprof_tracker *tracker;

	rcu_read_lock();
	tprof_track_for_each(tracker, want) {
		if (tprof_track_covers(tracker, task))
			tprof_sideband_write(tracker->sampler, record);
	}
	rcu_read_unlock();
}

/**
 * tprof_track_write_comm - write a record of the name of a task
 * @tracker:	tracker that is attached
 * @misc:	0, or PERF_RECORD_MISC_COMM_EXEC
 * @task:	thread
 * @comm:	its name, which does not change meanwhile
 *
 * Context: any but NMI.
 */
void tprof_track_write_comm(const struct tprof_tracker *tracker, u16 misc,
			    const struct task_struct *task, const char *comm)
{
	struct comm_record record = {
		.header.type = PERF_RECORD_COMM,
		.header.misc = misc,
		.pid = task->tgid,
		.tid = READ_ONCE(task->pid),
	};
	const struct tprof_sideband side = {
		.header = &record.header,
		.bytes = sizeof(record),
		.text = comm,
		.task = current,
	};

	tprof_sideband_write(tracker->sampler, &side);
}

static void record_comm(u32 want, u16 misc, const struct task_struct *task,
			const char *comm)
{
	/* Copy the name, so that it cannot change between measuring and writing it. */
	char text[TASK_COMM_LEN];
	struct tprof_tracker *tracker;

	strscpy(text, comm, sizeof(text));
	rcu_read_lock();
	tprof_track_for_each(tracker, want) {
		if (tprof_track_covers(tracker, task))
			tprof_track_write_comm(tracker, misc, task, text);
	}
	rcu_read_unlock();
}

static void on_rename(void *data, struct task_struct *task, const char *comm)
{
	record_comm(TPROF_TRACK_COMM, 0, task, comm);
}

/*
 * on_rename() has already written a record of the new name. Write a second record,
 * which has the mark of an exec.
 */
static void on_exec(void *data, struct task_struct *task, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	record_comm(TPROF_TRACK_COMM_EXEC, PERF_RECORD_MISC_COMM_EXEC, task,
		    task->comm);
}

static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	struct task_record record = {
		.header.type = PERF_RECORD_FORK,
		.pid = child->tgid,
		.ppid = parent->tgid,
		.tid = child->pid,
		.ptid = parent->pid,
	};
	struct tprof_sideband side = {
		.header = &record.header,
		.bytes = sizeof(record),
		.time = &record.time,
		.task = parent,
	};

	/* The child's id may still have the bit of an exited process: see follow_fork(). */
	report_task(TPROF_TRACK_TASK, parent, &side);
}

TPROF_EXIT_PROBE(on_exit)
{
	struct task_record record = {
		.header.type = PERF_RECORD_EXIT,
		.pid = task->tgid,
		.tid = task->pid,
	};
	struct tprof_sideband side = {
		.header = &record.header,
		.bytes = sizeof(record),
		.time = &record.time,
		.task = task,
	};

	rcu_read_lock();
	/*
	 * Like @ppid, @ptid is the id of the parent process, not of a thread: perf
	 * does so, and readers of the record expect it.
	 */
	record.ppid = rcu_dereference(task->real_parent)->tgid;
	record.ptid = record.ppid;
	rcu_read_unlock();
	report_task(TPROF_TRACK_TASK, task, &side);
}

static void record_switch(const struct task_struct *task,
			  const struct task_struct *next_prev, u16 misc)
{
	struct switch_record record = {
		.header.type = PERF_RECORD_SWITCH_CPU_WIDE,
		.header.misc = misc,
		.next_prev_pid = next_prev->tgid,
		.next_prev_tid = READ_ONCE(next_prev->pid),
	};
	struct tprof_sideband side = {
		.header = &record.header,
		.bytes = sizeof(record),
		.task = task,
	};

	report_task(TPROF_TRACK_SWITCH, task, &side);
}

/*
 * Write the records of both tasks before the switch. perf writes the record of
 * @next after the switch, but no tracepoint exists there. The records are the
 * same as perf's, because nothing but the switch happens in between.
 */
static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	u16 misc = PERF_RECORD_MISC_SWITCH_OUT;

	if (task_is_runnable(prev))
		misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	record_switch(prev, next, misc);
	record_switch(next, prev, 0);
}

/* The build fails if the prototype of a probe differs from its tracepoint's. */
static void __maybe_unused check_probes(void)
{
	check_trace_callback_type_task_rename(on_rename);
	check_trace_callback_type_sched_process_exec(on_exec);
	check_trace_callback_type_sched_process_fork(on_fork);
	check_trace_callback_type_sched_process_exit(on_exit);
	check_trace_callback_type_sched_switch(on_switch);
}

/**
 * struct record_source - a source of side-band records
 * @want:	bits of enum tprof_track_want that need it
 * @nr_users:	attached trackers that need it; under the track lock
 * @tracepoint:	name of the tracepoint, or NULL
 * @probe:	probe of @tracepoint
 * @start:	starts the source if @tracepoint is NULL
 * @stop:	stops the source if @tracepoint is NULL
 */
struct record_source {
	u32		want;
	unsigned int	nr_users;
	const char	*tracepoint;
	void		*probe;
	int		(*start)(void);
	void		(*stop)(void);
};

static struct record_source sources[] = {
	{
		.want = TPROF_TRACK_COMM,
		.tracepoint = "task_rename",
		.probe = on_rename,
	},
	{
		.want = TPROF_TRACK_COMM_EXEC,
		.tracepoint = "sched_process_exec",
		.probe = on_exec,
	},
	{
		.want = TPROF_TRACK_TASK,
		.tracepoint = "sched_process_fork",
		.probe = on_fork,
	},
	{
		.want = TPROF_TRACK_TASK,
		.tracepoint = "sched_process_exit",
		.probe = on_exit,
	},
	{
		.want = TPROF_TRACK_SWITCH,
		.tracepoint = "sched_switch",
		.probe = on_switch,
	},
	{
		.want = TPROF_TRACK_MMAP | TPROF_TRACK_TABLES,
		.start = tprof_track_mmap_start,
		.stop = tprof_track_mmap_stop,
	},
	{
		.want = TPROF_TRACK_MODULE,
		.start = tprof_track_module_start,
		.stop = tprof_track_module_stop,
	},
	{
		.want = TPROF_TRACK_CHAIN,
		.start = tprof_track_chain_start,
		.stop = tprof_track_chain_stop,
	},
};

static int source_get(struct record_source *source)
{
	int err = 0;

	lockdep_assert_held(&track_lock);
	if (!source->nr_users)
		err = source->tracepoint ?
		      tprof_tracepoint_register(source->tracepoint,
						source->probe, NULL) :
		      source->start();
	if (!err)
		source->nr_users++;
	return err;
}

static void source_put(struct record_source *source)
{
	lockdep_assert_held(&track_lock);
	if (--source->nr_users)
		return;
	if (source->tracepoint)
		tprof_tracepoint_unregister(source->tracepoint, source->probe,
					    NULL);
	else
		source->stop();
}

/* Among the first @nr sources, release those that @wants needs. */
static void sources_put(u32 wants, unsigned int nr)
{
	while (nr--) {
		if (sources[nr].want & wants)
			source_put(&sources[nr]);
	}
}

static int sources_get(u32 wants)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (!(sources[i].want & wants))
			continue;
		err = source_get(&sources[i]);
		if (err) {
			sources_put(wants, i);
			return err;
		}
	}
	return 0;
}

/**
 * tprof_track_attach - start writing side-band records for a session
 * @tracker:	records that the session wants, and its sampler
 *
 * When the function returns 0, each source that @tracker needs has been started.
 *
 * Context: process, may sleep, without the CPU hotplug lock, because patching the
 * kernel's text takes that lock.
 * Return: 0; -ENOENT or -EOPNOTSUPP if this kernel lacks a source; -ENOMEM.
 */
int tprof_track_attach(struct tprof_tracker *tracker)
{
	int err;

	mutex_lock(&track_lock);
	err = sources_get(tracker->wants);
	if (!err)
		list_add_tail_rcu(&tracker->node, &tprof_track_list);
	mutex_unlock(&track_lock);
	return err;
}

/**
 * tprof_track_replace - change the side-band records of a session that is being tracked
 * @old:	tracker passed to tprof_track_attach()
 * @new:	its successor
 *
 * No record is missed or written twice: each probe finds either @old or @new in the list. When
 * the function returns 0, no probe uses @old any more.
 *
 * Context: same as tprof_track_attach().
 * Return: 0, or the errors of tprof_track_attach(); then @old stays attached.
 */
int tprof_track_replace(struct tprof_tracker *old, struct tprof_tracker *new)
{
	int err;

	mutex_lock(&track_lock);
	err = sources_get(new->wants);
	if (!err) {
		list_replace_rcu(&old->node, &new->node);
		sources_put(old->wants, ARRAY_SIZE(sources));
	}
	mutex_unlock(&track_lock);
	if (!err)
		tprof_grace_of_readers();
	return err;
}

/**
 * tprof_track_detach - stop writing side-band records for a session
 * @tracker:	tracker passed to tprof_track_attach()
 *
 * When the function returns, no probe uses @tracker any more.
 *
 * Context: same as tprof_track_attach().
 */
void tprof_track_detach(struct tprof_tracker *tracker)
{
	mutex_lock(&track_lock);
	list_del_rcu(&tracker->node);
	sources_put(tracker->wants, ARRAY_SIZE(sources));
	mutex_unlock(&track_lock);
	/* Probes that found the tracker in the list may still be using it. */
	tprof_grace_of_readers();
}

/**
 * tprof_track_init - check at module load that all tracepoints exist
 *
 * Context: process.
 * Return: 0, or -ENOENT if this kernel lacks a tracepoint. The load must then fail,
 * else INFO would report a feature that does not work.
 */
int tprof_track_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sources[i].tracepoint &&
		    !tprof_tracepoint_exists(sources[i].tracepoint)) {
			pr_err("this kernel has no tracepoint %s\n",
			       sources[i].tracepoint);
			return -ENOENT;
		}
	}
	return 0;
}

/**
 * tprof_track_uninit - wait for the last probes at module exit
 *
 * No tracker is attached. Unregistered probes of tracepoints may still be
 * running.
 *
 * Context: process, may sleep.
 */
void tprof_track_uninit(void)
{
	tprof_grace_of_probes();
	tprof_track_mmap_uninit();
	tprof_deferred_uninit();
}
