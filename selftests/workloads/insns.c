// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a loop of known length that times itself
 *
 * usage: insns MILLIONS [FRAMES]
 *
 * It executes MILLIONS * 1000000 instructions in user mode and prints how many TSC
 * ticks they took, in 20 digits. During the loop, the call chain by frame pointers has
 * FRAMES entries (1 to 127). The first entry is the loop itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#define MAX_FRAMES	127

/* Memory layout of a frame: RBP points to @next. */
struct frame {
	struct frame	*next;
	void		*ret;
};

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

int main(int argc, char **argv)
{
	unsigned long loops = argc > 1 ? strtoul(argv[1], NULL, 10) * 500000 : 0;
	unsigned long nr = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	struct frame frames[MAX_FRAMES];
	unsigned long begin;

	if (!loops || nr < 1 || nr > MAX_FRAMES || argc > 3) {
		fprintf(stderr, "usage: insns MILLIONS [FRAMES]\n");
		return 2;
	}
	for (unsigned long i = 1; i < nr; i++)
		frames[i - 1] = (struct frame){ i + 1 < nr ? &frames[i] : NULL, main };
	begin = __rdtsc();
	/* No operand may be in RBP, which this code sets. */
	__asm__ volatile("push %%rbp; mov %1, %%rbp\n"
			 "1: dec %0; jnz 1b\n"
			 "pop %%rbp"
			 : "+a"(loops) : "d"(nr > 1 ? frames : NULL) : "memory");
	print(__rdtsc() - begin);
	return 0;
}
