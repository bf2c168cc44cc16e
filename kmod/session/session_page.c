// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the count pages of a session, and mmap(2) of them
 *
 * Context: process. The functions are called under the session lock, but mmap(2) has the lock
 * of an address space. It must not wait for the session lock, which others hold for long.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "gate/page.h"
#include "rights/rdpmc.h"
#include "session/cpu_count.h"
#include "session/session_page.h"
#include "target/target.h"

/**
 * tprof_session_set_page - let mmap(2) find the count page of an event, or none any more
 * @index:	index of the event
 * @event:	event with a count page, or NULL
 */
void tprof_session_set_page(struct tprof_session *session, u32 index,
			    struct tprof_pmu_event *event)
{
	mutex_lock(&session->page_lock);
	session->pages[index] = event;
	mutex_unlock(&session->page_lock);
}

/**
 * tprof_session_settle_page - bring the count page of an event up to date
 * @index:	index of an event that does not run, with or without a count page
 */
void tprof_session_settle_page(struct tprof_session *session, u32 index)
{
	struct tprof_lx_count count = { .cpu = TPROF_LX_SUM };

	if (!session->pages[index])
		return;
	tprof_cpu_read(&session->crew, index, &count);
	tprof_page_set_total(session->pages[index]->page, count.value);
}

/* Return the thread that reads the count pages of a session, or NULL if there are none. */
static struct pid *reader_of(const struct tprof_session *session)
{
	u32 i;

	for (i = 0; i < session->nr_events; i++) {
		if (session->pages[i])
			return session->pages[i]->page->reader;
	}
	return NULL;
}

/* Return true if an event of the session has a count page. */
bool tprof_session_has_pages(const struct tprof_session *session)
{
	return reader_of(session);
}

static bool is_only_target(struct tprof_session *session, struct pid *reader)
{
	struct task_struct *task = get_pid_task(reader, PIDTYPE_PID);
	bool is_only;

	if (!task)
		return false;
	is_only = tprof_target_is_only(session->target, task);
	put_task_struct(task);
	return is_only;
}

/**
 * tprof_session_check_pages - check the targets of events before they start
 * @mask:	events that will be started
 *
 * Return: 0; -EINVAL if one of them has a count page, and its reader is not the only target.
 */
int tprof_session_check_pages(struct tprof_session *session, u32 mask)
{
	unsigned long bits = mask;
	struct pid *reader = NULL;
	u32 i;

	for_each_set_bit(i, &bits, TPROF_LX_MAX_EVENTS) {
		if (session->pages[i])
			reader = session->pages[i]->page->reader;
	}
	return !reader || is_only_target(session, reader) ? 0 : -EINVAL;
}

/**
 * tprof_session_may_attach - check that a session may get another target
 * @task:	task to attach
 * @flags:	enum tprof_lx_target_flag
 *
 * Return: false if the session has count pages that another thread than @task reads.
 */
bool tprof_session_may_attach(struct tprof_session *session, struct task_struct *task,
			      u32 flags)
{
	const struct pid *reader = reader_of(session);

	return !reader || (flags & TPROF_LX_TARGET_THREAD && task_pid(task) == reader);
}

/* mremap(2) has moved the mapping, and calls close_map() for the old place. */
static void open_map(struct vm_area_struct *vma)
{
	tprof_rdpmc_keep(vma->vm_mm);
}

static void close_map(struct vm_area_struct *vma)
{
	tprof_rdpmc_disallow(vma->vm_mm);
}

static const struct vm_operations_struct page_map_ops = {
	.open = open_map,
	.close = close_map,
};

static int map_page(const struct tprof_pmu_event *event, struct vm_area_struct *vma)
{
	int err;

	if (task_pid(current) != event->page->reader)
		return -EPERM;
	err = vm_insert_page(vma, vma->vm_start, virt_to_page(event->page->user));
	if (!err)
		err = tprof_rdpmc_allow(vma->vm_mm);
	if (err)
		return err;
	tprof_page_permit(event, tprof_rdpmc_is_allowed());
	vma->vm_ops = &page_map_ops;
	return 0;
}

/**
 * tprof_session_map_page - serve mmap(2) of a count page
 * @vma:	the new mapping
 *
 * VM_IO keeps madvise(2) from letting children inherit the mapping.
 *
 * Context: process, may sleep, under the lock of the address space.
 * Return: 0; -EINVAL if the mapping is not shared, or not one page; -EPERM if it is writable
 * or executable, or if another thread reads the page; -ENXIO if there is no page; -ENOMEM;
 * -EBUSY if a real-time task occupies a CPU.
 */
int tprof_session_map_page(struct tprof_session *session, struct vm_area_struct *vma)
{
	unsigned long index = vma->vm_pgoff - (TPROF_LX_PAGE_OFFSET(0) >> PAGE_SHIFT);

	if (!(vma->vm_flags & VM_MAYSHARE) || vma_pages(vma) != 1)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (index >= TPROF_LX_MAX_EVENTS)
		return -ENXIO;
	vm_flags_mod(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	guard(mutex)(&session->page_lock);
	if (!session->pages[index])
		return -ENXIO;
	return map_page(session->pages[index], vma);
}
