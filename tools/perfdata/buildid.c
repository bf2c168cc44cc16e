// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read build-ids of files, of the kernel, of modules and of the vdso
 */
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/buildid.h"

/*
 * Upper limit of the vdso's size. libelf reads only the parts that the ELF header
 * describes.
 */
#define VDSO_SIZE	8192
#define NOTES_SIZE	4096

static int take(struct build_id *id, const void *data, ssize_t size)
{
	if (size <= 0)
		return -ENOENT;
	*id = (struct build_id){ .size = size < BUILD_ID_MAX ? size : BUILD_ID_MAX };
	memcpy(id->data, data, id->size);
	return 0;
}

static int build_id_of_elf(Elf *elf, struct build_id *id)
{
	const void *data;
	ssize_t size;

	if (!elf)
		return -ENOEXEC;
	size = dwelf_elf_gnu_build_id(elf, &data);
	return take(id, data, size);
}

/*
 * Open a regular file for reading. First check its type with O_PATH: a path in
 * /proc/PID/maps or a recording may name a FIFO or a device, and opening these can
 * have side effects.
 *
 * Return a file descriptor; -ENOEXEC if @path is not a regular file; else another
 * -errno.
 */
int open_regular(const char *path)
{
	char again[32];
	struct stat st;
	int fd, place = open(path, O_PATH | O_CLOEXEC);

	if (place < 0)
		return -errno;
	snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
	if (fstat(place, &st) || !S_ISREG(st.st_mode))
		fd = -ENOEXEC;
	else
		fd = open(again, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		fd = -errno;
	close(place);
	return fd;
}

/* Read the build-id of an open ELF file. Return as build_id_of_file() does. */
int build_id_of_fd(int fd, struct build_id *id)
{
	Elf *elf;
	int err;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	err = build_id_of_elf(elf, id);
	elf_end(elf);
	return err;
}

/*
 * Read the build-id of a regular ELF file. Return 0; -ENOENT if there is no file or no
 * build-id in it; else another -errno.
 */
int build_id_of_file(const char *path, struct build_id *id)
{
	int fd = open_regular(path), err;

	if (fd < 0)
		return fd;
	err = build_id_of_fd(fd, id);
	close(fd);
	return err;
}

/* Read the build-id of the vdso that is mapped into this process. */
int build_id_of_vdso(struct build_id *id)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	Elf *elf;
	int err;

	if (!image)
		return -ENOENT;
	elf_version(EV_CURRENT);
	elf = elf_memory(image, VDSO_SIZE);
	err = build_id_of_elf(elf, id);
	elf_end(elf);
	return err;
}

/*
 * Find the build-id among the ELF notes @notes, which are the contents of a note
 * section. Return 0, or -ENOENT if the section has no build-id.
 */
int build_id_in_notes(const void *notes, size_t len, struct build_id *id)
{
	const char *note = notes;
	size_t name, desc;
	Elf64_Nhdr header;

	while (len >= sizeof(header)) {
		memcpy(&header, note, sizeof(header));
		note += sizeof(header);
		len -= sizeof(header);
		name = ALIGN_UP((size_t)header.n_namesz, 4);
		desc = ALIGN_UP((size_t)header.n_descsz, 4);
		if (name > len || desc > len - name)
			break;
		if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof("GNU") &&
		    !memcmp(note, "GNU", sizeof("GNU")))
			return take(id, note + name, header.n_descsz);
		note += name + desc;
		len -= name + desc;
	}
	return -ENOENT;
}

static int build_id_in_notes_file(const char *path, struct build_id *id)
{
	char notes[NOTES_SIZE];
	ssize_t len;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	len = read(fd, notes, sizeof(notes));
	close(fd);
	return len < 0 ? -EIO : build_id_in_notes(notes, len, id);
}

int build_id_of_kernel(struct build_id *id)
{
	return build_id_in_notes_file("/sys/kernel/notes", id);
}

int build_id_of_module(const char *name, struct build_id *id)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%.64s/notes/.note.gnu.build-id", name);
	return build_id_in_notes_file(path, id);
}

/* Return the build-id of an entry of a recording's table. */
struct build_id build_id_in_entry(const struct perfdata_build_id *entry)
{
	struct build_id id = { .size = BUILD_ID_MAX };

	if (entry->header.misc & PERFDATA_ID_SIZE_BIT && entry->size < BUILD_ID_MAX)
		id.size = entry->size;
	memcpy(id.data, entry->build_id, id.size);
	return id;
}

/*
 * Call @visit for each entry of a recording's table of build-ids, up to the first damaged one,
 * until @visit fails. @name is the path of the binary; entry->filename is not there. Return 0,
 * or the error of @visit.
 */
int build_id_each(const void *section, size_t len,
		  int (*visit)(void *arg, const struct perfdata_build_id *entry, const char *name),
		  void *arg)
{
	struct perfdata_build_id entry;
	const u8 *at = section;
	const char *name;
	int err = 0;

	while (!err && len > sizeof(entry)) {
		memcpy(&entry, at, sizeof(entry));
		if (entry.header.size <= sizeof(entry) || entry.header.size > len)
			break;
		name = (const char *)at + sizeof(entry);
		if (memchr(name, '\0', entry.header.size - sizeof(entry)))
			err = visit(arg, &entry, name);
		at += entry.header.size;
		len -= entry.header.size;
	}
	return err;
}

/*
 * Compare a file's build-id with a recorded one. Compare only the bytes of the shorter
 * one: older recordings pad every build-id to BUILD_ID_MAX bytes.
 */
bool build_ids_agree(const struct build_id *real, const struct build_id *recorded)
{
	size_t size = real->size < recorded->size ? real->size : recorded->size;

	return size && !memcmp(real->data, recorded->data, size);
}

/* Compare two struct build_id for ordered_get(). */
int build_id_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct build_id));
}

/* Format a build-id in hexadecimal. */
const char *build_id_text(const struct build_id *id, char text[BUILD_ID_TEXT])
{
	u8 i;

	for (i = 0; i < id->size && i < BUILD_ID_MAX; i++)
		sprintf(text + 2 * i, "%02x", id->data[i]);
	text[2 * i] = '\0';
	return text;
}
