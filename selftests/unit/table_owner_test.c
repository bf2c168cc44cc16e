// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - binaries of another user, which may have the build-id of any program
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "session/table_maker.h"
#include "tables/tables.h"
#include "unit.h"

#define STRANGER	12345

static char dir[] = "/tmp/table-owner-XXXXXX";
static char binary[64];

static void sh(const char *command)
{
	if (system(command))
		abort();
}

/* Make a table of the binary. Return the size of its code, or 0 on failure. */
static u64 text_of(struct tables *tables)
{
	struct unwind_table table;
	u64 bytes = 0;

	if (!tables_of_file(tables, binary, "binary", false, &table))
		bytes = table.text_bytes;
	unwind_table_free(&table);
	return bytes;
}

static int count(void *arg, const struct build_id *id)
{
	(void)id;
	++*(u32 *)arg;
	return 0;
}

static u32 count_kept(const struct tables *tables)
{
	u32 nr = 0;

	if (table_cache_each(&tables->cache, count, &nr))
		abort();
	return nr;
}

/* Change the table in the cache so that it differs from that of the binary. */
static int change(void *arg, const struct build_id *id)
{
	const struct tables *tables = arg;
	struct unwind_table table;
	int err = table_cache_read(&tables->cache, id, &table);

	table.text_bytes++;
	if (!err)
		err = table_cache_write(&tables->cache, &table);
	unwind_table_free(&table);
	return err;
}

static void test_cache(void)
{
	struct tables tables = { .has_cache = true };
	u64 bytes;

	if (table_cache_open(&tables.cache) || chown(binary, STRANGER, STRANGER))
		abort();
	bytes = text_of(&tables);
	unit_ok(bytes && !count_kept(&tables), "a_table_of_a_file_of_another_user_is_not_kept");
	if (chown(binary, 0, 0))
		abort();
	unit_ok(text_of(&tables) == bytes && count_kept(&tables) == 1, "a_table_of_root_is_kept");
	if (table_cache_each(&tables.cache, change, &tables))
		abort();
	unit_ok(text_of(&tables) == bytes + 1, "a_kept_table_is_used");
	if (chown(binary, STRANGER, STRANGER))
		abort();
	unit_ok(text_of(&tables) == bytes, "a_file_of_another_user_has_its_own_table");
	table_cache_close(&tables.cache);
}

static int settle(void)
{
	return 0;
}

/* Let a recording without a device make the tables of the binary and its libraries. */
static struct table_counts record(void)
{
	static struct table_maker maker;

	if (table_maker_begin(&maker, -1, binary, NULL, settle))
		abort();
	table_maker_end(&maker);
	return maker.counts;
}

static void test_record(void)
{
	u32 nr = record().foreign;

	if (chown(binary, 0, 0))
		abort();
	unit_ok(nr == 1 && !record().foreign,
		"a_recording_makes_no_table_of_a_file_of_another_user");
}

int main(void)
{
	char command[128];

	verbosity = -1;
	if (geteuid()) {
		unit_skip("a_table_of_a_file_of_another_user_is_not_kept",
			  "only root can make a file of another user");
		return unit_exit();
	}
	unsetenv("SUDO_UID");
	if (!mkdtemp(dir) || setenv("XDG_CACHE_HOME", dir, 1))
		abort();
	snprintf(binary, sizeof(binary), "%s/binary", dir);
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), binary);
	sh(command);
	test_cache();
	test_record();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	sh(command);
	return unit_exit();
}
