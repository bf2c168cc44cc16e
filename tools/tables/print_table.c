// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx tables - print tables and their rows
 */
#include <stdio.h>

#include "base/printable.h"
#include "perfdata/buildid.h"
#include "tables/tables.h"

#define RULE_LEN	48

static u64 losses_of(const struct unwind_table *table)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < UNWIND_NR_LOSSES; i++)
		sum += table->losses[i];
	return sum;
}

static void print_json(struct json *json, const char *name, const struct unwind_table *table)
{
	char id[BUILD_ID_TEXT];
	u32 i;

	json_begin(json, NULL, '{');
	json_string(json, "build_id", build_id_text(&table->build_id, id));
	if (name)
		json_string(json, "object", name);
	json_u64(json, "text_bytes", table->text_bytes);
	json_u64(json, "rows", table->nr_rows);
	json_u64(json, "rules", table->nr_rules);
	json_u64(json, "bytes", unwind_table_bytes(table));
	json_begin(json, "ranges", '{');
	for (i = 0; i < UNWIND_NR_SOURCES; i++)
		json_u64(json, unwind_source_text(i), table->sources[i]);
	json_end(json, '}');
	json_begin(json, "losses", '{');
	for (i = 0; i < UNWIND_NR_LOSSES; i++) {
		if (table->losses[i])
			json_u64(json, unwind_loss_text(i), table->losses[i]);
	}
	json_end(json, '}');
	json_end(json, '}');
}

/* Print a line for a table. The object is named by @name if that is not NULL. */
void tables_print(struct tables *tables, const char *name, const struct unwind_table *table)
{
	char id[BUILD_ID_TEXT];

	if (tables->json) {
		print_json(tables->json, name, table);
	} else {
		if (!tables->nr)
			printf("%-40s %9s %6s %9s %5s  %s\n", "BUILD-ID", "ROWS", "RULES", "BYTES",
			       "LOST", name ? "OBJECT" : "");
		printf("%-40s %9u %6u %9zu %5llu  %s\n", build_id_text(&table->build_id, id),
		       table->nr_rows, table->nr_rules, unwind_table_bytes(table),
		       losses_of(table), name ? printable(name) : "");
	}
	tables->nr++;
	tables->bytes += unwind_table_bytes(table);
}

void tables_print_end(const struct tables *tables)
{
	if (!tables->json)
		printf("%u %s, %llu bytes\n", tables->nr, tables->nr == 1 ? "table" : "tables",
		       tables->bytes);
}

static const char *register_name(const struct tprof_lx_unwind_rule *rule)
{
	static const char *const names[16] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	};

	return names[TPROF_LX_UNWIND_REGISTER(rule->base)];
}

/* Format how a rule finds the address of the frame. */
static const char *frame_text(const struct tprof_lx_unwind_rule *rule, char text[RULE_LEN])
{
	switch (rule->how) {
	case TPROF_LX_UNWIND_CFA:
		snprintf(text, RULE_LEN, "%s%+d", register_name(rule), rule->offset);
		break;
	case TPROF_LX_UNWIND_DEREF:
		snprintf(text, RULE_LEN, "*(%s%+d)", register_name(rule), rule->offset);
		break;
	case TPROF_LX_UNWIND_PLT:
		snprintf(text, RULE_LEN, "plt+%d", rule->offset);
		break;
	case TPROF_LX_UNWIND_SIGNAL:
		snprintf(text, RULE_LEN, "signal rsp+%d", rule->offset);
		break;
	case TPROF_LX_UNWIND_END:
		return "outermost";
	case TPROF_LX_UNWIND_FP:
		return "frame_pointer";
	default:
		return "cut";
	}
	return text;
}

/* Return whether a rule says where the caller's registers are. */
static bool has_registers(const struct tprof_lx_unwind_rule *rule)
{
	return rule->how == TPROF_LX_UNWIND_CFA || rule->how == TPROF_LX_UNWIND_DEREF ||
	       rule->how == TPROF_LX_UNWIND_PLT;
}

static const char *rbp_text(const struct tprof_lx_unwind_rule *rule, char text[RULE_LEN])
{
	if (rule->rbp == TPROF_LX_UNWIND_RBP_SAME)
		return "same";
	if (rule->rbp == TPROF_LX_UNWIND_RBP_UNDEFINED)
		return "unknown";
	snprintf(text, RULE_LEN, "cfa%+d", rule->rbp);
	return text;
}

static const char *rbx_text(const struct tprof_lx_unwind_rule *rule, char text[RULE_LEN])
{
	u8 place = TPROF_LX_UNWIND_RBX_PLACE(rule->base);

	if (place == TPROF_LX_UNWIND_RBX_SAME)
		return "same";
	if (place == TPROF_LX_UNWIND_RBX_UNKNOWN)
		return "unknown";
	snprintf(text, RULE_LEN, "cfa%+d", -8 * place);
	return text;
}

static void print_row(const struct tables *tables, u64 offset,
		      const struct tprof_lx_unwind_rule *rule)
{
	char frame[RULE_LEN], rbp[RULE_LEN], rbx[RULE_LEN];
	bool has = has_registers(rule);

	if (!tables->json) {
		printf("%#12llx  %-16s %-8s %s\n", offset, frame_text(rule, frame),
		       has ? rbp_text(rule, rbp) : "", has ? rbx_text(rule, rbx) : "");
		return;
	}
	json_begin(tables->json, NULL, '{');
	json_hex(tables->json, "offset", offset);
	json_string(tables->json, "cfa", frame_text(rule, frame));
	if (has) {
		json_string(tables->json, "rbp", rbp_text(rule, rbp));
		json_string(tables->json, "rbx", rbx_text(rule, rbx));
	}
	json_end(tables->json, '}');
}

/* Print the rows of a table. Leave out those that only continue a row of the page before. */
void tables_print_rows(const struct tables *tables, const struct unwind_table *table)
{
	const struct tprof_lx_unwind_row *row;
	u32 page, i, last = ~0U;
	u64 begin;

	if (!tables->json)
		printf("%12s  %-16s %-8s %s\n", "FILE OFFSET", "CFA", "RBP", "RBX");
	for (page = 0; page < table->nr_pages; page++) {
		for (i = table->pages[page]; i < table->pages[page + 1]; i++) {
			row = &table->rows[i];
			begin = ((u64)table->page0 + page) * UNWIND_PAGE + row->low;
			if (row->rule != last)
				print_row(tables, begin, &table->rules[row->rule]);
			last = row->rule;
		}
	}
}
