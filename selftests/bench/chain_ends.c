// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx bench - print how many user chains of a recording reach an outermost frame
 *
 * A frame is an outermost one if the unwind rules of its binary say that it has no return address,
 * or if it is at the entry point of the binary, as in the dynamic linker.
 * The output has a line for each thread name, and one for each address at which many chains end too
 * early.
 *
 * usage: chain_ends FILE
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/stitch.h"
#include "symbols/object_dwarf.h"
#include "world/chain.h"

#define MAX_GROUPS	4096
#define MAX_SHOWN	8
#define RIP		16

/* As in unwind/part.c. */
#define ENTRY_BYTES	128

/**
 * struct group - samples with the same text
 * @text:	name of the thread, or where their chains end
 * @nr:		number of samples
 * @nr_whole:	number of samples whose chain reaches an outermost frame
 */
struct group {
	char	text[512];
	u64	nr;
	u64	nr_whole;
};

/**
 * struct groups - all groups
 * @list:	the groups
 * @nr:		number of groups
 */
struct groups {
	struct group list[MAX_GROUPS];
	size_t	nr;
};

static struct groups threads, places;
static struct reader reader;
static struct world world;
static struct chain chain;

static struct group *find_group(struct groups *groups, const char *text)
{
	size_t i;

	for (i = 0; i < groups->nr; i++) {
		if (!strcmp(groups->list[i].text, text))
			return &groups->list[i];
	}
	if (groups->nr < MAX_GROUPS)
		groups->nr++;
	snprintf(groups->list[groups->nr - 1].text, sizeof(groups->list[0].text), "%s", text);
	return &groups->list[groups->nr - 1];
}

/* Read the entry point of a binary. Addresses of code are mostly the same as file offsets. */
static u64 read_entry(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header = { 0 };

	if (fd >= 0 && read(fd, &header, sizeof(header)) != sizeof(header))
		header.e_entry = 0;
	if (fd >= 0)
		close(fd);
	return header.e_entry;
}

static bool is_outermost(struct spot *spot, bool is_interrupted)
{
	Dwarf_Frame *frame;
	Dwarf_Op mem[3], *ops;
	size_t nr_ops;
	u64 entry;

	if (world_find_function(&world, spot))
		abort();
	frame = object_rules(spot->object, spot->addr - !is_interrupted);
	if (frame)
		return !dwarf_frame_register(frame, RIP, mem, &ops, &nr_ops) && !nr_ops && ops;
	entry = spot->object ? read_entry(spot->object->name) : 0;
	return entry && spot->addr >= entry && spot->addr - entry < ENTRY_BYTES;
}

static void add_end(const char *comm, const struct spot *spot, int nr)
{
	char text[512];

	snprintf(text, sizeof(text), "%s %s %#llx %s, frame %d", comm,
		 spot->object ? spot->object->name : "?", spot->addr,
		 spot->symbol && spot->symbol->name ? spot->symbol->name : "?", nr < 3 ? nr : 3);
	find_group(&places, text)->nr++;
}

static void add_sample(const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	struct group *group;
	struct spot *last;
	struct sample sample;
	int i, nr_user = 0;
	const char *comm;

	if (layout_sample(layout, record->data, &sample) ||
	    chain_locate(&chain, &world, &layout->attr, &sample,
			 is_kernel_mode(record->header.misc)))
		abort();
	for (i = 0; i < chain.nr; i++)
		nr_user += !chain.frames[i].is_kernel;
	if (!nr_user)
		return;
	comm = tasks_name(&world.tasks, sample.tid);
	comm = comm ? comm : "?";
	group = find_group(&threads, comm);
	group->nr++;
	last = &chain.frames[chain.nr - 1];
	if (is_outermost(last, nr_user == 1 && chain.nr == 1))
		group->nr_whole++;
	else
		add_end(comm, last, nr_user);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->nr < y->nr) - (x->nr > y->nr);
}

static void print_groups(void)
{
	u64 nr = 0, nr_whole = 0;
	size_t i;

	qsort(threads.list, threads.nr, sizeof(*threads.list), compare_groups);
	qsort(places.list, places.nr, sizeof(*places.list), compare_groups);
	for (i = 0; i < threads.nr; i++) {
		nr += threads.list[i].nr;
		nr_whole += threads.list[i].nr_whole;
		printf("  %s: %llu of %llu\n", threads.list[i].text, threads.list[i].nr_whole,
		       threads.list[i].nr);
	}
	for (i = 0; i < places.nr && i < MAX_SHOWN; i++)
		printf("  %llu end at %s\n", places.list[i].nr, places.list[i].text);
	printf("%llu of %llu user chains reach an outermost frame, %.2f %%\n", nr_whole, nr,
	       nr ? 100.0 * nr_whole / nr : 0);
}

int main(int argc, char **argv)
{
	const struct symbol_options options = { 0 };
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1, ret;
	struct record record;
	struct stitch stitch;

	if (fd < 0 || reader_open(&reader, fd) || chain_init(&chain) ||
	    world_init(&world, &options, &reader.features)) {
		fprintf(stderr, "chain_ends: cannot read %s\n", argc == 2 ? argv[1] : "no file");
		return 1;
	}
	stitch_init(&stitch, &reader);
	while ((ret = stitch_next(&stitch, &record)) > 0) {
		if (world_update(&world, &record))
			abort();
		if (record.event && record.header.type == PERF_RECORD_SAMPLE)
			add_sample(&record);
	}
	print_groups();
	return ret < 0;
}
