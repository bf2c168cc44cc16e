// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read the registers and the stack memory of a frame
 */
#include <string.h>

#include "world/frame_memory.h"

/*
 * Read @len bytes (1, 2, 4 or 8) at @addr from the copy of the stack. Return false
 * if the copy does not hold them.
 */
bool frame_read(const struct call_frame *frame, u64 addr, size_t len, u64 *value)
{
	u64 offset = addr - frame->stack_base;

	if (offset > frame->stack_size || len > frame->stack_size - offset)
		return false;
	*value = 0;
	memcpy(value, frame->stack + offset, len);
	return true;
}
