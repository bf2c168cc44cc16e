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
 * Find a function by name and first address. Return NULL if it has no samples.
 *
 * @binary: short name of its binary, or NULL for the hottest function in any
 */
const struct hot_function *annotated_find(const struct annotated *annotated, const char *name,
					  u64 start, const char *binary)
{
	const struct hot_function *function;
	size_t i;

	for (i = 0; i < annotated->functions.nr; i++) {
		function = annotated->functions.list[i];
		if (function->symbol->start == start && !strcmp(function->symbol->name, name) &&
		    (!binary || !strcmp(function->object->short_name, binary)))
			return function;
	}
	return NULL;
}

static int print(struct annotated *annotated, const struct hot_function *function,
		 bool *has_lines)
{
	struct disassembly *disassembly = &annotated->disassembly;
	struct listing listing;
	int err = listing_make(&listing, disassembly, function, annotated->functions.nr_events);

	if (!err)
		err = listing_find_places(&listing, disassembly->sources);
	*has_lines = !err && listing_has_lines(&listing);
	if (!err)
		annotate_text_format.print(&annotated->annotation, &listing);
	listing_free(&listing);
	return err;
}

/*
 * Make the text of a function. Call annotated_text_free() even if this fails. Return 0 or
 * -ENOMEM.
 */
int annotated_text(struct annotated *annotated, const struct hot_function *function,
		   struct annotated_text *made)
{
	struct annotation *annotation = &annotated->annotation;
	int err;

	*made = (struct annotated_text){ 0 };
	annotation->out = open_memstream(&made->text, &made->len);
	if (!annotation->out)
		return -ENOMEM;
	annotation->marks = &made->marks;
	annotate_text_format.begin(annotation);
	err = print(annotated, function, &made->has_lines);
	if (fclose(annotation->out) && !err)
		err = -ENOMEM;
	return err ? err : bytes_err(&made->marks);
}

void annotated_text_free(struct annotated_text *text)
{
	free(text->text);
	bytes_free(&text->marks);
}

void annotated_free(struct annotated *annotated)
{
	source_files_free(&annotated->annotation.sources);
	disassembly_free(&annotated->disassembly);
	hot_functions_free(&annotated->functions);
}
