// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the salts of cached rules
 *
 * Walks by cached rules are tested by walk_test.
 */
#include "chain/limit.h"
#include "chain/rule_cache.h"
#include "unit.h"

#define ADDRESS	0x400210UL

void (*tprof_test_interrupt)(void);

static struct tprof_rule_cache cache;

static u64 salt_of(u64 map, u64 nr_changes)
{
	return tprof_rule_cache_salt(&cache, map, nr_changes);
}

static void test_salts(void)
{
	u64 one, other, salt, last = 0;
	bool is_unique = true;
	u32 i;

	one = salt_of(1, 0);
	other = salt_of(2, 0);
	unit_ok(one && other && one != other, "two maps have two salts");
	unit_ok(salt_of(1, 0) == one && salt_of(2, 0) == other, "salt of a view stays");
	salt = salt_of(1, 1);
	unit_ok(salt != one && salt != other, "change of the tables makes another salt");
	unit_ok(salt_of(1, 0) != one, "salt is not used again");
	salt_of(1 + TPROF_RULE_CACHE_VIEWS, 0);
	unit_ok(salt_of(2, 0) == other, "salts of other views stay");
	tprof_rule_cache_at(&cache, ADDRESS + other)->key = ADDRESS + other;
	for (i = 0; is_unique && i < 1 << 20; i++) {
		salt = salt_of(1, i + 2);
		if (salt < last)
			break;
		is_unique = salt > last && salt % TPROF_WALK_SPAN == 0;
		last = salt;
	}
	unit_ok(is_unique && i > 1 << 16 && i < 1 << 17, "salts grow until all were used");
	unit_ok(!tprof_rule_cache_at(&cache, ADDRESS + other)->key,
		"then all rules are dropped");
	unit_ok(cache.views[2].map == 0, "and all other views");
}

int main(void)
{
	test_salts();
	return unit_exit();
}
