/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a page of memory that stays absent until the test provides it
 *
 * A task that accesses the page waits in a page fault. So do the kernel's accesses.
 */
#ifndef TPROF_SELFTESTS_ABSENT_PAGE_H
#define TPROF_SELFTESTS_ABSENT_PAGE_H

#define ABSENT_BYTES	4096

/* This file exists if the kernel has userfaultfd(2). */
#define USERFAULTFD	"/proc/sys/vm/unprivileged_userfaultfd"

/**
 * struct absent_page - the page
 * @fault:	the userfaultfd that reports page faults on @page
 * @page:	the page
 */
struct absent_page {
	int	fault;
	void	*page;
};

int absent_page_make(struct absent_page *absent);
int absent_page_wait(const struct absent_page *absent);
int absent_page_provide(const struct absent_page *absent);

#endif /* TPROF_SELFTESTS_ABSENT_PAGE_H */
