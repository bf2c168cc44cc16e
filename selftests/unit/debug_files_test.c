// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - debug information that is not in the binary
 *
 * The test compiles a library with a function that has another one inlined, and looks for the
 * inlined one and for source lines. The library is never loaded.
 */
#include <dlfcn.h>
#include <elfutils/version.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "symbols/object_dwarf.h"
#include "symbols/object_load.h"
#include "symbols/objects.h"
#include "unit.h"

static char dir[] = "/tmp/debug_files_test.XXXXXX";
static char binary[64];

/* The inlined function is line 1, its call is in line 3. */
static const char source[] =
	"static inline __attribute__((always_inline)) int inner(int x) { return (x ^ x >> 3) * 31; }\n"
	"int outer(int x) {\n"
	"return inner(x) + 1; }\n";

/**
 * struct found - what debug information has about the function outer
 * @is_inlined:	inner is inlined, by a call in line 3
 * @has_line:	an address has line 3 of the source file
 */
struct found {
	bool	is_inlined;
	bool	has_line;
};

static bool sh(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	return !system(command);
}

static void need(const char *what)
{
	if (!sh(what))
		abort();
}

static void write_source(void)
{
	char path[64];
	FILE *file;

	if (!mkdtemp(dir))
		abort();
	snprintf(binary, sizeof(binary), "%s/prog", dir);
	snprintf(path, sizeof(path), "%s/prog.c", dir);
	file = fopen(path, "we");
	if (!file)
		abort();
	fputs(source, file);
	fclose(file);
}

static int note_inlined(void *arg, const struct inline_range *range)
{
	struct found *found = arg;

	found->is_inlined |= !strcmp(range->call.name, "inner") && range->call.line == 3 &&
			     range->call.path && strstr(range->call.path, "prog.c");
	return 0;
}

static struct found look(void)
{
	static const struct symbol_options options;
	struct build_id id;
	struct object_key key = { .name = binary, .build_id = &id, .kind = OBJECT_FILE };
	struct found found = { 0 };
	struct objects objects;
	struct object *object;
	struct source place;
	struct symbol *symbol = NULL;
	u64 addr;
	size_t i;

	if (build_id_of_file(binary, &id))
		abort();
	objects_init(&objects, &options);
	object = objects_get(&objects, &key);
	if (!object)
		abort();
	object_load(&objects.sources, object);
	for (i = 0; i < object->symtab.nr; i++) {
		if (!strcmp(object->symtab.symbols[i].name, "outer"))
			symbol = &object->symtab.symbols[i];
	}
	if (!symbol)
		abort();
	object_each_range(&objects.sources, object, symbol->start, note_inlined, &found);
	for (addr = symbol->start; addr < symbol->end; addr++) {
		place = object_source(&objects.sources, object, addr);
		found.has_line |= place.path && place.line == 3;
	}
	objects_free(&objects);
	return found;
}

static void test_split(const char *compile, const char *name)
{
	struct found found;
	char text[128];

	need(compile);
	need("gcc prog.o -shared -Wl,--build-id -o prog");
	found = look();
	snprintf(text, sizeof(text), "inlined functions are read from a .dwo file of %s", name);
	unit_ok(found.is_inlined && found.has_line, text);
	need("mv prog.dwo away");
	found = look();
	snprintf(text, sizeof(text), "without the .dwo file of %s there are source lines", name);
	unit_ok(!found.is_inlined && found.has_line, text);
	need("mv away prog.dwo");
}

/* Several .dwo files are packed into one. test_split() has left the files. */
static void test_package(void)
{
	static const char name[] = "inlined functions are read from a .dwp file";

#if _ELFUTILS_PREREQ(0, 191)
	if (!sh("llvm-dwp -e prog -o prog.dwp && rm prog.dwo"))
		unit_skip(name, "no llvm-dwp here");
	else
		unit_ok(look().is_inlined, name);
#else
	unit_skip(name, "libdw before 0.191 does not read .dwp files");
#endif
}

/* The server is a directory that libdebuginfod reads by a file: address. */
static void test_debuginfod(void)
{
	static const char name[] = "debug files come from debuginfod";
	char text[BUILD_ID_TEXT], command[256], urls[64], cache[64];
	void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	struct build_id id;
	struct found found;

	if (!library) {
		unit_skip(name, "no libdebuginfod here");
		return;
	}
	need("gcc prog.c -O1 -g -shared -fPIC -Wl,--build-id -o prog");
	if (build_id_of_file(binary, &id))
		abort();
	build_id_text(&id, text);
	snprintf(command, sizeof(command),
		 "mkdir -p server/buildid/%s && objcopy --only-keep-debug prog server/buildid/%s/debuginfo && strip prog",
		 text, text);
	need(command);
	found = look();
	unit_ok(!found.is_inlined && !found.has_line, "a stripped binary has no debug information");
	snprintf(urls, sizeof(urls), "file://%s/server/", dir);
	snprintf(cache, sizeof(cache), "%s/cache", dir);
	setenv("DEBUGINFOD_URLS", urls, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	found = look();
	unit_ok(found.is_inlined && found.has_line, name);
	dlclose(library);
}

int main(void)
{
	unsetenv("DEBUGINFOD_URLS");
	write_source();
	test_split("gcc -O1 -gdwarf-4 -gsplit-dwarf -fPIC -c prog.c", "DWARF 4");
	test_split("gcc -O1 -gdwarf-5 -gsplit-dwarf -fPIC -c prog.c", "DWARF 5");
	test_package();
	test_debuginfod();
	sh("rm -r ../${PWD##*/}");
	return unit_exit();
}
