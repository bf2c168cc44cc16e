// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the compilation units of an ELF file, by address
 *
 * libdw finds a unit by the section .debug_aranges, which clang does not write. So units that
 * it does not find are looked up in the addresses that the units themselves have.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/sorted.h"
#include "symbols/code_units.h"

/* Maximum number of ranges: they take 1 MiB per 16384. Damaged files may list any number. */
#define MAX_RANGES	(1U << 20)

/* Add the addresses of a unit. Return false if there is no room for all. */
static bool add_unit(struct code_units *units, Dwarf_Die *unit)
{
	struct code_range range = { .unit = *unit }, *grown;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (units->nr == MAX_RANGES)
			return false;
		grown = array_grow(units->ranges, units->nr, &units->room, sizeof(range));
		if (!grown)
			return false;
		units->ranges = grown;
		range.start = start;
		range.end = end;
		units->ranges[units->nr++] = range;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct code_range *range = a, *other = b;

	return range->start < other->start ? -1 : range->start > other->start;
}

/* List the units of a file. Without enough memory, list some of them. */
static void list_units(struct code_units *units, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	u64 reach = 0;
	size_t i;

	units->is_listed = true;
	while (!dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		if (!add_unit(units, &die))
			break;
	}
	if (units->nr)
		qsort(units->ranges, units->nr, sizeof(*units->ranges), compare);
	for (i = 0; i < units->nr; i++) {
		reach = units->ranges[i].end > reach ? units->ranges[i].end : reach;
		units->ranges[i].reach = reach;
	}
}

static Dwarf_Die *find(struct code_units *units, u64 addr)
{
	size_t i = sorted_above(units->ranges, 0, units->nr, start, addr);

	while (i-- && units->ranges[i].reach > addr) {
		if (units->ranges[i].end > addr)
			return &units->ranges[i].unit;
	}
	return NULL;
}

/*
 * Return the unit that has the link-time address @addr, or NULL. Set @bias to what is added to
 * the addresses in DWARF.
 */
Dwarf_Die *code_unit_at(struct code_units *units, Dwfl_Module *module, u64 addr,
			Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, addr, bias);
	Dwarf *dwarf;

	if (unit)
		return unit;
	dwarf = dwfl_module_getdwarf(module, bias);
	if (!dwarf)
		return NULL;
	if (!units->is_listed)
		list_units(units, dwarf);
	return find(units, addr - *bias);
}

void code_units_free(struct code_units *units)
{
	free(units->ranges);
	*units = (struct code_units){ 0 };
}
