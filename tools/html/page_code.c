// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the instructions of functions, with the samples of each
 *
 * The recording is read again, as annotate reads it: the points of a page have functions, not
 * addresses. Samples of all stacks and of the whole time are counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotated_recording.h"
#include "html/page_code.h"

size_t page_code_most = 1U << 20;

/* Maximum number of functions in the list. Those behind them have few samples. */
#define MAX_FUNCTIONS	1000

/* After so many functions that did not fit, the rest is not tried: that takes time. */
#define MAX_REFUSED	8

/* A row of a function is one of these, as code.js has it. */
enum row { ROW_INSTRUCTION, ROW_LINE, ROW_INLINED };

/**
 * struct writing - the list that is being written
 * @annotated:	functions and instructions
 * @names:	names in a form that the page accepts
 * @left:	number of bytes that are left for functions
 * @nr_refused:	number of functions that did not fit
 */
struct writing {
	struct annotated *annotated;
	struct interned *names;
	size_t	left;
	u32	nr_refused;
};

static void put_name(const struct writing *writing, struct json *json, const char *key,
		     const char *text)
{
	json_string(json, key, name_get(writing->names, text) ?: "");
}

/* Write the weights of the events, without zeros at the end. */
static void put_weights(struct json *json, const struct tally *tallies, u32 nr)
{
	u32 i;

	while (nr && !tallies[nr - 1].period)
		nr--;
	for (i = 0; i < nr; i++)
		json_u64(json, NULL, tallies[i].period);
}

/* Write a source line without the blanks at its begin: the page shows it beside instructions. */
static void put_line(const struct writing *writing, struct json *json,
		     const struct listing *listing, const struct listing_place *place)
{
	struct source_files *sources = &writing->annotated->annotation.sources;
	const char *text = source_files_line(sources, listing->directory, place->path, place->line);

	json_begin(json, NULL, '[');
	json_u64(json, NULL, ROW_LINE);
	put_name(writing, json, NULL, place->path);
	json_u64(json, NULL, place->line);
	if (text)
		put_name(writing, json, NULL, text + strspn(text, " \t"));
	json_end(json, ']');
}

static void put_inlined(const struct writing *writing, struct json *json,
			const struct listing *listing, const struct listing_place *place)
{
	json_begin(json, NULL, '[');
	json_u64(json, NULL, ROW_INLINED);
	put_name(writing, json, NULL, listing->inlined[place->inlined - 1].name);
	json_end(json, ']');
}

static void put_instruction(struct json *json, const struct listing *listing, u32 at)
{
	const struct instruction *instruction = &listing->all.list[at];

	json_begin(json, NULL, '[');
	json_u64(json, NULL, ROW_INSTRUCTION);
	json_u64(json, NULL, instruction->addr - listing->code.code.addr);
	json_string(json, NULL, instruction->text);
	put_weights(json, listing_tally(listing, at, 0), listing->nr_events);
	json_end(json, ']');
}

static void put_rows(const struct writing *writing, struct json *json,
		     const struct listing *listing)
{
	u32 at;

	json_begin(json, "rows", '[');
	for (at = 0; at < listing->all.nr; at++) {
		if (listing_has_new_inlined(listing, at))
			put_inlined(writing, json, listing, &listing->places[at]);
		if (listing_has_new_line(listing, at))
			put_line(writing, json, listing, &listing->places[at]);
		put_instruction(json, listing, at);
	}
	json_end(json, ']');
}

/* Write the rows of a function, or why it has none. */
static int put_listing(const struct writing *writing, struct json *json,
		       const struct hot_function *function)
{
	struct disassembly *disassembly = &writing->annotated->disassembly;
	struct listing listing;
	int err = listing_make(&listing, disassembly, function,
			       writing->annotated->functions.nr_events);

	if (!err)
		err = listing_find_places(&listing, disassembly->sources);
	if (!err && listing.status == CODE_FOUND)
		put_rows(writing, json, &listing);
	else if (!err)
		json_string(json, "why", code_status_text(listing.status));
	listing_free(&listing);
	return err;
}

static int put_function(const struct writing *writing, struct json *json,
			const struct hot_function *function, bool has_rows)
{
	u32 i, nr = writing->annotated->functions.nr_events;
	int err = 0;

	json_begin(json, NULL, '{');
	put_name(writing, json, "name", function->symbol->name);
	put_name(writing, json, "binary", function->object->short_name);
	json_begin(json, "sums", '[');
	for (i = 0; i < nr; i++)
		json_u64(json, NULL, function->sums[i].period);
	json_end(json, ']');
	if (has_rows)
		err = put_listing(writing, json, function);
	json_end(json, '}');
	return err;
}

/* Add @text, a document, to @json as a value. */
static void put_text(struct json *json, const char *text, size_t len)
{
	/* A document ends with a line feed. */
	len -= len && text[len - 1] == '\n';
	if (!json->first)
		putc(',', json->out);
	fwrite(text, 1, len, json->out);
	json->first = false;
}

/* Write a function with its rows if these fit, or if @is_wanted. */
static int write_function(struct writing *writing, struct json *json,
			  const struct hot_function *function, bool is_wanted)
{
	char *text = NULL;
	size_t len = 0;
	struct json part = { .out = open_memstream(&text, &len), .first = true };
	int err;

	if (!part.out)
		return -ENOMEM;
	err = put_function(writing, &part, function, true);
	if (fclose(part.out))
		err = -ENOMEM;
	if (!err && (is_wanted || len <= writing->left)) {
		put_text(json, text, len);
		writing->left -= len < writing->left ? len : writing->left;
	} else if (!err) {
		writing->nr_refused++;
		err = put_function(writing, json, function, false);
	}
	free(text);
	return err;
}

/* Write a function that the user did not ask for. */
static int write_other(struct writing *writing, struct json *json,
		       const struct hot_function *function)
{
	return writing->nr_refused < MAX_REFUSED ? write_function(writing, json, function, false) :
						   put_function(writing, json, function, false);
}

static bool is_wanted(const struct writing *writing, const struct hot_function *function,
		      const char *first)
{
	const char *name = name_get(writing->names, function->symbol->name);
	const char *wanted = first ? name_get(writing->names, first) : NULL;

	return name && name == wanted;
}

/* Write the functions that the user asked for first, and then the others. */
static int write_functions(struct writing *writing, const char *first, struct json *json)
{
	const struct hot_functions *all = &writing->annotated->functions;
	size_t nr = all->nr < MAX_FUNCTIONS ? all->nr : MAX_FUNCTIONS, i;
	int err = 0;

	for (i = 0; i < all->nr && first && !err; i++) {
		if (is_wanted(writing, all->list[i], first))
			err = write_function(writing, json, all->list[i], true);
	}
	for (i = 0; i < nr && !err; i++) {
		if (!is_wanted(writing, all->list[i], first))
			err = write_other(writing, json, all->list[i]);
	}
	return err;
}

static void put_events(const struct hot_functions *all, struct json *json)
{
	u32 i;

	json_begin(json, "codeEvents", '[');
	for (i = 0; i < all->nr_events; i++)
		json_u64(json, NULL, all->events[i].number);
	json_end(json, ']');
}

/*
 * Write the members "codeEvents", the events in the order of weights, and "code". A recording
 * that cannot be read again has none. Return 0 or -ENOMEM.
 *
 * @first: function that is written even if it does not fit, or NULL
 * @names: names in a form that the page accepts
 */
int page_code_write(const struct export *export, const char *first, struct interned *names,
		    struct json *json)
{
	const struct export_options *opts = export->options;
	struct annotated_recording recording;
	struct writing writing = { &recording.annotated, names, page_code_most, 0 };
	int err;

	if (!strcmp(opts->input, "-") ||
	    annotated_recording_open(&recording, opts->input, &opts->gather.filter,
				     &opts->symbols))
		return 0;
	put_events(&recording.annotated.functions, json);
	json_begin(json, "code", '[');
	err = write_functions(&writing, first, json);
	json_end(json, ']');
	annotated_recording_free(&recording);
	return err;
}
