// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - side-band records of tasks that run already
 *
 * A task that becomes a target while the session runs has its name and its mappings already.
 * Without records of them, its samples would have no symbols.
 *
 * Context: process, may sleep. The task may be hostile, so nothing here waits for it: no page of
 * its files is read, and the wait for its mmap lock ends if a signal kills the caller.
 */
#include <linux/cleanup.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "base/gfp.h"
#include "sample/sideband.h"
#include "track/area.h"
#include "track/mapping.h"
#include "track/track.h"
#include "track/track_present.h"

static void write_comms(const struct tprof_tracker *tracker, struct task_struct *process)
{
	char comm[TASK_COMM_LEN];
	struct task_struct *thread;

	rcu_read_lock();
	for_each_thread(process, thread) {
		get_task_comm(comm, thread);
		tprof_track_write_comm(tracker, 0, thread, comm);
	}
	rcu_read_unlock();
}

/* Note the first area from @address on that the tracker wants. Return false if there is none. */
static bool next_area(const struct tprof_tracker *tracker, struct mm_struct *mm,
		      unsigned long address, struct tprof_area *area)
{
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	bool is_found = false;

	if (mmap_read_lock_killable(mm))
		return false;
	vma_iter_init(&iterator, mm, address);
	for_each_vma(iterator, vma) {
		if (!(tracker->wants & tprof_area_want(vma->vm_flags)))
			continue;
		tprof_area_note(area, vma);
		is_found = true;
		break;
	}
	mmap_read_unlock(mm);
	return is_found;
}

static void write_areas(const struct tprof_tracker *tracker, struct task_struct *process,
			struct mm_struct *mm)
{
	char *buf __free(kfree) = kmalloc(PATH_MAX, TPROF_GFP);
	bool has_id = tracker->wants & TPROF_TRACK_BUILD_ID;
	struct tprof_mapping mapping;
	struct tprof_area area = {};

	while (next_area(tracker, mm, area.end, &area)) {
		tprof_area_describe(&area, has_id ? TPROF_AREA_ID_CACHED : TPROF_AREA_NO_ID, buf,
				    &mapping);
		mapping.pid = process->tgid;
		mapping.tid = process->tgid;
		tprof_mapping_write(tracker, &mapping);
		if (area.file)
			fput(area.file);
		cond_resched();
	}
}

static void write_process(const struct tprof_tracker *tracker, struct task_struct *process)
{
	struct mm_struct *mm;

	if (tracker->wants & TPROF_TRACK_COMM)
		write_comms(tracker, process);
	if (!(tracker->wants & (TPROF_TRACK_MMAP | TPROF_TRACK_MMAP_DATA)))
		return;
	/* A kernel thread has none, and neither has a process that has exited. */
	mm = get_task_mm(process);
	if (!mm)
		return;
	write_areas(tracker, process, mm);
	mmput(mm);
}

static struct task_struct *parent_of(const struct task_struct *task)
{
	return rcu_dereference(task->real_parent)->group_leader;
}

/* Context: under rcu_read_lock(). */
static bool is_descendant(const struct task_struct *task, const struct task_struct *root)
{
	const struct task_struct *parent = parent_of(task);

	/* The first task of the machine is its own parent. */
	while (parent != root->group_leader && parent != task) {
		task = parent;
		parent = parent_of(task);
	}
	return parent == root->group_leader;
}

/*
 * Find up to @room descendants, and take references to them. Return their number, which may be
 * larger.
 */
static u32 find_descendants(const struct task_struct *root, struct task_struct **found, u32 room)
{
	struct task_struct *process;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(process) {
		if (!is_descendant(process, root))
			continue;
		if (nr < room)
			found[nr] = get_task_struct(process);
		nr++;
	}
	rcu_read_unlock();
	return nr;
}

static void write_descendants(const struct tprof_tracker *tracker, const struct task_struct *root)
{
	u32 i, nr, room = find_descendants(root, NULL, 0);
	struct task_struct **found;

	if (!room)
		return;
	found = kvmalloc_array(room, sizeof(*found), TPROF_GFP);
	/* The records would be lost. */
	if (!found) {
		tprof_sideband_lose(tracker->sampler);
		return;
	}
	nr = min(find_descendants(root, found, room), room);
	for (i = 0; i < nr; i++) {
		if (!fatal_signal_pending(current))
			write_process(tracker, found[i]);
		put_task_struct(found[i]);
	}
	kvfree(found);
}

/**
 * tprof_track_present - write records of the names and mappings that a process has
 * @tracker:	tracker that is attached, of a session that may observe all tasks
 * @task:	a thread of the process
 * @has_children: write those of its descendants, too
 *
 * Context: process, may sleep, under the session lock.
 */
void tprof_track_present(const struct tprof_tracker *tracker, struct task_struct *task,
			 bool has_children)
{
	write_process(tracker, task);
	if (has_children)
		write_descendants(tracker, task);
}
