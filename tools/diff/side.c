// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx diff - a recording to compare
 */
#include <string.h>

#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/say.h"
#include "diff/side.h"

/*
 * Read a recording. Return STATUS_OK, or print a message and return STATUS_FAILED: half a
 * recording cannot be compared. Call side_free() in any case.
 *
 * @opts: must stay valid until side_free()
 */
int side_read(struct side *side, const char *name, const struct diff_options *opts)
{
	int status;

	*side = (struct side){ .name = name };
	side->fd = open_input(name, &side->reader);
	if (side->fd < 0)
		return STATUS_FAILED;
	status = gather_input(&side->gather, &opts->gather, &opts->symbols, &side->reader, name);
	if (status)
		return status;
	if (!gather_has_events(&side->gather, &side->reader))
		return say_no_event(name, opts->gather.filter.events, &side->reader);
	return STATUS_OK;
}

static const char *dso_name(const struct object *object)
{
	return object->short_name;
}

static const char *path_name(const struct object *object)
{
	return object->name;
}

/* Find the binaries and functions of @side in @old, which may be the same. Return 0 or -errno. */
int side_match(struct side *side, const struct side *old)
{
	const struct objects *objects = &side->gather.world.objects;
	int err = binaries_match(&side->dsos, &old->gather.world.objects, objects, dso_name);

	if (!err)
		err = binaries_match(&side->paths, &old->gather.world.objects, objects, path_name);
	return err ? err : nameless_match(&side->nameless, &old->gather.world.objects, objects);
}

/* Return the time from the first to the last sample that --time takes. */
double side_seconds(const struct side *side)
{
	const struct gather_filter *filter = &side->gather.options->filter;
	u64 from = side->gather.first_time, to = side->gather.last_time;

	if (filter->from > from)
		from = filter->from;
	if (filter->to && filter->to < to)
		to = filter->to;
	return to > from ? (double)(to - from) / NSEC_PER_SEC : 0;
}

/* Return the profile of an event, or NULL if it has no samples. */
const struct profile *side_profile(const struct side *side, const char *event)
{
	const struct profile *profile;
	u32 i;

	for (i = 0; i < side->gather.nr_profiles; i++) {
		profile = side->gather.profiles[i];
		if (profile && !strcmp(profile->event, event))
			return profile;
	}
	return NULL;
}

void side_free(struct side *side)
{
	if (side->fd < 0)
		return;
	binaries_free(&side->dsos);
	binaries_free(&side->paths);
	nameless_free(&side->nameless);
	gather_free(&side->gather);
	close_input(side->name, &side->reader, side->fd);
}
