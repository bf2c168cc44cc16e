// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - why a function has no code
 */
#include "annotate/annotate_format.h"
#include "code/kernel_memory.h"

static const struct {
	const char *word;
	const char *text;
} statuses[CODE_NR_STATUS] = {
	[CODE_FOUND] = { "found", "its code was found" },
	[CODE_NO_FILE] = { "no_file", "the recorded binary is missing or replaced; see --symfs" },
	[CODE_OTHER_KERNEL] = { "other_kernel", "another kernel runs; give its vmlinux with -k" },
	[CODE_DENIED] = { "denied", "only root reads " KERNEL_MEMORY "; or give -k vmlinux" },
	[CODE_NONE] = { "none", "no file has its code, as it was made at run time" },
	[CODE_UNREADABLE] = { "unreadable", "its code cannot be read" },
	[CODE_TOO_LARGE] = { "too_large", "it is larger than 16 MiB" },
	[CODE_NO_MEMORY] = { "no_memory", "memory ran out" },
};

/* Return the reason as a sentence without a subject. */
const char *code_status_text(enum code_status status)
{
	return statuses[status].text;
}

/* Return the reason as a word in JSON. */
const char *code_status_word(enum code_status status)
{
	return statuses[status].word;
}
