// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - encode a hardware event by name
 */
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/catalog.h"

/*
 * Bits of the event select that libpfm4 may set in addition to the event and its unit
 * mask. They do not belong in attr.config: exclude_* members of the attr stand for
 * USER, KERNEL, GUEST and HOST, and the module sets INT and ENABLE.
 */
#define SELECT_USER	(1ULL << 16)
#define SELECT_KERNEL	(1ULL << 17)
#define SELECT_INT	(1ULL << 20)
#define SELECT_ENABLE	(1ULL << 22)
#define SELECT_GUEST	(1ULL << 40)
#define SELECT_HOST	(1ULL << 41)

/* Maximum number of 64-bit codes of an event, on any model including netburst. */
#define CODES_MAX	8

static void decode(u64 select, struct catalog_code *code)
{
	*code = (struct catalog_code){
		.config = select & ~(SELECT_USER | SELECT_KERNEL | SELECT_INT | SELECT_ENABLE |
				     SELECT_GUEST | SELECT_HOST),
		.user = select & SELECT_USER,
		.kernel = select & SELECT_KERNEL,
		.guest = select & SELECT_GUEST,
		.host = select & SELECT_HOST,
	};
	/*
	 * If only guest or host was given, libpfm4 sets neither user nor kernel: set
	 * both.
	 */
	if (!code->user && !code->kernel) {
		code->user = true;
		code->kernel = true;
	}
}

/*
 * Find the first part of @text that is neither a unit mask of @event nor like a
 * modifier, such as "u" or "c=1". If there is such a part, set @search to it and to the
 * unit masks close to it, and return true.
 */
static bool find_stranger(const struct catalog_event *event, char *text, struct suggestion *search)
{
	struct catalog_umask umask;
	char *part, *rest;
	int at;

	strtok_r(text, ":.", &rest);
	while ((part = strtok_r(NULL, ":.", &rest))) {
		bool known = strchr(part, '=') || strlen(part) <= 1;

		*search = (struct suggestion){ .word = part };
		for (at = -1; !known && catalog_next_umask(event, &at, &umask);) {
			known = !strcasecmp(umask.name, part);
			suggest_try(search, umask.name);
		}
		if (!known)
			return true;
	}
	return false;
}

static int explain_attr(const struct catalog_model *model, const char *text, int ret,
			struct message *msg)
{
	struct catalog_event event;
	struct suggestion search;
	char copy[256], near[256];

	snprintf(copy, sizeof(copy), "%s", text);
	copy[strcspn(copy, ":.")] = '\0';
	if (!catalog_find_event(model, copy, &event))
		return -ENOENT;
	snprintf(copy, sizeof(copy), "%s", text);
	if (!find_stranger(&event, copy, &search))
		return message_set(msg, -EINVAL, "event %s: %s; see tprof-lx list %s", text,
				   pfm_strerror(ret), event.name);
	if (suggest_text(&search, near, sizeof(near)))
		return message_set(msg, -EINVAL,
				   "event %s has no unit mask '%s'; did you mean %s?",
				   event.name, search.word, near);
	return message_set(msg, -EINVAL, "event %s has no unit mask '%s'; see tprof-lx list %s",
			   event.name, search.word, event.name);
}

/*
 * Encode an event of a model. @text is EVENT[:UMASK...][:MODIFIER...], where a dot may
 * stand for a colon. Return 0; -ENOENT if the model has no such event. On any other
 * failure, set @msg and return -EINVAL.
 */
int catalog_encode(const struct catalog_model *model, const char *text, struct catalog_code *code,
		   struct message *msg)
{
	uint64_t codes[CODES_MAX];
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg), .codes = codes, .count = CODES_MAX };
	char full[320];
	int ret;

	if (snprintf(full, sizeof(full), "%s::%s", model->name, text) >= (int)sizeof(full))
		return -ENOENT;
	ret = pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	if (ret == PFM_ERR_NOTFOUND)
		return -ENOENT;
	if (ret != PFM_SUCCESS)
		return explain_attr(model, text, ret, msg);
	if (arg.count != 1)
		return message_set(msg, -EINVAL,
				   "event %s needs a second register besides its counter, which this version does not program",
				   text);
	decode(codes[0], code);
	return 0;
}
