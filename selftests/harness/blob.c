// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - an object without frame pointers, and its unwind table
 */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/blob.h"

/* @slots, the bytes of stack that middle() takes, are at these two offsets. */
#define SLOTS_TAKEN	(BLOB_MIDDLE + 9)
#define SLOTS_GIVEN	(BLOB_MIDDLE + 18)

static const unsigned char code[] = {
	[BLOB_OUTER] =
		0x55,				/* push rbp */
		0x48, 0x83, 0xec, 0x20,		/* sub rsp, 32 */
		0x48, 0xc7, 0xc5, 8, 0, 0, 0,	/* mov rbp, 8 */
		0xe8, 0x0f, 0, 0, 0,		/* call middle */
		0x48, 0x83, 0xc4, 0x20,		/* add rsp, 32 */
		0x5d,				/* pop rbp */
		0xc3,				/* ret */
	[BLOB_MIDDLE] =
		0x49, 0x89, 0xd9,		/* mov r9, rbx */
		0x48, 0x89, 0xe3,		/* mov rbx, rsp */
		0x48, 0x83, 0xec, 0,		/* sub rsp, slots */
		0xe8, 0x11, 0, 0, 0,		/* call inner */
		0x48, 0x83, 0xc4, 0,		/* add rsp, slots */
		0x4c, 0x89, 0xcb,		/* mov rbx, r9 */
		0xc3,				/* ret */
	[BLOB_INNER] =
		0x48, 0xff, 0xcf,		/* dec rdi */
		0x75, 0xfb,			/* jnz inner */
		0xc3,				/* ret */
	[BLOB_RESTORER] =
		0xb8, 15, 0, 0, 0,		/* mov eax, rt_sigreturn */
		0x0f, 0x05,			/* syscall */
};

enum {
	RULE_CALLED,	/* CFA = rsp + 8 */
	RULE_PUSHED,	/* CFA = rsp + 16, rbp is saved */
	RULE_OUTER,	/* CFA = rsp + 48, rbp is saved */
	RULE_MIDDLE,	/* CFA = rsp + 8 + slots, unless a test changes it */
	RULE_INNER,	/* CFA = rsp + 8, unless a test changes it */
	RULE_SIGNAL,
	RULE_FP,
	NR_RULES,
};

static const struct tprof_lx_unwind_rule rules[NR_RULES] = {
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 8 },
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, -16, 16 },
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, -16, 48 },
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 8 },
	{ TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBP_SAME, 8 },
	{ TPROF_LX_UNWIND_SIGNAL, 0, 0, 0 },
	{ TPROF_LX_UNWIND_FP, 0, 0, 0 },
};

static const struct tprof_lx_unwind_row rows[] = {
	{ BLOB_CODE + BLOB_OUTER, RULE_CALLED },
	{ BLOB_CODE + BLOB_OUTER + 1, RULE_PUSHED },
	{ BLOB_CODE + BLOB_OUTER + 5, RULE_OUTER },
	{ BLOB_CODE + BLOB_OUTER + 0x15, RULE_PUSHED },
	{ BLOB_CODE + BLOB_OUTER + 0x16, RULE_CALLED },
	{ BLOB_CODE + BLOB_MIDDLE, RULE_CALLED },
	{ BLOB_CODE + BLOB_MIDDLE + 10, RULE_MIDDLE },
	{ BLOB_CODE + BLOB_MIDDLE + 19, RULE_CALLED },
	{ BLOB_CODE + BLOB_INNER, RULE_INNER },
	{ BLOB_CODE + BLOB_INNER_END, RULE_FP },
	/* The lookup is for the byte before the return address. */
	{ BLOB_CODE + BLOB_RESTORER - 1, RULE_SIGNAL },
	{ BLOB_CODE + sizeof(code), RULE_FP },
};

static void fill_table(struct blob *blob, __u8 slots)
{
	struct tprof_lx_table *arg = &blob->arg;

	memcpy(blob->rules, rules, sizeof(rules));
	memcpy(blob->rows, rows, sizeof(rows));
	blob->rules[RULE_MIDDLE].offset += slots;
	blob->pages[1] = ARRAY_LEN(rows);
	arg->size = sizeof(*arg);
	memcpy(arg->build_id, blob->id, sizeof(blob->id));
	arg->build_id_size = sizeof(blob->id);
	arg->nr_pages = 1;
	arg->nr_rows = ARRAY_LEN(rows);
	arg->nr_rules = NR_RULES;
}

static void fill_file(const struct blob *blob, unsigned char *file, __u8 slots)
{
	Elf64_Ehdr *header = (void *)file;
	Elf64_Phdr *segment = (void *)(header + 1);
	Elf64_Nhdr *note = (void *)(segment + 1);

	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_ident[EI_VERSION] = EV_CURRENT;
	header->e_type = ET_DYN;
	header->e_machine = EM_X86_64;
	header->e_version = EV_CURRENT;
	header->e_phoff = sizeof(*header);
	header->e_ehsize = sizeof(*header);
	header->e_phentsize = sizeof(*segment);
	header->e_phnum = 1;
	segment->p_type = PT_NOTE;
	segment->p_offset = (unsigned char *)note - file;
	segment->p_filesz = sizeof(*note) + 4 + sizeof(blob->id);
	segment->p_align = 4;
	note->n_namesz = 4;
	note->n_descsz = sizeof(blob->id);
	note->n_type = NT_GNU_BUILD_ID;
	memcpy(note + 1, "GNU", 4);
	memcpy((char *)(note + 1) + 4, blob->id, sizeof(blob->id));
	memcpy(file + BLOB_CODE, code, sizeof(code));
	file[BLOB_CODE + SLOTS_TAKEN] = slots;
	file[BLOB_CODE + SLOTS_GIVEN] = slots;
}

/* Make an object whose middle() takes @slots bytes of stack, a multiple of 8 below 128. */
int blob_make(struct blob *blob, __u8 slots)
{
	unsigned char *file;

	memset(blob, 0, sizeof(*blob));
	memset(blob->id, slots, sizeof(blob->id));
	fill_table(blob, slots);
	blob->fd = memfd_create("blob", MFD_CLOEXEC);
	if (blob->fd < 0 || ftruncate(blob->fd, BLOB_BYTES))
		return -errno;
	file = mmap(NULL, BLOB_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, blob->fd, 0);
	if (file == MAP_FAILED)
		return -errno;
	fill_file(blob, file, slots);
	return munmap(file, BLOB_BYTES) ? -errno : 0;
}

/* Map the code, at any address if @at is NULL. */
int blob_map(struct blob *blob, void *at)
{
	void *memory = mmap(at, BLOB_BYTES - BLOB_CODE, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | (at ? MAP_FIXED_NOREPLACE : 0), blob->fd, BLOB_CODE);

	if (memory == MAP_FAILED)
		return -errno;
	blob->code = memory;
	return 0;
}

void blob_unmap(struct blob *blob)
{
	if (blob->code)
		munmap(blob->code, BLOB_BYTES - BLOB_CODE);
	blob->code = NULL;
}

void blob_free(struct blob *blob)
{
	blob_unmap(blob);
	close(blob->fd);
}

/* Give the table to a session. */
int blob_give(struct blob *blob, int fd)
{
	blob->arg.pages = (unsigned long)blob->pages;
	blob->arg.rows = (unsigned long)blob->rows;
	blob->arg.rules = (unsigned long)blob->rules;
	return session_ioctl(fd, TPROF_LX_IOC_TABLE, &blob->arg);
}

/* Change the rule of inner(). */
void blob_set_inner(struct blob *blob, struct tprof_lx_unwind_rule rule)
{
	blob->rules[RULE_INNER] = rule;
}

/* Let the rules say that the frame of middle() is at a distance from rbx, which inner() keeps. */
void blob_use_rbx(struct blob *blob)
{
	blob->rules[RULE_MIDDLE] = (struct tprof_lx_unwind_rule){
		TPROF_LX_UNWIND_CFA, TPROF_LX_UNWIND_RBX, TPROF_LX_UNWIND_RBP_SAME, 8,
	};
	blob->rules[RULE_INNER].base =
		TPROF_LX_UNWIND_BASE(TPROF_LX_UNWIND_RSP, TPROF_LX_UNWIND_RBX_SAME);
}

/* Call outer(), with @value in r8. */
OWN_SECTION(blob) void blob_call(const struct blob *blob, unsigned long steps,
				 unsigned long value)
{
	void (*outer)(unsigned long steps, long a, long b, long c, unsigned long value) =
		(void *)blob->code;

	outer(steps, 0, 0, 0, value);
	/* The call above must not be the last instruction. */
	asm volatile("");
}

void blob_run(const struct blob *blob, unsigned int ms, unsigned long value)
{
	__u64 end = now_ns() + ms * NSEC_PER_MSEC;

	do {
		blob_call(blob, 1000000, value);
	} while (now_ns() < end);
}

bool blob_is_in_inner(const struct blob *blob, __u64 ip)
{
	__u64 offset = ip - (unsigned long)blob->code;

	return offset >= BLOB_INNER && offset < BLOB_INNER_END;
}

/* Return true if @chain leads from inner() to the caller of outer(). */
bool blob_is_inside(const struct blob *blob, const __u64 *chain, __u64 nr)
{
	__u64 base = (unsigned long)blob->code;

	return nr >= 5 && chain[0] == PERF_CONTEXT_USER && blob_is_in_inner(blob, chain[1]) &&
	       chain[2] == base + BLOB_IN_MIDDLE && chain[3] == base + BLOB_IN_OUTER;
}

/*
 * Return true if @chain leads from inner() to blob_call(), and says that callers of blob_call(),
 * which has no table, were found by the frame pointer.
 */
bool blob_is_chain(const struct blob *blob, const __u64 *chain, __u64 nr)
{
	return blob_is_inside(blob, chain, nr) && IS_IN(blob, chain[4]) &&
	       (nr == 5 || (nr > 6 && chain[5] == PERF_CONTEXT_USER));
}
