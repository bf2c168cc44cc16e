// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - labels of a recording
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "perfdata/buildid.h"
#include "perfdata/feature_cursor.h"
#include "push/labels.h"
#include "symbols/object.h"

#define LINE_LEN	128

/* These name the profile itself. --name sets the second. */
static bool is_reserved(const char *name)
{
	return !strncmp(name, "__", 2) || !strcmp(name, "service_name");
}

static bool is_name(const char *text, size_t len)
{
	size_t i;

	if (!len || len > LABEL_NAME_LEN || isdigit((unsigned char)*text))
		return false;
	for (i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return true;
}

/* Return the label @name, a new one if there is none, or NULL if there is no room. */
static struct export_label *find_label(struct labels *labels, const char *name, size_t len)
{
	struct export_label *label;
	size_t i;

	for (i = 0; i < labels->nr; i++) {
		label = &labels->list[i];
		if (!strncmp(label->name, name, len) && !label->name[len])
			return label;
	}
	if (labels->nr == LABELS_MAX)
		return NULL;
	label = &labels->list[labels->nr++];
	*label = (struct export_label){ 0 };
	memcpy(label->name, name, len);
	return label;
}

/* Copy @text, escaped. Cut it between two characters. */
static void set_value(struct export_label *label, const char *text)
{
	const char *escaped = printable(text);
	size_t len = strnlen(escaped, LABEL_VALUE_LEN);

	while (escaped[len] && len && (escaped[len] & 0xc0) == 0x80)
		len--;
	memcpy(label->value, escaped, len);
	label->value[len] = '\0';
}

/* Add the label of @text, NAME=VALUE. The last one of several with a name counts. */
int labels_parse(struct labels *labels, const char *text)
{
	const char *equals = strchr(text, '=');
	struct export_label *label;

	if (!equals || !equals[1] || !is_name(text, equals - text))
		return -EINVAL;
	if (strlen(equals + 1) > LABEL_VALUE_LEN)
		return -ERANGE;
	label = find_label(labels, text, equals - text);
	if (!label || labels->nr > LABELS_GIVEN)
		return -ERANGE;
	set_value(label, equals + 1);
	return is_reserved(label->name) ? -EINVAL : 0;
}

/* Add a label, unless the user gave one of this name, or there is no value. */
static void add(struct labels *labels, const char *name, const char *value)
{
	struct export_label *label;

	if (!value || !*value)
		return;
	label = find_label(labels, name, strlen(name));
	if (label && !*label->value)
		set_value(label, value);
}

/* Read the first line of a file of /proc. */
static bool read_line(const char *path, const char *begin, char line[LINE_LEN])
{
	FILE *file = fopen(path, "re");
	bool found = false;

	while (file && !found && fgets(line, LINE_LEN, file))
		found = !strncmp(line, begin, strlen(begin));
	if (file)
		fclose(file);
	line[found ? strcspn(line, "\n") : 0] = '\0';
	return found;
}

/* Was the recording made on this machine, since it was booted? */
static bool is_of_this_boot(const struct feature_set *features, const char *host)
{
	struct feature_cursor cursor = feature_begin(features, PERFDATA_CLOCK_DATA);
	char name[256] = "", line[LINE_LEN];
	u32 version, clockid;
	u64 wall;

	if (!host || gethostname(name, sizeof(name) - 1) || strcmp(host, name))
		return false;
	if (!feature_u32(&cursor, &version) || !feature_u32(&cursor, &clockid) ||
	    !feature_u64(&cursor, &wall) || !read_line("/proc/stat", "btime ", line))
		return false;
	return wall / NSEC_PER_SEC > strtoull(line + strlen("btime "), NULL, 10);
}

static const char *feature_text(const struct feature_set *features, u32 bit)
{
	struct feature_cursor cursor = feature_begin(features, bit);

	return feature_string(&cursor);
}

/* Take the build-id of the kernel into @arg. */
static int take_kernel(void *arg, const struct perfdata_build_id *entry, const char *name)
{
	struct build_id id = build_id_in_entry(entry);

	if (strcmp(name, OBJECT_KERNEL_NAME))
		return 0;
	build_id_text(&id, arg);
	return 1;
}

/*
 * Add what the recording has about its host and kernel. If merge made it of several hosts, add
 * nothing: a label is of all samples. Then rows and samples have their hosts.
 */
void labels_add_recording(struct labels *labels, const struct feature_set *features)
{
	const struct bytes *ids = &features->section[PERFDATA_BUILD_ID];
	const char *host = feature_text(features, PERFDATA_HOSTNAME);
	char boot[LINE_LEN] = "", build[BUILD_ID_TEXT] = "";

	if (features->section[PERFDATA_TPROF_HOSTS].len)
		return;
	if (is_of_this_boot(features, host))
		read_line("/proc/sys/kernel/random/boot_id", "", boot);
	build_id_each(ids->data, ids->len, take_kernel, build);
	add(labels, "host", host);
	add(labels, "boot", boot);
	add(labels, "kernel", feature_text(features, PERFDATA_OSRELEASE));
	add(labels, "build", build);
}
