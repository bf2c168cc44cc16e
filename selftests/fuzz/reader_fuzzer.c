// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx fuzzing - the reader of perf.data, and the profiles of report
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "fuzzer.h"
#include "read_recording.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	static int fd = -1;
	int err;

	if (fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	if (ftruncate(fd, 0) || pwrite(fd, data, len, 0) != (ssize_t)len)
		abort();
	read_file(fd, &err);
	gather_file(fd);
	return 0;
}
