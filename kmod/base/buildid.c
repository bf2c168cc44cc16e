// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - build-ids of mapped files and modules
 *
 * Files are read through the page cache, as a page fault does, because kernel_read()
 * would change the access time and notify watchers of the file. The headers are
 * usually cached, because exec or dlopen has read them.
 *
 * Context: process.
 */
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "base/buildid.h"
#include "base/elfnote.h"

static struct folio *get_cached(struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);

	if (IS_ERR(folio) || folio_test_uptodate(folio))
		return folio;
	folio_put(folio);
	return ERR_PTR(-ENOENT);
}

static struct folio *get_read(struct file *file, pgoff_t index)
{
	struct address_space *mapping = file->f_mapping;
	struct folio *folio;

	if (!mapping->a_ops->read_folio)
		return ERR_PTR(-ENOENT);
	/* Lock as a page fault does: no page may be read in while a hole is punched. */
	filemap_invalidate_lock_shared(mapping);
	folio = read_mapping_folio(mapping, index, file);
	filemap_invalidate_unlock_shared(mapping);
	return folio;
}

/**
 * struct id_source - a file to read
 * @file:	the file
 * @may_read:	read uncached pages from storage, and wait for them
 */
struct id_source {
	struct file	*file;
	bool		may_read;
};

/* Copy @bytes bytes, which must lie in one page. Return false if they cannot be read. */
static bool copy_piece(const struct id_source *source, u64 offset, void *buf,
		       u32 bytes)
{
	struct file *file = source->file;
	struct address_space *mapping = file->f_mapping;
	struct folio *folio;
	bool is_copied;
	void *addr;

	/* The offset comes from a header in the file and may be any number. */
	if (offset >= i_size_read(mapping->host))
		return false;
	folio = get_cached(mapping, offset >> PAGE_SHIFT);
	if (IS_ERR(folio) && source->may_read)
		folio = get_read(file, offset >> PAGE_SHIFT);
	if (IS_ERR(folio))
		return false;

	addr = kmap_local_folio(folio, offset_in_folio(folio, offset));
	/* The kernel does not map pages of memfd_secret(), so this may fault. */
	is_copied = !copy_from_kernel_nofault(buf, addr, bytes);
	kunmap_local(addr);
	folio_put(folio);
	return is_copied;
}

static bool read_file(void *source, u64 offset, void *buf, u32 bytes)
{
	u32 part;

	while (bytes) {
		part = min_t(u32, bytes, PAGE_SIZE - offset_in_page(offset));
		if (!copy_piece(source, offset, buf, part))
			return false;
		offset += part;
		buf += part;
		bytes -= part;
	}
	return true;
}

/**
 * tprof_buildid_of_file - read the build-id of an ELF file
 * @file:	mapped file, not on hugetlbfs
 * @may_read:	read uncached pages from storage, and wait for them
 * @id:		result, TPROF_ELFNOTE_ID_MAX bytes; bytes after the id are zeroed
 *
 * @may_read is for a task that is about to execute the mapping and so waits for
 * these pages anyway. Files on hugetlbfs are excluded, because the index of their
 * page cache may count huge pages.
 *
 * Context: process, may sleep.
 * Return: length of the id, or 0.
 */
u32 tprof_buildid_of_file(struct file *file, bool may_read, u8 *id)
{
	struct id_source source = { file, may_read };

	return tprof_elfnote_build_id(read_file, &source, id);
}

/**
 * tprof_buildid_of_module - find the build-id of a loaded module
 * @module:	module that is not being unloaded
 * @id:		result, TPROF_ELFNOTE_ID_MAX bytes
 *
 * The kernel does not export the address of the note, so search the read-only data,
 * which contains the note.
 *
 * Context: process.
 * Return: length of the id, or 0.
 */
u32 tprof_buildid_of_module(const struct module *module, u8 *id)
{
	struct module_memory rodata = tprof_module_memory(module, MOD_RODATA);

	return tprof_elfnote_scan(rodata.base, rodata.size, id);
}
