// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find the machine code of a function
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "code/code_source.h"
#include "code/kernel_memory.h"
#include "code/kernel_text.h"
#include "symbols/object_load.h"
#include "symbols/trusted_file.h"

static bool allocate(struct function_code *found)
{
	found->memory = malloc(found->code.len);
	found->code.bytes = found->memory;
	return found->memory;
}

/* Return the address to which the function at @offset of its file was loaded last. */
static u64 loaded_at(const struct jit_loads *loads, u64 offset)
{
	size_t i;

	for (i = loads->nr; i--;) {
		if (loads->list[i].offset == offset)
			return loads->list[i].start;
	}
	return offset;
}

/* Return the address of the first byte of @symbol, of the same kind as those of its code. */
u64 code_address(struct object *object, const struct symbol *symbol)
{
	u64 addr = symbol->start, linked;

	if (object->kind == OBJECT_JIT_DUMP)
		return loaded_at(&object->loads, addr);
	if (!object_is_kernels(object) && symbol_file_linked(&object->file, addr, &linked))
		return linked;
	return addr;
}

static enum code_status find_in_file(struct symbol_file *file, const struct symbol *symbol,
				     struct function_code *found)
{
	if (!file->module)
		return CODE_NO_FILE;
	if (!symbol_file_linked(file, symbol->start, &found->code.addr))
		return CODE_UNREADABLE;
	found->code.len = symbol_file_code_len(file, symbol->start, found->code.len);
	if (!found->code.len)
		return CODE_UNREADABLE;
	found->code.bytes = symbol_file_bytes(file, symbol->start, found->code.len);
	return found->code.bytes ? CODE_FOUND : CODE_UNREADABLE;
}

static enum code_status find_in_memory(struct symbol_sources *sources, struct object *object,
				       const struct symbol *symbol, struct function_code *found)
{
	u64 moved;
	int err;

	if (!object_runs_here(sources, object, &moved))
		return CODE_OTHER_KERNEL;
	if (!allocate(found))
		return CODE_NO_MEMORY;
	err = kernel_memory_read(KERNEL_MEMORY, symbol->start - moved, found->memory,
				 found->code.len);
	if (!err)
		return CODE_FOUND;
	return err == -EACCES || err == -EPERM ? CODE_DENIED : CODE_UNREADABLE;
}

static enum code_status find_in_kernel(struct symbol_sources *sources, struct object *object,
				       const struct symbol *symbol, struct function_code *found)
{
	struct symbol_file *vmlinux = &sources->kernel.file;
	enum code_status status;

	if (object->kind != OBJECT_KERNEL || !sources->options.vmlinux)
		found->code.bytes = kernel_text_find(&sources->code, symbol->start,
						     found->code.len);
	if (found->code.bytes)
		return CODE_FOUND;
	if (object->kind != OBJECT_KERNEL || !vmlinux->module)
		return find_in_memory(sources, object, symbol, found);
	status = find_in_file(vmlinux, symbol, found);
	found->code.addr = symbol->start;
	return status;
}

static bool read_at(FILE *file, u64 offset, void *buf, size_t len)
{
	return !fseeko(file, offset, SEEK_SET) && fread(buf, len, 1, file) == 1;
}

static enum code_status find_in_dump(struct symbol_sources *sources, struct object *object,
				     const struct symbol *symbol, struct function_code *found)
{
	const char *symfs = sources->options.symfs;
	enum code_status status = CODE_NO_FILE;
	FILE *file;
	char *path;

	if (asprintf(&path, "%s%s", symfs ? symfs : "", object->name) < 0)
		return CODE_NO_MEMORY;
	if (!trusted_file_open(path, symfs ? 0 : object->ino, &file)) {
		if (!allocate(found))
			status = CODE_NO_MEMORY;
		else
			status = read_at(file, symbol->start, found->memory, found->code.len) ?
					 CODE_FOUND : CODE_UNREADABLE;
		fclose(file);
	}
	free(path);
	return status;
}

static enum code_status find(struct symbol_sources *sources, struct object *object,
			     const struct symbol *symbol, struct function_code *found)
{
	switch (object->kind) {
	case OBJECT_FILE:
	case OBJECT_VDSO:
		return find_in_file(&object->file, symbol, found);
	case OBJECT_KERNEL:
	case OBJECT_MODULE:
		return find_in_kernel(sources, object, symbol, found);
	case OBJECT_JIT_DUMP:
		return find_in_dump(sources, object, symbol, found);
	default:
		return CODE_NONE;
	}
}

/*
 * Find the code of @symbol, a function of @object, which must be loaded. Call code_free() after
 * the last use of the code, even if this fails. The code may be valid only as long as @object.
 */
enum code_status code_find(struct symbol_sources *sources, struct object *object,
			   const struct symbol *symbol, struct function_code *found)
{
	enum code_status status;

	*found = (struct function_code){ .code.addr = code_address(object, symbol) };
	if (symbol->end <= symbol->start)
		return CODE_UNREADABLE;
	if (symbol->end - symbol->start > CODE_MAX)
		return CODE_TOO_LARGE;
	found->code.len = symbol->end - symbol->start;
	status = find(sources, object, symbol, found);
	found->moved = found->code.addr - symbol->start;
	return status;
}

/*
 * Convert @addr, an address of the same kind as those in @found, to an address in @object.
 * Return false if the binary has none there.
 */
bool code_object_addr(struct object *object, const struct function_code *found, u64 addr,
		      u64 *object_addr)
{
	u64 offset = addr - found->code.addr;

	*object_addr = addr - found->moved;
	if (offset < found->code.len || object_is_kernels(object))
		return true;
	/* Parts of a file may be moved by different distances. */
	return (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO) &&
	       symbol_file_unlinked(&object->file, addr, object_addr);
}

void code_free(struct function_code *found)
{
	free(found->memory);
	*found = (struct function_code){ 0 };
}
