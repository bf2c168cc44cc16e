// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the executable mappings of an address space, as they are now
 *
 * Files are read for their build-ids without the lock of the address space. Only cached
 * pages are read, so that no task waits for a disk. The header of a mapped file is mostly
 * cached, as exec or dlopen has read it.
 *
 * Context: process, may sleep.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/vdso.h>

#include "base/buildid.h"
#include "tables/areas.h"
#include "tables/budget.h"

/* Mappings that may be added between counting and reading them. */
#define SPARE_ENTRIES	8

/**
 * struct area_source - what an area maps
 * @file:	file, with a reference, or NULL
 * @vdso:	the vdso, or NULL
 */
struct area_source {
	struct file		*file;
	const struct vdso_image	*vdso;
};

static bool read_vdso(void *source, u64 offset, void *buf, u32 bytes)
{
	const struct vdso_image *vdso = source;

	if (offset > vdso->size || bytes > vdso->size - offset)
		return false;
	memcpy(buf, vdso->data + offset, bytes);
	return true;
}

/* Number of the last map: see rule_cache.h. */
static atomic64_t last_number = ATOMIC64_INIT(0);

static u32 count_areas(struct mm_struct *mm)
{
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	u32 nr = 0;

	vma_iter_init(&iterator, mm, 0);
	mmap_read_lock(mm);
	for_each_vma(iterator, vma)
		nr += !!(vma->vm_flags & VM_EXEC);
	mmap_read_unlock(mm);
	return min(nr + SPARE_ENTRIES, TPROF_MAP_MAX_ENTRIES);
}

static struct area_source source_of(struct vm_area_struct *vma)
{
	struct mm_struct *mm = vma->vm_mm;
	struct area_source source = {};

	if (vma->vm_file && !(vma->vm_flags & VM_HUGETLB))
		source.file = get_file(vma->vm_file);
	else if (vma->vm_start == (unsigned long)mm->context.vdso)
		source.vdso = mm->context.vdso_image;
	return source;
}

static void read_areas(struct tprof_areas *areas, struct area_source *sources,
		       struct mm_struct *mm, u32 room)
{
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	u32 nr = 0;

	vma_iter_init(&iterator, mm, 0);
	mmap_read_lock(mm);
	for_each_vma(iterator, vma) {
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		if (nr == room) {
			areas->map.is_partial = true;
			break;
		}
		areas->entries[nr].start = vma->vm_start;
		areas->entries[nr].end = vma->vm_end;
		areas->entries[nr].offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
		sources[nr] = source_of(vma);
		/* The vdso begins at its first page, whatever vm_pgoff is. */
		if (sources[nr].vdso)
			areas->entries[nr].offset = 0;
		nr++;
	}
	mmap_read_unlock(mm);
	areas->map.nr = nr;
}

static u32 read_id(const struct area_source *source, struct tprof_object_id *id)
{
	if (source->file)
		id->size = tprof_buildid_of_file(source->file, false, id->bytes);
	else if (source->vdso)
		id->size = tprof_elfnote_build_id(read_vdso, (void *)source->vdso, id->bytes);
	return id->size;
}

/* Find the tables of the areas, and drop the references to their files. */
static void find_tables(struct tprof_areas *areas, const struct area_source *sources,
			struct tprof_objects *objects)
{
	u32 i;

	for (i = 0; i < areas->map.nr; i++) {
		struct tprof_object_id id = {};

		if (read_id(&sources[i], &id))
			areas->entries[i].table = tprof_objects_find(objects, &id, areas->user);
		if (sources[i].file)
			fput(sources[i].file);
	}
}

static struct tprof_areas *alloc_areas(u32 room, bool is_private, kuid_t user)
{
	size_t bytes = struct_size_t(struct tprof_areas, entries, room);
	struct tprof_areas *areas;
	int err = tprof_budget_take_mapping(bytes, is_private, user);

	if (err)
		return ERR_PTR(err);
	areas = kvzalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
	if (!areas) {
		tprof_budget_give_mapping(bytes, is_private, user);
		return ERR_PTR(-ENOMEM);
	}
	areas->bytes = bytes;
	areas->user = user;
	areas->map.entries = areas->entries;
	areas->map.number = atomic64_inc_return(&last_number);
	return areas;
}

/**
 * tprof_areas_read - read the executable mappings of an address space
 * @mm:		address space of the current task, or one with a reference
 * @objects:	objects in which the tables are
 * @user:	user of a task of @mm
 *
 * Context: process, may sleep, without the lock of @mm.
 * Return: the mappings, or ERR_PTR() of -ENOMEM or -ENOSPC.
 */
struct tprof_areas *tprof_areas_read(struct mm_struct *mm, struct tprof_objects *objects,
				     kuid_t user)
{
	u32 room = count_areas(mm);
	struct tprof_areas *areas = alloc_areas(room, objects->is_private, user);
	struct area_source *sources;

	if (IS_ERR(areas))
		return areas;
	sources = kvcalloc(room, sizeof(*sources), GFP_KERNEL | __GFP_NOWARN);
	if (!sources) {
		tprof_areas_free(areas, objects);
		return ERR_PTR(-ENOMEM);
	}
	read_areas(areas, sources, mm, room);
	find_tables(areas, sources, objects);
	kvfree(sources);
	return areas;
}

/**
 * tprof_areas_free - free mappings when no NMI reads them any more
 * @areas:	mappings that no NMI can find, or NULL
 * @objects:	as passed to tprof_areas_read()
 */
void tprof_areas_free(struct tprof_areas *areas, struct tprof_objects *objects)
{
	if (!areas)
		return;
	tprof_budget_give_mapping(areas->bytes, objects->is_private, areas->user);
	kvfree_rcu(areas, rcu);
}
