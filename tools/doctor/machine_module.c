// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - find out whether a machine has the module and can load it
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor/certificate.h"
#include "doctor/distribution.h"
#include "doctor/machine_files.h"
#include "doctor/machine_module.h"

#define NAME		"tprof-lx"
#define DKMS		"/var/lib/dkms/" NAME
#define PATH_LEN	1024
#define FILE_LEN	(1 << 20)

static const char signature_mark[] = "~Module signature appended~\n";

/* EFI variables, each with a part of the list of enrolled certificates. */
static const char enrolled[] =
	"/sys/firmware/efi/efivars/MokListRT*-605dab50-e046-4300-abb6-3dd810dd8b23";

#define SOURCE		"/usr/src/" NAME "-"

/* Number of bytes at the end of a module's file that are searched for the signature. */
#define SIGNATURE_LEN	8192

/* Find the first match of a glob below the root. Return its path without the root. */
static bool find(const struct machine *machine, char *found, size_t len, const char *pattern)
{
	char whole[PATH_LEN];
	glob_t paths;
	bool any;

	snprintf(whole, sizeof(whole), "%s%s", machine->root, pattern);
	any = !glob(whole, 0, NULL, &paths);
	if (any)
		snprintf(found, len, "%s", paths.gl_pathv[0] + strlen(machine->root));
	globfree(&paths);
	return any;
}

/* Lines of modules.dep are like "updates/dkms/tprof-lx.ko: DEPENDENCIES". */
static void look_for_file(struct machine *machine)
{
	char path[PATH_LEN], *list = malloc(FILE_LEN), *line, *end;

	if (!list)
		return;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", machine->release);
	machine_read(machine, path, list, FILE_LEN);
	for (line = list; *line; line = end + !!*end) {
		end = line + strcspn(line, "\n");
		if (memmem(line, strcspn(line, ":"), "/" NAME ".ko", sizeof("/" NAME ".ko") - 1))
			snprintf(machine->module_file, sizeof(machine->module_file),
				 "/lib/modules/%s/%.*s", machine->release,
				 (int)strcspn(line, ":"), line);
	}
	free(list);
}

/* A signed file ends with signature_mark. Compressed files are not examined. */
static void look_for_signature(struct machine *machine)
{
	size_t len = strlen(machine->module_file);
	char end[sizeof(signature_mark)];

	if (len < 3 || strcmp(machine->module_file + len - 3, ".ko") ||
	    !machine_read_end(machine, machine->module_file, end, sizeof(end)))
		return;
	machine->signature = strcmp(end, signature_mark) ? SIGNATURE_NONE : SIGNATURE_THERE;
}

/* Read all parts of the firmware's list of enrolled certificates into @list. */
static size_t read_enrolled(const struct machine *machine, char *list, size_t room)
{
	char whole[PATH_LEN];
	size_t used = 0, i;
	glob_t paths;

	snprintf(whole, sizeof(whole), "%s%s", machine->root, enrolled);
	if (!glob(whole, 0, NULL, &paths)) {
		for (i = 0; i < paths.gl_pathc && used < room; i++)
			used += machine_read(machine, paths.gl_pathv[i] + strlen(machine->root),
					     list + used, room - used);
	}
	globfree(&paths);
	return used;
}

/*
 * Set @path to the last mok_certificate=PATH in @file. If there is none, leave @path
 * unchanged.
 */
static void read_own_mok(const struct machine *machine, const char *file, char *path, size_t len)
{
	static const char key[] = "mok_certificate=";
	char text[4096];
	const char *line;

	machine_read(machine, file, text, sizeof(text));
	for (line = text; *line; line += strcspn(line, "\n") + !!line[strcspn(line, "\n")]) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line += strlen(key);
		line += strspn(line, "\"'");
		snprintf(path, len, "%.*s", (int)strcspn(line, "\"'\n"), line);
	}
}

/* Like DKMS, read framework.conf first; the files in framework.conf.d override it. */
static void look_for_own_mok(const struct machine *machine, char *path, size_t len)
{
	char whole[PATH_LEN];
	glob_t files;
	size_t i;

	*path = '\0';
	read_own_mok(machine, "/etc/dkms/framework.conf", path, len);
	snprintf(whole, sizeof(whole), "%s/etc/dkms/framework.conf.d/*.conf", machine->root);
	if (!glob(whole, 0, NULL, &files)) {
		for (i = 0; i < files.gl_pathc; i++)
			read_own_mok(machine, files.gl_pathv[i] + strlen(machine->root), path, len);
	}
	globfree(&files);
}

/*
 * Set @machine->mok to @path, the file of a certificate. If an earlier certificate was
 * found, do this only if the key of the certificate at @path signed the module.
 */
static void take_mok(struct machine *machine, const char *path, const char *bytes, size_t nr,
		     const char *enrolled_list, size_t len)
{
	char end[SIGNATURE_LEN];
	size_t end_len = machine_read_end(machine, machine->module_file, end, sizeof(end));
	bool has_signed = machine->signature == SIGNATURE_THERE &&
			  certificate_has_signed(bytes, nr, end, end_len);

	if (*machine->mok && !has_signed)
		return;
	snprintf(machine->mok, sizeof(machine->mok), "%s", path);
	machine->has_signed = has_signed;
	machine->mok_enrolled = memmem(enrolled_list, len, bytes, nr);
}

/* Look for certificates in the order in which DKMS does. */
static void look_for_moks(struct machine *machine)
{
	static const char shim[] = "/var/lib/shim-signed/mok/MOK.der";
	static const char usual[] = "/var/lib/dkms/mok.pub";
	bool is_ubuntu = machine_is_like(machine, "ubuntu");
	char own[sizeof(machine->mok)];
	const char *const moks[] = { own, is_ubuntu ? shim : usual, is_ubuntu ? usual : shim };
	char *list = malloc(FILE_LEN), *bytes = malloc(FILE_LEN);
	size_t i, nr, len = list ? read_enrolled(machine, list, FILE_LEN) : 0;

	look_for_own_mok(machine, own, sizeof(own));
	machine->mok_unknown = !len;
	for (i = 0; bytes && i < ARRAY_SIZE(moks) && !machine->has_signed; i++) {
		nr = *moks[i] ? machine_read(machine, moks[i], bytes, FILE_LEN) : 0;
		if (nr)
			take_mok(machine, moks[i], bytes, nr, list ? list : "", len);
	}
	free(bytes);
	free(list);
}

static void look_for_keys(struct machine *machine)
{
	char text[8];

	machine->sig_enforce =
		machine_read(machine, "/sys/module/module/parameters/sig_enforce", text,
			     sizeof(text)) && text[0] == 'Y';
	look_for_moks(machine);
}

/* Take the reason of the failure from the line that scripts/dkms-build.sh adds to the log. */
static void read_reason(struct machine *machine)
{
	static const char mark[] = NAME ": ";
	const char *line = machine->dkms_log;

	while (*line && strncmp(line, mark, strlen(mark)))
		line += strcspn(line, "\n") + !!line[strcspn(line, "\n")];
	if (*line)
		line += strlen(mark);
	snprintf(machine->dkms_reason, sizeof(machine->dkms_reason), "%.*s",
		 (int)strcspn(line, "\n"), line);
}

/*
 * Read the last lines of a build log, which show the error, into @machine->dkms_log.
 * Return true if the first line of the log names the running kernel.
 */
static bool read_log(struct machine *machine, const char *path)
{
	char first[512], kernel[80], *log = machine->dkms_log, *from = log;

	if (machine_read_end(machine, path, log, MACHINE_LOG_LEN) == MACHINE_LOG_LEN - 1 &&
	    strchr(log, '\n'))
		from = strchr(log, '\n') + 1;
	memmove(log, from, strlen(from) + 1);
	read_reason(machine);
	machine_read(machine, path, first, sizeof(first));
	first[strcspn(first, "\n")] = '\0';
	snprintf(kernel, sizeof(kernel), " kernel %s (", machine->release);
	return strstr(first, kernel);
}

/*
 * Return true to prefer @version to @machine->dkms_version. A version that is built
 * for this kernel comes before others, a newer version before older ones.
 */
static bool is_better(const struct machine *machine, const char *version, bool is_built)
{
	bool has_built = machine->dkms == DKMS_BUILT;

	if (!*machine->dkms_version)
		return true;
	return is_built == has_built ? strverscmp(version, machine->dkms_version) > 0 : is_built;
}

static void look_at_version(struct machine *machine, const char *version)
{
	char built[PATH_LEN], log[PATH_LEN], found[PATH_LEN];
	bool is_built;

	snprintf(built, sizeof(built), DKMS "/%s/%s/*/module/" NAME ".ko*", version,
		 machine->release);
	is_built = find(machine, found, sizeof(found), built);
	if (!is_better(machine, version, is_built))
		return;
	snprintf(machine->dkms_version, sizeof(machine->dkms_version), "%s", version);
	machine->dkms = is_built ? DKMS_BUILT : DKMS_ADDED;
	snprintf(log, sizeof(log), DKMS "/%s/build/make.log", version);
	if (is_built)
		return;
	if (machine_has(machine, "%s", log) && read_log(machine, log))
		machine->dkms = DKMS_FAILED;
	else if (machine_has(machine, DKMS "/%s/%s", version, machine->release))
		machine->dkms = DKMS_HALF;
}

/*
 * The directory DKMS/VERSION has a link "source", and a directory for each
 * kernel that the version was built for.
 */
static void look_for_dkms(struct machine *machine)
{
	char pattern[PATH_LEN], *version;
	glob_t paths;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s" DKMS "/*/source", machine->root);
	if (!glob(pattern, 0, NULL, &paths)) {
		for (i = 0; i < paths.gl_pathc; i++) {
			*strrchr(paths.gl_pathv[i], '/') = '\0';
			version = strrchr(paths.gl_pathv[i], '/') + 1;
			look_at_version(machine, version);
		}
	}
	globfree(&paths);
}

/*
 * When the last kernel that a version was built for is removed, DKMS forgets the
 * version, but its source stays in /usr/src. Get the version from there if DKMS has
 * none.
 */
static void look_for_source(struct machine *machine)
{
	char path[PATH_LEN];

	if (*machine->dkms_version ||
	    !find(machine, path, sizeof(path), SOURCE "*/dkms.conf"))
		return;
	*strrchr(path, '/') = '\0';
	snprintf(machine->dkms_version, sizeof(machine->dkms_version), "%.31s",
		 path + strlen(SOURCE));
}

/* Find out what users without privileges may observe by the module that is loaded. */
static void look_for_users(struct machine *machine)
{
	char text[8], path[PATH_LEN];
	struct stat st;

	machine->access = machine_read(machine, "/sys/module/tprof_lx/parameters/access", text,
				       sizeof(text)) ? atoi(text) : -1;
	snprintf(path, sizeof(path), "%s/dev/" NAME, machine->root);
	if (!stat(path, &st))
		machine->device_mode = st.st_mode & 0777;
}

/* Look for the module. Called by machine_look() after it set @machine->release. */
void machine_look_for_module(struct machine *machine)
{
	machine->has_headers = machine_has(machine, "/lib/modules/%s/build/Makefile",
					   machine->release);
	machine->is_loaded = machine_has(machine, "/sys/module/tprof_lx");
	look_for_users(machine);
	look_for_file(machine);
	look_for_signature(machine);
	look_for_keys(machine);
	look_for_dkms(machine);
	look_for_source(machine);
	machine->has_mokutil = machine_has(machine, "/usr/bin/mokutil");
}
