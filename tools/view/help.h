/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the help: all keys of a kind of page
 */
#ifndef TPROF_HELP_H
#define TPROF_HELP_H

#include "view/text_view.h"

int help_make(struct text_view *help, const struct key_row *own, u32 kind);

#endif /* TPROF_HELP_H */
