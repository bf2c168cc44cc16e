/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - read build-ids of files, of the kernel, of modules and of the vdso
 */
#ifndef TPROF_BUILDID_H
#define TPROF_BUILDID_H

#include "base/types.h"
#include "perfdata/perfdata.h"

/* Two hexadecimal digits per byte, and the terminating zero. */
#define BUILD_ID_TEXT	(2 * BUILD_ID_MAX + 1)

int open_regular(const char *path);
int build_id_of_file(const char *path, struct build_id *id);
int build_id_of_fd(int fd, struct build_id *id);
int build_id_of_kernel(struct build_id *id);
int build_id_of_module(const char *name, struct build_id *id);
int build_id_of_vdso(struct build_id *id);
int build_id_in_notes(const void *notes, size_t len, struct build_id *id);
struct build_id build_id_in_entry(const struct perfdata_build_id *entry);
int build_id_each(const void *section, size_t len,
		  int (*visit)(void *arg, const struct perfdata_build_id *entry, const char *name),
		  void *arg);
int build_id_compare(const void *a, const void *b);
bool build_ids_agree(const struct build_id *real, const struct build_id *recorded);
const char *build_id_text(const struct build_id *id, char text[BUILD_ID_TEXT]);

#endif /* TPROF_BUILDID_H */
