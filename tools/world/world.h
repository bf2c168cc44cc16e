/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - what a recording tells of the machine: tasks, mappings, binaries
 *
 * Records are taken in one after the other, and an address can be looked up as
 * things stood when its sample was written.
 */
#ifndef TPROF_WORLD_H
#define TPROF_WORLD_H

#include "perfdata/reader.h"
#include "world/jits.h"
#include "world/spaces.h"
#include "world/tasks.h"

/**
 * struct world - tasks, mappings, binaries
 * @features:	what the file says beside its records
 * @tasks:	names of threads
 * @spaces:	mappings of processes
 * @jits:	functions that they made themselves
 * @kernel:	where the kernel and its modules are
 * @kernel_object: the kernel, NULL before it was told of
 * @objects:	what is mapped
 */
struct world {
	const struct feature_set *features;
	struct task_set tasks;
	struct spaces spaces;
	struct jits jits;
	struct space kernel;
	struct object *kernel_object;
	struct objects objects;
};

/**
 * struct spot - an address, looked up
 * @ip:		the address
 * @addr:	as an address of the binary
 * @object:	the binary
 * @symbol:	the function, without a name when there is none
 * @is_kernel:	it is one of the kernel
 */
struct spot {
	u64	ip;
	u64	addr;
	struct object *object;
	struct symbol *symbol;
	bool	is_kernel;
};

int world_init(struct world *world, const struct symbol_options *options,
	       const struct feature_set *features);
int world_update(struct world *world, const struct record *record);
int world_resolve_sample(struct world *world, u32 pid, u16 misc, u64 ip, struct spot *spot);
int world_resolve(struct world *world, u32 pid, bool is_kernel, u64 ip, struct spot *spot);
void world_free(struct world *world);

/* Take in what happens without a record of its own. Return: 0 or -ENOMEM. */
static inline int world_advance(struct world *world, u64 time)
{
	return jits_advance(&world->jits, time);
}

/* Mappings that are not known, as there were too many. */
static inline u64 world_left_out(const struct world *world)
{
	return world->spaces.nr_left_out + world->jits.spaces.nr_left_out;
}

static inline bool is_kernel_mode(u16 misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

#endif /* TPROF_WORLD_H */
