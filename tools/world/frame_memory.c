// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what a sample has of a function's registers and memory
 */
#include <string.h>

#include "world/frame_memory.h"

/*
 * Read memory of the process.
 *
 * @len: 1, 2, 4 or 8 bytes
 *
 * Return false when there is no copy of it.
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
