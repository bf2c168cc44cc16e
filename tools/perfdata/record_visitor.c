// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - give all records of a recording to functions
 */
#include "perfdata/record_visitor.h"
#include "perfdata/stitch.h"

/* Number of records between two calls of record_visitor.progress. */
#define RECORDS_PER_STEP	16384

static void count_records(struct record_visitor *visitor, const struct reader *reader, size_t nr)
{
	u64 before = visitor->records / RECORDS_PER_STEP;

	visitor->records += nr;
	if (visitor->progress && visitor->records / RECORDS_PER_STEP != before)
		visitor->progress(reader);
}

/*
 * Take what follows in the file: samples, or one record. Return 1, 0 at the end of the file,
 * or -errno.
 */
static int take_next(struct record_visitor *visitor, struct stitch *stitch)
{
	struct lent_sample samples[VISITOR_BATCH];
	struct record record;
	size_t nr = 0;
	int err;

	if (stitch_is_idle(stitch))
		nr = reader_samples(stitch->reader, samples, VISITOR_BATCH);
	if (nr) {
		count_records(visitor, stitch->reader, nr);
		err = visitor->take_samples(visitor->arg, samples, nr);
		return err ? err : 1;
	}
	err = stitch_next(stitch, &record);
	if (err <= 0)
		return err;
	count_records(visitor, stitch->reader, 1);
	err = visitor->take_record(visitor->arg, &record);
	return err ? err : 1;
}

/*
 * Read the file to its end. Return 0, the first error of @visitor->take_samples or
 * @visitor->take_record, or -errno. If reading fails, @reader->msg may have the details.
 */
int visit_records(struct record_visitor *visitor, struct reader *reader)
{
	struct stitch stitch;
	int ret;

	stitch_init(&stitch, reader);
	do {
		ret = take_next(visitor, &stitch);
	} while (ret > 0);
	visitor->nr_continued = stitch.nr_continued;
	stitch_free(&stitch);
	return ret;
}
