// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - synthesize records about the kernel and its modules
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/module_name.h"
#include "live/synth.h"
#include "perfdata/buildid.h"

#define KERNEL_NAME		"[kernel.kallsyms]"
/* Address range of the x86-64 kernel, used if the kernel's symbols cannot be read. */
#define KERNEL_START		0xffffffff80000000ULL
#define KERNEL_LEN		0x40000000ULL
/* Offset of the symbol's name in a line of /proc/kallsyms. */
#define SYMBOL_NAME		19

/**
 * struct kernel_bounds - addresses of the kernel's code
 * @text:	address of _text
 * @etext:	address of _etext
 */
struct kernel_bounds {
	u64	text;
	u64	etext;
};

/* Return the size of the kernel's code, 0 if this task may not see it. */
static u64 code_size(void)
{
	unsigned long long first, last;
	char line[256];
	u64 size = 0;
	FILE *file = fopen("/proc/iomem", "re");

	if (!file)
		return 0;
	while (!size && fgets(line, sizeof(line), file)) {
		if (strstr(line, " : Kernel code\n") &&
		    sscanf(line, "%llx-%llx", &first, &last) == 2 && last > first)
			size = last + 1 - first;
	}
	fclose(file);
	return size;
}

/*
 * Read where _text is, near the beginning of kallsyms. Compute _etext, which is behind 100,000
 * lines; read these lines only if the size is not known.
 */
static int read_bounds(struct kernel_bounds *bounds)
{
	char *line = NULL;
	size_t room = 0;
	u64 size = code_size();
	FILE *file = fopen("/proc/kallsyms", "re");

	*bounds = (struct kernel_bounds){ 0 };
	if (!file)
		return -errno;
	while (!bounds->etext && getline(&line, &room, file) > 0) {
		/* A line is like "ffffffff81000000 T _text". sscanf() would be slow. */
		if (strlen(line) <= SYMBOL_NAME)
			continue;
		if (!strcmp(line + SYMBOL_NAME, "_text\n")) {
			bounds->text = strtoull(line, NULL, 16);
			/* Without CAP_SYSLOG, all addresses may read as 0. */
			if (!bounds->text)
				break;
			bounds->etext = size ? bounds->text + size : 0;
		} else if (!strcmp(line + SYMBOL_NAME, "_etext\n")) {
			bounds->etext = strtoull(line, NULL, 16);
		}
	}
	free(line);
	fclose(file);
	return bounds->text && bounds->etext > bounds->text ? 0 : -EACCES;
}

/* Write the MMAP record of the kernel. */
int synth_kernel(struct synth *synth)
{
	struct record_trailer trailer = { .pid = -1, .id = synth->event_id,
					  .sample_type = synth->sample_type };
	struct mapping map = { .start = KERNEL_START, .len = KERNEL_LEN, .name = KERNEL_NAME };
	struct kernel_bounds bounds;
	struct build_id id;

	if (!read_bounds(&bounds)) {
		map.start = bounds.text;
		map.len = bounds.etext - bounds.text;
		map.pgoff = bounds.text;
		map.name = KERNEL_NAME "_text";
	}
	record_kernel_mmap(&synth->out, &trailer, &map);
	if (!build_id_of_kernel(&id))
		dso_set_add(synth->dsos, PERF_RECORD_MISC_KERNEL, KERNEL_NAME, &id);
	return bytes_err(&synth->out);
}

/**
 * struct module - a loaded module
 * @name:	its name
 * @start:	start of its code
 * @len:	length of its code
 * @path:	its file, or NULL if it is not in modules.dep
 */
struct module {
	char	name[64];
	u64	start;
	u64	len;
	char	*path;
};

/**
 * struct module_list - all loaded modules
 * @all:	the modules
 * @nr:		number of modules
 */
struct module_list {
	struct module *all;
	size_t	nr;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct module *)a)->name, ((const struct module *)b)->name);
}

static int by_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int add_module(struct module_list *list, const char *line)
{
	struct module module = { 0 };
	struct module *all;

	if (sscanf(line, "%63s %llu %*s %*s %*s %llx", module.name, &module.len,
		   &module.start) != 3 || !module.start)
		return 0;
	all = reallocarray(list->all, list->nr + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	list->all = all;
	list->all[list->nr++] = module;
	return 0;
}

static int read_modules(struct module_list *list)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;
	FILE *file = fopen("/proc/modules", "re");

	/* A kernel without module support has no /proc/modules. */
	if (!file)
		return errno == ENOENT ? 0 : -errno;
	while (!err && getline(&line, &room, file) > 0)
		err = add_module(list, line);
	free(line);
	fclose(file);
	return err;
}

static void find_paths(struct module_list *list)
{
	struct module key, *module;
	char index[256], *line = NULL;
	struct utsname uts;
	size_t room = 0;
	FILE *file;

	uname(&uts);
	snprintf(index, sizeof(index), "/lib/modules/%s/modules.dep", uts.release);
	file = fopen(index, "re");
	if (!file)
		return;
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, ":\n")] = '\0';
		module_name(line, key.name, sizeof(key.name));
		module = bsearch(&key, list->all, list->nr, sizeof(key), by_name);
		if (!module || module->path)
			continue;
		if (asprintf(&module->path, "/lib/modules/%s/%s", uts.release, line) < 0)
			module->path = NULL;
	}
	free(line);
	fclose(file);
}

/*
 * Shorten each module that reaches into the next one. Since Linux 6.4, the parts of a
 * module need not be adjacent. /proc/modules has the start of one part and the sum of
 * all sizes, so modules seem to overlap.
 */
static void cut_overlaps(struct module_list *list)
{
	struct module *all = list->all;
	size_t i;

	for (i = 0; i + 1 < list->nr; i++) {
		if (all[i].len > all[i + 1].start - all[i].start)
			all[i].len = all[i + 1].start - all[i].start;
	}
}

static void write_module(struct synth *synth, const struct module *module)
{
	struct record_trailer trailer = { .pid = -1, .id = synth->event_id,
					  .sample_type = synth->sample_type };
	struct mapping map = { .start = module->start, .len = module->len };
	struct build_id id;
	char name[80];

	snprintf(name, sizeof(name), "[%s]", module->name);
	map.name = module->path ? module->path : name;
	record_kernel_mmap(&synth->out, &trailer, &map);
	if (!build_id_of_module(module->name, &id))
		dso_set_add(synth->dsos, PERF_RECORD_MISC_KERNEL, map.name, &id);
}

/* Write the MMAP records of the modules. */
int synth_modules(struct synth *synth)
{
	struct module_list list = { 0 };
	size_t i;
	int err = read_modules(&list);

	if (!err && list.nr) {
		qsort(list.all, list.nr, sizeof(*list.all), by_name);
		find_paths(&list);
		qsort(list.all, list.nr, sizeof(*list.all), by_start);
		cut_overlaps(&list);
	}
	for (i = 0; i < list.nr; i++) {
		if (!err)
			write_module(synth, &list.all[i]);
		free(list.all[i].path);
	}
	free(list.all);
	return err ? err : bytes_err(&synth->out);
}
