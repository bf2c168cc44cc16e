// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read symbols and unwind rules of an ELF file
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/buildid.h"
#include "symbols/elf_address.h"
#include "symbols/elf_plt.h"
#include "symbols/frame_functions.h"
#include "symbols/symbol_file.h"

#define DEBUG_PATH	":.debug:/usr/lib/debug"

/**
 * struct loading - state of reading the symbols of a file
 * @file:	the open file
 * @elf:	libelf's handle of it
 * @symtab:	receives the symbols
 * @nameless:	functions that have no symbol
 * @has_locals:	there are symbols of local functions, so that none is missing
 */
struct loading {
	struct symbol_file *file;
	Elf	*elf;
	struct symtab *symtab;
	struct symtab nameless;
	bool	has_locals;
};

static bool is_code(Elf *elf, GElf_Word section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr header;

	return scn && gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR;
}

/* Return true for a function, or for a label in assembly code (STT_NOTYPE). */
static bool is_function(Elf *elf, const GElf_Sym *sym, GElf_Word section)
{
	int visibility = GELF_ST_VISIBILITY(sym->st_other);

	if (section == SHN_UNDEF)
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return section != SHN_ABS && visibility != STV_HIDDEN &&
		       visibility != STV_INTERNAL && is_code(elf, section);
	default:
		return false;
	}
}

static enum symbol_binding binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_WEAK:
		return SYMBOL_WEAK;
	case STB_LOCAL:
		return SYMBOL_LOCAL;
	default:
		return SYMBOL_GLOBAL;
	}
}

static int add(struct loading *loading, u64 addr, const GElf_Sym *sym, const char *name)
{
	struct symbol symbol = { .start = addr, .name = name, .binding = binding_of(sym) };

	if (loading->file->addresses == SYMBOL_ADDRESS_OFFSET &&
	    !elf_file_offset(loading->elf, addr, &symbol.start))
		return 0;
	symbol.end = symbol.start + sym->st_size;
	loading->has_locals |= symbol.binding == SYMBOL_LOCAL;
	return symtab_add(loading->symtab, &symbol);
}

/* Note a function of .eh_frame, unless a symbol contains its start. */
static int note_nameless(void *arg, u64 start, u64 end)
{
	struct loading *loading = arg;
	struct symbol symbol = { .name = "", .binding = SYMBOL_LOCAL, .nameless = true };

	if (!elf_file_offset(loading->elf, start, &symbol.start) ||
	    symtab_find(loading->symtab, symbol.start))
		return 0;
	symbol.end = symbol.start + (end - start);
	return symtab_add(&loading->nameless, &symbol);
}

/* A stripped file has symbols of the functions that others call, or none: add the others. */
static int add_nameless(struct loading *loading)
{
	size_t i;
	int err;

	if (loading->has_locals || loading->file->addresses != SYMBOL_ADDRESS_OFFSET)
		return 0;
	err = frame_functions(loading->elf, note_nameless, loading);
	for (i = 0; i < loading->nameless.nr && !err; i++)
		err = symtab_add(loading->symtab, &loading->nameless.symbols[i]);
	symtab_free(&loading->nameless);
	return err ? err : symtab_finish(loading->symtab);
}

static int add_all(struct loading *loading)
{
	Dwfl_Module *module = loading->file->module;
	int nr = dwfl_module_getsymtab(module), i, err = 0;
	GElf_Word section;
	const char *name;
	GElf_Addr addr;
	GElf_Sym sym;
	Elf *elf;

	for (i = 0; i < nr && !err; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &addr, &section, &elf, NULL);
		if (name && *name && is_function(elf, &sym, section))
			err = add(loading, addr, &sym, name);
	}
	return err;
}

static int add_stub(void *arg, const struct elf_stub *stub)
{
	struct loading *loading = arg;
	GElf_Sym sym = { .st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC), .st_size = stub->size };
	const char *name;
	char text[512];

	if ((size_t)snprintf(text, sizeof(text), "%s@plt", stub->name) >= sizeof(text))
		return 0;
	name = arena_text(&loading->file->plt, text);
	return name ? add(loading, stub->addr, &sym, name) : -ENOMEM;
}

static bool is_build(Dwfl_Module *module, const struct build_id *wanted)
{
	struct build_id real = { 0 };
	const unsigned char *bits;
	GElf_Addr vaddr;
	int size;

	if (!wanted || !wanted->size)
		return true;
	size = dwfl_module_build_id(module, &bits, &vaddr);
	if (size <= 0)
		return false;
	real.size = size < BUILD_ID_MAX ? size : BUILD_ID_MAX;
	memcpy(real.data, bits, real.size);
	return build_ids_agree(&real, wanted);
}

static int set_debug_path(struct symbol_file *file, const char *symfs)
{
	int len;

	if (symfs)
		len = asprintf(&file->debug_path, ":.debug:%s/usr/lib/debug", symfs);
	else
		len = asprintf(&file->debug_path, "%s", DEBUG_PATH);
	if (len < 0)
		file->debug_path = NULL;
	return len < 0 ? -ENOMEM : 0;
}

/*
 * Begin a session of libdwfl. It keeps pointers to @file->callbacks and
 * @file->debug_path, so @file must not move.
 */
static Dwfl *open_session(struct symbol_file *file, const struct symbol_options *options)
{
	file->callbacks = (Dwfl_Callbacks){
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &file->debug_path,
	};
	if (set_debug_path(file, options ? options->symfs : NULL))
		return NULL;
	return dwfl_begin(&file->callbacks);
}

/* Return libelf's handle of the file, or NULL if the file is not loaded. */
static Elf *elf_of(const struct symbol_file *file)
{
	GElf_Addr bias;

	return file->module ? dwfl_module_getelf(file->module, &bias) : NULL;
}

/* Take ownership of @fd, and read symbols from it. */
static enum symbol_status load(struct loading *loading, const char *path, int fd,
			       const struct build_id *build_id,
			       const struct symbol_options *options)
{
	Dwfl *dwfl = open_session(loading->file, options);
	size_t nr;

	loading->file->dwfl = dwfl;
	if (!dwfl) {
		close(fd);
		return SYMBOL_UNREADABLE;
	}
	dwfl_report_begin(dwfl);
	loading->file->module = dwfl_report_elf(dwfl, path, path, fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!loading->file->module) {
		close(fd);
		return SYMBOL_UNREADABLE;
	}
	loading->elf = elf_of(loading->file);
	if (!loading->elf)
		return SYMBOL_UNREADABLE;
	if (!is_build(loading->file->module, build_id))
		return SYMBOL_OTHER_BUILD;
	if (add_all(loading) || elf_each_stub(loading->elf, add_stub, loading) ||
	    symtab_finish(loading->symtab))
		return SYMBOL_UNREADABLE;
	nr = loading->symtab->nr;
	if (add_nameless(loading))
		return SYMBOL_UNREADABLE;
	return nr ? SYMBOL_FOUND : SYMBOL_STRIPPED;
}

/*
 * Read the symbols of a file into @symtab, with addresses of kind @addresses. A
 * @build_id that is NULL or has size 0 accepts any build. Call symbol_file_close()
 * after the last use of the symbols, even if this fails. Return SYMBOL_FOUND, or the
 * reason why there are no symbols.
 */
enum symbol_status symbol_file_load(struct symbol_file *file, const char *path,
				    const struct build_id *build_id,
				    const struct symbol_options *options,
				    enum symbol_addresses addresses, struct symtab *symtab)
{
	struct loading loading = { .file = file, .symtab = symtab };
	int fd = open_regular(path);

	file->addresses = addresses;
	if (fd == -EMFILE || fd == -ENFILE)
		return SYMBOL_TOO_MANY;
	if (fd < 0)
		return fd == -ENOENT || fd == -ENOTDIR ? SYMBOL_NO_FILE : SYMBOL_UNREADABLE;
	return load(&loading, path, fd, build_id, options);
}

/* Return true if @path is an ELF file that can be read. */
bool symbol_file_is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = open_regular(path);
	bool is_elf;

	if (fd < 0)
		return false;
	is_elf = read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
	close(fd);
	return is_elf;
}

/*
 * Read the symbols of the running kernel's vDSO. Return the same as symbol_file_load().
 */
enum symbol_status symbol_file_load_vdso(struct symbol_file *file,
					 const struct build_id *build_id, struct symtab *symtab)
{
	struct loading loading = { .file = file, .symtab = symtab };
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	const Elf64_Ehdr *header = image;
	size_t size;

	if (fd < 0)
		return SYMBOL_NO_FILE;
	/* The image ends with the section header table. */
	size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	if (write(fd, image, size) != (ssize_t)size) {
		close(fd);
		return SYMBOL_UNREADABLE;
	}
	return load(&loading, "[vdso]", fd, build_id, NULL);
}

/* Convert an address by adding @moved or, if @file->addresses are file offsets, by @in_elf(). */
static bool convert(struct symbol_file *file, u64 addr, u64 moved,
		    bool (*in_elf)(Elf *elf, u64 addr, u64 *result), u64 *result)
{
	Elf *elf;

	if (!file->module)
		return false;
	*result = addr + moved;
	if (file->addresses == SYMBOL_ADDRESS_VIRTUAL)
		return true;
	elf = elf_of(file);
	return elf && in_elf(elf, addr, result);
}

/* Convert an address of kind @file->addresses to a link-time address. */
bool symbol_file_linked(struct symbol_file *file, u64 addr, u64 *linked)
{
	return convert(file, addr, -file->moved, elf_address, linked);
}

/* Convert a link-time address to an address of kind @file->addresses. */
bool symbol_file_unlinked(struct symbol_file *file, u64 linked, u64 *addr)
{
	return convert(file, linked, file->moved, elf_file_offset, addr);
}

/*
 * Convert an address of kind @file->addresses to a file offset. Return libelf's handle of the file,
 * or NULL if the file has no such address.
 */
static Elf *find_offset(struct symbol_file *file, u64 addr, u64 *offset)
{
	Elf *elf = elf_of(file);

	*offset = addr;
	if (!elf || file->addresses == SYMBOL_ADDRESS_OFFSET)
		return elf;
	return elf_file_offset(elf, addr - file->moved, offset) ? elf : NULL;
}

/*
 * Return the number of bytes of code from an address of kind @file->addresses, at most @len. The
 * end of a symbol without a size may be behind the end of all code.
 */
u64 symbol_file_code_len(struct symbol_file *file, u64 addr, u64 len)
{
	u64 offset, left;
	Elf *elf = find_offset(file, addr, &offset);

	left = elf ? elf_code_left(elf, offset) : 0;
	return left < len ? left : len;
}

/*
 * Return the @len bytes of the file at an address of kind @file->addresses, or NULL if it has
 * not that many there. They are valid while the file is open.
 */
const u8 *symbol_file_bytes(struct symbol_file *file, u64 addr, size_t len)
{
	Elf_Data *data;
	u64 offset;
	Elf *elf = find_offset(file, addr, &offset);

	if (!elf)
		return NULL;
	data = elf_getdata_rawchunk(elf, offset, len, ELF_T_BYTE);
	return data && data->d_size == len ? data->d_buf : NULL;
}

static Dwarf_Frame *rules_of(Dwarf_CFI *cfi, u64 linked, GElf_Addr bias)
{
	Dwarf_Frame *rules;

	return cfi && !dwarf_cfi_addrframe(cfi, linked - bias, &rules) ? rules : NULL;
}

/* Return the unwind rules at an address, or NULL. The caller frees them. */
Dwarf_Frame *symbol_file_rules(struct symbol_file *file, u64 addr)
{
	Dwarf_Frame *rules;
	GElf_Addr bias = 0;
	Dwarf_CFI *cfi;
	u64 linked;

	if (!symbol_file_linked(file, addr, &linked))
		return NULL;
	cfi = dwfl_module_eh_cfi(file->module, &bias);
	rules = rules_of(cfi, linked, bias);
	if (rules)
		return rules;
	cfi = dwfl_module_dwarf_cfi(file->module, &bias);
	return rules_of(cfi, linked, bias);
}

/* Close a file. This invalidates the names of its symbols. */
void symbol_file_close(struct symbol_file *file)
{
	if (file->dwfl)
		dwfl_end(file->dwfl);
	code_units_free(&file->units);
	arena_free(&file->plt);
	free(file->debug_path);
	*file = (struct symbol_file){ 0 };
}
