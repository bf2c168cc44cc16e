// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx script - print function, binary and source line of a sample
 *
 * Symbols are looked up only if a chosen field needs them.
 */
#include <stdio.h>

#include "script/print_record.h"
#include "symbols/object_dwarf.h"

#define NO_NAME		"[unknown]"

static bool find_ip(const struct line *line, struct spot *spot)
{
	return !world_resolve_sample(line->world, line->ids.pid, line->record->header.misc,
				     line->ids.ip, spot);
}

void line_print_sym(const struct line *line, const char *name)
{
	struct spot spot;

	line_put_text(line, name, find_ip(line, &spot) ? place_function(&spot) : NO_NAME);
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

	line_put_text(line, name, find_ip(line, &spot) ? place_binary(&spot) : NO_NAME);
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

/*
 * Find the frames of a sample. Their symbols may be NULL, see chain_locate(). Return
 * the number of frames, or 0 if out of memory.
 */
static int locate_frames(const struct line *line)
{
	struct chain *chain = line->chain;
	u16 misc = line->record->header.misc;

	if (chain_locate(chain, line->world, &line->record->event->layout.attr, &line->ids,
			 is_kernel_mode(misc)))
		return 0;
	/* If the sample cannot be unwound, its ip is the only frame. */
	if (!chain->nr && !world_locate_sample(line->world, line->ids.pid, misc, line->ids.ip,
					       chain->frames))
		chain->nr = 1;
	return chain->nr;
}

void line_print_frames(const struct line *line, const char *name)
{
	int i, nr = locate_frames(line);
	struct spot *spot;

	if (line->json)
		json_begin(line->json, name, '[');
	for (i = 0; i < nr; i++) {
		spot = &line->chain->frames[i];
		if (!spot->symbol && world_find_function(line->world, spot))
			break;
		if (!line->json && i)
			text_char(line->text, ';');
		line_put_text(line, NULL, place_function(spot));
	}
	if (line->json)
		json_end(line->json, ']');
}

static void print_place(const struct line *line, u64 ip, const struct place_text *place)
{
	text_hex(line->text, ip, 16);
	text_char(line->text, ' ');
	if (place)
		text_add(line->text, place->text, place->len);
}

static void print_frames(const struct line *line)
{
	const struct place_text *places[PLACE_TEXTS_MAX];
	struct spot *spots = line->chain->frames;
	int i, some, nr = locate_frames(line);

	for (; nr > 0; nr -= some, spots += some) {
		some = nr < PLACE_TEXTS_MAX ? nr : PLACE_TEXTS_MAX;
		place_texts_get(line->places, line->world, spots, some, places);
		for (i = 0; i < some; i++) {
			text_char(line->text, '\t');
			print_place(line, spots[i].ip, places[i]);
			if (spots[i].by_frame)
				text_put(line->text, " [fp]");
			text_char(line->text, '\n');
		}
	}
}

/* Print the location of a sample as perf script does, with a line for each frame. */
void line_print_place(const struct line *line)
{
	const struct place_text *place = line->place;
	struct spot spot;

	if (line->ids.fields & PERF_SAMPLE_CALLCHAIN) {
		text_char(line->text, '\n');
		print_frames(line);
		return;
	}
	if (!place) {
		if (world_locate_sample(line->world, line->ids.pid, line->record->header.misc,
					line->ids.ip, &spot))
			return;
		place_texts_get(line->places, line->world, &spot, 1, &place);
	}
	text_char(line->text, ' ');
	print_place(line, line->ids.ip, place);
}
