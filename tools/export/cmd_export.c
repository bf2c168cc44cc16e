// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - write a recording in the format of another tool
 */
#include <unistd.h>

#include "cli/file_input.h"
#include "cli/say.h"
#include "export/export.h"
#include "cli/output.h"

static int write_all(const struct export_options *opts)
{
	struct export export = { .options = opts };
	struct output output;
	struct reader reader;
	int fd = open_input(opts->input, &reader), status;

	if (fd < 0)
		return STATUS_FAILED;
	status = output_open(&output, opts->output, fd);
	if (!status) {
		export.reader = &reader;
		export.out = output.file;
		status = opts->format->write(&export);
		say_input_notes(opts->input, &reader);
		status = output_close(&output, status);
	}
	reader_close(&reader);
	close(fd);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct export_options opts;
	int status = export_options_read(&opts, self, argc, argv);

	return status ? status : write_all(&opts);
}

const struct command export_command = {
	.name = "export",
	.summary = "write a recording in the format of another tool",
	.operands = EXPORT_FORMATS,
	.text = "Reads recordings of tprof-lx record and perf record, from a file or a pipe.\n"
		"All filters drop samples: --comm, --dso and --sym test the sampled function.\n",
	.options = export_rows,
	.run = run,
};
