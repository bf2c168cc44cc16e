// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find out the Linux distribution of a machine
 */
#include <stdio.h>
#include <string.h>

#include "doctor/distribution.h"
#include "doctor/machine_files.h"

/*
 * Append the value of @key in @text to @words, without its quotes. A line of @text is
 * like ID=debian or ID_LIKE="rhel fedora".
 */
static void add_words(const char *text, const char *key, char *words, size_t len)
{
	size_t used = strlen(words);
	const char *line = text;

	while (*line && strncmp(line, key, strlen(key)))
		line += strcspn(line, "\n") + !!line[strcspn(line, "\n")];
	if (!*line)
		return;
	line += strlen(key);
	line += strspn(line, "\"'");
	snprintf(words + used, len - used, "%s%.*s", used ? " " : "",
		 (int)strcspn(line, "\"'\n"), line);
}

/* Read ID and ID_LIKE from os-release. Called by machine_look(). */
void machine_look_for_distribution(struct machine *machine)
{
	char text[4096];

	machine_read(machine, "/etc/os-release", text, sizeof(text));
	add_words(text, "ID=", machine->distribution, sizeof(machine->distribution));
	add_words(text, "ID_LIKE=", machine->distribution, sizeof(machine->distribution));
}

/*
 * Return true if the machine's distribution is @id, such as "debian", or derives
 * from @id.
 */
bool machine_is_like(const struct machine *machine, const char *id)
{
	const char *at = machine->distribution;
	size_t len = strlen(id);

	for (; *at; at += strcspn(at, " ") + !!at[strcspn(at, " ")]) {
		if (!strncmp(at, id, len) && (!at[len] || at[len] == ' '))
			return true;
	}
	return false;
}
