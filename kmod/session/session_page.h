/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - count pages of a session, and mmap(2) of them
 */
#ifndef TPROF_SESSION_PAGE_H
#define TPROF_SESSION_PAGE_H

#include "session/session_types.h"

void tprof_session_set_page(struct tprof_session *session, u32 index,
			    struct tprof_pmu_event *event);
void tprof_session_settle_page(struct tprof_session *session, u32 index);
bool tprof_session_has_pages(const struct tprof_session *session);
int tprof_session_check_pages(struct tprof_session *session, u32 mask);
bool tprof_session_may_attach(struct tprof_session *session, struct task_struct *task,
			      u32 flags);
int tprof_session_map_page(struct tprof_session *session, struct vm_area_struct *vma);

#endif /* TPROF_SESSION_PAGE_H */
