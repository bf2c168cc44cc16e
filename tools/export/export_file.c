// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - from the file of a recording to the output file
 */
#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/output.h"
#include "cli/say.h"
#include "export/export.h"

/*
 * Open the recording and the output that @opts name, and let @write write. Return an exit
 * status.
 */
int export_file(const struct export_options *opts, int (*write)(const struct export *export))
{
	struct export_span span = { 0 };
	struct export export = { .options = opts, .span = &span };
	struct output output;
	struct reader reader;
	int fd = open_input(opts->input, &reader), status;

	if (fd < 0)
		return STATUS_FAILED;
	status = output_open(&output, opts->output, fd);
	if (!status) {
		export.reader = &reader;
		export.out = output.file;
		status = write(&export);
		if (!status && !span.nr)
			say_note("%s: no samples are in the output; check the filters, or see tprof-lx info",
				 printable(opts->input));
		status = output_close(&output, status);
	}
	close_input(opts->input, &reader, fd);
	return status;
}
