// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unwind tables that two threads make, each for a part of the code
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "same_table.h"
#include "unit.h"
#include "unwind/object.h"
#include "unwind/part.h"

#define LINKER	"/lib64/ld-linux-x86-64.so.2"
#define LIBC	"/lib/x86_64-linux-gnu/libc.so.6"

#define NR_CUTS	25

static struct unwind_image map_image(const char *path)
{
	struct unwind_image image = { .fd = open_regular(path) };
	const Elf64_Ehdr *header;
	struct stat st;

	if (image.fd < 0 || fstat(image.fd, &st))
		abort();
	image.size = st.st_size;
	image.bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, image.fd, 0);
	if (image.bytes == MAP_FAILED)
		abort();
	header = (const Elf64_Ehdr *)image.bytes;
	image.entry = header->e_entry;
	return image;
}

static void unmap_image(struct unwind_image *image)
{
	munmap(image->bytes, image->size);
	close(image->fd);
}

static u64 middle_of(const struct unwind_image *image)
{
	struct unwind_part part;
	u64 middle;

	if (unwind_part_open(&part, image, 0, UINT64_MAX))
		abort();
	middle = unwind_part_middle(&part);
	unwind_part_close(&part);
	return middle;
}

static void add_part(const struct unwind_image *image, u64 from, u64 to, struct unwind_steps *steps,
		     struct table_builder *builder)
{
	struct unwind_part part;

	if (unwind_part_open(&part, image, from, to) || unwind_part_read(&part) ||
	    steps_build(&part.steps, builder))
		abort();
	builder->table.text_bytes += part.text_bytes;
	if (steps) {
		*steps = part.steps;
		part.steps = (struct unwind_steps){ 0 };
	}
	unwind_part_close(&part);
}

static struct unwind_table close_builder(struct table_builder *builder)
{
	struct unwind_table table = builder->table;

	table.pages = realloc(table.pages, (table.nr_pages + 1) * sizeof(*table.pages));
	table.pages[table.nr_pages] = table.nr_rows;
	builder_free(builder);
	return table;
}

/* Make the table of one part, and that of two parts that are cut at @cut. */
static bool is_same_with(const struct unwind_image *image, const struct unwind_table *whole,
			 u64 cut)
{
	struct table_builder builder = { 0 };
	struct unwind_table table;
	bool ret;

	add_part(image, 0, cut, NULL, &builder);
	add_part(image, cut, UINT64_MAX, NULL, &builder);
	table = close_builder(&builder);
	ret = same_table(whole, &table);
	if (!ret)
		printf("# cut at %#llx: %u of %u rows\n", cut, table.nr_rows, whole->nr_rows);
	unwind_table_free(&table);
	return ret;
}

static bool is_cut_anywhere(const char *path)
{
	struct unwind_image image = map_image(path);
	struct table_builder builder = { 0 };
	struct unwind_steps steps;
	struct unwind_table whole;
	bool ret = true, is_end;
	u32 nr_ends = 0;
	size_t i;

	add_part(&image, 0, UINT64_MAX, &steps, &builder);
	whole = close_builder(&builder);
	/* Let parts also meet where code without rules begins, unless that is the entry point. */
	for (i = 1; i < steps.nr; i++) {
		is_end = steps.list[i].rule.how == TPROF_LX_UNWIND_FP &&
			 steps.list[i - 1].rule.how != TPROF_LX_UNWIND_END;
		nr_ends += is_end;
		if (!(i % (steps.nr / NR_CUTS)) || (is_end && nr_ends <= NR_CUTS))
			ret &= is_same_with(&image, &whole, steps.list[i].offset);
	}
	unwind_table_free(&whole);
	steps_free(&steps);
	unmap_image(&image);
	return ret && nr_ends;
}

static void test_cuts(void)
{
	const char *const name = "a_table_of_parts_does_not_depend_on_where_they_begin";

	if (access(LINKER, R_OK)) {
		unit_skip(name, "there is no " LINKER);
		return;
	}
	unit_ok(is_cut_anywhere(LINKER) && is_cut_anywhere("/proc/self/exe"), name);
}

/* The parts are halves, more or less. */
static bool is_divided(const char *path)
{
	struct unwind_image image = map_image(path);
	u64 middle = middle_of(&image);

	unmap_image(&image);
	return middle > image.size / 4 && middle < image.size - image.size / 4;
}

/* Return true if one thread and two threads make the same table of a binary. */
static bool is_same(const char *path)
{
	struct unwind_table one, two;
	int fd = open_regular(path);
	bool ret;

	ret = !unwind_object_by(fd, 1, NULL, &one) && !unwind_object_by(fd, 2, NULL, &two) &&
	      unwind_table_is_valid(&two) && same_table(&one, &two) &&
	      one.build_id.size == two.build_id.size && one.nr_rows > 100;
	if (!ret)
		printf("# %s: other rows by two threads\n", path);
	unwind_table_free(&one);
	unwind_table_free(&two);
	close(fd);
	return ret;
}

static void test_threads(void)
{
	static const char *const others[] = {
		"/lib/x86_64-linux-gnu/libm.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/lib/x86_64-linux-gnu/libdw.so.1", "/usr/bin/bash",
	};
	const char *const name = "two_threads_make_the_table_of_one_thread";
	bool ret;
	u32 i;

	if (access(LIBC, R_OK)) {
		unit_skip(name, "there is no " LIBC);
		return;
	}
	unit_ok(is_divided(LIBC), "a_large_binary_has_two_parts");
	ret = is_same(LIBC);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		ret &= access(others[i], R_OK) || is_same(others[i]);
	unit_ok(ret, name);
}

int main(void)
{
	elf_version(EV_CURRENT);
	test_cuts();
	test_threads();
	return unit_exit();
}
