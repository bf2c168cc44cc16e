/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - explain errors of the device, and how to solve them
 */
#ifndef TPROF_EXPLAIN_H
#define TPROF_EXPLAIN_H

#include "base/message.h"
#include "events/event_spec.h"
#include "live/device.h"

int open_device(struct device_info *info, struct message *msg);
void explain_config(int err, const struct tprof_lx_config *config,
		    const struct device_info *info, struct message *msg);
void explain_thread(int err, s32 tid, struct message *msg);
void explain_event(int err, const struct event_spec *spec,
		   const struct perf_event_attr *attr, const struct device_info *info,
		   struct message *msg);
void explain_start(int err, struct message *msg);

#endif /* TPROF_EXPLAIN_H */
