// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read source lines and inlined functions of an ELF file
 */
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>

#include "symbols/symbol_lines.h"

/* Attribute of inlined subroutines. <dwarf.h> does not have it. */
#define DW_AT_GNU_DISCRIMINATOR	0x2136

#define INLINES_DEEP	64

/* Return the source line of a link-time address, or NULL. */
static Dwarf_Line *line_at(struct symbol_file *file, u64 linked)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = code_unit_at(&file->units, file->module, linked, &bias);

	return unit ? dwarf_getsrc_die(unit, linked - bias) : NULL;
}

/*
 * Set @line to the source line of an address. Return the path of the source file, which is
 * valid while @file is open. Return NULL if there is no source line.
 */
const char *symbol_file_line(struct symbol_file *file, u64 addr, int *line)
{
	Dwarf_Line *found;
	u64 linked;

	if (!symbol_file_linked(file, addr, &linked))
		return NULL;
	found = line_at(file, linked);
	return found && !dwarf_lineno(found, line) ? dwarf_linesrc(found, NULL, NULL) : NULL;
}

/*
 * Return the directory in which the compiler ran, to which paths of source files are relative.
 * Return NULL if it is unknown.
 */
const char *symbol_file_directory(struct symbol_file *file, u64 addr)
{
	Dwarf_Attribute attr;
	Dwarf_Addr bias;
	Dwarf_Die *unit;
	u64 linked;

	if (!symbol_file_linked(file, addr, &linked))
		return NULL;
	unit = code_unit_at(&file->units, file->module, linked, &bias);
	return unit ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr)) : NULL;
}

static const char *name_of(Dwarf_Die *die)
{
	static const unsigned int attrs[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					      DW_AT_name };
	const char *name = NULL;
	Dwarf_Attribute attr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(attrs) && !name; i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, attrs[i], &attr));
	return name;
}

/*
 * Return the unit with the functions of @unit. With split DWARF, it is in a .dwo file, and @unit
 * is a skeleton. Without that file, return the skeleton.
 */
static Dwarf_Die *unit_with_functions(Dwarf_Die *unit, Dwarf_Die *split)
{
	u8 type;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || !split->cu)
		return unit;
	return split;
}

/*
 * List the DIEs that contain an address, innermost first. dwarf_getscopes() alone is
 * not enough: beyond an inlined function, it lists the scopes around the function's
 * definition, not those of the function's callers.
 */
static int scopes_at(struct symbol_file *file, u64 linked, Dwarf_Die **scopes)
{
	Dwarf_Die *unit, *innermost, split;
	Dwarf_Addr bias;
	int nr = 0;

	*scopes = NULL;
	unit = code_unit_at(&file->units, file->module, linked, &bias);
	if (!unit)
		return 0;
	unit = unit_with_functions(unit, &split);
	if (dwarf_getscopes(unit, linked - bias, &innermost) <= 0)
		return 0;
	nr = dwarf_getscopes_die(innermost, scopes);
	free(innermost);
	return nr;
}

/* Return the value of an attribute of @die, or 0. */
static u32 number_of(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (dwarf_formudata(dwarf_attr(die, attribute, &attr), &number) || number > INT_MAX)
		return 0;
	return number;
}

/* Set the file and line of a call to those in @die, an inlined subroutine. */
static void find_call(Dwarf_Die *die, struct inline_call *call)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t nr;

	call->line = number_of(die, DW_AT_call_line);
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &number) &&
	    dwarf_diecu(die, &unit, NULL, NULL) && !dwarf_getsrcfiles(&unit, &files, &nr) &&
	    number < nr)
		call->path = dwarf_filesrc(files, number, NULL, NULL);
}

/*
 * Call @visit for each function inlined at an address, innermost first, until @visit fails.
 * Return 0, or the error of @visit.
 */
int symbol_file_each_inline(struct symbol_file *file, u64 addr,
			    int (*visit)(void *arg, const struct inline_call *call), void *arg)
{
	struct inline_call call;
	int nr, i, err = 0;
	Dwarf_Die *scopes;
	u64 linked;

	if (!symbol_file_linked(file, addr, &linked))
		return 0;
	nr = scopes_at(file, linked, &scopes);
	for (i = 0; i < nr && !err; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		call = (struct inline_call){ .name = name_of(&scopes[i]) };
		if (!call.name)
			continue;
		find_call(&scopes[i], &call);
		err = visit(arg, &call);
	}
	free(scopes);
	return err;
}

/**
 * struct range_visit - state of visiting the inlined functions of a function
 * @file:	the file
 * @addr:	an address in the function
 * @linked:	its link-time address
 * @bias:	(link-time address) - (address in DWARF)
 * @visit:	called for each range
 * @arg:	its first argument
 */
struct range_visit {
	struct symbol_file *file;
	u64	addr;
	u64	linked;
	Dwarf_Addr bias;
	int	(*visit)(void *arg, const struct inline_range *range);
	void	*arg;
};

static int visit_ranges(const struct range_visit *visit, Dwarf_Die *die)
{
	u64 moved = visit->addr - visit->linked + visit->bias;
	Dwarf_Addr base, start, end;
	struct inline_range range;
	ptrdiff_t at = 0;
	int err = 0;

	range.call = (struct inline_call){ .name = name_of(die) };
	if (!range.call.name)
		return 0;
	find_call(die, &range.call);
	while (!err && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		range.start = start + moved;
		range.end = end + moved;
		err = visit->visit(visit->arg, &range);
	}
	return err;
}

/* Visit the inlined functions below @die, at most INLINES_DEEP of them in each other. */
static int visit_children(const struct range_visit *visit, Dwarf_Die *die, u32 depth)
{
	Dwarf_Die child;
	int err = 0, tag;

	if (depth == INLINES_DEEP || dwarf_child(die, &child))
		return 0;
	do {
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_inlined_subroutine)
			err = visit_ranges(visit, &child);
		if (!err && (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block))
			err = visit_children(visit, &child, depth + 1);
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

/*
 * Call @visit for each range of each function that is inlined into the function at @addr, until
 * @visit fails. A function comes before those that are inlined into it. Return 0, or the error
 * of @visit.
 */
int symbol_file_each_range(struct symbol_file *file, u64 addr,
			   int (*visit)(void *arg, const struct inline_range *range), void *arg)
{
	struct range_visit state = { .file = file, .addr = addr, .visit = visit, .arg = arg };
	Dwarf_Die *scopes;
	int nr, i, err = 0;

	if (!symbol_file_linked(file, addr, &state.linked))
		return 0;
	nr = scopes_at(file, state.linked, &scopes);
	dwfl_module_getdwarf(file->module, &state.bias);
	for (i = 0; i < nr && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++)
		;
	if (i < nr)
		err = visit_children(&state, &scopes[i], 0);
	free(scopes);
	return err;
}

/* Set the name of the function of @die, its first line, and whether it begins at @linked. */
static void find_function(struct symbol_file *file, Dwarf_Die *die, u64 linked,
			  struct code_line *line)
{
	Dwarf_Addr bias = 0, entry;
	int first;

	dwfl_module_getdwarf(file->module, &bias);
	line->function = name_of(die);
	line->first = !dwarf_decl_line(die, &first) && first > 0 ? first : 0;
	line->is_entry = !dwarf_entrypc(die, &entry) && entry + bias == linked;
}

/* Set the line and the discriminator of an address. Return false if it has no line. */
static bool find_line(struct symbol_file *file, u64 linked, struct code_line *line)
{
	Dwarf_Line *found = line_at(file, linked);
	unsigned int discriminator = 0;
	int number;

	if (!found || dwarf_lineno(found, &number) || number <= 0)
		return false;
	dwarf_linediscriminator(found, &discriminator);
	line->line = number;
	line->discriminator = discriminator;
	return true;
}

/*
 * Call @visit for each function that has an address, innermost first: those that are inlined
 * there, and the one that they are inlined into. Call nothing if the address has no source
 * line. Return 0, or the error of @visit.
 */
int symbol_file_each_function(struct symbol_file *file, u64 addr,
			      int (*visit)(void *arg, const struct code_line *line), void *arg)
{
	struct code_line line = { 0 };
	int nr, i, err = 0, tag;
	Dwarf_Die *scopes;
	u64 linked;

	if (!symbol_file_linked(file, addr, &linked) || !find_line(file, linked, &line))
		return 0;
	nr = scopes_at(file, linked, &scopes);
	for (i = 0, tag = 0; i < nr && !err && tag != DW_TAG_subprogram; i++) {
		tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		find_function(file, &scopes[i], linked, &line);
		if (line.function)
			err = visit(arg, &line);
		line.line = number_of(&scopes[i], DW_AT_call_line);
		line.discriminator = number_of(&scopes[i], DW_AT_GNU_DISCRIMINATOR);
	}
	free(scopes);
	return err;
}
