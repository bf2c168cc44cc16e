// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the texts that script prints for sampled places
 */
#include <stdlib.h>
#include <string.h>

#include "script/place_texts.h"
#include "unit.h"

static struct place_texts texts;
static struct world world;
static struct object *objects[2];

static struct object *make_object(const char *name)
{
	struct object_key key = { .name = name, .kind = OBJECT_FILE };
	struct object *object = objects_get(&world.objects, &key);
	struct symbol symbol = { .start = 0x1000, .end = 0x2000, .name = "work" };

	symtab_add(&object->symtab, &symbol);
	symtab_finish(&object->symtab);
	object->loaded = true;
	object->why = SYMBOL_FOUND;
	return object;
}

static struct spot spot_at(int object, u64 addr)
{
	return (struct spot){ .ip = addr + 0x100000, .addr = addr, .object = objects[object] };
}

static bool has_text(struct spot spot, const char *wanted)
{
	const struct place_text *text;

	place_texts_get(&texts, &world, &spot, 1, &text);
	return text->len == strlen(wanted) && !strcmp(text->text, wanted);
}

/* Look up many new places at a time, each of them twice. Then look up all again. */
static void test_many(void)
{
	const struct place_text *first[PLACE_TEXTS_MAX], *again[PLACE_TEXTS_MAX];
	struct spot spots[PLACE_TEXTS_MAX];
	char wanted[64];
	bool same = true;

	for (int i = 0; i < PLACE_TEXTS_MAX; i++)
		spots[i] = spot_at(i % 2, 0x1000 + i / 4);
	place_texts_get(&texts, &world, spots, PLACE_TEXTS_MAX, first);
	place_texts_get(&texts, &world, spots, PLACE_TEXTS_MAX, again);
	for (int i = 0; i < PLACE_TEXTS_MAX; i++) {
		snprintf(wanted, sizeof(wanted), "work+0x%x (/bin/%s)", i / 4,
			 i % 2 ? "other" : "one");
		same &= !strcmp(first[i]->text, wanted) && first[i] == again[i];
	}
	unit_ok(same && texts.table.nr == PLACE_TEXTS_MAX / 2,
		"place texts: each place has one text");
}

static void test_inlined(void)
{
	struct symbol inner = { .start = 0x1010, .name = "inner", .inlined = true };
	struct spot spot = spot_at(0, 0x1018);

	spot.symbol = &inner;
	unit_ok(has_text(spot, "inner+0x8 (inlined)") &&
		has_text(spot_at(0, 0x1018), "work+0x18 (/bin/one)"),
		"place texts: an inlined function has a text of its own");
}

static void test_trim(void)
{
	bool kept;

	place_texts_trim(&texts);
	kept = texts.table.nr;
	for (u64 addr = 0; texts.bytes <= 64UL << 20; addr++)
		has_text(spot_at(0, addr), "");
	place_texts_trim(&texts);
	unit_ok(kept && !texts.table.nr && !texts.bytes,
		"place texts: all are freed when they take too much memory");
	unit_ok(has_text(spot_at(1, 0x1001), "work+0x1 (/bin/other)"),
		"place texts: a text is made again");
}

int main(void)
{
	struct symbol_options options = { .no_debuginfod = true };
	static struct feature_set none;
	struct spot kernel;

	world_init(&world, &options, &none);
	objects[0] = make_object("/bin/one");
	objects[1] = make_object("/bin/other");
	test_many();
	unit_ok(has_text(spot_at(0, 0x5000), "[unknown] (/bin/one)"),
		"place texts: an address may be in no function");
	kernel = spot_at(0, 0x1000);
	kernel.is_kernel = true;
	unit_ok(has_text(kernel, "work+0x0 (one)"),
		"place texts: a kernel address has the short name of its binary");
	test_inlined();
	test_trim();
	place_texts_free(&texts);
	world_free(&world);
	return unit_exit();
}
