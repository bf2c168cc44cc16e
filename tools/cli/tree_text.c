// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print call trees as text in perf's layout
 */
#include "base/printable.h"
#include "cli/tree_text.h"
#include "profile/cells.h"
#include "view/short_name.h"

#define MARGIN		12
/* Lengths of "|--75.00%--" and "---". */
#define BRANCH_WIDTH	11
#define TRUNK_WIDTH	3

/**
 * struct level - one level of indentation
 * @left:	the level to the left, or NULL
 * @bar:	print "|", because the branch continues below
 * @width:	width in characters
 */
struct level {
	const struct level *left;
	bool	bar;
	int	width;
};

/* The least number of columns that a name is shortened to. */
#define NAME_LEAST	16

/**
 * struct drawing - a tree being printed
 * @text:	how to print it
 * @out:	output file
 * @least:	do not print branches with a smaller period
 */
struct drawing {
	const struct tree_text *text;
	FILE	*out;
	double	least;
};

static void print_left(const struct drawing *drawing, const struct level *level)
{
	if (!level)
		return;
	print_left(drawing, level->left);
	fprintf(drawing->out, "%-*s", level->width, level->bar ? "|" : "");
}

/* End a line, which has @used columns, by the name of a node. */
static void put_name(const struct drawing *drawing, const struct call_node *node, int used)
{
	int columns = drawing->text->columns, left = columns - used;
	char buf[COLUMN_TEXT_LEN], shortened[SHORT_NAME_LEN];
	const char *name = printable(symbol_key_text(node->key, buf, sizeof(buf)));

	if (columns)
		name = short_name(name, left > NAME_LEAST ? left : NAME_LEAST, shortened);
	fprintf(drawing->out, "%s\n", name);
}

/* Return the columns of what print_left() prints. */
static int width_of(const struct level *level)
{
	int width = 0;

	for (; level; level = level->left)
		width += level->width;
	return width;
}

static const struct call_node *next_shown(const struct drawing *drawing,
					  const struct call_node *node)
{
	while (node && node->period < drawing->least)
		node = node->next;
	return node;
}

/*
 * While a node has a single child with the same period, print the child below the node
 * without a branch. Return the last node printed.
 */
static const struct call_node *print_trunk(const struct drawing *drawing,
					   const struct call_node *node,
					   const struct level *level)
{
	while (node->first && !node->first->next && node->first->period == node->period) {
		node = node->first;
		print_left(drawing, level);
		put_name(drawing, node, width_of(level));
	}
	return node;
}

static void print_branches(const struct drawing *drawing, const struct call_node *parent,
			   const struct level *left)
{
	const struct call_node *node = next_shown(drawing, parent->first), *next;
	struct level level = { .left = left, .width = BRANCH_WIDTH };
	int used;

	for (; node; node = next) {
		next = next_shown(drawing, node->next);
		print_left(drawing, left);
		fputs("|\n", drawing->out);
		print_left(drawing, left);
		used = fprintf(drawing->out, "%s--%2.2f%%--", next ? "|" : " ",
			       profile_share(node->period, drawing->text->total));
		put_name(drawing, node, used + width_of(left));
		level.bar = next;
		print_branches(drawing, print_trunk(drawing, node, &level), &level);
	}
}

/* Print the call tree of an entry, which has the period @own. */
void tree_text_print(const struct tree_text *text, const struct call_node *root, u64 own)
{
	struct drawing drawing = { .text = text, .out = text->out,
				   .least = text->limit / 100 * text->total };
	const struct level margin = { .width = MARGIN };
	const struct level trunk = { .left = &margin, .width = TRUNK_WIDTH };
	const struct call_node *first = next_shown(&drawing, root->first);

	if (!first)
		return;
	if (next_shown(&drawing, first->next) || first->period != own) {
		print_branches(&drawing, root, &margin);
	} else {
		print_left(&drawing, &margin);
		fputs("|\n", text->out);
		print_left(&drawing, &margin);
		fputs("---", text->out);
		put_name(&drawing, first, width_of(&trunk));
		print_branches(&drawing, print_trunk(&drawing, first, &trunk), &trunk);
	}
	putc('\n', text->out);
}
