// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - print call trees as text in perf's layout
 */
#include "base/printable.h"
#include "cli/tree_text.h"
#include "profile/cells.h"

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

/**
 * struct drawing - a tree being printed
 * @out:	output file
 * @total:	period of the whole profile
 * @least:	do not print branches with a smaller period
 */
struct drawing {
	FILE	*out;
	u64	total;
	double	least;
};

static void print_left(const struct drawing *drawing, const struct level *level)
{
	if (!level)
		return;
	print_left(drawing, level->left);
	fprintf(drawing->out, "%-*s", level->width, level->bar ? "|" : "");
}

static const char *name_of(const struct call_node *node, char *buf, size_t len)
{
	return printable(symbol_key_text(node->key, buf, len));
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
	char buf[COLUMN_TEXT_LEN];

	while (node->first && !node->first->next && node->first->period == node->period) {
		node = node->first;
		print_left(drawing, level);
		fprintf(drawing->out, "%s\n", name_of(node, buf, sizeof(buf)));
	}
	return node;
}

static void print_branches(const struct drawing *drawing, const struct call_node *parent,
			   const struct level *left)
{
	const struct call_node *node = next_shown(drawing, parent->first), *next;
	char buf[COLUMN_TEXT_LEN];
	struct level level = { .left = left, .width = BRANCH_WIDTH };

	for (; node; node = next) {
		next = next_shown(drawing, node->next);
		print_left(drawing, left);
		fputs("|\n", drawing->out);
		print_left(drawing, left);
		fprintf(drawing->out, "%s--%2.2f%%--%s\n", next ? "|" : " ",
			profile_share(node->period, drawing->total),
			name_of(node, buf, sizeof(buf)));
		level.bar = next;
		print_branches(drawing, print_trunk(drawing, node, &level), &level);
	}
}

/*
 * Print the call tree of an entry. @own is the period of the entry, @total the period of
 * the whole profile. Do not print branches below @limit percent of @total.
 */
void tree_text_print(FILE *out, const struct call_node *root, u64 own, u64 total, double limit)
{
	struct drawing drawing = { .out = out, .total = total, .least = limit / 100 * total };
	const struct level margin = { .width = MARGIN };
	const struct level trunk = { .left = &margin, .width = TRUNK_WIDTH };
	const struct call_node *first = next_shown(&drawing, root->first);
	char buf[COLUMN_TEXT_LEN];

	if (!first)
		return;
	if (next_shown(&drawing, first->next) || first->period != own) {
		print_branches(&drawing, root, &margin);
	} else {
		print_left(&drawing, &margin);
		fputs("|\n", out);
		print_left(&drawing, &margin);
		fprintf(out, "---%s\n", name_of(first, buf, sizeof(buf)));
		print_branches(&drawing, print_trunk(&drawing, first, &trunk), &trunk);
	}
	putc('\n', out);
}
