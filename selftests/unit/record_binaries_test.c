// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - which binaries a recording has seen when its command execs
 */
#include "record/record_binaries.h"
#include "unit.h"

/*
 * Let a recording with @opts see a binary, and then expect an exec. Return true if the binary is a
 * new one after that.
 */
static bool is_new(const struct record_options *opts)
{
	static const struct build_id id = { .size = 20 };
	static struct recording rec;
	bool ret;

	dso_set_add(&rec.seen, PERF_RECORD_MISC_USER, "/lib/libc.so.6", &id);
	record_expect_exec(&rec, opts);
	ret = dso_set_add(&rec.seen, PERF_RECORD_MISC_USER, "/lib/libc.so.6", &id);
	dso_set_free(&rec.seen);
	return ret;
}

int main(void)
{
	const struct record_options everything = { .everything = true };
	const struct record_options processes = { .pids = { .nr = 1 } };
	const struct record_options threads = { .tids = { .nr = 1 } };
	const struct record_options delayed = { .delay = 1 };
	const struct record_options command = { 0 };

	unit_ok(is_new(&command), "a_command_maps_the_binaries_of_tprof_lx_anew");
	unit_ok(!is_new(&everything) && !is_new(&processes) && !is_new(&threads),
		"binaries_of_other_processes_stay_seen");
	unit_ok(!is_new(&delayed), "binaries_of_a_command_that_runs_already_stay_seen");
	return unit_exit();
}
