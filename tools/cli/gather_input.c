// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - gather the samples of the recording that a command reads
 */
#include <unistd.h>

#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/symbol_rows.h"

static int gather_plain(struct gather *gather, const struct gather_options *options,
			const struct symbol_options *symbols, struct reader *reader,
			const char *name)
{
	int err = gather_init(gather, options, symbols, reader);

	if (!err)
		err = gather_all(gather, reader);
	progress_end();
	return err ? say_input_failed(name, err, &reader->msg) : STATUS_OK;
}

/*
 * Set up @gather, and gather all samples of the recording @name. Return STATUS_OK, or print a
 * message and return STATUS_FAILED: after an error, as in a truncated file, @gather has the
 * samples read so far. Call gather_free() in any case.
 *
 * @options, @symbols, @reader: must stay valid until gather_free()
 */
int gather_input(struct gather *gather, const struct gather_options *options,
		 const struct symbol_options *symbols, struct reader *reader, const char *name)
{
	int status = gather_plain(gather, options, symbols, reader, name);

	return status ? status :
	       symbol_options_check_used(symbols, &gather->world.objects.sources.kernel, name);
}

/*
 * Open the recording @name again, and gather all samples. Return STATUS_OK, or print a message
 * and return STATUS_FAILED. Call gathered_close() only if this succeeds.
 *
 * @options, @symbols: must stay valid until then
 */
int gathered_open(struct gathered *gathered, const struct gather_options *options,
		  const struct symbol_options *symbols, const char *name)
{
	int status;

	gathered->fd = open_input(name, &gathered->reader);
	if (gathered->fd < 0)
		return STATUS_FAILED;
	status = gather_plain(&gathered->gather, options, symbols, &gathered->reader, name);
	if (status)
		gathered_close(gathered);
	return status;
}

/* Close a recording without notes: the command has read it before, and close_input() has them. */
void gathered_close(struct gathered *gathered)
{
	gather_free(&gathered->gather);
	reader_close(&gathered->reader);
	close(gathered->fd);
}
