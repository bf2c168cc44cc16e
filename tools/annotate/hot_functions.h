/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx annotate - the functions with samples, and the addresses of their samples
 */
#ifndef TPROF_HOT_FUNCTIONS_H
#define TPROF_HOT_FUNCTIONS_H

#include "profile/gather.h"

struct hot_function;

/**
 * struct hot_address - samples of an event at an address
 * @function:	the function that the address is in
 * @addr:	the address, in the function's struct object
 * @event:	index in hot_functions.events
 * @tally:	the samples
 */
struct hot_address {
	struct hot_function *function;
	u64	addr;
	u32	event;
	struct tally tally;
};

/**
 * struct hot_event - an event with samples
 * @number:	index in reader.events
 * @name:	its name
 * @total:	all its samples
 */
struct hot_event {
	u32	number;
	const char *name;
	struct tally total;
};

/**
 * struct hot_function - a function with samples
 * @object:	its binary
 * @symbol:	the function
 * @sums:	for each of hot_functions.events, its samples
 * @heat:	the largest share of all samples of an event, in percent
 * @addresses:	the addresses with samples, in order; a part of hot_functions.addresses
 * @nr:		length of @addresses
 */
struct hot_function {
	struct object *object;
	struct symbol *symbol;
	struct tally *sums;
	double	heat;
	const struct hot_address *addresses;
	size_t	nr;
};

/**
 * struct hot_functions - all functions with samples; empty if all members are zero
 * @list:	the functions, hottest first
 * @nr:		length of @list
 * @room:	capacity of @list
 * @table:	the functions by struct symbol
 * @addresses:	addresses of all functions
 * @nr_addresses: length of @addresses
 * @address_room: capacity of @addresses
 * @events:	events with samples, in the order of the file
 * @nr_events:	length of @events
 * @nr_elsewhere: number of samples in no function
 */
struct hot_functions {
	struct hot_function **list;
	size_t	nr;
	size_t	room;
	struct hash_table table;
	struct hot_address *addresses;
	size_t	nr_addresses;
	size_t	address_room;
	struct hot_event *events;
	u32	nr_events;
	u64	nr_elsewhere;
};

struct profile_keys hot_functions_keys(void);
int hot_functions_make(struct hot_functions *all, const struct gather *gather);
void hot_functions_free(struct hot_functions *all);

#endif /* TPROF_HOT_FUNCTIONS_H */
