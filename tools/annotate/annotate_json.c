// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - print functions as JSON
 */
#include "annotate/annotate_format.h"
#include "base/json.h"

static struct json json;

static void begin(struct annotation *annotation)
{
	const struct hot_functions *all = annotation->functions;
	const struct skid *skid;
	u32 i;

	json = (struct json){ .out = stdout, .indent = true, .first = true };
	json_begin(&json, NULL, '{');
	json_begin(&json, "events", '[');
	for (i = 0; i < all->nr_events; i++) {
		skid = skid_of(&annotation->reader->events[all->events[i].number]);
		json_begin(&json, NULL, '{');
		json_string(&json, "event", all->events[i].name);
		json_u64(&json, "samples", all->events[i].total.samples);
		json_u64(&json, "period", all->events[i].total.period);
		json_string(&json, "address", skid->word);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_u64(&json, "in_no_function", all->nr_elsewhere);
	json_u64(&json, "not_understood", reader_not_understood(annotation->reader));
	json_begin(&json, "functions", '[');
}

/* Print the samples of each event, in the order of the events. */
static void put_tallies(const char *name, const struct tally *tallies, u32 nr)
{
	u32 i;

	json_begin(&json, name, '[');
	for (i = 0; i < nr; i++) {
		json_begin(&json, NULL, '{');
		json_u64(&json, "samples", tallies[i].samples);
		json_u64(&json, "period", tallies[i].period);
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

static bool has_samples(const struct tally *tallies, u32 nr)
{
	while (nr--) {
		if (tallies[nr].samples)
			return true;
	}
	return false;
}

static void put_place(const struct listing *listing, u32 at)
{
	const struct listing_place *place = &listing->places[at];
	const struct listing_inlined *inlined;

	if (place->path) {
		json_string(&json, "file", place->path);
		json_u64(&json, "line", place->line);
	}
	if (!place->inlined)
		return;
	inlined = &listing->inlined[place->inlined - 1];
	json_begin(&json, "inlined", '{');
	json_string(&json, "function", inlined->name);
	if (inlined->path) {
		json_string(&json, "file", inlined->path);
		json_u64(&json, "line", inlined->line);
	}
	json_end(&json, '}');
}

static void put_target(const struct annotation *annotation, const struct listing *listing, u32 at)
{
	const struct instruction *instruction = &listing->all.list[at];
	struct listing_target target = listing_target(listing, annotation->objects, at);

	if (!instruction->has_target)
		return;
	json_hex(&json, "target", instruction->target);
	if (!target.name)
		return;
	json_string(&json, "target_function", target.name);
	json_u64(&json, "target_offset", target.offset);
}

static void put_instruction(const struct annotation *annotation, const struct listing *listing,
			    u32 at)
{
	static const char *const flows[] = {
		[FLOW_NEXT] = NULL, [FLOW_BRANCH] = "branch", [FLOW_JUMP] = "jump",
		[FLOW_CALL] = "call", [FLOW_END] = "end",
	};
	const struct instruction *instruction = &listing->all.list[at];
	const struct tally *tallies = listing_tally(listing, at, 0);
	u32 head = loops_innermost(&listing->loops, at);

	json_begin(&json, NULL, '{');
	json_hex(&json, "address", instruction->addr);
	json_u64(&json, "length", instruction->len);
	json_string(&json, "text", instruction->text);
	if (flows[instruction->flow])
		json_string(&json, "flow", flows[instruction->flow]);
	put_target(annotation, listing, at);
	if (head != NO_LOOP)
		json_hex(&json, "loop", listing->all.list[head].addr);
	if (listing->places)
		put_place(listing, at);
	if (has_samples(tallies, listing->nr_events))
		put_tallies("events", tallies, listing->nr_events);
	json_end(&json, '}');
}

static void put_loops(const struct listing *listing)
{
	u32 at;

	json_begin(&json, "loops", '[');
	for (at = 0; at < listing->all.nr; at++) {
		if (!listing->loops.is_head[at])
			continue;
		json_begin(&json, NULL, '{');
		json_hex(&json, "address", listing->all.list[at].addr);
		json_hex(&json, "last", listing->all.list[listing->loop_ends[at]].addr);
		json_u64(&json, "depth", loops_depth(&listing->loops, at));
		put_tallies("events", &listing->loop_tallies[(size_t)at * listing->nr_events],
			    listing->nr_events);
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

/* Return the number of bytes of a function: a symbol without a size may end behind its code. */
static u64 length_of(const struct listing *listing)
{
	const struct symbol *symbol = listing->function->symbol;

	return listing->status == CODE_FOUND ? listing->code.code.len : symbol->end - symbol->start;
}

static void print(struct annotation *annotation, const struct listing *listing)
{
	const struct hot_function *function = listing->function;
	u32 at;

	json_begin(&json, NULL, '{');
	json_string(&json, "function", function->symbol->name);
	json_string(&json, "dso", function->object->short_name);
	json_string(&json, "path", function->object->name);
	json_hex(&json, "address", listing->code.code.addr);
	json_u64(&json, "length", length_of(listing));
	json_string(&json, "code", code_status_word(listing->status));
	put_tallies("events", function->sums, listing->nr_events);
	put_tallies("in_no_instruction", listing->strays, listing->nr_events);
	if (listing->hottest != LISTING_NONE)
		json_hex(&json, "hottest", listing->all.list[listing->hottest].addr);
	json_bool(&json, "loops_left_out", listing->loops.is_left_out);
	put_loops(listing);
	json_begin(&json, "instructions", '[');
	for (at = 0; at < listing->all.nr; at++)
		put_instruction(annotation, listing, at);
	json_end(&json, ']');
	json_end(&json, '}');
}

static void end(struct annotation *annotation)
{
	(void)annotation;
	json_end(&json, ']');
	json_end(&json, '}');
}

const struct annotate_format annotate_json_format = {
	.no_pager = true,
	.begin = begin,
	.print = print,
	.end = end,
};
