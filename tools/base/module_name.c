// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the kernel's name of a module, from its file's name
 */
#include <stdio.h>
#include <string.h>

#include "base/module_name.h"

/* Set @name to the module's name: the module in drivers/net/foo-bar.ko.xz is foo_bar. */
void module_name(const char *path, char *name, size_t len)
{
	const char *base = strrchr(path, '/');
	size_t i;

	snprintf(name, len, "%s", base ? base + 1 : path);
	name[strcspn(name, ".")] = '\0';
	for (i = 0; name[i]; i++) {
		if (name[i] == '-')
			name[i] = '_';
	}
}
