// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the files that a command maps at its start
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/needed.h"
#include "unit.h"

/* Return true if the program maps @path now, as it is in the list of its mappings. */
static bool is_mapped(const char *path)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	bool found = false;
	size_t room = 0;

	while (!found && getline(&line, &room, maps) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = strchr(line, '/') && !strcmp(strchr(line, '/'), path);
	}
	free(line);
	fclose(maps);
	return found;
}

static bool has(const struct needed *needed, const char *path)
{
	char *whole = realpath(path, NULL);
	bool found = false;
	u32 i;

	for (i = 0; whole && i < needed->nr; i++)
		found |= !strcmp(needed->paths[i], whole);
	free(whole);
	return found;
}

/* Return the number of executable files that this process maps and @needed lacks. */
static u32 count_missing(const struct needed *needed)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL, *path;
	size_t room = 0;
	u32 nr = 0;

	while (getline(&line, &room, maps) > 0) {
		path = strchr(line, '/');
		if (!path || !strstr(line, "r-xp"))
			continue;
		path[strcspn(path, "\n")] = '\0';
		if (!has(needed, path))
			fprintf(stderr, "# missing: %s\n", path), nr++;
	}
	free(line);
	fclose(maps);
	return nr;
}

static void write_script(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static void test_scripts(void)
{
	char dir[] = "/tmp/needed-test-XXXXXX", script[64], nested[64], line[128];
	struct needed needed;

	if (!mkdtemp(dir))
		abort();
	snprintf(script, sizeof(script), "%s/script", dir);
	snprintf(nested, sizeof(nested), "%s/nested", dir);
	write_script(script, "#!/usr/bin/env -S sh -e\nexit\n");
	needed_find(&needed, script);
	unit_ok(has(&needed, "/usr/bin/env") && has(&needed, "/bin/sh"),
		"an_interpreter_that_env_starts_is_found");
	needed_free(&needed);
	snprintf(line, sizeof(line), "#! %s\n", script);
	write_script(nested, line);
	needed_find(&needed, nested);
	unit_ok(has(&needed, script) && has(&needed, "/bin/sh"),
		"an_interpreter_may_be_a_script");
	needed_free(&needed);
	write_script(script, "#!");
	needed_find(&needed, script);
	unit_ok(needed.nr == 1, "a_script_without_an_interpreter_needs_nothing");
	needed_free(&needed);
	unlink(script);
	unlink(nested);
	rmdir(dir);
}

int main(void)
{
	struct needed needed;

	needed_find(&needed, "/proc/self/exe");
	unit_ok(needed.nr > 3 && is_mapped(needed.paths[0]) && !count_missing(&needed),
		"all_files_that_a_program_maps_are_found");
	needed_free(&needed);
	needed_find(&needed, "no-such-command");
	unit_ok(!needed.nr, "a_missing_command_needs_nothing");
	needed_find(&needed, "/etc/passwd");
	unit_ok(!needed.nr, "a_file_that_is_no_program_needs_nothing");
	test_scripts();
	return unit_exit();
}
