/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the newest kernel's interfaces, for older kernels
 *
 * The build includes this file before everything else. No other file checks the
 * kernel's version: all others are written for the newest kernel.
 */
#ifndef TPROF_COMPAT_H
#define TPROF_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "tprof-lx needs Linux 6.1 or newer"
#endif

/*
 * sparse has no __has_include. Linux 7.2 has all the headers that are looked for below, and
 * Linux 6.12 has none of them.
 */
#ifdef __CHECKER__
#define __has_include(...)	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0))
#endif

/* Prefix of every line in the kernel's log. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

/* Linux 6.13 added hrtimer_setup(), which also sets the callback. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#include <linux/hrtimer.h>
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* Linux 6.16 renamed the 64-bit MSR accessors: they end in q instead of l. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#include <asm/msr.h>
#define rdmsrq_safe(msr, value)		rdmsrl_safe(msr, value)
#define wrmsrq_safe(msr, value)		wrmsrl_safe(msr, value)
#define native_rdmsrq(msr)		__rdmsr(msr)
#define native_wrmsrq(msr, value)	native_wrmsrl(msr, value)
#endif

/* Linux 6.9 removed the argument of leave_mm(), which had no effect. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
#include <linux/mmu_context.h>
static inline void tprof_leave_mm(void)
{
	leave_mm(0);
}

#undef leave_mm
#define leave_mm()			tprof_leave_mm()
#endif

/* Linux 6.16 moved the tracepoints of page faults. Only soft/ includes this header. */
#if __has_include("trace/events/exceptions.h")
#define TPROF_TRACE_EXCEPTIONS_H	"trace/events/exceptions.h"
#else
#define TPROF_TRACE_EXCEPTIONS_H	"asm/trace/exceptions.h"
#endif

/* Newer kernels have cpuid_count() in a header of its own. Only x86/ includes this one. */
#if __has_include("asm/cpuid/api.h")
#define TPROF_ASM_CPUID_H	"asm/cpuid/api.h"
#else
#define TPROF_ASM_CPUID_H	"asm/processor.h"
#endif

/*
 * Linux 6.17 gave the unbound workqueue another name. Newer kernels log a warning when work
 * is queued by the old name.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#include <linux/workqueue.h>
#define system_dfl_wq			system_unbound_wq
#endif

/* Only target/, track/, sample/, session/ and stream/ use the definitions below. */

#include <linux/module.h>

/* Linux 6.16 added the argument @group_dead to sched_process_exit. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define TPROF_EXIT_PROBE(name)						\
	static void name(void *data, struct task_struct *task, bool group_dead)
#else
#define TPROF_EXIT_PROBE(name)						\
	static void name(void *data, struct task_struct *task)
#endif

/*
 * Linux 6.12 added task_is_runnable(). Before, every task on a run queue was
 * runnable.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <linux/sched.h>
#define task_is_runnable(task)		((task)->on_rq)
#endif

/*
 * Linux 6.4 added PF_USER_WORKER for kernel threads that belong to a user process.
 * Before, only io_uring workers were such threads.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#include <linux/sched.h>
#define PF_USER_WORKER			PF_IO_WORKER
#endif

/*
 * Since Linux 6.8, the path that the user sees may differ from @f_path, as on
 * overlayfs.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#include <linux/fs.h>
#define file_user_path(file)		(&(file)->f_path)
#define tprof_file_user_inode(file)	file_inode(file)
#else
#define tprof_file_user_inode(file)	d_inode(file_user_path(file)->dentry)
#endif

/* Linux 6.3 added vm_flags_mod(). Its users call it for a mapping in mmap(2) only. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#include <linux/mm.h>
static inline void vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
				unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

/* Linux 6.6 added these two helpers. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#include <linux/mm.h>
static inline bool vma_is_initial_heap(const struct vm_area_struct *vma)
{
	return vma->vm_start <= vma->vm_mm->brk &&
	       vma->vm_end >= vma->vm_mm->start_brk;
}

static inline bool vma_is_initial_stack(const struct vm_area_struct *vma)
{
	return vma->vm_start <= vma->vm_mm->start_stack &&
	       vma->vm_end >= vma->vm_mm->start_stack;
}
#endif

/*
 * Since Linux 6.4, filemap_get_folio() returns an ERR_PTR() instead of NULL if there
 * is no folio, and a struct module_memory describes each kind of a module's memory.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#include <linux/pagemap.h>
static inline struct folio *
tprof_filemap_get_folio(struct address_space *mapping, pgoff_t index)
{
	return filemap_get_folio(mapping, index) ?: ERR_PTR(-ENOENT);
}

#define filemap_get_folio		tprof_filemap_get_folio

enum mod_mem_type {
	MOD_TEXT,
	MOD_RODATA,
	MOD_INIT_TEXT,
};

struct module_memory {
	void		*base;
	unsigned int	size;
};

static inline struct module_memory
tprof_module_memory(const struct module *module, enum mod_mem_type type)
{
	const struct module_layout *core = &module->core_layout;
	const struct module_layout *init = &module->init_layout;

	switch (type) {
	case MOD_TEXT:
		return (struct module_memory){ core->base, core->text_size };
	case MOD_RODATA:
		return (struct module_memory){ core->base + core->text_size,
					       core->ro_size -
					       core->text_size };
	case MOD_INIT_TEXT:
		return (struct module_memory){ init->base, init->text_size };
	}
	return (struct module_memory){ NULL, 0 };
}
#else
#define tprof_module_memory(module, type)	((module)->mem[type])
#endif

/*
 * Return whether core dumps of a task belong to its user. Newer kernels keep this in the
 * task's @exec_state instead of its @mm, and export no function that reads it. @task is the
 * current task.
 */
#include <linux/sched/coredump.h>
#if __has_include(<linux/sched/exec_state.h>)
#include <linux/sched/exec_state.h>
static inline bool tprof_task_is_dumpable(struct task_struct *task)
{
	guard(rcu)();
	return READ_ONCE(rcu_dereference(task->exec_state)->dumpable) == TASK_DUMPABLE_OWNER;
}
#else
static inline bool tprof_task_is_dumpable(struct task_struct *task)
{
	return get_dumpable(task->mm) == SUID_DUMP_USER;
}
#endif

#endif /* TPROF_COMPAT_H */
