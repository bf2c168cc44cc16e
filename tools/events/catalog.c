// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the hardware events of every CPU model, from libpfm4
 *
 * libpfm4 detects the model by CPUID. Only the core PMUs in libpfm4 are used: uncore
 * PMUs raise no interrupt for sampling, and the PMUs that stand for events of the
 * kernel have no hardware events.
 */
#include <perfmon/pfmlib.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/catalog.h"

/*
 * Initialise libpfm4 once. list --cpu shows models that this machine does not have, and
 * tests encode events of such models. libpfm4 allows both only if
 * LIBPFM_ENCODE_INACTIVE is in the environment of pfm_initialize(). Then remove the
 * variable, unless the user has set it, so that the recorded command does not inherit
 * it.
 */
static bool start(void)
{
	static const char inactive[] = "LIBPFM_ENCODE_INACTIVE";
	static enum { UNTRIED, WORKS, FAILED } state;
	bool was_set;

	if (state != UNTRIED)
		return state == WORKS;
	was_set = getenv(inactive);
	if (!was_set)
		setenv(inactive, "1", 1);
	state = pfm_initialize() == PFM_SUCCESS ? WORKS : FAILED;
	if (!was_set)
		unsetenv(inactive);
	return state == WORKS;
}

static bool read_model(int pmu, struct catalog_model *model)
{
	pfm_pmu_info_t info = { .size = sizeof(info) };

	if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS || info.type != PFM_PMU_TYPE_CORE)
		return false;
	*model = (struct catalog_model){
		.name = info.name,
		.text = info.desc,
		.is_present = info.is_present,
		.is_fallback = info.is_dfl,
		.nr_events = info.nevents,
		.pmu = pmu,
		.first = info.first_event,
	};
	return true;
}

/* Advance @model to the next model. The caller first sets @model->pmu to -1. */
bool catalog_next_model(struct catalog_model *model)
{
	int pmu;

	if (!start())
		return false;
	for (pmu = model->pmu + 1; pmu < PFM_PMU_MAX; pmu++) {
		if (read_model(pmu, model))
			return true;
	}
	return false;
}

/* Same as catalog_next_model(), for the models of this machine. */
bool catalog_next_present(struct catalog_model *model)
{
	while (catalog_next_model(model)) {
		if (model->is_present)
			return true;
	}
	return false;
}

/* Find a model by name. Case is ignored. */
bool catalog_find_model(const char *name, struct catalog_model *model)
{
	model->pmu = -1;
	while (catalog_next_model(model)) {
		if (!strcasecmp(model->name, name))
			return true;
	}
	return false;
}

static bool read_event(int number, struct catalog_event *event)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	if (pfm_get_event_info(number, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return false;
	*event = (struct catalog_event){
		.name = info.name,
		.text = info.desc,
		.same_as = info.equiv,
		.code = info.code,
		.nr_attrs = info.nattrs,
		.number = number,
	};
	return true;
}

/* Advance @event to the next event. The caller first sets @event->number to -1. */
bool catalog_next_event(const struct catalog_model *model, struct catalog_event *event)
{
	int number = event->number;

	number = number == -1 ? model->first : pfm_get_event_next(number);
	return number != -1 && read_event(number, event);
}

/* Find an event by its name without unit masks. Case is ignored. */
bool catalog_find_event(const struct catalog_model *model, const char *name,
			struct catalog_event *event)
{
	event->number = -1;
	while (catalog_next_event(model, event)) {
		if (!strcasecmp(event->name, name))
			return true;
	}
	return false;
}

/* Get the next unit mask of @event. The caller first sets position @at to -1. */
bool catalog_next_umask(const struct catalog_event *event, int *at, struct catalog_umask *umask)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };

	for (++*at; *at < event->nr_attrs; ++*at) {
		if (pfm_get_event_attr_info(event->number, *at, PFM_OS_NONE, &info) !=
			    PFM_SUCCESS ||
		    info.type != PFM_ATTR_UMASK)
			continue;
		*umask = (struct catalog_umask){
			.name = info.name,
			.text = info.desc,
			.is_default = info.is_dfl,
			.code = info.code << 8,
		};
		return true;
	}
	return false;
}
