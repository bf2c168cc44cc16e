// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx report - summarize samples, missing symbols and truncated call chains
 */
#include <stdio.h>

#include "base/number_text.h"
#include "report/report_sum.h"

/**
 * struct reason - why a symbol or a part of a call chain is missing
 * @word:	key in JSON
 * @text:	text in messages
 */
struct reason {
	const char *word;
	const char *text;
};

static const struct reason statuses[SYMBOL_NR_STATUS] = {
	[SYMBOL_FOUND] = { "resolved", "resolved" },
	[SYMBOL_NO_MAPPING] = { "not_mapped", "outside all mappings" },
	[SYMBOL_NO_FILE] = { "no_file", "in a file that is missing" },
	[SYMBOL_OTHER_BUILD] = { "other_build", "in a file that was replaced since" },
	[SYMBOL_TOO_MANY] = { "too_many", "in files beyond the limit of open files (ulimit -n)" },
	[SYMBOL_UNREADABLE] = { "unreadable", "in a file that cannot be read" },
	[SYMBOL_STRIPPED] = { "stripped", "in a file without symbols" },
	[SYMBOL_FOREIGN] = { "foreign", "in code with another user's /tmp/perf-PID.map" },
	[SYMBOL_HIDDEN] = { "hidden", "in the kernel, which hides its symbols (kptr_restrict)" },
	[SYMBOL_OTHER_KERNEL] = { "other_kernel",
				  "in another kernel (see --vmlinux, --kallsyms)" },
	[SYMBOL_NAMELESS] = { "nameless", "in functions that are named by their start" },
	[SYMBOL_NO_FUNCTION] = { "no_function", "outside all functions" },
};

static const struct reason ends[FRAME_NR_ENDS] = {
	[FRAME_MORE] = { "deep", "at the limit of frames" },
	[FRAME_OUTERMOST] = { "whole", "whole" },
	[FRAME_BEYOND_COPY] = { "beyond_copy", "at the end of the copied stack" },
	[FRAME_NO_RULES] = { "no_rules", "in code without unwind information" },
	[FRAME_NONSENSE] = { "nonsense", "at an impossible frame" },
	[FRAME_NOT_BEGUN] = { "not_begun", "because the registers are not of 64-bit code" },
};

static const struct reason cuts[LOSSES_NR_CUTS] = {
	[LOSSES_CUT_DEEP] = { "deep", "at the limit of frames (--max-stack)" },
	[LOSSES_CUT_ABSENT] = { "absent", "at memory that was not present" },
	[LOSSES_CUT_LOST] = { "lost", "where the kernel's unwinder gave up" },
};

/*
 * Append the sum of @counts, then each count with its text from @reasons. Leave out counts
 * of 0, and @counts[@in_order], which counts the cases in which nothing is missing. If the
 * sum is 0, append nothing.
 */
static size_t put_reasons(char *buf, size_t len, const char *what, const struct reason *reasons,
			  const u64 *counts, size_t nr, size_t in_order)
{
	const char *before = ": ";
	char count[32];
	size_t used, i;
	u64 sum = 0;

	for (i = 0; i < nr; i++)
		sum += i == in_order ? 0 : counts[i];
	if (!sum)
		return 0;
	used = snprintf(buf, len, "; %s %s", count_text(sum, count, sizeof(count)), what);
	for (i = 0; i < nr && used < len; i++) {
		if (!counts[i] || i == in_order)
			continue;
		used += snprintf(buf + used, len - used, "%s%s %s", before,
				 count_text(counts[i], count, sizeof(count)), reasons[i].text);
		before = ", ";
	}
	return used < len ? used : len - 1;
}

/* Append "; @nr @what", unless @nr is 0. */
static size_t put_count(char *buf, size_t len, u64 nr, const char *what)
{
	char count[32];
	size_t used;

	if (!nr)
		return 0;
	used = snprintf(buf, len, "; %s %s", count_text(nr, count, sizeof(count)), what);
	return used < len ? used : len - 1;
}

/* Append how long events stalled, unless none did. */
static size_t put_stalls(char *buf, size_t len, const struct losses *losses)
{
	char count[32];
	size_t used;

	if (!losses->stalls)
		return 0;
	used = snprintf(buf, len, "; stalled %s %s, for %.3f s",
			count_text(losses->stalls, count, sizeof(count)),
			by_number(losses->stalls, "time", "times"),
			(double)losses->stalled_ns / NSEC_PER_SEC);
	return used < len ? used : len - 1;
}

/* Append that events stopped because of another program, unless none did. */
static size_t put_yields(char *buf, size_t len, const struct losses *losses)
{
	char count[32];
	size_t used;

	if (!losses->yields)
		return 0;
	used = snprintf(buf, len,
			"; events stopped %s %s: another program changed their counters; the last %.3f s before may be wrong",
			count_text(losses->yields, count, sizeof(count)),
			by_number(losses->yields, "time", "times"),
			(double)losses->doubtful_ns / NSEC_PER_SEC);
	return used < len ? used : len - 1;
}

/* Format the summary of all samples as text into @buf. Return @buf. */
const char *report_sum_text(const struct gather *gather, char *buf, size_t len)
{
	u64 lost = losses_sum(&gather->losses);
	char count[32];
	size_t used;

	used = snprintf(buf, len, "%s %s", count_text(gather->samples, count, sizeof(count)),
			by_number(gather->samples, "sample", "samples"));
	used += snprintf(buf + used, len - used, "; %s lost",
			 lost ? count_text(lost, count, sizeof(count)) : "none");
	used += put_count(buf + used, len - used, gather->nr_not_understood,
			  by_number(gather->nr_not_understood, "record not understood",
				    "records not understood"));
	used += put_stalls(buf + used, len - used, &gather->losses);
	used += put_yields(buf + used, len - used, &gather->losses);
	used += put_reasons(buf + used, len - used, "without a symbol", statuses,
			    gather->unresolved, SYMBOL_NR_STATUS, SYMBOL_FOUND);
	used += put_reasons(buf + used, len - used, "call chains truncated", ends,
			    gather->chain.ends, FRAME_NR_ENDS, FRAME_OUTERMOST);
	used += put_reasons(buf + used, len - used, "call chains truncated when recorded", cuts,
			    gather->losses.cuts, LOSSES_NR_CUTS, LOSSES_NR_CUTS);
	used += put_count(buf + used, len - used, gather->nr_continued,
			  "call chains completed by deferred chains");
	used += put_count(buf + used, len - used, gather->losses.filtered,
			  "dropped by a filter when recorded");
	used += put_count(buf + used, len - used, gather->paths_left_out,
			  "call paths left out of full trees");
	used += put_count(buf + used, len - used, world_left_out(&gather->world),
			  "mappings left out for lack of room");
	put_count(buf + used, len - used, gather->world.jits.nr_unused,
		  "jit-PID.dump files missing, not trusted or of another clock");
	return buf;
}

static void json_reasons(struct json *json, const char *name, const struct reason *reasons,
			 const u64 *counts, size_t nr)
{
	size_t i;

	json_begin(json, name, '{');
	for (i = 0; i < nr; i++)
		json_u64(json, reasons[i].word, counts[i]);
	json_end(json, '}');
}

/* Print the summary as members of a JSON object. */
void report_sum_json(const struct gather *gather, struct json *json)
{
	json_u64(json, "samples", gather->samples);
	json_u64(json, "lost", losses_sum(&gather->losses));
	json_u64(json, "not_understood", gather->nr_not_understood);
	json_u64(json, "stalls", gather->losses.stalls);
	json_u64(json, "stalled_ns", gather->losses.stalled_ns);
	json_u64(json, "yields", gather->losses.yields);
	json_u64(json, "doubtful_ns", gather->losses.doubtful_ns);
	json_reasons(json, "symbols", statuses, gather->unresolved, SYMBOL_NR_STATUS);
	json_reasons(json, "unwound_chains", ends, gather->chain.ends, FRAME_NR_ENDS);
	json_reasons(json, "cut_chains", cuts, gather->losses.cuts, LOSSES_NR_CUTS);
	json_u64(json, "continued_chains", gather->nr_continued);
}
