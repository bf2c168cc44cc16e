// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a loop of known length that times itself
 *
 * usage: insns MILLIONS [FRAMES [SECONDS [COUNTER]]]
 *
 * It executes MILLIONS * 1000000 instructions in user mode and prints how many TSC
 * ticks they took, in 20 digits. During the loop, the call chain by frame pointers has
 * FRAMES entries (1 to 127). The first entry is the loop itself. The call chain by unwind
 * tables has the loop, main(), two functions of glibc, and _start(). The loop begins after
 * SECONDS, when a profiler has read what it needs. With COUNTER, it prints how far this counter
 * counted, which RDPMC reads, instead of the ticks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

#define MAX_FRAMES	127

/* Memory layout of a frame: RBP points to @next. */
struct frame {
	struct frame	*next;
	void		*ret;
};

/* Execute 2 * @loops instructions with @frames in RBP. */
static __attribute__((naked, noinline)) void insns_loop(unsigned long loops,
							const struct frame *frames)
{
	__asm__("push %rbp\n"
		".cfi_adjust_cfa_offset 8\n"
		".cfi_rel_offset %rbp, 0\n"
		"mov %rsi, %rbp\n"
		"1: dec %rdi\n"
		"jnz 1b\n"
		"pop %rbp\n"
		".cfi_adjust_cfa_offset -8\n"
		".cfi_restore %rbp\n"
		"ret");
}

/* Always execute the same number of instructions: printf() takes some for each digit. */
static void print(unsigned long ticks)
{
	char text[] = "00000000000000000000";

	for (int i = sizeof(text) - 2; i >= 0; i--) {
		text[i] += ticks % 10;
		ticks /= 10;
	}
	puts(text);
}

static unsigned long read_clock(const char *counter)
{
	return counter ? __rdpmc(strtoul(counter, NULL, 0)) : __rdtsc();
}

int main(int argc, char **argv)
{
	unsigned long loops = argc > 1 ? strtoul(argv[1], NULL, 10) * 500000 : 0;
	unsigned long nr = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	unsigned long seconds = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	const char *counter = argc > 4 ? argv[4] : NULL;
	struct frame frames[MAX_FRAMES];
	unsigned long begin;

	if (!loops || nr < 1 || nr > MAX_FRAMES || argc > 5) {
		fprintf(stderr, "usage: insns MILLIONS [FRAMES [SECONDS [COUNTER]]]\n");
		return 2;
	}
	for (unsigned long i = 1; i < nr; i++)
		frames[i - 1] = (struct frame){ i + 1 < nr ? &frames[i] : NULL, main };
	sleep(seconds);
	begin = read_clock(counter);
	insns_loop(loops, nr > 1 ? frames : NULL);
	print(read_clock(counter) - begin);
	return 0;
}
