// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - parse a command's options and print their help, both from its table
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/streams.h"

#define OPTIONS_MAX	48
/*
 * For the long form of row n, getopt_long() returns NO_LETTER + n, which is above
 * all letters.
 */
#define NO_LETTER	256

static int set_flag(void *field, const char *value)
{
	(void)value;
	*(bool *)field = true;
	return 0;
}

static int set_quieter(void *field, const char *value)
{
	(void)field;
	(void)value;
	verbosity = -1;
	return 0;
}

static int set_louder(void *field, const char *value)
{
	(void)field;
	(void)value;
	verbosity = 1;
	return 0;
}

static int set_text(void *field, const char *value)
{
	*(const char **)field = value;
	return 0;
}

static int set_number(void *field, const char *value)
{
	return parse_u64(value, field);
}

static int set_size(void *field, const char *value)
{
	return parse_size(value, field);
}

static int set_milliseconds(void *field, const char *value)
{
	u64 ms;
	int err = parse_u64(value, &ms);

	if (err)
		return err;
	if (ms > ~0ULL / NSEC_PER_MSEC / 1000)
		return -ERANGE;
	*(u64 *)field = ms * NSEC_PER_MSEC;
	return 0;
}

static int set_seconds(void *field, const char *value)
{
	return parse_seconds(value, field);
}

static int set_duration(void *field, const char *value)
{
	return parse_duration(value, field);
}

static int set_percent(void *field, const char *value)
{
	char *end;
	double percent = strtod(value, &end);

	if (end == value || *end)
		return -EINVAL;
	if (!(percent >= 0 && percent <= 100))
		return -ERANGE;
	*(double *)field = percent;
	return 0;
}

static int set_cpus(void *field, const char *value)
{
	return parse_cpu_list(value, field);
}

static int set_pids(void *field, const char *value)
{
	return parse_pid_list(value, field);
}

const struct option_type option_flag = { NULL, set_flag };
const struct option_type option_choice = { NULL, NULL };
const struct option_type option_quieter = { NULL, set_quieter };
const struct option_type option_louder = { NULL, set_louder };
const struct option_type option_text = { "a text", set_text };
const struct option_type option_number = { "a number", set_number };
const struct option_type option_size = { "a size, such as 65536, 64K or 2M", set_size };
const struct option_type option_milliseconds = { "a time in whole milliseconds",
						 set_milliseconds };
const struct option_type option_seconds = { "a time in seconds, such as 10 or 0.5", set_seconds };
const struct option_type option_duration = { "a time such as 500us, 100ms or 2s", set_duration };
const struct option_type option_percent = { "a share in percent, such as 0.5", set_percent };
const struct option_type option_cpus = { "a list of CPUs, such as 0-3,8", set_cpus };
const struct option_type option_pids = { "a list of process ids, such as 812,900", set_pids };

const struct option_row help_row = {
	.letter = 'h', .name = "help", .help = "print a help text and exit"
};

static void print_row(const struct option_row *row)
{
	const char *arg = row->arg ?: "", *before = *arg ? " " : "";
	char left[64];

	if (option_is_optional(row)) {
		before = "[=";
		arg++;
	}
	snprintf(left, sizeof(left), "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
		 row->letter ?: ' ', row->letter ? "," : " ", row->name, before, arg);
	/* If the left column is too narrow for the option, print the help below it. */
	if (strlen(left) > 24)
		printf("  %s\n  %-24s %s\n", left, "", row->help);
	else
		printf("  %-24s %s\n", left, row->help);
}

static void print_help(const struct command *command)
{
	const struct option_row *row;

	printf("tprof-lx %s - %s\n\nusage: tprof-lx %s [options]%s%s\n", command->name,
	       command->summary, command->name, *command->operands ? " " : "", command->operands);
	if (command->text)
		printf("\n%s", command->text);
	printf("\noptions:\n");
	for (row = command->options; row->name; row++)
		print_row(row);
	print_row(&help_row);
	if (command->more_help)
		command->more_help();
}

/**
 * struct getopt_tables - the arguments of getopt_long(), made from the option table
 * @letters:	"+:" (stop at the first operand, return ':' for a missing value),
 *		then the short forms
 * @longs:	the long forms; val is NO_LETTER + the index of the row, but 'h' for
 *		--help
 */
struct getopt_tables {
	char		letters[2 + 3 * OPTIONS_MAX + 2];
	struct option	longs[OPTIONS_MAX + 2];
};

static int has_value(const struct option_row *row)
{
	if (!row->arg)
		return no_argument;
	return option_is_optional(row) ? optional_argument : required_argument;
}

static void build_tables(const struct command *command, struct getopt_tables *tables)
{
	const struct option_row *row = command->options;
	char *letter = tables->letters;
	size_t i;

	*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	for (i = 0; i < OPTIONS_MAX && row[i].name; i++) {
		if (row[i].letter)
			*letter++ = row[i].letter;
		if (row[i].letter && row[i].arg)
			*letter++ = ':';
		if (row[i].letter && option_is_optional(&row[i]))
			*letter++ = ':';
		tables->longs[i] = (struct option){ .name = row[i].name,
						    .has_arg = has_value(&row[i]),
						    .val = NO_LETTER + i };
	}
	*letter = '\0';
	tables->longs[i] = (struct option){ .name = "help", .val = 'h' };
	tables->longs[i + 1] = (struct option){ 0 };
}

/* Find the row of @value, which getopt_long() returned. */
static const struct option_row *find_row(const struct command *command, int value)
{
	const struct option_row *row = command->options;

	if (value >= NO_LETTER)
		return row + value - NO_LETTER;
	while (row->letter != value)
		row++;
	return row;
}

static void unknown_option(const struct command *command, const char *text)
{
	const struct option_row *row;
	struct suggestion search = { 0 };
	const char *best;
	char word[64];

	snprintf(word, sizeof(word), "%s", text[0] == '-' && text[1] == '-' ? text + 2 : "");
	word[strcspn(word, "=")] = '\0';
	search.word = word;
	for (row = command->options; row->name; row++)
		suggest_try(&search, row->name);
	suggest_try(&search, "help");
	best = suggest_best(&search);
	if (best)
		say_usage("%s: there is no option '%s'; did you mean --%s?", command->name, text,
			  best);
	else
		say_usage("%s: there is no option '%s'; see tprof-lx %s --help", command->name,
			  text, command->name);
}

static int set_choice(const struct command *command, const struct option_row *row,
		      const void **field)
{
	const struct option_row *other = command->options;

	if (!*field || *field == row->choice) {
		*field = row->choice;
		return 0;
	}
	while (other->choice != *field)
		other++;
	say_usage("%s: --%s and --%s exclude each other; give one of them", command->name,
		  other->name, row->name);
	return -EINVAL;
}

static int set_option(const struct command *command, const struct option_row *row, void *values)
{
	void *field = (char *)values + row->offset;
	int err;

	if (row->type == &option_choice)
		return set_choice(command, row, field);
	err = row->type->set(field, optarg);
	if (!err)
		return 0;
	if (err == -ERANGE)
		say_usage("%s: --%s: '%s' is out of range", command->name, row->name, optarg);
	else
		say_usage("%s: --%s: '%s' is not %s", command->name, row->name, optarg,
			  row->type->what);
	return err;
}

/*
 * Report a wrong option. @kind is what getopt_long() returned: ':' for a
 * missing value, '?' for an unknown option or for a value that the option does
 * not take.
 */
static void complain(const struct command *command, int kind, char **argv)
{
	const char *given = argv[optind - 1];
	char letter[3] = { '-', optopt, '\0' };

	if (kind == ':')
		say_usage("%s: %s needs a value", command->name, given);
	else if (optopt == 'h')
		say_usage("%s: --help takes no value", command->name);
	else if (optopt >= NO_LETTER)
		say_usage("%s: --%s takes no value", command->name,
			  find_row(command, optopt)->name);
	else
		unknown_option(command, optopt ? letter : given);
}

/*
 * Parse a command's options into @values, which the caller has set to the defaults.
 * argv[0] is the command's name. Exit if --help or a wrong option was given. Return the
 * index of the first operand.
 */
int options_parse(const struct command *command, void *values, int argc, char **argv)
{
	struct getopt_tables tables;
	int value;

	build_tables(command, &tables);
	optind = 0;
	opterr = 0;
	while ((value = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		if (value == 'h') {
			print_help(command);
			exit(finish_output(STATUS_OK));
		}
		if (value == '?' || value == ':') {
			complain(command, value, argv);
			exit(STATUS_USAGE);
		}
		if (set_option(command, find_row(command, value), values))
			exit(STATUS_USAGE);
	}
	return optind;
}

/*
 * Check that there is no operand after the options. Return STATUS_OK, or print a
 * message and return STATUS_USAGE.
 */
int no_operands(int argc, char **argv, int operand)
{
	if (operand == argc)
		return STATUS_OK;
	return say_usage("%s: unexpected operand '%s'; see tprof-lx %s --help",
			 argv[0], argv[operand], argv[0]);
}
