// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - compare recordings
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "diff/diff_html.h"
#include "diff/diff_print.h"
#include "diff/events.h"

/* Check that @other has the events of @side, and samples of the same ones. */
static int check_events(const struct diff_options *opts, const struct side *side,
			const struct side *other)
{
	struct recording recording = { side->name, &side->reader };
	struct recording compared = { other->name, &other->reader };
	int status = events_check(&opts->gather.filter, &recording, &compared);
	const char *name;
	u32 i;

	for (i = 0; i < side->reader.nr_events && !status; i++) {
		name = side->reader.events[i].name;
		if (side_profile(side, name) && !side_profile(other, name))
			status = events_say_missing(other->name, name, side->name);
	}
	return status;
}

static int check_side(const struct diff_options *opts, const struct side *side)
{
	if (!side->gather.samples)
		return say_error("%s has no samples%s to compare", printable(side->name),
				 opts->gather.filter.events ? " of these events" : "");
	if (opts->gather.parent && !side->gather.has_chains)
		return say_error("%s has no call chains; record them with -g",
				 printable(side->name));
	if (opts->normalize == NORMALIZE_TIME && !side_seconds(side))
		return say_error("%s has no duration, which --normalize time needs; use weight",
				 printable(side->name));
	return STATUS_OK;
}

/* Check that the old recording has what percentages refer to. */
static int check_old(const struct diff_options *opts, const struct side *old)
{
	const struct profile *profile;
	u32 i;

	for (i = 0; i < old->gather.nr_profiles && opts->normalize != NORMALIZE_WEIGHT; i++) {
		profile = old->gather.profiles[i];
		if (profile && !profile->period)
			return say_error("%s has only periods of 0 of event '%s'; use --normalize weight",
					 printable(old->name), printable(profile->event));
	}
	return STATUS_OK;
}

static int check(const struct diff_options *opts, const struct side *sides)
{
	int status = STATUS_OK;
	u32 i;

	for (i = 0; i < opts->nr_files && !status; i++)
		status = check_side(opts, &sides[i]);
	if (!status)
		status = check_old(opts, &sides[0]);
	for (i = 1; i < opts->nr_files && !status; i++) {
		status = check_events(opts, &sides[0], &sides[i]);
		if (!status)
			status = check_events(opts, &sides[i], &sides[0]);
	}
	return status;
}

static int compare(const struct diff_options *opts, const struct side *sides)
{
	const struct diff_format *format = opts->json ? &diff_json_format : &diff_text_format;
	const struct gather *old = &sides[0].gather;
	struct table table;
	u32 i, nr_lines = 0, nr_grown = 0;
	int err = 0;

	format->begin(opts, sides);
	for (i = 0; i < old->nr_profiles && !err; i++) {
		if (!old->profiles[i])
			continue;
		err = table_make(&table, opts, sides, old->profiles[i]->event);
		if (!err)
			format->table(&table);
		nr_lines += table.entries.nr;
		nr_grown += table.nr_grown;
		table_free(&table);
	}
	if (err)
		return say_failure(err, "diff");
	if (format->end)
		format->end();
	if (!nr_lines)
		return say_error("no line of these recordings passes --comm, --dso and --sym; correct these filters");
	if (!nr_grown)
		return STATUS_OK;
	say_error("beyond noise, more than %g %%: %u %s grew", opts->fail_above, nr_grown,
		  nr_grown == 1 ? "line" : "lines");
	return STATUS_GREW;
}

static int match_all(const struct diff_options *opts, struct side *sides)
{
	int err = 0;
	u32 i;

	for (i = 0; i < opts->nr_files && !err; i++)
		err = side_match(&sides[i], &sides[0]);
	return err ? say_failure(err, "diff") : STATUS_OK;
}

static int read_all(const struct diff_options *opts)
{
	struct side *sides = calloc(opts->nr_files, sizeof(*sides));
	int status = STATUS_OK;
	u32 nr;

	if (!sides)
		return say_failure(-ENOMEM, "diff");
	for (nr = 0; nr < opts->nr_files && !status; nr++)
		status = side_read(&sides[nr], opts->files[nr], opts);
	if (!status)
		status = check(opts, sides);
	if (!status)
		status = match_all(opts, sides);
	if (!status)
		status = compare(opts, sides);
	while (nr--)
		side_free(&sides[nr]);
	free(sides);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct diff_options opts;
	int status = diff_options_read(&opts, self, argc, argv);

	opts.gather.progress = progress_show;
	if (!status)
		status = opts.html ? diff_html(&opts) : read_all(&opts);
	sort_keys_free(&opts.key_options);
	return status;
}

const struct command diff_command = {
	.name = "diff",
	.summary = "compare recordings, and show which changes are beyond noise",
	.operands = "OLD NEW ...",
	.is_mixed = true,
	.text = "Compares each NEW recording, of tprof-lx record or perf record, to OLD.\n"
		"A change is the difference of two percentages, in percentage points.\n"
		"--comm, --dso and --sym hide lines; percentages still refer to all samples.\n"
		"--pid, --tid, --cpu and --time drop samples; percentages refer to the rest.\n",
	.more_help = sort_keys_print,
	.options = diff_rows,
	.run = run,
};
