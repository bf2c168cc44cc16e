// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - names from the recording, in a form that any reader accepts
 */
#include <string.h>

#include "base/printable.h"
#include "export/names.h"

#define CUT	"..."

static bool is_within_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/*
 * Return the escaped form of a name, which ends with "..." if it was too long. Equal names
 * have the same pointer. Return NULL if out of memory.
 */
const char *name_get(struct interned *names, const char *text)
{
	const char *shown = printable(text);
	char buf[NAME_LEN + 1];
	size_t len;

	if (strnlen(shown, NAME_LEN + 1) <= NAME_LEN)
		return interned_get(names, shown);
	len = NAME_LEN - strlen(CUT);
	while (len && is_within_character(shown[len]))
		len--;
	memcpy(buf, shown, len);
	memcpy(buf + len, CUT, sizeof(CUT));
	return interned_get(names, buf);
}
