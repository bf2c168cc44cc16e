// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - read the memory of the running kernel from /proc/kcore
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "code/kernel_memory.h"

/* Set @part to the segment with @addr. Return 0, -EIO, or -ENXIO if there is none. */
static int find_segment(int fd, u64 addr, Elf64_Phdr *part)
{
	Elf64_Ehdr header;
	size_t i;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(*part))
		return -EIO;
	for (i = 0; i < header.e_phnum; i++) {
		if (pread(fd, part, sizeof(*part), header.e_phoff + i * sizeof(*part)) !=
		    sizeof(*part))
			return -EIO;
		if (part->p_type == PT_LOAD && addr >= part->p_vaddr &&
		    addr - part->p_vaddr < part->p_memsz)
			return 0;
	}
	return -ENXIO;
}

/*
 * Open @path, which is KERNEL_MEMORY or a file like it. Return a descriptor or -errno: -EACCES or
 * -EPERM if the caller may not read it. Reading needs no capability.
 */
int kernel_memory_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Read @len bytes at @addr. Return 0 or -errno: -ENXIO if @fd has no such memory. */
int kernel_memory_read_fd(int fd, u64 addr, void *buf, size_t len)
{
	Elf64_Phdr part;
	int err = find_segment(fd, addr, &part);

	if (!err && part.p_memsz - (addr - part.p_vaddr) < len)
		err = -ENXIO;
	if (!err && pread(fd, buf, len, part.p_offset + (addr - part.p_vaddr)) != (ssize_t)len)
		err = -EIO;
	return err;
}

/* Open @path, and read @len bytes at @addr. Return 0, or -errno as the functions above do. */
int kernel_memory_read(const char *path, u64 addr, void *buf, size_t len)
{
	int fd = kernel_memory_open(path), err;

	if (fd < 0)
		return fd;
	err = kernel_memory_read_fd(fd, addr, buf, len);
	close(fd);
	return err;
}
