/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the output file, which replaces an older one only if it is complete
 */
#ifndef TPROF_OUTPUT_H
#define TPROF_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct output - an output file
 * @file:	the file, or stdout
 * @path:	its name as the user gave it; NULL for stdout
 * @target:	@path without symbolic links; NULL if it is written in place, as a pipe
 * @temporary:	its name until it is complete; NULL if it is written in place
 */
struct output {
	FILE	*file;
	const char *path;
	char	*target;
	char	*temporary;
};

bool output_is(const char *path, int input);
int output_open(struct output *output, const char *path, int input);
int output_close(struct output *output, int status);

#endif /* TPROF_OUTPUT_H */
