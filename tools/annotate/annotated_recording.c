// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions of a recording, which is read again for them
 */
#include <errno.h>
#include <unistd.h>

#include "annotate/annotated_recording.h"
#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/say.h"

static int read_all(struct annotated_recording *recording, const char *input,
		    const struct symbol_options *symbols)
{
	struct gather *gather = &recording->gather;
	int status = gather_input(gather, &recording->options, symbols, &recording->reader, input);
	int err;

	if (status)
		return status;
	err = annotated_make(&recording->annotated, gather, &recording->reader,
			     &gather->world.objects);
	if (!err)
		return STATUS_OK;
	return err == -ENOTSUP ?
	       say_error("libZydis is of another version; install the one of the build") :
	       say_failure(err, input);
}

/*
 * Read the recording @input. Return STATUS_OK, or print a message and return STATUS_FAILED.
 * Call annotated_recording_free() only if this succeeds.
 *
 * @filter, @symbols: must stay valid until annotated_recording_free()
 */
int annotated_recording_open(struct annotated_recording *recording, const char *input,
			     const struct gather_filter *filter,
			     const struct symbol_options *symbols)
{
	int status;

	*recording = (struct annotated_recording){
		.options = { .filter = *filter, .keys = hot_functions_keys(),
			     .children = CHILDREN_NO },
	};
	recording->fd = open_input(input, &recording->reader);
	if (recording->fd < 0)
		return STATUS_FAILED;
	status = read_all(recording, input, symbols);
	if (status)
		annotated_recording_free(recording);
	return status;
}

void annotated_recording_free(struct annotated_recording *recording)
{
	annotated_free(&recording->annotated);
	gather_free(&recording->gather);
	reader_close(&recording->reader);
	close(recording->fd);
}
