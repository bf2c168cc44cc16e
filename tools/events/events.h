/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - events as people write them, and as the module takes them
 *
 * NAME[:MODIFIERS] or NAME/TERM,.../[MODIFIERS], as in cycles:u, r01c2,
 * cpu/event=0xc2,umask=1,period=250000/k, INST_RETIRED:ANY_P:u or nmi.
 *
 * event_name.c knows the names, event_terms.c what may stand between slashes,
 * events.c how a text falls into these, event_attr.c what the module is told.
 */
#ifndef TPROF_EVENTS_H
#define TPROF_EVENTS_H

#include <linux/perf_event.h>
#include <linux/tprof_lx.h>

#include "base/message.h"
#include "base/types.h"

/* The longest event that is understood, and so the longest name. */
#define EVENT_NAME_LEN	256

/**
 * struct event_spec - one event of -e
 * @name:	what the file calls the event: as typed, or name= of its terms
 * @backend:	the back end it is from; empty for that of the hardware counters
 * @type:	attr.type of an event that is no clock
 * @config:	attr.config of it
 * @period:	period= of its terms, or 0
 * @freq:	freq= of its terms, or 0
 * @has_config:	its terms say what to count
 * @user:	modifier u
 * @kernel:	modifier k
 * @guest:	modifier G
 * @host:	modifier H
 * @not_idle:	modifier I
 * @random:	term random
 */
struct event_spec {
	char	name[EVENT_NAME_LEN];
	char	backend[TPROF_LX_NAME_LEN];
	u32	type;
	u64	config;
	u64	period;
	u64	freq;
	bool	has_config;
	bool	user;
	bool	kernel;
	bool	guest;
	bool	host;
	bool	not_idle;
	bool	random;
};

/**
 * struct chain_spec - what is to be recorded of who called whom
 * @wanted:	call chains
 * @frames:	how many at most, 0 for as many as the module allows
 * @stack:	bytes of the user's stack to keep, for who unwinds it by DWARF
 *		afterwards; 0 to follow frame pointers at once
 * @no_later:	what ends at memory that is not present stays so
 */
struct chain_spec {
	bool	wanted;
	u64	frames;
	u64	stack;
	bool	no_later;
};

/**
 * struct event_defaults - what holds for all events of a recording
 * @period:	for events without a rate of their own, or 0
 * @freq:	the same in Hz; used when @period is 0
 * @is_max:	@freq is the most that is allowed: a back end that cannot do it may
 *		do less
 * @all_user:	no event samples the kernel
 * @all_kernel:	no event samples user space
 * @switches:	ask for SWITCH records
 * @chains:	call chains
 * @clockid:	clock of all times
 */
struct event_defaults {
	u64	period;
	u64	freq;
	bool	is_max;
	bool	all_user;
	bool	all_kernel;
	bool	switches;
	struct chain_spec chains;
	s32	clockid;
};

int event_parse(const char *text, struct event_spec *spec, struct message *msg);
int event_parse_list(const char *text, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg);
const struct tprof_lx_backend *event_backend(const struct event_spec *spec,
					     const struct tprof_lx_backend *backends, u32 nr,
					     struct message *msg);
const struct tprof_lx_backend *event_counters(const struct tprof_lx_backend *backends, u32 nr);
const char *event_why_no_counters(void);
int event_attr(const struct event_spec *spec, const struct event_defaults *defaults,
	       const struct tprof_lx_backend *backend, bool first, struct perf_event_attr *attr,
	       struct message *msg);
u32 event_flags(const struct event_spec *spec, const struct perf_event_attr *attr, u64 features);

#endif /* TPROF_EVENTS_H */
