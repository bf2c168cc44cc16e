// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - what doctor has found, in a list
 */
#include <stdarg.h>
#include <stdio.h>

#include "doctor/finding.h"

/* Say what was found. Return the finding, to say what mends it. */
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

/* Say which command mends it. */
void finding_mend(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->fix, sizeof(finding->fix), format, args);
	va_end(args);
}

/* Say what mends it where no command does. */
void finding_advise(struct finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->advice, sizeof(finding->advice), format, args);
	va_end(args);
}

/* How many are that bad. */
u32 diagnosis_count(const struct diagnosis *diagnosis, enum finding_level level)
{
	u32 i, nr = 0;

	for (i = 0; i < diagnosis->nr; i++)
		nr += diagnosis->findings[i].level == level;
	return nr;
}
