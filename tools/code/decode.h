/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - decode machine code of x86-64 by Zydis
 */
#ifndef TPROF_DECODE_H
#define TPROF_DECODE_H

#include <Zydis/Zydis.h>

#include "code/instruction.h"

/**
 * struct decoder - Zydis, set up for AT&T syntax
 * @decoder:	decodes
 * @formatter:	makes texts
 */
struct decoder {
	ZydisDecoder decoder;
	ZydisFormatter formatter;
};

/* The message to the user if decoder_init() fails. */
#define DECODER_MISMATCH "libZydis is of another version; install the one of the build"

int decoder_init(struct decoder *decoder);
int decode(const struct decoder *decoder, const struct machine_code *code,
	   struct instructions *out);
bool decode_unknown(const struct decoder *decoder, const struct machine_code *code);
void decode_blank(const struct decoder *decoder, const struct machine_code *code, u8 *copy);
void decode_flow(const struct decoder *decoder, const struct machine_code *code,
		 struct instruction *instruction);

#endif /* TPROF_DECODE_H */
