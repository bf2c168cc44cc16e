// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - what a page shows first
 *
 * A page without what the user asked for is not written: the text beside it would speak of
 * something else. Only the script of the page can read the regular expression of a search.
 */
#include <errno.h>
#include <string.h>

#include "base/printable.h"
#include "cli/say.h"
#include "html/first_view.h"

/* Return the number of the step whose begin is nearest to @time, as the page's fields do. */
static u32 nearest_step(const struct points *points, u64 time)
{
	return points_step(points, time + (1ULL << points->shift) / 2);
}

static u32 first_step(const struct first_view *view, const struct points *points)
{
	return nearest_step(points, view->from);
}

/* Return the last step of the part, which has at least one. */
static u32 last_step(const struct first_view *view, const struct points *points)
{
	u32 first = first_step(view, points), end = view->to ? nearest_step(points, view->to) : 0;

	if (!view->to)
		return UINT32_MAX;
	return end > first ? end - 1 : first;
}

/* Check that one of @nr functions has the name. Their names are escaped and cut. */
static int check_function(const char *text, const struct function **functions, size_t nr)
{
	struct interned names = { 0 };
	const char *name = name_get(&names, text);
	int status = name ? STATUS_OK : say_failure(-ENOMEM, "html");
	size_t i;

	for (i = 0; name && i < nr && strcmp(functions[i]->name, name); i++)
		;
	if (name && i == nr)
		status = say_error("--function: no stack has '%s'; tprof-lx report -s sym lists functions",
				   name);
	interned_free(&names);
	return status;
}

static bool has_points(const struct first_view *view, const struct points *points)
{
	u32 first = first_step(view, points), last = last_step(view, points);
	size_t i;

	if (view->to && view->to < points->first)
		return false;
	for (i = 0; i < points->nr; i++) {
		if (points->list[i].time >= first && points->list[i].time <= last)
			return true;
	}
	return false;
}

static int say_no_points(const struct first_view *view, const struct points *points)
{
	u64 end = points->first + ((points->last + 1ULL) << points->shift);

	if (!points->nr)
		return say_error("--part: no sample is in %s; the page has no samples",
				 printable(view->part));
	return say_error("--part: no sample is in %s; the samples are in %llu.%06llu,%llu.%06llu",
			 printable(view->part), points->first / NSEC_PER_SEC,
			 points->first % NSEC_PER_SEC / NSEC_PER_USEC, end / NSEC_PER_SEC,
			 end % NSEC_PER_SEC / NSEC_PER_USEC);
}

/*
 * Check that a page with @nr functions and @points has what @view names. Print errors. Return
 * an exit status.
 */
int first_view_check(const struct first_view *view, const struct function **functions, size_t nr,
		     const struct points *points)
{
	int status = view->function ? check_function(view->function, functions, nr) : STATUS_OK;

	if (!status && view->part && !has_points(view, points))
		status = say_no_points(view, points);
	return status;
}

/* Write what @view has. @names gets the name of the function. Return 0 or -ENOMEM. */
int first_view_write(const struct first_view *view, const struct points *points,
		     struct interned *names, struct json *json)
{
	const char *name = view->function ? name_get(names, view->function) : NULL;

	json_begin(json, "first", '{');
	if (name)
		json_string(json, "function", name);
	if (view->search)
		json_string(json, "search", view->search);
	if (view->part)
		json_u64(json, "from", first_step(view, points));
	if (view->to)
		json_u64(json, "to", last_step(view, points));
	json_end(json, '}');
	return view->function && !name ? -ENOMEM : 0;
}
