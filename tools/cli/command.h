/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - commands and their options, as tables
 *
 * The parser, the help text, the manual page and the completions all use the same row
 * for an option, so they cannot differ.
 */
#ifndef TPROF_COMMAND_H
#define TPROF_COMMAND_H

#include "base/types.h"

/**
 * struct option_type - the type of an option's value
 * @what:	end of the message "'x' is not ..."; NULL if the option takes no value
 * @set:	parses @value and stores it in @field; returns 0 or -errno. @value is
 *		NULL if no value was given. @set is NULL for option_choice.
 */
struct option_type {
	const char *what;
	int (*set)(void *field, const char *value);
};

/* Default of an option whose number may be 0: the user did not give the option. */
#define NOT_GIVEN	(~0ULL)

extern const struct option_type option_flag;
/*
 * Type of options that exclude each other and share a field. The option that is given
 * sets the field to @choice of its row.
 */
extern const struct option_type option_choice;
extern const struct option_type option_quieter;
extern const struct option_type option_louder;
extern const struct option_type option_text;
extern const struct option_type option_number;
extern const struct option_type option_size;
extern const struct option_type option_milliseconds;
extern const struct option_type option_seconds;
extern const struct option_type option_duration;
extern const struct option_type option_percent;
extern const struct option_type option_cpus;
extern const struct option_type option_pids;

/**
 * struct option_row - one option of a command
 * @letter:	short form, or 0
 * @name:	long form, without the dashes; NULL ends a table
 * @arg:	name of the value in the help text, in brackets if the value is optional;
 *		NULL if the option takes no value
 * @type:	type of the value
 * @offset:	offset of the field in the command's options
 * @help:	one line for the help text and the manual
 * @choice:	for option_choice: value to set the field to
 */
struct option_row {
	char	letter;
	const char *name;
	const char *arg;
	const struct option_type *type;
	size_t	offset;
	const char *help;
	const void *choice;
};

/*
 * A row that stores its value in @member of struct @values. The last arguments are the
 * help text and optional initialisers of other members of the row.
 */
#define OPTION_ROW(values, short_name, long_name, value, kind, member, ...)              \
	{ .letter = short_name, .name = long_name, .arg = value, .type = &(kind),       \
	  .offset = offsetof(values, member), .help = __VA_ARGS__ }

/*
 * Return true if the value of the option is optional. Such a value follows the option
 * without a space, as in -z3 or --compression-level=3.
 */
static inline bool option_is_optional(const struct option_row *row)
{
	return row->arg && *row->arg == '[';
}

/**
 * struct command - one command
 * @name:	its name
 * @summary:	one line for the list of commands
 * @operands:	operands in the usage line
 * @is_mixed:	options may follow operands
 * @text:	a paragraph below the usage line, or NULL
 * @more_help:	prints more help text after the options, or NULL
 * @options:	its options, except --help, which every command has
 * @run:	runs the command; @self is this struct; returns the exit status
 */
struct command {
	const char *name;
	const char *summary;
	const char *operands;
	bool	is_mixed;
	const char *text;
	void	(*more_help)(void);
	const struct option_row *options;
	int (*run)(const struct command *self, int argc, char **argv);
};

extern const struct command record_command;
extern const struct command stat_command;
extern const struct command top_command;
extern const struct command report_command;
extern const struct command annotate_command;
extern const struct command diff_command;
extern const struct command merge_command;
extern const struct command filter_command;
extern const struct command export_command;
extern const struct command html_command;
extern const struct command push_command;
extern const struct command script_command;
extern const struct command list_command;
extern const struct command tables_command;
extern const struct command info_command;
extern const struct command control_command;
extern const struct command doctor_command;

/* The row of --help, which is in no command's table. */
extern const struct option_row help_row;

/* All commands, in the order of the help text. NULL ends the array. */
extern const struct command *const commands[];

int options_parse(const struct command *command, void *values, int argc, char **argv);
int no_operands(int argc, char **argv, int operand);

#endif /* TPROF_COMMAND_H */
