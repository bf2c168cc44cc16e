// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - the module tprof-lx-rogue: it programs counters without a reservation
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>

#include "harness/rogue.h"
#include "modules/tprof_lx_rogue.h"

struct rogue_numbers rogue_numbers(const char *mode)
{
	if (!strncmp(mode, "amd-k7", 6))
		return (struct rogue_numbers){ 0xc0010000, 0xc0010004, 1, 0 };
	if (!strncmp(mode, "amd-core", 8))
		return (struct rogue_numbers){ 0xc0010200, 0xc0010201, 2, 0 };
	if (!strncmp(mode, "amd", 3))
		return (struct rogue_numbers){ 0xc0010200, 0xc0010201, 2, 0xc0000301 };
	if (!strncmp(mode, "intel-v1", 8))
		return (struct rogue_numbers){ 0x186, 0xc1, 1, 0 };
	return (struct rogue_numbers){ 0x186, 0xc1, 1, 0x38f };
}

/* Load the module and open its device. */
int rogue_open(void)
{
	int err = module_load("tprof-lx-rogue", "");
	int fd;

	if (err)
		return err;
	fd = open(TPROF_LX_ROGUE_DEVICE, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void rogue_close(int rogue)
{
	close(rogue);
	module_unload("tprof-lx-rogue");
}

int rogue_write(int rogue, int cpu, __u32 msr, __u64 value)
{
	struct tprof_lx_rogue arg = { .cpu = cpu, .msr = msr, .value = value };

	return ioctl(rogue, TPROF_LX_ROGUE_IOC_WRITE, &arg) ? -errno : 0;
}
