// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - look up unwind rules, source lines and inlined functions in DWARF
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/object_dwarf.h"

#define MAX_RULES	(64U << 10)

/**
 * struct description - what DWARF has about an address
 * @rules:	unwind rules, NULL if there are none
 * @line:	source line
 * @inlines:	functions inlined at the address
 * @has_rules:	@rules was looked up
 */
struct description {
	Dwarf_Frame *rules;
	const char *line;
	struct inline_list *inlines;
	bool	has_rules;
};

/* Find or create the description of an address. Return NULL if out of memory. */
static struct description *describe(struct object *object, u64 addr)
{
	return hash_table_get(&object->described, addr, sizeof(struct description));
}

/*
 * Return true if @object->file is of the recorded build. Return false for the kernel,
 * which file_of() handles, and for its modules.
 */
static bool is_usable(const struct object *object)
{
	return !object_is_kernels(object) && symbol_has_code(object->why);
}

/* Free rules that are too large: rules for nonexistent registers can take gigabytes. */
static Dwarf_Frame *of_bounded_size(Dwarf_Frame *rules)
{
	if (malloc_usable_size(rules) <= MAX_RULES)
		return rules;
	free(rules);
	return NULL;
}

/*
 * Return the unwind rules at an address, or NULL if there are none. @object must be
 * loaded, and owns the rules.
 */
Dwarf_Frame *object_rules(struct object *object, u64 addr)
{
	struct description *found = is_usable(object) ? describe(object, addr) : NULL;

	if (!found)
		return NULL;
	if (!found->has_rules)
		found->rules = of_bounded_size(symbol_file_rules(&object->file, addr));
	found->has_rules = true;
	return found->rules;
}

/* Return the file with DWARF, or NULL. For the kernel, it is the vmlinux file. */
static struct symbol_file *file_of(struct symbol_sources *sources, struct object *object)
{
	if (is_usable(object))
		return &object->file;
	return object->kind == OBJECT_KERNEL && object->why == SYMBOL_FOUND ?
		       &sources->kernel.file : NULL;
}

/* Format an address as perf does: "file:line", "function+offset" or "binary[address]". */
static char *line_text(const struct source *source, const struct object *object, u64 addr,
		       const struct symbol *symbol)
{
	const char *base = source->path ? strrchr(source->path, '/') : NULL;
	char *text;
	int len;

	if (source->path)
		len = asprintf(&text, "%s:%d", base ? base + 1 : source->path, source->line);
	else if (symbol->name)
		len = asprintf(&text, "%s+%llu", symbol->name, addr - symbol->start);
	else
		len = asprintf(&text, "%s[%llx]", object->short_name, addr);
	return len < 0 ? NULL : text;
}

/* Find the source line of a JIT-compiled function at an address. */
static struct source jit_source(const struct object *object, u64 addr)
{
	const struct jit_line *line = jit_lines_find(&object->lines, addr);
	const struct symbol *symbol = symtab_find(&object->symtab, addr);

	/* A function without lines may follow one that has some. */
	if (!line || !symbol || line->addr < symbol->start)
		return (struct source){ 0 };
	return (struct source){ line->path, line->line };
}

/* Find the source line of an address. @object must be loaded. */
struct source object_source(struct symbol_sources *sources, struct object *object, u64 addr)
{
	struct symbol_file *file = file_of(sources, object);
	struct source source = { 0 };

	if (object->kind == OBJECT_JIT_DUMP)
		return jit_source(object, addr);
	if (file)
		source.path = symbol_file_line(file, addr, &source.line);
	return source;
}

/*
 * Return the text of line_text() for an address, or NULL if out of memory. For equal
 * texts, the pointer is the same. @object must be loaded.
 */
const char *object_line(struct symbol_sources *sources, struct object *object, u64 addr,
			const struct symbol *symbol)
{
	struct description *found = describe(object, addr);
	struct source source;
	char *text;

	if (!found || found->line)
		return found ? found->line : NULL;
	source = object_source(sources, object, addr);
	text = line_text(&source, object, addr, symbol);
	found->line = text ? interned_get(&sources->names, text) : NULL;
	free(text);
	return found->line;
}

/**
 * struct inlining - state of listing inlined functions
 * @sources:	sources of symbols
 * @object:	the binary
 * @around:	function that the listed functions are inlined into
 * @list:	the result
 */
struct inlining {
	struct symbol_sources *sources;
	struct object *object;
	const struct symbol *around;
	struct inline_list *list;
};

/**
 * struct inlined - a function that is inlined into another
 * @symbol:	the inlined function, with the start address of @around
 * @around:	function that it is inlined into
 * @name:	name of the inlined function in DWARF
 */
struct inlined {
	struct symbol symbol;
	const struct symbol *around;
	const char *name;
};

/* Return the function that @symbol is inlined into, or @symbol if it is not inlined. */
const struct symbol *symbol_around(const struct symbol *symbol)
{
	return symbol->inlined ? container_of(symbol, struct inlined, symbol)->around : symbol;
}

static bool is_inlined(const void *entry, const void *wanted)
{
	const struct inlined *inlined = entry, *key = wanted;

	return inlined->around == key->around && !strcmp(inlined->name, key->name);
}

static struct symbol *find_inlined(struct inlining *inlining, const char *name)
{
	u64 hash = hash_number(hash_text(name) + (uintptr_t)inlining->around);
	struct inlined key = { .around = inlining->around, .name = name }, *inlined;
	struct hash_table *table = &inlining->object->inlined;

	inlined = hash_table_find(table, hash, is_inlined, &key);
	if (inlined)
		return &inlined->symbol;
	inlined = calloc(1, sizeof(*inlined));
	if (!inlined)
		return NULL;
	*inlined = key;
	inlined->name = interned_get(&inlining->object->names, name);
	inlined->symbol = (struct symbol){ .start = key.around->start, .name = inlined->name,
					   .inlined = true };
	if (!inlined->name || hash_table_add(table, hash, inlined)) {
		free(inlined);
		return NULL;
	}
	object_make_plain(inlining->object, &inlined->symbol, &inlining->sources->options);
	return &inlined->symbol;
}

static int add_inlined(void *arg, const struct inline_call *call)
{
	struct inlining *inlining = arg;
	size_t nr = inlining->list->nr;
	struct inline_list *list;

	list = realloc(inlining->list, sizeof(*list) + (nr + 1) * sizeof(*list->functions));
	if (!list)
		return -ENOMEM;
	inlining->list = list;
	list->functions[nr].symbol = find_inlined(inlining, call->name);
	list->functions[nr].call = (struct source){ call->path, call->line };
	if (!list->functions[nr].symbol)
		return -ENOMEM;
	list->nr++;
	return 0;
}

/*
 * List the functions that are inlined at @addr into @symbol. Return the list, which is
 * often empty, or NULL if out of memory. @object must be loaded.
 */
const struct inline_list *object_inlines(struct symbol_sources *sources, struct object *object,
					 u64 addr, const struct symbol *symbol)
{
	struct inlining inlining = { .sources = sources, .object = object, .around = symbol };
	struct description *found = describe(object, addr);
	struct symbol_file *file = file_of(sources, object);
	int err = 0;

	if (!found || found->inlines)
		return found ? found->inlines : NULL;
	inlining.list = calloc(1, sizeof(*inlining.list));
	if (!inlining.list)
		return NULL;
	if (file)
		err = symbol_file_each_inline(file, addr, add_inlined, &inlining);
	if (err) {
		free(inlining.list);
		return NULL;
	}
	found->inlines = inlining.list;
	return found->inlines;
}

/*
 * Call @visit as symbol_file_each_function() does. @object must be loaded. Return 0, or the
 * error of @visit.
 */
int object_each_function(struct symbol_sources *sources, struct object *object, u64 addr,
			 int (*visit)(void *arg, const struct code_line *line), void *arg)
{
	struct symbol_file *file = file_of(sources, object);

	return file ? symbol_file_each_function(file, addr, visit, arg) : 0;
}

/* Return the same as symbol_file_directory(). @object must be loaded. */
const char *object_directory(struct symbol_sources *sources, struct object *object, u64 addr)
{
	struct symbol_file *file = file_of(sources, object);

	return file ? symbol_file_directory(file, addr) : NULL;
}

/* Call @visit as symbol_file_each_range() does. Otherwise the same as object_each_function(). */
int object_each_range(struct symbol_sources *sources, struct object *object, u64 addr,
		      int (*visit)(void *arg, const struct inline_range *range), void *arg)
{
	struct symbol_file *file = file_of(sources, object);

	return file ? symbol_file_each_range(file, addr, visit, arg) : 0;
}

static void free_description(void *entry)
{
	struct description *found = entry;

	free(found->rules);
	free(found->inlines);
	free(found);
}

void object_dwarf_free(struct object *object)
{
	hash_table_free(&object->described, free_description);
	hash_table_free(&object->inlined, free);
}
