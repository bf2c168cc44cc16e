// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - side-band records of mappings of code and, on request, of data
 *
 * The kernel calls perf_event_mmap() for each area that is mapped, grows or gets
 * another protection. No tracepoint has each of these areas, with its file, so the
 * function is probed. Such an area is recorded in two steps. The probe on the
 * function saves the addresses and flags of the area and takes a reference to
 * its file. Task work then finds the path and the build-id of that file and
 * writes the record. Task work runs before the return to user mode, so the
 * record precedes the first instruction that the task executes in the area.
 *
 *   probe: not preemptible            work: the same task, may sleep
 *
 *   take entry from this CPU's pool
 *   get file, pin module
 *   task_work_add() ----------------> write record
 *                                     put file, give entry back, unpin module
 *
 * Lifetime: a debugger or a slow disk may delay the work of a task for any time. If
 * tracking ends before the work runs, the work finds no tracker. The module must stay
 * loaded, so each pending entry holds a reference to it.
 */
#include <linux/cleanup.h>
#include <linux/file.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/topology.h>

#include "sample/sideband.h"
#include "tables/space.h"
#include "track/area.h"
#include "track/mapping.h"
#include "track/track_list.h"
#include "track/track_mmap.h"

/*
 * Number of entries of each kind per CPU. An exec needs 3 entries for code and
 * 12 entries for data. An entry is in use until the task leaves the kernel,
 * which takes long if the task waits for a disk. So 256 entries of KIND_CODE
 * allow 256 / 3 execs to wait at the same time on a CPU. Data has its own
 * entries, because one mprotect() can change any number of areas and must not
 * use up the entries for code.
 */
#define ENTRIES_PER_CPU		256

enum kind {
	KIND_CODE,
	KIND_DATA,
	NR_KINDS,
};

/**
 * struct mmap_entry - an area to be recorded, or a free entry of a pool
 * @work:	task work that writes the record; runs in the task that mapped the
 *		area
 * @node:	entry in @free of the pool, while this entry is free
 * @cpu:	CPU of the pool; constant
 * @kind:	kind of areas that the entry is for; constant
 * @is_turned:	turn_entry() has queued @work again
 * @area:	the area
 */
struct mmap_entry {
	struct callback_head	work;
	struct llist_node	node;
	int			cpu;
	enum kind		kind;
	bool			is_turned;
	struct tprof_area	area;
};

/**
 * struct pool - entries that the probe may take on a CPU
 * @free:	free entries of each kind; any CPU may return one, only the probe on
 *		this CPU takes one
 * @entries:	all entries; allocated on first use, freed at module exit
 *
 * The probe must not allocate on PREEMPT_RT kernels, so it takes its entries
 * from here.
 */
struct pool {
	struct llist_head	free[NR_KINDS];
	struct mmap_entry		*entries;
};

static DEFINE_PER_CPU(struct pool, pools);

static void entry_put(struct mmap_entry *entry)
{
	llist_add(&entry->node, &per_cpu(pools, entry->cpu).free[entry->kind]);
}

/* Context: not preemptible, because llist_del_first() allows one caller at a time. */
static struct mmap_entry *entry_get(enum kind kind)
{
	struct llist_node *node;

	node = llist_del_first(&this_cpu_ptr(&pools)->free[kind]);
	return node ? llist_entry(node, struct mmap_entry, node) : NULL;
}

static bool is_mapping_wanted(u32 want)
{
	struct tprof_tracker *tracker;
	bool found = false;

	rcu_read_lock();
	tprof_track_for_each(tracker, want) {
		if (tprof_track_covers(tracker, current)) {
			found = true;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

static void lose_mapping(u32 want)
{
	struct tprof_tracker *tracker;

	rcu_read_lock();
	tprof_track_for_each(tracker, want) {
		if (tprof_track_covers(tracker, current))
			tprof_sideband_lose(tracker->sampler);
	}
	rcu_read_unlock();
}

static void report_mapping(const struct tprof_area *area)
{
	char *buf __free(kfree) = area->file ? kmalloc(PATH_MAX, GFP_KERNEL) : NULL;
	struct tprof_mapping mapping;
	struct tprof_tracker *tracker;
	bool has_id = is_mapping_wanted(TPROF_TRACK_BUILD_ID);

	tprof_area_describe(area, has_id ? TPROF_AREA_ID : TPROF_AREA_NO_ID, buf, &mapping);
	mapping.pid = current->tgid;
	mapping.tid = current->pid;

	rcu_read_lock();
	tprof_track_for_each(tracker, tprof_area_want(area->vm_flags)) {
		if (tprof_track_covers(tracker, current))
			tprof_mapping_write(tracker, &mapping);
	}
	rcu_read_unlock();
}

/*
 * Queue the work again when it runs for the first time; return true if it was
 * queued. The areas of an exec may overlap, so they must be recorded in the order in
 * which they were mapped. But task work runs last in, first out (the kernel does not
 * promise any order). Queueing each work twice reverses the order twice. No work is
 * missed: before the task leaves the kernel, it also runs work that task work has queued.
 */
static bool turn_entry(struct mmap_entry *entry)
{
	if (entry->is_turned)
		return false;
	entry->is_turned = true;
	return !task_work_add(current, &entry->work, TWA_RESUME);
}

static void mmap_work(struct callback_head *work)
{
	struct mmap_entry *entry = container_of(work, struct mmap_entry, work);

	if (turn_entry(entry))
		return;
	/*
	 * Skip an exiting task: it runs no user code, and d_path() may find no root
	 * directory.
	 */
	if (!(current->flags & PF_EXITING))
		report_mapping(&entry->area);
	if (entry->area.file)
		fput(entry->area.file);
	entry_put(entry);
	/*
	 * No code may follow module_put() but the return: see
	 * tprof_track_mmap_uninit().
	 */
	module_put(THIS_MODULE);
}

static void entry_queue(struct mmap_entry *entry)
{
	/* Safe: the session holds the module until this probe has returned. */
	__module_get(THIS_MODULE);
	init_task_work(&entry->work, mmap_work);
	if (!task_work_add(current, &entry->work, TWA_RESUME))
		return;

	/*
	 * The task is exiting. The area still holds a reference to the file, so
	 * this fput() does not drop the last one.
	 */
	if (entry->area.file)
		fput(entry->area.file);
	entry_put(entry);
	module_put(THIS_MODULE);
}

/*
 * Context: entry of perf_event_mmap(), with the mmap lock held (only for reading if a
 * stack grows), not preemptible, perhaps with interrupts off.
 */
static int on_mmap(struct kprobe *probe, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	u32 want = tprof_area_want(vma->vm_flags);
	struct mmap_entry *entry;

	if (want == TPROF_TRACK_MMAP)
		tprof_spaces_note(vma->vm_mm);
	if (!is_mapping_wanted(want))
		return 0;
	/* Skip kernel threads, and debuggers that grow the stack of another task. */
	if ((current->flags & PF_KTHREAD) || vma->vm_mm != current->mm)
		return 0;

	entry = entry_get(want == TPROF_TRACK_MMAP ? KIND_CODE : KIND_DATA);
	if (!entry) {
		lose_mapping(want);
		return 0;
	}
	entry->is_turned = false;
	tprof_area_note(&entry->area, vma);
	entry_queue(entry);
	return 0;
}

static struct kprobe mmap_probe = {
	.symbol_name = "perf_event_mmap",
	.pre_handler = on_mmap,
};

static int pool_alloc(int cpu)
{
	struct pool *pool = &per_cpu(pools, cpu);
	int i;

	if (pool->entries)
		return 0;
	pool->entries = kvzalloc_node(array_size(NR_KINDS * ENTRIES_PER_CPU,
						 sizeof(*pool->entries)),
				      GFP_KERNEL | __GFP_NOWARN, cpu_to_node(cpu));
	if (!pool->entries)
		return -ENOMEM;
	for (i = 0; i < NR_KINDS * ENTRIES_PER_CPU; i++) {
		pool->entries[i].cpu = cpu;
		pool->entries[i].kind = i % NR_KINDS;
		entry_put(&pool->entries[i]);
	}
	return 0;
}

/**
 * tprof_track_mmap_start - start recording mappings
 *
 * Context: process, may sleep, under the track lock, without the CPU hotplug
 * lock.
 * Return: 0, -ENOMEM, or an error of register_kprobe().
 */
int tprof_track_mmap_start(void)
{
	int cpu, err;

	for_each_possible_cpu(cpu) {
		err = pool_alloc(cpu);
		if (err)
			return err;
	}
	/*
	 * An earlier registration may have set the address and KPROBE_FLAG_DISABLED:
	 * reset both.
	 */
	mmap_probe.addr = NULL;
	mmap_probe.flags = 0;
	err = register_kprobe(&mmap_probe);
	if (!err)
		tprof_spaces_doubt();
	return err;
}

/**
 * tprof_track_mmap_stop - undo tprof_track_mmap_start()
 *
 * When it returns, no probe is running, but task work may be pending.
 *
 * Context: same as tprof_track_mmap_start().
 */
void tprof_track_mmap_stop(void)
{
	unregister_kprobe(&mmap_probe);
}

/**
 * tprof_track_mmap_uninit - wait for the last task work at module exit
 *
 * Pending task work holds a reference to the module, so none is pending at module exit.
 * But task work that has called module_put() may not have returned yet. It cannot sleep
 * there, only be preempted, and synchronize_rcu_tasks() waits until each preempted task
 * has slept or returned to user mode.
 *
 * Context: process, may sleep.
 */
void tprof_track_mmap_uninit(void)
{
	int cpu;

	/*
	 * If the probe has no address, it was never registered, so there is no task
	 * work to wait for.
	 */
	if (mmap_probe.addr)
		synchronize_rcu_tasks();
	for_each_possible_cpu(cpu)
		kvfree(per_cpu(pools, cpu).entries);
}
