// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - write a recording in the format of another tool
 */
#include "export/export.h"

static int run(const struct command *self, int argc, char **argv)
{
	struct export_options opts;
	int status = export_options_read(&opts, self, argc, argv);

	if (!status)
		status = export_file(&opts, opts.format->write);
	sort_keys_free(&opts.key_options);
	return status;
}

const struct command export_command = {
	.name = "export",
	.summary = "write a recording in the format of another tool",
	.operands = EXPORT_FORMATS,
	.is_mixed = true,
	.text = "Reads recordings of tprof-lx record and perf record, from a file or a pipe.\n"
		"All filters drop samples: --comm, --dso and --sym test the sampled function.\n",
	.options = export_rows,
	.more_help = sort_keys_print,
	.run = run,
};
