/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - changes of credentials
 */
#ifndef TPROF_TARGET_CRED_H
#define TPROF_TARGET_CRED_H

struct cred;

/*
 * A function that is called in a task that is about to get the credentials @cred, and again when
 * it has them. Context: any but NMI, not preemptible.
 */
typedef void (*tprof_target_cred_t)(const struct cred *cred);

int tprof_target_cred_use(tprof_target_cred_t note);
void tprof_target_cred_unuse(void);

#endif /* TPROF_TARGET_CRED_H */
