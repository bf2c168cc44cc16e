// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - an area of an address space, and its MMAP2 record
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/limits.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "base/buildid.h"
#include "track/area.h"

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

/**
 * tprof_area_note - note an area, and take a reference to its file
 * @area:	result; the caller passes @area->file to fput() if it is not NULL
 * @vma:	area
 *
 * Context: any but NMI, with the mmap lock held.
 */
void tprof_area_note(struct tprof_area *area, struct vm_area_struct *vma)
{
	area->start = vma->vm_start;
	area->end = vma->vm_end;
	area->pgoff = vma->vm_pgoff;
	area->vm_flags = vma->vm_flags;
	area->file = vma->vm_file;
	if (area->file)
		get_file(area->file);
	else
		strscpy(area->name, area_name(vma), sizeof(area->name));
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

static void fill_file(struct tprof_mapping *mapping, const struct tprof_area *area,
		      enum tprof_area_id id, char *buf)
{
	const struct inode *inode = tprof_file_user_inode(area->file);

	mapping->name = path_of(area->file, buf);
	mapping->maj = MAJOR(inode->i_sb->s_dev);
	mapping->min = MINOR(inode->i_sb->s_dev);
	mapping->ino = inode->i_ino;
	mapping->ino_generation = inode->i_generation;
	if (id != TPROF_AREA_NO_ID && !(area->vm_flags & VM_HUGETLB))
		mapping->id_bytes =
			tprof_buildid_of_file(area->file,
					      id == TPROF_AREA_ID && area->vm_flags & VM_EXEC,
					      mapping->id);
}

/**
 * tprof_area_describe - describe an area, without its process
 * @id:		how to find the build-id of its file
 * @buf:	PATH_MAX bytes for the path of its file, which must live as long as @mapping, or
 *		NULL if there is no memory
 * @mapping:	result
 *
 * Context: process, may sleep, without the mmap lock.
 */
void tprof_area_describe(const struct tprof_area *area, enum tprof_area_id id, char *buf,
			 struct tprof_mapping *mapping)
{
	*mapping = (struct tprof_mapping){
		.misc = PERF_RECORD_MISC_USER,
		.start = area->start,
		.len = area->end - area->start,
		.pgoff = (u64)area->pgoff << PAGE_SHIFT,
		.name = area->name,
	};
	fill_modes(mapping, area->vm_flags);
	if (area->file)
		fill_file(mapping, area, id, buf);
}
