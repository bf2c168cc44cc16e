/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what doctor has found, in a list
 */
#ifndef TPROF_FINDING_H
#define TPROF_FINDING_H

#include <linux/tprof_lx.h>

#include "base/types.h"

#define FINDINGS_MAX	(16 + TPROF_LX_MAX_BACKENDS)

/* How bad it is. */
enum finding_level {
	FINDING_OK,
	FINDING_NOTE,		/* works, less well than it could */
	FINDING_PROBLEM,	/* does not work */
};

/**
 * struct finding - one thing that was looked at
 * @name:	of it, a word
 * @level:	how bad
 * @text:	what is there
 * @fix:	the command that mends it; empty if there is none, or nothing to be mended
 * @advice:	what mends it where no command does; likewise
 * @detail:	lines that say more, or NULL
 */
struct finding {
	const char *name;
	enum finding_level level;
	char	text[256];
	char	fix[256];
	char	advice[128];
	const char *detail;
};

/**
 * struct diagnosis - all findings
 * @findings:	in the order in which things depend on each other
 * @nr:		how many
 */
struct diagnosis {
	struct finding findings[FINDINGS_MAX];
	u32	nr;
};

struct finding *finding_add(struct diagnosis *diagnosis, const char *name,
			    enum finding_level level, const char *format, ...) __printf(4, 5);
void finding_mend(struct finding *finding, const char *format, ...) __printf(2, 3);
void finding_advise(struct finding *finding, const char *format, ...) __printf(2, 3);
u32 diagnosis_count(const struct diagnosis *diagnosis, enum finding_level level);

#endif /* TPROF_FINDING_H */
