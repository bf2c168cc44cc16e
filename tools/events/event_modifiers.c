// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the modifiers of events, such as u for user space
 *
 * The letters are the same as in perf. The table also has perf's modifiers that are
 * not supported, each with the reason to print.
 */
#include <errno.h>
#include <string.h>

#include "events/event_modifiers.h"

static const struct {
	char letter;
	size_t offset;
	const char *refusal;
} modifiers[] = {
	{ 'u', offsetof(struct event_spec, user), NULL },
	{ 'k', offsetof(struct event_spec, kernel), NULL },
	{ 'G', offsetof(struct event_spec, guest), NULL },
	{ 'H', offsetof(struct event_spec, host), NULL },
	{ 'I', offsetof(struct event_spec, not_idle), NULL },
	{ 'h', 0, "x86 has no hypervisor level; use G for guests, H for the host" },
	{ 'p', 0, "this version takes no precise samples (PEBS, IBS)" },
	{ 'P', 0, "this version takes no precise samples (PEBS, IBS)" },
	{ 'S', 0, "samples do not carry the counts of other events" },
	{ 'D', 0, "all events are pinned, as events are not multiplexed" },
	{ 'W', 0, "events are not grouped" },
	{ 'e', 0, "counters are not exclusive to a session" },
	{ 'b', 0, "events are not counted by BPF" },
};

static size_t find(char letter)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modifiers) && modifiers[i].letter != letter; i++)
		;
	return i;
}

/* Return true if @text is one or more of perf's modifiers, supported or not. */
bool event_has_modifiers_only(const char *text)
{
	if (!*text)
		return false;
	while (*text && find(*text) < ARRAY_SIZE(modifiers))
		text++;
	return !*text;
}

/* Parse modifiers and add them to @spec. Return 0, or set @msg and return -EINVAL. */
int event_modifiers(const char *text, struct event_spec *spec, struct message *msg)
{
	size_t i;

	if (!*text)
		return message_set(msg, -EINVAL,
				   "modifiers are missing after ':', such as u for user space or k for the kernel");
	for (; *text; text++) {
		i = find(*text);
		if (i == ARRAY_SIZE(modifiers))
			return message_set(msg, -EINVAL,
					   "there is no modifier '%c'; use u for user space, k for the kernel",
					   *text);
		if (modifiers[i].refusal)
			return message_set(msg, -EINVAL, "modifier '%c' is not supported: %s",
					   *text, modifiers[i].refusal);
		*(bool *)((char *)spec + modifiers[i].offset) = true;
	}
	return 0;
}
