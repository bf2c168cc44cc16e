// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the hosts of the output, and identifiers that keep them apart
 *
 * An event of the output has an identifier for each host that has it, as perf has one for each
 * CPU. A recording that was merged before has several hosts itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge/merge_hosts.h"
#include "perfdata/feature_cursor.h"

/* An identifier is ID(host, event): there are at most READER_MAX_EVENTS events. */
#define ID(host, event)	(((u64)(host) << 16) + (event) + 1)

/**
 * struct numbered_host - a host of the output
 * @number:	its number
 * @name:	its name, empty if it is unknown
 */
struct numbered_host {
	u32	number;
	const char *name;
};

/* Return the name of the host, or NULL if the recording does not have it. */
const char *merge_host(const struct source *source)
{
	struct feature_cursor cursor = feature_begin(&source->reader.features, PERFDATA_HOSTNAME);

	return feature_string(&cursor);
}

static bool is_host(const void *entry, const void *name)
{
	return !strcmp(((const struct numbered_host *)entry)->name, name);
}

static struct numbered_host *find(const struct merge *merge, const char *name)
{
	return hash_table_find(&merge->hosts, hash_text(name), is_host, name);
}

/* Find or add a host, and set @number to its number. Return 0 or -ENOMEM. */
static int number_host(struct merge *merge, const char *name, u32 *number)
{
	struct numbered_host *host = find(merge, name);

	*number = host ? host->number : merge->hosts.nr;
	if (host)
		return 0;
	host = malloc(sizeof(*host));
	if (!host)
		return -ENOMEM;
	*host = (struct numbered_host){ *number, name };
	if (!hash_table_add(&merge->hosts, hash_text(name), host))
		return 0;
	free(host);
	return -ENOMEM;
}

/* Add the identifier that the output has for @id of @source. Return 0 or -ENOMEM. */
static int add_id(struct merge *merge, const struct source *source, const struct reader_id *id)
{
	const char *name = hosts_find(&source->hosts, id->id);
	u32 event = source->events[id->event].merged, host = source->host;
	struct merged_id *added;

	if (name && number_host(merge, name, &host))
		return -ENOMEM;
	added = hash_table_get(&merge->ids, ID(host, event), sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = (struct merged_id){ ID(host, event), event };
	return 0;
}

static int add_ids(struct merge *merge, struct source *source)
{
	const struct reader *reader = &source->reader;
	int err = hosts_read(&source->hosts, &reader->features);
	const char *name = merge_host(source);
	size_t i;

	if (!err && !source->hosts.ids.nr)
		err = number_host(merge, name ? name : "", &source->host);
	for (i = 0; i < reader->nr_ids && !err; i++)
		err = add_id(merge, source, &reader->ids[i]);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct merged_id *left = *(struct merged_id *const *)a;
	const struct merged_id *right = *(struct merged_id *const *)b;

	if (left->event != right->event)
		return left->event < right->event ? -1 : 1;
	return left->id < right->id ? -1 : left->id > right->id;
}

/* Give the events of the output their identifiers. */
static int set_ids(struct merge *merge)
{
	struct merged_id **sorted = calloc(merge->ids.nr + 1, sizeof(*sorted));
	struct perfdata_event *event;
	size_t i, at = 0;

	merge->event_ids = calloc(merge->ids.nr + 1, sizeof(*merge->event_ids));
	if (!sorted || !merge->event_ids) {
		free(sorted);
		return -ENOMEM;
	}
	for (i = 0; i < merge->ids.nr; i++)
		sorted[i] = hash_table_next(&merge->ids, &at);
	qsort(sorted, merge->ids.nr, sizeof(*sorted), by_id);
	for (i = 0; i < merge->ids.nr; i++) {
		merge->event_ids[i] = sorted[i]->id;
		event = &merge->events[sorted[i]->event];
		if (i && sorted[i - 1]->event == sorted[i]->event) {
			event->nr_more_ids++;
			continue;
		}
		event->id = sorted[i]->id;
		event->more_ids = &merge->event_ids[i + 1];
	}
	free(sorted);
	return 0;
}

/* Find the hosts of all recordings, after merge_events(). Return 0 or -ENOMEM. */
int merge_hosts(struct merge *merge)
{
	int err = 0;
	u32 i;

	for (i = 0; i < merge->nr_sources && !err; i++)
		err = add_ids(merge, &merge->sources[i]);
	return err ? err : set_ids(merge);
}

/* Return the identifier of event @merged of the output for records of @source with @id. */
u64 merge_id(const struct merge *merge, const struct source *source, u64 id, u32 merged)
{
	const char *name = hosts_find(&source->hosts, id);
	const struct numbered_host *host = name ? find(merge, name) : NULL;

	return ID(host ? host->number : source->host, merged);
}

/* Add the table of hosts if there are several. */
void merge_add_hosts(const struct merge *merge, struct feature_set *features)
{
	const struct numbered_host *host;
	const struct merged_id *id;
	struct bytes *out = &features->section[PERFDATA_TPROF_HOSTS];
	size_t at = 0, next, nr_at;
	u32 nr;

	if (merge->hosts.nr < 2)
		return;
	bytes_add_u32(out, merge->hosts.nr);
	while ((host = hash_table_next(&merge->hosts, &at))) {
		features_add_text(features, PERFDATA_TPROF_HOSTS, host->name);
		nr_at = out->len;
		bytes_add_u32(out, 0);
		nr = 0;
		next = 0;
		while ((id = hash_table_next(&merge->ids, &next))) {
			if (id->id >> 16 != host->number)
				continue;
			bytes_add_u64(out, id->id);
			nr++;
		}
		if (!bytes_err(out))
			memcpy(out->data + nr_at, &nr, sizeof(nr));
	}
}
