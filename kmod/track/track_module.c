// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - side-band records of modules
 *
 * A new module is recorded as a kernel mapping "[module]". Its initialisation
 * code has other addresses and is freed earlier, so it is recorded as a mapping
 * of its own, "[module].init.text". Both are recorded before any code of the
 * module runs. The perf format has no record for an unloaded module. So a
 * KSYMBOL record with PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER is written. Readers
 * then remove the mapping at the address in the record.
 *
 * Context: process.
 */
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>

#include "base/buildid.h"
#include "sample/sideband.h"
#include "track/mapping.h"
#include "track/track_list.h"
#include "track/track_module.h"

/* Size of a mapping's name: module name, brackets, suffix and terminating zero. */
#define NAME_BYTES	(MODULE_NAME_LEN + sizeof("[].init.text"))

/* The fixed part of PERF_RECORD_KSYMBOL. */
struct ksymbol_record {
	struct perf_event_header	header;
	u64				addr;
	u32				len;
	u16				ksym_type;
	u16				flags;
};

static void format_name(char *name, const struct module *module,
			enum mod_mem_type type)
{
	snprintf(name, NAME_BYTES, "[%s]%s", module->name,
		 type == MOD_INIT_TEXT ? ".init.text" : "");
}

static void record_loaded(const struct module *module, enum mod_mem_type type)
{
	struct module_memory memory = tprof_module_memory(module, type);
	char name[NAME_BYTES];
	struct tprof_mapping mapping = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = -1,
		.start = (unsigned long)memory.base,
		.len = memory.size,
		.prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE,
		.name = name,
	};
	const struct tprof_tracker *tracker;

	if (!memory.size)
		return;
	format_name(name, module, type);
	mapping.id_bytes = tprof_buildid_of_module(module, mapping.id);

	rcu_read_lock();
	tprof_track_for_each(tracker, TPROF_TRACK_MODULE)
		tprof_mapping_write(tracker, &mapping);
	rcu_read_unlock();
}

static void record_unloaded(const struct module *module, enum mod_mem_type type)
{
	struct module_memory memory = tprof_module_memory(module, type);
	char name[NAME_BYTES];
	struct ksymbol_record record = {
		.header.type = PERF_RECORD_KSYMBOL,
		.addr = (unsigned long)memory.base,
		.len = memory.size,
		.ksym_type = PERF_RECORD_KSYMBOL_TYPE_UNKNOWN,
		.flags = PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
	};
	struct tprof_sideband side = {
		.header = &record.header,
		.bytes = sizeof(record),
		.text = name,
		.task = current,
	};
	const struct tprof_tracker *tracker;

	if (!memory.size)
		return;
	format_name(name, module, type);

	rcu_read_lock();
	tprof_track_for_each(tracker, TPROF_TRACK_MODULE)
		tprof_sideband_write(tracker->sampler, &side);
	rcu_read_unlock();
}

static int on_module(struct notifier_block *block, unsigned long state,
		     void *data)
{
	switch (state) {
	case MODULE_STATE_COMING:
		record_loaded(data, MOD_TEXT);
		record_loaded(data, MOD_INIT_TEXT);
		break;
	case MODULE_STATE_LIVE:
		record_unloaded(data, MOD_INIT_TEXT);
		break;
	case MODULE_STATE_GOING:
		/*
		 * If the module's initialisation failed, .init.text is still mapped.
		 * Else its size is 0 by now, and no record of it is written.
		 */
		record_unloaded(data, MOD_INIT_TEXT);
		record_unloaded(data, MOD_TEXT);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * tprof_track_module_start - start recording modules
 *
 * Context: process, may sleep, under the track lock.
 * Return: 0.
 */
int tprof_track_module_start(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * tprof_track_module_stop - undo tprof_track_module_start()
 *
 * When it returns, no notifier is running.
 *
 * Context: process, may sleep, under the track lock.
 */
void tprof_track_module_stop(void)
{
	unregister_module_notifier(&module_notifier);
}
