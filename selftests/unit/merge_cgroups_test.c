// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - cgroups of merged recordings
 */
#include "export_records.h"
#include "unit.h"

/* Make a recording of a sample in cgroup 7, which has the path @path. */
static void make_recording_in(const char *path)
{
	struct record_trailer trailer = { .pid = getpid(), .tid = getpid(), .id = 41 };

	begin_records(true);
	test_events[0].attr.sample_type |= PERF_SAMPLE_CGROUP;
	record_cgroup(&records, &trailer, 7, path);
	add_with_field(0, 1, 7);
	end_records(1);
}

/* Merge two recordings of hosts that have different cgroups with the number 7. */
static bool is_merged(void)
{
	char first[64], merged[64];
	char *argv[] = { "merge", "-o", merged, first, recording, NULL };
	bool done;

	make_recording_in("/first");
	snprintf(first, sizeof(first), "%s/first", directory);
	snprintf(merged, sizeof(merged), "%s/merged", directory);
	if (rename(recording, first))
		abort();
	make_recording_in("/second");
	done = !merge_command.run(&merge_command, 5, argv) && !rename(merged, recording);
	unlink(first);
	return done;
}

int main(void)
{
	verbosity = -1;
	make_functions();
	unit_ok(is_merged() && !run_export("rows", NULL, NULL) &&
		strstr((char *)got, ",\"cgroup\":\"/first\",") &&
		strstr((char *)got, ",\"cgroup\":\"/second\","),
		"cgroups_of_hosts_are_kept_apart");
	remove_files();
	return unit_exit();
}
