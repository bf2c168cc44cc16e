// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx export - profiles of OpenTelemetry's protocol, OTLP
 *
 * The output is one message: the profiles of resources, and a dictionary. A host is a resource.
 * There an event has a profile, in which a sample stands for all moments with the same stack,
 * thread and CPU. If
 * there are many moments, the profiles so far are written, and further ones follow. So only
 * the dictionary grows with the recording. It is written last: fields may have any order.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/file_input.h"
#include "cli/say.h"
#include "export/groups.h"
#include "export/otlp_dictionary.h"
#include "export/otlp_resource.h"
#include "export/samples.h"
#include "perfdata/wall_clock.h"
#include "perfdata/waits.h"

/* Maximum number of moments in memory: they take about 100 MB. Tests change it. */
size_t otlp_kept_max = 1U << 20;

/* Fields of opentelemetry/proto: collector, common and profiles. */
enum { REQUEST_RESOURCE_PROFILES = 1, REQUEST_DICTIONARY };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE };
enum { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILE };
enum { SCOPE_NAME = 1, SCOPE_VERSION };
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME, PROFILE_DURATION,
	PROFILE_PERIOD_TYPE, PROFILE_PERIOD
};

enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES, SAMPLE_VALUES = 4, SAMPLE_TIMES };

/**
 * struct moment - a sample of the recording
 * @time:	its time
 * @weight:	its period
 * @group:	number of its group
 */
struct moment {
	u64	time;
	u64	weight;
	u32	group;
};

/**
 * struct otlp - a message being made
 * @export:	the recording
 * @frames:	frames and stacks of @groups
 * @groups:	what the moments belong to
 * @moments:	samples that are not written yet, in the order of the recording
 * @nr:		number of @moments
 * @room:	capacity of @moments
 * @dictionary:	what profiles refer to
 * @profiles:	profiles that are being made
 * @profile:	the current one
 * @part:	a message in @profile
 * @inner:	a message in @part
 * @has_dates:	times can be converted by @offset
 * @offset:	ns from a time to the time since 1970
 */
struct otlp {
	const struct export *export;
	struct frames frames;
	struct groups groups;
	struct moment *moments;
	size_t	nr;
	size_t	room;
	struct otlp_dictionary dictionary;
	struct bytes profiles;
	struct bytes profile;
	struct bytes part;
	struct bytes inner;
	bool	has_dates;
	u64	offset;
};

static void add_scope(struct otlp *otlp, struct bytes *out)
{
	protobuf_text(&otlp->part, SCOPE_NAME, "tprof-lx");
	protobuf_text(&otlp->part, SCOPE_VERSION, TPROF_LX_VERSION);
	protobuf_message(out, SCOPE_PROFILES_SCOPE, &otlp->part);
}

/* Write a field of the message, and forget it. */
static int write_field(const struct otlp *otlp, u32 field, struct bytes *message)
{
	struct bytes out = { 0 };
	int err;

	protobuf_message(&out, field, message);
	err = bytes_err(&out);
	if (!err)
		fwrite(out.data, 1, out.len, otlp->export->out);
	bytes_free(&out);
	return err;
}

/* Write @profiles, which are of @host, and forget them. */
static int write_profiles(struct otlp *otlp, const char *host)
{
	struct bytes resource = { 0 };
	int err;

	otlp_resource(otlp->export, &otlp->dictionary.texts.names, host, &otlp->part);
	protobuf_message(&resource, RESOURCE_PROFILES_RESOURCE, &otlp->part);
	add_scope(otlp, &otlp->profiles);
	protobuf_message(&resource, RESOURCE_PROFILES_SCOPE, &otlp->profiles);
	err = write_field(otlp, REQUEST_RESOURCE_PROFILES, &resource);
	bytes_free(&resource);
	return err;
}

static void add_type(struct otlp *otlp, u32 field, const struct reader_event *event)
{
	const char *unit = event_time(event) == TIME_NONE ? "count" : "nanoseconds";
	char name[WEIGHT_NAME_LEN];
	u64 type = otlp_text(&otlp->dictionary, samples_weight_name(otlp->export, event, name));

	protobuf_number(&otlp->part, TYPE_TYPE, type);
	protobuf_number(&otlp->part, TYPE_UNIT, otlp_text(&otlp->dictionary, unit));
	protobuf_message(&otlp->profile, field, &otlp->part);
}

static void add_attributes(struct otlp *otlp, const struct group *group)
{
	struct otlp_dictionary *dictionary = &otlp->dictionary;
	struct bytes *inner = &otlp->inner;

	protobuf_varint(inner, otlp_attribute(dictionary, OTLP_PID, group->pid));
	protobuf_varint(inner, otlp_attribute(dictionary, OTLP_TID, group->tid));
	protobuf_varint(inner, otlp_text_attribute(dictionary, OTLP_THREAD_NAME, group->comm));
	if (group->cpu != NO_CPU)
		protobuf_varint(inner, otlp_attribute(dictionary, OTLP_CPU, group->cpu));
	if (group->cgroup)
		protobuf_varint(inner, otlp_text_attribute(dictionary, OTLP_CGROUP,
							   group->cgroup));
	protobuf_message(&otlp->part, SAMPLE_ATTRIBUTES, inner);
}

/* Add a sample of the @nr moments at @order. Without dates, it has the sum as its value. */
static void add_sample(struct otlp *otlp, const struct group *group, const u32 *order, size_t nr)
{
	struct bytes *part = &otlp->part, *inner = &otlp->inner;
	size_t i;

	protobuf_number(part, SAMPLE_STACK,
			otlp_stack(&otlp->dictionary, &otlp->frames, group->stack));
	add_attributes(otlp, group);
	if (!otlp->has_dates)
		protobuf_varint(inner, group->weight);
	for (i = 0; i < nr && otlp->has_dates; i++)
		protobuf_varint(inner, otlp->moments[order[i]].weight);
	protobuf_message(part, SAMPLE_VALUES, inner);
	for (i = 0; i < nr && otlp->has_dates; i++)
		bytes_add_u64(inner, otlp->moments[order[i]].time + otlp->offset);
	if (otlp->has_dates)
		protobuf_message(part, SAMPLE_TIMES, inner);
	protobuf_message(&otlp->profile, PROFILE_SAMPLE, part);
}

/*
 * Return the numbers of all moments, sorted by their groups: those of group i begin at
 * begins[i]. Free both. Return NULL if there is no memory.
 */
static u32 *sort_moments(const struct otlp *otlp, size_t **begins)
{
	size_t nr_groups = otlp->groups.table.nr, i;
	u32 *order = calloc(otlp->nr, sizeof(*order));
	size_t *at = calloc(nr_groups + 1, sizeof(*at));

	*begins = at;
	if (!order || !at) {
		free(order);
		return NULL;
	}
	for (i = 1; i < nr_groups; i++)
		at[i] = at[i - 1] + otlp->groups.list[i - 1].samples;
	for (i = 0; i < otlp->nr; i++)
		order[at[otlp->moments[i].group]++] = i;
	for (i = nr_groups; i; i--)
		at[i] = at[i - 1];
	at[0] = 0;
	return order;
}

/* Add the @nr moments at @order to @span. */
static void note_times(const struct otlp *otlp, const u32 *order, size_t nr,
		       struct export_span *span)
{
	u64 time;
	size_t i;

	for (i = 0; i < nr; i++) {
		time = otlp->moments[order[i]].time;
		if (time < span->first)
			span->first = time;
		if (time > span->last)
			span->last = time;
	}
	span->nr += nr;
}

/*
 * Add the end of the profile of @event, which has the samples of @span with a sum of @weight.
 * The period of an event with a frequency varies; the mean is that of these samples.
 */
static void end_profile(struct otlp *otlp, const struct reader_event *event,
			const struct export_span *span, u64 weight)
{
	const struct perf_event_attr *attr = &event->layout.attr;
	struct bytes *profile = &otlp->profile;

	if (otlp->has_dates)
		protobuf_fixed64(profile, PROFILE_TIME, span->first + otlp->offset);
	protobuf_number(profile, PROFILE_DURATION, span->last - span->first);
	add_type(otlp, PROFILE_PERIOD_TYPE, event);
	protobuf_number(profile, PROFILE_PERIOD, attr->freq ? weight / span->nr :
							      attr->sample_period);
	protobuf_message(&otlp->profiles, SCOPE_PROFILES_PROFILE, profile);
}

/* Add the profile of event number @at on @host, if it has moments. */
static void add_profile(struct otlp *otlp, const char *host, u32 at, const u32 *order,
			const size_t *begins)
{
	const struct reader_event *event = &otlp->export->reader->events[at];
	struct export_span span = { .first = UINT64_MAX };
	const struct group *group;
	u64 weight = 0;
	size_t i;

	for (i = 0; i < otlp->groups.table.nr; i++) {
		group = &otlp->groups.list[i];
		if (group->event != at || group->host != host)
			continue;
		if (!span.nr)
			add_type(otlp, PROFILE_SAMPLE_TYPE, event);
		add_sample(otlp, group, order + begins[i], group->samples);
		note_times(otlp, order + begins[i], group->samples, &span);
		weight += group->weight;
	}
	if (span.nr)
		end_profile(otlp, event, &span, weight);
}

static int write_host(struct otlp *otlp, const char *host, const u32 *order, const size_t *begins)
{
	u32 i;

	for (i = 0; i < otlp->export->reader->nr_events; i++)
		add_profile(otlp, host, i, order, begins);
	return otlp->dictionary.err ?: write_profiles(otlp, host);
}

/* Set @hosts to the hosts of the moments, @nr of them. Return 0 or -ENOMEM. Free @hosts. */
static int list_hosts(const struct otlp *otlp, const char ***hosts, size_t *nr)
{
	const char *host, **list;
	size_t room = 0, i, j;

	for (i = 0; i < otlp->groups.table.nr; i++) {
		host = otlp->groups.list[i].host;
		for (j = 0; j < *nr && (*hosts)[j] != host; j++)
			;
		if (j < *nr)
			continue;
		list = array_grow(*hosts, *nr, &room, sizeof(*list));
		if (!list)
			return -ENOMEM;
		list[(*nr)++] = host;
		*hosts = list;
	}
	return 0;
}

/* Write all moments, and forget them. */
static int write_moments(struct otlp *otlp)
{
	const char **hosts = NULL;
	size_t *begins, nr = 0, i;
	u32 *order;
	int err;

	if (!otlp->nr)
		return 0;
	order = sort_moments(otlp, &begins);
	err = order ? list_hosts(otlp, &hosts, &nr) : -ENOMEM;
	for (i = 0; i < nr && !err; i++)
		err = write_host(otlp, hosts[i], order, begins);
	free(hosts);
	free(begins);
	free(order);
	groups_clear(&otlp->groups);
	otlp->nr = 0;
	return err;
}

static int take(struct samples *samples)
{
	struct otlp *otlp = samples->arg;
	struct group group = samples_group(samples);
	struct moment *moment;
	int err = otlp->nr < otlp_kept_max ? 0 : write_moments(otlp);

	if (!err)
		err = frames_add(&otlp->frames, &samples->world, samples->chain.frames,
				 samples->chain.nr, &group.stack);
	if (err)
		return err;
	moment = array_grow(otlp->moments, otlp->nr, &otlp->room, sizeof(*moment));
	if (!moment)
		return -ENOMEM;
	otlp->moments = moment;
	moment += otlp->nr;
	moment->time = samples->sample.time;
	moment->weight = samples->sample.period;
	err = groups_add(&otlp->groups, &group, &moment->group);
	otlp->nr += !err;
	return err;
}

static int write_dictionary(struct otlp *otlp)
{
	int err = otlp_dictionary_end(&otlp->dictionary, &otlp->frames);

	return err ?: write_field(otlp, REQUEST_DICTIONARY, &otlp->dictionary.tables);
}

static int write_message(struct otlp *otlp, struct samples *samples)
{
	const struct reader *reader = otlp->export->reader;
	const char *input = otlp->export->options->input;
	int status, err;

	otlp->has_dates = wall_clock_offset(&reader->features, &otlp->offset);
	otlp_dictionary_begin(&otlp->dictionary);
	status = samples_read(samples);
	err = write_moments(otlp) ?: write_dictionary(otlp);
	return err ? say_input_failed(input, err, &reader->msg) : status;
}

static int write_otlp(const struct export *export)
{
	struct otlp otlp = { .export = export };
	struct samples samples;
	int status, err = samples_init(&samples, export);

	samples.take = take;
	samples.arg = &otlp;
	status = err ? say_failure(err, export->options->input) :
		       write_message(&otlp, &samples);
	groups_free(&otlp.groups);
	frames_free(&otlp.frames);
	otlp_dictionary_free(&otlp.dictionary);
	bytes_free(&otlp.profiles);
	bytes_free(&otlp.profile);
	bytes_free(&otlp.part);
	bytes_free(&otlp.inner);
	free(otlp.moments);
	samples_free(&samples);
	return status;
}

const struct export_format export_otlp = {
	.name = "otlp",
	.is_binary = true,
	.write = write_otlp,
};
