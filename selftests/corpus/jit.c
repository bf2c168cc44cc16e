// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a program that generates code
 *
 * usage: jit map|dump NAME SECONDS
 *
 * The program generates a function, and later a second one. Both call leaf(). The program
 * writes the names of both to /tmp/perf-PID.map or ./jit-PID.dump. With "dump", both
 * functions have the same address. A perf map has no times, so with "map" the functions
 * have different addresses.
 *
 *	main -> run -> first_made -> leaf
 *	main -> run -> second_made -> leaf
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../workloads/now.h"
#include "corpus.h"

typedef unsigned long (*made_t)(unsigned long value);

static unsigned char *memory;
static FILE *names;

/* push %rbp; mov %rsp,%rbp; movabs $leaf,%rax; call *%rax; pop %rbp; ret */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8, 0,	  0,	0, 0,
	0,    0,    0,	  0,	0xff, 0xd0, 0x5d, 0xc3,
};

static made_t make(unsigned char *at)
{
	unsigned long (*callee)(unsigned long) = leaf;

	memcpy(at, code, sizeof(code));
	memcpy(at + 6, &callee, sizeof(callee));
	return (made_t)(uintptr_t)at;
}

static void begin_map(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	names = fopen(path, "w");
}

static void write_map(made_t made, const char *name)
{
	fprintf(names, "%lx %zx %s\n", (unsigned long)(uintptr_t)made, sizeof(code), name);
	fflush(names);
}

static uint64_t nanoseconds(void)
{
	return now() * 1e9;
}

static void put(const void *data, size_t bytes)
{
	fwrite(data, 1, bytes, names);
}

static void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

/* Create the jitdump. Map it executable, since profilers find it by that mapping. */
static void begin_dump(void)
{
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	names = fopen(path, "w+");
	put_u32(0x4a695444);
	put_u32(1);
	put_u32(40);
	put_u32(EM_X86_64);
	put_u32(0);
	put_u32(getpid());
	put_u64(nanoseconds());
	put_u64(0);
	fflush(names);
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(names), 0);
}

static void write_dump(made_t made, const char *name)
{
	static uint64_t nr;

	put_u32(0);
	put_u32(16 + 40 + strlen(name) + 1 + sizeof(code));
	put_u64(nanoseconds());
	put_u32(getpid());
	put_u32(getpid());
	put_u64((uintptr_t)made);
	put_u64((uintptr_t)made);
	put_u64(sizeof(code));
	put_u64(nr++);
	put(name, strlen(name) + 1);
	put(code, sizeof(code));
	fflush(names);
}

static FRAME unsigned long run(made_t made, double seconds)
{
	double end = now() + seconds;
	unsigned long value = 1;

	do {
		value = made(value) + 1;
	} while (now() < end);
	return value;
}

int main(int argc, char **argv)
{
	double seconds = argc < 4 ? 0 : atof(argv[3]) / 2;
	bool is_dump = argc > 1 && !strcmp(argv[1], "dump");
	unsigned long value;
	made_t made;

	if (argc < 4)
		return 2;
	prctl(PR_SET_NAME, argv[2]);
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	is_dump ? begin_dump() : begin_map();
	made = make(memory);
	is_dump ? write_dump(made, "first_made") : write_map(made, "first_made");
	value = run(made, seconds);
	made = make(memory + (is_dump ? 0 : 64));
	is_dump ? write_dump(made, "second_made") : write_map(made, "second_made");
	value += run(made, seconds);
	return value == 0;
}
