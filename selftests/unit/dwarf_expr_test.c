// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - evaluation of DWARF expressions
 */
#include <dwarf.h>

#include "unit.h"
#include "world/dwarf_expr.h"

#define BASE	0x7000

static const u64 stack[2] = { 0x1122334455667788, 42 };

static const struct call_frame frame = {
	.regs = { [FRAME_BP] = 0x5000, [FRAME_SP] = BASE, [FRAME_IP] = 0x401005 },
	.known = 1U << FRAME_BP | 1U << FRAME_SP | 1U << FRAME_IP,
	.stack = (const u8 *)stack,
	.stack_base = BASE,
	.stack_size = sizeof(stack),
};

static const u64 cfa = BASE + 16;

#define OP(name, ...) { .atom = DW_OP_##name, ##__VA_ARGS__ }
#define OPS(...) (const Dwarf_Op[]){ __VA_ARGS__ },                                \
		 sizeof((const Dwarf_Op[]){ __VA_ARGS__ }) / sizeof(Dwarf_Op)

static bool comes_to(const Dwarf_Op *ops, size_t nr, u64 number, bool is_address)
{
	struct dwarf_value value;

	return dwarf_evaluate(ops, nr, &frame, &cfa, &value) && value.number == number &&
	       value.is_address == is_address;
}

static bool fails(const Dwarf_Op *ops, size_t nr)
{
	struct dwarf_value value;

	return !dwarf_evaluate(ops, nr, &frame, NULL, &value);
}

static void test_places(void)
{
	unit_ok(comes_to(OPS(OP(breg7, .number = 8)), BASE + 8, true),
		"breg7 is a register plus an offset");
	unit_ok(comes_to(OPS(OP(bregx, .number = FRAME_BP, .number2 = (Dwarf_Word)-16)), 0x4ff0,
			 true),
		"bregx is a numbered register plus an offset");
	unit_ok(comes_to(OPS(OP(reg6)), 0x5000, false),
		"reg6 is the value of a register");
	unit_ok(comes_to(OPS(OP(regx, .number = FRAME_SP)), BASE, false),
		"regx is the value of a numbered register");
	unit_ok(comes_to(OPS(OP(call_frame_cfa), OP(plus_uconst, .number = (Dwarf_Word)-8)),
			 BASE + 8, true),
		"call_frame_cfa and an offset are an address in the frame");
	unit_ok(comes_to(OPS(OP(call_frame_cfa), OP(stack_value)), BASE + 16, false),
		"stack_value makes call_frame_cfa a value");
}

static void test_numbers(void)
{
	unit_ok(comes_to(OPS(OP(const4u, .number = 1000), OP(lit31), OP(minus)), 969, true),
		"minus subtracts the second operand from the first");
	unit_ok(comes_to(OPS(OP(lit5), OP(lit3), OP(swap), OP(minus)),
			 (u64)-2, true),
		"swap exchanges two numbers");
	unit_ok(comes_to(OPS(OP(lit1), OP(const1u, .number = 64), OP(shl)), 0, true),
		"shl by 64 bits is 0");
	unit_ok(comes_to(OPS(OP(lit4), OP(neg), OP(const1u, .number = 200), OP(shra)),
			 ~0ULL, true),
		"shra by 200 bits keeps the sign");
	unit_ok(comes_to(OPS(OP(lit1), OP(neg), OP(lit1), OP(lt)), 1, true),
		"lt compares with the sign");
	unit_ok(comes_to(OPS(OP(lit7), OP(lit9), OP(over), OP(mul),
			     OP(plus)), 70, true),
		"over copies the second number");
}

/* The expression that linkers write for .plt: SP + 8 + ((IP & 15) >= 11 ? 8 : 0). */
static void test_stub(void)
{
	unit_ok(comes_to(OPS(OP(breg7, .number = 8), OP(breg16, .number = 0), OP(lit15),
			     OP(and), OP(lit11), OP(ge), OP(lit3),
			     OP(shl), OP(plus)),
			 BASE + 8, true),
		"the expression of a PLT stub is evaluated before its push");
}

static void test_memory(void)
{
	unit_ok(comes_to(OPS(OP(breg7, .number = 8), OP(deref)), 42, true),
		"deref reads the copy of the stack");
	unit_ok(comes_to(OPS(OP(breg7, .number = 0), OP(deref_size, .number = 2)), 0x7788, true),
		"deref_size reads two bytes");
	unit_ok(fails(OPS(OP(breg7, .number = 9), OP(deref))),
		"deref beyond the copy fails");
	unit_ok(fails(OPS(OP(breg7, .number = -8), OP(deref))),
		"deref before the copy fails");
	unit_ok(fails(OPS(OP(breg7, .number = 0), OP(deref_size, .number = 3))),
		"deref_size of three bytes fails");
}

static void test_what_cannot_be(void)
{
	Dwarf_Op many[40];

	for (size_t i = 0; i < 40; i++)
		many[i] = (Dwarf_Op){ .atom = DW_OP_lit0 };
	unit_ok(fails(many, 40), "too many numbers on the stack fail");
	unit_ok(fails(OPS(OP(plus))), "an operation without operands fails");
	unit_ok(fails(OPS(OP(nop))), "an expression without a result fails");
	unit_ok(fails(OPS(OP(breg3, .number = 0))),
		"a register without a known value fails");
	unit_ok(fails(OPS(OP(bregx, .number = 100, .number2 = 0))),
		"a register that does not exist fails");
	unit_ok(fails(OPS(OP(call_frame_cfa))),
		"call_frame_cfa fails while the CFA is computed");
	unit_ok(fails(OPS(OP(lit0), OP(pick, .number = 1))),
		"pick beyond the stack fails");
	unit_ok(fails(OPS(OP(GNU_entry_value, .number = 0))),
		"GNU_entry_value fails");
}

int main(void)
{
	test_places();
	test_numbers();
	test_stub();
	test_memory();
	test_what_cannot_be();
	return unit_exit();
}
