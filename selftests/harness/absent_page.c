// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a page of memory that stays absent until the test provides it
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "harness/absent_page.h"

#define FAULT_MS	20000

int absent_page_make(struct absent_page *absent)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = {
		.range.len	= ABSENT_BYTES,
		.mode		= UFFDIO_REGISTER_MODE_MISSING,
	};

	absent->fault = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (absent->fault < 0)
		return -errno;
	absent->page = mmap(NULL, ABSENT_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)absent->page;
	if (absent->page == MAP_FAILED || ioctl(absent->fault, UFFDIO_API, &api) ||
	    ioctl(absent->fault, UFFDIO_REGISTER, &area))
		return -errno;
	return 0;
}

/* Wait until a task waits for the page. */
int absent_page_wait(const struct absent_page *absent)
{
	struct pollfd poll_fd = { .fd = absent->fault, .events = POLLIN };

	return poll(&poll_fd, 1, FAULT_MS) == 1 ? 0 : -ETIMEDOUT;
}

int absent_page_provide(const struct absent_page *absent)
{
	struct uffdio_zeropage zero = {
		.range.start	= (unsigned long)absent->page,
		.range.len	= ABSENT_BYTES,
	};

	return ioctl(absent->fault, UFFDIO_ZEROPAGE, &zero) ? -errno : 0;
}
