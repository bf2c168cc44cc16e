// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - print the instructions of functions with the samples of each
 */
#include <errno.h>
#include <string.h>

#include "annotate/choice.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "cli/file_input.h"
#include "cli/gather_input.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "perfdata/losses.h"

static int print_one(const struct annotate_options *opts, struct annotation *annotation,
		     struct disassembly *disassembly, const struct hot_function *function)
{
	struct listing listing;
	int err;

	err = listing_make(&listing, disassembly, function, annotation->functions->nr_events);
	if (!err && !opts->no_source)
		err = listing_find_places(&listing, disassembly->sources);
	if (!err)
		opts->format->print(annotation, &listing);
	listing_free(&listing);
	return err;
}

static int print_all(const struct annotate_options *opts, struct annotation *annotation,
		     struct disassembly *disassembly)
{
	size_t i;
	int err = 0;

	opts->format->begin(annotation);
	for (i = 0; i < disassembly->nr && !err && !ferror(stdout); i++)
		err = print_one(opts, annotation, disassembly, disassembly->functions[i]);
	if (opts->format->end)
		opts->format->end(annotation);
	source_files_free(&annotation->sources);
	return err;
}

static void warn(const struct gather *gather, const struct hot_functions *all,
		 const struct choice *choice, const struct annotate_options *opts)
{
	u64 lost = losses_sum(&gather->losses);

	if (lost)
		say_note("%llu %s lost", lost, by_number(lost, "sample was", "samples were"));
	if (all->nr_elsewhere)
		say_note("%llu %s in no function; tprof-lx report says why", all->nr_elsewhere,
			 by_number(all->nr_elsewhere, "sample is", "samples are"));
	if (choice->nr_left_out)
		say_note("%zu %s below %g %% left out; see --percent-limit", choice->nr_left_out,
			 by_number(choice->nr_left_out, "function", "functions"), opts->limit);
}

static int print(const struct annotate_options *opts, struct gather *gather,
		 struct annotation *annotation, const struct choice *choice)
{
	struct disassembly disassembly = {
		.sources = &gather->world.objects.sources,
		.functions = choice->list,
		.nr = choice->nr,
		.objdump = opts->objdump ? opts->objdump : "objdump",
		.is_forced = opts->objdump,
	};
	int err = decoder_init(&disassembly.decoder);
	struct message message;
	pid_t pager = 0;

	if (err)
		return say_error(DECODER_MISMATCH);
	if (!opts->format->no_pager)
		pager = pager_start();
	err = print_all(opts, annotation, &disassembly);
	if (disassembly_complain(&disassembly, &message))
		say_note("%s", message.text);
	disassembly_free(&disassembly);
	if (err)
		say_failure(err, opts->input);
	if (!pager_wait(pager))
		return say_error("the pager cannot be run; check $PAGER, or use --stdio");
	return err || (opts->objdump && disassembly.failure) ? STATUS_FAILED : STATUS_OK;
}

static int present(const struct annotate_options *opts, const struct reader *reader,
		   struct gather *gather)
{
	struct hot_functions all;
	struct annotation annotation = {
		.functions = &all,
		.reader = reader,
		.objects = &gather->world.objects,
		.sources.symfs = opts->symbols.symfs,
		.out = stdout,
	};
	struct choice choice = { 0 };
	int err = hot_functions_make(&all, gather), status;

	if (err)
		status = say_failure(err, opts->input);
	else if (!all.nr && !opts->symbol)
		status = say_error("%s has no samples in functions; tprof-lx report says why",
				   printable(opts->input));
	else
		status = choice_make(&choice, opts, &all);
	if (!status) {
		warn(gather, &all, &choice, opts);
		status = print(opts, gather, &annotation, &choice);
	}
	choice_free(&choice);
	hot_functions_free(&all);
	return status;
}

static int show(struct annotate_options *opts, struct reader *reader)
{
	struct gather gather;
	int failed, status;

	opts->gather.progress = progress_show;
	status = gather_input(&gather, &opts->gather, &opts->symbols, reader, opts->input);
	failed = status && !gather.samples ? STATUS_FAILED :
	       gather_has_events(&gather, reader) ? present(opts, reader, &gather) :
	       say_no_event(opts->input, opts->gather.filter.events, reader);
	gather_free(&gather);
	return failed ? failed : status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct annotate_options opts;
	struct reader reader;
	int status, fd;

	status = annotate_options_read(&opts, self, argc, argv);
	if (status)
		return status;
	fd = open_input(opts.input, &reader);
	if (fd < 0)
		return STATUS_FAILED;
	status = show(&opts, &reader);
	close_input(opts.input, &reader, fd);
	return status;
}

const struct command annotate_command = {
	.name = "annotate",
	.summary = "show the instructions of functions, with the samples of each",
	.operands = "[SYMBOL]",
	.is_mixed = true,
	.text = "SYMBOL is a function's name, or an address in it such as 0x1139.\n"
		"Without SYMBOL, all functions are shown, those with most samples first.\n"
		"--comm, --dso and --sym hide samples; percentages of functions still refer to all.\n",
	.options = annotate_rows,
	.run = run,
};
