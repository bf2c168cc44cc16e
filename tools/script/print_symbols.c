// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print function, binary and source line of a sample
 *
 * Symbols are looked up only if a chosen field needs them.
 */
#include <stdio.h>

#include "base/printable.h"
#include "script/print_record.h"
#include "symbols/object_dwarf.h"

#define NO_NAME		"[unknown]"

static bool find_ip(const struct line *line, struct spot *spot)
{
	return !world_resolve_sample(line->world, line->ids.pid, line->record->header.misc,
				     line->ids.ip, spot);
}

static const char *function(const struct spot *spot)
{
	return spot->symbol->name ? spot->symbol->name : NO_NAME;
}

/* Return the name that perf prints for a binary: short in the kernel, else its path. */
static const char *binary(const struct spot *spot)
{
	return spot->is_kernel ? spot->object->short_name : spot->object->name;
}

void line_print_sym(const struct line *line, const char *name)
{
	struct spot spot;

	line_put_text(line, name, find_ip(line, &spot) ? function(&spot) : NO_NAME);
}

/* Print the function and the offset in it, such as main+0x1f. */
void line_print_symoff(const struct line *line, const char *name)
{
	struct spot spot;
	char text[1024];

	if (!find_ip(line, &spot) || !spot.symbol->name) {
		line_put_text(line, name, NO_NAME);
		return;
	}
	snprintf(text, sizeof(text), "%s+0x%llx", spot.symbol->name,
		 spot.addr - spot.symbol->start);
	line_put_text(line, name, text);
}

void line_print_dso(const struct line *line, const char *name)
{
	struct spot spot;

	line_put_text(line, name, find_ip(line, &spot) ? binary(&spot) : NO_NAME);
}

void line_print_srcline(const struct line *line, const char *name)
{
	const char *text = NULL;
	struct spot spot;

	if (find_ip(line, &spot))
		text = object_line(&line->world->objects.sources, spot.object, spot.addr,
				   spot.symbol);
	line_put_text(line, name, text ? text : NO_NAME);
}

static void each_frame(const struct line *line, void (*print)(const struct line *line, int nr,
							      const struct spot *spot))
{
	struct chain *chain = line->chain;
	int i;

	if (chain_find(chain, line->world, &line->record->event->layout.attr, &line->ids,
		       is_kernel_mode(line->record->header.misc)))
		return;
	/* If the sample cannot be unwound, its ip is the only frame. */
	if (!chain->nr && find_ip(line, chain->frames))
		chain->nr = 1;
	for (i = 0; i < chain->nr; i++)
		print(line, i, &chain->frames[i]);
}

static void print_frame_name(const struct line *line, int nr, const struct spot *spot)
{
	if (!line->json && nr)
		putchar(';');
	line_put_text(line, NULL, function(spot));
}

void line_print_frames(const struct line *line, const char *name)
{
	if (line->json)
		json_begin(line->json, name, '[');
	each_frame(line, print_frame_name);
	if (line->json)
		json_end(line->json, ']');
}

static void print_spot(const struct spot *spot)
{
	printf("%16llx %s", spot->ip, printable(function(spot)));
	if (spot->symbol->name)
		printf("+0x%llx", spot->addr - spot->symbol->start);
	printf(" (%s)", spot->symbol->inlined ? "inlined" : printable(binary(spot)));
}

static void print_frame(const struct line *line, int nr, const struct spot *spot)
{
	(void)line;
	(void)nr;
	putchar('\t');
	print_spot(spot);
	putchar('\n');
}

/* Print the location of a sample as perf script does, with a line for each frame. */
void line_print_place(const struct line *line)
{
	struct spot spot;

	if (line->ids.fields & PERF_SAMPLE_CALLCHAIN) {
		putchar('\n');
		each_frame(line, print_frame);
	} else if (find_ip(line, &spot)) {
		putchar(' ');
		print_spot(&spot);
	}
}
