// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - explain errors of the device, and how to solve them
 */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number_text.h"
#include "cli/explain.h"
#include "cli/say.h"
#include "events/event_attr.h"

/*
 * Oldest abi_version that every command can use. Commands check feature bits before they
 * use newer parts of the interface.
 */
#define OLDEST_INTERFACE	1U

static void explain_access(struct message *msg)
{
	struct stat st;

	if (stat(DEVICE_PATH, &st))
		message_set(msg, -EACCES,
			    "no permission to access " DEVICE_PATH "; run it with sudo");
	else
		message_set(msg, -EACCES,
			    "no permission to open " DEVICE_PATH
			    ": it belongs to user %u and group %u with mode %04o; run it with sudo",
			    st.st_uid, st.st_gid, st.st_mode & 07777);
}

static void explain_open(int err, struct message *msg)
{
	switch (-err) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
		message_set(msg, err,
			    "the module is not loaded (no " DEVICE_PATH "); load it with: modprobe tprof-lx");
		break;
	case EACCES:
		explain_access(msg);
		break;
	case EPERM:
		message_set(msg, err,
			    "opening " DEVICE_PATH
			    " needs CAP_PERFMON or CAP_SYS_ADMIN, and a kernel that is not locked down; run it with sudo");
		break;
	case EUSERS:
		message_set(msg, err, "you have too many sessions; end one: tprof-lx info lists them");
		break;
	case EOPNOTSUPP:
		message_set(msg, err,
			    DEVICE_PATH
			    " cannot be used in a container with a PID namespace of its own; run tprof-lx on the host");
		break;
	case EBUSY:
	case EMFILE:
	case ENFILE:
		message_set(msg, err,
			    "too many sessions or files are open (%s); close some and try again",
			    strerror(-err));
		break;
	default:
		message_set(msg, err, "cannot open " DEVICE_PATH ": %s", strerror(-err));
	}
}

static void explain_info(int err, struct message *msg)
{
	if (err == -ENOTTY)
		message_set(msg, err, DEVICE_PATH
			    " does not have the interface of tprof-lx " TPROF_LX_VERSION
			    "; reload the module that came with it");
	else if (err == -EINVAL || err == -E2BIG)
		message_set(msg, err, "tprof-lx " TPROF_LX_VERSION
			    " and the loaded module are not compatible; install both from one release");
	else
		message_set(msg, err, "cannot read the module's description: %s", strerror(-err));
}

/*
 * Open a session, read @info, and refuse a module that is too old. Return a file
 * descriptor, or set @msg and return -errno.
 */
int open_device(struct device_info *info, struct message *msg)
{
	int fd = device_open();
	int err;

	if (fd < 0) {
		explain_open(fd, msg);
		return fd;
	}
	err = device_info(fd, info);
	if (err)
		explain_info(err, msg);
	else if (info->info.abi_version < OLDEST_INTERFACE)
		err = message_set(msg, -EPROTO,
				  "the loaded module (version %s, interface %u) is too old for this tprof-lx, which needs interface %u; update and reload it",
				  info->info.version, info->info.abi_version,
				  OLDEST_INTERFACE);
	if (!err)
		return fd;
	close(fd);
	return err;
}

static bool is_outside(u64 value, u64 least, u64 most)
{
	return value && (value < least || value > most);
}

static void explain_size(const char *what, u64 least, u64 most, struct message *msg)
{
	char from[16], to[16];

	message_set(msg, -EINVAL, "%s must have %s to %s; see -m", what,
		    size_text(least, from, sizeof(from)), size_text(most, to, sizeof(to)));
}

static void explain_refusal(const struct tprof_lx_config *config,
			    const struct tprof_lx_info *info, struct message *msg)
{
	if (is_outside(config->ring_bytes, info->ring_min, info->ring_max))
		explain_size("the ring of a CPU", info->ring_min, info->ring_max, msg);
	else if (is_outside(config->fifo_bytes, info->fifo_min, info->fifo_max))
		explain_size("the queue to the reader", info->fifo_min, info->fifo_max, msg);
	else if (is_outside(config->flush_ms, 1, 10000))
		message_set(msg, -EINVAL, "--flush-ms must be 1 to 10000");
	else if (config->watermark)
		message_set(msg, -EINVAL,
			    "--watermark must leave room in the ring: make it smaller, or the ring larger with -m");
	else
		message_set(msg, -EINVAL, "none of the CPUs exists; see -C and /sys/devices/system/cpu/possible");
}

/* Explain why CONFIG failed. */
void explain_config(int err, const struct tprof_lx_config *config,
		    const struct device_info *info, struct message *msg)
{
	if (err == -ESRCH)
		message_set(msg, err,
			    "a process of -p does not exist (any more); check the list");
	else if (err == -EPERM)
		message_set(msg, err,
			    "without privileges, only own processes can be observed; run it with sudo");
	else if (err == -EINVAL)
		explain_refusal(config, &info->info, msg);
	else
		message_set(msg, err, "cannot set up the session: %s", strerror(-err));
}

/* Explain why a thread cannot be a target. */
void explain_thread(int err, s32 tid, struct message *msg)
{
	if (err == -ESRCH)
		message_set(msg, err,
			    "thread %d does not exist (any more); ps -L -p PID lists threads", tid);
	else if (err == -EPERM)
		message_set(msg, err,
			    "thread %d: without privileges, only own processes can be observed; run it with sudo",
			    tid);
	else
		message_set(msg, err, "cannot observe thread %d: %s", tid, strerror(-err));
}

static void explain_rate(int err, const struct event_spec *spec,
			 const struct perf_event_attr *attr,
			 const struct tprof_lx_backend *backend, u64 max_rate,
			 struct message *msg)
{
	bool clock = backend->flags & TPROF_LX_BACKEND_CLOCK;

	message_set(msg, err,
		    "event %s cannot run at %s %llu: its period must be %llu to %llu %s, and max_rate allows %llu samples per second and CPU",
		    spec->name, attr->freq ? "a frequency of" : "a period of",
		    attr->freq ? attr->sample_freq : attr->sample_period, backend->min_period,
		    backend->max_period, clock ? "ns" : "events", max_rate);
}

static void explain_lack(int err, const struct event_spec *spec,
			 const struct perf_event_attr *attr,
			 const struct tprof_lx_backend *backend, struct message *msg)
{
	if (attr->exclude_guest || attr->exclude_host)
		message_set(msg, err,
			    "event %s: this processor's counters cannot distinguish guests; leave out the modifiers G and H",
			    spec->name);
	else if (spec->cores)
		message_set(msg, err,
			    "no core of that kind has event %s, or there is none; tprof-lx info shows the kinds",
			    spec->name);
	else if (backend->flags & TPROF_LX_BACKEND_COUNTER)
		message_set(msg, err,
			    "this processor's counters (%s) do not have event %s; see tprof-lx list",
			    backend->text, spec->name);
	else
		message_set(msg, err,
			    "the back end '%s' or this module does not support event %s as requested; use fewer options, or update the module",
			    backend->name, spec->name);
}

/* Explain that a user without privileges may have no more events. */
static void explain_quota(int err, const struct event_spec *spec, bool counter,
			  struct message *msg)
{
	if (err == -EDQUOT && !counter)
		message_set(msg, err,
			    "event %s: your clocks have too high rates together (parameter unprivileged_rate of the module); use a lower -F",
			    spec->name);
	else if (err == -EDQUOT)
		message_set(msg, err,
			    "event %s: you use all counters that you may (parameter unprivileged_counters of the module)",
			    spec->name);
	else
		message_set(msg, err,
			    "event %s: your sessions have too many events; end one: tprof-lx info lists them",
			    spec->name);
}

/* Explain what a user without privileges may not observe. */
static void explain_rights(int err, const struct event_spec *spec, bool counter, u32 access,
			   struct message *msg)
{
	if (counter && access == TPROF_LX_ACCESS_OWN)
		message_set(msg, err,
			    "event %s: users without privileges may not use the counters (parameter access of the module); run it with sudo",
			    spec->name);
	else if (access == TPROF_LX_ACCESS_KERNEL)
		message_set(msg, err,
			    "event %s: without privileges, only own processes can be observed; run it with sudo",
			    spec->name);
	else
		message_set(msg, err,
			    "event %s: without privileges, only user code of own processes can be observed; run it with sudo",
			    spec->name);
}

/* Explain why the module refused an event. */
void explain_event(int err, const struct event_spec *spec,
		   const struct perf_event_attr *attr, const struct device_info *info,
		   struct message *msg)
{
	const struct tprof_lx_backend *backend;
	bool counter;

	backend = event_backend(spec, info->backends, info->info.nr_backends, msg);
	if (!backend)
		return;
	counter = backend->flags & TPROF_LX_BACKEND_COUNTER;
	switch (-err) {
	case ERANGE:
		explain_rate(err, spec, attr, backend, info->info.max_rate, msg);
		break;
	case EBUSY:
		message_set(msg, err,
			    "event %s is in use by another session; see tprof-lx info, and try again later",
			    spec->name);
		break;
	case EOVERFLOW:
		message_set(msg, err,
			    "--max-stack %u is more than the administrator allows: at most %u frames (parameter max_stack of the module)",
			    attr->sample_max_stack, info->info.max_stack);
		break;
	case EIO:
		message_set(msg, err,
			    "event %s: the counters do not work (back end %s: %s); use -e nmi, which needs none",
			    spec->name, backend->name, backend->text);
		break;
	case EOPNOTSUPP:
		explain_lack(err, spec, attr, backend, msg);
		break;
	case EINVAL:
		if (counter && attr->type == PERF_TYPE_RAW)
			message_set(msg, err,
				    "the module refuses event %s: its config 0x%llx has unsupported bits, or its modifiers or the clock (-k) contradict another event",
				    spec->name, attr->config);
		else
			message_set(msg, err,
				    "the module refuses event %s: its config, its modifiers or the clock (-k) contradict each other or another event",
				    spec->name);
		break;
	case EACCES:
		explain_rights(err, spec, counter, info->info.access, msg);
		break;
	case EDQUOT:
	case EUSERS:
		explain_quota(err, spec, counter, msg);
		break;
	case ENODEV:
		message_set(msg, err, "the back end '%s' was just unregistered; see tprof-lx list",
			    backend->name);
		break;
	default:
		message_set(msg, err, "cannot add event %s: %s", spec->name, strerror(-err));
	}
}

/* Explain why START failed. */
void explain_start(int err, struct message *msg)
{
	if (err == -EBUSY)
		message_set(msg, err,
			    "an event needs something that another session uses; see tprof-lx info, and try again later");
	else if (err == -ESRCH)
		message_set(msg, err, "the processes of -p or the threads of -t have ended");
	else if (err == -EOPNOTSUPP)
		message_set(msg, err,
			    "one kind of the cores lacks an event; write cpu_core/EVENT/ or cpu_atom/EVENT/");
	else if (err == -ENOMEM)
		message_set(msg, err,
			    "the kernel has no memory for the buffers; make them smaller with -m");
	else if (err == -ENOBUFS)
		message_set(msg, err,
			    "the buffers exceed your limit of locked memory; make them smaller with -m, or raise ulimit -l");
	else if (err == -EMSGSIZE)
		message_set(msg, err,
			    "a sample with its stack does not fit in the ring of a CPU or in half of the queue; make them larger with -m");
	else
		message_set(msg, err, "cannot start the session: %s", strerror(-err));
}
