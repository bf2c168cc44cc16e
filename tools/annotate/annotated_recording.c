// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions of a recording, which is read again for them
 */
#include <errno.h>

#include "annotate/annotated_recording.h"
#include "cli/say.h"

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
	struct gathered *gathered = &recording->gathered;
	int status, err;

	*recording = (struct annotated_recording){
		.options = { .filter = *filter, .keys = hot_functions_keys(),
			     .children = CHILDREN_NO },
	};
	status = gathered_open(gathered, &recording->options, symbols, input);
	if (status)
		return status;
	err = annotated_make(&recording->annotated, &gathered->gather, &gathered->reader,
			     &gathered->gather.world.objects);
	if (!err)
		return STATUS_OK;
	annotated_recording_free(recording);
	return err == -ENOTSUP ? say_error(DECODER_MISMATCH) : say_failure(err, input);
}

void annotated_recording_free(struct annotated_recording *recording)
{
	annotated_free(&recording->annotated);
	gathered_close(&recording->gathered);
}
