// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - memory that is mapped twice in a row
 *
 * Context: process, may sleep.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "base/gfp.h"
#include "base/totals.h"
#include "stream/mirror.h"

static int alloc_mirror(struct tprof_mirror *mirror, unsigned long bytes, int node)
{
	const gfp_t gfp = TPROF_PAGE_GFP | __GFP_ZERO;
	unsigned int i, n = bytes >> PAGE_SHIFT;

	mirror->nr_pages = n;
	mirror->pages = kvcalloc(2 * n, sizeof(*mirror->pages), TPROF_GFP);
	if (!mirror->pages)
		return -ENOMEM;

	for (i = 0; i < n; i++) {
		mirror->pages[i] = alloc_pages_node(node, gfp, 0);
		if (!mirror->pages[i])
			goto err_free;
		mirror->pages[n + i] = mirror->pages[i];
	}

	mirror->addr = vmap(mirror->pages, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!mirror->addr)
		goto err_free;
	return 0;

err_free:
	tprof_mirror_free(mirror);
	return -ENOMEM;
}

/**
 * tprof_mirror_alloc - allocate zeroed memory, mapped twice in a row
 * @mirror:	result
 * @bytes:	size of one mapping, a multiple of the page size
 * @node:	NUMA node, or NUMA_NO_NODE
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tprof_mirror_alloc(struct tprof_mirror *mirror, unsigned long bytes,
		       int node)
{
	int err = alloc_mirror(mirror, bytes, node);

	tprof_totals_add(TPROF_TOTAL_BUFFERS, 1);
	if (err)
		tprof_totals_add(TPROF_TOTAL_BUFFERS_FAILED, 1);
	return err;
}

/**
 * tprof_mirror_free - free memory that is mapped twice
 * @mirror:	result of tprof_mirror_alloc(), or zeroes
 *
 * Context: process, may sleep.
 */
void tprof_mirror_free(struct tprof_mirror *mirror)
{
	unsigned int i;

	if (mirror->addr)
		vunmap(mirror->addr);
	for (i = 0; mirror->pages && i < mirror->nr_pages; i++) {
		if (mirror->pages[i])
			__free_page(mirror->pages[i]);
	}
	kvfree(mirror->pages);
	*mirror = (struct tprof_mirror){};
}
