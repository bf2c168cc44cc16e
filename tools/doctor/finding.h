/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the list of doctor's findings
 */
#ifndef TPROF_FINDING_H
#define TPROF_FINDING_H

#include <linux/tprof_lx.h>

#include "base/types.h"

#define FINDINGS_MAX	(20 + TPROF_LX_MAX_BACKENDS)

/* Severity of a finding. */
enum finding_level {
	FINDING_OK,
	FINDING_NOTE,		/* works, with limits */
	FINDING_PROBLEM,	/* does not work */
};

/**
 * struct finding - the result of one check
 * @name:	name of the check, one word
 * @level:	severity
 * @text:	what was found
 * @fix:	command that fixes the problem, or empty
 * @advice:	what the user can do if no command fixes the problem, or empty
 * @detail:	more lines to print, such as the end of a log, or NULL
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
 * @findings:	the findings, each after those that it depends on
 * @nr:		number of findings
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
