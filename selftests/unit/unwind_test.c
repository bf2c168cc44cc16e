// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - unwind tables: pages, rules, damaged binaries, the cache
 */
#include <dlfcn.h>
#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "perfdata/buildid.h"
#include "same_table.h"
#include "unit.h"
#include "unwind/object.h"
#include "unwind/table_cache.h"

#define LIBC	"/lib/x86_64-linux-gnu/libc.so.6"
#define LINKER	"/lib64/ld-linux-x86-64.so.2"

static const struct tprof_lx_unwind_rule entry = {
	.how = TPROF_LX_UNWIND_CFA, .base = TPROF_LX_UNWIND_RSP, .offset = 8,
	.rbp = TPROF_LX_UNWIND_RBP_SAME,
};

static const struct tprof_lx_unwind_rule framed = {
	.how = TPROF_LX_UNWIND_CFA, .base = TPROF_LX_UNWIND_RBP, .offset = 16, .rbp = -16,
};

static bool has_rule(const struct unwind_table *table, u64 offset,
		     const struct tprof_lx_unwind_rule *rule)
{
	const struct tprof_lx_unwind_rule *found = unwind_table_find(table, offset);

	return found && !memcmp(found, rule, sizeof(*rule));
}

static void test_pages(void)
{
	struct table_builder builder = { 0 };
	struct unwind_table table;
	bool is_made = !builder_add(&builder, 0x1fff0, &entry) &&
		       !builder_add(&builder, 0x1fff8, &entry) &&
		       !builder_add(&builder, 0x40010, &framed) &&
		       !builder_end(&builder, 0x50000);

	table = builder.table;
	table.pages = realloc(table.pages, (table.nr_pages + 1) * sizeof(*table.pages));
	table.pages[table.nr_pages] = table.nr_rows;
	unit_ok(is_made && table.page0 == 1 && table.nr_pages == 4 && table.nr_rules == 2 &&
		unwind_table_is_valid(&table), "pages_go_from_the_first_to_the_last_row");
	unit_ok(table.nr_rows == 5, "equal_neighbours_are_one_row_in_each_page");
	unit_ok(has_rule(&table, 0x1fff0, &entry) && has_rule(&table, 0x20000, &entry) &&
		has_rule(&table, 0x4000f, &entry) && has_rule(&table, 0x40010, &framed) &&
		has_rule(&table, 0x4ffff, &framed), "a_row_holds_up_to_the_next");
	unit_ok(!unwind_table_find(&table, 0x1ffef) && !unwind_table_find(&table, 0x50000) &&
		!unwind_table_find(&table, 0), "there_is_no_rule_outside_of_the_code");
	table.rows[0].rule = 2;
	unit_ok(!unwind_table_is_valid(&table), "a_row_of_no_rule_is_found");
	table.rows[0].rule = 0;
	table.pages[1] = 6;
	unit_ok(!unwind_table_is_valid(&table), "a_page_beyond_the_rows_is_found");
	builder_free(&builder);
	unwind_table_free(&table);
}

static void test_rules(void)
{
	struct tprof_lx_unwind_rule signal = { .how = TPROF_LX_UNWIND_SIGNAL };
	struct unwind_table table;
	int fd = open_regular(LIBC), err = unwind_object(fd, NULL, &table);
	bool has_signal = false, has_end = false, has_plt = false;
	u32 i;

	for (i = 0; !err && i < table.nr_rules; i++) {
		has_signal |= !memcmp(&table.rules[i], &signal, sizeof(signal));
		has_end |= table.rules[i].how == TPROF_LX_UNWIND_END;
		has_plt |= table.rules[i].how == TPROF_LX_UNWIND_PLT;
	}
	if (fd < 0) {
		unit_skip("the_c_library_has_special_frames", "there is no " LIBC);
		return;
	}
	unit_ok(has_signal && has_end && has_plt && !table.losses[UNWIND_SIGNAL],
		"the_c_library_has_special_frames");
	unwind_table_free(&table);
	close(fd);
}

/* The kernel starts this program in its dynamic linker. The entry point there is assembly. */
static void test_entry(void)
{
	const char *const name = "the_entry_point_of_the_dynamic_linker_is_outermost";
	const Elf64_Ehdr *linker = (const Elf64_Ehdr *)getauxval(AT_BASE);
	const struct tprof_lx_unwind_rule *rule = NULL;
	struct unwind_table table;
	int fd = open_regular(LINKER);

	if (fd < 0 || !linker) {
		unit_skip(name, "there is no " LINKER);
		return;
	}
	/* Its code has the same addresses and file offsets. */
	if (!unwind_object(fd, NULL, &table))
		rule = unwind_table_find(&table, linker->e_entry);
	unit_ok(rule && rule->how == TPROF_LX_UNWIND_END, name);
	rule = rule ? unwind_table_find(&table, linker->e_entry + 128) : NULL;
	unit_ok(rule && rule->how != TPROF_LX_UNWIND_END, "code_far_from_the_entry_point_is_not");
	unwind_table_free(&table);
	close(fd);
}

static int copy_of_vdso(const Elf64_Ehdr *vdso)
{
	/* The image ends with the section header table. */
	size_t size = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	int fd = memfd_create("vdso", MFD_CLOEXEC);

	if (write(fd, vdso, size) != (ssize_t)size)
		abort();
	return fd;
}

/* Count the bytes of the vdso's function @name at which @table does not find the caller. */
static u64 count_lost(const struct unwind_table *table, const Elf64_Ehdr *vdso, const char *name)
{
	const struct tprof_lx_unwind_rule *rule;
	u64 from = (uintptr_t)dlsym(dlopen("linux-vdso.so.1", RTLD_LAZY), name), lost = 0, at;
	const Elf64_Sym *sym = NULL;
	Dl_info info;

	if (!from || !dladdr1((void *)from, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym ||
	    !sym->st_size)
		return ~0ULL;
	/* Its code has the same addresses and file offsets. */
	for (at = from - (uintptr_t)vdso; at < from - (uintptr_t)vdso + sym->st_size; at++) {
		rule = unwind_table_find(table, at);
		lost += !rule || rule->how != TPROF_LX_UNWIND_CFA;
	}
	return lost;
}

static void test_vdso(void)
{
	const char *const name = "the_clock_of_the_vdso_leads_to_its_caller";
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	struct unwind_table table;
	int fd;

	if (!vdso) {
		unit_skip(name, "the kernel has no vdso");
		return;
	}
	fd = copy_of_vdso(vdso);
	unit_ok(!unwind_object(fd, NULL, &table) &&
		!count_lost(&table, vdso, "__vdso_clock_gettime") &&
		!count_lost(&table, vdso, "__vdso_gettimeofday"), name);
	unwind_table_free(&table);
	close(fd);
}

/* Read this program into memory. Return a descriptor of a copy of its first @len bytes. */
static int copy_of_self(size_t len, size_t damage_at)
{
	static u8 *image;
	static size_t size;
	struct stat st;
	int self, fd = memfd_create("copy", MFD_CLOEXEC);

	if (!image) {
		self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		if (fstat(self, &st))
			abort();
		size = st.st_size;
		image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, self, 0);
		close(self);
	}
	len = len < size ? len : size;
	if (write(fd, image, len) != (ssize_t)len)
		abort();
	if (damage_at < len && pwrite(fd, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, damage_at) != 8)
		abort();
	return fd;
}

static void test_damaged(void)
{
	struct unwind_table table;
	u32 nr_refused = 0, nr_wrong = 0;
	size_t at;
	int fd, err;

	for (at = 0; at < 1024; at += 8) {
		fd = copy_of_self(~0UL, at);
		err = unwind_object(fd, NULL, &table);
		nr_refused += err != 0;
		nr_wrong += !err && !unwind_table_is_valid(&table);
		unwind_table_free(&table);
		close(fd);
	}
	unit_ok(nr_refused && !nr_wrong, "a_damaged_header_is_an_error_or_gives_a_valid_table");
	fd = copy_of_self(100000, ~0UL);
	unit_ok(unwind_object(fd, NULL, &table), "a_binary_that_was_cut_is_an_error");
	unwind_table_free(&table);
	close(fd);
	fd = copy_of_self(0, ~0UL);
	unit_ok(unwind_object(fd, NULL, &table) == -ENOEXEC, "an_empty_file_is_no_program");
	close(fd);
}

static void test_unwanted(void)
{
	const atomic_bool is_unwanted = true;
	struct unwind_table table;
	int fd = copy_of_self(~0UL, ~0UL);

	unit_ok(unwind_object(fd, &is_unwanted, &table) == -ETIME,
		"a_table_that_is_not_wanted_any_more_is_given_up");
	unwind_table_free(&table);
	close(fd);
}

/*
 * Return a descriptor of a program with code and a build-id. Its .eh_frame describes nothing:
 * it is the word of zeros at the end of .eh_frame_hdr.
 */
static int bare_program(void)
{
	const struct bare {
		Elf64_Ehdr header;
		Elf64_Phdr segments[3];
		Elf64_Nhdr note;
		char name[4], id[20];
		u8 frames[16], code[64];
	} image = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
		},
		.segments = {
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000,
			  .p_filesz = sizeof(image), .p_memsz = sizeof(image) },
			{ .p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4,
			  .p_offset = offsetof(struct bare, note),
			  .p_filesz = sizeof(Elf64_Nhdr) + 24 },
			{ .p_type = PT_GNU_EH_FRAME, .p_flags = PF_R,
			  .p_offset = offsetof(struct bare, frames),
			  .p_vaddr = 0x400000 + offsetof(struct bare, frames),
			  .p_filesz = sizeof(image.frames) },
		},
		.note = { .n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
		.frames = { 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
			    DW_EH_PE_datarel | DW_EH_PE_sdata4, 8 },
	};
	int fd = memfd_create("bare", MFD_CLOEXEC);

	if (write(fd, &image, sizeof(image)) != sizeof(image))
		abort();
	return fd;
}

static void test_nothing(void)
{
	struct unwind_table table;
	int fd = bare_program();

	unit_ok(unwind_object(fd, NULL, &table) == -ENODATA, "code_without_descriptions_has_no_table");
	unwind_table_free(&table);
	close(fd);
}

static int count_one(void *arg, const struct build_id *id)
{
	*(u32 *)arg += id->size == 20;
	return 0;
}

/* Change a byte of the only file in the directory. */
static void damage(const struct table_cache *cache, const struct build_id *id, off_t at)
{
	char text[BUILD_ID_TEXT], path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.table", cache->path, build_id_text(id, text));
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, "\xa5", 1, at) != 1)
		abort();
	close(fd);
}

/* A process that is killed while it writes a table leaves such a file. */
static void make_incomplete(const struct table_cache *cache, const struct build_id *id)
{
	char text[BUILD_ID_TEXT], path[256];

	snprintf(path, sizeof(path), "%s/%s.table.1234", cache->path, build_id_text(id, text));
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static void test_cache(const struct unwind_table *table)
{
	struct table_cache cache;
	struct unwind_table read;
	u32 nr = 0;

	unit_ok(!table_cache_open(&cache), "the_cache_is_made");
	unit_ok(table_cache_read(&cache, &table->build_id, &read) == -ENOENT &&
		!table_cache_write(&cache, table) &&
		!table_cache_read(&cache, &table->build_id, &read) && same_table(table, &read),
		"a_table_is_kept");
	unwind_table_free(&read);
	unit_ok(!table_cache_each(&cache, count_one, &nr) && nr == 1, "tables_are_listed");
	damage(&cache, &table->build_id, 1000);
	unit_ok(table_cache_read(&cache, &table->build_id, &read) == -EBADMSG &&
		table_cache_read(&cache, &table->build_id, &read) == -ENOENT,
		"a_damaged_table_is_removed");
	table_cache_write(&cache, table);
	make_incomplete(&cache, &table->build_id);
	unit_ok(!table_cache_clear(&cache, &nr) && nr == 1 && !rmdir(cache.path),
		"tables_and_incomplete_files_are_removed");
	unit_ok(!table_cache_clear(&cache, &nr) && !nr, "removed_tables_are_not_counted");
	mkdir(cache.path, 0700);
	chmod(cache.path, 0777);
	table_cache_close(&cache);
	unit_ok(table_cache_open(&cache) == -EPERM, "a_cache_that_others_can_change_is_refused");
}

static void remove_cache(const char *home)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/tprof-lx/tables", home);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/tprof-lx", home);
	rmdir(path);
	rmdir(home);
}

int main(void)
{
	char home[] = "/tmp/unwind-test-XXXXXX";
	struct unwind_table table;
	int fd;

	verbosity = -1;
	test_pages();
	test_rules();
	test_entry();
	test_vdso();
	test_damaged();
	test_nothing();
	test_unwanted();
	fd = copy_of_self(~0UL, ~0UL);
	if (!mkdtemp(home) || setenv("XDG_CACHE_HOME", home, 1) || unwind_object(fd, NULL, &table))
		abort();
	test_cache(&table);
	unwind_table_free(&table);
	close(fd);
	remove_cache(home);
	return unit_exit();
}
