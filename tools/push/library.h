/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx push - libcurl, which is loaded when it is needed
 *
 * Commands that run as root do not need libcurl, so they do not load it and the libraries
 * that it needs. The GnuTLS flavour is taken if there is one.
 */
#ifndef TPROF_PUSH_LIBRARY_H
#define TPROF_PUSH_LIBRARY_H

#include <curl/curl.h>

/**
 * struct curl_library - functions of libcurl, by the names that they have there
 */
struct curl_library {
	__typeof__(curl_global_init) *global_init;
	__typeof__(curl_global_cleanup) *global_cleanup;
	__typeof__(curl_easy_init) *easy_init;
	__typeof__(curl_easy_reset) *easy_reset;
	__typeof__(curl_easy_cleanup) *easy_cleanup;
	__typeof__(curl_easy_setopt) *easy_setopt;
	__typeof__(curl_easy_getinfo) *easy_getinfo;
	__typeof__(curl_easy_header) *easy_header;
	__typeof__(curl_easy_perform) *easy_perform;
	__typeof__(curl_easy_strerror) *easy_strerror;
	__typeof__(curl_slist_append) *slist_append;
	__typeof__(curl_slist_free_all) *slist_free_all;
	__typeof__(curl_url) *url;
	__typeof__(curl_url_cleanup) *url_cleanup;
	__typeof__(curl_url_get) *url_get;
	__typeof__(curl_url_set) *url_set;
	__typeof__(curl_free) *free;
	__typeof__(curl_getdate) *getdate;
};

const struct curl_library *library_load(void);

#endif /* TPROF_PUSH_LIBRARY_H */
