// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find functions by address
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/prefetch.h"
#include "symbols/symtab.h"

/*
 * Functions can overlap. To find one that contains the address, a search steps back
 * over at most this many functions: without a limit, a hostile table could make every
 * search linear.
 */
#define WITHIN_MAX	4096

/*
 * A function without a size ends where the next symbol starts. If there is no next
 * symbol, or has_a_neighbour() returns false, the function ends at the latest at
 * ALIGN_UP(start, LAST_SIZE) + LAST_SIZE.
 */
#define LAST_SIZE	4096

/* Add a copy of @symbol. The string of its name is not copied. */
int symtab_add(struct symtab *symtab, const struct symbol *symbol)
{
	struct symbol *symbols = array_grow(symtab->symbols, symtab->nr, &symtab->room,
					    sizeof(*symbols));

	if (!symbols)
		return -ENOMEM;
	symtab->symbols = symbols;
	symbols[symtab->nr] = *symbol;
	symbols[symtab->nr].nr = symtab->nr;
	symtab->nr++;
	return 0;
}

static int compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Compare two sized symbols at the same address. Prefer, in this order: a symbol that
 * is not weak, a global one, the one with fewer leading '_', the one with the longer
 * name.
 */
static int compare_names(const struct symbol *x, const struct symbol *y)
{
	int order = (x->binding == SYMBOL_WEAK) - (y->binding == SYMBOL_WEAK);

	if (!order)
		order = (x->binding != SYMBOL_GLOBAL) - (y->binding != SYMBOL_GLOBAL);
	if (!order)
		order = compare_numbers(underscores(x->name), underscores(y->name));
	if (!order)
		order = compare_numbers(strlen(y->name), strlen(x->name));
	return order ? order : compare_numbers(x->nr, y->nr);
}

/*
 * Sort by address. At each address, the symbol that perf would choose comes first: one
 * with a size or, if none has a size, the one added last.
 */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	bool x_sized = x->end > x->start, y_sized = y->end > y->start;

	if (x->start != y->start)
		return compare_numbers(x->start, y->start);
	if (x_sized != y_sized)
		return y_sized - x_sized;
	return x_sized ? compare_names(x, y) : compare_numbers(y->nr, x->nr);
}

/*
 * Return true if a function without a size extends to the next symbol. It does if
 * both are in the same module, except in "[bpf]": BPF programs are allocated one by
 * one.
 */
static bool has_a_neighbour(const struct symbol *symbol)
{
	return symbol->module == symbol[1].module &&
	       (!symbol->module || strcmp(symbol->module, "[bpf]"));
}

static void extend(struct symtab *symtab)
{
	struct symbol *at = symtab->symbols, *end = at + symtab->nr;
	u64 last;

	for (; at < end; at++) {
		if (at->end > at->start)
			continue;
		last = ALIGN_UP(at->start, LAST_SIZE) + LAST_SIZE;
		at->end = at + 1 < end ? at[1].start : last;
		if (at + 1 < end && !has_a_neighbour(at) && last < at->end)
			at->end = last;
	}
}

/* Keep the first symbol at each address. Return the number of symbols kept. */
static size_t drop_aliases(struct symtab *symtab)
{
	struct symbol *symbols = symtab->symbols;
	size_t i, nr = 0;

	for (i = 0; i < symtab->nr; i++) {
		if (!nr || symbols[i].start != symbols[nr - 1].start)
			symbols[nr++] = symbols[i];
	}
	return nr;
}

/*
 * Build symtab->index: an entry for each step, and one more at the end. The size of
 * a step is chosen such that there are at most 2 * nr steps.
 */
static int make_index(struct symtab *symtab)
{
	const u64 *starts = symtab->starts;
	u64 length = starts[symtab->nr - 1] - starts[0], step;
	size_t at = 0;

	for (symtab->shift = 0; length >> symtab->shift >= 2 * symtab->nr; symtab->shift++)
		;
	symtab->nr_steps = (length >> symtab->shift) + 1;
	free(symtab->index);
	symtab->index = calloc(symtab->nr_steps + 1, sizeof(*symtab->index));
	if (!symtab->index)
		return -ENOMEM;
	for (step = 0; step < symtab->nr_steps; step++) {
		while (at + 1 < symtab->nr && starts[at + 1] - starts[0] <= step << symtab->shift)
			at++;
		symtab->index[step] = at;
	}
	symtab->index[step] = symtab->nr - 1;
	return 0;
}

/* Give back the memory beyond the last symbol. */
static void shrink(struct symtab *symtab)
{
	struct symbol *symbols = realloc(symtab->symbols, symtab->nr * sizeof(*symbols));

	if (!symbols)
		return;
	symtab->symbols = symbols;
	symtab->room = symtab->nr;
}

/* Sort and index the functions. Call this before symtab_find(). */
int symtab_finish(struct symtab *symtab)
{
	struct symbol *symbols;
	u64 reach = 0;
	size_t i;

	if (!symtab->nr)
		return 0;
	qsort(symtab->symbols, symtab->nr, sizeof(*symtab->symbols), compare);
	symtab->nr = drop_aliases(symtab);
	shrink(symtab);
	extend(symtab);
	symbols = symtab->symbols;
	free(symtab->starts);
	symtab->starts = calloc(symtab->nr, sizeof(*symtab->starts));
	if (!symtab->starts)
		return -ENOMEM;
	for (i = 0; i < symtab->nr; i++) {
		if (symbols[i].end > reach)
			reach = symbols[i].end;
		symbols[i].reach = reach;
		symtab->starts[i] = symbols[i].start;
	}
	return make_index(symtab);
}

/* Return the index of the last function that begins at or below @addr. */
static size_t last_before(const struct symtab *symtab, u64 addr)
{
	u64 step = (addr - symtab->starts[0]) >> symtab->shift;
	const u64 *from;
	size_t nr, half;

	if (step >= symtab->nr_steps)
		return symtab->nr - 1;
	from = symtab->starts + symtab->index[step];
	/* Avoid branches that depend on the address: the CPU would mispredict them. */
	for (nr = symtab->index[step + 1] - symtab->index[step] + 1; nr > 1; nr -= half) {
		half = nr / 2;
		from += from[half] <= addr ? half : 0;
	}
	return from - symtab->starts;
}

/* Return the innermost function that contains @addr, or NULL. */
struct symbol *symtab_find(const struct symtab *symtab, u64 addr)
{
	size_t at, first;

	if (!symtab->nr || addr < symtab->starts[0])
		return NULL;
	at = last_before(symtab, addr);
	first = at > WITHIN_MAX ? at - WITHIN_MAX : 0;
	do {
		if (symtab->symbols[at].reach <= addr)
			return NULL;
		if (addr < symtab->symbols[at].end)
			return &symtab->symbols[at];
	} while (at-- > first);
	return NULL;
}

/*
 * Prefetch the memory that symtab_find() will read in @step. This function itself reads the
 * memory of the steps before, so prefetch in the order of the steps.
 */
void symtab_expect(const struct symtab *symtab, u64 addr, enum symtab_step step)
{
	const struct symbol *symbol;
	u64 at;

	if (!symtab->nr || addr < symtab->starts[0])
		return;
	at = (addr - symtab->starts[0]) >> symtab->shift;
	if (at >= symtab->nr_steps)
		return;
	if (step == SYMTAB_INDEX) {
		prefetch(&symtab->index[at]);
	} else if (step == SYMTAB_STARTS) {
		prefetch(&symtab->starts[symtab->index[at]]);
	} else {
		symbol = &symtab->symbols[last_before(symtab, addr)];
		prefetch(symbol);
		/* The last member, which may be in the next line of the cache. */
		prefetch(&symbol->inlined);
	}
}

void symtab_free(struct symtab *symtab)
{
	free(symtab->symbols);
	free(symtab->starts);
	free(symtab->index);
	*symtab = (struct symtab){ 0 };
}
