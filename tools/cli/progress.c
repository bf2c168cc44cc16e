// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - show progress if reading takes longer than a second
 */
#include <stdio.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cli/progress.h"
#include "cli/say.h"

#define FIRST_AFTER	NSEC_PER_SEC
#define STEP		(200 * NSEC_PER_MSEC)

static u64 next;
static bool shown;

/* Update the progress line on the terminal, at most once per STEP. */
void progress_show(const struct reader *reader)
{
	u64 now = monotonic_ns();

	if (!next)
		next = now + FIRST_AFTER;
	if (now < next || verbosity < 0 || !isatty(STDERR_FILENO))
		return;
	next = now + STEP;
	shown = true;
	if (reader->size)
		fprintf(stderr, "\r\033[K[ %.0f%% read ]",
			100.0 * reader->input.offset / reader->size);
	else
		fprintf(stderr, "\r\033[K[ %llu MiB read ]", reader->input.offset >> 20);
	fflush(stderr);
}

/* Remove the progress line from the terminal. */
void progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}
