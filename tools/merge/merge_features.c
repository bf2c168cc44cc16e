// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx merge - the features of the output
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "live/dsos.h"
#include "merge/merge_hosts.h"
#include "symbols/objects.h"

/* Features that the output has from the first recording that has them. */
static const u32 copied[] = {
	PERFDATA_TRACING_DATA, PERFDATA_OSRELEASE, PERFDATA_ARCH, PERFDATA_NRCPUS,
	PERFDATA_CPUDESC, PERFDATA_CPUID, PERFDATA_TOTAL_MEM,
};

static void copy_feature(struct feature_set *to, const struct feature_set *from, u32 bit)
{
	const struct bytes *section = &from->section[bit];

	if (!to->section[bit].len)
		bytes_add(&to->section[bit], section->data, section->len);
}

/* Return true if a recording before @source is of the same host. */
static bool is_known_host(const struct merge *merge, const struct source *source, const char *host)
{
	const struct source *other;
	const char *name;

	for (other = merge->sources; other < source; other++) {
		name = merge_host(other);
		if (name && !strcmp(name, host))
			return true;
	}
	return false;
}

/* Add the names of all hosts, separated by commas. */
static int add_hosts(const struct merge *merge, struct feature_set *features)
{
	const char *host;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	u32 i;

	if (!out)
		return -ENOMEM;
	for (i = 0; i < merge->nr_sources; i++) {
		host = merge_host(&merge->sources[i]);
		if (host && !is_known_host(merge, &merge->sources[i], host))
			fprintf(out, "%s%s", ftell(out) ? "," : "", host);
	}
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	features_add_text(features, PERFDATA_HOSTNAME, text);
	free(text);
	return 0;
}

/* Add the build-ids of all recordings. Kernels and modules have their names in the output. */
static int add_build_ids(const struct merge *merge, struct feature_set *features)
{
	const struct kernel_part *part;
	const struct named_id *named;
	struct dso_set dsos = { 0 };
	size_t at;
	u32 i;
	int err;

	for (i = 0; i < merge->nr_sources; i++) {
		at = 0;
		while ((named = hash_table_next(&merge->sources[i].ids.table, &at))) {
			part = kernels_find(&merge->kernels, named->name, &named->id);
			dso_set_add(&dsos, named->misc, part ? part->new_name : named->name,
				    &named->id);
		}
	}
	dso_set_write(&dsos, &features->section[PERFDATA_BUILD_ID]);
	err = dsos.failed ? -ENOMEM : 0;
	dso_set_free(&dsos);
	return err;
}

/*
 * Make the features of the output. @argv is the command line. Return 0 or -errno.
 */
int merge_features(struct merge *merge, int argc, char **argv, struct feature_set *features)
{
	size_t i;
	u32 nr;
	int err;

	for (nr = 0; nr < merge->nr_sources; nr++) {
		for (i = 0; i < ARRAY_SIZE(copied); i++)
			copy_feature(features, &merge->sources[nr].reader.features, copied[i]);
	}
	if (merge->clock) {
		copy_feature(features, &merge->clock->reader.features, PERFDATA_CLOCKID);
		copy_feature(features, &merge->clock->reader.features, PERFDATA_CLOCK_DATA);
	}
	features_add_text(features, PERFDATA_VERSION, TPROF_LX_VERSION);
	features_add_command(features, argc, argv);
	features_add_events(features, merge->events, merge->nr_events);
	if (merge->samples)
		features_add_times(features, merge->first, merge->last);
	merge_add_hosts(merge, features);
	err = add_hosts(merge, features);
	return err ? err : add_build_ids(merge, features);
}
