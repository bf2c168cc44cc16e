// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - a row of .sframe: how to find the caller from some code of a function
 *
 * A row is an offset, a byte of bits, and signed words. The bits are: 0, the register of the
 * default kind; 1 to 4, the number of words; 5 and 6, their size.
 */
#include "base/load.h"
#include "unwind/rule.h"
#include "unwind/sframe_row.h"

/**
 * struct place - where a flexible row finds a value
 * @is_present:	the row has it
 * @has_register: from a register; else from the frame's address
 * @is_loaded:	the value is in memory there
 * @number:	number of the register
 * @distance:	distance from it
 */
struct place {
	bool	is_present;
	bool	has_register;
	bool	is_loaded;
	u32	number;
	s32	distance;
};

static u32 load_unsigned(const u8 *from, size_t bytes)
{
	switch (bytes) {
	case 1:
		return *from;
	case 2:
		return load_u16(from);
	default:
		return load_u32(from);
	}
}

static s32 load_signed(const u8 *from, size_t bytes)
{
	u32 above = 32 - 8 * bytes;

	return (s32)(load_unsigned(from, bytes) << above) >> above;
}

/* Read the row at @at. Return false if the section is damaged. */
bool sframe_row_read(const struct sframe_function *function, const u8 *rows, size_t len, size_t at,
		     struct sframe_row *row)
{
	size_t begin = function->offset_bytes + 1, bytes;
	u32 i;
	u8 bits;

	if (at > len || len - at < begin)
		return false;
	bits = rows[at + begin - 1];
	bytes = (size_t)1 << (bits >> 5 & 3);
	row->offset = load_unsigned(rows + at, function->offset_bytes);
	row->is_rsp = bits & 1;
	row->nr = bits >> 1 & 15;
	if (bytes > 4 || row->nr > SFRAME_WORDS || len - at - begin < row->nr * bytes)
		return false;
	for (i = 0; i < row->nr; i++)
		row->words[i] = load_signed(rows + at + begin + i * bytes, bytes);
	row->end = at + begin + row->nr * bytes;
	return true;
}

static __s16 saved_rbp(s32 distance, u32 *losses)
{
	if (distance < 0 && distance >= INT16_MIN)
		return distance;
	losses[UNWIND_RBP]++;
	return TPROF_LX_UNWIND_RBP_UNDEFINED;
}

static struct tprof_lx_unwind_rule frame_address(u8 how, u32 base, s32 offset, u32 *losses)
{
	if (offset < -UNWIND_MAX_OFFSET || offset > UNWIND_MAX_OFFSET)
		return unwind_lose(UNWIND_OFFSET, losses);
	return (struct tprof_lx_unwind_rule){ .how = how, .base = base, .offset = offset,
					      .rbp = TPROF_LX_UNWIND_RBP_SAME };
}

static struct tprof_lx_unwind_rule default_rule(const struct sframe_row *row, int rbp, u32 *losses)
{
	u32 base = row->is_rsp ? TPROF_LX_UNWIND_RSP : TPROF_LX_UNWIND_RBP;
	struct tprof_lx_unwind_rule rule;

	/* The return address has a fixed place, so it has no word. */
	if (row->nr > 2)
		return unwind_lose(UNWIND_RETURN, losses);
	rule = frame_address(TPROF_LX_UNWIND_CFA, base, row->words[0], losses);
	if (rule.how != TPROF_LX_UNWIND_CFA)
		return rule;
	if (rbp || row->nr == 2)
		rule.rbp = saved_rbp(rbp ? rbp : row->words[1], losses);
	return rule;
}

/*
 * Read the place at *@at, which is one word of 0 if the row does not have it, else two words:
 * bit 0, it is from a register; bit 1, it is in memory; bits 3 and more, the register.
 */
static struct place read_place(const struct sframe_row *row, u32 *at)
{
	struct place place = { 0 };
	u32 word;

	if (*at == row->nr)
		return place;
	word = row->words[(*at)++];
	if (!word || *at == row->nr)
		return place;
	place.is_present = true;
	place.has_register = word & 1;
	place.is_loaded = word & 2;
	place.number = word >> 3;
	place.distance = row->words[(*at)++];
	return place;
}

/* Return true if a value is in memory at a fixed distance from the frame's address. */
static bool is_saved(const struct place *place)
{
	return place->is_present && !place->has_register && place->is_loaded;
}

/* The C library's struct ucontext is at a fixed distance from rsp: see unwind_rule(). */
static struct tprof_lx_unwind_rule signal_rule(const struct place *frame, const struct place *rip,
					       u32 *losses)
{
	const u32 rsp = TPROF_LX_UNWIND_RSP;

	if (!frame->is_loaded || frame->number != rsp || !rip->has_register || !rip->is_loaded ||
	    rip->number != rsp)
		return unwind_lose(UNWIND_SIGNAL, losses);
	return unwind_signal_rule(frame->distance, rip->distance, losses);
}

static struct tprof_lx_unwind_rule flexible_rule(const struct sframe_function *function,
						 const struct sframe_row *row, u32 *losses)
{
	struct place frame, rip, rbp;
	struct tprof_lx_unwind_rule rule;
	u32 at = 0;

	frame = read_place(row, &at);
	rip = read_place(row, &at);
	rbp = read_place(row, &at);
	if (!frame.is_present || !frame.has_register || frame.number > 15)
		return unwind_lose(UNWIND_EXPRESSION, losses);
	if (function->is_signal)
		return signal_rule(&frame, &rip, losses);
	if (rip.is_present && (!is_saved(&rip) || rip.distance != -8))
		return unwind_lose(UNWIND_RETURN, losses);
	rule = frame_address(frame.is_loaded ? TPROF_LX_UNWIND_DEREF : TPROF_LX_UNWIND_CFA,
			     frame.number, frame.distance, losses);
	if (rule.how == TPROF_LX_UNWIND_CUT || !rbp.is_present)
		return rule;
	rule.rbp = saved_rbp(is_saved(&rbp) ? rbp.distance : 0, losses);
	return rule;
}

/*
 * Return the rule of a row. @rbp is the distance of the caller's rbp from the frame's address if
 * it is the same in all rows, else 0. What a rule cannot express is counted in @losses.
 */
struct tprof_lx_unwind_rule sframe_rule(const struct sframe_function *function,
					const struct sframe_row *row, int rbp, u32 *losses)
{
	if (!row->nr)
		return (struct tprof_lx_unwind_rule){ .how = TPROF_LX_UNWIND_END };
	if (function->kind == SFRAME_FLEXIBLE)
		return flexible_rule(function, row, losses);
	if (function->kind == SFRAME_UNKNOWN)
		return unwind_lose(UNWIND_EXPRESSION, losses);
	if (function->is_signal)
		return unwind_lose(UNWIND_SIGNAL, losses);
	return default_rule(row, rbp, losses);
}
