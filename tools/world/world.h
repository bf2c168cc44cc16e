/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the tasks, mappings and binaries of the recorded machine
 *
 * Records are applied in the order of their times. A sample is looked up after all
 * earlier records were applied, so its addresses are found in the mappings of its time.
 */
#ifndef TPROF_WORLD_H
#define TPROF_WORLD_H

#include "base/prefetch.h"
#include "perfdata/hosts.h"
#include "perfdata/reader.h"
#include "perfdata/record_types.h"
#include "world/cgroups.h"
#include "world/jits.h"
#include "world/spaces.h"
#include "world/tasks.h"

/**
 * struct world - the recorded machine at the time of the last record
 * @features:	feature sections of the recording
 * @tasks:	names of threads
 * @cgroups:	paths of cgroups
 * @hosts:	hosts of a recording that merge made
 * @host:	name of the recording's host, or of all its hosts, separated by commas; NULL before
 *		world_host() was called
 * @spaces:	mappings of processes
 * @jits:	JIT-compiled functions
 * @kernel:	mappings of the kernel and its modules
 * @kernel_object: binary of the kernel, NULL until a record maps it
 * @objects:	binaries
 */
struct world {
	const struct feature_set *features;
	struct task_set tasks;
	struct cgroups cgroups;
	struct hosts hosts;
	const char *host;
	struct spaces spaces;
	struct jits jits;
	struct space kernel;
	struct object *kernel_object;
	struct objects objects;
};

/**
 * struct spot - an address, its binary and its function
 * @ip:		the address
 * @addr:	@ip converted to an address in @object, such as a file offset
 * @map:	set by world_expect_all(): the mapping at @ip, if it begins at or below @ip; else
 *		NULL or any other mapping
 * @object:	the binary
 * @symbol:	the function; its name is NULL if there is none
 * @is_kernel:	@ip is a kernel address
 * @by_frame:	in a call chain that the module has walked by unwind tables: this caller was found
 *		by the frame pointer
 */
struct spot {
	u64	ip;
	u64	addr;
	const struct map *map;
	struct object *object;
	struct symbol *symbol;
	bool	is_kernel;
	bool	by_frame;
};

int world_init(struct world *world, const struct symbol_options *options,
	       const struct feature_set *features);
bool world_is_anonymous(const struct map_record *record);
int world_update(struct world *world, const struct record *record);
int world_expect_all(struct world *world, u32 pid, bool is_kernel, struct spot *spots, size_t nr);
int world_locate_all(struct world *world, u32 pid, bool is_kernel, struct spot *spots, size_t nr);
int world_locate(struct world *world, u32 pid, bool is_kernel, u64 ip, struct spot *spot);
int world_locate_sample(struct world *world, u32 pid, u16 misc, u64 ip, struct spot *spot);
void world_correct_guest(struct world *world, u16 misc, struct spot *spot);
int world_find_function(struct world *world, struct spot *spot);
int world_resolve_sample(struct world *world, u32 pid, u16 misc, u64 ip, struct spot *spot);
int world_resolve(struct world *world, u32 pid, bool is_kernel, u64 ip, struct spot *spot);
const char *world_host(struct world *world, u64 id);
void world_free(struct world *world);

/*
 * Apply loads of JIT-compiled functions up to @time. The loads are in jitdump files,
 * not in records.
 */
static inline int world_advance(struct world *world, u64 time)
{
	return jits_advance(&world->jits, time);
}

/* Return the number of mappings left out because there were too many. */
static inline u64 world_left_out(const struct world *world)
{
	return world->spaces.nr_left_out + world->jits.spaces.nr_left_out;
}

static inline bool is_kernel_mode(u16 misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/*
 * Return true if the sample was taken in a guest. The host's mappings do not apply
 * to the address of such a sample.
 */
static inline bool is_guest_mode(u16 misc)
{
	u16 mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

/* Return the mappings for user or kernel addresses, or NULL if out of memory. */
static inline struct space *world_space(struct world *world, u32 pid, bool is_kernel)
{
	return is_kernel ? &world->kernel : spaces_get(&world->spaces, pid);
}

/* Prefetch the memory that world_expect_all() will read. */
static inline void world_expect(struct world *world, u32 pid, u16 misc)
{
	const struct space *space = world_space(world, pid, is_kernel_mode(misc));

	if (!space || !space->list)
		return;
	prefetch(space->list);
	prefetch(&space->list->ends[8]);
}

#endif /* TPROF_WORLD_H */
