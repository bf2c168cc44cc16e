// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - make the features of a perf.data file, which describe host and events
 */
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/feature_set.h"

static void add_text(struct bytes *out, const char *text)
{
	size_t len = strlen(text) + 1;
	size_t padded = ALIGN_UP(len, PERFDATA_TEXT_ALIGN);

	bytes_add_u32(out, padded);
	bytes_add(out, text, len);
	bytes_extend(out, padded - len);
}

/* Add a feature that is a text. */
void features_add_text(struct feature_set *set, u32 bit, const char *text)
{
	add_text(&set->section[bit], text);
}

static void add_cpu_count(struct bytes *out)
{
	bytes_add_u32(out, sysconf(_SC_NPROCESSORS_CONF));
	bytes_add_u32(out, sysconf(_SC_NPROCESSORS_ONLN));
}

static void add_memory(struct bytes *out)
{
	u64 pages = sysconf(_SC_PHYS_PAGES);

	bytes_add_u64(out, pages * sysconf(_SC_PAGESIZE) / 1024);
}

/* Add vendor, family, model and stepping in the format of perf's tables of events. */
static void add_cpuid(struct bytes *out)
{
	unsigned int eax, ebx, ecx, edx, family, model;
	char vendor[13] = "", text[64];

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return;
	memcpy(vendor, &ebx, 4);
	memcpy(vendor + 4, &edx, 4);
	memcpy(vendor + 8, &ecx, 4);
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;

	family = eax >> 8 & 0xf;
	model = eax >> 4 & 0xf;
	if (family == 6 || family == 0xf)
		model |= eax >> 12 & 0xf0;
	if (family == 0xf)
		family += eax >> 20 & 0xff;
	snprintf(text, sizeof(text), "%s,%u,%u,%u", vendor, family, model, eax & 0xf);
	add_text(out, text);
}

static void add_cpu_name(struct bytes *out)
{
	char *line = NULL, *name;
	size_t room = 0;
	FILE *file = fopen("/proc/cpuinfo", "re");

	if (!file)
		return;
	while (getline(&line, &room, file) > 0) {
		if (strncmp(line, "model name", strlen("model name")))
			continue;
		name = strchr(line, ':');
		if (!name)
			continue;
		name += 1 + strspn(name + 1, " ");
		name[strcspn(name, "\n")] = '\0';
		add_text(out, name);
		break;
	}
	free(line);
	fclose(file);
}

/* Add the features that describe the machine and the version of tprof-lx. */
void features_add_host(struct feature_set *set)
{
	struct utsname uts;

	uname(&uts);
	add_text(&set->section[PERFDATA_HOSTNAME], uts.nodename);
	add_text(&set->section[PERFDATA_OSRELEASE], uts.release);
	add_text(&set->section[PERFDATA_ARCH], uts.machine);
	add_text(&set->section[PERFDATA_VERSION], TPROF_LX_VERSION);
	add_cpu_count(&set->section[PERFDATA_NRCPUS]);
	add_cpu_name(&set->section[PERFDATA_CPUDESC]);
	add_cpuid(&set->section[PERFDATA_CPUID]);
	add_memory(&set->section[PERFDATA_TOTAL_MEM]);
}

/*
 * Maximum size of the command line in bytes. In a pipe, the command line is one record,
 * which has a 16-bit size. Arguments that do not fit are replaced by a single "...".
 */
#define COMMAND_ROOM	(PERFDATA_RECORD_LIMIT - 512)

static bool has_room(const struct bytes *out, const char *text)
{
	return out->len + sizeof(u32) + ALIGN_UP(strlen(text) + 1, PERFDATA_TEXT_ALIGN) <=
	       COMMAND_ROOM;
}

void features_add_command(struct feature_set *set, int argc, char **argv)
{
	struct bytes *out = &set->section[PERFDATA_CMDLINE];
	u32 i, nr = argc;

	bytes_add_u32(out, 0);
	add_text(out, "tprof-lx");
	for (i = 0; i < nr && has_room(out, argv[i]); i++)
		add_text(out, argv[i]);
	if (i < nr) {
		add_text(out, "...");
		nr = i + 1;
	}
	nr++;
	if (!bytes_err(out))
		memcpy(out->data, &nr, sizeof(nr));
}

/* Add EVENT_DESC, which has the attrs, names and ids of the events. */
void features_add_events(struct feature_set *set, const struct perfdata_event *events, u32 nr)
{
	struct bytes *out = &set->section[PERFDATA_EVENT_DESC];
	u32 i;

	bytes_add_u32(out, nr);
	bytes_add_u32(out, PERFDATA_ATTR_SIZE);
	for (i = 0; i < nr; i++) {
		bytes_add(out, &events[i].attr, PERFDATA_ATTR_SIZE);
		bytes_add_u32(out, 1 + events[i].nr_more_ids);
		add_text(out, events[i].name);
		bytes_add_u64(out, events[i].id);
		bytes_add(out, events[i].more_ids, events[i].nr_more_ids * sizeof(u64));
	}
}

static u64 nanoseconds(const struct timespec *ts)
{
	return ts->tv_sec * NSEC_PER_SEC + ts->tv_nsec;
}

/*
 * Add CLOCKID, which has the resolution of the clock, and CLOCK_DATA, which has the
 * times of the clock and of CLOCK_REALTIME at one moment.
 */
void features_add_clock(struct feature_set *set, s32 clockid)
{
	struct bytes *out = &set->section[PERFDATA_CLOCK_DATA];
	struct timespec resolution = { 0 }, wall = { 0 }, now = { 0 };

	clock_getres(clockid, &resolution);
	bytes_add_u64(&set->section[PERFDATA_CLOCKID], nanoseconds(&resolution));

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(clockid, &now);
	bytes_add_u32(out, 1);
	bytes_add_u32(out, clockid);
	bytes_add_u64(out, nanoseconds(&wall));
	bytes_add_u64(out, nanoseconds(&now));
}

void features_add_times(struct feature_set *set, u64 first, u64 last)
{
	struct bytes *out = &set->section[PERFDATA_SAMPLE_TIME];

	bytes_add_u64(out, first);
	bytes_add_u64(out, last);
}

/*
 * Set COMPRESSED, without which perf does not read compressed records. It contains
 * version, type (zstd), level, ratio, and the maximum number of bytes that a
 * compressed record decompresses to.
 */
void features_set_compression(struct feature_set *set, u32 level, u32 ratio)
{
	struct bytes *out = &set->section[PERFDATA_COMPRESSED];

	bytes_free(out);
	bytes_add_u32(out, 1);
	bytes_add_u32(out, 1);
	bytes_add_u32(out, level);
	bytes_add_u32(out, ratio);
	bytes_add_u32(out, PERFDATA_RECORD_LIMIT + 1);
}

/* Return the size in bytes of all sections in a file, including their table. */
size_t features_size(const struct feature_set *set)
{
	size_t size = 0, i;

	for (i = 0; i < ARRAY_SIZE(set->section); i++) {
		if (set->section[i].len)
			size += sizeof(struct perfdata_section) + set->section[i].len;
	}
	return size;
}

/* Return 0, or -errno if adding to a feature failed. */
int features_err(const struct feature_set *set)
{
	int err = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(set->section) && !err; i++)
		err = bytes_err(&set->section[i]);
	return err;
}

void features_free(struct feature_set *set)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(set->section); i++)
		bytes_free(&set->section[i]);
}
