/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the hosts of the samples in a recording that merge made
 *
 * The identifiers of an event are others for each host. Feature PERFDATA_TPROF_HOSTS has a u32
 * number of hosts, then for each host its name, a u32 number of identifiers, and these as u64.
 */
#ifndef TPROF_HOSTS_H
#define TPROF_HOSTS_H

#include "base/hash_table.h"
#include "perfdata/feature_set.h"

/**
 * struct hosts - the hosts; empty if all members are zero
 * @ids:	struct host_id, by identifier
 */
struct hosts {
	struct hash_table ids;
};

int hosts_read(struct hosts *hosts, const struct feature_set *features);
const char *hosts_find(const struct hosts *hosts, u64 id);
void hosts_free(struct hosts *hosts);

#endif /* TPROF_HOSTS_H */
