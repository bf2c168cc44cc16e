// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the files that a command maps at its start
 *
 * These are the program, the interpreter of a script, the dynamic linker, and the libraries that
 * they need, directly or not. The dynamic linker may choose other libraries than this file,
 * which does not read its cache. So the result is a forecast, and callers must not rely on it.
 */
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live/child.h"
#include "live/needed.h"
#include "perfdata/buildid.h"

/* The kernel reads so many bytes of a script's first line. */
#define SCRIPT_LINE	256

static const char *const directories =
	"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";

/* Add a file. Return false if there is no such file. */
static bool add_file(struct needed *needed, const char *path)
{
	char *whole = realpath(path, NULL);
	bool exists = whole;
	u32 i;

	for (i = 0; whole && i < needed->nr; i++) {
		if (strcmp(whole, needed->paths[i]))
			continue;
		free(whole);
		whole = NULL;
	}
	if (whole && needed->nr < NEEDED_FILES)
		needed->paths[needed->nr++] = whole;
	else
		free(whole);
	return exists;
}

/* Append a directory to @path, with $ORIGIN replaced by the directory of the file @from. */
static void set_directory(char path[PATH_MAX], const char *dir, size_t len, const char *from)
{
	static const char *const names[] = { "$ORIGIN", "${ORIGIN}" };
	size_t i, name_len;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		name_len = strlen(names[i]);
		if (len < name_len || strncmp(dir, names[i], name_len))
			continue;
		snprintf(path, PATH_MAX, "%.*s/%.*s", (int)(strrchr(from, '/') - from), from,
			 (int)(len - name_len), dir + name_len);
		return;
	}
	snprintf(path, PATH_MAX, "%.*s", (int)len, dir);
}

/* Look for a library in the directories @list, separated by colons. */
static bool add_from(struct needed *needed, const char *list, const char *name, const char *from)
{
	char path[PATH_MAX];
	size_t len, used;

	for (; list && *list; list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		set_directory(path, list, len, from);
		used = strlen(path);
		snprintf(path + used, sizeof(path) - used, "/%s", name);
		if (len && add_file(needed, path))
			return true;
	}
	return false;
}

/**
 * struct dynamic - the dynamic section of a binary
 * @data:	its entries
 * @nr:		number of entries
 * @strings:	index of the section of its names
 */
struct dynamic {
	Elf_Data *data;
	size_t	nr;
	size_t	strings;
};

static bool find_dynamic(Elf *elf, struct dynamic *dynamic)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC ||
		    !header.sh_entsize)
			continue;
		dynamic->data = elf_getdata(section, NULL);
		dynamic->nr = header.sh_size / header.sh_entsize;
		dynamic->strings = header.sh_link;
		return dynamic->data;
	}
	return false;
}

static void add_libraries(struct needed *needed, Elf *elf, const char *from)
{
	const char *runpath = NULL, *name;
	struct dynamic dynamic;
	GElf_Dyn entry;
	size_t i;

	if (!find_dynamic(elf, &dynamic))
		return;
	for (i = 0; i < dynamic.nr && gelf_getdyn(dynamic.data, i, &entry); i++) {
		if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
			runpath = elf_strptr(elf, dynamic.strings, entry.d_un.d_val);
	}
	for (i = 0; i < dynamic.nr && gelf_getdyn(dynamic.data, i, &entry); i++) {
		name = entry.d_tag == DT_NEEDED ?
		       elf_strptr(elf, dynamic.strings, entry.d_un.d_val) : NULL;
		if (!name)
			continue;
		if (strchr(name, '/'))
			add_file(needed, name);
		else if (!add_from(needed, runpath, name, from) &&
			 !add_from(needed, getenv("LD_LIBRARY_PATH"), name, from))
			add_from(needed, directories, name, from);
	}
}

static void add_linker(struct needed *needed, Elf *elf, int fd)
{
	char path[PATH_MAX] = "";
	GElf_Phdr header;
	size_t nr, i;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && gelf_getphdr(elf, i, &header); i++) {
		if (header.p_type == PT_INTERP && header.p_filesz < sizeof(path) &&
		    pread(fd, path, header.p_filesz, header.p_offset) > 0)
			add_file(needed, path);
	}
}

/* Add the interpreter of a script. It may be env, which looks up the next word in $PATH. */
static void add_interpreter(struct needed *needed, const char *line)
{
	char path[CHILD_PATH], *word, *rest, copy[SCRIPT_LINE + 1];
	bool is_env;

	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(line, "\n"), line);
	word = strtok_r(copy, " \t", &rest);
	if (!word || *word != '/')
		return;
	add_file(needed, word);
	is_env = !strcmp(strrchr(word, '/'), "/env");
	if (!is_env)
		return;
	do {
		word = strtok_r(NULL, " \t", &rest);
	} while (word && (*word == '-' || strchr(word, '=')));
	if (word && !child_locate(word, path))
		add_file(needed, path);
}

static void add_needs_of(struct needed *needed, const char *path)
{
	char line[SCRIPT_LINE + 1] = "";
	int fd = open_regular(path);
	Elf *elf;

	if (fd < 0)
		return;
	if (pread(fd, line, SCRIPT_LINE, 0) > 2 && !strncmp(line, "#!", 2)) {
		add_interpreter(needed, line + 2);
	} else {
		elf_version(EV_CURRENT);
		/* Not mapped: its owner may make it shorter meanwhile. */
		elf = elf_begin(fd, ELF_C_READ, NULL);
		if (elf && elf_kind(elf) == ELF_K_ELF) {
			add_linker(needed, elf, fd);
			add_libraries(needed, elf, path);
		}
		elf_end(elf);
	}
	close(fd);
}

/* Find the files of @command, which is a path, or a name to look up in $PATH. */
void needed_find(struct needed *needed, const char *command)
{
	char path[CHILD_PATH];
	u32 i;

	*needed = (struct needed){ 0 };
	if (!child_locate(command, path))
		add_file(needed, path);
	for (i = 0; i < needed->nr; i++)
		add_needs_of(needed, needed->paths[i]);
}

void needed_free(struct needed *needed)
{
	while (needed->nr)
		free(needed->paths[--needed->nr]);
}
