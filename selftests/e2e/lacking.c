// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - let the module seem to lack features, as an older one does
 *
 * A program loads this library by LD_PRELOAD. LACKING in the environment is a number, the
 * mask of the feature bits that TPROF_LX_IOC_INFO does not report.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/tprof_lx.h>

int ioctl(int fd, unsigned long request, ...)
{
	const char *lacking = getenv("LACKING");
	struct tprof_lx_info *info;
	va_list args;
	long ret;

	va_start(args, request);
	info = va_arg(args, void *);
	va_end(args);
	ret = syscall(SYS_ioctl, fd, request, info);
	if (!ret && request == TPROF_LX_IOC_INFO && lacking)
		info->features &= ~strtoull(lacking, NULL, 0);
	return ret;
}
