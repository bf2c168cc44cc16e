// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the user of a task, for limits by user
 */
#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>

#include "base/user.h"

/**
 * tprof_user_of_current - find the user of the current task
 *
 * That is the owner of its user namespace, since a user has thousands of ids in a namespace of
 * its own. Root makes namespaces for others, as for the users of a container: then it is the id
 * that is 0 in the namespace. The loop is bounded: namespaces are nested in at most 33 levels.
 *
 * Context: any, NMI included.
 * Return: the id of the user in the initial namespace.
 */
kuid_t tprof_user_of_current(void)
{
	const struct cred *cred = current_real_cred();
	struct user_namespace *ns = cred->user_ns;

	if (ns == &init_user_ns)
		return cred->uid;
	while (ns->parent != &init_user_ns)
		ns = ns->parent;
	if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
		return ns->owner;
	return make_kuid(ns, 0);
}
