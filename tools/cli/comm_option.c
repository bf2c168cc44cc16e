// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the options --comm and --follow-new, which name processes by a regular expression
 */
#include <errno.h>
#include <stdlib.h>

#include "cli/comm_option.h"
#include "cli/say.h"
#include "live/named.h"

/* Find the processes, and print which ones match. */
static int add_matching(const regex_t *regex, const struct comm_option *comm,
			struct pid_list *pids)
{
	const char *pattern = comm->pattern;
	char text[256];
	int nr = named_find(regex, pids, text, sizeof(text));

	if (nr == -E2BIG)
		return say_error("more than %u processes match '%s'; give a longer pattern",
				 PID_LIST_MAX, pattern);
	if (nr < 0)
		return say_failure(nr, "cannot read the running processes");
	if (!nr && !comm->follow)
		return say_error("no process has a name that matches '%s'; ps -e lists names",
				 pattern);
	if (nr)
		say_note("'%s' matches %d process%s: %s", pattern, nr, nr > 1 ? "es" : "", text);
	else
		say_note("no process has a name that matches '%s' yet", pattern);
	return STATUS_OK;
}

/* Make the automaton of --follow-new. Return it, to be freed, or NULL and a status. */
static struct name_automaton *make_names(const char *command, const char *pattern, int *status)
{
	struct name_automaton *names = malloc(sizeof(*names));
	int err = names ? name_automaton_make(names, pattern) : -ENOMEM;

	*status = STATUS_OK;
	if (err == -EINVAL)
		*status = say_usage("%s: --follow-new takes no back reference and no word border in '%s'; leave it out",
				    command, pattern);
	else if (err == -E2BIG)
		*status = say_usage("%s: --comm '%s' is too complex for --follow-new; give a simpler one",
				    command, pattern);
	else if (err)
		*status = say_failure(err, "cannot follow processes");
	if (!err)
		return names;
	free(names);
	return NULL;
}

static int check_names(const char *command, const char *pattern)
{
	int status;

	free(make_names(command, pattern, &status));
	return status;
}

/*
 * Add to @pids the processes with names that match --comm, if it was given. Return STATUS_OK, or
 * print an error of @command and return another status. It is an error if nothing matches, unless
 * new processes are followed.
 */
int comm_option_add(const char *command, const struct comm_option *comm, struct pid_list *pids)
{
	char reason[128];
	regex_t regex;
	int err, status;

	if (!comm->pattern && comm->follow)
		return say_usage("%s: --follow-new follows the processes of --comm; give it as well",
				 command);
	if (!comm->pattern)
		return STATUS_OK;
	err = regcomp(&regex, comm->pattern, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &regex, reason, sizeof(reason));
		return say_usage("%s: --comm '%s' is no regular expression: %s", command,
				 comm->pattern, reason);
	}
	status = comm->follow ? check_names(command, comm->pattern) : STATUS_OK;
	if (!status)
		status = add_matching(&regex, comm, pids);
	regfree(&regex);
	return status;
}

/* Attach the processes that got a name between comm_option_add() and FOLLOW. */
static int attach_missed(const struct comm_option *comm, const struct claim *claim, u32 flags)
{
	struct pid_list pids = { 0 };
	char text[256];
	regex_t regex;
	int err, nr;
	u32 i;

	if (regcomp(&regex, comm->pattern, REG_EXTENDED | REG_NOSUB))
		return -ENOMEM;
	nr = named_find(&regex, &pids, text, sizeof(text));
	regfree(&regex);
	for (i = 0; i < pids.nr && nr >= 0; i++) {
		err = device_attach(claim->device, pids.pids[i], flags);
		/* It may have ended, and most of them are targets. */
		if (err && err != -ESRCH && err != -EEXIST)
			return err;
	}
	return nr < 0 ? nr : 0;
}

static int refuse(int err)
{
	if (err == -EPERM)
		return say_error("--follow-new needs privileges; run it with sudo");
	return say_failure(err, "cannot follow processes");
}

/*
 * With --follow-new, let processes that come later become targets, without their descendants if
 * @is_alone. CONFIG would undo it. Return STATUS_OK, or print an error and return another status.
 */
int comm_option_follow(const struct comm_option *comm, const struct claim *claim, bool is_alone)
{
	u32 flags = is_alone ? TPROF_LX_TARGET_ALONE : 0;
	struct name_automaton *names;
	int err, status;
	u64 nr;

	if (!comm->follow)
		return STATUS_OK;
	if (!(claim->info->info.features & TPROF_LX_FEATURE_FOLLOW))
		return say_error("the loaded module (version %s) does not follow processes by name; update and reload it",
				 claim->info->info.version);
	names = make_names("--follow-new", comm->pattern, &status);
	if (!names)
		return status;
	err = device_follow(claim->device, names, flags, &nr);
	free(names);
	if (!err)
		err = attach_missed(comm, claim, flags);
	return err ? refuse(err) : STATUS_OK;
}

/* Print how many processes were followed. */
void comm_option_note(const struct comm_option *comm, const struct claim *claim)
{
	u64 nr;

	if (comm->follow && !device_follow(claim->device, NULL, 0, &nr))
		say_note("'%s' matched %llu process%s that came later", comm->pattern, nr,
			 nr == 1 ? "" : "es");
}
