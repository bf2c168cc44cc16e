// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read files of a machine, below its root
 */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "doctor/machine_files.h"

#define PATH_LEN	512

/* Return true if a file exists and this process has access to its directory. */
bool machine_has(const struct machine *machine, const char *format, ...)
{
	char path[PATH_LEN];
	va_list args;
	int used;

	used = snprintf(path, sizeof(path), "%s", machine->root);
	if (used >= (int)sizeof(path))
		return false;
	va_start(args, format);
	vsnprintf(path + used, sizeof(path) - used, format, args);
	va_end(args);
	return !access(path, F_OK);
}

static size_t read_from(const struct machine *machine, const char *path, bool from_end,
			char *text, size_t len)
{
	char whole[PATH_LEN];
	size_t bytes = 0;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", machine->root, path);
	file = fopen(whole, "re");
	if (file) {
		/*
		 * If the file is shorter than @len - 1, the seek fails: read the
		 * whole file.
		 */
		if (from_end && fseek(file, -(long)(len - 1), SEEK_END))
			rewind(file);
		bytes = fread(text, 1, len - 1, file);
		fclose(file);
	}
	text[bytes] = '\0';
	return bytes;
}

/*
 * Read at most @len - 1 bytes from the start of a file into @text, and add a zero byte.
 * Return the number of bytes read, or 0 if the file cannot be read.
 */
size_t machine_read(const struct machine *machine, const char *path, char *text, size_t len)
{
	return read_from(machine, path, false, text, len);
}

/* Same as machine_read(), for the end of a file. */
size_t machine_read_end(const struct machine *machine, const char *path, char *text, size_t len)
{
	return read_from(machine, path, true, text, len);
}
