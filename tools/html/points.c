// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx html - the samples of a page, with times in steps
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "html/points.h"

/* A recording keeps at least this number of steps. */
#define STEPS_MIN	1024

/* Number of points at which steps are doubled. A test sets a smaller one. */
size_t points_most = 1U << 20;

/*
 * Maximum number of points, if even long steps have many keys: they take 0.3 GB. A test sets a
 * smaller one.
 */
size_t points_max = 8U << 20;

void points_init(struct points *points)
{
	*points = (struct points){ .most = points_most, .shift = POINTS_SHIFT };
}

static int compare(u32 a, u32 b)
{
	return (a > b) - (a < b);
}

static int compare_points(const void *left, const void *right)
{
	const struct point *a = left, *b = right;
	int order = compare(a->time, b->time);

	if (!order)
		order = compare(a->event, b->event);
	if (!order)
		order = compare(a->run, b->run);
	if (!order)
		order = compare(a->thread, b->thread);
	if (!order)
		order = compare(a->cpu, b->cpu);
	if (!order)
		order = compare(a->stack, b->stack);
	return order ? order : compare(a->tuple, b->tuple);
}

/*
 * Sort the points. Samples are read in the order of their times, so most lists already have
 * this order, and the points of each step are sorted alone: they fit into the cache.
 */
static void sort_points(struct points *points)
{
	struct point *list = points->list;
	size_t i, first = 0;

	for (i = 1; i < points->nr && list[i].time >= list[i - 1].time; i++)
		;
	if (i < points->nr) {
		qsort(list, points->nr, sizeof(*list), compare_points);
		return;
	}
	for (i = 1; i <= points->nr; i++) {
		if (i < points->nr && list[i].time == list[first].time)
			continue;
		qsort(&list[first], i - first, sizeof(*list), compare_points);
		first = i;
	}
}

/* Sort the points, and add up those with equal keys. */
void points_settle(struct points *points)
{
	struct point *list = points->list;
	size_t i, nr = 0;

	if (!points->nr)
		return;
	sort_points(points);
	for (i = 1; i < points->nr; i++) {
		if (compare_points(&list[nr], &list[i])) {
			list[++nr] = list[i];
			continue;
		}
		list[nr].samples += list[i].samples;
		list[nr].weight += list[i].weight;
	}
	points->nr = nr + 1;
}

/* Make steps twice as long. */
static void widen(struct points *points)
{
	size_t i;

	points->shift++;
	points->last /= 2;
	for (i = 0; i < points->nr; i++)
		points->list[i].time /= 2;
}

/*
 * Halve the number of points, or else let it grow. Return 0, or -E2BIG if there are too many
 * points.
 */
int points_make_room(struct points *points)
{
	points_settle(points);
	while (points->nr > points->most / 2 && points->last >= 2 * STEPS_MIN) {
		widen(points);
		points_settle(points);
	}
	if (points->nr <= points->most / 2)
		return 0;
	if (points->most > points_max / 2)
		return -E2BIG;
	points->most *= 2;
	return 0;
}

/* Return the number of the step that has @time. A sample may be recorded after later ones. */
u32 points_step(const struct points *points, u64 time)
{
	u64 step = time > points->first ? (time - points->first) >> points->shift : 0;

	return step < UINT32_MAX ? step : UINT32_MAX;
}

/* Add @point with the step of @time. Return 0 or -ENOMEM. */
int points_add(struct points *points, u64 time, const struct point *point)
{
	struct point *grown = array_grow(points->list, points->nr, &points->room,
					 sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	points->list = grown;
	if (!points->nr)
		points->first = time;
	while (points_step(points, time) == UINT32_MAX)
		widen(points);
	grown[points->nr] = *point;
	grown[points->nr].time = points_step(points, time);
	if (grown[points->nr].time > points->last)
		points->last = grown[points->nr].time;
	points->nr++;
	points->nr_samples += point->samples;
	return 0;
}

void points_free(struct points *points)
{
	free(points->list);
}
