// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - decode machine code of x86-64 by Zydis
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "code/decode.h"
#include "code/gnu_names.h"

/* Maximum length of a name and of a text; Zydis makes no longer ones. */
#define NAME_LEN	32
#define TEXT_LEN	256

/**
 * struct decoded - what Zydis has found
 * @is:		the instruction
 * @operands:	its operands, hidden ones included
 */
struct decoded {
	ZydisDecodedInstruction is;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Return 0, or -ENOTSUP if Zydis at run time is not the one of the build. */
int decoder_init(struct decoder *decoder)
{
	static const struct {
		ZydisFormatterProperty property;
		ZyanUPointer value;
	} properties[] = {
		{ ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE },
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS, ZYDIS_SIGNEDNESS_UNSIGNED },
		{ ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE },
	};
	ZyanStatus status;
	size_t i;

	if (ZYDIS_VERSION_MAJOR(ZydisGetVersion()) != ZYDIS_VERSION_MAJOR(ZYDIS_VERSION))
		return -ENOTSUP;
	status = ZydisDecoderInit(&decoder->decoder, ZYDIS_MACHINE_MODE_LONG_64,
				  ZYDIS_STACK_WIDTH_64);
	if (ZYAN_SUCCESS(status))
		status = ZydisFormatterInit(&decoder->formatter, ZYDIS_FORMATTER_STYLE_ATT);
	for (i = 0; i < ARRAY_SIZE(properties) && ZYAN_SUCCESS(status); i++)
		status = ZydisFormatterSetProperty(&decoder->formatter, properties[i].property,
						   properties[i].value);
	return ZYAN_SUCCESS(status) ? 0 : -ENOTSUP;
}

static bool decode_one(const struct decoder *decoder, const u8 *bytes, size_t len,
		       struct decoded *decoded)
{
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->decoder, bytes, len, &decoded->is,
						   decoded->operands));
}

/* Return true if the CPU raises an exception after which it does not go on. */
static bool ends_by_exception(const ZydisDecodedInstruction *is, u64 addr)
{
	switch (is->mnemonic) {
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
		/* The kernel goes on after WARN(), but not after BUG(), which is the same. */
		return true;
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INT3:
		/* The kernel goes on: after an interrupt, a kprobe, or a change of code. */
		return !(addr >> 63);
	default:
		return false;
	}
}

static enum instruction_flow flow_of(const ZydisDecodedInstruction *is, u64 addr)
{
	if (ends_by_exception(is, addr))
		return FLOW_END;
	switch (is->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return FLOW_JUMP;
	case ZYDIS_CATEGORY_CALL:
		return FLOW_CALL;
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSRET:
		return FLOW_END;
	default:
		return FLOW_NEXT;
	}
}

/* Return true if @operand is an address relative to the instruction. */
static bool is_relative(const ZydisDecodedOperand *operand)
{
	if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return operand->imm.is_relative;
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       operand->mem.base == ZYDIS_REGISTER_RIP;
}

/* Return true if the CPU goes on at an address that is an operand. */
static bool has_direct_target(const struct decoded *decoded, enum instruction_flow flow)
{
	return flow != FLOW_NEXT && decoded->is.operand_count_visible &&
	       decoded->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       decoded->operands[0].imm.is_relative;
}

static void set_flow(const struct decoded *decoded, struct instruction *instruction)
{
	enum instruction_flow flow = flow_of(&decoded->is, instruction->addr);
	const ZydisDecodedOperand *operand = decoded->operands;
	ZyanU64 target;
	size_t i;

	instruction->flow = flow;
	/* The operand of an indirect jump is not where the CPU goes on. */
	if (flow != FLOW_NEXT && !has_direct_target(decoded, flow))
		return;
	for (i = 0; i < decoded->is.operand_count_visible; i++, operand++) {
		if (!is_relative(operand) ||
		    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded->is, operand,
							   instruction->addr, &target)))
			continue;
		instruction->has_target = true;
		instruction->target = target;
	}
}

/* Remove the blanks after commas and before braces. */
static void close_up(char *text)
{
	const char *from;
	char *to = text;

	for (from = text; *from; from++) {
		if (*from != ' ' || from == text || (from[-1] != ',' && from[1] != '{'))
			*to++ = *from;
	}
	*to = '\0';
}

/* Insert @letter before the operands. */
static void mark_operands(char text[TEXT_LEN], char letter)
{
	char *at = strrchr(text, ' ');
	size_t len = strlen(text);

	if (!at || len + 1 == TEXT_LEN)
		return;
	memmove(at + 2, at + 1, len - (at - text));
	at[1] = letter;
}

/* Write registers of the x87 as %st(1), and the topmost one as %st. */
static void name_stack(char text[TEXT_LEN])
{
	size_t len = strlen(text);
	char *at;

	for (at = strstr(text, "%st"); at && len + 2 < TEXT_LEN; at = strstr(at + 1, "%st")) {
		if (at[3] == '0') {
			memmove(at + 3, at + 4, strlen(at + 4) + 1);
			len--;
		} else if (at[3] >= '1' && at[3] <= '7') {
			memmove(at + 6, at + 4, strlen(at + 4) + 1);
			at[5] = ')';
			at[4] = at[3];
			at[3] = '(';
			len += 2;
		}
	}
}

/*
 * Write the rounding mode "%zmm2{rn-sae}", which Zydis adds to an operand, as an operand of
 * its own:
 * before a register of vectors, and after a general one.
 */
static void separate_rounding(char text[TEXT_LEN])
{
	char *brace = strstr(text, "{sae}") ?: strstr(text, "-sae}"), *operand, copy[TEXT_LEN];
	size_t mode_len, len;

	if (!brace || strlen(text) + 1 == TEXT_LEN)
		return;
	while (*brace != '{')
		brace--;
	for (operand = brace; operand[-1] != ',' && operand[-1] != ' '; operand--)
		;
	len = brace - operand;
	mode_len = strcspn(brace, "}") + 1;
	snprintf(copy, sizeof(copy), "%s", operand);
	memmove(brace + mode_len + 1, brace + mode_len, strlen(brace + mode_len) + 1);
	if (!strncmp(copy + 2, "mm", 2)) {
		memcpy(operand, copy + len, mode_len);
		operand[mode_len] = ',';
		memcpy(operand + mode_len + 1, copy, len);
	} else {
		operand[len] = ',';
		memcpy(operand + len + 1, copy + len, mode_len);
	}
}

/* Write the operands as GNU objdump does. */
static void arrange(char text[TEXT_LEN], const struct decoded *decoded,
		    const struct instruction *instruction)
{
	char *last = strrchr(text, ' '), *comma = strchr(text, ',');

	if (instruction->flow == FLOW_JUMP || instruction->flow == FLOW_CALL ||
	    instruction->flow == FLOW_BRANCH) {
		if (!instruction->has_target)
			mark_operands(text, '*');
		else if (last)
			*last = '\0';
	}
	if (decoded->is.meta.category == ZYDIS_CATEGORY_X87_ALU)
		name_stack(text);
	if (decoded->is.avx.has_sae || decoded->is.avx.rounding.mode)
		separate_rounding(text);
	/* A nop has one operand there. */
	if (decoded->is.mnemonic == ZYDIS_MNEMONIC_NOP && last && comma && comma > last)
		memmove(last + 1, comma + 1, strlen(comma));
}

/* Replace Zydis's name of the instruction, which follows the prefixes, by that of GNU as. */
static void rename_gnu(char text[TEXT_LEN], const struct decoded *decoded)
{
	const char *wrong = ZydisMnemonicGetString(decoded->is.mnemonic);
	char name[NAME_LEN], rest[TEXT_LEN], *at = text;

	if (!wrong || !gnu_name(&decoded->is, decoded->operands, name, sizeof(name)))
		return;
	while (strncmp(at, wrong, strlen(wrong))) {
		at += strcspn(at, " ");
		if (!*at)
			return;
		at++;
	}
	snprintf(rest, sizeof(rest), "%s", at + strcspn(at, " "));
	snprintf(at, TEXT_LEN - (at - text), "%s%s", name, rest);
}

static bool format(const struct decoder *decoder, const struct decoded *decoded,
		   const struct instruction *instruction, char text[TEXT_LEN])
{
	const ZydisFormatter *formatter = &decoder->formatter;
	ZyanStatus status;

	status = ZydisFormatterFormatInstruction(formatter, &decoded->is, decoded->operands,
						 decoded->is.operand_count_visible, text,
						 TEXT_LEN, instruction->addr, NULL);
	if (!ZYAN_SUCCESS(status))
		return false;
	close_up(text);
	rename_gnu(text, decoded);
	arrange(text, decoded, instruction);
	return true;
}

/*
 * Append all instructions of @code to @out. A byte that is no instruction is one that is not
 * known. Return 0 or -ENOMEM.
 */
int decode(const struct decoder *decoder, const struct machine_code *code,
	   struct instructions *out)
{
	struct instruction instruction;
	struct decoded decoded;
	char text[TEXT_LEN];
	size_t at;
	int err = 0;

	for (at = 0; at < code->len && !err; at += instruction.len) {
		instruction = (struct instruction){ .addr = code->addr + at, .text = text };
		if (decode_one(decoder, code->bytes + at, code->len - at, &decoded)) {
			instruction.len = decoded.is.length;
			set_flow(&decoded, &instruction);
			instruction.is_known = format(decoder, &decoded, &instruction, text);
		}
		if (!instruction.is_known) {
			instruction = (struct instruction){ .addr = code->addr + at, .text = text,
							    .len = 1 };
			snprintf(text, sizeof(text), ".byte 0x%02x", code->bytes[at]);
		}
		err = instructions_add(out, &instruction);
	}
	return err;
}

/* Return true if some bytes of @code are no instructions that Zydis knows. */
bool decode_unknown(const struct decoder *decoder, const struct machine_code *code)
{
	ZydisDecodedInstruction is;
	size_t at;

	for (at = 0; at < code->len; at += is.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder->decoder, NULL,
								code->bytes + at, code->len - at,
								&is)))
			return true;
	}
	return false;
}

/*
 * Set where the CPU goes on after @instruction, the first one of @code. Its length is set. If
 * Zydis does not know the instruction, that is the next one.
 */
void decode_flow(const struct decoder *decoder, const struct machine_code *code,
		 struct instruction *instruction)
{
	struct decoded decoded;

	if (decode_one(decoder, code->bytes, code->len, &decoded) &&
	    decoded.is.length == instruction->len)
		set_flow(&decoded, instruction);
}

static void blank(u8 *field, const ZydisDecodedInstruction *is, u8 offset, u8 bits)
{
	if (offset + bits / 8 <= is->length)
		memset(field + offset, 0, bits / 8);
}

/*
 * Zero the relative addresses in @copy, a copy of @code: they change when functions move. What is
 * no instruction stays.
 */
void decode_blank(const struct decoder *decoder, const struct machine_code *code, u8 *copy)
{
	const ZydisDecodedOperand *operand;
	const ZydisDecodedInstruction *is;
	struct decoded decoded;
	size_t at, i;

	for (at = 0; at < code->len; at += is->length) {
		is = &decoded.is;
		if (!decode_one(decoder, code->bytes + at, code->len - at, &decoded)) {
			decoded.is.length = 1;
			continue;
		}
		for (i = 0; i < ARRAY_SIZE(is->raw.imm); i++) {
			if (is->raw.imm[i].is_relative)
				blank(copy + at, is, is->raw.imm[i].offset, is->raw.imm[i].size);
		}
		operand = decoded.operands;
		for (i = 0; i < is->operand_count_visible; i++, operand++) {
			if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && is_relative(operand))
				blank(copy + at, is, is->raw.disp.offset, is->raw.disp.size);
		}
	}
}
