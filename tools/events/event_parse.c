// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - parse events as typed by the user
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/event_modifiers.h"
#include "events/event_name.h"
#include "events/event_parse.h"
#include "events/event_terms.h"

/**
 * struct event_text - the parts of an event
 * @copy:	the text, with a zero byte after each part
 * @name:	the part before the first slash
 * @terms:	the part between the slashes, or NULL
 * @modifiers:	the part after the second slash, or NULL
 */
struct event_text {
	char	copy[EVENT_NAME_LEN];
	char	*name;
	char	*terms;
	const char *modifiers;
};

static int take_apart(const char *text, struct event_text *parts, struct message *msg)
{
	char *end;

	if (strlen(text) >= sizeof(parts->copy))
		return message_set(msg, -EINVAL, "the event '%.32s...' is too long", text);
	if (strpbrk(text, "{}"))
		return message_set(msg, -EINVAL,
				   "events are not grouped, as all start and stop together; write '%s' without the braces",
				   text);
	strcpy(parts->copy, text);
	parts->name = parts->copy;
	parts->terms = NULL;
	parts->modifiers = NULL;
	end = strchr(parts->copy, '/');
	if (!end)
		return 0;
	*end = '\0';
	parts->terms = end + 1;
	end = strchr(parts->terms, '/');
	if (!end)
		return message_set(msg, -EINVAL, "the terms of event '%s' must end with a slash",
				   text);
	*end = '\0';
	if (end[1])
		parts->modifiers = end + (end[1] == ':' ? 2 : 1);
	return 0;
}

static int read_terms(struct event_text *parts, struct event_spec *spec, struct message *msg)
{
	bool is_cpu = event_name_is_pmu(parts->name);
	bool is_open = is_cpu || (spec->backend[0] && !event_name_find(parts->name));
	int err = parts->terms ? event_terms(parts->terms, is_open, spec, msg) : 0;

	if (!err && is_cpu && !spec->has_config)
		return message_set(msg, -EINVAL,
				   "event '%s' does not select what to count; write %s/event=.../",
				   spec->name, parts->name);
	return err;
}

/* Parse one event. Return 0, or set @msg and return -EINVAL. */
int event_parse(const char *text, struct event_spec *spec, struct message *msg)
{
	struct event_text parts;
	const char *modifiers;
	int err;

	*spec = (struct event_spec){ 0 };
	err = take_apart(text, &parts, msg);
	if (err)
		return err;
	strcpy(spec->name, text);
	err = event_name_resolve(parts.name, spec, &modifiers, msg);
	if (!err)
		err = read_terms(&parts, spec, msg);
	if (!err && modifiers)
		err = event_modifiers(modifiers, spec, msg);
	if (!err && parts.modifiers)
		err = event_modifiers(parts.modifiers, spec, msg);
	return err;
}

/*
 * Return the length of the first event in a list. The event includes commas between
 * its slashes.
 */
static size_t event_length(const char *text)
{
	bool in_terms = false;
	size_t i;

	for (i = 0; text[i] && (in_terms || text[i] != ','); i++)
		in_terms ^= text[i] == '/';
	return i;
}

/*
 * Parse events separated by commas. Append them to @specs, which has @nr events and
 * room for @room. Return 0, or set @msg and return -EINVAL.
 */
int event_parse_list(const char *text, struct event_spec *specs, u32 room, u32 *nr,
		     struct message *msg)
{
	char one[EVENT_NAME_LEN];
	size_t len;
	int err;

	if (strpbrk(text, "{}"))
		return event_parse(text, &specs[0], msg);
	for (;; text += len + 1) {
		len = event_length(text);
		if (len >= sizeof(one))
			return message_set(msg, -EINVAL, "the event '%.32s...' is too long", text);
		memcpy(one, text, len);
		one[len] = '\0';
		if (*nr == room)
			return message_set(msg, -EINVAL,
					   "event '%s' is one too many; at most %u are possible",
					   one, room);
		err = event_parse(one, &specs[*nr], msg);
		if (err)
			return err;
		++*nr;
		if (!text[len])
			return 0;
	}
}
