/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - print manual pages and completions from the option tables
 *
 * Each function prints to stdout: a page, or the tables for a shell's completions.
 */
#ifndef TPROF_MANUAL_H
#define TPROF_MANUAL_H

#include "cli/command.h"

void page_of_all(const char *date);
int page_of_command(const struct command *command, const char *date, const char *dir);

void complete_bash(void);
void complete_zsh(void);
void complete_fish(void);

#endif /* TPROF_MANUAL_H */
