// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - demangle C++ and Rust names
 */
#include <setjmp.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/libiberty.h"

/* A limit is needed: a few hundred bytes can encode a name of gigabytes. */
#define NAME_MAX_LEN	4096

/**
 * struct sink - the output of the demangler
 * @text:	the name so far
 * @len:	its length
 * @full:	jump target if the name is too long
 */
struct sink {
	char	text[NAME_MAX_LEN];
	size_t	len;
	jmp_buf	full;
};

static void take(const char *text, size_t len, void *arg)
{
	struct sink *sink = arg;

	/* Only a jump can stop the demangler: take() returns nothing. */
	if (len >= sizeof(sink->text) - sink->len)
		longjmp(sink->full, 1);
	memcpy(sink->text + sink->len, text, len);
	sink->len += len;
}

/*
 * Demangle a name, without its parameters. The caller frees the result. Return NULL
 * if @name is not mangled, or if the result exceeds NAME_MAX_LEN.
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
