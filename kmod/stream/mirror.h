/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - memory that is mapped twice in a row
 *
 * The second mapping continues the first one, so a record that wraps at the end
 * of the buffer is contiguous and needs no copy in two parts. NMIs may access the
 * memory: vmalloc space causes no faults on x86-64.
 */
#ifndef TPROF_MIRROR_H
#define TPROF_MIRROR_H

#include <linux/types.h>

struct page;

/**
 * struct tprof_mirror - memory that is mapped twice in a row
 * @addr:	first of the two mappings, or NULL
 * @pages:	pages of both mappings, that is, each page twice
 * @nr_pages:	number of pages of one mapping
 */
struct tprof_mirror {
	void		*addr;
	struct page	**pages;
	unsigned int	nr_pages;
};

int tprof_mirror_alloc(struct tprof_mirror *mirror, unsigned long bytes,
		       int node);
void tprof_mirror_free(struct tprof_mirror *mirror);

#endif /* TPROF_MIRROR_H */
