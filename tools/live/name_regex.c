// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a regular expression as a graph
 *
 * The syntax is that of regcomp(3) with REG_EXTENDED, which has accepted the pattern before. What
 * a graph cannot express, such as back references and borders of words, is refused.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "live/name_regex.h"

#define NONE	(~0U)

/* Largest number in braces, as in regcomp(3). */
#define MOST_REPEATS	255

/**
 * struct parse - the state of parsing
 * @graph:	the graph so far
 * @at:		the rest of the pattern
 * @depth:	number of open parentheses
 * @err:	first error, or 0
 */
struct parse {
	struct regex_graph *graph;
	const char *at;
	u32	depth;
	int	err;
};

/* A part of the graph; the edges of its last node are set when something follows. */
struct part {
	u32	first;
	u32	last;
};

static struct part parse_choice(struct parse *parse);

static u32 add_node(struct parse *parse, enum regex_edge edge)
{
	struct regex_graph *graph = parse->graph;

	if (graph->nr == REGEX_NODES) {
		parse->err = parse->err ?: -E2BIG;
		return 0;
	}
	graph->nodes[graph->nr] = (struct regex_node){ .edge = edge, .next = { NONE, NONE } };
	return graph->nr++;
}

/* Let the node @from lead to @to, beside where it leads already. */
static void lead(struct parse *parse, u32 from, u32 to)
{
	struct regex_node *node = &parse->graph->nodes[from];

	node->next[node->next[0] != NONE] = to;
}

static struct part add_edge(struct parse *parse, enum regex_edge edge)
{
	struct part part = { add_node(parse, edge), add_node(parse, EDGE_NOTHING) };

	lead(parse, part.first, part.last);
	return part;
}

static void add_byte(struct regex_node *node, u8 byte)
{
	node->bytes[byte / 64] |= 1ULL << byte % 64;
}

static struct part add_bytes(struct parse *parse, bool (*has)(u8 byte))
{
	struct part part = add_edge(parse, EDGE_BYTE);
	u32 byte;

	for (byte = 1; byte < 256; byte++) {
		if (has(byte))
			add_byte(&parse->graph->nodes[part.first], byte);
	}
	return part;
}

static struct part add_literal(struct parse *parse, u8 byte)
{
	struct part part = add_edge(parse, EDGE_BYTE);

	add_byte(&parse->graph->nodes[part.first], byte);
	return part;
}

static bool is_any(u8 byte)
{
	return byte;
}

static bool is_word(u8 byte)
{
	return isalnum(byte) || byte == '_';
}

static bool is_no_word(u8 byte)
{
	return !is_word(byte);
}

static bool is_space(u8 byte)
{
	return isspace(byte);
}

static bool is_no_space(u8 byte)
{
	return !isspace(byte);
}

static struct part parse_escape(struct parse *parse)
{
	char c = *parse->at++;

	switch (c) {
	case 'w':
		return add_bytes(parse, is_word);
	case 'W':
		return add_bytes(parse, is_no_word);
	case 's':
		return add_bytes(parse, is_space);
	case 'S':
		return add_bytes(parse, is_no_space);
	case '\0':
		parse->at--;
		break;
	default:
		if (!strchr("bB<>`'123456789", c))
			return add_literal(parse, c);
	}
	parse->err = parse->err ?: -EINVAL;
	return add_edge(parse, EDGE_NOTHING);
}

/* Add a class such as [:alpha:], of which "[:" was read. */
static void add_class(struct parse *parse, struct regex_node *node)
{
	static const struct {
		const char *name;
		int	(*has)(int byte);
	} classes[] = {
		{ "alnum:]", isalnum }, { "alpha:]", isalpha }, { "blank:]", isblank },
		{ "cntrl:]", iscntrl }, { "digit:]", isdigit }, { "graph:]", isgraph },
		{ "lower:]", islower }, { "print:]", isprint }, { "punct:]", ispunct },
		{ "space:]", isspace }, { "upper:]", isupper }, { "xdigit:]", isxdigit },
	};
	u32 i, byte;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		if (strncmp(parse->at, classes[i].name, strlen(classes[i].name)))
			continue;
		parse->at += strlen(classes[i].name);
		for (byte = 1; byte < 256; byte++) {
			if (classes[i].has(byte))
				add_byte(node, byte);
		}
		return;
	}
	parse->err = parse->err ?: -EINVAL;
}

/* Add a byte, a range or a class of a list in brackets. */
static void add_item(struct parse *parse, struct regex_node *node)
{
	u8 low = *parse->at++, high = low;
	u32 byte;

	if (low == '[' && *parse->at == ':') {
		parse->at++;
		add_class(parse, node);
		return;
	}
	if (parse->at[0] == '-' && parse->at[1] != ']') {
		high = parse->at[1];
		parse->at += 2;
	}
	/* [.x.] and [=x=] name characters of a language. */
	if (!high || (low == '[' && strchr(".=", *parse->at)) ||
	    (high == '[' && strchr(".=:", *parse->at)))
		parse->err = parse->err ?: -EINVAL;
	for (byte = low; byte <= high && !parse->err; byte++)
		add_byte(node, byte);
}

static struct part parse_brackets(struct parse *parse)
{
	struct part part = add_edge(parse, EDGE_BYTE);
	struct regex_node *node = &parse->graph->nodes[part.first];
	bool is_negated = *parse->at == '^';
	u32 i;

	parse->at += is_negated;
	do {
		if (!*parse->at)
			parse->err = parse->err ?: -EINVAL;
		else
			add_item(parse, node);
	} while (!parse->err && *parse->at != ']');
	parse->at += !parse->err;
	for (i = 0; i < ARRAY_SIZE(node->bytes) && is_negated; i++)
		node->bytes[i] = ~node->bytes[i];
	node->bytes[0] &= ~1ULL;
	return part;
}

static struct part parse_group(struct parse *parse)
{
	struct part part;

	parse->depth++;
	part = parse_choice(parse);
	parse->depth--;
	if (*parse->at == ')')
		parse->at++;
	else
		parse->err = parse->err ?: -EINVAL;
	return part;
}

static struct part parse_atom(struct parse *parse)
{
	char c = *parse->at++;

	switch (c) {
	case '(':
		return parse_group(parse);
	case '[':
		return parse_brackets(parse);
	case '.':
		return add_bytes(parse, is_any);
	case '^':
		return add_edge(parse, EDGE_BEGIN);
	case '$':
		return add_edge(parse, EDGE_END);
	case '\\':
		return parse_escape(parse);
	case '*':
	case '+':
	case '?':
	case '{':
		parse->err = parse->err ?: -EINVAL;
		break;
	}
	return add_literal(parse, c);
}

static struct part join(struct parse *parse, struct part a, struct part b)
{
	lead(parse, a.last, b.first);
	return (struct part){ a.first, b.last };
}

/* Let a part be passed by or, with @again, repeated, or both. */
static struct part repeat(struct parse *parse, struct part part, bool may_pass, bool again)
{
	struct part all = { add_node(parse, EDGE_NOTHING), add_node(parse, EDGE_NOTHING) };

	lead(parse, all.first, part.first);
	if (may_pass)
		lead(parse, all.first, all.last);
	if (again)
		lead(parse, part.last, all.first);
	lead(parse, part.last, all.last);
	return all;
}

static u32 parse_number(struct parse *parse, u32 missing)
{
	u32 number = 0;

	if (!isdigit((u8)*parse->at))
		return missing;
	while (isdigit((u8)*parse->at) && number <= MOST_REPEATS)
		number = 10 * number + *parse->at++ - '0';
	return number;
}

/* Read "M}", "M,}", ",N}" or "M,N}". The largest number is NONE if there is no limit. */
static void parse_braces(struct parse *parse, u32 *least, u32 *most)
{
	*least = parse_number(parse, 0);
	*most = *least;
	if (*parse->at == ',') {
		parse->at++;
		*most = parse_number(parse, NONE);
	}
	if (*parse->at == '}')
		parse->at++;
	else
		parse->err = parse->err ?: -EINVAL;
	if (*least > MOST_REPEATS || *least > *most || (*most > MOST_REPEATS && *most != NONE))
		parse->err = parse->err ?: -EINVAL;
}

/* Parse the part of the pattern from @text to @end once more, for another copy of it. */
static struct part parse_copy(struct parse *parse, const char *text, const char *end)
{
	const char *at = parse->at;
	struct part part;

	parse->at = text;
	part = parse_atom(parse);
	if (parse->at != end)
		parse->err = parse->err ?: -EINVAL;
	parse->at = at;
	return part;
}

/* Repeat the atom from @text to @end, of which @part is the first copy. */
static struct part parse_repeats(struct parse *parse, struct part part, const char *text,
				 const char *end)
{
	struct part all = add_edge(parse, EDGE_NOTHING);
	u32 i, least, most;

	parse_braces(parse, &least, &most);
	for (i = 0; i < least && !parse->err; i++)
		all = join(parse, all, i ? parse_copy(parse, text, end) : part);
	if (most == NONE)
		return join(parse, all, repeat(parse, least ? parse_copy(parse, text, end) : part,
					       true, true));
	for (; i < most && !parse->err; i++)
		all = join(parse, all,
			   repeat(parse, i ? parse_copy(parse, text, end) : part, true, false));
	return all;
}

/* Parse an atom and what repeats it. Braces after another repetition would repeat that. */
static struct part parse_repeated(struct parse *parse)
{
	const char *text = parse->at;
	struct part part = parse_atom(parse);
	const char *end = parse->at;
	bool is_repeated = false;

	for (; !parse->err && *parse->at && strchr("*+?{", *parse->at); is_repeated = true) {
		char c = *parse->at++;

		if (strchr("^$", *text) || (c == '{' && is_repeated))
			parse->err = -EINVAL;
		else if (c == '{')
			part = parse_repeats(parse, part, text, end);
		else
			part = repeat(parse, part, c != '+', c != '?');
	}
	return part;
}

static struct part parse_sequence(struct parse *parse)
{
	struct part all = add_edge(parse, EDGE_NOTHING);

	while (!parse->err && *parse->at && *parse->at != '|' &&
	       !(*parse->at == ')' && parse->depth))
		all = join(parse, all, parse_repeated(parse));
	return all;
}

static struct part parse_choice(struct parse *parse)
{
	struct part all = parse_sequence(parse), both, other;

	while (!parse->err && *parse->at == '|') {
		parse->at++;
		other = parse_sequence(parse);
		both.first = add_node(parse, EDGE_NOTHING);
		both.last = add_node(parse, EDGE_NOTHING);
		lead(parse, both.first, all.first);
		lead(parse, both.first, other.first);
		lead(parse, all.last, both.last);
		lead(parse, other.last, both.last);
		all = both;
	}
	return all;
}

/*
 * Make the graph of @pattern. Return 0; -EINVAL if no graph can express it; -E2BIG if it needs
 * more nodes than there are.
 */
int regex_graph_make(struct regex_graph *graph, const char *pattern)
{
	struct parse parse = { .graph = graph, .at = pattern };
	struct part all;

	graph->nr = 0;
	all = parse_choice(&parse);
	graph->first = all.first;
	graph->last = all.last;
	return parse.err ?: *parse.at ? -EINVAL : 0;
}
