// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - functions without a symbol in two recordings
 *
 * The functions are those of libraries that the test compiles and strips. Their addresses are
 * taken from copies with symbols.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diff/nameless.h"
#include "perfdata/buildid.h"
#include "unit.h"

static char dir[] = "/tmp/nameless_test.XXXXXX";
static const struct symbol_options options = { .no_debuginfod = true };

static void sh(const char *what)
{
	char command[2048];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	if (system(command))
		abort();
}

/* Compile lib.c to @name.full, and strip it as @name/lib.so. */
static void build_library(const char *name, const char *flags)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "gcc -O1 -fPIC -shared -Wl,--build-id -o %s.full lib.c %s", name, flags);
	sh(command);
	snprintf(command, sizeof(command), "mkdir -p %s && strip -o %s/lib.so %s.full", name, name,
		 name);
	sh(command);
}

/* Look functions of a library up, as samples do. */
static void look_up(struct objects *objects, const char *library, const char *file_name)
{
	static const char *const all[] = { "one", "two", NULL };
	const char *const *names = all;
	struct build_id id = { 0 };
	char full[128], path[128];
	struct symbol_file file = { 0 };
	struct symtab symtab = { 0 };
	struct object_key key = { .name = path, .build_id = &id, .kind = OBJECT_FILE };
	size_t i;

	snprintf(full, sizeof(full), "%s/%s.full", dir, library);
	snprintf(path, sizeof(path), "%s/%s/%s", dir, library, file_name);
	if (build_id_of_file(path, &id) ||
	    symbol_file_load(&file, full, NULL, &options, SYMBOL_ADDRESS_OFFSET, &symtab))
		abort();
	objects_init(objects, &options);
	for (; *names; names++) {
		for (i = 0; i < symtab.nr; i++) {
			if (!strcmp(symtab.symbols[i].name, *names))
				object_resolve(objects, objects_get(objects, &key),
					       symtab.symbols[i].start);
		}
	}
	symbol_file_close(&file);
	symtab_free(&symtab);
}

/*
 * Return the name that the function at position @at in the file has, NULL if it was not
 * looked up.
 */
static const char *name_at(const struct objects *objects, size_t at)
{
	const struct object *object;
	size_t next = 0, i;

	object = hash_table_next(&objects->table, &next);
	for (i = 0; i < object->symtab.nr; i++) {
		if (object->symtab.symbols[i].nameless && object->symtab.symbols[i].plain && !at--)
			return object->symtab.symbols[i].name;
	}
	return NULL;
}

static const char *old_name(const struct nameless *nameless, const struct objects *now, size_t at)
{
	return nameless_old_name(nameless, name_at(now, at));
}

int main(void)
{
	struct objects old, again, now;
	struct nameless nameless;

	if (!mkdtemp(dir))
		abort();
	sh("cat >lib.c <<'END'\n"
	   "#define HIDDEN static __attribute__((noipa))\n"
	   "int shared;\n"
	   "#ifdef MORE\n"
	   "HIDDEN int more(int x) { return x * x * 31 + shared; }\n"
	   "#endif\n"
	   "HIDDEN int one(int x) { shared += x; return x * 3; }\n"
	   "HIDDEN int two(int x) { return one(x) + CHANGED * one(x + 1); }\n"
	   "int entry(int x) { return two(x)\n"
	   "#ifdef MORE\n"
	   "+ more(x)\n"
	   "#endif\n"
	   "; }\n"
	   "END");
	build_library("old", "-DCHANGED=5");
	build_library("now", "-DCHANGED=7 -DMORE");
	sh("mkdir again && cp old/lib.so again/renamed.so && cp old.full again.full");
	look_up(&old, "old", "lib.so");
	look_up(&again, "again", "renamed.so");
	look_up(&now, "now", "lib.so");
	unit_ok(name_at(&old, 1) && name_at(&now, 1) && strcmp(name_at(&old, 0), name_at(&now, 0)),
		"in_another_build_starts_differ");
	nameless_match(&nameless, &old, &again);
	unit_ok(!strcmp(old_name(&nameless, &again, 0), name_at(&old, 0)) &&
		!strcmp(old_name(&nameless, &again, 1), name_at(&old, 1)),
		"in_the_same_build_a_function_has_the_same_start_whatever_its_name");
	nameless_free(&nameless);
	nameless_match(&nameless, &old, &now);
	unit_ok(!strcmp(old_name(&nameless, &now, 0), name_at(&old, 0)),
		"in_another_build_a_function_has_the_same_code");
	unit_ok(strstr(old_name(&nameless, &now, 1), " (new)"), "changed_code_is_a_new_function");
	nameless_free(&nameless);
	objects_free(&old);
	objects_free(&again);
	objects_free(&now);
	sh("rm -r old* now* again* lib.c");
	rmdir(dir);
	return unit_exit();
}
