// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print manual pages of the commands, in mdoc
 *
 * A page is made from the command's help text and from the files COMMAND.notes and
 * COMMAND.examples in Documentation/man.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"

#define COMMANDS_MAX	32

/* Print text, and escape the characters that groff would replace by typographic ones. */
static void print_escaped(const char *text, size_t len)
{
	static const struct {
		char	c;
		const char *escape;
	} escapes[] = {
		{ '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" },
		{ '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" },
	};
	size_t i, k;

	for (i = 0; i < len; i++) {
		for (k = 0; k < ARRAY_SIZE(escapes) && escapes[k].c != text[i]; k++)
			;
		if (k < ARRAY_SIZE(escapes))
			fputs(escapes[k].escape, stdout);
		else
			putchar(text[i]);
	}
}

/* Print a line of text. Escape a leading dot, which would start a macro. */
static void print_line(const char *line, size_t len)
{
	if (len && line[0] == '.')
		fputs("\\&", stdout);
	print_escaped(line, len);
	putchar('\n');
}

static void print_head(const char *name, const char *date, const char *summary)
{
	const char *c;

	printf(".\\\" Printed from the option tables by tools/manual.\n.Dd %s\n.Dt ", date);
	for (c = name; *c; c++)
		putchar(toupper(*c));
	printf(" 1\n.Os\n.Sh NAME\n.Nm ");
	print_line(name, strlen(name));
	printf(".Nd ");
	print_line(summary, strlen(summary));
}

/* Print a text with each sentence on a new line, as mdoc requires. */
static void print_text(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		const char *stop = memmem(text, len, ". ", 2);

		if (stop)
			len = stop + 1 - text;
		print_line(text, len);
		text += len + !!text[len];
	}
}

static void print_literal(const char *text)
{
	printf(".Bd -literal -offset indent\n");
	while (*text) {
		size_t len = strcspn(text, "\n");

		print_line(text, len);
		text += len + !!text[len];
	}
	printf(".Ed\n");
}

static void print_option(const struct option_row *row)
{
	printf(".It ");
	if (row->letter)
		printf("Fl %c , ", row->letter);
	printf("Fl \\-");
	print_escaped(row->name, strlen(row->name));
	if (option_is_optional(row))
		printf(" Ns Op = Ns Ar %.*s", (int)strlen(row->arg) - 2, row->arg + 1);
	else if (row->arg)
		printf(" Ar \"%s\"", row->arg);
	putchar('\n');
	print_text(row->help);
}

static void print_options(const struct option_row *row)
{
	printf(".Bl -tag -width Ds\n");
	for (; row->name; row++)
		print_option(row);
	print_option(&help_row);
	printf(".El\n");
}

/* Return the output of @command->more_help(), or NULL if out of memory. */
static char *more_help(const struct command *command)
{
	FILE *terminal = stdout;
	char *text = NULL;
	size_t len;

	stdout = open_memstream(&text, &len);
	if (stdout) {
		command->more_help();
		fclose(stdout);
	}
	stdout = terminal;
	return text;
}

/* Print the tables of @command->more_help(). Each begins with a title and a colon. */
static int print_tables(const struct command *command)
{
	char *text = more_help(command), *title = text, *lines, *end;

	if (!text)
		return -ENOMEM;
	while (title && *(title += strspn(title, "\n"))) {
		lines = strstr(title, ":\n");
		if (!lines)
			break;
		end = strstr(lines, "\n\n");
		if (end)
			*end++ = '\0';
		printf(".Ss %c%.*s\n", toupper(title[0]), (int)(lines - title - 1), title + 1);
		print_literal(lines + 2);
		title = end;
	}
	free(text);
	return 0;
}

/* Print the mdoc file at @path. Most commands have none: a missing file is no error. */
static int print_notes(const char *path)
{
	FILE *file = fopen(path, "r");
	int c;

	if (!file)
		return errno == ENOENT ? 0 : -errno;
	while ((c = getc(file)) != EOF)
		putchar(c);
	return fclose(file) ? -errno : 0;
}

/* Print a file of examples, which are commands with their output. */
static int print_examples(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		return -errno;
	printf(".Sh EXAMPLES\n.Bd -literal\n");
	while (fgets(line, sizeof(line), file))
		print_line(line, strcspn(line, "\n"));
	printf(".Ed\n");
	return fclose(file) ? -errno : 0;
}

static void print_exit_status(void)
{
	printf(".Sh EXIT STATUS\n"
	       "0 on success, 1 if something failed, was omitted or could not be written, 2 if the\n"
	       "command line is wrong.\n"
	       ".Cm diff\nreturns 3 if something grew by more than\n.Fl \\-fail\\-above .\n"
	       ".Cm record\nand\n.Cm stat\n"
	       "return the status of the command that they ran, or 128 + N if signal N ended it.\n");
}

static int compare_names(const void *a, const void *b)
{
	const struct command *const *one = a, *const *other = b;

	return strcmp((*one)->name, (*other)->name);
}

/* Print references to all other pages, sorted by name. */
static void print_see_also(const struct command *self)
{
	const struct command *sorted[COMMANDS_MAX];
	size_t nr = 0, i;

	while (nr < COMMANDS_MAX && commands[nr]) {
		sorted[nr] = commands[nr];
		nr++;
	}
	qsort(sorted, nr, sizeof(sorted[0]), compare_names);
	printf(".Sh SEE ALSO\n");
	if (self)
		printf(".Xr tprof\\-lx 1 ,\n");
	for (i = 0; i < nr; i++) {
		if (sorted[i] != self)
			printf(".Xr tprof\\-lx\\-%s 1 ,\n", sorted[i]->name);
	}
	printf(".Xr tprof\\-lx 4 ,\n.Xr tprof\\-lx\\-events 7\n");
}

/* Print tprof-lx-COMMAND(1), with the notes and examples in directory @dir. */
int page_of_command(const struct command *command, const char *date, const char *dir)
{
	char name[64], path[PATH_MAX];
	int err;

	snprintf(name, sizeof(name), "tprof-lx-%s", command->name);
	print_head(name, date, command->summary);
	printf(".Sh SYNOPSIS\n.Nm tprof\\-lx\n.Cm %s\n.Op Ar option ...\n", command->name);
	if (*command->operands)
		print_text(command->operands);
	printf(".Sh DESCRIPTION\n");
	print_text(command->text);
	print_options(command->options);
	err = command->more_help ? print_tables(command) : 0;
	snprintf(path, sizeof(path), "%s/%s.notes", dir, command->name);
	err = err ?: print_notes(path);
	print_exit_status();
	snprintf(path, sizeof(path), "%s/%s.examples", dir, command->name);
	err = err ?: print_examples(path);
	print_see_also(command);
	return err;
}

/* Print tprof-lx(1). */
void page_of_all(const char *date)
{
	const struct command *const *command;

	print_head("tprof-lx", date, "a sampling profiler that needs no PMU");
	printf(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar option ...\n.Nm\n.Fl \\-version\n"
	       ".Sh DESCRIPTION\n"
	       "The kernel module of the same name samples where the machine spends its time.\n"
	       "It uses NMIs, which no code can mask, with the processor's counters or without.\n"
	       "The commands record samples, print them, and count events.\n"
	       ".Bl -tag -width control\n");
	for (command = commands; *command; command++) {
		printf(".It Cm %s\n", (*command)->name);
		print_text((*command)->summary);
	}
	printf(".El\n.Sh FILES\n.Bl -tag -width Ds\n"
	       ".It Pa /dev/tprof\\-lx\nthe device of the module\n"
	       ".It Pa tprof.data\nthe output of\n.Cm record ,\nwith the format of perf.data\n.El\n");
	print_exit_status();
	print_see_also(NULL);
}
