// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the ioctls that build, run and describe a session
 *
 * Each ioctl has a function. It copies the argument in, checks what it can without the
 * session, calls the session, and copies the result out.
 *
 * Context: process.
 */
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/gfp.h"
#include "base/params.h"
#include "dev/device_copy.h"
#include "dev/ioctl.h"
#include "pmu/pmu.h"
#include "rights/degree.h"
#include "session/session.h"
#include "session/session_config.h"
#include "session/session_list.h"
#include "session/session_report.h"
#include "session/session_run.h"
#include "stream/reader.h"

#define FEATURES							\
	(TPROF_LX_FEATURE_TARGETS | TPROF_LX_FEATURE_TRACKING |		\
	 TPROF_LX_FEATURE_MMAP | TPROF_LX_FEATURE_BUILD_ID |		\
	 TPROF_LX_FEATURE_MODULES | TPROF_LX_FEATURE_COUNTING |		\
	 TPROF_LX_FEATURE_ROWS | TPROF_LX_FEATURE_CHAINS |		\
	 TPROF_LX_FEATURE_DEFERRED | TPROF_LX_FEATURE_PROCESS |		\
	 TPROF_LX_FEATURE_ATTACH | TPROF_LX_FEATURE_ENDING |		\
	 TPROF_LX_FEATURE_RELEASE | TPROF_LX_FEATURE_MAPPING |		\
	 TPROF_LX_FEATURE_PROCESS_SAMPLES | TPROF_LX_FEATURE_THREADS |	\
	 TPROF_LX_FEATURE_WAITS | TPROF_LX_FEATURE_STALL |		\
	 TPROF_LX_FEATURE_PAGE | TPROF_LX_FEATURE_TABLES |		\
	 TPROF_LX_FEATURE_COUNT_RECORDS | TPROF_LX_FEATURE_BESIDE |	\
	 TPROF_LX_FEATURE_PARALLELISM | TPROF_LX_FEATURE_EVENT_CPUS |	\
	 TPROF_LX_FEATURE_NAMES | TPROF_LX_FEATURE_EVENTS |		\
	 TPROF_LX_FEATURE_STACKS | TPROF_LX_FEATURE_FOLLOW)

#define EVENT_FLAGS							\
	(TPROF_LX_EVENT_RANDOM | TPROF_LX_EVENT_DEFERRED |		\
	 TPROF_LX_EVENT_PROCESS | TPROF_LX_EVENT_THREADS |		\
	 TPROF_LX_EVENT_SWITCHES | TPROF_LX_EVENT_STALL |		\
	 TPROF_LX_EVENT_PAGE | TPROF_LX_EVENT_TABLES |			\
	 TPROF_LX_EVENT_CPU_CORE | TPROF_LX_EVENT_CPU_ATOM |		\
	 TPROF_LX_EVENT_PARALLELISM)

/* Size of the first version of each struct; a smaller struct is refused. */
#define INFO_BYTES_MIN		136
#define BACKEND_BYTES_MIN	112
#define CONFIG_BYTES_MIN	56
#define EVENT_BYTES_MIN		56
#define MASK_BYTES_MIN		16
#define STATS_BYTES_MIN		232
#define SESSIONS_BYTES_MIN	24
#define SESSION_BYTES_MIN	112
#define MARK_BYTES_MIN		144
#define SPAN_BYTES_MIN		24

static_assert(sizeof(struct tprof_lx_info) == 144);
static_assert(sizeof(struct tprof_lx_backend) == 112);
static_assert(sizeof(struct tprof_lx_config) == 56);
static_assert(sizeof(struct tprof_lx_event) == 72);
static_assert(sizeof(struct tprof_lx_mask) == 16);
static_assert(sizeof(struct tprof_lx_ledger) == 64);
static_assert(sizeof(struct tprof_lx_stats) == 472);
static_assert(sizeof(struct tprof_lx_sessions) == 24);
static_assert(sizeof(struct tprof_lx_session) == 128);
static_assert(sizeof(struct tprof_lx_mark) == 144);
static_assert(sizeof(struct tprof_lx_span) == 24);

static int fill_backends(struct tprof_lx_info *info, bool has_privileges)
{
	const struct tprof_device_array array = {
		.to = info->backends,
		.room = info->nr_backends,
		.stride = info->backend_size,
		.stride_min = BACKEND_BYTES_MIN,
	};
	struct tprof_lx_backend *list;
	u32 i;
	int err;

	list = kcalloc(TPROF_LX_MAX_BACKENDS, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	info->nr_backends = tprof_pmu_list(list, TPROF_LX_MAX_BACKENDS);
	for (i = 0; !has_privileges && i < TPROF_LX_MAX_BACKENDS; i++)
		list[i].nr_events = 0;
	err = tprof_device_copy_list(&array, list, sizeof(*list),
				     info->nr_backends);
	kfree(list);
	return err;
}

/**
 * tprof_device_info - serve TPROF_LX_IOC_INFO
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_info(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_info info;
	int err;

	err = tprof_device_copy_in(&info, sizeof(info), INFO_BYTES_MIN, user);
	if (err)
		return err;
	err = fill_backends(&info, !session->watcher);
	if (err)
		return err;

	info.abi_version = TPROF_LX_ABI_VERSION;
	info.features = FEATURES;
	if (session->is_trusted)
		info.features |= TPROF_LX_FEATURE_EXACT_PERIODS;
	if (session->watcher)
		info.features |= TPROF_LX_FEATURE_UNPRIVILEGED;
	info.nr_sessions = tprof_session_list(session, NULL, 0);
	info.nr_cpus = nr_cpu_ids;
	info.max_rate = tprof_params_max_rate();
	info.max_stack = tprof_params_max_stack();
	info.ring_min = TPROF_RING_BYTES_MIN;
	info.ring_max = tprof_session_ring_max(session);
	info.ring_default = tprof_session_ring_default(session);
	info.fifo_min = TPROF_FIFO_BYTES_MIN;
	info.fifo_max = tprof_session_fifo_max(session);
	info.fifo_default = tprof_session_fifo_default(session);
	info.flush_ms_default = tprof_params_flush_ms();
	info.access = tprof_degree();
	info.reserved = 0;
	strscpy_pad(info.version, TPROF_LX_VERSION, sizeof(info.version));
	return tprof_device_copy_out(user, &info, sizeof(info));
}

static int copy_sessions(const struct tprof_session *session,
			 struct tprof_lx_sessions *arg)
{
	const struct tprof_device_array array = {
		.to = arg->sessions,
		.room = min_t(u32, arg->sessions ? arg->nr_sessions : 0,
			      TPROF_LX_MAX_SESSIONS),
		.stride = arg->session_size,
		.stride_min = SESSION_BYTES_MIN,
	};
	struct tprof_lx_session *list;
	int err;

	list = kvcalloc(array.room + 1, sizeof(*list), TPROF_GFP);
	if (!list)
		return -ENOMEM;
	arg->nr_sessions = tprof_session_list(session, list, array.room);
	err = tprof_device_copy_list(&array, list, sizeof(*list),
				     arg->nr_sessions);
	kvfree(list);
	return err;
}

/**
 * tprof_device_sessions - serve TPROF_LX_IOC_SESSIONS
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_sessions(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_sessions arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), SESSIONS_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags)
		return -EINVAL;
	err = copy_sessions(session, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

/**
 * tprof_device_stats - serve TPROF_LX_IOC_STATS
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_stats(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_stats arg, stats = {};
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), STATS_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags)
		return -EINVAL;
	if (arg.cpu != TPROF_LX_SUM && !tprof_device_is_cpu(arg.cpu))
		return -EINVAL;
	stats.size = arg.size;
	stats.cpu = arg.cpu;
	stats.event = arg.event;
	err = tprof_session_stats(session, &stats);
	return err ? err : tprof_device_copy_out(user, &stats, sizeof(stats));
}

/* The caller's bitmap may have any length; bits beyond nr_cpu_ids are ignored. */
static int copy_cpus(struct cpumask *cpus, u64 from, u32 bytes)
{
	if (!from) {
		if (bytes)
			return -EINVAL;
		cpumask_copy(cpus, cpu_possible_mask);
		return 0;
	}
	/* x86 is little-endian, so the order of bytes matches the order of bits. */
	if (copy_from_user(cpumask_bits(cpus), u64_to_user_ptr(from),
			   min_t(u32, bytes, cpumask_size())))
		return -EFAULT;
	cpumask_and(cpus, cpus, cpu_possible_mask);
	return cpumask_empty(cpus) ? -EINVAL : 0;
}

static s32 *copy_targets(const struct tprof_lx_config *config)
{
	if (config->nr_targets > TPROF_LX_MAX_TARGETS)
		return ERR_PTR(-EINVAL);
	if (!config->nr_targets)
		return NULL;
	return memdup_user(u64_to_user_ptr(config->targets),
			   config->nr_targets * sizeof(s32));
}

static int configure_session(struct tprof_session *session,
			     struct tprof_lx_config *config, struct cpumask *cpus)
{
	s32 *targets;
	int err;

	err = copy_cpus(cpus, config->cpus, config->cpus_bytes);
	if (err)
		return err;
	targets = copy_targets(config);
	if (IS_ERR(targets))
		return PTR_ERR(targets);
	err = tprof_session_configure(session, config, cpus, targets);
	kfree(targets);
	return err;
}

/**
 * tprof_device_config - serve TPROF_LX_IOC_CONFIG
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_config(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_config config;
	cpumask_var_t cpus;
	int err;

	err = tprof_device_copy_in(&config, sizeof(config), CONFIG_BYTES_MIN, user);
	if (err)
		return err;
	if (config.flags & ~TPROF_LX_CONFIG_KEEP)
		return -EINVAL;
	if (config.flags & TPROF_LX_CONFIG_KEEP) {
		err = tprof_session_adjust(session, &config);
		return err ? err : tprof_device_copy_out(user, &config, sizeof(config));
	}
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = configure_session(session, &config, cpus);
	free_cpumask_var(cpus);
	return err ? err : tprof_device_copy_out(user, &config, sizeof(config));
}

/*
 * If the attr sets a field that this kernel does not know, return -E2BIG and write the
 * supported size to attr.size, as perf_event_open(2) does.
 */
static int copy_attr(struct perf_event_attr *attr,
		     struct perf_event_attr __user *from)
{
	u32 size;
	int err;

	if (get_user(size, &from->size))
		return -EFAULT;
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(attr, sizeof(*attr), from, size);
	if (err == -E2BIG && put_user(sizeof(*attr), &from->size))
		return -EFAULT;
	return err;
}

/* Set @cpus to the CPUs of an event, or to NULL for all. Free it. */
static int copy_event_cpus(const struct tprof_lx_event *arg, struct cpumask **cpus)
{
	int err;

	*cpus = NULL;
	if (!arg->cpus && !arg->cpus_bytes)
		return 0;
	*cpus = kzalloc(cpumask_size(), TPROF_GFP);
	if (!*cpus)
		return -ENOMEM;
	err = copy_cpus(*cpus, arg->cpus, arg->cpus_bytes);
	if (err)
		kfree(*cpus);
	return err;
}

static int add_event(struct tprof_session *session, const struct perf_event_attr *attr,
		     struct tprof_lx_event *arg)
{
	struct cpumask *cpus;
	int err;

	err = copy_event_cpus(arg, &cpus);
	if (err)
		return err;
	err = tprof_session_add(session, attr, arg, cpus);
	if (err)
		kfree(cpus);
	return err;
}

/**
 * tprof_device_event - serve TPROF_LX_IOC_EVENT
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_event(struct tprof_session *session, void __user *user)
{
	struct perf_event_attr attr = {};
	struct tprof_lx_event arg;
	int err;

	err = tprof_device_copy_in(&arg, sizeof(arg), EVENT_BYTES_MIN, user);
	if (err)
		return err;
	if (arg.flags & ~EVENT_FLAGS || arg.reserved ||
	    strnlen(arg.backend, sizeof(arg.backend)) == sizeof(arg.backend))
		return -EINVAL;
	err = copy_attr(&attr, u64_to_user_ptr(arg.attr));
	/*
	 * Write to the caller's struct before adding the event, to find a bad address
	 * in time: the caller could not release an event whose index it does not know.
	 */
	if (!err)
		err = tprof_device_copy_out(user, &arg, sizeof(arg));
	if (err)
		return err;
	err = add_event(session, &attr, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

static int copy_mask(struct tprof_lx_mask *arg, void __user *user)
{
	int err;

	err = tprof_device_copy_in(arg, sizeof(*arg), MASK_BYTES_MIN, user);
	if (err)
		return err;
	return arg->reserved ? -EINVAL : 0;
}

/**
 * tprof_device_start - serve TPROF_LX_IOC_START
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_start(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_mask arg;
	int err;

	err = copy_mask(&arg, user);
	if (!err)
		err = tprof_session_start(session, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

/**
 * tprof_device_stop - serve TPROF_LX_IOC_STOP
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_stop(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_mask arg;
	int err;

	err = copy_mask(&arg, user);
	if (!err)
		err = tprof_session_stop(session, &arg);
	return err ? err : tprof_device_copy_out(user, &arg, sizeof(arg));
}

/**
 * tprof_device_mark - serve TPROF_LX_IOC_MARK
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_mark(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_mark mark;
	int err;

	err = tprof_device_copy_in(&mark, sizeof(mark), MARK_BYTES_MIN, user);
	if (err)
		return err;
	if (mark.flags ||
	    strnlen(mark.text, sizeof(mark.text)) == sizeof(mark.text))
		return -EINVAL;
	return tprof_session_mark(session, &mark);
}

/**
 * tprof_device_advance - serve TPROF_LX_IOC_ADVANCE
 * @user:	struct of the caller
 *
 * Return: 0 or -errno, as <linux/tprof_lx.h> lists them.
 */
long tprof_device_advance(struct tprof_session *session, void __user *user)
{
	struct tprof_lx_span span;
	int err;

	err = tprof_device_copy_in(&span, sizeof(span), SPAN_BYTES_MIN, user);
	/* If the caller's struct cannot be written, return EFAULT before records are removed. */
	if (!err)
		err = tprof_device_copy_out(user, &span, sizeof(span));
	if (err)
		return err;
	err = tprof_reader_advance(&session->stream, &span);
	return err ? err : tprof_device_copy_out(user, &span, sizeof(span));
}
