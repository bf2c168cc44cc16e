// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - names of C++ and Rust as people write them
 */
#include <setjmp.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/libiberty.h"

/* Some hundred bytes can stand for a name of gigabytes. */
#define NAME_MAX_LEN	4096

/**
 * struct sink - where a name goes while it is written
 * @text:	the name so far
 * @len:	its length
 * @full:	where to go when it gets too long
 */
struct sink {
	char	text[NAME_MAX_LEN];
	size_t	len;
	jmp_buf	full;
};

static void take(const char *text, size_t len, void *arg)
{
	struct sink *sink = arg;

	/* There is no other way to end it: it goes on for as long as it takes. */
	if (len >= sizeof(sink->text) - sink->len)
		longjmp(sink->full, 1);
	memcpy(sink->text + sink->len, text, len);
	sink->len += len;
}

/*
 * A name as it was before the compiler encoded it. Return the name, without
 * parameters, to be freed; NULL for what is not encoded, or is longer than anyone
 * would read.
 */
char *demangle(const char *name)
{
	struct sink sink;

	sink.len = 0;
	if (setjmp(sink.full))
		return NULL;
	if (!rust_demangle_callback(name, 0, take, &sink) &&
	    !cplus_demangle_v3_callback(name, 0, take, &sink))
		return NULL;
	return strndup(sink.text, sink.len);
}
