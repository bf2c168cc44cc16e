// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - print functions as text
 *
 * A line has the share of each event, the depth of loops, arrows, the address and the
 * instruction. Lines between these have the source code.
 */
#include <string.h>

#include "annotate/annotate_format.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "base/text.h"
#include "view/text_view.h"

#define SHARE_WIDTH	7
#define NAME_WIDTH	6
#define DEEPEST		9

/* One function at a time is printed, and text_flush() is called before it ends. */
static struct text out;

static void begin(struct annotation *annotation)
{
	const struct hot_functions *all = annotation->functions;
	const struct skid *skid;
	u32 i;

	out.out = annotation->out;
	for (i = 0; i < all->nr_events; i++) {
		skid = skid_of(&annotation->reader->events[all->events[i].number]);
		text_printf(&out, "# Samples: %llu of event '%s'\n", all->events[i].total.samples,
			    printable(all->events[i].name));
		if (skid->text)
			text_printf(&out, "# Samples of '%s' %s\n", printable(all->events[i].name),
				    skid->text);
	}
	text_flush(&out);
}

/* End a line below the head. @folds are bits ANNOTATE_*, @heat is its largest share. */
static void end_line(const struct annotation *annotation, u32 folds, double heat)
{
	const struct text_mark mark = { folds, heat };

	text_char(&out, '\n');
	if (annotation->marks)
		bytes_add(annotation->marks, &mark, sizeof(mark));
}

/* Print a share, or blanks if it is 0. The hottest instruction has a star. */
static void put_share(const struct listing *listing, u32 event, const struct tally *tally,
		      bool is_hottest)
{
	if (tally->samples)
		text_printf(&out, "%*.2f%c", SHARE_WIDTH,
			    listing_share(listing, event, tally), is_hottest ? '*' : ' ');
	else
		text_fill(&out, ' ', SHARE_WIDTH + 1);
}

static void put_head(const struct annotation *annotation, const struct listing *listing)
{
	const struct hot_functions *all = annotation->functions;
	const struct hot_function *function = listing->function;
	u64 total;
	u32 i;

	text_put(&out, "\n# Function: ");
	text_put(&out, printable(function->symbol->name));
	text_put(&out, "\n# Binary: ");
	text_put(&out, printable(function->object->name));
	text_char(&out, '\n');
	for (i = 0; i < all->nr_events; i++) {
		total = all->events[i].total.period;
		text_printf(&out, "# %.2f%% of '%s': %llu %s\n",
			    total ? 100.0 * function->sums[i].period / total : 0,
			    printable(all->events[i].name), function->sums[i].samples,
			    by_number(function->sums[i].samples, "sample", "samples"));
		if (listing->status == CODE_FOUND && listing->strays[i].samples)
			text_printf(&out, "# %llu of these samples %s in no instruction\n",
				    listing->strays[i].samples,
				    by_number(listing->strays[i].samples, "is", "are"));
	}
	if (listing->status != CODE_FOUND)
		text_printf(&out, "# No instructions: %s\n",
			    listing->status == CODE_DENIED && annotation->denied ?
				    annotation->denied : code_status_text(listing->status));
	if (listing->loops.is_left_out)
		text_put(&out, "# No loops: the function has too many ways\n");
	text_put(&out, "#\n");
}

/* Print the beginning of a line that has no instruction. */
static void put_margin(const struct listing *listing, u32 at)
{
	char arrows[ARROWS_TEXT];

	arrows_draw_above(&listing->arrows, at, arrows);
	text_fill(&out, ' ', (SHARE_WIDTH + 1) * listing->nr_events + 3);
	text_put(&out, arrows);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Print the text of a source line, with its tabs as blanks. */
static void put_source_text(const char *line)
{
	char text[256];
	size_t used = 0;

	for (; *line && used + 9 < sizeof(text); line++) {
		do
			text[used++] = *line == '\t' ? ' ' : *line;
		while (*line == '\t' && used % 8);
	}
	while (used && strchr(" \r", text[used - 1]))
		used--;
	text[used] = '\0';
	text_put(&out, "  ");
	text_put(&out, printable(text));
}

static void put_inlined(const struct annotation *annotation, const struct listing *listing,
			u32 at)
{
	const struct listing_inlined *inlined;

	if (!listing_has_new_inlined(listing, at))
		return;
	inlined = &listing->inlined[listing->places[at].inlined - 1];
	put_margin(listing, at);
	text_put(&out, "; inlined ");
	text_put(&out, printable(inlined->name));
	if (inlined->path) {
		text_put(&out, " at ");
		text_put(&out, printable(base_name(inlined->path)));
		text_printf(&out, ":%u", inlined->line);
	}
	end_line(annotation, ANNOTATE_ALL | ANNOTATE_SOURCE, 0);
}

/* Print the name, number and text of a source line. */
static void put_line(struct annotation *annotation, const struct listing *listing,
		     const struct listing_place *place)
{
	const char *line;

	text_put(&out, "; ");
	text_put(&out, printable(base_name(place->path)));
	text_printf(&out, ":%u", place->line);
	line = source_files_line(&annotation->sources, listing->directory, place->path,
				 place->line);
	if (line)
		put_source_text(line);
}

/* Print a source line with the samples of its instructions, for a page without these. */
static void put_sum(struct annotation *annotation, const struct listing *listing, u32 at)
{
	const struct listing_place *place = &listing->places[at];
	double share, heat = 0;
	struct tally sum;
	u32 event;

	for (event = 0; event < listing->nr_events; event++) {
		sum = listing_place_sum(listing, at, event);
		put_share(listing, event, &sum, false);
		share = listing_share(listing, event, &sum);
		heat = share > heat ? share : heat;
	}
	text_fill(&out, ' ', 3);
	if (place->path)
		put_line(annotation, listing, place);
	else
		text_put(&out, "; no source line");
	end_line(annotation, ANNOTATE_SOURCE, heat);
}

static void put_source(struct annotation *annotation, const struct listing *listing, u32 at)
{
	put_inlined(annotation, listing, at);
	if (listing_has_new_line(listing, at)) {
		put_margin(listing, at);
		put_line(annotation, listing, &listing->places[at]);
		end_line(annotation, ANNOTATE_ALL, 0);
	}
	if (annotation->marks && listing_has_new_place(listing, at))
		put_sum(annotation, listing, at);
}

/* At the first instruction of a loop, print the loop. */
static void put_loop(const struct annotation *annotation, const struct listing *listing, u32 at)
{
	const struct tally *tally;
	u32 event;

	if (!listing->loops.is_head[at])
		return;
	for (event = 0; event < listing->nr_events; event++) {
		tally = &listing->loop_tallies[(size_t)at * listing->nr_events + event];
		put_share(listing, event, tally, false);
	}
	text_printf(&out, "%*s; loop %u to %llx", 3, "", loops_depth(&listing->loops, at),
		    listing->all.list[listing->loop_ends[at]].addr);
	end_line(annotation, ANNOTATE_ALL | ANNOTATE_INSTRUCTIONS, 0);
}

/* Print the function that the instruction refers to. */
static void put_target(const struct annotation *annotation, const struct listing *listing, u32 at)
{
	const struct instruction *instruction = &listing->all.list[at];
	struct listing_target target = listing_target(listing, annotation->objects, at);

	if (!instruction->has_target)
		return;
	if (instruction->flow == FLOW_NEXT)
		text_put(&out, "  #");
	text_char(&out, ' ');
	text_hex(&out, instruction->target, 0);
	if (!target.name)
		return;
	text_put(&out, " <");
	text_put(&out, printable(target.name));
	if (target.offset)
		text_printf(&out, "+0x%llx", target.offset);
	text_char(&out, '>');
}

/* Return the number of digits of the largest address, and a blank. */
static size_t addr_width(const struct listing *listing)
{
	u64 last = listing->all.list[listing->all.nr - 1].addr;

	return 1 + (last ? (67 - __builtin_clzll(last)) / 4 : 1);
}

static void put_instruction(const struct annotation *annotation, const struct listing *listing,
			    u32 at)
{
	const struct instruction *instruction = &listing->all.list[at];
	u32 event, depth = loops_depth(&listing->loops, at);
	bool is_hottest = at == listing->hottest;
	char arrows[ARROWS_TEXT];
	size_t len;

	for (event = 0; event < listing->nr_events; event++)
		put_share(listing, event, listing_tally(listing, at, event), is_hottest);
	text_char(&out, ' ');
	text_char(&out, !depth ? ' ' : depth > DEEPEST ? '+' : '0' + depth);
	text_char(&out, ' ');
	arrows_draw(&listing->arrows, at, arrows);
	text_put(&out, arrows);
	text_hex(&out, instruction->addr, addr_width(listing));
	text_put(&out, ":  ");
	/* Operands are in a column of their own, as in objdump. */
	len = strcspn(instruction->text, " ");
	text_add(&out, instruction->text, len);
	if (len < NAME_WIDTH && (instruction->text[len] || instruction->has_target))
		text_fill(&out, ' ', NAME_WIDTH - len);
	text_put(&out, instruction->text + len);
	put_target(annotation, listing, at);
	end_line(annotation, ANNOTATE_ALL | ANNOTATE_INSTRUCTIONS, is_hottest ? 100 : 0);
}

static void print(struct annotation *annotation, const struct listing *listing)
{
	u32 at;

	out.out = annotation->out;
	put_head(annotation, listing);
	for (at = 0; at < listing->all.nr; at++) {
		put_loop(annotation, listing, at);
		if (listing->places)
			put_source(annotation, listing, at);
		put_instruction(annotation, listing, at);
	}
	text_flush(&out);
}

const struct annotate_format annotate_text_format = {
	.begin = begin,
	.print = print,
};

const struct annotate_format annotate_stdio_format = {
	.no_pager = true,
	.begin = begin,
	.print = print,
};
