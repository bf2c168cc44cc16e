/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - a known call tree
 *
 *	call_tree -> [deep -> deep ...] -> top -> middle -> leaf
 *
 * Each function is in a section of its own, so that the linker defines symbols for
 * its bounds. Programs that use this file are built with frame pointers: see
 * selftests/Makefile.
 */
#ifndef TPROF_SELFTESTS_TREE_H
#define TPROF_SELFTESTS_TREE_H

#define OWN_SECTION(name)						\
	__attribute__((section(#name "_text"), noipa))

#define BOUNDS(name) extern char __start_##name##_text[], __stop_##name##_text[]
#define IS_IN(name, ip)							\
	((ip) >= (unsigned long)__start_##name##_text &&		\
	 (ip) < (unsigned long)__stop_##name##_text)

BOUNDS(leaf);
BOUNDS(middle);
BOUNDS(top);
BOUNDS(deep);
BOUNDS(root);

void call_tree(unsigned int depth, unsigned int ms);

#endif /* TPROF_SELFTESTS_TREE_H */
