// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - records of mappings: files, anonymous memory and modules
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/common.h"
#include "harness/test.h"
#include "harness/stream.h"

/* PERF_RECORD_KSYMBOL and its flag, which older kernel headers lack. */
#define RECORD_KSYMBOL		17
#define KSYMBOL_UNREGISTER	1

FIXTURE(mapping) {
	int			fd;
	struct perf_event_attr	attr;
	struct stream		stream;
	char			path[4096];
};

FIXTURE_SETUP(mapping)
{
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	attr_init(&self->attr, 10);
	attr_track(&self->attr);
	/* A record has the real path: all symbolic links are resolved. */
	ASSERT_NE(NULL, realpath("/bin/true", self->path));
}

FIXTURE_TEARDOWN(mapping)
{
	stream_free(&self->stream);
	close(self->fd);
}

static int begin(FIXTURE_DATA(mapping) *self)
{
	int err = event_add(self->fd, "timer", &self->attr);

	return err < 0 ? err : session_start(self->fd, 1);
}

/* Find the GNU build ID in @len bytes of notes. Return its length, or 0. */
static int build_id_in(const char *notes, ssize_t len, __u8 *id)
{
	ssize_t at = 0;

	while (at + (ssize_t)sizeof(Elf64_Nhdr) < len) {
		const Elf64_Nhdr *note = (const void *)(notes + at);
		const char *name = (const char *)(note + 1);
		const char *desc = name + (note->n_namesz + 3) / 4 * 4;

		if (note->n_type == NT_GNU_BUILD_ID && !strcmp(name, "GNU") &&
		    note->n_descsz <= 20) {
			memcpy(id, desc, note->n_descsz);
			return note->n_descsz;
		}
		at = desc + (note->n_descsz + 3) / 4 * 4 - notes;
	}
	return 0;
}

/*
 * Read the GNU build ID of a 64-bit ELF file. Return its length, 0 if the file has
 * none, or -1 if the file cannot be read.
 */
static int read_build_id_at(int fd, __u8 *id)
{
	Elf64_Phdr phdr;
	Elf64_Ehdr ehdr;
	char notes[4096];
	int bytes = 0;

	if (pread(fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr))
		return -1;
	for (int i = 0; i < ehdr.e_phnum && !bytes; i++) {
		if (pread(fd, &phdr, sizeof(phdr), ehdr.e_phoff + i * sizeof(phdr)) !=
		    sizeof(phdr))
			return -1;
		if (phdr.p_type == PT_NOTE && phdr.p_filesz <= sizeof(notes))
			bytes = build_id_in(notes, pread(fd, notes, phdr.p_filesz,
							 phdr.p_offset), id);
	}
	return bytes;
}

static int read_build_id(const char *path, __u8 *id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int bytes = fd < 0 ? -1 : read_build_id_at(fd, id);

	if (fd >= 0)
		close(fd);
	return bytes;
}

static const struct record *find_mmap(const struct stream *stream, pid_t pid,
				      const char *path)
{
	const struct record *record;

	for_each_record_type(record, stream, PERF_RECORD_MMAP2) {
		const struct record_mmap2 *map = record->body;

		if (map->pid == (__u32)pid && !strcmp(map->filename, path))
			return record;
	}
	return NULL;
}

TEST_F(mapping, exec_is_recorded_with_path_and_build_id)
{
	const struct record *record, *comm = NULL, *map;
	const struct record_mmap2 *mmap2;
	__u8 id[20] = {};
	pid_t pid;

	ASSERT_EQ(20, read_build_id(self->path, id));
	ASSERT_EQ(0, begin(self));
	pid = child_runs(do_exec, self->path);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));

	for_each_record_type(record, &self->stream, PERF_RECORD_COMM) {
		const struct record_comm *body = record->body;

		if (body->pid == (__u32)pid &&
		    record->header->misc & PERF_RECORD_MISC_COMM_EXEC &&
		    !strcmp(body->comm, "true"))
			comm = record;
	}
	ASSERT_NE(NULL, comm);

	map = find_mmap(&self->stream, pid, self->path);
	ASSERT_NE(NULL, map);
	mmap2 = map->body;
	EXPECT_TRUE(map->header->misc & MISC_MMAP_BUILD_ID);
	EXPECT_TRUE(record_is_user(map));
	EXPECT_EQ(20, mmap2->build_id_bytes);
	EXPECT_EQ(0, memcmp(id, mmap2->build_id, 20));
	EXPECT_EQ(PROT_READ | PROT_EXEC, mmap2->prot);
	EXPECT_EQ(MAP_PRIVATE, mmap2->flags & MAP_PRIVATE);
	EXPECT_EQ(0, mmap2->addr % 4096);
	EXPECT_NE(0, mmap2->len);
	EXPECT_EQ(pid, map->pid);
	EXPECT_NE(NULL, find_mmap(&self->stream, pid, "[vdso]"));
}

TEST_F(mapping, inode_is_recorded_without_build_id)
{
	const struct record *map;
	const struct record_mmap2 *mmap2;
	struct stat stat_buf;
	__u64 ino;
	pid_t pid;

	self->attr.build_id = 0;
	ASSERT_EQ(0, stat(self->path, &stat_buf));
	ASSERT_EQ(0, begin(self));
	pid = child_runs(do_exec, self->path);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	map = find_mmap(&self->stream, pid, self->path);
	ASSERT_NE(NULL, map);
	EXPECT_FALSE(map->header->misc & MISC_MMAP_BUILD_ID);
	mmap2 = map->body;
	/*
	 * In a record without a build ID, maj, min (4 bytes each), ino and
	 * generation replace the fields from build_id_bytes to build_id[]. So
	 * build_id[] begins with min.
	 */
	memcpy(&ino, &mmap2->build_id[4], sizeof(ino));
	EXPECT_EQ(stat_buf.st_ino, ino);
}

/* Create a file of two pages. */
static int make_file(char *path)
{
	int fd = mkstemp(path);

	if (fd < 0 || ftruncate(fd, 8192))
		return -1;
	return fd;
}

TEST_F(mapping, code_mapping_is_recorded)
{
	char path[] = "/tmp/mapping-XXXXXX", real[4096];
	const struct record_mmap2 *mmap2;
	const struct record *map;
	void *data, *code;
	int fd = make_file(path);

	ASSERT_LE(0, fd);
	ASSERT_NE(NULL, realpath(path, real));
	ASSERT_EQ(0, begin(self));
	data = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, data);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 4096);
	if (code == MAP_FAILED) {
		unlink(path);
		SKIP(return, "/tmp is mounted noexec");
	}
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	unlink(path);
	close(fd);

	map = find_mmap(&self->stream, getpid(), real);
	ASSERT_NE(NULL, map);
	mmap2 = map->body;
	EXPECT_EQ((unsigned long)code, mmap2->addr);
	EXPECT_EQ(4096, mmap2->len);
	EXPECT_EQ(4096, mmap2->pgoff);
	EXPECT_EQ(MAP_SHARED, mmap2->flags & (MAP_SHARED | MAP_PRIVATE));
	/* The mapping without PROT_EXEC is not recorded. */
	for_each_record_type(map, &self->stream, PERF_RECORD_MMAP2) {
		mmap2 = map->body;
		EXPECT_NE((unsigned long)data, mmap2->addr);
	}
}

TEST_F(mapping, data_mapping_is_recorded_on_request)
{
	char path[] = "/tmp/mapping-XXXXXX", real[4096];
	const struct record_mmap2 *mmap2;
	const struct record *map;
	void *data;
	int fd = make_file(path);

	ASSERT_LE(0, fd);
	ASSERT_NE(NULL, realpath(path, real));
	self->attr.mmap_data = 1;
	ASSERT_EQ(0, begin(self));
	data = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
	ASSERT_NE(MAP_FAILED, data);
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	munmap(data, 4096);
	unlink(path);
	close(fd);

	map = find_mmap(&self->stream, getpid(), real);
	ASSERT_NE(NULL, map);
	mmap2 = map->body;
	EXPECT_EQ((unsigned long)data, mmap2->addr);
	EXPECT_EQ(4096, mmap2->pgoff);
	EXPECT_EQ(PROT_READ, mmap2->prot);
	EXPECT_EQ(PERF_RECORD_MISC_MMAP_DATA,
		  map->header->misc & PERF_RECORD_MISC_MMAP_DATA);
}

TEST_F(mapping, data_made_executable_is_recorded)
{
	const struct record_mmap2 *mmap2;
	const struct record *map;
	bool is_told = false;
	void *code;

	ASSERT_EQ(0, begin(self));
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, code);
	ASSERT_EQ(0, mprotect(code, 4096, PROT_READ | PROT_EXEC));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));
	for_each_record_type(map, &self->stream, PERF_RECORD_MMAP2) {
		mmap2 = map->body;
		if (mmap2->pid != (__u32)getpid() ||
		    mmap2->addr > (unsigned long)code ||
		    mmap2->addr + mmap2->len <= (unsigned long)code)
			continue;
		EXPECT_STREQ("//anon", mmap2->filename);
		is_told = true;
	}
	EXPECT_TRUE(is_told);
}

struct record_ksymbol {
	__u64	addr;
	__u32	len;
	__u16	ksym_type;
	__u16	flags;
	char	name[];
};

TEST_F(mapping, module_load_and_unload_are_recorded)
{
	const struct record_ksymbol *ksymbol = NULL;
	const struct record_mmap2 *mmap2;
	const struct record *map, *record;
	__u64 symbol, symbol_end;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, module_load("tprof-lx-load", ""));
	EXPECT_EQ(0, kernel_symbol("load_exit", &symbol, &symbol_end));
	ASSERT_EQ(0, module_unload("tprof-lx-load"));
	ASSERT_EQ(0, stream_finish(&self->stream, self->fd));

	map = find_mmap(&self->stream, -1, "[tprof_lx_load]");
	ASSERT_NE(NULL, map);
	mmap2 = map->body;
	EXPECT_TRUE(record_is_kernel(map));
	EXPECT_TRUE(map->header->misc & MISC_MMAP_BUILD_ID);
	EXPECT_EQ(20, mmap2->build_id_bytes);
	EXPECT_LE(mmap2->addr, symbol);
	EXPECT_GT(mmap2->addr + mmap2->len, symbol);

	for_each_record_type(record, &self->stream, RECORD_KSYMBOL) {
		const struct record_ksymbol *body = record->body;

		if (body->addr == mmap2->addr)
			ksymbol = body;
	}
	ASSERT_NE(NULL, ksymbol);
	EXPECT_EQ(KSYMBOL_UNREGISTER, ksymbol->flags & KSYMBOL_UNREGISTER);
}

TEST_HARNESS_MAIN
