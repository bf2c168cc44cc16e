// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - build-ids in notes, files and DSO sets
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "live/dsos.h"
#include "perfdata/buildid.h"
#include "unit.h"

static void add_note(struct bytes *out, const char *name, u32 type,
		     const void *desc, u32 len)
{
	u32 name_len = strlen(name) + 1;

	bytes_add_u32(out, name_len);
	bytes_add_u32(out, len);
	bytes_add_u32(out, type);
	bytes_add(out, name, name_len);
	bytes_extend(out, ALIGN_UP(name_len, 4) - name_len);
	bytes_add(out, desc, len);
	bytes_extend(out, ALIGN_UP(len, 4) - len);
}

static void test_notes(void)
{
	struct bytes notes = { 0 };
	struct build_id id;
	char text[BUILD_ID_TEXT];
	int found = 0;

	add_note(&notes, "Xen", NT_GNU_BUILD_ID, "wrong", 5);
	add_note(&notes, "GNU", NT_GNU_ABI_TAG, "tag", 3);
	add_note(&notes, "GNU", NT_GNU_BUILD_ID, "\x01\x23\x45\xff", 4);
	unit_ok(!build_id_in_notes(notes.data, notes.len, &id) &&
		id.size == 4 && !strcmp(build_id_text(&id, text), "012345ff"),
		"a build-id is found among other notes");
	for (size_t len = 0; len < notes.len; len++)
		found += !build_id_in_notes(notes.data, len, &id);
	unit_ok(!found, "truncated notes have no build-id");
	memset(notes.data, 0xff, 8);
	unit_ok(build_id_in_notes(notes.data, notes.len, &id) < 0,
		"a note with sizes beyond its section is refused");
	bytes_free(&notes);
}

/* Return true if readelf(1) prints build-id @id for the file. */
static bool readelf_agrees(const char *path, const struct build_id *id)
{
	char command[512], line[256], text[BUILD_ID_TEXT];
	bool agrees = false;
	FILE *pipe;

	snprintf(command, sizeof(command), "readelf -n '%s' 2>&1", path);
	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe))
		agrees |= !!strstr(line, build_id_text(id, text));
	if (pipe)
		pclose(pipe);
	return agrees;
}

static void test_files(void)
{
	char dir[] = "/tmp/tprof-lx-unit.XXXXXX", fifo[64], self[256] = "";
	struct build_id id = { 0 };

	unit_ok(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0 &&
		!build_id_of_file(self, &id) && readelf_agrees(self, &id),
		"the build-id of this program is what readelf prints");
	unit_ok(!readelf_agrees("/bin/true", &id),
		"the build-id of this program is not that of /bin/true");
	unit_ok(build_id_of_file("/etc/passwd", &id) < 0,
		"a text file has no build-id");
	unit_ok(build_id_of_file("/dev/zero", &id) < 0,
		"a device has no build-id");
	unit_ok(build_id_of_file("/nonesuch", &id) < 0,
		"a missing file has no build-id");
	snprintf(fifo, sizeof(fifo), "%s/fifo", mkdtemp(dir));
	unit_ok(!mkfifo(fifo, 0600) && build_id_of_file(fifo, &id) < 0,
		"a FIFO has no build-id and is not waited for");
	unlink(fifo);
	rmdir(dir);
	unit_ok(!build_id_of_vdso(&id) && id.size == 20,
		"the vDSO has a build-id");
}

static void test_set(void)
{
	struct build_id one = { .size = 20, .data = { 1 } };
	struct build_id two = { .size = 20, .data = { 2 } };
	struct dso_set set = { 0 };
	struct bytes out = { 0 };

	dso_set_add(&set, PERF_RECORD_MISC_USER, "/bin/a", &one);
	dso_set_add(&set, PERF_RECORD_MISC_USER, "/bin/a", &one);
	dso_set_add(&set, PERF_RECORD_MISC_USER, "/bin/a", &two);
	dso_set_add(&set, PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]", &one);
	dso_set_write(&set, &out);
	unit_ok(out.len == set.bytes && out.len == 48 + 48 + 56,
		"each binary is written once, in the announced size");
	unit_ok(!(out.len % 8) && !set.failed, "entries are padded to 8 bytes");
	dso_set_free(&set);
	bytes_free(&out);
}

int main(void)
{
	test_notes();
	test_files();
	test_set();
	return unit_exit();
}
