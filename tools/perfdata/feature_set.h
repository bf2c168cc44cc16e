/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - make the features of a perf.data file, which describe host and events
 */
#ifndef TPROF_FEATURE_SET_H
#define TPROF_FEATURE_SET_H

#include "base/bytes.h"
#include "perfdata/perfdata.h"

/**
 * struct feature_set - the contents of each feature
 * @section:	indexed by enum perfdata_feature; an empty section is not written
 */
struct feature_set {
	struct bytes section[PERFDATA_NR_FEATURES];
};

/**
 * struct perfdata_event - an event as the file describes it
 * @attr:	its perf_event_attr
 * @id:		identifier in its records
 * @name:	its name
 * @more_ids:	further identifiers, as perf has them for each CPU or thread; NULL for none
 * @nr_more_ids: number of @more_ids
 */
struct perfdata_event {
	struct perf_event_attr attr;
	u64	id;
	const char *name;
	const u64 *more_ids;
	u32	nr_more_ids;
};

void features_add_text(struct feature_set *set, u32 bit, const char *text);
void features_add_host(struct feature_set *set);
void features_add_command(struct feature_set *set, int argc, char **argv);
void features_add_events(struct feature_set *set, const struct perfdata_event *events, u32 nr);
void features_add_clock(struct feature_set *set, s32 clockid);
void features_add_times(struct feature_set *set, u64 first, u64 last);
void features_set_compression(struct feature_set *set, u32 level, u32 ratio);
size_t features_size(const struct feature_set *set);
int features_err(const struct feature_set *set);
void features_free(struct feature_set *set);

#endif /* TPROF_FEATURE_SET_H */
