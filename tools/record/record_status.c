// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx record - print the status line and the summary
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/number_text.h"
#include "cli/say.h"
#include "record/recording.h"

static bool shown;

static double seconds(u64 ns)
{
	return (double)ns / NSEC_PER_SEC;
}

static u64 lost_samples(const struct recording *rec, struct tprof_lx_ledger *ledger)
{
	struct tprof_lx_stats stats;

	*ledger = (struct tprof_lx_ledger){ 0 };
	if (!device_stats(rec->device, TPROF_LX_SUM, TPROF_LX_SUM, &stats))
		*ledger = stats.ledger;
	return ledger->lost_ring + rec->tally.unwritten;
}

/* Update the status line if stderr is a terminal. */
void status_show(const struct recording *rec)
{
	char samples[32], lost[32], size[16];
	struct tprof_lx_ledger ledger;

	if (verbosity < 0 || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[K[ %.0f s  %s samples  %s lost  %s ]",
		seconds(monotonic_ns() - rec->started),
		count_text(rec->tally.samples, samples, sizeof(samples)),
		count_text(lost_samples(rec, &ledger), lost, sizeof(lost)),
		size_text(rec->writer.end, size, sizeof(size)));
	fflush(stderr);
	shown = true;
}

/* Remove the status line. */
void status_clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

static void add_cause(char *text, size_t len, u64 count, const char *cause)
{
	char number[32];
	size_t used = strlen(text);

	if (count)
		snprintf(text + used, len - used, "%s%s %s", used ? ", " : "",
			 count_text(count, number, sizeof(number)), cause);
}

static void summarize_chains(const struct tprof_lx_stats *stats)
{
	char causes[256] = "";

	add_cause(causes, sizeof(causes), stats->chains_deep,
		  "at the limit of frames (see --max-stack)");
	add_cause(causes, sizeof(causes), stats->chains_absent,
		  "at memory that was not present");
	add_cause(causes, sizeof(causes), stats->chains_lost,
		  "where the kernel's unwinder gave up");
	if (*causes)
		say_note("call chains truncated: %s", causes);
}

/* Print how many callers were found by unwind tables, and how many binaries had none. */
static void summarize_tables(const struct table_counts *counts, const struct tprof_lx_stats *stats)
{
	char tables[32], frames[32], fps[32], causes[256] = "";

	add_cause(causes, sizeof(causes), counts->without, "without unwind information");
	add_cause(causes, sizeof(causes), counts->refused, "refused by the module");
	add_cause(causes, sizeof(causes), counts->foreign, "of other users");
	add_cause(causes, sizeof(causes), counts->late, "too late (make them with tprof-lx tables)");
	say_note("%s %s unwind tables%s%s; %s %s found by tables, %s by frame pointers",
		 count_text(counts->given, tables, sizeof(tables)),
		 by_number(counts->given, "binary has", "binaries have"),
		 *causes ? "; without: " : "", causes,
		 count_text(stats->frames_table, frames, sizeof(frames)),
		 by_number(stats->frames_table, "caller", "callers"),
		 count_text(stats->frames_fp, fps, sizeof(fps)));
}

/* Print how many chains were finished by copies of stacks, and what became of them. */
static void summarize_unfinished(const struct unfinished *unfinished)
{
	const struct unfinished_sums *sums = &unfinished->sums;
	char whole[32], size[16], causes[256] = "";

	if (!sums->bytes && !sums->dropped)
		return;
	add_cause(causes, sizeof(causes), sums->beyond, "end beyond the copy");
	add_cause(causes, sizeof(causes), sums->cut, "end at code without rules");
	add_cause(causes, sizeof(causes), sums->hurried, "waited in vain for a table");
	add_cause(causes, sizeof(causes), sums->kept, "kept what the module had found");
	add_cause(causes, sizeof(causes), sums->dropped, "damaged and not written");
	add_cause(causes, sizeof(causes), unfinished->log.nr_lost, "mappings were too many to know");
	say_note("%s chains found by copies of stacks (%s), as tables came later%s%s",
		 count_text(sums->whole, whole, sizeof(whole)),
		 size_text(sums->bytes, size, sizeof(size)), *causes ? "; " : "", causes);
}

static void summarize_packing(const struct packed_bytes *sums)
{
	char before[16], after[16], hurried[16];

	if (sums->before)
		say_detail("%s of records compressed to %s",
			   size_text(sums->before, before, sizeof(before)),
			   size_text(sums->after, after, sizeof(after)));
	if (sums->hurried)
		say_detail("%s of records left uncompressed: the CPU was short of time",
			   size_text(sums->hurried, hurried, sizeof(hurried)));
}

/*
 * In process scope, ticks are merged even if none is late: a clock adds up the time for
 * which its targets run, and may take several samples' time at one tick.
 */
static bool has_late_ticks(const struct recording *rec, const struct tprof_lx_stats *side,
			   const struct tprof_lx_ledger *ledger)
{
	return !(rec->claim.flags & TPROF_LX_EVENT_PROCESS) &&
	       side->ticks_merged > ledger->taken;
}

/* Print the number of samples written and lost. */
void recording_summary(const struct recording *rec)
{
	char samples[32], size[16], lost[32], causes[256] = "";
	struct tprof_lx_ledger ledger;
	struct tprof_lx_stats side = { 0 };
	u64 nr_lost = lost_samples(rec, &ledger);

	add_cause(causes, sizeof(causes), ledger.lost_ring, "by a full ring (see -m)");
	add_cause(causes, sizeof(causes), rec->tally.unwritten, "by the output");
	say_note("%s %s, %s in %s, %.1f s; %s lost%s%s",
		 count_text(rec->tally.samples, samples, sizeof(samples)),
		 by_number(rec->tally.samples, "sample", "samples"),
		 size_text(rec->writer.end, size, sizeof(size)), rec->output,
		 seconds(rec->stopped - rec->started),
		 nr_lost ? count_text(nr_lost, lost, sizeof(lost)) : "none",
		 nr_lost ? ": " : "", causes);

	if (device_stats(rec->device, TPROF_LX_SUM, TPROF_LX_SUM, &side))
		return;
	if (has_late_ticks(rec, &side, &ledger))
		say_note("fewer samples than requested: late ticks were merged, so a sample represents more time; lower -F");
	if (side.samples_slowed)
		say_note("fewer samples than requested: sampling at that rate would cost too much time; lower -F or raise -c");
	if (side.stalls)
		say_note("events stalled %s %s, for %.3f s in all: the ring was full; raise -m",
			 count_text(side.stalls, lost, sizeof(lost)),
			 by_number(side.stalls, "time", "times"), seconds(side.stalled_ns));
	if (side.yields)
		say_note("another program changed counters: %s %s stopped; %.3f s of samples may be wrong; end it, and record again",
			 count_text(side.yields, lost, sizeof(lost)),
			 by_number(side.yields, "event", "events"), seconds(side.doubtful_ns));
	summarize_chains(&side);
	if (rec->claim.added & TPROF_LX_EVENT_TABLES)
		summarize_tables(&rec->tables.counts, &side);
	summarize_unfinished(&rec->unfinished);
	if (rec->nr_unopened)
		say_note("%s %s not opened in time, so samples may lack callers or symbols; record again",
			 count_text(rec->nr_unopened, lost, sizeof(lost)),
			 by_number(rec->nr_unopened, "binary was", "binaries were"));
	summarize_packing(&rec->packer.sums);
	if (side.side_lost)
		say_note("%llu %s about tasks and mappings %s lost, so some samples have no symbol; raise -m",
			 side.side_lost, by_number(side.side_lost, "record", "records"),
			 by_number(side.side_lost, "was", "were"));
	say_detail("%llu samples taken, %llu filtered; %llu rounds, %llu of them empty; %llu wake-ups, %llu bytes read",
		   ledger.taken, ledger.filtered, side.rounds, side.empty_rounds,
		   side.wakeups, side.bytes_read);
}
