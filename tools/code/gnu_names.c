// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the names that GNU as gives to instructions
 */
#include <stdio.h>

#include "code/gnu_names.h"

static const struct {
	ZydisMnemonic mnemonic;
	const char *name;
} renamed[] = {
	{ ZYDIS_MNEMONIC_JZ, "je" },
	{ ZYDIS_MNEMONIC_JNZ, "jne" },
	{ ZYDIS_MNEMONIC_JNB, "jae" },
	{ ZYDIS_MNEMONIC_JNBE, "ja" },
	{ ZYDIS_MNEMONIC_JNL, "jge" },
	{ ZYDIS_MNEMONIC_JNLE, "jg" },
	{ ZYDIS_MNEMONIC_CMOVZ, "cmove" },
	{ ZYDIS_MNEMONIC_CMOVNZ, "cmovne" },
	{ ZYDIS_MNEMONIC_CMOVNB, "cmovae" },
	{ ZYDIS_MNEMONIC_CMOVNBE, "cmova" },
	{ ZYDIS_MNEMONIC_CMOVNL, "cmovge" },
	{ ZYDIS_MNEMONIC_CMOVNLE, "cmovg" },
	{ ZYDIS_MNEMONIC_SETZ, "sete" },
	{ ZYDIS_MNEMONIC_SETNZ, "setne" },
	{ ZYDIS_MNEMONIC_SETNB, "setae" },
	{ ZYDIS_MNEMONIC_SETNBE, "seta" },
	{ ZYDIS_MNEMONIC_SETNL, "setge" },
	{ ZYDIS_MNEMONIC_SETNLE, "setg" },
	{ ZYDIS_MNEMONIC_CBW, "cbtw" },
	{ ZYDIS_MNEMONIC_CWDE, "cwtl" },
	{ ZYDIS_MNEMONIC_CDQE, "cltq" },
	{ ZYDIS_MNEMONIC_CWD, "cwtd" },
	{ ZYDIS_MNEMONIC_CDQ, "cltd" },
	{ ZYDIS_MNEMONIC_CQO, "cqto" },
	{ ZYDIS_MNEMONIC_LDMXCSR, "ldmxcsr" },
	{ ZYDIS_MNEMONIC_STMXCSR, "stmxcsr" },
	{ ZYDIS_MNEMONIC_PUSHFQ, "pushf" },
	{ ZYDIS_MNEMONIC_POPFQ, "popf" },
	{ ZYDIS_MNEMONIC_IRETQ, "iretq" },
	{ ZYDIS_MNEMONIC_INVPCID, "invpcid" },
};

/* Return the suffix of an operand of @bits bits. */
static const char *suffix_of(unsigned int bits)
{
	switch (bits) {
	case 8:
		return "b";
	case 16:
		return "w";
	case 32:
		return "l";
	case 64:
		return "q";
	default:
		return "";
	}
}

static bool is_move_of_a_constant(const ZydisDecodedInstruction *decoded,
				  const ZydisDecodedOperand *operands)
{
	return decoded->mnemonic == ZYDIS_MNEMONIC_MOV && decoded->operand_count_visible == 2 &&
	       operands[0].size == 64 && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       decoded->raw.imm[0].size == 64;
}

/*
 * Return the name of a subtraction or division that writes to another register of the x87 than
 * the topmost one. GNU as gives it the name of the reverse one, as assemblers before it did.
 */
static const char *reverse_name(const ZydisDecodedInstruction *decoded,
				const ZydisDecodedOperand *operands)
{
	if ((decoded->opcode != 0xdc && decoded->opcode != 0xde) ||
	    operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
		return NULL;
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_FSUB:
		return "fsubr";
	case ZYDIS_MNEMONIC_FSUBR:
		return "fsub";
	case ZYDIS_MNEMONIC_FSUBP:
		return "fsubrp";
	case ZYDIS_MNEMONIC_FSUBRP:
		return "fsubp";
	case ZYDIS_MNEMONIC_FDIV:
		return "fdivr";
	case ZYDIS_MNEMONIC_FDIVR:
		return "fdiv";
	case ZYDIS_MNEMONIC_FDIVP:
		return "fdivrp";
	case ZYDIS_MNEMONIC_FDIVRP:
		return "fdivp";
	default:
		return NULL;
	}
}

/* Return the part of the name before the suffixes of both operands, or NULL. */
static const char *widening_name(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_MOVZX:
		return "movz";
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		return "movs";
	default:
		return NULL;
	}
}

static bool is_vector(ZydisRegisterClass kind)
{
	return kind == ZYDIS_REGCLASS_MMX || kind == ZYDIS_REGCLASS_XMM ||
	       kind == ZYDIS_REGCLASS_YMM || kind == ZYDIS_REGCLASS_ZMM;
}

static bool has_vector(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands)
{
	size_t i;

	for (i = 0; i < decoded->operand_count_visible; i++) {
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    is_vector(ZydisRegisterGetClass(operands[i].reg.value)))
			return true;
	}
	return false;
}

/* Return the suffix for the size of the operand in memory, or NULL if there is none. */
static const char *suffix_of_memory(const ZydisDecodedInstruction *decoded,
				    const ZydisDecodedOperand *operands)
{
	size_t i;

	for (i = 0; i < decoded->operand_count_visible; i++) {
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return suffix_of(operands[i].size);
	}
	return NULL;
}

/* Return the suffix for the operand in memory of an x87 instruction, or NULL if it has none. */
static const char *suffix_of_x87(const ZydisDecodedInstruction *decoded,
				 const ZydisDecodedOperand *operands)
{
	if (!decoded->operand_count_visible || operands[0].type != ZYDIS_OPERAND_TYPE_MEMORY)
		return NULL;
	switch (operands[0].element_type) {
	case ZYDIS_ELEMENT_TYPE_FLOAT32:
		return "s";
	case ZYDIS_ELEMENT_TYPE_FLOAT64:
		return "l";
	case ZYDIS_ELEMENT_TYPE_FLOAT80:
		return "t";
	case ZYDIS_ELEMENT_TYPE_INT:
		return operands[0].size == 16 ? "s" : operands[0].size == 32 ? "l" : "ll";
	default:
		return "";
	}
}

/*
 * Return the suffix for the size of an operand in memory that Zydis leaves out, or that it
 * takes from a vector, or NULL if the name that Zydis makes is right.
 */
static const char *missing_suffix(const ZydisDecodedInstruction *decoded,
				  const ZydisDecodedOperand *operands)
{
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
		return decoded->operand_count_visible ? suffix_of(decoded->operand_width) : NULL;
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_NEG:
	case ZYDIS_MNEMONIC_NOT:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		return decoded->operand_count_visible == 1 &&
		       operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ?
			       suffix_of(operands[0].size) : NULL;
	case ZYDIS_MNEMONIC_CRC32:
		return suffix_of(operands[1].size);
	case ZYDIS_MNEMONIC_SYSRET:
		return suffix_of(decoded->operand_width);
	case ZYDIS_MNEMONIC_CVTSI2SD:
	case ZYDIS_MNEMONIC_CVTSI2SS:
	case ZYDIS_MNEMONIC_VCVTSI2SD:
	case ZYDIS_MNEMONIC_VCVTSI2SS:
		return suffix_of_memory(decoded, operands);
	default:
		if (decoded->meta.category == ZYDIS_CATEGORY_X87_ALU)
			return suffix_of_x87(decoded, operands);
		return has_vector(decoded, operands) ? "" : NULL;
	}
}

/*
 * Write the name of an instruction to @buf, if it differs from the one of Zydis. Return false
 * if it does not.
 */
bool gnu_name(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands,
	      char *buf, size_t len)
{
	const char *widening = widening_name(decoded->mnemonic);
	const char *suffix = missing_suffix(decoded, operands);
	const char *reverse = reverse_name(decoded, operands);
	size_t i;

	if (reverse)
		return snprintf(buf, len, "%s", reverse) > 0;
	if (widening)
		return snprintf(buf, len, "%s%s%s", widening, suffix_of(operands[1].size),
				suffix_of(operands[0].size)) > 0;
	if (is_move_of_a_constant(decoded, operands))
		return snprintf(buf, len, "movabs") > 0;
	if (suffix)
		return snprintf(buf, len, "%s%s", ZydisMnemonicGetString(decoded->mnemonic),
				suffix) > 0;
	for (i = 0; i < ARRAY_SIZE(renamed); i++) {
		if (renamed[i].mnemonic == decoded->mnemonic)
			return snprintf(buf, len, "%s", renamed[i].name) > 0;
	}
	return false;
}
