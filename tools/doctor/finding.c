// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the list of doctor's findings
 */
#include <stdarg.h>
#include <stdio.h>

#include "doctor/finding.h"

/* Add a finding. Return it, so that the caller can add a fix or advice. */
struct finding *finding_add(struct diagnosis *diagnosis, const char *name,
			    enum finding_level level, const char *format, ...)
{
	struct finding *finding = &diagnosis->findings[diagnosis->nr++];
	va_list args;

	*finding = (struct finding){ .name = name, .level = level };
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
	return finding;
}

/* Set the command that fixes a problem. */
void finding_mend(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->fix, sizeof(finding->fix), format, args);
	va_end(args);
}

/* Set advice, for a problem that no command fixes. */
void finding_advise(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->advice, sizeof(finding->advice), format, args);
	va_end(args);
}

/* Return the number of findings of @level. */
u32 diagnosis_count(const struct diagnosis *diagnosis, enum finding_level level)
{
	u32 i, nr = 0;

	for (i = 0; i < diagnosis->nr; i++)
		nr += diagnosis->findings[i].level == level;
	return nr;
}
