// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions of a recording, as texts for a screen
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotated.h"
#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/say.h"

static int read_all(struct annotated *annotated, const char *input,
		    const struct symbol_options *symbols)
{
	struct gather *gather = &annotated->gather;
	struct symbol_sources *sources = &gather->world.objects.sources;
	int status = gather_input(gather, &annotated->options, symbols, &annotated->reader, input);

	if (!status && hot_functions_make(&annotated->functions, gather))
		status = say_failure(-ENOMEM, input);
	annotated->disassembly = (struct disassembly){ .sources = sources, .objdump = "objdump" };
	annotated->annotation = (struct annotation){
		.functions = &annotated->functions,
		.reader = &annotated->reader,
		.objects = &gather->world.objects,
		.sources.symfs = symbols->symfs,
	};
	if (!status && decoder_init(&annotated->disassembly.decoder))
		status = say_error("libZydis is of another version; install the one of the build");
	return status;
}

/*
 * Read the recording @input. Return STATUS_OK, or print a message and return STATUS_FAILED.
 * Call annotated_free() only if this succeeds.
 *
 * @filter, @symbols: must stay valid until annotated_free()
 */
int annotated_open(struct annotated *annotated, const char *input,
		   const struct gather_filter *filter, const struct symbol_options *symbols)
{
	int status;

	*annotated = (struct annotated){
		.options = { .filter = *filter, .keys = hot_functions_keys(),
			     .children = CHILDREN_NO },
	};
	annotated->fd = open_input(input, &annotated->reader);
	if (annotated->fd < 0)
		return STATUS_FAILED;
	status = read_all(annotated, input, symbols);
	if (status)
		annotated_free(annotated);
	return status;
}

/*
 * Find the hottest function with a name. Return NULL if no function with samples has it.
 *
 * @binary: short name of its binary, or NULL for any
 */
const struct hot_function *annotated_find(const struct annotated *annotated, const char *name,
					  const char *binary)
{
	const struct hot_function *function;
	size_t i;

	for (i = 0; i < annotated->functions.nr; i++) {
		function = annotated->functions.list[i];
		if (!strcmp(function->symbol->name, name) &&
		    (!binary || !strcmp(function->object->short_name, binary)))
			return function;
	}
	return NULL;
}

static int print(struct annotated *annotated, const struct hot_function *function)
{
	struct disassembly *disassembly = &annotated->disassembly;
	struct listing listing;
	int err = listing_make(&listing, disassembly, function, annotated->functions.nr_events);

	if (!err)
		err = listing_find_places(&listing, disassembly->sources);
	if (!err)
		annotate_text_format.print(&annotated->annotation, &listing);
	listing_free(&listing);
	return err;
}

/* Make the text of a function. The caller frees @text. Return 0 or -ENOMEM. */
int annotated_text(struct annotated *annotated, const struct hot_function *function, char **text,
		   size_t *len)
{
	int err;

	*text = NULL;
	annotated->annotation.out = open_memstream(text, len);
	if (!annotated->annotation.out)
		return -ENOMEM;
	annotate_text_format.begin(&annotated->annotation);
	err = print(annotated, function);
	if (fclose(annotated->annotation.out) && !err)
		err = -ENOMEM;
	if (!err)
		return 0;
	free(*text);
	*text = NULL;
	return err;
}

void annotated_free(struct annotated *annotated)
{
	source_files_free(&annotated->annotation.sources);
	disassembly_free(&annotated->disassembly);
	hot_functions_free(&annotated->functions);
	gather_free(&annotated->gather);
	reader_close(&annotated->reader);
	close(annotated->fd);
}
