// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unwind tables from .debug_frame, which may be in a separate debug file
 *
 * The compiler makes the same code with .eh_frame, which is the oracle.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "same_table.h"
#include "unit.h"
#include "unwind/debug_file.h"
#include "unwind/object.h"

#define SOURCE	\
	"long leaf(long a) { volatile long b[40] = { a }; return b[3]; }\n" \
	"long twice(long a, long b) { return leaf(a) * leaf(b) + leaf(a * b) + a; }\n" \
	"long many(long n) { long s = 0; while (n--) s ^= twice(n, s); return s; }\n"

#define BUILD	\
	"gcc -O1 -fno-omit-frame-pointer -fno-inline -fvisibility=hidden -g -shared -nostdlib " \
	"-Wl,--build-id"

static char dir[] = "/tmp/unwind-debug-XXXXXX";

static void sh(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	if (system(command))
		abort();
}

static void make_binaries(void)
{
	if (!mkdtemp(dir))
		abort();
	sh("cat >a.c <<'END'\n" SOURCE "END");
	sh(BUILD " -fasynchronous-unwind-tables -o oracle a.c");
	sh(BUILD " -fno-asynchronous-unwind-tables -o whole a.c");
	sh(BUILD " -fno-asynchronous-unwind-tables -Wl,--build-id=0x1234 -o other a.c");
	sh("objcopy --only-keep-debug whole parts.debug");
	sh("objcopy --only-keep-debug other foreign.debug");
	sh("objcopy --strip-all --add-gnu-debuglink=parts.debug whole stripped");
	sh("mv parts.debug kept");
}

static int open_binary(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open_regular(path);
}

static int make_table(const char *name, struct unwind_table *table)
{
	int fd = open_binary(name), err = unwind_object(fd, NULL, table);

	close(fd);
	return err;
}

/* Compare a table with the oracle, byte by byte of the code. */
static bool is_oracle(const char *name)
{
	struct unwind_table oracle, table;
	bool is_same = !make_table("oracle", &oracle);
	u64 offset;

	is_same &= !make_table(name, &table) && table.nr_rows >= 10 && table.nr_rules >= 3 &&
		   table.sources[UNWIND_DEBUG_FRAME] && !table.sources[UNWIND_EH_FRAME];
	for (offset = 0; is_same && offset < UNWIND_PAGE; offset++)
		is_same = same_rule(&oracle, &table, offset);
	unwind_table_free(&oracle);
	unwind_table_free(&table);
	return is_same;
}

static bool has_no_table(const char *name)
{
	struct unwind_table table;
	int err = make_table(name, &table);

	unwind_table_free(&table);
	return err == -ENODATA;
}

/* Search the debug file of "stripped" below @root. Return true if it is the file @expected. */
static bool is_found(const char *root, const char *expected)
{
	char path[128], real[256] = "", wanted[256];
	struct debug_search search = { .root = path, .fd = open_binary("stripped") };
	struct build_id id;
	int fd;

	if (build_id_of_fd(search.fd, &id))
		abort();
	search.build_id = &id;
	search.elf = elf_begin(search.fd, ELF_C_READ, NULL);
	snprintf(path, sizeof(path), "%s/%s", dir, root);
	fd = debug_file_open(&search);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && readlink(path, real, sizeof(real) - 1) < 0)
		abort();
	snprintf(wanted, sizeof(wanted), "%s/%s", dir, expected);
	elf_end(search.elf);
	close(search.fd);
	if (fd >= 0)
		close(fd);
	return *expected ? !strcmp(real, wanted) : fd < 0;
}

static void test_owner(void)
{
	const char *const name = "a_debug_file_of_another_user_is_not_used";

	if (geteuid()) {
		unit_skip(name, "only root can make a file of another user");
		return;
	}
	sh("chown 12345 .debug/parts.debug");
	unit_ok(has_no_table("stripped"), name);
}

static void test_link(void)
{
	unit_ok(is_oracle("whole"), "debug_frame_gives_the_rules_of_eh_frame");
	unit_ok(has_no_table("stripped"), "a_stripped_binary_without_debug_file_has_no_table");
	sh("cp foreign.debug parts.debug");
	unit_ok(has_no_table("stripped"), "a_debug_file_of_another_build_is_not_used");
	sh("cp kept parts.debug");
	unit_ok(is_oracle("stripped"), "the_debug_file_beside_a_binary_gives_its_rules");
	sh("rm parts.debug && mkdir .debug && cp kept .debug/parts.debug");
	unit_ok(is_oracle("stripped"), "the_debug_file_in_the_directory_debug_gives_its_rules");
	test_owner();
	sh("rm -r .debug");
}

static void test_root(void)
{
	char command[512], path[256];
	char text[BUILD_ID_TEXT];
	struct build_id id;

	if (build_id_of_file(strcat(strcpy(path, dir), "/stripped"), &id))
		abort();
	build_id_text(&id, text);
	unit_ok(is_found("root", ""), "there_is_no_debug_file_below_an_absent_root");
	snprintf(command, sizeof(command), "mkdir -p root%s && cp kept root%s/parts.debug", dir,
		 dir);
	sh(command);
	snprintf(path, sizeof(path), "root%s/parts.debug", dir);
	unit_ok(is_found("root", path), "a_debug_file_is_found_by_the_path_of_its_binary");
	snprintf(path, sizeof(path), "root/.build-id/%.2s/%s.debug", text, text + 2);
	snprintf(command, sizeof(command), "mkdir -p root/.build-id/%.2s && cp kept %s", text,
		 path);
	sh(command);
	unit_ok(is_found("root", path), "a_debug_file_is_found_by_its_build_id");
}

int main(void)
{
	elf_version(EV_CURRENT);
	make_binaries();
	test_link();
	test_root();
	sh("rm -r \"$PWD\"");
	return unit_exit();
}
