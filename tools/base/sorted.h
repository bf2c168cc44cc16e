/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - search in sorted arrays
 */
#ifndef TPROF_SORTED_H
#define TPROF_SORTED_H

#include <stddef.h>

/*
 * Return the index of the first entry with a @member above @most, or @end if there is none. The
 * entries of @list from @first up to @end are sorted by @member.
 */
#define sorted_above(list, first, end, member, most) ({			\
	__auto_type above_list = (list);				\
	__auto_type above_most = (most);				\
	size_t above_low = (first), above_high = (end), above_middle;	\
									\
	while (above_low < above_high) {				\
		above_middle = above_low + (above_high - above_low) / 2; \
		if (above_most >= above_list[above_middle].member)	\
			above_low = above_middle + 1;			\
		else							\
			above_high = above_middle;			\
	}								\
	above_low;							\
})

#endif /* TPROF_SORTED_H */
