// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names that are too long for a column of a table
 *
 * First, what C++ and Rust write in brackets is folded: "<..>" stands for arguments of a
 * template, and then "(..)" for those of a function. What is still too long loses its middle:
 * functions differ at both ends.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "view/line.h"
#include "view/short_name.h"

#define CUT		".."
/* No operator is longer. */
#define LONGEST		16

static bool is_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_' || (unsigned char)letter >= 0x80;
}

/* Return the length of an operator at @s whose name has '<', '>' or '(', or 0. */
static size_t operator_length(const char *s)
{
	static const char word[] = "operator";
	size_t len = strlen(word), signs;

	if (strncmp(s, word, len))
		return 0;
	if (!strncmp(s + len, "()", 2))
		return len + strlen("()");
	/* A blank follows the sign if arguments of a template do. */
	signs = strspn(s + len, "<>=-");
	if (signs && !strncmp(s + len + signs, " <", 2))
		signs++;
	return signs ? len + signs : 0;
}

/* Return the bracket that closes the one at @open, or NULL. */
static const char *closing(const char *open)
{
	size_t depth = 0, len;
	const char *s;

	for (s = open; *s; s += len) {
		len = operator_length(s);
		if (len)
			continue;
		len = 1;
		if (strchr("<([{", *s))
			depth++;
		else if (strchr(")]}", *s) || (*s == '>' && s[-1] != '-'))
			depth--;
		if (!depth)
			return s;
	}
	return NULL;
}

/*
 * Write @name to @buf with "<..>" for what is in each pair of brackets that begin with @open and
 * follow a name. Rust's "<T as Trait>::name" follows none, and stays.
 */
static void fold(const char *name, char open, char buf[SHORT_NAME_LEN])
{
	bool is_after_name = false;
	const char *s = name, *end;
	size_t used = 0, len;

	while (*s && used + LONGEST < SHORT_NAME_LEN) {
		end = *s == open && is_after_name ? closing(s) : NULL;
		len = operator_length(s);
		if (end && (size_t)(end - s) > 1 + strlen(CUT)) {
			used += sprintf(buf + used, "%c" CUT "%c", open, *end);
			s = end + 1;
			is_after_name = true;
			continue;
		}
		/* Rust has "call::<T>", C++ has "(anonymous namespace)::call". */
		is_after_name = len || is_word(*s) || *s == '>' || (*s == ':' && open == '<');
		len = len ? len : 1;
		memcpy(buf + used, s, len);
		used += len;
		s += len;
	}
	buf[used] = '\0';
}

/* Return the length in bytes of the character at @s, and in @columns how many it takes. */
static size_t letter_at(const char *s, u32 *columns)
{
	size_t len = utf8_length((const unsigned char *)s);
	char letter[8] = "";

	len = len ? len : 1;
	memcpy(letter, s, len);
	*columns = text_columns(letter);
	return len;
}

/* Remove letters from the middle of @name, until it has @width columns. */
static void cut_middle(char *name, u32 width)
{
	u32 cut = strlen(CUT) < width ? strlen(CUT) : 0, front = (width - cut + 1) / 2, columns;
	u32 all = text_columns(name);
	size_t len = letter_at(name, &columns);
	char *from = name, *to;

	for (; *from && columns <= front; len = letter_at(from, &columns)) {
		front -= columns;
		from += len;
	}
	for (to = from; *to && all > width - cut; to += len, all -= columns)
		len = letter_at(to, &columns);
	/* Letters without width may be all that is between. */
	if (to - from < (ptrdiff_t)cut)
		return;
	memcpy(from, CUT, cut);
	memmove(from + cut, to, strlen(to) + 1);
}

/*
 * Return @name if it takes at most @width columns of a terminal, else a shorter form of it in
 * @buf. @name is printable().
 */
const char *short_name(const char *name, u32 width, char buf[SHORT_NAME_LEN])
{
	char once[SHORT_NAME_LEN];

	if (text_columns(name) <= width)
		return name;
	fold(name, '<', once);
	if (text_columns(once) <= width)
		return strcpy(buf, once);
	fold(once, '(', buf);
	if (text_columns(buf) > width)
		cut_middle(buf, width);
	return buf;
}
