// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - columns of a profile
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/parallelism.h"
#include "profile/columns.h"
#include "symbols/object_dwarf.h"

/*
 * Bits of a symbol_key(). Symbols are aligned, so both bits are 0 in a pointer to a symbol.
 *
 * KERNEL_BIT: this is a kernel address
 * PACKED_BIT: the key is not a pointer. It consists of an address outside all functions
 *	and of the number of the binary (object_can_pack()).
 */
#define KERNEL_BIT	1ULL
#define PACKED_BIT	2ULL
#define PACKED_SHIFT	2

static u64 text_key(const char *text)
{
	return (uintptr_t)text;
}

static const char *key_text(u64 key, char *buf, size_t len)
{
	(void)buf;
	(void)len;
	return (const char *)(uintptr_t)key;
}

static int compare_texts(u64 a, u64 b)
{
	return a == b ? 0 : strcmp((const char *)(uintptr_t)a, (const char *)(uintptr_t)b);
}

static u64 comm_key(const struct hit *hit)
{
	return text_key(hit->comm);
}

static u64 dso_key(const struct hit *hit)
{
	return text_key(hit->spot.object->short_name);
}

static u64 path_key(const struct hit *hit)
{
	return text_key(hit->spot.object->name);
}

static u64 event_key(const struct hit *hit)
{
	return text_key(hit->event);
}

static u64 state_key(const struct hit *hit)
{
	return text_key(hit->sample->state);
}

static u64 waker_key(const struct hit *hit)
{
	return text_key(hit->sample->waker);
}

static u64 pid_key(const struct hit *hit)
{
	return hit->sample->pid;
}

static u64 tid_key(const struct hit *hit)
{
	return hit->sample->tid;
}

static u64 cpu_key(const struct hit *hit)
{
	return hit->sample->cpu;
}

static u64 weight_key(const struct hit *hit)
{
	return hit->sample->weight;
}

static u64 parallelism_key(const struct hit *hit)
{
	return parallelism_of(hit->sample->weight);
}

static u64 cgroup_key(const struct hit *hit)
{
	return text_key(hit->cgroup);
}

static u64 host_key(const struct hit *hit)
{
	return text_key(hit->host);
}

static u64 parent_key(const struct hit *hit)
{
	return text_key(hit->parent);
}

static u64 thread_key(const struct hit *hit)
{
	struct interned *names = hit->names ? hit->names : &hit->objects->sources.names;
	const char *text;
	char buf[64];

	snprintf(buf, sizeof(buf), "%d:%s", (s32)hit->sample->tid, hit->comm);
	text = interned_get(names, buf);
	return text_key(text ? text : "[unknown]");
}

/* Sort threads by their ids, then by their names. */
static int compare_threads(u64 a, u64 b)
{
	long x = strtol(key_text(a, NULL, 0), NULL, 10), y = strtol(key_text(b, NULL, 0), NULL, 10);

	return x == y ? compare_texts(a, b) : x < y ? -1 : 1;
}

static u64 time_key(const struct hit *hit)
{
	return hit->sample->slice;
}

/* Format a time as script prints it. Slices are whole microseconds. */
static const char *time_text(u64 ns, char *buf, size_t len)
{
	snprintf(buf, len, "%llu.%06llu", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC / NSEC_PER_USEC);
	return buf;
}

static int compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static u64 time_number(u64 key)
{
	return key;
}

static u64 sym_key(const struct hit *hit)
{
	return symbol_key(&hit->spot);
}

static u64 srcline_key(const struct hit *hit)
{
	const struct spot *spot = &hit->spot;
	const char *line = object_line(&hit->objects->sources, spot->object, spot->addr,
				       spot->symbol);

	return text_key(line ? line : "[unknown]");
}

/* Return the name of the function at @spot, or of the binary if there is no function. */
const char *frame_name(const struct spot *spot)
{
	return spot->symbol->name ? spot->symbol->name : spot->object->short_name;
}

static u64 frame_key(const struct hit *hit)
{
	return text_key(frame_name(&hit->spot));
}

/* Return the key of the function at @spot, or of the address if there is no function. */
u64 symbol_key(const struct spot *spot)
{
	u64 kernel = spot->is_kernel ? KERNEL_BIT : 0, addr;

	if (spot->symbol != &spot->object->nowhere)
		return (uintptr_t)spot->symbol | kernel;
	addr = spot->addr & ((1ULL << PACKED_ADDR_BITS) - 1);
	return (u64)spot->object->number << (PACKED_ADDR_BITS + PACKED_SHIFT) |
	       addr << PACKED_SHIFT | PACKED_BIT | kernel;
}

/* Return the symbol of a symbol_key() without PACKED_BIT. */
static const struct symbol *key_symbol(u64 key)
{
	return (const struct symbol *)(uintptr_t)(key & ~KERNEL_BIT);
}

/* Return the function of a symbol_key(), or NULL for an address outside all functions. */
const struct symbol *symbol_key_function(u64 key)
{
	return key & PACKED_BIT || !key_symbol(key)->name ? NULL : key_symbol(key);
}

/* Return the name of the function, or NULL for an address outside all functions. */
static const char *key_name(u64 key)
{
	const struct symbol *function = symbol_key_function(key);

	return function ? function->name : NULL;
}

/* Return the address of a symbol_key(): the start of the function, if there is one. */
static u64 symbol_key_addr(u64 key)
{
	const int rest = 64 - PACKED_ADDR_BITS;

	if (!(key & PACKED_BIT))
		return key_symbol(key)->start;
	return (s64)(key << (rest - PACKED_SHIFT)) >> rest;
}

/* Format a number like "0x%016llx", but faster than snprintf(). */
static const char *hex_text(u64 number, char *buf, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char text[] = "0x0000000000000000";
	size_t i;

	for (i = sizeof(text) - 2; number; i--, number >>= 4)
		text[i] = digits[number % 16];
	memcpy(buf, text, len < sizeof(text) ? len : sizeof(text));
	return buf;
}

/*
 * Return the text for a symbol_key(): the name of the function or, outside all
 * functions, the address.
 *
 * @buf: at least COLUMN_TEXT_LEN bytes, used if the text must be formatted
 */
const char *symbol_key_text(u64 key, char *buf, size_t len)
{
	const char *name = key_name(key);

	if (!name)
		return hex_text(symbol_key_addr(key), buf, len);
	if (!key_symbol(key)->inlined)
		return name;
	snprintf(buf, len, "%s (inlined)", name);
	return buf;
}

/*
 * Sort addresses outside all functions before names. There may be many such addresses:
 * compare them as numbers, not as text.
 */
static int compare_symbols(u64 a, u64 b)
{
	const char *x = key_name(a), *y = key_name(b);

	if (x && y)
		return strcmp(x, y);
	if (x || y)
		return x ? 1 : -1;
	return symbol_key_addr(a) < symbol_key_addr(b) ? -1 :
	       symbol_key_addr(a) > symbol_key_addr(b);
}

static u64 symbol_number(u64 key)
{
	return key_name(key) ? ~0ULL : symbol_key_addr(key);
}

static const char *symbol_mark(u64 key)
{
	return key & KERNEL_BIT ? "[k] " : "[.] ";
}

/* With latencies, the periods of the tallies are these, and the periods are apart. */
static u64 self_period(const struct profile_entry *entry)
{
	return entry->spent ? entry->spent->self : entry->self->period;
}

static u64 self_latency(const struct profile_entry *entry)
{
	return entry->self->period;
}

static u64 self_samples(const struct profile_entry *entry)
{
	return entry->self->samples;
}

static u64 children_period(const struct profile_entry *entry)
{
	return entry->spent ? entry->spent->children : entry->children->period;
}

static u64 children_latency(const struct profile_entry *entry)
{
	return entry->children->period;
}

static u64 children_samples(const struct profile_entry *entry)
{
	return entry->children->samples;
}

static u64 self_on(const struct profile_entry *entry)
{
	return entry->self->period - entry->off->self;
}

static u64 self_off(const struct profile_entry *entry)
{
	return entry->off->self;
}

static u64 children_on(const struct profile_entry *entry)
{
	return entry->children->period - entry->off->children;
}

static u64 children_off(const struct profile_entry *entry)
{
	return entry->off->children;
}

static const struct column columns[] = {
	{ "overhead", "Overhead", COLUMN_PERCENT, .value = self_period },
	{ "latency", "Latency", COLUMN_PERCENT, .value = self_latency, .is_latency = true },
	{ "children-latency", "Latency", COLUMN_PERCENT, .value = children_latency,
	  .is_latency = true },
	{ "children", "Children", COLUMN_PERCENT, .value = children_period },
	{ "self", "Self", COLUMN_PERCENT, .value = self_period },
	{ "interval", "Interval", COLUMN_INTERVAL, .value = self_period },
	{ "children-interval", "Interval", COLUMN_INTERVAL, .value = children_period },
	{ "samples", "Samples", COLUMN_NUMBER, .value = self_samples },
	{ "children-samples", "Samples", COLUMN_NUMBER, .value = children_samples },
	{ "period", "Period", COLUMN_NUMBER, .value = self_period },
	{ "total", "Total ms", COLUMN_TIME, .value = self_period },
	{ "on", "On CPU ms", COLUMN_TIME, .value = self_on },
	{ "off", "Off CPU ms", COLUMN_TIME, .value = self_off },
	{ "children-total", "Total ms", COLUMN_TIME, .value = children_period },
	{ "children-on", "On CPU ms", COLUMN_TIME, .value = children_on },
	{ "children-off", "Off CPU ms", COLUMN_TIME, .value = children_off },
	{ "comm", "Command", COLUMN_TEXT, PERF_SAMPLE_TID, SUBJECT_COMM, .key = comm_key,
	  .text = key_text, .compare = compare_texts },
	{ "pid", "PID", COLUMN_NUMBER, PERF_SAMPLE_TID, SUBJECT_PID, .key = pid_key },
	{ "tid", "TID", COLUMN_NUMBER, PERF_SAMPLE_TID, SUBJECT_TID, .key = tid_key },
	{ "thread", "Thread", COLUMN_TEXT, PERF_SAMPLE_TID, SUBJECT_TID | SUBJECT_COMM,
	  .key = thread_key, .text = key_text, .compare = compare_threads },
	{ "cpu", "CPU", COLUMN_NUMBER, PERF_SAMPLE_CPU, SUBJECT_CPU, .key = cpu_key },
	{ "cgroup", "Cgroup", COLUMN_TEXT, PERF_SAMPLE_CGROUP, .key = cgroup_key,
	  .text = key_text, .compare = compare_texts },
	{ "host", "Host", COLUMN_TEXT, PERF_SAMPLE_IDENTIFIER, .key = host_key,
	  .text = key_text, .compare = compare_texts },
	{ "time", "Time", COLUMN_TEXT, PERF_SAMPLE_TIME, SUBJECT_SLICE, .key = time_key,
	  .text = time_text, .compare = compare_numbers, .number = time_number },
	{ "weight", "Weight", COLUMN_NUMBER, PERF_SAMPLE_WEIGHT, SUBJECT_WEIGHT,
	  .key = weight_key },
	{ "parallelism", "Parallelism", COLUMN_NUMBER, NEED_PARALLELISM, SUBJECT_WEIGHT,
	  .key = parallelism_key },
	{ "dso", "Shared Object", COLUMN_TEXT, PERF_SAMPLE_IP, .key = dso_key, .text = key_text,
	  .compare = compare_texts },
	{ "path", "Path", COLUMN_TEXT, PERF_SAMPLE_IP, .key = path_key, .text = key_text,
	  .compare = compare_texts },
	{ "sym", "Symbol", COLUMN_TEXT, PERF_SAMPLE_IP, .key = sym_key, .text = symbol_key_text,
	  .compare = compare_symbols, .number = symbol_number, .mark = symbol_mark },
	{ "srcline", "Source:Line", COLUMN_TEXT, PERF_SAMPLE_IP, .key = srcline_key,
	  .text = key_text, .compare = compare_texts },
	{ "parent", "Parent Symbol", COLUMN_TEXT, .key = parent_key, .text = key_text,
	  .compare = compare_texts },
	{ "state", "State", COLUMN_TEXT, PERF_SAMPLE_RAW, .key = state_key, .text = key_text,
	  .compare = compare_texts },
	{ "waker", "Waker", COLUMN_TEXT, PERF_SAMPLE_RAW, .key = waker_key, .text = key_text,
	  .compare = compare_texts },
	{ "event", "Event", COLUMN_TEXT, .key = event_key, .text = key_text,
	  .compare = compare_texts },
};

const struct column frame_column = {
	.word = "frame", .title = "Frame", .kind = COLUMN_TEXT, .sample = PERF_SAMPLE_IP,
	.key = frame_key, .text = key_text, .compare = compare_texts,
};

/* perf's names of columns that have a different name here. */
static const struct {
	const char *word;
	const char *means;
} synonyms[] = {
	{ "local_weight", "weight" },
	{ "overhead_children", "children" },
	{ "sample", "samples" },
	{ "symbol", "sym" },
};

/* Return name @i in the list of all columns and synonyms, or NULL after the last. */
const char *column_word(size_t i)
{
	if (i < ARRAY_SIZE(columns))
		return columns[i].word;
	i -= ARRAY_SIZE(columns);
	return i < ARRAY_SIZE(synonyms) ? synonyms[i].word : NULL;
}

/* Find a column by its name or synonym. */
const struct column *column_find(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(synonyms); i++) {
		if (!strcmp(synonyms[i].word, word))
			word = synonyms[i].means;
	}
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (!strcmp(columns[i].word, word))
			return &columns[i];
	}
	return NULL;
}

/* Return the index of the column with the functions, else of the last text, or @nr. */
size_t columns_symbol(const struct column *const *list, size_t nr)
{
	size_t found = nr, i;

	for (i = 0; i < nr; i++) {
		if (list[i]->key == sym_key)
			return i;
		if (list[i]->kind == COLUMN_TEXT)
			found = i;
	}
	return found;
}
