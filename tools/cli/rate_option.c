// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the type of option -F
 */
#include <string.h>

#include "base/parse.h"
#include "cli/rate_option.h"

static int set_rate(void *field, const char *value)
{
	struct rate *rate = field;

	rate->max = !strcmp(value, "max");
	return rate->max ? 0 : parse_u64(value, &rate->hz);
}

const struct option_type option_rate = { "a rate in Hz or 'max'", set_rate };
