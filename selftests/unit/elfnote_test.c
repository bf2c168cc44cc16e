// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx unit tests - build-ids of ELF files, malicious files included
 *
 * The test makes the files, so their contents are known, and damages them at random.
 * read_file() checks the reads of tprof_elfnote_build_id(): for any contents of the
 * file, there are at most MAX_READS, each of at most 64 bytes and at an offset
 * below 2^62.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/elfnote.h"
#include "unit.h"

#define FILE_BYTES	1024
#define NOTES_AT	512

/*
 * The ELF header takes 2 reads, and the program headers take 128. Each of 8 segments
 * takes 32 reads of notes and 1 of a build-id.
 */
#define MAX_READS	(2 + 128 + 8 * (32 + 1))

struct file {
	u8	data[FILE_BYTES];
	u32	bytes;
	u32	reads;
	bool	is_promise_broken;
};

static const u8 the_id[TPROF_ELFNOTE_ID_MAX] = {
	0xde, 0xad, 0xbe, 0xef, 4, 5, 6, 7, 8, 9,
	10, 11, 12, 13, 14, 15, 16, 17, 18, 0x99,
};

static bool read_file(void *source, u64 offset, void *buf, u32 bytes)
{
	struct file *file = source;

	file->reads++;
	if (offset >= 1ULL << 62 || bytes > 64)
		file->is_promise_broken = true;
	if (offset > file->bytes || bytes > file->bytes - offset)
		return false;
	memcpy(buf, file->data + offset, bytes);
	return true;
}

static u32 add_note(u8 *at, const char *owner, u32 type, const void *desc,
		    u32 bytes, u32 align)
{
	Elf64_Nhdr header = { strlen(owner) + 1, bytes, type };
	u32 desc_at = (sizeof(header) + header.n_namesz + align - 1) & -align;

	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), owner, header.n_namesz);
	memcpy(at + desc_at, desc, bytes);
	return (desc_at + bytes + align - 1) & -align;
}

/* Add notes as a linker does: a note of another owner, an ABI note, a build-id. */
static u32 add_notes(u8 *at, u32 id_bytes, u32 align)
{
	u32 bytes = 0;

	bytes += add_note(at + bytes, "stapsdt", 3, "probe", 5, align);
	bytes += add_note(at + bytes, "GNU", 1, "0123456789abcdef", 16, align);
	bytes += add_note(at + bytes, "GNU", 3, the_id, id_bytes, align);
	return bytes;
}

static void make_64(struct file *file, u32 id_bytes, u32 align)
{
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		.e_type = ET_DYN,
		.e_phoff = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	};
	Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD, .p_filesz = FILE_BYTES },
		{ .p_type = PT_NOTE, .p_offset = NOTES_AT, .p_align = align },
	};

	memset(file, 0, sizeof(*file));
	file->bytes = FILE_BYTES;
	segments[1].p_filesz = add_notes(file->data + NOTES_AT, id_bytes, align);
	memcpy(file->data, &header, sizeof(header));
	memcpy(file->data + header.e_phoff, segments, sizeof(segments));
}

static void make_32(struct file *file, u32 id_bytes)
{
	Elf32_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB },
		.e_type = ET_EXEC,
		.e_phoff = sizeof(header),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = 2,
	};
	Elf32_Phdr segments[2] = {
		{ .p_type = PT_LOAD, .p_filesz = FILE_BYTES },
		{ .p_type = PT_NOTE, .p_offset = NOTES_AT, .p_align = 4 },
	};

	memset(file, 0, sizeof(*file));
	file->bytes = FILE_BYTES;
	segments[1].p_filesz = add_notes(file->data + NOTES_AT, id_bytes, 4);
	memcpy(file->data, &header, sizeof(header));
	memcpy(file->data + header.e_phoff, segments, sizeof(segments));
}

static Elf64_Ehdr *header_of(struct file *file)
{
	return (Elf64_Ehdr *)file->data;
}

static Elf64_Phdr *segment_of(struct file *file, u32 i)
{
	return (Elf64_Phdr *)(file->data + sizeof(Elf64_Ehdr)) + i;
}

/*
 * Return true if the build-id is right and padded with zeroes, and the byte after
 * the buffer is unchanged.
 */
static bool has_id(struct file *file, u32 bytes)
{
	u8 id[TPROF_ELFNOTE_ID_MAX + 1];
	u8 wanted[TPROF_ELFNOTE_ID_MAX + 1] = {};

	memset(id, 0xee, sizeof(id));
	memcpy(wanted, the_id, bytes);
	wanted[TPROF_ELFNOTE_ID_MAX] = 0xee;
	return tprof_elfnote_build_id(read_file, file, id) == bytes &&
	       !memcmp(id, wanted, sizeof(id));
}

static bool has_none(struct file *file)
{
	return has_id(file, 0);
}

static void test_good_files(void)
{
	struct file file;

	make_64(&file, 20, 4);
	unit_ok(has_id(&file, 20), "the build-id of an ELF64 file is read");
	make_32(&file, 20);
	unit_ok(has_id(&file, 20), "the build-id of an ELF32 file is read");
	make_64(&file, 20, 8);
	unit_ok(has_id(&file, 20), "notes aligned to 8 bytes are read");
	make_64(&file, 8, 4);
	unit_ok(has_id(&file, 8), "a short build-id is padded with zeroes");

	make_64(&file, 20, 4);
	*segment_of(&file, 0) = *segment_of(&file, 1);
	segment_of(&file, 0)->p_offset = FILE_BYTES * 8;
	unit_ok(has_id(&file, 20),
		"a segment beyond the end of the file is skipped");
}

static void test_files_without(void)
{
	struct file file;

	make_64(&file, 20, 4);
	header_of(&file)->e_ident[EI_DATA] = ELFDATA2MSB;
	unit_ok(has_none(&file),
		"a file of the other byte order has no build-id");
	make_64(&file, 20, 4);
	header_of(&file)->e_ident[EI_CLASS] = 3;
	unit_ok(has_none(&file), "a file of an unknown class has no build-id");
	make_64(&file, 20, 4);
	header_of(&file)->e_ident[0] = '#';
	unit_ok(has_none(&file), "a script has no build-id");
	make_64(&file, 20, 4);
	segment_of(&file, 1)->p_type = PT_LOAD;
	unit_ok(has_none(&file), "a file without notes has no build-id");
	make_64(&file, 0, 4);
	unit_ok(has_none(&file), "an empty build-id is none");
	make_64(&file, 20, 4);
	header_of(&file)->e_phentsize--;
	unit_ok(has_none(&file),
		"a file with a wrong entry size has no build-id");
	file.bytes = 0;
	unit_ok(has_none(&file), "an empty file has no build-id");
}

/* Cut the file at each length up to the one that includes the whole build-id. */
static void test_truncation(void)
{
	struct file file;
	u32 end, bytes;
	bool is_ok = true;

	make_64(&file, 20, 4);
	end = NOTES_AT + segment_of(&file, 1)->p_filesz;
	for (bytes = 0; bytes < end; bytes++) {
		file.bytes = bytes;
		is_ok = is_ok && has_none(&file);
	}
	file.bytes = end;
	unit_ok(is_ok, "a truncated file has no build-id");
	unit_ok(has_id(&file, 20), "the shortest complete file has a build-id");
}

static void test_overflows(void)
{
	static const u64 hostile[] = {
		1ULL << 61, (1ULL << 61) - 1, 1ULL << 62, 1ULL << 63, -1ULL,
		-4ULL, -64ULL, 0xffffffff, 0xfffffffc,
	};
	struct file file;
	bool is_ok = true;

	for (unsigned int i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		make_64(&file, 20, 4);
		header_of(&file)->e_phoff = hostile[i];
		is_ok = is_ok && has_none(&file) && !file.is_promise_broken;
		make_64(&file, 20, 4);
		segment_of(&file, 1)->p_offset = hostile[i];
		is_ok = is_ok && has_none(&file) && !file.is_promise_broken;
		make_64(&file, 20, 4);
		((Elf64_Nhdr *)(file.data + NOTES_AT))->n_namesz = hostile[i];
		is_ok = is_ok && has_none(&file) && !file.is_promise_broken;
		make_64(&file, 20, 4);
		((Elf64_Nhdr *)(file.data + NOTES_AT))->n_descsz = hostile[i];
		is_ok = is_ok && has_none(&file) && !file.is_promise_broken;
	}
	unit_ok(is_ok,
		"hostile offsets and sizes find nothing and are not read");
}

static void test_work_is_bounded(void)
{
	Elf64_Phdr endless = {
		.p_type = PT_NOTE,
		.p_filesz = 1ULL << 40,
		.p_offset = NOTES_AT,
	};
	struct file file;

	/* Set e_phnum to its maximum, and fill the segments with empty notes. */
	make_64(&file, 20, 4);
	memset(file.data + NOTES_AT, 0, FILE_BYTES - NOTES_AT);
	header_of(&file)->e_phnum = 0xffff;
	for (u32 i = 0; i < 7; i++)
		memcpy(segment_of(&file, i), &endless, sizeof(endless));
	unit_ok(has_none(&file), "endless notes have no build-id");
	unit_ok(file.reads > 7 * 32 && file.reads <= MAX_READS,
		"endless notes cause a bounded number of reads");
}

static void spoil(struct file *file)
{
	int nr = rand() % 8 + 1;

	while (nr--)
		file->data[rand() % FILE_BYTES] = rand() % 4 ? rand() : 0xff;
}

static void test_dice(void)
{
	u8 *id = malloc(TPROF_ELFNOTE_ID_MAX);
	struct file file;
	bool is_ok = true;
	u32 bytes;

	srand(1);
	for (int i = 0; i < 200000; i++) {
		if (i & 1)
			make_64(&file, 20, i & 2 ? 4 : 8);
		else
			make_32(&file, 20);
		spoil(&file);
		file.bytes -= rand() % FILE_BYTES;
		bytes = tprof_elfnote_build_id(read_file, &file, id);
		is_ok = is_ok && bytes <= TPROF_ELFNOTE_ID_MAX &&
			file.reads <= MAX_READS && !file.is_promise_broken;
	}
	free(id);
	unit_ok(is_ok,
		"reads of damaged files are in range and bounded in number");
}

/* Scan a heap block of exactly @bytes, so that ASan reports a read beyond its end. */
static u32 scan(const u8 *data, u32 bytes, u8 *id)
{
	u8 *memory = malloc(bytes);
	u32 ret;

	memcpy(memory, data, bytes);
	ret = tprof_elfnote_scan(memory, bytes, id);
	free(memory);
	return ret;
}

static void test_scan(void)
{
	u8 data[200] = { 'G', 'N', 'U', 0 };
	u8 id[TPROF_ELFNOTE_ID_MAX];
	bool is_ok = true;
	u32 at, end;

	for (at = 4; at <= 100; at += 4) {
		memset(data + 4, 4, sizeof(data) - 4);
		end = at + add_note(data + at, "GNU", 3, the_id, 20, 4);
		is_ok = is_ok && scan(data, end, id) == 20 &&
			!memcmp(id, the_id, 20) &&
			scan(data, end - 1, id) == 0;
	}
	unit_ok(is_ok, "a scan finds a complete note and no truncated one");

	memset(data, 0, sizeof(data));
	add_note(data + 8, "GNU", 1, the_id, 20, 4);
	unit_ok(scan(data, sizeof(data), id) == 0, "a scan skips other notes");
	unit_ok(scan(data, 0, id) == 0, "a scan of no bytes finds nothing");
}

int main(void)
{
	test_good_files();
	test_files_without();
	test_truncation();
	test_overflows();
	test_work_is_bounded();
	test_dice();
	test_scan();
	return unit_exit();
}
