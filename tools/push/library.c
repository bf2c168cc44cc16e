// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - load libcurl
 */
#include <dlfcn.h>
#include <stdbool.h>

#include "base/types.h"
#include "cli/say.h"
#include "push/library.h"

/* libcurl since version 7.85 has all that is used. */
#define OLDEST		0x075500

static struct curl_library library;

static const struct {
	const char *name;
	void	*function;
} functions[] = {
	{ "curl_global_init", &library.global_init },
	{ "curl_global_cleanup", &library.global_cleanup },
	{ "curl_easy_init", &library.easy_init },
	{ "curl_easy_reset", &library.easy_reset },
	{ "curl_easy_cleanup", &library.easy_cleanup },
	{ "curl_easy_setopt", &library.easy_setopt },
	{ "curl_easy_getinfo", &library.easy_getinfo },
	{ "curl_easy_header", &library.easy_header },
	{ "curl_easy_perform", &library.easy_perform },
	{ "curl_easy_strerror", &library.easy_strerror },
	{ "curl_slist_append", &library.slist_append },
	{ "curl_slist_free_all", &library.slist_free_all },
	{ "curl_url", &library.url },
	{ "curl_url_cleanup", &library.url_cleanup },
	{ "curl_url_get", &library.url_get },
	{ "curl_url_set", &library.url_set },
	{ "curl_free", &library.free },
	{ "curl_getdate", &library.getdate },
};

/* The flavour with GnuTLS is Debian's. */
static const char *const names[] = { "libcurl-gnutls.so.4", "libcurl.so.4" };

static bool is_new_enough(void *handle)
{
	__typeof__(curl_version_info) *version_info;

	*(void **)&version_info = dlsym(handle, "curl_version_info");
	return version_info && version_info(CURLVERSION_NOW)->version_num >= OLDEST;
}

static bool has_functions(void *handle)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		*(void **)functions[i].function = dlsym(handle, functions[i].name);
		if (!*(void **)functions[i].function)
			return false;
	}
	return is_new_enough(handle);
}

/* Load libcurl, unless that was done. Return its functions, or print an error and return NULL. */
const struct curl_library *library_load(void)
{
	bool is_found = false;
	void *handle;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (!handle)
			continue;
		if (has_functions(handle))
			return &library;
		is_found = true;
		dlclose(handle);
	}
	if (is_found)
		say_error("this libcurl is too old for push; install version 7.85 or newer");
	else
		say_error("push needs libcurl; install the package libcurl3-gnutls");
	return NULL;
}
