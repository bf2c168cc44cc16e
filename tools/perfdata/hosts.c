// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the hosts of the samples in a recording that merge made
 */
#include <errno.h>
#include <stdlib.h>

#include "perfdata/feature_cursor.h"
#include "perfdata/hosts.h"

/**
 * struct host_id - an identifier
 * @name:	the host, in the feature
 */
struct host_id {
	const char *name;
};

static int read_host(struct hosts *hosts, struct feature_cursor *cursor, const char *name)
{
	struct host_id *host;
	u64 id;
	u32 nr;

	if (!name || !feature_u32(cursor, &nr))
		return -EBADMSG;
	while (nr--) {
		if (!feature_u64(cursor, &id))
			return -EBADMSG;
		host = hash_table_get(&hosts->ids, id, sizeof(*host));
		if (!host)
			return -ENOMEM;
		host->name = name;
	}
	return 0;
}

/*
 * Read the feature up to its first error. Call hosts_free() even if this fails. Return 0 or
 * -ENOMEM.
 *
 * @features: must stay valid until then
 */
int hosts_read(struct hosts *hosts, const struct feature_set *features)
{
	struct feature_cursor cursor = feature_begin(features, PERFDATA_TPROF_HOSTS);
	int err = 0;
	u32 nr;

	if (!feature_u32(&cursor, &nr))
		return 0;
	while (nr-- && !err)
		err = read_host(hosts, &cursor, feature_string(&cursor));
	return err == -ENOMEM ? err : 0;
}

/* Return the name of the host of records with the identifier @id, or NULL if it is unknown. */
const char *hosts_find(const struct hosts *hosts, u64 id)
{
	const struct host_id *host = hash_table_find(&hosts->ids, hash_number(id), NULL, NULL);

	return host ? host->name : NULL;
}

void hosts_free(struct hosts *hosts)
{
	hash_table_free(&hosts->ids, free);
}
