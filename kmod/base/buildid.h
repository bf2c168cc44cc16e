/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - build-ids of mapped files and modules
 */
#ifndef TPROF_BUILDID_H
#define TPROF_BUILDID_H

#include <linux/types.h>

struct file;
struct module;

u32 tprof_buildid_of_file(struct file *file, bool may_read, u8 *id);
u32 tprof_buildid_of_module(const struct module *module, u8 *id);

#endif /* TPROF_BUILDID_H */
