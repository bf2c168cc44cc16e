// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - write the ledger, features and header that complete a recording
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "perfdata/record_make.h"
#include "record/recording.h"

/* CPU number in the ledger lines about the whole session. */
#define NO_CPU (~0U)

/* Append a line of the ledger as a CGROUP record, with a time after all other records. */
static void add_line(const struct recording *rec, struct bytes *out, u32 event, u32 cpu,
		     const char *path)
{
	struct record_trailer trailer = {
		.cpu = cpu == NO_CPU ? 0 : cpu,
		.id = rec->events.all[event].id,
		.sample_type = rec->events.all[event].attr.sample_type,
	};
	struct timespec now = { 0 };

	clock_gettime(rec->clockid, &now);
	trailer.time = now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
	record_cgroup(out, &trailer, (u64)event << 32 | cpu, path);
}

static void add_row(const struct recording *rec, struct bytes *out, u32 event, u32 cpu)
{
	struct tprof_lx_stats stats;
	char path[384];

	if (device_stats(rec->device, cpu, event, &stats) ||
	    !(stats.ledger.taken || stats.yields))
		return;
	snprintf(path, sizeof(path),
		 TPROF_LX_LEDGER_PREFIX
		 "cpu=%u event=%u taken=%llu delivered=%llu filtered=%llu lost_ring=%llu queued=%llu stalls=%llu stalled_ns=%llu yields=%llu doubtful_ns=%llu yielded_ns=%llu",
		 cpu, event, stats.ledger.taken, stats.ledger.delivered, stats.ledger.filtered,
		 stats.ledger.lost_ring, stats.ledger.queued, stats.stalls, stats.stalled_ns,
		 stats.yields, stats.doubtful_ns, stats.yielded_ns);
	add_line(rec, out, event, cpu, path);
}

/* Append the counts of the whole session, and the number of unwritten samples. */
static void add_session(const struct recording *rec, struct bytes *out)
{
	struct tprof_lx_stats stats;
	char path[768];
	int len;

	if (device_stats(rec->device, TPROF_LX_SUM, TPROF_LX_SUM, &stats))
		return;
	len = snprintf(path, sizeof(path),
		       TPROF_LX_LEDGER_PREFIX
		       "session side_pushed=%llu side_lost=%llu ticks_merged=%llu samples_slowed=%llu chains_deep=%llu chains_absent=%llu chains_lost=%llu unwritten=%llu unopened=%u",
		       stats.side_pushed, stats.side_lost, stats.ticks_merged, stats.samples_slowed,
		       stats.chains_deep, stats.chains_absent, stats.chains_lost,
		       rec->tally.unwritten, rec->nr_unopened);
	if (rec->claim.added & TPROF_LX_EVENT_TABLES)
		snprintf(path + len, sizeof(path) - len,
			 " tables=%u frames_table=%llu frames_fp=%llu chains_whole=%llu chains_cut=%llu chains_astray=%llu chains_unmapped=%llu",
			 rec->tables.counts.given, stats.frames_table, stats.frames_fp,
			 stats.chains_whole, stats.chains_cut, stats.chains_astray,
			 stats.chains_unmapped);
	add_line(rec, out, 0, NO_CPU, path);
}

/* Append the counts of --count, and those of the events that sample, if they count. */
static int add_counts(struct recording *rec, struct bytes *out)
{
	struct counting *counting = &rec->counts.counting;
	int err;

	if (!counting->nr_events || !rec->started)
		return 0;
	counting->is_cumulative = true;
	err = counting_read(counting);
	if (!err)
		recording_add_counts(rec, out, rec->stopped - rec->started);
	return err;
}

static int write_ledger(struct recording *rec)
{
	struct bytes out = { 0 };
	size_t written;
	u32 event, cpu;
	int err, append_err;

	for (event = 0; event < rec->events.nr; event++) {
		for (cpu = 0; cpu < rec->info.info.nr_cpus; cpu++)
			add_row(rec, &out, event, cpu);
	}
	add_session(rec, &out);
	err = add_counts(rec, &out);

	/*
	 * From here on, the ledger may use the space reserved for it: reserve space
	 * only for the features.
	 */
	rec->writer.tail = features_size(&rec->features);
	append_err = bytes_err(&out);
	if (!append_err)
		append_err = writer_append(&rec->writer, out.data, out.len, &written);
	bytes_free(&out);
	return append_err ? append_err : err;
}

/* Return the ratio sums.before / sums.after, rounded as perf does. */
static u32 packing_ratio(const struct recording *rec)
{
	const struct packed_bytes *sums = &rec->packer.sums;

	return sums->after ? (sums->before + sums->after / 2) / sums->after : 0;
}

/*
 * Complete the file, even if an earlier write to it failed. The session must be stopped.
 */
int recording_finish(struct recording *rec)
{
	int ledger_err, err;

	recording_write_packed(rec, true);
	if (rec->level)
		features_set_compression(&rec->features, rec->level, packing_ratio(rec));
	if (rec->tally.samples)
		features_add_times(&rec->features, rec->tally.first, rec->tally.last);
	dso_set_write(&rec->dsos, &rec->features.section[PERFDATA_BUILD_ID]);
	ledger_err = write_ledger(rec);
	err = writer_end(&rec->writer, &rec->features);
	if (!err)
		err = ledger_err;
	/* If dsos.failed, the file lacks the build-id of a binary. */
	return !err && rec->dsos.failed ? -ENOMEM : err;
}
