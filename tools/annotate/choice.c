// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - choose the functions to print
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/choice.h"
#include "base/interned.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "cli/say.h"

#define OPERATOR	"operator"

/* Return true if @text is a hexadecimal address, as in "0x1139". */
static bool is_addr(const char *text, u64 *addr)
{
	char *end;

	if (strncmp(text, "0x", 2))
		return false;
	*addr = strtoull(text, &end, 16);
	return end > text + 2 && !*end;
}

static u64 start_of(const struct hot_function *function)
{
	return code_address(function->object, function->symbol);
}

static bool begins_at(const struct hot_function *function, const char *symbol)
{
	u64 addr;

	return is_addr(symbol, &addr) && addr == start_of(function);
}

static bool has_addr(const struct hot_function *function, const char *symbol)
{
	u64 addr;

	return is_addr(symbol, &addr) &&
	       addr - start_of(function) < function->symbol->end - function->symbol->start;
}

static bool has_name(const struct hot_function *function, const char *symbol)
{
	return !strcmp(function->symbol->name, symbol);
}

static bool is_word_char(char character)
{
	return isalnum((unsigned char)character) || character == '_' || character == '$';
}

/* Return true if the last word of @symbol is the keyword of C++ that begins names of operators. */
static bool is_operator(const char *symbol)
{
	size_t len = strlen(symbol), word = strlen(OPERATOR);

	return len >= word && !strcmp(symbol + len - word, OPERATOR) &&
	       (len == word || !is_word_char(symbol[len - word - 1]));
}

/* Return what follows the parentheses that @text begins with, or NULL if they do not end. */
static const char *after_parentheses(const char *text)
{
	u32 depth = 0;

	for (; *text; text++) {
		depth += *text == '(';
		depth -= *text == ')';
		if (!depth)
			return text + 1;
	}
	return NULL;
}

/*
 * Return true if a name is of something in a function, such as a lambda: the name begins with that
 * of the function and its parameters. @rest is the name from these on.
 */
static bool is_inside(const char *rest)
{
	while ((rest = strchr(rest, '('))) {
		rest = after_parentheses(rest);
		if (!rest)
			return false;
		if (begins_with(rest, "::"))
			return true;
	}
	return false;
}

/* Return what follows @symbol in the name of a function, or NULL if the name begins otherwise. */
static const char *rest_of_name(const struct hot_function *function, const char *symbol)
{
	const char *name = function->symbol->name;

	return begins_with(name, symbol) ? name + strlen(symbol) : NULL;
}

static bool has_name_with_parameters(const struct hot_function *function, const char *symbol)
{
	const char *rest = rest_of_name(function, symbol);

	/* The name "operator()" has parentheses that are no parameters. */
	return rest && *rest == '(' && !is_operator(symbol) && !is_inside(rest);
}

static bool is_some_operator(const struct hot_function *function, const char *symbol)
{
	const char *rest = is_operator(symbol) ? rest_of_name(function, symbol) : NULL;

	return rest && *rest && !is_word_char(*rest) && !is_inside(rest);
}

static int say_none(const char *symbol, const struct hot_functions *all)
{
	struct suggestion search = { .word = symbol };
	const char *best;
	size_t i;

	for (i = 0; i < all->nr; i++)
		suggest_try(&search, all->list[i]->symbol->name);
	best = suggest_best(&search);
	if (best)
		return say_error("no samples in function '%s'; did you mean '%s'?",
				 printable(symbol), printable(best));
	return say_error("no samples in function '%s'; tprof-lx report lists the functions",
			 printable(symbol));
}

static int say_several(const char *symbol, const struct hot_function *a,
		       const struct hot_function *b)
{
	if (strcmp(a->symbol->name, b->symbol->name))
		return say_error("several functions '%s', such as '%s' and '%s'; give the whole name",
				 printable(symbol), printable(a->symbol->name),
				 printable(b->symbol->name));
	return say_error("several functions '%s': 0x%llx in %s, 0x%llx in %s; give --dso or an address",
			 printable(symbol), start_of(a), printable(a->object->short_name),
			 start_of(b), printable(b->object->short_name));
}

/* Take the only function for which @is_chosen() is true, if there is any. */
static int take_one(struct choice *choice, const struct hot_functions *all, const char *symbol,
		    bool (*is_chosen)(const struct hot_function *function, const char *symbol))
{
	size_t i;

	for (i = 0; i < all->nr; i++) {
		if (!is_chosen(all->list[i], symbol))
			continue;
		if (choice->nr)
			return say_several(symbol, choice->list[0], all->list[i]);
		choice->list[choice->nr++] = all->list[i];
	}
	return STATUS_OK;
}

/*
 * Take the only function that is chosen by address or name. A function may be inside another one,
 * so that all its addresses are also in that.
 */
static int choose_one(struct choice *choice, const struct annotate_options *opts,
		      const struct hot_functions *all)
{
	static bool (*const ways[])(const struct hot_function *function, const char *symbol) = {
		begins_at, has_addr, has_name, has_name_with_parameters, is_some_operator,
	};
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways) && !status && !choice->nr; i++)
		status = take_one(choice, all, opts->symbol, ways[i]);
	if (status)
		return status;
	if (!choice->nr)
		return say_none(opts->symbol, all);
	if (choice->list[0]->heat >= opts->limit)
		return STATUS_OK;
	return say_error("function '%s' is below --percent-limit", printable(opts->symbol));
}

/*
 * Choose the functions to print. Call choice_free() even if this fails. Return STATUS_OK, or
 * print a message and return STATUS_FAILED.
 */
int choice_make(struct choice *choice, const struct annotate_options *opts,
		const struct hot_functions *all)
{
	size_t i;

	*choice = (struct choice){ .list = calloc(all->nr + 1, sizeof(*choice->list)) };
	if (!choice->list)
		return say_failure(-ENOMEM, opts->input);
	if (opts->symbol)
		return choose_one(choice, opts, all);
	for (i = 0; i < all->nr; i++) {
		if (all->list[i]->heat >= opts->limit)
			choice->list[choice->nr++] = all->list[i];
		else
			choice->nr_left_out++;
	}
	return STATUS_OK;
}

void choice_free(struct choice *choice)
{
	free(choice->list);
}
