// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - show a browser on the terminal, by ncurses
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>

#include "base/base64.h"
#include "cli/say.h"
#include "screen/colours.h"
#include "screen/screen.h"
#include "screen/terminal.h"

/* Names are UTF-8. If the locale is not, write them as they are, as with --stdio. */
static void choose_locale(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		setlocale(LC_CTYPE, "C.UTF-8");
}

/*
 * Show a browser. At the end, call terminal_end(). Return STATUS_OK, or print a message and
 * return STATUS_FAILED.
 */
int screen_begin(struct browser *browser)
{
	int status;

	choose_locale();
	status = terminal_begin();
	if (status)
		return status;
	colours_begin();
	browser_resize(browser, COLS, LINES);
	return STATUS_OK;
}

static attr_t attribute_of(const struct line *line)
{
	switch (line->style) {
	case LINE_TITLE:
	case LINE_FOOT:
		return A_BOLD;
	case LINE_HEADING:
		return A_UNDERLINE;
	case LINE_CURSOR:
		return A_REVERSE;
	default:
		return A_NORMAL;
	}
}

static void draw_line(int y, const struct line *line)
{
	attr_t attribute = attribute_of(line);
	const struct line_part *part;
	size_t at = 0;
	u32 i;

	move(y, 0);
	attrset(attribute);
	for (i = 0; i < line->nr_parts; i++) {
		part = &line->parts[i];
		addnstr(line->text + at, part->from - at);
		attrset(attribute | colour_of(part->heat) | (part->is_cursor ? A_REVERSE : 0));
		addnstr(line->text + part->from, part->len);
		attrset(attribute);
		at = part->from + part->len;
	}
	addnstr(line->text + at, line->len - at);
	if (line->columns >= line->width)
		return;
	if (line->style == LINE_CURSOR)
		hline(' ' | attribute, line->width - line->columns);
	else
		clrtoeol();
}

/* Draw all lines. ncurses writes only what has changed, unless browser.redraws is set. */
void screen_draw(struct browser *browser)
{
	struct line line;
	u32 y;

	if (browser->redraws)
		clearok(stdscr, TRUE);
	browser->redraws = false;
	for (y = 0; y < browser->height; y++) {
		browser_line(browser, y, &line);
		draw_line(y, &line);
	}
	refresh();
}

/* Return an enum view_key for a function key of ncurses, or SCREEN_NO_KEY. */
static u32 function_key(wint_t code)
{
	switch (code) {
	case KEY_UP:
		return VIEW_KEY_UP;
	case KEY_DOWN:
		return VIEW_KEY_DOWN;
	case KEY_LEFT:
		return VIEW_KEY_LEFT;
	case KEY_RIGHT:
		return VIEW_KEY_RIGHT;
	case KEY_PPAGE:
		return VIEW_KEY_PAGE_UP;
	case KEY_NPAGE:
		return VIEW_KEY_PAGE_DOWN;
	case KEY_HOME:
		return VIEW_KEY_HOME;
	case KEY_END:
		return VIEW_KEY_END;
	case KEY_BTAB:
		return VIEW_KEY_BACK_TAB;
	case KEY_ENTER:
		return VIEW_KEY_ENTER;
	case KEY_BACKSPACE:
		return VIEW_KEY_BACKSPACE;
	default:
		return SCREEN_NO_KEY;
	}
}

static bool read_key(u32 *key)
{
	wint_t code;
	int kind = get_wch(&code);

	if (kind == ERR)
		return false;
	*key = kind == KEY_CODE_YES ? function_key(code) :
	       code == '\r' ? VIEW_KEY_ENTER : code == '\b' ? VIEW_KEY_BACKSPACE : code;
	return true;
}

/* Take the size that the window has now, and draw everything again. */
static void resize(struct browser *browser)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	browser_resize(browser, COLS, LINES);
	browser->redraws = true;
	screen_draw(browser);
}

/*
 * Wait for a key and return it. Return SCREEN_NO_KEY if no key was typed, but one of @others
 * is ready, or @timeout_ms is over. A negative @timeout_ms is no limit.
 */
u32 screen_key(struct browser *browser, struct pollfd *others, nfds_t nr, int timeout_ms)
{
	u32 key;

	while (!read_key(&key)) {
		switch (terminal_wait(others, nr, timeout_ms)) {
		case TERMINAL_RESIZED:
		case TERMINAL_CONTINUED:
			resize(browser);
			break;
		case TERMINAL_GONE:
			browser->quits = true;
			return SCREEN_NO_KEY;
		case TERMINAL_TIMEOUT:
			return SCREEN_NO_KEY;
		case TERMINAL_INPUT:
			if (!read_key(&key))
				return SCREEN_NO_KEY;
			return key;
		}
	}
	return key;
}

/* Let the user walk through a browser until the user quits. */
void screen_browse(struct browser *browser)
{
	u32 key;

	while (!browser->quits) {
		screen_draw(browser);
		key = screen_key(browser, NULL, 0, -1);
		if (key != SCREEN_NO_KEY)
			browser_key(browser, key);
	}
}

/* Show a message before long work. */
void screen_say(struct browser *browser, const char *text)
{
	message_set(&browser->message, 0, "%s", text);
	screen_draw(browser);
	browser->message.text[0] = '\0';
}

/* Ask the terminal to put a name into the clipboard, by the sequence OSC 52. */
void screen_copy(const char *name)
{
	struct base64 base64;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return;
	fputs("\033]52;c;", out);
	if (!base64_begin(&base64, out)) {
		fputs(name, base64.plain);
		base64_end(&base64);
	}
	putc('\a', out);
	if (!fclose(out))
		terminal_write(text, len);
	free(text);
}
