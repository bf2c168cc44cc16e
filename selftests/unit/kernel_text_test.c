// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the kernel's code in the recording itself
 *
 * A file with made-up symbols takes the place of /proc/kallsyms, and an ELF file that of
 * /proc/kcore.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/code_source.h"
#include "code/kernel_memory.h"
#include "code/kernel_text.h"
#include "perfdata/reader.h"
#include "perfdata_test.h"
#include "symbols/objects.h"
#include "unit.h"

#define TEXT	0xffffffff81000000ULL
#define MODULE	0xffffffffc0000000ULL
#define LEN	0x400

static char dir[] = "/tmp/kernel_text_test.XXXXXX";
static char kallsyms[64], memory[64];

static const struct object_key kernel_key = { .name = OBJECT_KERNEL_NAME, .kind = OBJECT_KERNEL };
static const struct object_key module_key = { .name = "[foo]", .kind = OBJECT_MODULE };

/* Options that hide the kernel symbols of this machine. */
static const struct symbol_options elsewhere = { .symfs = "/nonesuch", .kallsyms = "/dev/null" };

static void write_file(const char *path, const void *data, size_t len)
{
	FILE *file = fopen(path, "we");

	if (!file || fwrite(data, 1, len, file) != len || fclose(file))
		abort();
}

static void write_symbols(void)
{
	char text[512];
	int len;

	len = snprintf(text, sizeof(text),
		       "%llx T _text\n%llx t sampled\n%llx t other\n%llx T _etext\n"
		       "%llx t probe\t[foo]\n%llx t probe_end\t[foo]\n",
		       TEXT, TEXT + 0x100, TEXT + 0x180, TEXT + 0x200, MODULE, MODULE + 0x40);
	write_file(kallsyms, text, len);
}

/* Each byte of the kernel is 'k', each of the module 'm'. */
static void write_memory(void)
{
	static struct {
		Elf64_Ehdr header;
		Elf64_Phdr parts[2];
		char text[LEN];
		char module[LEN];
	} image;

	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_phoff = sizeof(image.header);
	image.header.e_phentsize = sizeof(image.parts[0]);
	image.header.e_phnum = 2;
	image.parts[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = TEXT, .p_memsz = LEN,
				       .p_offset = (char *)image.text - (char *)&image };
	image.parts[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = MODULE, .p_memsz = LEN,
				       .p_offset = (char *)image.module - (char *)&image };
	memset(image.text, 'k', sizeof(image.text));
	memset(image.module, 'm', sizeof(image.module));
	write_file(memory, &image, sizeof(image));
}

/* Look up two functions, as of samples, and make the sections of a recording. */
static void record(struct feature_set *features)
{
	const struct symbol_options here = { .kallsyms = kallsyms, .no_demangle = true };
	struct objects objects;
	int fd = kernel_memory_open(memory);

	objects_init(&objects, &here);
	objects.sources.kernel.text = TEXT;
	object_resolve(&objects, objects_get(&objects, &kernel_key), TEXT + 0x110);
	object_resolve(&objects, objects_get(&objects, &module_key), MODULE + 8);
	objects_embed(&objects, &features->section[PERFDATA_TPROF_SYMBOLS]);
	kernel_text_write(fd, &objects, &features->section[PERFDATA_TPROF_CODE]);
	objects_free(&objects);
	close(fd);
}

/* Find the code at @addr, as annotate on another machine does. Return true if all is @byte. */
static bool is_found(const struct feature_set *features, const struct object_key *key, u64 addr,
		     u8 byte)
{
	struct function_code found;
	enum code_status status;
	struct objects objects;
	struct object *object;
	struct symbol *symbol;
	bool is_it;
	u64 i;

	objects_init(&objects, &elsewhere);
	if (embedded_read(&objects.sources.embedded, features))
		abort();
	objects.sources.code = feature_begin(features, PERFDATA_TPROF_CODE);
	object = objects_get(&objects, key);
	symbol = object_resolve(&objects, object, addr);
	is_it = symbol && symbol->name;
	if (is_it) {
		status = code_find(&objects.sources, object, symbol, &found);
		is_it = status == CODE_FOUND && found.code.addr == symbol->start && found.code.len;
		for (i = 0; is_it && i < found.code.len; i++)
			is_it = found.code.bytes[i] == byte;
		code_free(&found);
	}
	objects_free(&objects);
	return is_it;
}

static bool is_same(const struct feature_set *a, const struct feature_set *b, u32 bit)
{
	return a->section[bit].len && a->section[bit].len == b->section[bit].len &&
	       !memcmp(a->section[bit].data, b->section[bit].data, a->section[bit].len);
}

/* Return true if a file keeps both sections. */
static bool is_kept_by_file(const struct feature_set *features)
{
	struct record_trailer task = { .pid = 1, .tid = 1, .id = test_events[0].id };
	static const struct feature_set none;
	struct bytes records = { 0 };
	FILE *file = tmpfile();
	struct writer writer;
	struct reader reader;
	size_t written;
	bool is_kept;

	if (!file)
		abort();
	make_events();
	record_comm(&records, &task, "task");
	writer_begin(&writer, fileno(file), false, test_events, 2, &none);
	writer_append(&writer, records.data, records.len, &written);
	writer_end(&writer, features);
	rewind(file);
	if (reader_open(&reader, fileno(file)))
		abort();
	is_kept = is_same(&reader.features, features, PERFDATA_TPROF_SYMBOLS) &&
		  is_same(&reader.features, features, PERFDATA_TPROF_CODE);
	reader_close(&reader);
	bytes_free(&records);
	fclose(file);
	return is_kept;
}

int main(void)
{
	struct feature_set features = { 0 };
	struct bytes *code = &features.section[PERFDATA_TPROF_CODE];

	if (!mkdtemp(dir))
		abort();
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", dir);
	snprintf(memory, sizeof(memory), "%s/kcore", dir);
	write_symbols();
	write_memory();
	record(&features);
	unit_ok(!bytes_err(code) && is_found(&features, &kernel_key, TEXT + 0x110, 'k'),
		"another machine finds the code of a sampled function of the kernel");
	unit_ok(is_found(&features, &module_key, MODULE + 8, 'm'),
		"another machine finds the code of a sampled function of a module");
	unit_ok(code->len == 4 + 2 * (8 + 4) + 0x80 + 0x40, "no code of other functions is kept");
	unit_ok(is_kept_by_file(&features), "a file keeps the symbols and the code");
	/* A cut section; the sanitizers must report nothing. */
	for (; code->len; code->len--) {
		if (is_found(&features, &module_key, MODULE + 8, 'k'))
			abort();
	}
	unit_ok(!is_found(&features, &kernel_key, TEXT + 0x110, 'k'),
		"without the section, another machine finds no code");
	features_free(&features);
	unlink(kallsyms);
	unlink(memory);
	rmdir(dir);
	return unit_exit();
}
