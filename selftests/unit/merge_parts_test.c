// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - processes, kernels and modules of the output of merge
 */
#include <limits.h>
#include <string.h>

#include "merge/kernels.h"
#include "merge/pids.h"
#include "unit.h"

#define KERNEL		0xffffffff81000000ULL

static void test_pids(void)
{
	static struct pids pids;

	unit_ok(pids_map(&pids, 0, 7) == 7 && pids_map(&pids, 1, 8) == 8,
		"a_free_number_stays");
	unit_ok(pids_map(&pids, 1, 7) == 7 + PIDS_STEP && pids_map(&pids, 1, 7) == 7 + PIDS_STEP &&
		pids_map(&pids, 0, 7) == 7, "a_number_in_use_changes");
	unit_ok(pids_map(&pids, 0, 7 + PIDS_STEP) == 7 + 2 * PIDS_STEP,
		"a_large_number_does_not_collide");
	unit_ok(!pids_map(&pids, 1, 0) && pids_map(&pids, 1, -1) == (u32)-1 && !pids.err,
		"numbers_of_no_process_stay");
	pids_map(&pids, 0, INT_MAX);
	pids_map(&pids, 1, INT_MAX);
	unit_ok(pids.err == -EOVERFLOW && pids.failed == INT_MAX, "too_many_numbers_are_noted");
	pids_free(&pids);
}

static void test_kernels(void)
{
	struct build_id id = { 20, { 1 } }, none = { 0 };
	struct kernel_map first = { 0 }, second = { 0 };
	const struct kernel_part *part;
	struct kernels kernels = { 0 };

	kernels_add(&kernels, &first, "[ext4]", &id, 0xffffffffc0000000, 0x4000, &part);
	kernels_add(&kernels, &second, "[xfs]", &none, 0xffffffffc0002000, 0x1000, &part);
	unit_ok(part && part->start != 0xffffffffc0002000 &&
		kernels_address(&kernels, &second, 0xffffffffc0002010) == part->start + 0x10,
		"a_module_at_used_addresses_moves");
	unit_ok(kernels_address(&kernels, &first, 0xffffffffc0002010) == 0xffffffffc0002010,
		"a_module_at_free_addresses_stays");
	unit_ok(kernels_address(&kernels, &second, 0xffffffffc0000010) == KERNEL_NOWHERE &&
		second.nr_nowhere == 1, "an_address_of_no_module_is_of_none_in_the_output");
	kernels_add(&kernels, &second, "[ext4]", &id, 0xffffffffc0002000, 0x4000, &part);
	unit_ok(!part && kernels_address(&kernels, &second, 0xffffffffc0002010) ==
		0xffffffffc0000010, "a_module_that_was_loaded_later_replaces_another");
	kernels_add(&kernels, &second, "[bpf]", &none, 0xffffffffc0003000, 0x100, &part);
	unit_ok(kernels_address(&kernels, &second, 0xffffffffc0002fff) == 0xffffffffc0000fff &&
		kernels_address(&kernels, &second, 0xffffffffc0003100) == 0xffffffffc0001100 &&
		kernels_address(&kernels, &second, 0xffffffffc0003000) == part->start,
		"a_mapping_within_another_leaves_its_ends");
	kernel_map_free(&first);
	kernel_map_free(&second);
	kernels_free(&kernels);
}

/*
 * Add the most parts that recordings may have, all with one long name, downwards. If each were
 * compared with all others, this would not end.
 */
static void test_many_kernels(void)
{
	char name[PATH_MAX] = { 0 };
	struct build_id none = { 0 };
	struct kernel_map maps[2] = { 0 };
	const struct kernel_part *part, *last = NULL;
	struct kernels kernels = { 0 };
	u32 i, k, nr_wrong = 0;
	u64 start;

	memset(name, 'x', sizeof(name) - 1);
	for (k = 0; k < ARRAY_SIZE(maps); k++) {
		for (i = 0; i < KERNELS_MAX_PARTS; i++) {
			start = 0xffffffffc0000000 - (2ULL * i + k) * 0x1000;
			nr_wrong += kernels_add(&kernels, &maps[k], name, &none, start, 0x1000,
						&part) ||
				    !part || part->start != start ||
				    (last && !strcmp(part->new_name, last->new_name));
			last = part;
		}
	}
	unit_ok(!nr_wrong, "each_recording_may_have_the_most_parts");
	unit_ok(kernels_add(&kernels, &maps[0], name, &none, KERNEL, 0x1000, &part) == -E2BIG,
		"a_recording_with_more_parts_is_refused");
	start = 0xffffffffc0000000 - 2ULL * 0x1000;
	unit_ok(kernels_address(&kernels, &maps[0], start + 1) == start + 1 &&
		kernels_address(&kernels, &maps[1], start + 1) == KERNEL_NOWHERE,
		"each_recording_has_its_own_parts");
	unit_ok(kernels_find(&kernels, name, &none) &&
		!strcmp(kernels_find(&kernels, name, &none)->new_name, name),
		"the_first_part_of_a_name_keeps_it");
	for (k = 0; k < ARRAY_SIZE(maps); k++)
		kernel_map_free(&maps[k]);
	kernels_free(&kernels);
}

int main(void)
{
	test_pids();
	test_kernels();
	test_many_kernels();
	return unit_exit();
}
