// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - the functions of a profile, as texts for a screen
 */
#include <errno.h>
#include <stdlib.h>

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

/* Return true if an address is the same place in both binaries. */
static bool are_same(const struct object *object, const struct object *other)
{
	struct object_key key = object_key(object), wanted = object_key(other);

	/* The kernel and its modules have a common table of symbols, by address. */
	if (object_is_kernels(object) && object_is_kernels(other) && !object->embedded &&
	    !other->embedded)
		return true;
	return object_key_is(&key, &wanted);
}

static bool is_function(const struct hot_function *function, const struct symbol *symbol,
			const struct object *owner)
{
	if (!owner)
		return function->symbol == symbol;
	return function->symbol->start == symbol->start && are_same(function->object, owner);
}

/*
 * Find a function that was looked up before. Return NULL if it has no samples. Functions may have
 * the same name, even at the same address in several binaries.
 *
 * @owner: the binary of @symbol, if the recording was read twice, so that each of its functions
 *	is there twice; NULL if @symbol is of the binaries of @annotated
 */
const struct hot_function *annotated_find(const struct annotated *annotated,
					  const struct symbol *symbol, const struct object *owner)
{
	size_t i;

	for (i = 0; i < annotated->functions.nr; i++) {
		if (is_function(annotated->functions.list[i], symbol, owner))
			return annotated->functions.list[i];
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
	/* objdump may have been installed since the last text. */
	annotated->disassembly.failure = 0;
	annotated->disassembly.nr_unknown = 0;
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
