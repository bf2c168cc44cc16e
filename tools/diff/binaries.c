// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - find the binaries of a recording in the old recording
 *
 * A binary is the one with the same build-id, even if it has another name now. Without
 * such a binary, it is the one with the same name: then it was built again. A name may
 * stand for several binaries, so that their matches differ: then it stays as it is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/binaries.h"

/* The name of all JIT-compiled code. The names in recordings differ in each run. */
#define JIT_NAME	"[JIT]"

/**
 * struct old_id - a build-id in the old recording
 * @id:		the build-id
 * @name:	name of its binary; the first one of the alphabet if there are several
 */
struct old_id {
	struct build_id id;
	const char *name;
};

/**
 * struct binary_name - a name of binaries
 * @name:	the name
 * @old:	their name in the old recording, or a text that no binary has as its name
 * @by_id:	@old is the name of a binary with the same build-id
 * @is_mixed:	the matches of the binaries differ
 */
struct binary_name {
	const char *name;
	const char *old;
	bool	by_id;
	bool	is_mixed;
};

static bool is_id(const void *entry, const void *key)
{
	const struct old_id *old = entry;
	const struct build_id *id = key;

	return !memcmp(old->id.data, id->data, sizeof(id->data));
}

static bool is_name(const void *entry, const void *key)
{
	const struct binary_name *binary = entry;

	return !strcmp(binary->name, key);
}

static u64 hash_id(const struct build_id *id)
{
	return hash_bytes(0, id->data, sizeof(id->data));
}

static struct old_id *find_id(const struct binaries *binaries, const struct build_id *id)
{
	return id->size ? hash_table_find(&binaries->ids, hash_id(id), is_id, id) : NULL;
}

static struct binary_name *find_name(const struct binaries *binaries, const char *name)
{
	return hash_table_find(&binaries->names, hash_text(name), is_name, name);
}

/* Add a copy of @entry, of @bytes bytes. */
static int add_copy(struct hash_table *table, u64 hash, const void *entry, size_t bytes)
{
	void *copy = malloc(bytes);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, entry, bytes);
	if (!hash_table_add(table, hash, copy))
		return 0;
	free(copy);
	return -ENOMEM;
}

static int add_ids(struct binaries *binaries, const struct objects *old, binary_namer namer)
{
	const struct object *object;
	struct old_id *other, id;
	size_t at = 0;
	int err = 0;

	while (!err && (object = hash_table_next(&old->table, &at))) {
		if (!object->build_id.size)
			continue;
		id = (struct old_id){ object->build_id, namer(object) };
		other = find_id(binaries, &id.id);
		if (!other)
			err = add_copy(&binaries->ids, hash_id(&id.id), &id, sizeof(id));
		else if (strcmp(id.name, other->name) < 0)
			other->name = id.name;
	}
	return err;
}

static bool is_jit(const struct object *object)
{
	return object->kind == OBJECT_JIT || object->kind == OBJECT_JIT_DUMP;
}

static int add_name(struct binaries *binaries, const struct object *object, binary_namer namer)
{
	const struct old_id *id = find_id(binaries, &object->build_id);
	struct binary_name binary = { .name = namer(object), .by_id = id }, *other;

	binary.old = id ? id->name : is_jit(object) ? JIT_NAME : binary.name;
	other = find_name(binaries, binary.name);
	if (!other)
		return add_copy(&binaries->names, hash_text(binary.name), &binary, sizeof(binary));
	if (strcmp(other->old, binary.old))
		other->is_mixed = true;
	other->by_id |= binary.by_id;
	return 0;
}

/* Let no name of mixed binaries have a match by build-id. */
static void settle_mixed(struct binaries *binaries)
{
	struct binary_name *binary;
	size_t at = 0;

	while ((binary = hash_table_next(&binaries->names, &at))) {
		if (!binary->is_mixed)
			continue;
		binary->old = binary->name;
		binary->by_id = false;
	}
}

/* Note the old names of binaries that have another name now. */
static int claim_names(struct binaries *binaries)
{
	const struct binary_name *binary;
	size_t at = 0;

	while ((binary = hash_table_next(&binaries->names, &at))) {
		if (binary->by_id && strcmp(binary->old, binary->name) &&
		    !interned_get(&binaries->claimed, binary->old))
			return -ENOMEM;
	}
	return 0;
}

static bool is_text(const void *entry, const void *key)
{
	return !strcmp(entry, key);
}

/* Match no binary by a name that belongs to another one by its build-id. */
static int separate_new(struct binaries *binaries)
{
	struct binary_name *binary;
	char text[4096 + 8];
	size_t at = 0;

	while ((binary = hash_table_next(&binaries->names, &at))) {
		if (binary->by_id || !hash_table_find(&binaries->claimed.table,
						      hash_text(binary->old), is_text, binary->old))
			continue;
		snprintf(text, sizeof(text), "%s (new)", binary->old);
		binary->old = interned_get(&binaries->made, text);
		if (!binary->old)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Find the binaries of @now in @old, which may be the same. Call binaries_free() even if
 * this fails. Both must outlive @binaries.
 *
 * @namer: returns the name that keys have
 */
int binaries_match(struct binaries *binaries, const struct objects *old,
		   const struct objects *now, binary_namer namer)
{
	const struct object *object;
	size_t at = 0;
	int err;

	*binaries = (struct binaries){ 0 };
	err = add_ids(binaries, old, namer);
	while (!err && (object = hash_table_next(&now->table, &at)))
		err = add_name(binaries, object, namer);
	if (err)
		return err;
	settle_mixed(binaries);
	err = claim_names(binaries);
	return err ? err : separate_new(binaries);
}

/* Return the name of a binary in the old recording. */
const char *binaries_old_name(const struct binaries *binaries, const char *name)
{
	const struct binary_name *binary = find_name(binaries, name);

	return binary ? binary->old : name;
}

void binaries_free(struct binaries *binaries)
{
	hash_table_free(&binaries->names, free);
	hash_table_free(&binaries->ids, free);
	interned_free(&binaries->claimed);
	interned_free(&binaries->made);
}
