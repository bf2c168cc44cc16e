/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - run annotate with a recording of a program with known code
 *
 * The program is assembled by the test, and never runs: the test makes its samples.
 */
#ifndef TPROF_ANNOTATE_RUN_H
#define TPROF_ANNOTATE_RUN_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/say.h"
#include "perfdata_test.h"
#include "symbols/symbol_file.h"
#include "unit.h"

#define BASE		0x400000

static char dir[] = "/tmp/annotate_test.XXXXXX";
static char program[64], recording[64], said[4096];
static char *got;
static struct bytes records;
static u64 now = FIRST_TIME;

static inline void sh(const char *what)
{
	char command[1024];

	snprintf(command, sizeof(command), "cd %s && %s", dir, what);
	if (system(command))
		abort();
}

static inline void write_source(const char *name, const char *source)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	if (!file)
		abort();
	fputs(source, file);
	fclose(file);
}

/* Assemble the program from one or two sources, @more first, and copy it to another program. */
static inline void make_program(const char *source, const char *more)
{
	if (!mkdtemp(dir))
		abort();
	snprintf(program, sizeof(program), "%s/prog", dir);
	snprintf(recording, sizeof(recording), "%s/data", dir);
	write_source("prog.s", source);
	if (more)
		write_source("more.s", more);
	sh("gcc -g -shared -nostdlib -o prog *.s && cp prog other");
}

/* Return the file offset of a function of the program. */
static inline u64 offset_of(const char *name)
{
	const struct symbol_options options = { .no_debuginfod = true };
	struct symbol_file file = { 0 };
	struct symtab symtab = { 0 };
	u64 start = 0;
	size_t i;

	if (symbol_file_load(&file, program, NULL, &options, SYMBOL_ADDRESS_OFFSET, &symtab))
		abort();
	for (i = 0; i < symtab.nr; i++) {
		if (!strcmp(symtab.symbols[i].name, name))
			start = symtab.symbols[i].start;
	}
	symbol_file_close(&file);
	symtab_free(&symtab);
	return start;
}

static inline void add_sample(int event, u64 ip, u64 period)
{
	const struct test_sample sample = {
		.event = event, .ip = ip, .pid = getpid(), .tid = getpid(), .time = now++,
		.cpu = 3, .period = period,
	};

	make_fields(&records, &sample, 0);
}

static inline void map(const char *path, u64 start)
{
	struct record_trailer task = { .pid = getpid(), .tid = getpid(), .id = 41 };
	struct mapping mapping = { .start = start, .len = 0x10000, .prot = 5, .name = path };

	record_mmap2(&records, &task, &mapping);
}

static inline void write_samples(void)
{
	static struct feature_set none;
	struct feature_set features = { 0 };
	struct writer writer;
	size_t written;
	int fd = open(recording, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	features_add_events(&features, test_events, 2);
	writer_begin(&writer, fd, false, test_events, 2, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, &features);
	features_free(&features);
	bytes_free(&records);
	close(fd);
}

static inline char *read_all(FILE *file)
{
	size_t len = 0, room = 1 << 20;
	char *text = calloc(1, room + 1);

	rewind(file);
	if (text)
		len = fread(text, 1, room, file);
	if (text)
		text[len] = '\0';
	fclose(file);
	return text;
}

/* Run annotate with options, which end with NULL. Its output is in @got, messages in @said. */
static inline int annotate(const char *const *options)
{
	char *argv[16] = { "annotate", "-i", recording };
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), argc = 3, status;
	FILE *output = tmpfile(), *messages = tmpfile();
	char *text;

	while (*options)
		argv[argc++] = (char *)*options++;
	fflush(stdout);
	fflush(stderr);
	dup2(fileno(output), STDOUT_FILENO);
	dup2(fileno(messages), STDERR_FILENO);
	status = annotate_command.run(&annotate_command, argc, argv);
	fflush(stdout);
	fflush(stderr);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	free(got);
	got = read_all(output);
	text = read_all(messages);
	snprintf(said, sizeof(said), "%s", text);
	free(text);
	return status;
}

#define ANNOTATE(...)	annotate((const char *const[]){ __VA_ARGS__, NULL })

static inline bool has(const char *text)
{
	return strstr(got, text);
}

static inline bool says(const char *text)
{
	return strstr(said, text);
}

#endif /* TPROF_ANNOTATE_RUN_H */
