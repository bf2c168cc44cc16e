/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - run push with a recording that has a date, a host and a kernel
 */
#ifndef TPROF_PUSH_RUN_H
#define TPROF_PUSH_RUN_H

#include "export_records.h"
#include "push/sending.h"
#include "push_sink.h"

#define WALL		1700000000ULL
#define BUILD		"0102030405060708090a0b0c0d0e0f1011121314"

static char said[8192], spool[80], token[80], url[80];
static u64 waits[SINK_MAX];
static size_t nr_waits;

static inline void note_wait(u64 ns)
{
	waits[nr_waits++ % SINK_MAX] = ns;
}

static inline void add_kernel_id(struct feature_set *features)
{
	struct perfdata_build_id entry = {
		.header = { .type = PERFDATA_HEADER_BUILD_ID, .misc = PERFDATA_ID_SIZE_BIT,
			    .size = sizeof(entry) + 24 },
		.pid = -1, .size = BUILD_ID_MAX,
	};
	char name[24] = "[kernel.kallsyms]";

	for (int i = 0; i < BUILD_ID_MAX; i++)
		entry.build_id[i] = i + 1;
	bytes_add(&features->section[PERFDATA_BUILD_ID], &entry, sizeof(entry));
	bytes_add(&features->section[PERFDATA_BUILD_ID], name, sizeof(name));
}

/* The first sample is at WALL. */
static inline void add_features(struct feature_set *features)
{
	struct bytes *clock = &features->section[PERFDATA_CLOCK_DATA];

	features_add_text(features, PERFDATA_HOSTNAME, "host-a");
	features_add_text(features, PERFDATA_OSRELEASE, "6.12.0");
	add_kernel_id(features);
	bytes_add_u32(clock, 1);
	bytes_add_u32(clock, CLOCK_MONOTONIC);
	bytes_add_u64(clock, WALL * NSEC_PER_SEC);
	bytes_add_u64(clock, FIRST_TIME);
}

static inline void make_dated(void)
{
	struct feature_set features = { 0 };

	add_features(&features);
	begin_records(true);
	ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	ADD(0, 1, 40, IN(EVIL), IN(MAIN));
	end_records_with(&features, 2);
}

/* Make a recording of two hosts, as merge does: event 0 has an identifier for each. */
static inline void make_hosts(void)
{
	static const u64 second = 43;
	struct feature_set features = { 0 };
	struct bytes *hosts = &features.section[PERFDATA_TPROF_HOSTS];
	u64 first = test_events[0].id;

	add_features(&features);
	features_add_text(&features, PERFDATA_HOSTNAME, "host-a,host-b");
	bytes_add_u32(hosts, 2);
	features_add_text(&features, PERFDATA_TPROF_HOSTS, "host-a");
	bytes_add_u32(hosts, 1);
	bytes_add_u64(hosts, first);
	features_add_text(&features, PERFDATA_TPROF_HOSTS, "host-b");
	bytes_add_u32(hosts, 1);
	bytes_add_u64(hosts, second);
	begin_records(true);
	ADD(0, 0, 10, IN(LEAF), IN(MAIN));
	test_events[0].id = second;
	ADD(0, 0, 40, IN(LEAF), IN(MAIN));
	ADD(0, 0, 80, IN(EVIL), IN(MAIN));
	test_events[0].id = first;
	test_events[0].more_ids = &second;
	test_events[0].nr_more_ids = 1;
	end_records_with(&features, 2);
	test_events[0].more_ids = NULL;
	test_events[0].nr_more_ids = 0;
}

/* Run push with the arguments in @argv, and keep its messages. */
static inline int push_run(int argc, char **argv)
{
	int saved = dup(STDERR_FILENO), status;
	FILE *messages = tmpfile();
	size_t len;

	nr_waits = 0;
	verbosity = 0;
	fflush(stderr);
	dup2(fileno(messages), STDERR_FILENO);
	status = push_command.run(&push_command, argc, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(messages);
	len = fread(said, 1, sizeof(said) - 1, messages);
	said[len] = '\0';
	fclose(messages);
	return status;
}

/* Run push to the sink with the arguments in @list, which ends with NULL. */
static inline int push_to(const char *to, const char *const *list)
{
	char *argv[24] = { "push", "--to", (char *)to, url, "--label", "env=a,b", "--name", "web" };
	int argc = strcmp(to, "clickhouse") ? 8 : 6;

	while (*list)
		argv[argc++] = (char *)*list++;
	return push_run(argc, argv);
}

#define PUSH(to, ...)	push_to(to, (const char *const[]){ __VA_ARGS__, NULL })

static inline void fill(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");

	if (!file || fchmod(fileno(file), mode))
		abort();
	fputs(text, file);
	fclose(file);
}

static inline bool is_same_body(size_t a, size_t b)
{
	return sink_seen[a].len && sink_seen[a].len == sink_seen[b].len &&
	       !memcmp(sink_seen[a].body, sink_seen[b].body, sink_seen[a].len);
}

/* Make a recording, and start the sink. */
static inline void push_begin(void)
{
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	sending_wait = note_wait;
	make_functions();
	make_dated();
	snprintf(spool, sizeof(spool), "%s/spool", directory);
	snprintf(token, sizeof(token), "%s/token", directory);
	sink_start();
	snprintf(url, sizeof(url), "http://localhost:%d/base/", sink_port);
}

static inline void push_end(void)
{
	sink_clear();
	unlink(token);
	rmdir(spool);
	remove_files();
}

#endif /* TPROF_PUSH_RUN_H */
