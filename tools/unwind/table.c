// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - make, check and search unwind tables
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sorted.h"
#include "unwind/table.h"

static const struct tprof_lx_unwind_rule by_frame_pointer = { .how = TPROF_LX_UNWIND_FP };
static const struct tprof_lx_unwind_rule cut = { .how = TPROF_LX_UNWIND_CUT };

_Static_assert(sizeof(struct tprof_lx_unwind_rule) == sizeof(u64), "a rule is a number for a hash");

/* Set *@index to that of @rule, and add the rule if it is new. */
static int find_rule(struct table_builder *builder, const struct tprof_lx_unwind_rule *rule,
		     u16 *index)
{
	struct unwind_table *table = &builder->table;
	struct tprof_lx_unwind_rule *rules;
	u32 *found;
	u64 number;

	memcpy(&number, rule, sizeof(number));
	found = hash_table_get(&builder->by_rule, number, sizeof(*found));
	if (!found)
		return -ENOMEM;
	if (!*found && table->nr_rules == TPROF_LX_UNWIND_MAX_RULES)
		return -ENOSPC;
	if (!*found) {
		rules = array_grow(table->rules, table->nr_rules, &builder->room_rules,
				   sizeof(*rules));
		if (!rules)
			return -ENOMEM;
		table->rules = rules;
		rules[table->nr_rules++] = *rule;
		*found = table->nr_rules;
	}
	*index = *found - 1;
	return 0;
}

/* Keep the last two indices of rules for the rule of a full table, and for gaps. */
static int find_or_cut(struct table_builder *builder, const struct tprof_lx_unwind_rule *rule,
		       u16 *index)
{
	bool is_special = rule->how == TPROF_LX_UNWIND_FP || rule->how == TPROF_LX_UNWIND_CUT;

	if (is_special || builder->table.nr_rules < TPROF_LX_UNWIND_MAX_RULES - 2)
		return find_rule(builder, rule, index);
	builder->table.losses[UNWIND_RULES]++;
	return find_rule(builder, &cut, index);
}

static int add_row(struct table_builder *builder, u16 low, u16 rule)
{
	struct unwind_table *table = &builder->table;
	struct tprof_lx_unwind_row *rows = array_grow(table->rows, table->nr_rows,
						      &builder->room_rows, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	table->rows = rows;
	rows[table->nr_rows++] = (struct tprof_lx_unwind_row){ low, rule };
	return 0;
}

static int begin_page(struct table_builder *builder)
{
	struct unwind_table *table = &builder->table;
	u32 *pages;

	if (table->nr_pages == TPROF_LX_UNWIND_MAX_PAGES)
		return -EFBIG;
	pages = array_grow(table->pages, table->nr_pages, &builder->room_pages, sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	table->pages = pages;
	pages[table->nr_pages++] = table->nr_rows;
	return 0;
}

/* Begin all pages up to that of @offset. The last row holds in them, up to @offset. */
static int reach(struct table_builder *builder, u64 offset)
{
	u64 page = offset >> UNWIND_PAGE_BITS;
	int err = 0;

	if (!builder->has_page) {
		if (page > UINT32_MAX)
			return -EFBIG;
		builder->has_page = true;
		builder->page = page;
		builder->table.page0 = page;
		return begin_page(builder);
	}
	while (!err && builder->page < page) {
		builder->page++;
		err = begin_page(builder);
		if (!err && builder->page << UNWIND_PAGE_BITS < offset)
			err = add_row(builder, 0, builder->last);
	}
	return err;
}

/*
 * Let @rule hold from @offset on, which is above all earlier offsets. Return 0; -EFBIG if the
 * file is too large for a table; -ENOMEM.
 */
int builder_add(struct table_builder *builder, u64 offset,
		const struct tprof_lx_unwind_rule *rule)
{
	struct unwind_table *table = &builder->table;
	u16 index;
	int err = find_or_cut(builder, rule, &index);

	if (!err)
		err = reach(builder, offset);
	if (err)
		return err;
	if (table->pages[table->nr_pages - 1] < table->nr_rows && builder->last == index)
		return 0;
	builder->last = index;
	return add_row(builder, offset, index);
}

/* Let the frame pointer hold from @offset on. A page that begins there would be of no use. */
int builder_end(struct table_builder *builder, u64 offset)
{
	if (offset % UNWIND_PAGE)
		return builder_add(builder, offset, &by_frame_pointer);
	return builder->has_page ? reach(builder, offset - 1) : 0;
}

void builder_free(struct table_builder *builder)
{
	hash_table_free(&builder->by_rule, free);
}

static bool is_rbp_valid(__s16 rbp)
{
	return rbp < 0 || rbp == TPROF_LX_UNWIND_RBP_SAME || rbp == TPROF_LX_UNWIND_RBP_UNDEFINED;
}

static bool is_rule_valid(const struct tprof_lx_unwind_rule *rule)
{
	switch (rule->how) {
	case TPROF_LX_UNWIND_CFA:
	case TPROF_LX_UNWIND_DEREF:
		return is_rbp_valid(rule->rbp) &&
		       rule->offset >= -UNWIND_MAX_OFFSET && rule->offset <= UNWIND_MAX_OFFSET;
	case TPROF_LX_UNWIND_PLT:
		return is_rbp_valid(rule->rbp) && rule->offset >= 0 && rule->offset <= 16;
	case TPROF_LX_UNWIND_SIGNAL:
		return rule->offset >= 0 && rule->offset <= UNWIND_MAX_CONTEXT;
	default:
		return rule->how <= TPROF_LX_UNWIND_FP;
	}
}

static bool is_page_valid(const struct unwind_table *table, u32 page)
{
	u32 at = table->pages[page], end = table->pages[page + 1], i;

	if (at > end || end > table->nr_rows)
		return false;
	for (i = at; i < end; i++) {
		if (table->rows[i].rule >= table->nr_rules ||
		    (i > at && table->rows[i].low <= table->rows[i - 1].low))
			return false;
	}
	return true;
}

/* Return true if the module would take the table: it may come from a file. */
bool unwind_table_is_valid(const struct unwind_table *table)
{
	u32 i;

	if (!table->nr_pages || !table->nr_rows || !table->nr_rules || table->pages[0] ||
	    table->pages[table->nr_pages] != table->nr_rows)
		return false;
	for (i = 0; i < table->nr_rules; i++) {
		if (!is_rule_valid(&table->rules[i]))
			return false;
	}
	for (i = 0; i < table->nr_pages; i++) {
		if (!is_page_valid(table, i))
			return false;
	}
	return true;
}

/* Return the rule for a file offset, or NULL if the table has none. */
const struct tprof_lx_unwind_rule *unwind_table_find(const struct unwind_table *table, u64 offset)
{
	u64 page = (offset >> UNWIND_PAGE_BITS) - table->page0;
	size_t above;

	if (page >= table->nr_pages)
		return NULL;
	above = sorted_above(table->rows, table->pages[page], table->pages[page + 1], low,
			     offset % UNWIND_PAGE);
	return above > table->pages[page] ? &table->rules[table->rows[above - 1].rule] : NULL;
}

/* Return the memory that the module needs for the arrays. */
size_t unwind_table_bytes(const struct unwind_table *table)
{
	return (table->nr_pages + 1) * sizeof(*table->pages) +
	       table->nr_rows * sizeof(*table->rows) + table->nr_rules * sizeof(*table->rules);
}

const char *unwind_loss_text(enum unwind_loss loss)
{
	static const char *const texts[] = {
		[UNWIND_NO_CFA] = "no_frame_address",
		[UNWIND_EXPRESSION] = "expression",
		[UNWIND_OFFSET] = "large_offset",
		[UNWIND_RETURN] = "return_address_elsewhere",
		[UNWIND_RSP] = "stack_pointer_elsewhere",
		[UNWIND_SIGNAL] = "unknown_signal_frame",
		[UNWIND_RULES] = "too_many_rules",
		[UNWIND_RBP] = "frame_pointer_lost",
		[UNWIND_SFRAME_UNKNOWN] = "unknown_sframe",
		[UNWIND_SFRAME_DAMAGED] = "damaged_sframe",
	};

	return texts[loss];
}

const char *unwind_source_text(enum unwind_source source)
{
	static const char *const texts[] = {
		[UNWIND_EH_FRAME] = "eh_frame",
		[UNWIND_DEBUG_FRAME] = "debug_frame",
		[UNWIND_SFRAME] = "sframe",
		[UNWIND_STUBS] = "stubs",
	};

	return texts[source];
}

void unwind_table_free(struct unwind_table *table)
{
	free(table->pages);
	free(table->rows);
	free(table->rules);
	*table = (struct unwind_table){ 0 };
}
