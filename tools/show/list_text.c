// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx list - print tables
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "show/list.h"

#define NAME_WIDTH	30
#define LINE_WIDTH	100
#define LINE_MIN	72

/* Kind of the row printed last. A row of another kind gets a heading. */
static enum { NOTHING, BACKENDS, SOFTWARE, NAMES, EVENTS } last;

static void heading(const char *text)
{
	printf("%s%s:\n", last == NOTHING ? "" : "\n", text);
}

static int line_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return LINE_WIDTH;
	return size.ws_col < LINE_MIN ? LINE_MIN : size.ws_col;
}

/* Print @name, and @text in a second column, wrapped between words. */
static void print_row(int indent, const char *name, const char *text)
{
	int room = line_width() - NAME_WIDTH - 1;
	int used = printf("%*s%s", indent, "", name);
	size_t len, end;

	if (used >= NAME_WIDTH && *text) {
		putchar('\n');
		used = 0;
	}
	for (len = strlen(text); len; len -= end, text += end) {
		end = len;
		if (len > (size_t)room) {
			for (end = room; end && text[end] != ' '; end--)
				;
			end = end ? end : (size_t)room;
		}
		printf("%*s%.*s\n", NAME_WIDTH - used, "", (int)end, text);
		used = 0;
		end += text[end] == ' ';
	}
	if (used)
		putchar('\n');
}

static void flags_text(u32 value, char *text, size_t len)
{
	size_t i = 0, used = 0;
	const char *name;

	text[0] = '\0';
	while ((name = list_flag_at(value, &i)) && used < len)
		used += snprintf(text + used, len - used, "%s%s", used ? "," : "", name);
}

static void show_backend(const struct tprof_lx_backend *backend, const char *alias)
{
	char kind[LIST_FLAGS_LEN], parts[LIST_FLAGS_LEN], period[64] = "-", name[64];

	if (last != BACKENDS)
		printf("%-16s %-20s %-24s %s\n", "BACK END", "KIND", "PERIOD", "WHAT IT IS");
	last = BACKENDS;
	flags_text(backend->flags & ~LIST_PARTS, kind, sizeof(kind));
	flags_text(backend->flags & LIST_PARTS, parts, sizeof(parts));
	if (backend->max_period)
		snprintf(period, sizeof(period), "%llu..%llu%s", backend->min_period,
			 backend->max_period,
			 backend->flags & TPROF_LX_BACKEND_CLOCK ? " ns" : "");
	snprintf(name, sizeof(name), "%s%s%s", backend->name, alias ? "," : "",
		 alias ? alias : "");
	printf("%-16s %-20s %-24s %s%s%s\n", name, kind, period, backend->text,
	       *parts ? "; " : "", parts);
}

static void show_name(const struct event_name *name, bool is_counted_only)
{
	char both[96], text[160];

	if (name->backend && last != SOFTWARE)
		heading("Software events, which need no counter");
	else if (!name->backend && last != NAMES)
		heading("Events that most processors have");
	last = name->backend ? SOFTWARE : NAMES;
	snprintf(both, sizeof(both), "%s%s%s", name->name, name->alias ? ", " : "",
		 name->alias ? name->alias : "");
	snprintf(text, sizeof(text), "%s%s", name->text,
		 is_counted_only ? "; only counts, without samples" : "");
	print_row(2, both, text);
}

static void show_model(const struct catalog_model *model)
{
	char text[128];

	snprintf(text, sizeof(text), "Events of %s (%s)", model->text, model->name);
	heading(text);
	last = EVENTS;
}

static void show_event(const struct list *list, const struct catalog_model *model,
		       const struct catalog_event *event)
{
	struct catalog_umask umask;
	char text[160], name[96];
	int at = -1;

	(void)model;
	if (event->same_as) {
		snprintf(text, sizeof(text), "another name of %s", event->same_as);
		print_row(2, event->name, text);
		return;
	}
	print_row(2, event->name, event->text);
	while (list_next_umask(list, event, &at, &umask)) {
		snprintf(name, sizeof(name), ":%s%s", umask.name,
			 umask.is_default ? " (default)" : "");
		print_row(4, name, umask.text);
	}
}

static void begin(void)
{
	last = NOTHING;
}

static void end(void)
{
}

const struct list_view list_text_view = {
	.begin = begin,
	.backend = show_backend,
	.name = show_name,
	.model = show_model,
	.event = show_event,
	.end = end,
};
