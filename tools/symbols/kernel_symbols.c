// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - load the symbols of the kernel and its modules
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "perfdata/buildid.h"
#include "symbols/kernel_symbols.h"

/* kallsyms lists a module's symbol as "ffffffffc0000000 t name	[module]". */
#define MODULE_MARK	'['

/**
 * struct kallsyms - state of reading kallsyms
 * @kernel:	receives the symbols
 * @text:	address of _text, 0 if addresses are hidden
 * @want_kernel: take symbols of the kernel
 * @want_modules: take symbols of modules
 * @is_guess:	the kernel's build is unknown, so use kallsyms only if @delta is 0
 * @delta:	(recorded address of _text) - (its address in kallsyms)
 */
struct kallsyms {
	struct kernel_symbols *kernel;
	u64	text;
	bool	want_kernel;
	bool	want_modules;
	bool	is_guess;
	u64	delta;
};

/**
 * struct kallsyms_line - a line of kallsyms
 * @addr:	the address
 * @type:	the letter that nm(1) prints for the type
 * @name:	name of the symbol
 * @module:	name of the module, including the brackets; NULL for the kernel
 */
struct kallsyms_line {
	u64	addr;
	char	type;
	const char *name;
	const char *module;
};

/* Parse a line of @len bytes, and divide it by NUL. */
static bool parse_line(char *text, size_t len, struct kallsyms_line *line)
{
	char *end;

	if (text[len - 1] == '\n')
		text[len - 1] = '\0';
	line->addr = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	line->type = end[1];
	line->name = end + 3;
	end = strchr(line->name, '\t');
	line->module = end && end[1] == MODULE_MARK ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return *line->name;
}

/* Call @visit for each line of file @path, until @visit fails. Return -errno, or its error. */
static int each_line(const char *path,
		     int (*visit)(void *arg, const struct kallsyms_line *line), void *arg)
{
	/* stdio reads files of /proc by 1 KiB, and kallsyms has 10 MiB. */
	char buffer[1 << 14];
	struct kallsyms_line line;
	char *text = NULL;
	size_t room = 0;
	ssize_t len;
	int err = 0;
	FILE *file = fopen(path, "re");

	if (!file)
		return -errno;
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	while (!err && (len = getline(&text, &room, file)) > 0) {
		if (parse_line(text, len, &line))
			err = visit(arg, &line);
	}
	free(text);
	fclose(file);
	return err;
}

/* For each_line(): at the line of _text, set kallsyms->text and return 1 to stop. */
static int find_text(void *arg, const struct kallsyms_line *line)
{
	struct kallsyms *kallsyms = arg;

	if (strcmp(line->name, "_text"))
		return 0;
	kallsyms->text = line->addr;
	return 1;
}

/* For each_line(): count the line in @arg[0], and in @arg[1] if it has an address. */
static int count_line(void *arg, const struct kallsyms_line *line)
{
	size_t *nr = arg;

	nr[0]++;
	nr[1] += line->addr != 0;
	return 0;
}

/* Check that @path can be read and has addresses. Return 0, or -errno with a message. */
int kallsyms_check(const char *path, struct message *message)
{
	size_t nr[2] = { 0 };
	int err = each_line(path, count_line, nr);

	if (err)
		return message_set(message, err, "%s", strerror(-err));
	if (!nr[0])
		return message_set(message, -EINVAL,
				   "this is no copy of /proc/kallsyms; make one as root");
	if (!nr[1])
		return message_set(message, -EINVAL,
				   "all addresses are 0; copy /proc/kallsyms as root");
	return 0;
}

static enum symbol_binding binding_of(char type)
{
	if (toupper(type) == 'W')
		return SYMBOL_WEAK;
	return isupper(type) ? SYMBOL_GLOBAL : SYMBOL_LOCAL;
}

static int take_line(void *arg, const struct kallsyms_line *line)
{
	struct kallsyms *kallsyms = arg;
	struct symbol symbol = { .start = line->addr, .binding = binding_of(line->type) };

	if (!strchr("TtWw", line->type) || !line->addr)
		return 0;
	if (!(line->module ? kallsyms->want_modules : kallsyms->want_kernel))
		return 0;
	if (!line->module)
		symbol.start += kallsyms->delta;
	else
		symbol.module = interned_get(&kallsyms->kernel->module_names, line->module);
	symbol.end = symbol.start;
	symbol.name = arena_text(&kallsyms->kernel->names, line->name);
	if (!symbol.name || (line->module && !symbol.module))
		return -ENOMEM;
	return symtab_add(&kallsyms->kernel->symtab, &symbol);
}

/*
 * Return true if the running kernel is the recorded one. If perf compresses or
 * writes to a pipe, it does not record the kernel's build-id: compare the release
 * instead. Kernels with equal releases can differ, so read_kallsyms() also compares
 * the address of _text, which KASLR chooses from about 512 addresses.
 */
bool kernel_symbols_are_here(const struct kernel_symbols *kernel)
{
	struct build_id id;
	struct utsname uts;

	if (kernel->build_id.size)
		return !build_id_of_kernel(&id) && !memcmp(&id, &kernel->build_id, sizeof(id));
	return kernel->release && kernel->text && !uname(&uts) &&
	       !strcmp(uts.release, kernel->release);
}

static enum symbol_status read_kallsyms(struct kallsyms *kallsyms, const char *path)
{
	struct kernel_symbols *kernel = kallsyms->kernel;

	if (each_line(path, find_text, kallsyms) < 0)
		return SYMBOL_UNREADABLE;
	if (!kallsyms->text)
		return SYMBOL_HIDDEN;
	kallsyms->delta = kernel->text ? kernel->text - kallsyms->text : 0;
	if (kallsyms->delta && kallsyms->is_guess)
		return SYMBOL_OTHER_KERNEL;
	if (kallsyms->delta)
		kallsyms->want_modules = false;
	if (each_line(path, take_line, kallsyms))
		return SYMBOL_UNREADABLE;
	return SYMBOL_FOUND;
}

static void load_kallsyms(struct kernel_symbols *kernel, const struct symbol_options *options)
{
	struct kallsyms kallsyms = {
		.kernel = kernel,
		.want_kernel = !options->vmlinux,
		.want_modules = true,
		.is_guess = !options->kallsyms && !kernel->build_id.size,
	};
	enum symbol_status status = SYMBOL_OTHER_KERNEL;

	if (options->kallsyms || kernel_symbols_are_here(kernel))
		status = read_kallsyms(&kallsyms, options->kallsyms ?: "/proc/kallsyms");
	kernel->here = status;
	kernel->moved = kallsyms.delta;
	if (!options->vmlinux)
		kernel->kernel = status;
	kernel->modules = status == SYMBOL_FOUND && !kallsyms.want_modules ?
				  SYMBOL_OTHER_KERNEL : status;
}

static u64 find_name(const struct symtab *symtab, const char *name)
{
	size_t i;

	for (i = 0; i < symtab->nr; i++) {
		if (!strcmp(symtab->symbols[i].name, name))
			return symtab->symbols[i].start;
	}
	return 0;
}

/*
 * Find the address of _text. @symtab keeps one name for each address, so it may have
 * that address under another name, such as _stext.
 */
static u64 text_of(const struct symtab *symtab)
{
	u64 text = find_name(symtab, "_text");

	if (!text)
		text = find_name(symtab, "_stext");
	return text || !symtab->nr ? text : symtab->symbols[0].start;
}

static void load_vmlinux(struct kernel_symbols *kernel, const struct symbol_options *options)
{
	struct symtab *symtab = &kernel->symtab;
	u64 delta = 0;
	size_t i;

	kernel->kernel = symbol_file_load(&kernel->file, options->vmlinux, &kernel->build_id,
					  options, SYMBOL_ADDRESS_VIRTUAL, symtab);
	if (kernel->kernel != SYMBOL_FOUND)
		return;
	if (kernel->text)
		delta = kernel->text - text_of(symtab);
	kernel->file.moved = delta;
	for (i = 0; i < symtab->nr; i++) {
		symtab->symbols[i].start += delta;
		symtab->symbols[i].end += delta;
	}
}

/* Read the symbols of the recorded kernel, unless this was called before. */
void kernel_symbols_load(struct kernel_symbols *kernel, const struct symbol_options *options)
{
	if (kernel->loaded)
		return;
	kernel->loaded = true;
	if (options->vmlinux)
		load_vmlinux(kernel, options);
	load_kallsyms(kernel, options);
	if (symtab_finish(&kernel->symtab)) {
		kernel->kernel = SYMBOL_UNREADABLE;
		kernel->modules = SYMBOL_UNREADABLE;
	}
}

void kernel_symbols_free(struct kernel_symbols *kernel)
{
	symtab_free(&kernel->symtab);
	symbol_file_close(&kernel->file);
	interned_free(&kernel->module_names);
	arena_free(&kernel->names);
}
