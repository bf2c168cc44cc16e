// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - what `tables make` says of binaries without a table
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "unit.h"

#define MAX_SIZE	(1L << 30)

/**
 * struct binary - a program without code
 * @header:	ELF header
 * @segment:	the build-id
 * @note:	build-id
 * @name:	its owner
 * @id:		its bytes
 */
struct binary {
	Elf64_Ehdr	header;
	Elf64_Phdr	segment;
	Elf64_Nhdr	note;
	char		name[4];
	unsigned char	id[24];
};

static FILE *messages;
static char said[512];

/* Return a descriptor of a binary with a build-id of @id_bytes, and zeroes up to @size. */
static int make_binary(unsigned int id_bytes, off_t size)
{
	const struct binary binary = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		},
		.segment = {
			.p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4,
			.p_offset = offsetof(struct binary, note),
			.p_filesz = sizeof(binary) - offsetof(struct binary, note),
		},
		.note = { .n_namesz = 4, .n_descsz = id_bytes, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
	};
	int fd = memfd_create("binary", MFD_CLOEXEC);

	if (fd < 0 || write(fd, &binary, sizeof(binary)) != sizeof(binary) || ftruncate(fd, size))
		abort();
	return fd;
}

/* Make the table of a binary, and keep the messages. Return the status of the command. */
static int make_table_of(int fd)
{
	char path[32], *argv[] = { "tables", "make", path, NULL };
	int status;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rewind(messages);
	if (ftruncate(fileno(messages), 0))
		abort();
	status = tables_command.run(&tables_command, 3, argv);
	fflush(stderr);
	rewind(messages);
	said[fread(said, 1, sizeof(said) - 1, messages)] = '\0';
	close(fd);
	return status;
}

static void test_reasons(void)
{
	unit_ok(make_table_of(make_binary(20, 4096)) == 1 &&
		strstr(said, "has no table: it has no unwind information"),
		"binary_without_unwind_information");
	unit_ok(make_table_of(make_binary(21, 4096)) == 1 &&
		strstr(said, "has no table: it has no build-id of 1 to 20 bytes"),
		"long_build_id");
	unit_ok(make_table_of(make_binary(0, 4096)) == 1 &&
		strstr(said, "has no table: it has no build-id of 1 to 20 bytes"),
		"empty_build_id");
	unit_ok(make_table_of(make_binary(20, MAX_SIZE + 1)) == 1 &&
		strstr(said, "has no table: it is too large"), "file_of_more_than_1_GiB");
}

int main(void)
{
	char home[] = "/tmp/tables-test-XXXXXX", path[64];
	int saved = dup(STDERR_FILENO);

	messages = tmpfile();
	if (!mkdtemp(home) || setenv("XDG_CACHE_HOME", home, 1) || !messages ||
	    dup2(fileno(messages), STDERR_FILENO) < 0)
		abort();
	test_reasons();
	dup2(saved, STDERR_FILENO);
	close(saved);
	fclose(messages);
	snprintf(path, sizeof(path), "%s/tprof-lx/tables", home);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/tprof-lx", home);
	rmdir(path);
	rmdir(home);
	return unit_exit();
}
