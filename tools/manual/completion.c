// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print the tables for the shells' completions from the option tables
 *
 * completion.bash, completion.zsh and completion.fish hold the code. The build replaces
 * their line @TABLES@ by the tables.
 *
 * The kind of a value is its name in the help text. Shells complete FILE and DIR to
 * paths, and EVENT to names from `tprof-lx list`.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "manual/manual.h"

static bool takes(const struct option_row *row, const char *what)
{
	return row->arg && !strcmp(row->arg, what);
}

/* Call @print with each option of @command, and with --help. */
static void each_option(const struct command *command,
			void (*print)(const struct command *command, const struct option_row *row))
{
	const struct option_row *row;

	for (row = command->options; row->name; row++)
		print(command, row);
	print(command, &help_row);
}

/*
 * Print @text escaped for single quotes, with a backslash before each character that
 * is in @special.
 */
static void print_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			printf(strchr(special, *text) ? "\\%c" : "%c", *text);
	}
}

/*
 * Return the kind of a command's operands: COMMAND, EVENT, FILE, or "" for other operands.
 */
static const char *operands_of(const struct command *command)
{
	return strstr(command->operands, "command") ? "COMMAND" :
	       strstr(command->operands, "GLOB")    ? "EVENT" :
	       strstr(command->operands, "OLD") ||
	       strstr(command->operands, "FILE")    ? "FILE" :
						      "";
}

/*
 * Print the kind of a command's operands. If it is "", print the words to choose
 * from: "disable enable" for "[disable|enable COUNTER ...]" or "{disable|enable}".
 */
static void print_operands(const struct command *command)
{
	const char *operands = operands_of(command), *c;

	printf("%s", operands);
	if (*operands || !strchr(command->operands, '|'))
		return;
	for (c = command->operands + 1; *c && !strchr(" }", *c); c++)
		putchar(*c == '|' ? ' ' : *c);
}

static void print_bash_names(const struct command *command, const struct option_row *row)
{
	(void)command;
	if (row->letter)
		printf("-%c ", row->letter);
	printf("--%s ", row->name);
}

/* Return true if the option takes a value that is a word of its own. */
static bool takes_word(const struct option_row *row)
{
	return row->arg && !option_is_optional(row);
}

/*
 * Print array entries that map an option's short and long form to the kind of its
 * value. Print none if the option takes no value, or an optional one.
 */
static void print_bash_value(const struct command *command, const struct option_row *row)
{
	if (!takes_word(row))
		return;
	if (row->letter)
		printf("\t['%s -%c']='%s'\n", command->name, row->letter, row->arg);
	printf("\t['%s --%s']='%s'\n", command->name, row->name, row->arg);
}

/*
 * Print arrays: options, kinds of their values, kinds of operands, and the commands whose
 * options may follow operands.
 */
void complete_bash(void)
{
	const struct command *const *command;

	printf("declare -gA _tprof_lx_options=(\n");
	for (command = commands; *command; command++) {
		printf("\t[%s]='", (*command)->name);
		each_option(*command, print_bash_names);
		printf("'\n");
	}
	printf(")\ndeclare -gA _tprof_lx_values=(\n");
	for (command = commands; *command; command++)
		each_option(*command, print_bash_value);
	printf(")\ndeclare -gA _tprof_lx_operands=(\n");
	for (command = commands; *command; command++) {
		printf("\t[%s]='", (*command)->name);
		print_operands(*command);
		printf("'\n");
	}
	printf(")\ndeclare -gA _tprof_lx_mixed=(\n");
	for (command = commands; *command; command++) {
		if ((*command)->is_mixed)
			printf("\t[%s]=yes\n", (*command)->name);
	}
	printf(")\n");
}

/*
 * Print an option as an argument of zsh's function _arguments, such as
 * '(-o --output)'{-o+,--output=}'[help]:FILE:_files'.
 */
static void print_zsh_option(const struct command *command, const struct option_row *row)
{
	/* -e may be repeated: after its first use, offer it again. */
	bool again = takes(row, "EVENT");
	const char *equals = !row->arg ? "" : takes_word(row) ? "=" : "=-";
	const char *plus = !row->arg ? "" : takes_word(row) ? "+" : "-";

	(void)command;
	printf(" \\\n\t\t");
	if (row->letter && again)
		printf("'*'{-%c%s,--%s%s}", row->letter, plus, row->name, equals);
	else if (row->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter, plus,
		       row->name, equals);
	else
		printf("--%s%s", row->name, equals);
	printf("'[");
	print_quoted(row->help, "[]\\");
	printf("]");
	if (row->arg) {
		printf("%s", takes_word(row) ? ":" : "::");
		print_quoted(row->arg, ":\\");
		printf(":%s", takes(row, "FILE") ? "_files" : takes(row, "DIR") ? "_files -/" :
		       again ? "_tprof_lx_events" : "");
	}
	putchar('\'');
}

/* With *::, the words of _tprof_lx_operand() begin with the first operand. */
static void print_zsh_operands(const struct command *command)
{
	printf(" \\\n\t\t'");
	if (command->is_mixed && !*operands_of(command)) {
		printf("1:operand:(");
		print_operands(command);
		printf(")");
	} else {
		printf("%soperand: _tprof_lx_operand %s", command->is_mixed ? "*:" : "*::",
		       command->name);
	}
	printf("'\n}\n");
}

/* Print arrays of commands and operands, and a function per command for its options. */
void complete_zsh(void)
{
	const struct command *const *command;

	printf("_tprof_lx_commands=(\n");
	for (command = commands; *command; command++) {
		printf("\t'%s:", (*command)->name);
		print_quoted((*command)->summary, "\\");
		printf("'\n");
	}
	printf(")\n_tprof_lx_operands=(\n");
	for (command = commands; *command; command++) {
		printf("\t%s '", (*command)->name);
		print_operands(*command);
		printf("'\n");
	}
	printf(")\n");
	for (command = commands; *command; command++) {
		printf("\n_tprof_lx_options_%s()\n{\n\t_arguments -s -S%s", (*command)->name,
		       (*command)->is_mixed ? "" : " -A '-*'");
		each_option(*command, print_zsh_option);
		print_zsh_operands(*command);
	}
}

/* If an option takes a value, print its short and long form. */
static void print_fish_value(const struct command *command, const struct option_row *row)
{
	(void)command;
	if (takes_word(row) && row->letter)
		printf(" -%c", row->letter);
	if (takes_word(row))
		printf(" --%s", row->name);
}

static void print_fish_option(const struct command *command, const struct option_row *row)
{
	if (command->is_mixed)
		printf("complete -c tprof-lx -n '__tprof_lx_runs %s' -l %s", command->name,
		       row->name);
	else
		printf("complete -c tprof-lx -n '__tprof_lx_takes_option %s $__tprof_lx_values_%s' -l %s",
		       command->name, command->name, row->name);
	if (row->letter)
		printf(" -s %c", row->letter);
	if (takes(row, "EVENT"))
		printf(" -x -a '(__tprof_lx_events)'");
	else if (takes(row, "DIR"))
		printf(" -x -a '(__fish_complete_directories)'");
	else if (takes(row, "FILE"))
		printf(" -r -F");
	else if (takes_word(row))
		printf(" -x");
	printf(" -d '");
	print_quoted(row->help, "\\");
	printf("'\n");
}

static void print_fish_operands(const struct command *command)
{
	const char *operands = operands_of(command);

	if (!*command->operands)
		return;
	printf("complete -c tprof-lx -n '__tprof_lx_runs %s", command->name);
	if (!*operands) {
		printf("; and not __fish_seen_subcommand_from ");
		print_operands(command);
	}
	printf("' -a '");
	if (!strcmp(operands, "COMMAND"))
		printf("(__fish_complete_subcommand --fcs-skip=2 $__tprof_lx_values_%s)",
		       command->name);
	else if (!strcmp(operands, "EVENT"))
		printf("(__tprof_lx_events)");
	else if (strcmp(operands, "FILE"))
		print_operands(command);
	printf("'%s\n", strcmp(operands, "FILE") ? "" : " -F");
}

/*
 * Print the completions for fish, as calls of its builtin "complete". For each command,
 * also print a variable with the options whose value is the next word.
 */
void complete_fish(void)
{
	const struct command *const *command;

	for (command = commands; *command; command++) {
		printf("\nset -g __tprof_lx_values_%s", (*command)->name);
		each_option(*command, print_fish_value);
		printf("\ncomplete -c tprof-lx -n '__fish_use_subcommand; or __tprof_lx_runs help' -a %s -d '",
		       (*command)->name);
		print_quoted((*command)->summary, "\\");
		printf("'\n");
		each_option(*command, print_fish_option);
		print_fish_operands(*command);
	}
}
