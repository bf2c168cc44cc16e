/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the hardware events of every CPU model, from libpfm4
 *
 * A model is one kind of CPU core. A hybrid CPU has several models. All strings stay
 * valid until the program ends.
 */
#ifndef TPROF_CATALOG_H
#define TPROF_CATALOG_H

#include "base/message.h"
#include "base/suggest.h"
#include "base/types.h"

/**
 * struct catalog_model - a model of CPU cores
 * @name:	its name in libpfm4, such as skx
 * @text:	its description, with the vendor's name of the model
 * @is_present:	this machine has such cores
 * @is_fallback: it stands for the architectural events of all models of a vendor
 * @nr_events:	number of its events
 * @pmu:	id of the model in libpfm4
 * @first:	id of its first event in libpfm4
 */
struct catalog_model {
	const char *name;
	const char *text;
	bool	is_present;
	bool	is_fallback;
	u32	nr_events;
	int	pmu;
	int	first;
};

/**
 * struct catalog_event - an event of a model
 * @name:	its name
 * @text:	what it counts
 * @same_as:	the event that this name is an alias of, or NULL
 * @code:	event select, without a unit mask
 * @nr_attrs:	number of its unit masks and modifiers
 * @number:	id of the event in libpfm4
 */
struct catalog_event {
	const char *name;
	const char *text;
	const char *same_as;
	u64	code;
	int	nr_attrs;
	int	number;
};

/**
 * struct catalog_umask - a unit mask of an event
 * @name:	its name
 * @text:	what it selects
 * @is_default:	used if the user specifies no unit mask
 * @code:	its bits, shifted to their position in the event select
 */
struct catalog_umask {
	const char *name;
	const char *text;
	bool	is_default;
	u64	code;
};

/**
 * struct catalog_code - an encoded event
 * @config:	attr.config for PERF_TYPE_RAW
 * @user:	counts in user space
 * @kernel:	counts in the kernel
 * @guest:	counts in guests only
 * @host:	counts outside guests only
 */
struct catalog_code {
	u64	config;
	bool	user;
	bool	kernel;
	bool	guest;
	bool	host;
};

/* Each call of a catalog_next function gets the next entry, or returns false after the last. */
bool catalog_next_model(struct catalog_model *model);
bool catalog_next_present(struct catalog_model *model);
bool catalog_next_event(const struct catalog_model *model, struct catalog_event *event);
bool catalog_next_umask(const struct catalog_event *event, int *at, struct catalog_umask *umask);

bool catalog_find_model(const char *name, struct catalog_model *model);
bool catalog_find_event(const struct catalog_model *model, const char *name,
			struct catalog_event *event);
int catalog_encode(const struct catalog_model *model, const char *text, struct catalog_code *code,
		   struct message *msg);

#endif /* TPROF_CATALOG_H */
