// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - embed symbols in a recording
 *
 * When the recording is complete, read it as `report` does, and look up the symbols.
 * Then append the symbols to the file, as a feature. Without --self-contained, these are only
 * the symbols of binaries that the opener has kept, and with it, the code of kernel functions is
 * appended, too.
 *
 * With --self-contained, these are the functions at all sampled addresses; for an address
 * without a function, the reason is appended. `report` uses them before all other symbols. To
 * read binaries and kernel addresses, the process keeps its capabilities until the end. It
 * opens /proc/kcore before it drops the first ones, and so needs no capability to read that.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "code/kernel_text.h"
#include "perfdata/reader.h"
#include "perfdata/stitch.h"
#include "record/recording.h"
#include "world/chain.h"

static int look_up_sample(struct world *world, struct chain *chain, const struct record *record)
{
	const struct layout *layout = &record->event->layout;
	u16 misc = record->header.misc;
	struct sample sample;
	struct spot spot;
	int err = layout_sample(layout, record->data, &sample);

	if (!err)
		err = world_resolve_sample(world, sample.pid, misc, sample.ip, &spot);
	return err ? err : chain_find(chain, world, &layout->attr, &sample, is_kernel_mode(misc));
}

static int look_up_all(struct world *world, struct chain *chain, struct reader *reader)
{
	struct stitch stitch;
	struct record record;
	int ret, err = 0;

	stitch_init(&stitch, reader);
	while (!err && (ret = stitch_next(&stitch, &record)) > 0) {
		err = world_update(world, &record);
		if (!err && record.event && record.header.type == PERF_RECORD_SAMPLE)
			err = look_up_sample(world, chain, &record);
	}
	stitch_free(&stitch);
	return err ? err : ret;
}

/* Embed mangled names: `report` demangles them, unless it has --no-demangle. */
static int collect(const struct recording *rec, struct reader *reader,
		   struct feature_set *features)
{
	struct bytes *symbols = &features->section[PERFDATA_TPROF_SYMBOLS];
	struct bytes *code = &features->section[PERFDATA_TPROF_CODE];
	const struct symbol_options options = {
		.no_demangle = true,
		.no_debuginfod = true,
		.kept = &rec->kept,
		.only_kept = !rec->embeds,
	};
	struct world world;
	struct chain chain;
	int err = chain_init(&chain);

	if (err)
		return err;
	err = world_init(&world, &options, &reader->features);
	if (!err)
		err = look_up_all(&world, &chain, reader);
	if (!err)
		objects_embed(&world.objects, symbols);
	if (!err && rec->embeds && rec->kernel_memory >= 0)
		kernel_text_write(rec->kernel_memory, &world.objects, code);
	world_free(&world);
	chain_free(&chain);
	err = err ? err : bytes_err(symbols);
	return err ? err : bytes_err(code);
}

/* Open the file again, through /proc/self/fd, because it may have been renamed. */
static int read_again(const struct recording *rec, struct feature_set *features)
{
	struct reader reader;
	char path[32];
	int err, fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", rec->writer.fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	objects_allow_many_files();
	err = reader_open(&reader, fd);
	if (!err) {
		err = collect(rec, &reader, features);
		reader_close(&reader);
	}
	close(fd);
	return err;
}

/*
 * Add the symbols, and the kernel's code, to a complete file. On failure, write the end of the
 * file again without them, and return -errno.
 */
int recording_embed(struct recording *rec)
{
	struct bytes *section = &rec->features.section[PERFDATA_TPROF_SYMBOLS];
	int err = read_again(rec, &rec->features);

	if (!err && section->len > PERFDATA_FEATURE_MAX)
		err = -EFBIG;
	if (!err)
		err = writer_end(&rec->writer, &rec->features);
	if (err) {
		bytes_free(section);
		bytes_free(&rec->features.section[PERFDATA_TPROF_CODE]);
		writer_end(&rec->writer, &rec->features);
	}
	return err;
}
