/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - memory that is mapped twice in a row
 *
 * The same pages follow themselves, so what starts near the end of the buffer
 * and wraps is contiguous all the same, and nobody has to copy a record in
 * two parts. NMIs may touch it: vmalloc space needs no faults on x86-64.
 */
#ifndef TPROF_MIRROR_H
#define TPROF_MIRROR_H

#include <linux/types.h>

struct page;

/**
 * struct tprof_mirror - such memory
 * @addr:	first of the two mappings, or NULL
 * @pages:	its pages
 * @nr_pages:	of one mapping
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
