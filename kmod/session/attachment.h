/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - targets that were attached while no event ran
 *
 * The stream begins at START. So START writes what ATTACH would have written: the names and
 * mappings of these targets before the first sample, and a record of each ATTACH. An attachment has
 * an id and no reference to a task, so that a user cannot keep many tasks that have exited.
 *
 * Context: process, under the session lock.
 */
#ifndef TPROF_ATTACHMENT_H
#define TPROF_ATTACHMENT_H

#include "session/session_types.h"

int tprof_attachment_add(struct tprof_session *session, const struct task_struct *task, u32 flags);
void tprof_attachment_drop(struct tprof_session *session, const struct task_struct *task,
			   u32 flags);
void tprof_attachments_free(struct tprof_session *session);
void tprof_attachments_begin(struct tprof_session *session);
void tprof_attachments_end(struct tprof_session *session);
void tprof_attachment_note(struct tprof_session *session, const char *prefix,
			   struct task_struct *task, u32 flags);
void tprof_attachment_write_past(const struct tprof_session *session, struct task_struct *task,
				 u32 flags);

#endif /* TPROF_ATTACHMENT_H */
