// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - make a request of a recording, and read it again
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/say.h"
#include "perfdata/wall_clock.h"
#include "push/parcels.h"

#define MAGIC		"tprof-lx parcel 1"

/* Characters of an escaped query. */
#define QUERY "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%&="

/**
 * struct making - a parcel being made
 * @export:	what to export
 * @options:	the command line
 * @fd:		the file
 * @at:		where to write next
 * @max:	maximum size of the file
 * @err:	0, -errno of a write, or -EFBIG above @max
 * @digest:	hash of the body so far
 * @source:	the recording
 */
struct making {
	struct export_options export;
	const struct push_options *options;
	int	fd;
	u64	at;
	u64	max;
	int	err;
	struct digest digest;
	struct source *source;
};

static int write_at(int fd, const char *data, size_t len, u64 at)
{
	ssize_t done;

	while (len) {
		done = pwrite(fd, data, len, at);
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		data += done;
		len -= done;
		at += done;
	}
	return 0;
}

static ssize_t add_to_body(void *cookie, const char *data, size_t len)
{
	struct making *making = cookie;

	if (!making->err && len > making->max - making->at)
		making->err = -EFBIG;
	if (!making->err)
		making->err = write_at(making->fd, data, len, making->at);
	digest_add(&making->digest, data, len);
	making->at += making->err ? 0 : len;
	errno = -making->err;
	return making->err ? 0 : len;
}

static int write_head(struct making *making, const struct body *body)
{
	const struct engine *engine = making->options->engine;
	char head[PARCEL_HEAD];
	FILE *out = fmemopen(head, sizeof(head), "w");
	bool is_too_long;

	memset(head, '\n', sizeof(head));
	if (!out)
		return -ENOMEM;
	fprintf(out, "%s\n%s\n", MAGIC, engine->name);
	engine->write_query(body, out);
	putc('\n', out);
	is_too_long = fflush(out) || ftell(out) >= (long)sizeof(head) - 1;
	fclose(out);
	if (is_too_long)
		return -E2BIG;
	head[strlen(head)] = '\n';
	return write_at(making->fd, head, sizeof(head), 0);
}

/* Make times of samples dates. Return false if the recording has no date. */
static bool set_dates(const struct export *export, struct export_span *span)
{
	u64 offset;

	if (!wall_clock_offset(&export->reader->features, &offset))
		return false;
	span->first += offset;
	span->last += offset;
	return true;
}

static int finish(struct making *making, struct body *body)
{
	const char *input = printable(making->export.input);

	making->source->is_empty = !body->span.nr;
	if (making->source->is_empty)
		return STATUS_OK;
	if (!set_dates(body->export, &body->span))
		return say_error("%s has no time of day; record it with tprof-lx, or perf record -k CLOCK_MONOTONIC",
				 input);
	making->err = write_head(making, body);
	if (making->err == -E2BIG)
		return say_error("the labels are too long for a URL; use --to pyroscope-push or shorten them");
	return STATUS_OK;
}

/* Write body and head. Errors of the file remain in making.err. */
static int write_parcel(const struct export *export)
{
	struct making *making = container_of(export->options, struct making, export);
	struct export copy = *export;
	struct body body = { .options = making->options, .export = &copy,
			     .labels = making->options->labels, .digest = &making->digest };
	int status;

	if (fstat(export->reader->input.fd, &making->source->st))
		return say_failure(-errno, making->export.input);
	labels_add_recording(&body.labels, &export->reader->features);
	copy.span = &body.span;
	digest_begin(&making->digest);
	copy.out = fopencookie(making, "w", (cookie_io_functions_t){ .write = add_to_body });
	if (!copy.out)
		return say_failure(-ENOMEM, making->export.input);
	status = making->options->engine->write_body(&body);
	fclose(copy.out);
	if (status || making->err)
		return STATUS_FAILED;
	return finish(making, &body);
}

/*
 * Write the request for the recording @input to @fd, an empty file, which gets at most @max
 * bytes, and fill in @source. Return an exit status, after an error was printed, or
 * PARCEL_TOO_LARGE.
 */
int parcel_make(const struct push_options *opts, const char *input, int fd, u64 max,
		struct source *source)
{
	struct making making = {
		.export = { .input = input, .interval = opts->interval,
			    .gather.filter = opts->filter, .symbols = opts->symbols },
		.options = opts, .fd = fd, .at = PARCEL_HEAD, .max = max, .source = source,
	};
	int status;

	*source = (struct source){ 0 };
	if (max < PARCEL_HEAD)
		return PARCEL_TOO_LARGE;
	status = export_file(&making.export, write_parcel);
	if (making.err == -EFBIG)
		return PARCEL_TOO_LARGE;
	if (making.err && making.err != -E2BIG)
		return say_error("cannot write the request for %s: %s", printable(input),
				 strerror(-making.err));
	return status;
}

/* Return the next line of @text, and end it. Return NULL if there is none. */
static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return line;
}

static bool is_query(const char *text)
{
	return text && !text[strspn(text, QUERY)];
}

/* Take the request in @fd. Return false if the file is not a complete request. */
bool parcel_read(struct parcel *parcel, int fd)
{
	char *text = parcel->head, *line;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < PARCEL_HEAD ||
	    pread(fd, parcel->head, PARCEL_HEAD, 0) != PARCEL_HEAD)
		return false;
	parcel->head[PARCEL_HEAD] = '\0';
	parcel->fd = fd;
	parcel->len = st.st_size - PARCEL_HEAD;
	line = next_line(&text);
	if (!line || strcmp(line, MAGIC))
		return false;
	line = next_line(&text);
	parcel->engine = line ? engine_find(line) : NULL;
	parcel->query = next_line(&text);
	return parcel->engine && is_query(parcel->query);
}
