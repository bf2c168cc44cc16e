// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - write the functions of a page
 */
#include "html/page_functions.h"

static void write_function(struct json *json, const struct function *function)
{
	json_begin(json, NULL, '[');
	json_string(json, NULL, function->name);
	json_string(json, NULL, function->binary);
	json_string(json, NULL, function->path);
	json_u64(json, NULL, function->line);
	json_end(json, ']');
}

/*
 * Write @nr functions and, with @has_small, one that stands for small stacks. The names of
 * functions are escaped and cut.
 */
void page_functions_write(struct json *json, const struct function **functions, size_t nr,
			  bool has_small)
{
	static const struct function small = { .name = "[small stacks]", .path = "",
					       .binary = "[small stacks]" };
	size_t i;

	json_begin(json, "functions", '[');
	for (i = 0; i < nr; i++)
		write_function(json, functions[i]);
	if (has_small)
		write_function(json, &small);
	json_end(json, ']');
}
