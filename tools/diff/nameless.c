// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - find functions without a symbol in the old recording
 *
 * Such a function has the name of its binary and its start. In the same build of the binary, it
 * is the one with the same start. In another build, starts differ: it is the one with the same
 * code, but for the addresses that move with other functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/decode.h"
#include "diff/nameless.h"

/* Functions with more code are not compared. */
#define CODE_MAX	(1U << 20)

/**
 * struct old_code - the code of functions in the old recording
 * @hash:	hash of their code
 * @len:	its length
 * @name:	name of the function, or NULL if several have this code
 */
struct old_code {
	u64	hash;
	u64	len;
	const char *name;
};

/**
 * struct renamed - a name
 * @now:	the name in this recording
 * @old:	the name in the old recording, or one that no function has
 */
struct renamed {
	const char *now;
	const char *old;
};

/**
 * struct matching - the state of nameless_match()
 * @nameless:	receives the names
 * @old:	binaries of the old recording
 * @decoder:	finds addresses in code
 * @codes:	struct old_code, by hash
 * @same:	the binary of the old recording with the build-id of the current one, or NULL
 * @is_known:	the old recording has a binary with the name of the current one
 */
struct matching {
	struct nameless *nameless;
	const struct objects *old;
	struct decoder decoder;
	struct hash_table codes;
	const struct object *same;
	bool	is_known;
};

typedef int (*visit_nameless)(struct matching *matching, struct object *object,
			      const struct symbol *symbol);

/* Visit all functions without a symbol that were looked up. */
static int each_in(struct matching *matching, struct object *object, visit_nameless visit)
{
	const struct symbol *symbol = object->symtab.symbols;
	int err = 0;
	size_t i;

	for (i = 0; i < object->symtab.nr && !err; i++, symbol++) {
		if (symbol->nameless && symbol->plain)
			err = visit(matching, object, symbol);
	}
	return err;
}

/* Hash the code of a function. Return false if its binary cannot be read. */
static bool hash_code(const struct matching *matching, struct object *object,
		      const struct symbol *symbol, struct old_code *code)
{
	struct machine_code machine_code = { .len = symbol->end - symbol->start };
	u8 *copy;

	if (machine_code.len > CODE_MAX)
		return false;
	machine_code.bytes = symbol_file_bytes(&object->file, symbol->start, machine_code.len);
	copy = machine_code.bytes ? malloc(machine_code.len) : NULL;
	if (!copy)
		return false;
	memcpy(copy, machine_code.bytes, machine_code.len);
	decode_blank(&matching->decoder, &machine_code, copy);
	*code = (struct old_code){ hash_bytes(0, copy, machine_code.len), machine_code.len, NULL };
	free(copy);
	return true;
}

static bool is_code(const void *entry, const void *key)
{
	const struct old_code *a = entry, *b = key;

	return a->hash == b->hash && a->len == b->len;
}

static struct old_code *find_code(const struct matching *matching, const struct old_code *code)
{
	return hash_table_find(&matching->codes, code->hash, is_code, code);
}

static int add_code(struct matching *matching, struct object *object, const struct symbol *symbol)
{
	struct old_code code, *other;

	if (!hash_code(matching, object, symbol, &code))
		return 0;
	other = find_code(matching, &code);
	if (other) {
		other->name = NULL;
		return 0;
	}
	other = malloc(sizeof(*other));
	if (!other)
		return -ENOMEM;
	*other = code;
	other->name = symbol->name;
	if (!hash_table_add(&matching->codes, code.hash, other))
		return 0;
	free(other);
	return -ENOMEM;
}

static bool is_renamed(const void *entry, const void *name)
{
	return !strcmp(((const struct renamed *)entry)->now, name);
}

static int rename_to(struct matching *matching, const char *now, const char *old)
{
	struct nameless *nameless = matching->nameless;
	u64 hash = hash_text(now);
	struct renamed *renamed;

	if (!old)
		return -ENOMEM;
	if (!strcmp(now, old) || hash_table_find(&nameless->names, hash, is_renamed, now))
		return 0;
	renamed = malloc(sizeof(*renamed));
	if (!renamed)
		return -ENOMEM;
	*renamed = (struct renamed){ now, old };
	if (!hash_table_add(&nameless->names, hash, renamed))
		return 0;
	free(renamed);
	return -ENOMEM;
}

static const char *make_name(struct matching *matching, const char *first, const char *second)
{
	const char *made = NULL;
	char *text;

	if (asprintf(&text, "%s%s", first, second) >= 0) {
		made = interned_get(&matching->nameless->made, text);
		free(text);
	}
	return made;
}

/* Find the name that a function has in the old recording. */
static int place(struct matching *matching, struct object *object, const struct symbol *symbol)
{
	const struct old_code *found = NULL;
	const char *old = symbol->name;
	struct old_code code;

	if (matching->same)
		old = make_name(matching, matching->same->short_name, strrchr(symbol->name, '+'));
	else if (hash_code(matching, object, symbol, &code))
		found = find_code(matching, &code);
	if (found && found->name)
		old = found->name;
	else if (!matching->same && matching->is_known)
		/* At this start, the other build has another function. */
		old = make_name(matching, symbol->name, " (new)");
	return rename_to(matching, symbol->name, old);
}

/* Find the binaries of the old recording with the build-id and with the name of @object. */
static void find_binary(struct matching *matching, const struct object *object)
{
	const struct object *other;
	size_t at = 0;

	matching->same = NULL;
	matching->is_known = false;
	while ((other = hash_table_next(&matching->old->table, &at))) {
		bool is_same_id = !memcmp(&other->build_id, &object->build_id,
					  sizeof(other->build_id));
		bool has_name = !strcmp(other->short_name, object->short_name);

		/* Without build-ids, a name stands for a build. */
		if (is_same_id && (other->build_id.size || has_name))
			matching->same = other;
		matching->is_known |= has_name;
	}
}

static int match(struct matching *matching, const struct objects *now)
{
	struct object *object;
	size_t at = 0;
	int err = 0;

	while (!err && (object = hash_table_next(&matching->old->table, &at)))
		err = each_in(matching, object, add_code);
	at = 0;
	while (!err && (object = hash_table_next(&now->table, &at))) {
		find_binary(matching, object);
		err = each_in(matching, object, place);
	}
	return err;
}

/*
 * Find the functions of @now that have no symbol in @old, which may be the same. Call
 * nameless_free() even if this fails. Both must outlive @nameless. Return 0 or -errno.
 */
int nameless_match(struct nameless *nameless, const struct objects *old,
		   const struct objects *now)
{
	struct matching matching = { .nameless = nameless, .old = old };
	int err;

	*nameless = (struct nameless){ 0 };
	if (old == now)
		return 0;
	err = decoder_init(&matching.decoder);
	if (!err)
		err = match(&matching, now);
	hash_table_free(&matching.codes, free);
	return err;
}

/* Return the name in the old recording of the function @name of this one. */
const char *nameless_old_name(const struct nameless *nameless, const char *name)
{
	const struct renamed *renamed = NULL;

	if (nameless->names.nr)
		renamed = hash_table_find(&nameless->names, hash_text(name), is_renamed, name);
	return renamed ? renamed->old : name;
}

void nameless_free(struct nameless *nameless)
{
	hash_table_free(&nameless->names, free);
	interned_free(&nameless->made);
}
