/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the rule of an unwind table for a row of DWARF's call frame information
 */
#ifndef TPROF_UNWIND_RULE_H
#define TPROF_UNWIND_RULE_H

#include <elfutils/libdw.h>

#include "unwind/table.h"

struct tprof_lx_unwind_rule unwind_lose(enum unwind_loss loss, u32 *losses);
struct tprof_lx_unwind_rule unwind_signal_rule(s64 rsp, s64 rip, u32 *losses);
struct tprof_lx_unwind_rule unwind_rule(Dwarf_Frame *frame, bool is_signal, u32 *losses);

#endif /* TPROF_UNWIND_RULE_H */
