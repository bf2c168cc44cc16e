// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the tasks, mappings and binaries of the recorded machine
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/prefetch.h"
#include "perfdata/feature_cursor.h"
#include "symbols/jit_dump.h"
#include "symbols/object_load.h"
#include "world/world.h"

/*
 * Set up @world before the first record. Call world_free() even if this fails. @features
 * must outlive @world, which reads it again: in a pipe, features are added between
 * records.
 */
int world_init(struct world *world, const struct symbol_options *options,
	       const struct feature_set *features)
{
	const struct bytes *ids = &features->section[PERFDATA_BUILD_ID];

	*world = (struct world){ .features = features, .kernel.pid = SPACE_KERNEL };
	world->kernel.all = &world->spaces;
	objects_init(&world->objects, options);
	if (embedded_read(&world->objects.sources.embedded, features))
		return -ENOMEM;
	if (hosts_read(&world->hosts, features))
		return -ENOMEM;
	world->objects.sources.code = feature_begin(features, PERFDATA_TPROF_CODE);
	return objects_know_ids(&world->objects, ids->data, ids->len);
}

/* Return true for a mapping of anonymous memory, which can contain JIT-compiled code. */
bool world_is_anonymous(const struct map_record *record)
{
	const char *name = record->name;

	return begins_with(name, "//anon") || begins_with(name, "[anon:") ||
	       begins_with(name, "/dev/zero") || begins_with(name, "/anon_hugepage") ||
	       (begins_with(name, "/memfd:") && !record->build_id.size);
}

static int add_map(struct space *space, const struct map_record *record, struct map *map)
{
	if (!map->object)
		return -ENOMEM;
	map->start = record->start;
	map->end = record->start + record->len < record->start ? ~0ULL :
								 record->start + record->len;
	return space_add(space, map);
}

/*
 * Without --symfs, a jitdump file is used only if it has the inode of the mapping. The
 * times in the file are from CLOCK_MONOTONIC, so do not use the file if the event has
 * another clock.
 */
static int map_dump(struct world *world, const struct perf_event_attr *attr,
		    const struct map_record *record)
{
	struct object_key key = { .name = record->name, .kind = OBJECT_JIT_DUMP,
				  .pid = record->pid };
	struct object *object = objects_get(&world->objects, &key);

	if (!object)
		return -ENOMEM;
	if (!object->loaded) {
		object->ino = record->ino;
		object_load(&world->objects.sources, object);
	}
	if (object->why || !attr->use_clockid || attr->clockid != CLOCK_MONOTONIC) {
		world->jits.nr_unused++;
		return 0;
	}
	return jits_add(&world->jits, object, record->pid);
}

static int map_user(struct world *world, const struct map_record *record)
{
	struct space *space = spaces_get(&world->spaces, record->pid);
	struct object_key key = { .name = record->name, .build_id = &record->build_id,
				  .pid = record->pid };
	struct map map = { .to_object = record->pgoff - record->start };
	char path[32];

	if (!space)
		return -ENOMEM;
	if (!strcmp(record->name, "[vdso]")) {
		key.kind = OBJECT_VDSO;
	} else if (world_is_anonymous(record)) {
		snprintf(path, sizeof(path), "/tmp/perf-%u.map", record->pid);
		key = (struct object_key){ .name = path, .kind = OBJECT_JIT, .pid = record->pid };
		map.to_object = 0;
	}
	map.object = objects_get(&world->objects, &key);
	return add_map(space, record, &map);
}

/*
 * The name of the kernel's mapping may end with the name of a symbol, such as
 * _text. If so, pgoff is the address of that symbol. Otherwise, the kernel's
 * address is unknown.
 */
static int map_kernel(struct world *world, const struct map_record *record)
{
	struct feature_cursor cursor = feature_begin(world->features, PERFDATA_OSRELEASE);
	const char *release = feature_string(&cursor);
	struct symbol_sources *sources = &world->objects.sources;
	struct kernel_symbols *kernel = &sources->kernel;
	struct object_key key = { .name = record->name, .build_id = &record->build_id,
				  .kind = OBJECT_MODULE };
	struct map map = { 0 };

	if (begins_with(record->name, OBJECT_KERNEL_NAME)) {
		if (record->name[strlen(OBJECT_KERNEL_NAME)])
			kernel->text = record->pgoff;
		key.name = OBJECT_KERNEL_NAME;
		key.kind = OBJECT_KERNEL;
	}
	map.object = objects_get(&world->objects, &key);
	if (map.object && key.kind == OBJECT_KERNEL) {
		world->kernel_object = map.object;
		kernel->build_id = map.object->build_id;
		kernel->release = release ? interned_get(&sources->names, release) : NULL;
	}
	return add_map(&world->kernel, record, &map);
}

static int update_maps(struct world *world, const struct record *record,
		       const struct record_body *body)
{
	u16 mode = body->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct map_record map;

	/* Ignore a malformed record. */
	if (record_map(body, record->header.type, &map))
		return 0;
	if (mode == PERF_RECORD_MISC_KERNEL)
		return map_kernel(world, &map);
	if (mode != PERF_RECORD_MISC_USER)
		return 0;
	return jit_dump_is_name(map.name) ?
		       map_dump(world, &record->event->layout.attr, &map) :
		       map_user(world, &map);
}

static int map_nothing(struct world *world, u64 start, u64 end)
{
	struct map map = { start, end, 0, &world->objects.nothing_kernel };

	return space_add(&world->kernel, &map);
}

/*
 * Map a function that the kernel generated. A BPF trampoline is recorded with its whole
 * page, which can also hold BPF programs. So end the mapping where the next program
 * that is already mapped starts. A program that is recorded later replaces its part of
 * the mapping.
 */
static int add_made(struct world *world, const struct ksymbol_record *made, struct object *object)
{
	struct map map = { made->start, made->start + made->len, -made->start, object };
	const struct map *next;
	u64 at;

	for (at = made->start; (next = space_next(&world->kernel, at)); at = next->end) {
		if (next->start >= map.end)
			break;
		if (next->start > made->start && next->object->kind == OBJECT_MADE) {
			map.end = next->start;
			break;
		}
	}
	return space_add(&world->kernel, &map);
}

static int remove_made(struct world *world, const struct ksymbol_record *made,
		       const struct object *object)
{
	u64 at = made->start, end = made->start + made->len;
	const struct map *next;
	struct map piece;
	int err = 0;

	for (; !err && (next = space_next(&world->kernel, at)); at = piece.end) {
		piece = *next;
		if (piece.start >= end)
			break;
		if (piece.object == object)
			err = map_nothing(world, piece.start, piece.end);
	}
	return err;
}

static int update_ksymbol(struct world *world, const struct record_body *body)
{
	struct ksymbol_record made;
	struct object *object;

	if (record_ksymbol(body, &made) || made.start + made.len < made.start)
		return 0;
	/*
	 * A symbol without a type may be a whole module that was unloaded: unmap
	 * everything in its range.
	 */
	if (made.is_gone && !made.is_piece)
		return map_nothing(world, made.start, made.start + made.len);
	object = objects_get_made(&world->objects, made.name);
	if (!object)
		return -ENOMEM;
	return made.is_gone ? remove_made(world, &made, object) : add_made(world, &made, object);
}

static int fork_process(struct world *world, const struct task_record *task)
{
	int err = spaces_fork(&world->spaces, task->ppid, task->pid);

	if (!err && world->jits.nr)
		err = spaces_fork(&world->jits.spaces, task->ppid, task->pid);
	return err;
}

/*
 * A process that existed before the recording has a FORK record with time 0. Records of
 * all its mappings follow, so it inherits none from its parent.
 */
static int update_tasks(struct world *world, const struct record *record,
			const struct record_body *body)
{
	bool has_times = record->event->layout.trailer_time != NO_FIELD;
	struct task_record task;
	int err;

	if (record_task(body, record->header.type, &task))
		return 0;
	tasks_update(&world->tasks, record->header.type, &task);
	if (record->header.type == PERF_RECORD_FORK) {
		err = spaces_add_thread(&world->spaces, task.pid, task.tid);
		return !err && (record->time || !has_times) ? fork_process(world, &task) : err;
	}
	if (record->header.type == PERF_RECORD_COMM && task.exec) {
		spaces_exec(&world->spaces, task.pid);
		/* The JIT-compiled functions of the old program are gone. */
		jits_forget(&world->jits, task.pid);
	}
	if (record->header.type == PERF_RECORD_EXIT)
		spaces_remove_thread(&world->spaces, task.pid);
	if (record->header.type == PERF_RECORD_EXIT && task.pid == task.tid) {
		spaces_end(&world->spaces, task.pid);
		spaces_end(&world->jits.spaces, task.pid);
	}
	return 0;
}

static int update_cgroups(struct world *world, const struct record_body *body)
{
	struct cgroup_record cgroup;

	return record_path(body, &cgroup) ? 0 : cgroups_update(&world->cgroups, &cgroup);
}

/* Apply a record of any type. Most types change nothing. */
int world_update(struct world *world, const struct record *record)
{
	struct record_body body = { record->data, record->header.size, record->header.misc };
	int err = world_advance(world, record->time);

	if (err)
		return err;
	if (!record->event) {
		if (record->header.type == PERFDATA_HEADER_BUILD_ID)
			return objects_know_ids(&world->objects, body.data, body.size);
		return 0;
	}
	if (body.size < sizeof(record->header) + record->event->layout.trailer)
		return 0;
	body.size -= record->event->layout.trailer;
	switch (record->header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return update_maps(world, record, &body);
	case PERF_RECORD_KSYMBOL:
		return update_ksymbol(world, &body);
	case PERF_RECORD_CGROUP:
		return update_cgroups(world, &body);
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return update_tasks(world, record, &body);
	default:
		return 0;
	}
}

/* Look for JIT-compiled code only where no file is mapped. */
static const struct map *find_map(struct world *world, struct space *space, u64 ip)
{
	const struct map *map = space_find(space, ip), *made = NULL;

	if (world->jits.nr && space != &world->kernel &&
	    (!map || map->object->kind == OBJECT_JIT))
		made = jits_find(&world->jits, space->pid, ip);
	return made ? made : map;
}

/*
 * Search the mappings for the addresses of @spots, and prefetch the mappings that
 * world_locate_all() will read. Only the member ip of @spots must be set. This is a fast
 * path, called for every sample.
 */
int world_expect_all(struct world *world, u32 pid, bool is_kernel, struct spot *spots, size_t nr)
{
	static const struct map_list none;
	const struct space *space = world_space(world, pid, is_kernel);
	struct spot *spot, *end = spots + nr;
	const struct map_list *list;

	if (!space)
		return -ENOMEM;
	list = space->list ? space->list : &none;
	for (spot = spots; spot < end; spot++) {
		spot->map = map_list_behind(list, spot->ip);
		prefetch(spot->map);
	}
	return 0;
}

/*
 * Return the binary for an address without a mapping. A kernel address may be in the
 * kernel's init code, which lies above _etext, where the mapping of the kernel ends.
 */
static struct object *unmapped_object(struct world *world, bool is_kernel)
{
	if (!is_kernel)
		return &world->objects.nothing;
	return world->kernel_object ? world->kernel_object : &world->objects.nothing_kernel;
}

/*
 * Find the binaries at the addresses of @spots, and the addresses in these binaries, but
 * not the functions: @symbol stays as it is. All records before the sample must have been
 * applied before world_expect_all(), and no record since. This is a fast path, called for
 * every sample.
 */
int world_locate_all(struct world *world, u32 pid, bool is_kernel, struct spot *spots, size_t nr)
{
	struct space *space = world_space(world, pid, is_kernel);
	struct map none = { .object = unmapped_object(world, is_kernel) };
	struct spot *spot, *end = spots + nr;
	bool has_jits = world->jits.nr;
	const struct map *map;

	if (!space)
		return -ENOMEM;
	for (spot = spots; spot < end; spot++) {
		map = spot->map;
		if (!map || map->start > spot->ip || has_jits)
			map = find_map(world, space, spot->ip) ?: &none;
		spot->addr = spot->ip + map->to_object;
		spot->object = map->object;
		spot->is_kernel = is_kernel;
	}
	return 0;
}

/* Same as world_expect_all() and world_locate_all(), for a single address. */
int world_locate(struct world *world, u32 pid, bool is_kernel, u64 ip, struct spot *spot)
{
	int err;

	*spot = (struct spot){ .ip = ip };
	err = world_expect_all(world, pid, is_kernel, spot, 1);
	return err ? err : world_locate_all(world, pid, is_kernel, spot, 1);
}

/*
 * Correct the result of world_locate_all() for the address of a sample, which may have been
 * taken in a guest.
 *
 * @misc: misc of the record
 */
void world_correct_guest(struct world *world, u16 misc, struct spot *spot)
{
	if (is_guest_mode(misc))
		*spot = (struct spot){ .ip = spot->ip, .addr = spot->ip,
				       .object = &world->objects.nothing };
}

/* Same as world_locate(), for the address of a sample, which may be a guest address. */
int world_locate_sample(struct world *world, u32 pid, u16 misc, u64 ip, struct spot *spot)
{
	int err = world_locate(world, pid, is_kernel_mode(misc), ip, spot);

	world_correct_guest(world, misc, spot);
	return err;
}

/* Find the function at @spot. The binary and address of @spot must be set. */
int world_find_function(struct world *world, struct spot *spot)
{
	spot->symbol = object_resolve(&world->objects, spot->object, spot->addr);
	return spot->symbol ? 0 : -ENOMEM;
}

/* Same as world_locate(), but also find the function. */
int world_resolve(struct world *world, u32 pid, bool is_kernel, u64 ip, struct spot *spot)
{
	int err = world_locate(world, pid, is_kernel, ip, spot);

	return err ? err : world_find_function(world, spot);
}

/* Same as world_locate_sample(), but also find the function. */
int world_resolve_sample(struct world *world, u32 pid, u16 misc, u64 ip, struct spot *spot)
{
	int err = world_locate_sample(world, pid, misc, ip, spot);

	return err ? err : world_find_function(world, spot);
}

/*
 * Return the name of the host of a sample. For equal hosts, the pointer is the same.
 *
 * @id: identifier of the sample, 0 if it has none
 */
const char *world_host(struct world *world, u64 id)
{
	const char *name = hosts_find(&world->hosts, id);
	struct feature_cursor cursor;

	/* In a pipe, the feature follows world_init(). */
	if (!world->host) {
		cursor = feature_begin(world->features, PERFDATA_HOSTNAME);
		world->host = feature_string(&cursor);
	}
	name = name ?: world->host;
	return name && *name ? name : "[unknown]";
}

void world_free(struct world *world)
{
	tasks_free(&world->tasks);
	cgroups_free(&world->cgroups);
	hosts_free(&world->hosts);
	spaces_free(&world->spaces);
	jits_free(&world->jits);
	space_clear(&world->kernel);
	objects_free(&world->objects);
}
