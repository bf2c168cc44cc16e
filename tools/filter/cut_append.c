// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx filter - append records other than samples, and compare their times and CPUs
 */
#include <errno.h>
#include <string.h>

#include "filter/cut.h"

/* Append the trailer that records of the first event of the output have. */
void cut_add_trailer(struct cut *cut, const struct sample *fields)
{
	const struct perf_event_attr *attr = &cut->events[0].attr;
	u64 has = attr->sample_id_all ? attr->sample_type : 0, id = cut->events[0].id;

	if (has & PERF_SAMPLE_TID) {
		bytes_add_u32(&cut->out, fields->pid);
		bytes_add_u32(&cut->out, fields->tid);
	}
	if (has & PERF_SAMPLE_TIME)
		bytes_add_u64(&cut->out, fields->time);
	if (has & PERF_SAMPLE_ID)
		bytes_add_u64(&cut->out, id);
	if (has & PERF_SAMPLE_STREAM_ID)
		bytes_add_u64(&cut->out, id);
	if (has & PERF_SAMPLE_CPU)
		bytes_add_u64(&cut->out, fields->cpu);
	if (has & PERF_SAMPLE_IDENTIFIER)
		bytes_add_u64(&cut->out, id);
}

/*
 * Append a record that is no sample. If its event is dropped, it becomes one of the first event of
 * the output. Return 0 or -errno.
 */
int cut_append(struct cut *cut, const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	struct perf_event_header header = record->header;
	size_t begin = cut->out.len, body = header.size - layout->trailer;
	struct sample fields;

	if (cut_event(cut, record) != EVENT_DROPPED) {
		bytes_add(&cut->out, record->data, header.size);
		return bytes_err(&cut->out);
	}
	if (layout_trailer(layout, record->data, &fields))
		return -EBADMSG;
	bytes_add(&cut->out, record->data, body);
	cut_add_trailer(cut, &fields);
	if (bytes_err(&cut->out))
		return -ENOMEM;
	if (cut->out.len - begin > PERFDATA_RECORD_LIMIT)
		return -EBADMSG;
	header.size = cut->out.len - begin;
	memcpy(cut->out.data + begin, &header, sizeof(header));
	return 0;
}

/* Return true if @record is from a time after that of the filter. */
bool cut_is_over(const struct cut *cut, const struct record *record)
{
	return cut->filter->to && cut_has_time(record) && record->time > cut->filter->to;
}

/* Return true if @record, which is about a moment, is within the time of the filter. */
bool cut_takes_time(const struct cut *cut, const struct record *record)
{
	return !cut_is_over(cut, record) &&
	       (!cut_has_time(record) || record->time >= cut->filter->from);
}

/* Return true if the filter takes the CPU of @record, which is no sample, or if that is unknown. */
bool cut_takes_cpu(const struct cut *cut, const struct record *record)
{
	const struct cpu_list *cpus = &cut->filter->cpus;
	struct sample fields;

	if (!cpus->bytes || layout_trailer(&record->event->layout, record->data, &fields))
		return true;
	return !(fields.fields & PERF_SAMPLE_CPU) || cpu_list_has(cpus, fields.cpu);
}
