/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - find the code of a kernel module
 */
#ifndef TPROF_FUZZ_MODULE_TEXT_H
#define TPROF_FUZZ_MODULE_TEXT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <linux/types.h>

#define CODE_PAGE	4096ULL

/* Return true if a symbol of /proc/kallsyms is a function of module @module. */
static inline bool is_code_of(char type, const char *owner, const char *module)
{
	size_t len = strlen(module);

	return strchr("tTwW", type) && owner[0] == '[' && !strncmp(owner + 1, module, len) &&
	       !strcmp(owner + 1 + len, "]");
}

/*
 * Find the code of module @module in @kallsyms, which has the format of /proc/kallsyms.
 * Since Linux 6.4, code and data of a module are separate allocations, so that the size
 * in /proc/modules says nothing about the end of the code. The last function has no
 * size either: let the code end one page after the page in which that function starts.
 * That last page either contains the rest of the function, or is the unused page after
 * the allocation.
 *
 * Return 0 and [@begin, @end), or -ENOENT.
 */
static inline int module_text(FILE *kallsyms, const char *module, __u64 *begin, __u64 *end)
{
	unsigned long long addr, last = 0;
	char line[1024], owner[128], type;

	*begin = ~0ULL;
	while (fgets(line, sizeof(line), kallsyms)) {
		if (sscanf(line, "%llx %c %*s %127s", &addr, &type, owner) != 3 ||
		    !is_code_of(type, owner, module))
			continue;
		*begin = addr < *begin ? addr : *begin;
		last = addr > last ? addr : last;
	}
	*end = (last & ~(CODE_PAGE - 1)) + 2 * CODE_PAGE;
	return last ? 0 : -ENOENT;
}

#endif /* TPROF_FUZZ_MODULE_TEXT_H */
