/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - the token, which is in a file that only its owner can read
 */
#ifndef TPROF_PUSH_SECRET_H
#define TPROF_PUSH_SECRET_H

#include "base/types.h"

#define SECRET_MAX	8192

/**
 * struct secret - a token
 * @text:	the token; empty if there is none
 */
struct secret {
	char	text[SECRET_MAX];
};

int secret_read(struct secret *secret, const char *path);
void secret_forget(struct secret *secret);

#endif /* TPROF_PUSH_SECRET_H */
