/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx selftests - an object without frame pointers, and its unwind table
 *
 * The object is a file in memory: an ELF header, a build-id, and code from offset
 * BLOB_CODE on. outer() calls middle(), and that calls inner(), which counts down. outer()
 * sets rbp to 8, so that frame pointers lead nowhere. middle() copies rsp to rbx.
 */
#ifndef TPROF_SELFTESTS_BLOB_H
#define TPROF_SELFTESTS_BLOB_H

#include "harness/common.h"
#include "harness/stream.h"
#include "harness/tree.h"

/* Bounds of the code that calls outer(). */
BOUNDS(blob);

#define BLOB_CODE	0x1000
#define BLOB_BYTES	0x2000

/* Offsets in the code. */
#define BLOB_OUTER	0x00
#define BLOB_IN_OUTER	0x11	/* return address in outer() */
#define BLOB_MIDDLE	0x20
#define BLOB_IN_MIDDLE	0x2f	/* return address in middle() */
#define BLOB_INNER	0x40
#define BLOB_INNER_END	0x46
#define BLOB_RESTORER	0x60	/* rt_sigreturn(2) */

#define BLOB_MAX_ROWS	16
#define BLOB_MAX_RULES	8

/**
 * struct blob - the object and its table
 * @fd:		file in memory
 * @code:	mapping of its code, or NULL
 * @id:		build-id
 * @arg:	argument of TABLE; @pages, @rows and @rules are set by blob_give()
 * @pages:	pages of the table
 * @rows:	its rows
 * @rules:	its rules
 */
struct blob {
	int				fd;
	unsigned char			*code;
	__u8				id[20];
	struct tprof_lx_table		arg;
	__u32				pages[2];
	struct tprof_lx_unwind_row	rows[BLOB_MAX_ROWS];
	struct tprof_lx_unwind_rule	rules[BLOB_MAX_RULES];
};

int blob_make(struct blob *blob, __u8 slots);
int blob_map(struct blob *blob, void *at);
void blob_unmap(struct blob *blob);
void blob_free(struct blob *blob);
int blob_give(struct blob *blob, int fd);
void blob_set_inner(struct blob *blob, struct tprof_lx_unwind_rule rule);
void blob_use_rbx(struct blob *blob);

void blob_call(const struct blob *blob, unsigned long steps, unsigned long value);
void blob_run(const struct blob *blob, unsigned int ms, unsigned long value);

bool blob_is_in_inner(const struct blob *blob, __u64 ip);
bool blob_is_inside(const struct blob *blob, const __u64 *chain, __u64 nr);
bool blob_is_chain(const struct blob *blob, const __u64 *chain, __u64 nr);

#endif /* TPROF_SELFTESTS_BLOB_H */
