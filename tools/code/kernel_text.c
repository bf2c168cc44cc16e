// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the kernel's code in the recording itself
 *
 * The section PERFDATA_TPROF_CODE has a u32 version, then for each function:
 *   u64 recorded address, u32 length, the bytes
 */
#include "code/kernel_memory.h"
#include "code/kernel_text.h"

#define VERSION		1

/* Maximum length of a function. Larger ones are tables of data. */
#define MAX_LEN		(1U << 20)

/* Add the code of a function, unless it cannot be read or the section would be too large. */
static void add_function(int memory, const struct symbol *symbol, struct bytes *out)
{
	u64 len = symbol->end - symbol->start;
	size_t before = out->len;
	void *to;

	if (len > MAX_LEN || before + sizeof(u64) + sizeof(u32) + len > PERFDATA_FEATURE_MAX)
		return;
	bytes_add_u64(out, symbol->start);
	bytes_add_u32(out, len);
	to = bytes_extend(out, len);
	if (to && kernel_memory_read_fd(memory, symbol->start, to, len))
		out->len = before;
}

static void add_object(int memory, const struct object *object,
		       const struct kernel_symbols *kernel, struct bytes *out)
{
	const struct symtab *symtab = object_symtab(object, kernel);
	const struct symbol *symbol;
	size_t i;

	for (i = 0; i < symtab->nr; i++) {
		symbol = &symtab->symbols[i];
		if (symbol->plain && object_has_symbol(object, symbol) &&
		    symbol->end > symbol->start)
			add_function(memory, symbol, out);
	}
}

/*
 * Write the section. Call this after the addresses of all samples were looked up, on the machine
 * that was recorded.
 *
 * @memory: an open /proc/kcore
 */
void kernel_text_write(int memory, const struct objects *objects, struct bytes *out)
{
	const struct object *object;
	size_t at = 0;

	bytes_add_u32(out, VERSION);
	while ((object = hash_table_next(&objects->table, &at))) {
		if (object_is_kernels(object) && object->loaded && object->why == SYMBOL_FOUND)
			add_object(memory, object, &objects->sources.kernel, out);
	}
}

/*
 * Return the @len bytes of the function at a recorded address, or NULL if @section does not have
 * it. They are valid as long as the section.
 */
const u8 *kernel_text_find(const struct feature_cursor *section, u64 addr, u64 len)
{
	struct feature_cursor cursor = *section;
	const u8 *bytes;
	u32 version, nr;
	u64 start;

	if (!feature_u32(&cursor, &version) || version != VERSION)
		return NULL;
	while (feature_u64(&cursor, &start) && feature_u32(&cursor, &nr)) {
		bytes = feature_take(&cursor, nr);
		if (!bytes)
			return NULL;
		if (start == addr && nr == len)
			return bytes;
	}
	return NULL;
}
