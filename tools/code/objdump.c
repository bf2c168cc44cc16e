// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - disassemble machine code by objdump(1)
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code/code_file.h"
#include "code/objdump.h"

/* The child has its input at this file descriptor. */
#define INPUT		3
#define INPUT_PATH	"/proc/self/fd/3"

#define SECTION		"Disassembly of section "
#define MAX_LEN		15	/* bytes of an instruction */

/**
 * struct listing - the output of objdump being read
 * @decoder:	finds where the CPU goes on after each instruction
 * @pieces:	what is disassembled
 * @nr:		number of @pieces
 * @out:	for each piece, its instructions so far
 * @at:		index of the current piece; @nr before the first
 */
struct listing {
	const struct decoder *decoder;
	const struct machine_code *pieces;
	size_t	nr;
	struct instructions *out;
	size_t	at;
};

/* Write @bytes to a file in memory. Return its file descriptor or -errno. */
static int file_of(const struct bytes *bytes)
{
	int fd = memfd_create("code", MFD_CLOEXEC), err;
	size_t written;
	ssize_t ret;

	if (fd < 0)
		return -errno;
	for (written = 0; written < bytes->len; written += ret) {
		ret = write(fd, bytes->data + written, bytes->len - written);
		if (ret <= 0) {
			err = ret ? -errno : -EIO;
			close(fd);
			return err;
		}
	}
	return fd;
}

/* Start objdump on the file @input, with its output to @output. Return its pid or -errno. */
static int start(const char *program, int input, int output)
{
	const char *argv[] = { program, "--disassemble", "--disassemble-zeroes", "--wide",
			       INPUT_PATH, NULL };
	const char *envp[] = { "LC_ALL=C", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int err;

	if (posix_spawn_file_actions_init(&actions))
		return -ENOMEM;
	err = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, input, INPUT);
	if (!err)
		err = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
						       O_WRONLY, 0);
	if (!err)
		err = posix_spawnp(&pid, program, &actions, NULL, (char **)argv, (char **)envp);
	posix_spawn_file_actions_destroy(&actions);
	return err ? -err : pid;
}

/* Read the bytes "48 89 e5" of an instruction. Return their number, and set @text behind them. */
static size_t take_bytes(char **text)
{
	size_t nr = 0;
	char *at = *text;

	while (nr <= MAX_LEN && isxdigit((unsigned char)at[0]) &&
	       isxdigit((unsigned char)at[1]) && at[2] == ' ') {
		at += 3;
		nr++;
	}
	*text = at;
	return nr;
}

/* Remove comments, names of addresses, and all but one of adjacent blanks. */
static void tidy(char *text)
{
	const char *from = text;
	char *to = text;

	text[strcspn(text, "#\n<")] = '\0';
	for (; *from; from++) {
		if (!isspace((unsigned char)*from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Remove the operand of a jump or call whose target is known. */
static void cut_target(char *text, const struct instruction *instruction)
{
	char *last = strrchr(text, ' ');

	if (last && instruction->has_target && instruction->flow != FLOW_NEXT)
		*last = '\0';
}

/* Add the instruction in a line "  401000:\t48 89 e5 \tmov    %rsp,%rbp", if it is one. */
static int take_instruction(struct listing *listing, char *line)
{
	const struct machine_code *piece = &listing->pieces[listing->at];
	struct instruction instruction = { 0 };
	struct machine_code code;
	char *text;
	u64 at;

	instruction.addr = strtoull(line, &text, 16);
	if (text == line || text[0] != ':' || text[1] != '\t')
		return 0;
	text += 2;
	instruction.len = take_bytes(&text);
	at = instruction.addr - piece->addr;
	if (!instruction.len || at >= piece->len || piece->len - at < instruction.len)
		return 0;
	tidy(text);
	instruction.text = text;
	instruction.is_known = *text && !strstr(text, "(bad)");
	code = (struct machine_code){ instruction.addr, piece->bytes + at, piece->len - at };
	if (instruction.is_known)
		decode_flow(listing->decoder, &code, &instruction);
	cut_target(text, &instruction);
	return instructions_add(&listing->out[listing->at], &instruction);
}

static int take_line(struct listing *listing, char *line)
{
	size_t at;

	if (!strncmp(line, SECTION, strlen(SECTION))) {
		if (sscanf(line + strlen(SECTION), CODE_FILE_SECTION ":", &at) != 1)
			at = listing->nr;
		listing->at = at < listing->nr ? at : listing->nr;
		return 0;
	}
	return listing->at < listing->nr ? take_instruction(listing, line) : 0;
}

static int read_listing(struct listing *listing, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, file) > 0)
		err = take_line(listing, line);
	free(line);
	return err;
}

/* Return true if the instructions of each piece are all its bytes, one after another. */
static bool is_whole(const struct listing *listing)
{
	const struct instruction *instruction;
	u64 addr;
	size_t i, j;

	for (i = 0; i < listing->nr; i++) {
		addr = listing->pieces[i].addr;
		for (j = 0; j < listing->out[i].nr; j++) {
			instruction = &listing->out[i].list[j];
			if (instruction->addr != addr)
				return false;
			addr += instruction->len;
		}
		if (addr != listing->pieces[i].addr + listing->pieces[i].len)
			return false;
	}
	return true;
}

/* Run objdump on the file @input. Return 0 or -errno. */
static int run(const char *program, int input, struct listing *listing)
{
	int fds[2], pid, status, err;
	FILE *file;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = start(program, input, fds[1]);
	close(fds[1]);
	file = pid > 0 ? fdopen(fds[0], "r") : NULL;
	if (!file) {
		close(fds[0]);
		if (pid <= 0)
			return pid;
	}
	err = file ? read_listing(listing, file) : -ENOMEM;
	if (file)
		fclose(file);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -EIO;
	if (err || WEXITSTATUS(status) == 127)
		return err ? err : -ENOENT;
	return !WEXITSTATUS(status) && is_whole(listing) ? 0 : -EIO;
}

/*
 * Disassemble @nr pieces of code in one run of @program, an objdump. Append the instructions
 * of piece i to @out[i], which must be empty. Return 0 or -errno: -ENOENT if there is no such
 * program, -EIO if its output is not that of objdump. If this fails, @out[i] may have some
 * instructions.
 */
int objdump_all(const char *program, const struct decoder *decoder,
		const struct machine_code *pieces, size_t nr, struct instructions *out)
{
	struct listing listing = { decoder, pieces, nr, out, nr };
	struct bytes file = { 0 };
	int err = code_file_make(&file, pieces, nr);
	int input = err ? err : file_of(&file);

	bytes_free(&file);
	if (input < 0)
		return input;
	err = run(program, input, &listing);
	close(input);
	return err;
}
