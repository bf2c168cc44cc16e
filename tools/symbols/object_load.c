// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - load the symbols of a binary
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/buildid.h"
#include "symbols/jit_dump.h"
#include "symbols/object_load.h"
#include "symbols/object_paths.h"
#include "symbols/perf_map.h"

static enum symbol_status try_path(struct symbol_sources *sources, struct object *object,
				   const char *path)
{
	symbol_file_close(&object->file);
	return symbol_file_load(&object->file, path, &object->build_id, &sources->options,
				SYMBOL_ADDRESS_OFFSET, &object->symtab);
}

static enum symbol_status try_file(struct symbol_sources *sources, struct object *object, u32 nr)
{
	enum symbol_status status;
	char *path = object_path(object, sources->options.symfs, nr);

	if (!path)
		return SYMBOL_NO_FILE;
	status = try_path(sources, object, path);
	free(path);
	return status;
}

static enum symbol_status try_kept(struct symbol_sources *sources, struct object *object)
{
	const struct kept_files *kept = sources->options.kept;
	int fd = kept ? kept_files_find(kept, &object->build_id) : -1;
	char path[32];

	if (fd < 0)
		return SYMBOL_NO_FILE;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return try_path(sources, object, path);
}

/* Try all paths. If none is usable, return the reason for the most likely path. */
static enum symbol_status load_file(struct symbol_sources *sources, struct object *object)
{
	enum symbol_status first, status = try_kept(sources, object);
	u32 nr;

	if (symbol_has_code(status) || sources->options.only_kept)
		return status;
	first = try_file(sources, object, 0);
	status = first;
	for (nr = 1; nr < OBJECT_PATHS && !symbol_has_code(status); nr++)
		status = try_file(sources, object, nr);
	return symbol_has_code(status) ? status : first;
}

/* Load the functions of a perf map or jitdump file. */
static enum symbol_status load_jit(struct symbol_sources *sources, struct object *object)
{
	const char *symfs = sources->options.symfs;
	enum symbol_status status;
	char *path;

	if (asprintf(&path, "%s%s", symfs ? symfs : "", object->name) < 0)
		return SYMBOL_UNREADABLE;
	if (object->kind == OBJECT_JIT)
		status = perf_map_load(path, &object->names, &object->symtab);
	else
		status = jit_dump_load(path, symfs ? 0 : object->ino, &object->names,
				       &object->symtab, &object->loads, &object->lines);
	free(path);
	return status;
}

/*
 * Load the symbols of the running kernel's vDSO, if it is the recorded vDSO. If its
 * build-id was not recorded, check that the running kernel is the recorded one.
 */
static enum symbol_status load_vdso(struct symbol_sources *sources, struct object *object)
{
	if (!object->build_id.size && !kernel_symbols_are_here(&sources->kernel))
		return SYMBOL_OTHER_KERNEL;
	return symbol_file_load_vdso(&object->file, &object->build_id, &object->symtab);
}

/* Return true if the loaded module is another build than the recorded one. */
static bool is_other_module(const struct object *object)
{
	char name[64];
	struct build_id id;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(object->short_name + 1, "]"),
		 object->short_name + 1);
	return object->build_id.size && !build_id_of_module(name, &id) &&
	       !build_ids_agree(&id, &object->build_id);
}

/*
 * Return true if the running kernel has the code of @object, which is the kernel or a module.
 * Set @moved to what the recorded addresses differ by from those in this kernel.
 */
bool object_runs_here(struct symbol_sources *sources, const struct object *object, u64 *moved)
{
	struct kernel_symbols *kernel = &sources->kernel;

	if (sources->options.kallsyms || !kernel->build_id.size || !kernel->text ||
	    !kernel_symbols_are_here(kernel))
		return false;
	kernel_symbols_load(kernel, &sources->options);
	*moved = kernel->moved;
	if (object->kind == OBJECT_MODULE && (*moved || is_other_module(object)))
		return false;
	return kernel->here == SYMBOL_FOUND;
}

static enum symbol_status load_kernel(struct symbol_sources *sources, struct object *object)
{
	kernel_symbols_load(&sources->kernel, &sources->options);
	if (object->kind == OBJECT_KERNEL)
		return sources->kernel.kernel;
	if (sources->kernel.modules == SYMBOL_FOUND && !sources->options.kallsyms &&
	    is_other_module(object))
		return SYMBOL_OTHER_BUILD;
	return sources->kernel.modules;
}

static void load_from_machine(struct symbol_sources *sources, struct object *object)
{
	switch (object->kind) {
	case OBJECT_FILE:
		object->why = load_file(sources, object);
		break;
	case OBJECT_VDSO:
		object->why = load_vdso(sources, object);
		break;
	case OBJECT_KERNEL:
	case OBJECT_MODULE:
		object->why = load_kernel(sources, object);
		break;
	case OBJECT_JIT:
	case OBJECT_JIT_DUMP:
		object->why = load_jit(sources, object);
		break;
	case OBJECT_MADE:
	case OBJECT_NOTHING:
		break;
	}
}

/*
 * Load the symbols of a binary. Symbols in the recording take precedence,
 * except over a kernel file that the user specified. Even with symbols in the
 * recording, open the file of the binary, for source lines and unwind rules. Do
 * not do this for the kernel and its modules.
 */
void object_load(struct symbol_sources *sources, struct object *object)
{
	bool is_kernel = object_is_kernels(object);
	bool is_named = is_kernel && (sources->options.vmlinux || sources->options.kallsyms);
	int ret;

	object->loaded = true;
	if (sources->options.only_kept && object->kind != OBJECT_FILE) {
		object->why = SYMBOL_NO_FILE;
		return;
	}
	if (!is_kernel || is_named)
		load_from_machine(sources, object);
	/* Never use code or DWARF of another build. */
	if (!symbol_has_code(object->why))
		symbol_file_close(&object->file);
	if (is_named && object->why == SYMBOL_FOUND)
		return;
	ret = embedded_apply(&sources->embedded, object);
	if (ret < 0)
		object->why = SYMBOL_UNREADABLE;
	else if (!ret && is_kernel && !is_named)
		load_from_machine(sources, object);
	object->embedded = ret > 0;
}
