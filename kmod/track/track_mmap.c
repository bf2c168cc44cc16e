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
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/topology.h>

#include "base/buildid.h"
#include "sample/sideband.h"
#include "tables/space.h"
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

/* Size of the name of an area without a file, same as in perf. */
#define AREA_NAME_BYTES		16

enum kind {
	KIND_CODE,
	KIND_DATA,
	NR_KINDS,
};

/**
 * struct entry - an area to be recorded, or a free entry of a pool
 * @work:	task work that writes the record; runs in the task that mapped the
 *		area
 * @node:	entry in @free of the pool, while this entry is free
 * @cpu:	CPU of the pool; constant
 * @kind:	kind of areas that the entry is for; constant
 * @is_turned:	turn_entry() has queued @work again
 * @file:	mapped file, or NULL
 * @start:	first address
 * @end:	address after the last one
 * @pgoff:	offset in @file, in pages
 * @vm_flags:	flags of the area
 * @name:	name of the area if @file is NULL
 */
struct entry {
	struct callback_head	work;
	struct llist_node	node;
	int			cpu;
	enum kind		kind;
	bool			is_turned;
	struct file		*file;
	unsigned long		start;
	unsigned long		end;
	unsigned long		pgoff;
	unsigned long		vm_flags;
	char			name[AREA_NAME_BYTES];
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
	struct entry		*entries;
};

static DEFINE_PER_CPU(struct pool, pools);

static void entry_put(struct entry *entry)
{
	llist_add(&entry->node, &per_cpu(pools, entry->cpu).free[entry->kind]);
}

/* Context: not preemptible, because llist_del_first() allows one caller at a time. */
static struct entry *entry_get(enum kind kind)
{
	struct llist_node *node;

	node = llist_del_first(&this_cpu_ptr(&pools)->free[kind]);
	return node ? llist_entry(node, struct entry, node) : NULL;
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

/* Return the bit of @wants that a tracker must have to get the record of an area. */
static u32 want_of(unsigned long vm_flags)
{
	return vm_flags & VM_EXEC ? TPROF_TRACK_MMAP : TPROF_TRACK_MMAP_DATA;
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

/*
 * Set @prot and @flags as passed to mmap(2), as far as @vm_flags shows them. If the area
 * is not executable, mark it as data in @misc.
 */
static void fill_modes(struct tprof_mapping *mapping, unsigned long vm_flags)
{
	if (vm_flags & VM_EXEC)
		mapping->prot |= PROT_EXEC;
	else
		mapping->misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (vm_flags & VM_READ)
		mapping->prot |= PROT_READ;
	if (vm_flags & VM_WRITE)
		mapping->prot |= PROT_WRITE;

	mapping->flags = vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE;
	if (vm_flags & VM_LOCKED)
		mapping->flags |= MAP_LOCKED;
	if (vm_flags & VM_HUGETLB)
		mapping->flags |= MAP_HUGETLB;
}

static const char *path_of(struct file *file, char *buf)
{
	char *path;

	if (!buf)
		return "//enomem";
	path = d_path(file_user_path(file), buf, PATH_MAX);
	return IS_ERR(path) ? "//toolong" : path;
}

static void fill_mapping_file(struct tprof_mapping *mapping, const struct entry *entry,
			      char *buf)
{
	const struct inode *inode = tprof_file_user_inode(entry->file);

	mapping->name = path_of(entry->file, buf);
	mapping->maj = MAJOR(inode->i_sb->s_dev);
	mapping->min = MINOR(inode->i_sb->s_dev);
	mapping->ino = inode->i_ino;
	mapping->ino_generation = inode->i_generation;
	if (is_mapping_wanted(TPROF_TRACK_BUILD_ID) && !(entry->vm_flags & VM_HUGETLB))
		mapping->id_bytes =
			tprof_buildid_of_file(entry->file,
					      entry->vm_flags & VM_EXEC,
					      mapping->id);
}

static void report_mapping(const struct entry *entry)
{
	char *buf __free(kfree) = NULL;
	struct tprof_mapping mapping = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = current->tgid,
		.tid = current->pid,
		.start = entry->start,
		.len = entry->end - entry->start,
		.pgoff = (u64)entry->pgoff << PAGE_SHIFT,
		.name = entry->name,
	};
	struct tprof_tracker *tracker;

	fill_modes(&mapping, entry->vm_flags);
	if (entry->file) {
		buf = kmalloc(PATH_MAX, GFP_KERNEL);
		fill_mapping_file(&mapping, entry, buf);
	}

	rcu_read_lock();
	tprof_track_for_each(tracker, want_of(entry->vm_flags)) {
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
static bool turn_entry(struct entry *entry)
{
	if (entry->is_turned)
		return false;
	entry->is_turned = true;
	return !task_work_add(current, &entry->work, TWA_RESUME);
}

static void mmap_work(struct callback_head *work)
{
	struct entry *entry = container_of(work, struct entry, work);

	if (turn_entry(entry))
		return;
	/*
	 * Skip an exiting task: it runs no user code, and d_path() may find no root
	 * directory.
	 */
	if (!(current->flags & PF_EXITING))
		report_mapping(entry);
	if (entry->file)
		fput(entry->file);
	entry_put(entry);
	/*
	 * No code may follow module_put() but the return: see
	 * tprof_track_mmap_uninit().
	 */
	module_put(THIS_MODULE);
}

static const char *area_name(struct vm_area_struct *vma)
{
	const char *name = NULL;

	if (vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name(vma);
	if (name)
		return name;
	if (vma_is_initial_heap(vma))
		return "[heap]";
	return vma_is_initial_stack(vma) ? "[stack]" : "//anon";
}

static void entry_fill(struct entry *entry, struct vm_area_struct *vma)
{
	entry->is_turned = false;
	entry->start = vma->vm_start;
	entry->end = vma->vm_end;
	entry->pgoff = vma->vm_pgoff;
	entry->vm_flags = vma->vm_flags;
	entry->file = vma->vm_file;
	if (entry->file)
		get_file(entry->file);
	else
		strscpy(entry->name, area_name(vma), sizeof(entry->name));
}

static void entry_queue(struct entry *entry)
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
	if (entry->file)
		fput(entry->file);
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
	u32 want = want_of(vma->vm_flags);
	struct entry *entry;

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
	entry_fill(entry, vma);
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
