// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the type of option -m
 */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "cli/buffer_option.h"

static int set_sizes(void *field, const char *value)
{
	struct buffer_sizes *sizes = field;
	const char *comma = strchr(value, ',');
	char ring[32];
	int err;

	if (!comma)
		return parse_size(value, &sizes->ring);
	if ((size_t)(comma - value) >= sizeof(ring))
		return -EINVAL;
	memcpy(ring, value, comma - value);
	ring[comma - value] = '\0';
	err = parse_size(ring, &sizes->ring);
	return err ? err : parse_size(comma + 1, &sizes->fifo);
}

const struct option_type option_sizes = { "one or two sizes, such as 512K or 512K,8M",
					  set_sizes };
