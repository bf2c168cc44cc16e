// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the rules that the walks on a CPU have found, by address
 *
 * Context: NMI. The unit tests rule_cache_test and walk_test compile this file in user space.
 */
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

#include "chain/limit.h"
#include "chain/rule_cache.h"

/**
 * tprof_rule_cache_add_view - give a view a salt that no rule has
 * @cache:	cache of this CPU
 * @map:	number of the map
 * @changes:	number of changes of the tables
 *
 * It replaces another view. The rules of that view are not found again.
 *
 * Context: NMI.
 * Return: salt.
 */
u64 tprof_rule_cache_add_view(struct tprof_rule_cache *cache, u64 map, u64 changes)
{
	u64 salt = cache->salt + TPROF_WALK_SPAN;

	/* All salts were used: begin again without rules. */
	if (!salt) {
		memset(cache, 0, sizeof(*cache));
		salt = TPROF_WALK_SPAN;
	}
	cache->salt = salt;
	cache->views[map % TPROF_RULE_CACHE_VIEWS] = (struct tprof_rule_view){
		.map = map, .changes = changes, .salt = salt,
	};
	return salt;
}
