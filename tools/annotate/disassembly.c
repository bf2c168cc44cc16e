// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx annotate - disassemble functions, by objdump(1) if Zydis does not know all of one
 *
 * objdump takes long to start. So it disassembles all such functions of a binary in one run,
 * when the first of them is needed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/disassembly.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "code/code_file.h"
#include "code/objdump.h"

/**
 * struct batch - functions for one run of objdump
 * @functions:	the functions
 * @codes:	their code
 * @pieces:	the same, as objdump_all() takes it
 * @out:	their instructions
 * @nr:		number of functions
 */
struct batch {
	const struct hot_function **functions;
	struct function_code *codes;
	struct machine_code *pieces;
	struct instructions *out;
	size_t	nr;
};

static u64 key_of(const struct hot_function *function)
{
	return hash_number((uintptr_t)function);
}

/* Return true if objdump must disassemble @code. */
static bool needs_objdump(const struct disassembly *all, const struct machine_code *code)
{
	return all->is_forced || decode_unknown(&all->decoder, code);
}

static void add_function(struct disassembly *all, struct batch *batch,
			 const struct hot_function *function)
{
	struct function_code *code = &batch->codes[batch->nr];

	if (batch->nr == CODE_FILE_PIECES)
		return;
	if (code_find(all->sources, function->object, function->symbol, code) ||
	    !needs_objdump(all, &code->code)) {
		code_free(code);
		return;
	}
	batch->functions[batch->nr] = function;
	batch->pieces[batch->nr++] = code->code;
}

/* Keep the instructions of a function: a screen may show it several times. */
static int keep(struct disassembly *all, const struct hot_function *function,
		struct instructions *made)
{
	struct instructions *kept = malloc(sizeof(*kept));

	if (!kept || hash_table_add(&all->done, key_of(function), kept)) {
		free(kept);
		return -ENOMEM;
	}
	*kept = *made;
	*made = (struct instructions){ 0 };
	return 0;
}

static bool make_batch(struct batch *batch, size_t nr)
{
	batch->functions = calloc(nr, sizeof(*batch->functions));
	batch->codes = calloc(nr, sizeof(*batch->codes));
	batch->pieces = calloc(nr, sizeof(*batch->pieces));
	batch->out = calloc(nr, sizeof(*batch->out));
	return batch->functions && batch->codes && batch->pieces && batch->out;
}

static void free_batch(struct batch *batch)
{
	size_t i;

	for (i = 0; i < batch->nr; i++) {
		code_free(&batch->codes[i]);
		instructions_free(&batch->out[i]);
	}
	free(batch->functions);
	free(batch->codes);
	free(batch->pieces);
	free(batch->out);
}

/*
 * Disassemble @function and all other functions of its binary that need it by objdump. If
 * objdump cannot be used, set disassembly.failure. Return 0 or -ENOMEM.
 */
static int run_objdump(struct disassembly *all, const struct hot_function *function)
{
	struct batch batch = { 0 };
	int err = make_batch(&batch, all->nr + 1) ? 0 : -ENOMEM;
	size_t i;

	if (!err)
		add_function(all, &batch, function);
	for (i = 0; i < all->nr && !err; i++) {
		if (all->functions[i] != function && all->functions[i]->object == function->object)
			add_function(all, &batch, all->functions[i]);
	}
	if (!err) {
		err = objdump_all(all->objdump, &all->decoder, batch.pieces, batch.nr, batch.out);
		all->failure = err == -ENOMEM ? 0 : err;
		err = err == -ENOMEM ? err : 0;
	}
	for (i = 0; i < batch.nr && !err && !all->failure; i++)
		err = keep(all, batch.functions[i], &batch.out[i]);
	free_batch(&batch);
	return err;
}

static u64 count_unknown(const struct instructions *out)
{
	u64 nr = 0;
	size_t i;

	for (i = 0; i < out->nr; i++)
		nr += out->list[i].is_known ? 0 : out->list[i].len;
	return nr;
}

/*
 * Append the instructions of a function to @out. @code is its code. Return 0 or -ENOMEM.
 */
int disassemble(struct disassembly *all, const struct hot_function *function,
		const struct function_code *code, struct instructions *out)
{
	struct instructions *kept = hash_table_find(&all->done, key_of(function), NULL, NULL);
	int err = 0;

	if (!kept && !all->failure && needs_objdump(all, &code->code)) {
		err = run_objdump(all, function);
		kept = hash_table_find(&all->done, key_of(function), NULL, NULL);
	}
	if (kept)
		err = instructions_copy(out, kept);
	else if (!err)
		err = decode(&all->decoder, &code->code, out);
	all->nr_unknown += count_unknown(out);
	return err;
}

/* Format what follows from the failure of objdump. Return @buf. */
static const char *describe_unknown(const struct disassembly *all, char *buf, size_t len)
{
	if (all->nr_unknown)
		snprintf(buf, len, "%llu %s shown as .byte", all->nr_unknown,
			 by_number(all->nr_unknown, "byte is", "bytes are"));
	else
		snprintf(buf, len, "the code is disassembled without it");
	return buf;
}

/*
 * Set @message to how objdump failed, and to what is shown instead. Return false if it did not
 * fail.
 */
bool disassembly_complain(const struct disassembly *all, struct message *message)
{
	const char *objdump = printable(all->objdump);
	char buf[64];
	const char *unknown = describe_unknown(all, buf, sizeof(buf));

	if (!all->failure)
		return false;
	if (all->failure == -ENOENT)
		message_set(message, 0, "%s is not there: %s; apt install binutils", objdump,
			    unknown);
	else if (all->failure == -EIO)
		message_set(message, 0, "the output of %s is no disassembly of the code: %s",
			    objdump, unknown);
	else
		message_set(message, 0, "%s failed (%s): %s", objdump, strerror(-all->failure),
			    unknown);
	return true;
}

static void free_kept(void *entry)
{
	instructions_free(entry);
	free(entry);
}

void disassembly_free(struct disassembly *all)
{
	hash_table_free(&all->done, free_kept);
}
