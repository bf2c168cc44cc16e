// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - text that is written in large pieces, compared with printf(3)
 */
#include <stdlib.h>

#include "base/text.h"
#include "unit.h"

#define ROUNDS	20000

static const u64 corners[] = { 0, 9, 10, 15, 16, 99, 100, 0xffff, 0x10000, 999999999,
			       1ULL << 32, ~0ULL >> 1, 1ULL << 63, ~0ULL };

static u64 random_number(void)
{
	u64 wide = (u64)random() << 40 ^ (u64)random() << 20 ^ random();

	return random() % 4 ? wide >> random() % 64 : corners[random() % ARRAY_SIZE(corners)];
}

/* Append a random piece to @text, and the same piece to @expected by printf(3). */
static void add_piece(struct text *text, FILE *expected)
{
	static char name[3 * TEXT_ROOM];
	u64 number = random_number();
	int width = random() % 24;

	switch (random() % 7) {
	case 0:
		text_number(text, number, width, ' ');
		fprintf(expected, "%*llu", width, number);
		break;
	case 1:
		text_number(text, number, width, '0');
		fprintf(expected, "%0*llu", width, number);
		break;
	case 2:
		text_signed(text, number, width);
		fprintf(expected, "%*lld", width, (s64)number);
		break;
	case 3:
		text_hex(text, number, width);
		fprintf(expected, "%*llx", width, number);
		break;
	case 4:
		text_char(text, '\n');
		putc('\n', expected);
		break;
	case 5:
		text_printf(text, "<%s>", "rare");
		fputs("<rare>", expected);
		break;
	default:
		/* Every 500th name, on average, may be longer than the buffer. */
		width = random() % (random() % 500 ? 100 : sizeof(name) - 1);
		memset(name, 'a' + number % 26, width);
		name[width] = '\0';
		text_put(text, name);
		fputs(name, expected);
	}
}

int main(void)
{
	char *got, *wanted;
	size_t got_len, wanted_len;
	FILE *expected = open_memstream(&wanted, &wanted_len);
	struct text text = { .out = open_memstream(&got, &got_len) };

	srandom(1);
	for (int i = 0; i < ROUNDS; i++)
		add_piece(&text, expected);
	text_flush(&text);
	fclose(text.out);
	fclose(expected);
	unit_ok(got_len == wanted_len && !memcmp(got, wanted, got_len),
		"text: random pieces are the same as those of printf");
	free(got);
	free(wanted);
	text = (struct text){ .out = fopen("/dev/full", "we") };
	setbuf(text.out, NULL);
	text_put(&text, "lost");
	unit_ok(!ferror(text.out), "text: nothing is written before the buffer is full");
	text_flush(&text);
	unit_ok(ferror(text.out), "text: an error of the output is kept");
	fclose(text.out);
	return unit_exit();
}
