// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions of a profile, as texts for a screen
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotated.h"

/*
 * Find the functions of all samples. The keys of @gather must be hot_functions_keys(). Call
 * annotated_free() even if this fails. Return -ENOMEM, or -ENOTSUP if the version of libZydis is
 * not that of the build.
 *
 * @gather, @reader, @objects: must stay valid until annotated_free()
 */
int annotated_make(struct annotated *annotated, const struct gather *gather,
		   const struct reader *reader, struct objects *objects)
{
	int err = hot_functions_make(&annotated->functions, gather);

	annotated->disassembly = (struct disassembly){ .sources = &objects->sources,
						       .objdump = "objdump" };
	annotated->annotation = (struct annotation){
		.functions = &annotated->functions,
		.reader = reader,
		.objects = objects,
		.sources.symfs = objects->sources.options.symfs,
	};
	if (!err && decoder_init(&annotated->disassembly.decoder))
		err = -ENOTSUP;
	return err;
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
}
