// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - the function at an address
 *
 * Addresses are looked up in this program, or in a copy changed by objcopy(1).
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "symbols/demangle.h"
#include "symbols/objects.h"
#include "unit.h"

static char dir[] = "/tmp/objects_test.XXXXXX";
static char self[512];
static struct build_id self_id;

__attribute__((noipa)) static int landmark(int x)
{
	return x * 3;
}

/* Return the file offset of a function of this program. */
static u64 file_offset(const void *function)
{
	const Elf64_Phdr *header = NULL;
	struct link_map *map = NULL;
	const Elf64_Ehdr *image;
	Dl_info info;
	u64 addr;

	if (!dladdr1(&file_offset, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		dladdr(function, &info);
	image = info.dli_fbase;
	header = (const void *)((const char *)image + image->e_phoff);
	addr = (const char *)function - (const char *)info.dli_fbase;
	for (int i = 0; i < image->e_phnum; i++) {
		if (header[i].p_type == PT_LOAD && addr - header[i].p_vaddr < header[i].p_filesz)
			return addr - header[i].p_vaddr + header[i].p_offset;
	}
	return 0;
}

static void sh(const char *what)
{
	char command[2048];

	snprintf(command, sizeof(command), "cd %s && self='%s' && %s", dir, self, what);
	if (system(command))
		printf("# failed: %s\n", command);
}

/* pid of the process that mapped the binary, or 0. */
static u32 owner;

static enum symbol_status look(const struct symbol_options *options, const char *name,
			       const struct build_id *id, const char *expected)
{
	struct object_key key = { .name = name, .build_id = id, .kind = OBJECT_FILE,
				  .pid = owner };
	struct objects objects;
	enum symbol_status status;
	struct object *object;
	struct symbol *symbol;

	objects_init(&objects, options);
	object = objects_get(&objects, &key);
	symbol = object_resolve(&objects, object, file_offset(landmark) + 1);
	status = object_status(object, symbol);
	if (!status && strcmp(symbol->name, expected))
		status = SYMBOL_NR_STATUS;
	if (symbol != object_resolve(&objects, object, file_offset(landmark) + 1))
		status = SYMBOL_NR_STATUS;
	objects_free(&objects);
	return status;
}

static enum symbol_status look_plain(const char *name, const struct build_id *id)
{
	struct symbol_options options = { .no_debuginfod = true };

	return look(&options, name, id, "landmark");
}

static void test_files(void)
{
	struct symbol_options below = { .symfs = dir, .no_debuginfod = true };
	struct build_id other = self_id;
	char path[600];

	unit_ok(landmark(2) == 6 && look_plain(self, NULL) == SYMBOL_FOUND,
		"a function of a file is found");
	unit_ok(look_plain(self, &self_id) == SYMBOL_FOUND,
		"a function of a file with the recorded build-id is found");
	other.data[0] ^= 1;
	unit_ok(look_plain(self, &other) == SYMBOL_OTHER_BUILD,
		"a file of another build is not used");
	unit_ok(look_plain("/nonesuch/file", &self_id) == SYMBOL_NO_FILE,
		"a missing file is reported");
	unit_ok(look_plain("/dev/null", NULL) == SYMBOL_UNREADABLE,
		"a device is reported as unreadable");
	unit_ok(look_plain("[heap]", NULL) == SYMBOL_NO_FILE,
		"a mapping that is no file is reported");
	snprintf(path, sizeof(path), "%s (deleted)", self);
	unit_ok(look_plain(path, &self_id) == SYMBOL_FOUND &&
		look_plain(path, NULL) == SYMBOL_NO_FILE,
		"a deleted file is used only with the recorded build-id");
	sh("mkdir -p opt && cp \"$self\" opt/prog");
	unit_ok(look(&below, "/opt/prog", &self_id, "landmark") == SYMBOL_FOUND,
		"files are looked up below --symfs");
}

static void test_copies(void)
{
	char text[BUILD_ID_TEXT], command[256];
	struct build_id other = self_id;

	build_id_text(&self_id, text);
	snprintf(command, sizeof(command),
		 "mkdir -p .debug/.build-id/%.2s/%s && cp \"$self\" .debug/.build-id/%.2s/%s/elf",
		 text, text + 2, text, text + 2);
	setenv("HOME", dir, 1);
	unit_ok(look_plain("/nonesuch/file", &self_id) == SYMBOL_NO_FILE,
		"a build-id that no directory has is not found");
	sh(command);
	unit_ok(look_plain("/nonesuch/file", &self_id) == SYMBOL_FOUND,
		"the copy in perf's cache is used");
	unit_ok(look_plain("/bin/true", &self_id) == SYMBOL_FOUND,
		"perf's copy is used instead of a file of another build");
	unit_ok(look_plain("/nonesuch/file", NULL) == SYMBOL_NO_FILE,
		"perf's copy is not used without a build-id");
	other.data[0] ^= 1;
	unit_ok(look_plain("/bin/true", &other) == SYMBOL_OTHER_BUILD,
		"perf's copy is not used for another build-id");
	sh("rm -r .debug");
}

/* The process that mapped the binary has another root directory, as in a container. */
static void test_other_root(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	sh("mkdir -p root/opt && cp \"$self\" root/opt/inside");
	if (pipe(ready))
		abort();
	pid = fork();
	if (!pid) {
		close(ready[0]);
		if (!chdir(dir) && !chroot("root") && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1) {
		owner = pid;
		unit_ok(look_plain("/opt/inside", &self_id) == SYMBOL_FOUND,
			"a file below the root of the process is found");
		owner = 0;
		unit_ok(look_plain("/opt/inside", &self_id) == SYMBOL_NO_FILE,
			"a file below another process's root is not found");
	} else {
		unit_skip("a file below the root of the process is found",
			  "chroot is not allowed");
	}
	close(ready[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The recording names this program by a path that no longer exists. */
static void test_program_that_was_deleted(void)
{
	struct build_id other = self_id;

	other.data[0] ^= 1;
	owner = getpid();
	unit_ok(look_plain("/nonesuch/prog (deleted)", &self_id) == SYMBOL_FOUND,
		"a deleted program is read while it runs");
	unit_ok(look_plain("/nonesuch/prog (deleted)", &other) == SYMBOL_NO_FILE,
		"a running program is not used for another build-id");
	owner = 0;
}

/* In @path, a stripped copy of this program, a function has the addresses that it has here. */
static void test_nameless(const char *path)
{
	struct symbol_options options = { .no_debuginfod = true };
	struct object_key full = { .name = self, .kind = OBJECT_FILE };
	struct object_key stripped = { .name = path, .kind = OBJECT_FILE };
	const struct symbol *symbol, *named;
	struct objects objects;
	char name[64];
	Dl_info info;

	objects_init(&objects, &options);
	named = object_resolve(&objects, objects_get(&objects, &full), file_offset(landmark));
	symbol = object_resolve(&objects, objects_get(&objects, &stripped),
				file_offset(landmark) + 1);
	dladdr(landmark, &info);
	snprintf(name, sizeof(name), "stripped+0x%lx",
		 (long)((const char *)landmark - (const char *)info.dli_fbase));
	unit_ok(symbol->nameless && !strcmp(symbol->name, name) && symbol->start == named->start &&
		symbol->end == named->end, "a function without a symbol is named by its start");
	objects_free(&objects);
}

/* A program without any symbol. */
static void test_bare(void)
{
	const struct symbol_options options = { .no_debuginfod = true };
	struct symbol_file file = { 0 };
	struct symtab symtab = { 0 };
	enum symbol_status status;
	char path[600];

	sh("echo 'int f(int x) { return x * 3; } void _start(void) { for (;;) f(1); }' >bare.c");
	sh("gcc -O0 -nostdlib -static -Wl,--eh-frame-hdr -o bare ./bare.c && strip bare");
	snprintf(path, sizeof(path), "%s/bare", dir);
	status = symbol_file_load(&file, path, NULL, &options, SYMBOL_ADDRESS_OFFSET, &symtab);
	unit_ok(status == SYMBOL_STRIPPED && symtab.nr == 2 && symtab.symbols[0].nameless &&
		symtab.symbols[1].end > symtab.symbols[1].start,
		"a file without symbols has functions by their unwind information");
	symbol_file_close(&file);
	symtab_free(&symtab);
}

static void test_debug_files(void)
{
	char path[600];

	sh("strip -o stripped \"$self\"");
	snprintf(path, sizeof(path), "%s/stripped", dir);
	/* A stripped file has only the symbols that the dynamic linker needs. */
	unit_ok(look_plain(path, &self_id) == SYMBOL_NAMELESS,
		"a local function of a stripped file has no name");
	test_nameless(path);
	test_bare();
	sh("objcopy --only-keep-debug \"$self\" prog.debug && cp stripped linked");
	sh("objcopy --add-gnu-debuglink=prog.debug linked");
	snprintf(path, sizeof(path), "%s/linked", dir);
	unit_ok(look_plain(path, &self_id) == SYMBOL_FOUND,
		"the debug file that a binary names is used");
	sh("cp /bin/true prog.debug");
	unit_ok(look_plain(path, &self_id) == SYMBOL_NAMELESS,
		"a debug file of another build is not used");
	sh("nm \"$self\" --format=posix --defined-only | sed -n 's/ [Tt] .*//p' >keep");
	sh("objcopy --only-keep-debug \"$self\" full");
	sh("objcopy -S --remove-section .comment --keep-symbols=keep full mini && xz -f mini");
	sh("objcopy --add-section .gnu_debugdata=mini.xz stripped small");
	snprintf(path, sizeof(path), "%s/small", dir);
	unit_ok(look_plain(path, &self_id) == SYMBOL_FOUND,
		"the small symbol table within a binary is used");
}

static void test_stubs(void)
{
	struct object_key key = { .name = self, .kind = OBJECT_FILE };
	struct symbol_options options = { .no_debuginfod = true };
	struct objects objects;
	struct object *object;
	bool found = false;

	objects_init(&objects, &options);
	object = objects_get(&objects, &key);
	object_resolve(&objects, object, 0);
	for (size_t i = 0; i < object->symtab.nr; i++)
		found |= !strcmp(object->symtab.symbols[i].name, "system@plt");
	unit_ok(found, "PLT stubs are named after what they call");
	objects_free(&objects);
}

static void test_vdso(void)
{
	struct object_key key = { .name = "[vdso]", .kind = OBJECT_VDSO };
	struct symbol_options options = { 0 };
	struct build_id id = { 0 };
	struct objects objects;
	struct object *object;
	bool found = false;

	build_id_of_vdso(&id);
	key.build_id = &id;
	objects_init(&objects, &options);
	object = objects_get(&objects, &key);
	object_resolve(&objects, object, 0);
	for (size_t i = 0; i < object->symtab.nr; i++)
		found |= strstr(object->symtab.symbols[i].name, "clock_gettime") ? 1 : 0;
	unit_ok(found && object->why == SYMBOL_FOUND, "the vDSO has symbols");
	id.data[3] ^= 1;
	object = objects_get(&objects, &key);
	object_resolve(&objects, object, 0);
	unit_ok(object->why == SYMBOL_OTHER_BUILD,
		"the vDSO of another kernel has no symbols");
	key.build_id = NULL;
	object = objects_get(&objects, &key);
	object_resolve(&objects, object, 0);
	unit_ok(object->why == SYMBOL_OTHER_KERNEL,
		"a vDSO without a build-id has no symbols");
	objects_free(&objects);
}

static const char *jit_name(struct objects *objects, u32 pid, u64 addr)
{
	char path[64];
	struct object_key key = { .name = path, .kind = OBJECT_JIT, .pid = pid };
	struct object *object;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	object = objects_get(objects, &key);
	return object_resolve(objects, object, addr)->name;
}

static void test_jit(void)
{
	struct symbol_options options = { 0 };
	struct objects objects;
	const char *name;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	file = fopen(path, "we");
	if (!file)
		abort();
	fputs("7f00 10 lambda two words\nnonsense\n8000 0 empty\n9000 xx\n7f10 8 next\n", file);
	fclose(file);
	objects_init(&objects, &options);
	name = jit_name(&objects, getpid(), 0x7f0f);
	unit_ok(name && !strcmp(name, "lambda two words"),
		"a function in a perf map is found");
	name = jit_name(&objects, getpid(), 0x7f10);
	unit_ok(name && !strcmp(name, "next") && !jit_name(&objects, getpid(), 0x8000),
		"malformed lines of a perf map are skipped");
	unit_ok(!jit_name(&objects, 1, 0x7f00),
		"a perf map is used for its process only");
	objects_free(&objects);
	unlink(path);
}

static void test_kernel(void)
{
	struct object_key kernel = { .name = "[kernel.kallsyms]", .kind = OBJECT_KERNEL };
	struct object_key module = { .name = "/lib/modules/6.1/kernel/foo-bar.ko.xz",
				     .kind = OBJECT_MODULE };
	struct symbol_options options = { 0 };
	struct objects objects;
	struct object *object;
	struct symbol *symbol;
	char path[600];
	FILE *file;

	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	file = fopen(path, "we");
	if (!file)
		abort();
	fputs("ffffffff81000000 T _text\nffffffff81000100 t idle\nffffffff81000200 D data\n", file);
	fputs("ffffffffc0000000 t start\t[foo_bar]\n", file);
	fclose(file);
	options.kallsyms = path;
	objects_init(&objects, &options);
	objects.sources.kernel.text = 0xffffffff81000000;
	object = objects_get(&objects, &kernel);
	symbol = object_resolve(&objects, object, 0xffffffff81000120);
	unit_ok(symbol->name && !strcmp(symbol->name, "idle"),
		"a function of the kernel is found");
	object = objects_get(&objects, &module);
	symbol = object_resolve(&objects, object, 0xffffffffc0000010);
	unit_ok(symbol->name && !strcmp(symbol->name, "start") &&
		!strcmp(object->short_name, "[foo_bar]"),
		"a function of a module is found");
	objects_free(&objects);

	objects_init(&objects, &options);
	objects.sources.kernel.text = 0xffffffff91000000;
	object = objects_get(&objects, &kernel);
	symbol = object_resolve(&objects, object, 0xffffffff91000120);
	unit_ok(symbol->name && !strcmp(symbol->name, "idle"),
		"a function of a kernel at another address is found");
	object = objects_get(&objects, &module);
	symbol = object_resolve(&objects, object, 0xffffffffc0000010);
	unit_ok(object_status(object, symbol) == SYMBOL_OTHER_KERNEL,
		"a module of a kernel at another address is not resolved");
	objects_free(&objects);

	options.kallsyms = NULL;
	objects_init(&objects, &options);
	object = objects_get(&objects, &kernel);
	symbol = object_resolve(&objects, object, 0xffffffff81000120);
	unit_ok(object_status(object, symbol) == SYMBOL_OTHER_KERNEL,
		"this machine's symbols are not used for an unknown kernel");
	objects_free(&objects);
}

/* Look @addr up in a kernel with its _text at @text, and @byte in each byte of its build-id. */
static bool has_function(const char *vmlinux, u8 byte, u64 text, u64 addr, const char *name)
{
	struct build_id id = { .size = 20 };
	struct object_key key = { .name = OBJECT_KERNEL_NAME, .build_id = &id,
				  .kind = OBJECT_KERNEL };
	struct symbol_options options = { .symfs = "/nonesuch", .kallsyms = "/dev/null",
					  .vmlinux = vmlinux };
	struct objects objects;
	struct symbol *symbol;
	struct object *object;
	bool has;

	memset(id.data, byte, 20);
	objects_init(&objects, &options);
	objects.sources.kernel.build_id = id;
	objects.sources.kernel.text = text;
	object = objects_get(&objects, &key);
	symbol = object_resolve(&objects, object, addr);
	has = symbol->name ? name && !strcmp(symbol->name, name) : !name;
	objects_free(&objects);
	return has;
}

/* The kernel may be loaded at other addresses than those of the file. */
static void test_vmlinux(void)
{
	char vmlinux[64];

	snprintf(vmlinux, sizeof(vmlinux), "%s/vmlinux", dir);
	sh("echo '.globl _text; _text: .fill 256,1,144; .type idle,@function; idle: .fill 64' >k.s");
	sh("echo '.size idle,64' >>k.s");
	sh("echo --build-id=0x$(printf '11%.0s' $(seq 20)) -e _text >options");
	sh("echo -Ttext=0xffffffff81000000 >>options");
	sh("gcc -nostdlib -static -Wl,@options -o vmlinux k.s");
	unit_ok(has_function(vmlinux, 0x11, 0, 0xffffffff81000110, "idle"),
		"a function of the vmlinux is found");
	unit_ok(has_function(vmlinux, 0x11, 0xffffffff9f000000, 0xffffffff9f000110, "idle"),
		"a function of a kernel that was moved is found in the vmlinux");
	unit_ok(has_function(vmlinux, 0x22, 0, 0xffffffff81000110, NULL),
		"the vmlinux of another kernel is not used");
}

static void test_kernel_names(void)
{
	static const char *const names[] = { "[kernel.vmlinux]", "/boot/vmlinux-6.1",
					     "/proc/kcore" };
	struct object_key key = { .name = OBJECT_KERNEL_NAME, .kind = OBJECT_KERNEL };
	struct symbol_options options = { 0 };
	struct {
		struct perfdata_build_id entry;
		char name[24];
	} section;
	struct objects objects;
	bool known = true;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		memset(&section, 0, sizeof(section));
		section.entry.header.misc = PERF_RECORD_MISC_KERNEL;
		section.entry.header.size = sizeof(section);
		section.entry.build_id[0] = 7;
		strcpy(section.name, names[i]);
		objects_init(&objects, &options);
		objects_know_ids(&objects, &section, sizeof(section));
		known &= objects_get(&objects, &key)->build_id.data[0] == 7;
		objects_free(&objects);
	}
	unit_ok(known,
		"the kernel's build-id is found under each of perf's names");
}

/* A binary, and the address that is looked up in it. */
struct embedded_case {
	struct object_key key;
	u64	addr;
};

static bool same_symbols(const struct symbol *x, const struct symbol *y)
{
	if (!x->name || !y->name)
		return x->name == y->name && x->start == y->start;
	return x->start == y->start && x->end == y->end && !strcmp(x->name, y->name);
}

/*
 * Return true if @one and @two find the same symbols. Look up all cases even after a
 * difference, since only symbols that were looked up are embedded.
 */
static bool same_answers(struct objects *one, struct objects *two,
			 const struct embedded_case *cases, size_t nr)
{
	struct object *objects[2];
	struct symbol *symbols[2];
	bool same = true;

	for (size_t i = 0; i < nr; i++) {
		objects[0] = objects_get(one, &cases[i].key);
		objects[1] = objects_get(two, &cases[i].key);
		symbols[0] = object_resolve(one, objects[0], cases[i].addr);
		symbols[1] = object_resolve(two, objects[1], cases[i].addr);
		same &= object_status(objects[0], symbols[0]) ==
			object_status(objects[1], symbols[1]);
		same &= same_symbols(symbols[0], symbols[1]);
	}
	return same;
}

/* Options that hide the binaries and the kernel symbols of this machine. */
static const struct symbol_options elsewhere = { .symfs = "/nonesuch", .kallsyms = "/dev/null",
						 .no_debuginfod = true };

static void test_embedded(void)
{
	const struct embedded_case cases[] = {
		{ { .name = self, .build_id = &self_id }, file_offset(landmark) },
		{ { .name = self, .build_id = &self_id }, file_offset(landmark) + 2 },
		{ { .name = self, .build_id = &self_id }, 1 },
		{ { .name = "/nonesuch/file" }, 0x100 },
		{ { .name = OBJECT_KERNEL_NAME, .kind = OBJECT_KERNEL }, 0xffffffff81000120 },
		{ { .name = "[foo_bar]", .kind = OBJECT_MODULE }, 0xffffffffc0000010 },
	};
	struct symbol_options here = { .no_demangle = true, .no_debuginfod = true };
	struct feature_set features = { 0 };
	struct bytes *section = &features.section[PERFDATA_TPROF_SYMBOLS];
	struct objects recorded, read;
	char path[600];
	size_t len;

	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	here.kallsyms = path;
	objects_init(&recorded, &here);
	objects_init(&read, &elsewhere);
	same_answers(&recorded, &read, cases, ARRAY_SIZE(cases));
	objects_embed(&recorded, section);
	unit_ok(!same_answers(&recorded, &read, cases, ARRAY_SIZE(cases)),
		"another machine finds no symbols");
	objects_free(&read);

	objects_init(&read, &elsewhere);
	embedded_read(&read.sources.embedded, &features);
	unit_ok(!bytes_err(section) && same_answers(&recorded, &read, cases, ARRAY_SIZE(cases)),
		"another machine finds the symbols that are embedded");
	unit_ok(read.sources.kernel.symtab.nr == 0 && section->len < 1000,
		"only the symbols that were looked up are embedded");
	objects_free(&read);

	/* Read the section cut at every length; the sanitizers must report nothing. */
	for (len = section->len; section->len > 0; section->len--) {
		objects_init(&read, &elsewhere);
		embedded_read(&read.sources.embedded, &features);
		same_answers(&recorded, &read, cases, ARRAY_SIZE(cases));
		objects_free(&read);
	}
	section->len = len;
	objects_free(&recorded);
	features_free(&features);
}

static void test_names(void)
{
	char *plain = demangle("_ZN3foo3barIiEEvT_");

	unit_ok(plain && !strcmp(plain, "foo::bar<int>"),
		"a C++ name is demangled");
	free(plain);
	plain = demangle("_RNvC6_123foo3bar");
	unit_ok(plain && !strcmp(plain, "123foo::bar"),
		"a Rust name is demangled");
	free(plain);
	unit_ok(!demangle("main"), "a plain name is not demangled");
}

int main(void)
{
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0 || !mkdtemp(dir) || build_id_of_file(self, &self_id))
		abort();
	test_files();
	test_copies();
	test_other_root();
	test_program_that_was_deleted();
	test_debug_files();
	test_stubs();
	test_vdso();
	test_jit();
	test_kernel();
	test_vmlinux();
	test_kernel_names();
	test_embedded();
	test_names();
	sh("rm -rf \"$PWD\"");
	return unit_exit();
}
