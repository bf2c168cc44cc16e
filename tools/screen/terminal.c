// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the terminal while it shows a screen
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "cli/say.h"
#include "screen/errors.h"
#include "screen/terminal.h"

/* An escape sequence may have this many milliseconds between its bytes. */
#define ESCAPE_MS	50
/* The standard input is file 0; terminal_wait() waits for it and for up to this many others. */
#define OTHERS_MAX	7

/* These signals end the process. */
static const int fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV, SIGBUS, SIGILL, SIGFPE,
			     SIGABRT };
/* The first NR_ASYNC of them come from outside. */
#define NR_ASYNC	4
/* Signals that terminal_wait() reports. */
static const int reported[] = { SIGWINCH, SIGTSTP, SIGCONT };

/**
 * struct terminal - the state, which signal handlers use
 * @is_on:	the terminal shows a screen
 * @input:	file that keys are read from
 * @before:	modes of the terminal before that
 * @restore:	what to write to end the screen
 * @nr_restore:	length of @restore in bytes
 * @outside:	signal mask before that
 * @resized:	SIGWINCH has arrived
 * @stops:	SIGTSTP has arrived
 * @continued:	SIGCONT has arrived
 */
static struct {
	volatile sig_atomic_t is_on;
	FILE	*input;
	struct termios before;
	char	restore[256];
	size_t	nr_restore;
	sigset_t outside;
	volatile sig_atomic_t resized;
	volatile sig_atomic_t stops;
	volatile sig_atomic_t continued;
} terminal;

static bool has_capability(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (char *)-1;
}

static int note_restore(int letter)
{
	if (terminal.nr_restore < sizeof(terminal.restore))
		terminal.restore[terminal.nr_restore++] = letter;
	return letter;
}

/* Collect what ends colours, an invisible cursor, the keypad's mode and the second screen. */
static void make_restore(void)
{
	static const char *const names[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };
	size_t i;

	terminal.nr_restore = 0;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (has_capability(names[i]))
			tputs(tigetstr(names[i]), 1, note_restore);
	}
}

/* Write all of a text to the terminal. A signal handler may call it. */
void terminal_write(const char *text, size_t len)
{
	ssize_t done;

	for (; len; text += done, len -= done) {
		done = write(STDOUT_FILENO, text, len);
		if (done <= 0)
			return;
	}
}

/* Restore the terminal, then let the signal do what it does without a handler. */
static void on_fatal(int number)
{
	if (terminal.is_on) {
		terminal.is_on = 0;
		terminal_write(terminal.restore, terminal.nr_restore);
		tcsetattr(STDOUT_FILENO, TCSANOW, &terminal.before);
		errors_release();
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void on_reported(int number)
{
	if (number == SIGWINCH)
		terminal.resized = 1;
	else if (number == SIGTSTP)
		terminal.stops = 1;
	else
		terminal.continued = 1;
}

static void handle(int number, void (*handler)(int number))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK }, old;

	/* A signal that the parent ignores, as with nohup(1), stays ignored. */
	if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* Set @set to the signals from outside that end the process. */
static void fill_async(sigset_t *set)
{
	size_t i;

	sigemptyset(set);
	for (i = 0; i < NR_ASYNC; i++)
		sigaddset(set, fatal[i]);
}

/* Block the signals that come from outside. */
static void block_signals(void)
{
	sigset_t set;
	size_t i;

	fill_async(&set);
	for (i = 0; i < ARRAY_SIZE(reported); i++)
		sigaddset(&set, reported[i]);
	sigprocmask(SIG_BLOCK, &set, &terminal.outside);
}

/* Handle signals. newterm() has installed handlers of its own, so call this after it. */
static void catch_signals(void)
{
	/* A handler needs a stack if the process has overflowed its own. */
	static char stack[16384];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	size_t i;

	sigaltstack(&alternate, NULL);
	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		handle(fatal[i], on_fatal);
	for (i = 0; i < ARRAY_SIZE(reported); i++)
		handle(reported[i], on_reported);
}

/* Return the stream of keys: a pipe on stdin may be the recording. */
static FILE *open_input(void)
{
	return isatty(STDIN_FILENO) ? fdopen(dup(STDIN_FILENO), "re") : fopen("/dev/tty", "re");
}

/* Return true if stdout is a terminal, and keys can be read. */
bool terminal_is_there(void)
{
	FILE *input = isatty(STDOUT_FILENO) ? open_input() : NULL;

	if (!input)
		return false;
	fclose(input);
	return true;
}

/* Return true if the terminal can move its cursor, and mark a line. A VT52 cannot. */
static bool has_screen(void)
{
	int status;
	bool has;

	if (setupterm(NULL, STDOUT_FILENO, &status) == ERR)
		return false;
	has = has_capability("cup") && has_capability("clear") &&
	      (has_capability("rev") || has_capability("smso"));
	del_curterm(cur_term);
	return has;
}

static int say_no_screen(void)
{
	const char *name = getenv("TERM");

	return say_error("a terminal '%s' cannot show a screen; use --stdio", name ? name : "");
}

/* Show a screen. Return STATUS_OK, or print a message and return STATUS_FAILED. */
int terminal_begin(void)
{
	static bool is_registered;

	terminal.input = open_input();
	if (!terminal.input || !has_screen() || tcgetattr(STDOUT_FILENO, &terminal.before))
		return say_no_screen();
	if (!is_registered && atexit(terminal_end))
		return say_failure(-ENOMEM, "the screen");
	is_registered = true;
	fflush(stdout);
	block_signals();
	if (!newterm(NULL, stdout, terminal.input)) {
		sigprocmask(SIG_SETMASK, &terminal.outside, NULL);
		return say_no_screen();
	}
	make_restore();
	catch_signals();
	terminal.is_on = 1;
	errors_capture();
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	return STATUS_OK;
}

static bool is_in_background(void)
{
	pid_t foreground = tcgetpgrp(STDOUT_FILENO);

	return foreground > 0 && foreground != getpgrp();
}

/*
 * Stop the process by SIGTSTP, as the user has asked for, until it is in the foreground again.
 * A signal may end it meanwhile. The terminal then belongs to others and is left alone.
 */
static void stop(void)
{
	sigset_t set, before;

	endwin();
	errors_release();
	terminal.is_on = 0;
	fill_async(&set);
	sigaddset(&set, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, &before);
	raise(SIGTSTP);
	while (is_in_background())
		raise(SIGTTOU);
	sigprocmask(SIG_SETMASK, &before, NULL);
	handle(SIGTSTP, on_reported);
	terminal.is_on = 1;
	errors_capture();
}

/*
 * Wait until a key is typed, one of @others is ready, or something else happens. A negative
 * @timeout_ms is no limit.
 */
enum terminal_event terminal_wait(struct pollfd *others, nfds_t nr, int timeout_ms)
{
	struct timespec limit = { timeout_ms / 1000, timeout_ms % 1000 * NSEC_PER_MSEC };
	struct pollfd files[OTHERS_MAX + 1] = {
		{ .fd = fileno(terminal.input), .events = POLLIN },
	};
	int ready;

	nr = nr < OTHERS_MAX ? nr : OTHERS_MAX;
	if (nr)
		memcpy(files + 1, others, nr * sizeof(*others));
	ready = ppoll(files, nr + 1, timeout_ms < 0 ? NULL : &limit, &terminal.outside);
	if (nr)
		memcpy(others, files + 1, nr * sizeof(*others));
	if (terminal.stops) {
		terminal.stops = 0;
		stop();
		terminal.continued = 1;
	}
	if (terminal.resized) {
		terminal.resized = 0;
		return TERMINAL_RESIZED;
	}
	if (terminal.continued) {
		terminal.continued = 0;
		return TERMINAL_CONTINUED;
	}
	if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		return TERMINAL_GONE;
	return ready ? TERMINAL_INPUT : TERMINAL_TIMEOUT;
}

/*
 * Begin or end a long piece of work that does not draw: signals end the process meanwhile,
 * and programs that it runs are not started with blocked signals.
 */
void terminal_work(bool begins)
{
	if (begins)
		sigprocmask(SIG_SETMASK, &terminal.outside, NULL);
	else
		block_signals();
}

/* End the screen, and show the messages that others have written meanwhile. */
void terminal_end(void)
{
	if (!terminal.is_on)
		return;
	endwin();
	terminal.is_on = 0;
	errors_release();
	sigprocmask(SIG_SETMASK, &terminal.outside, NULL);
}
