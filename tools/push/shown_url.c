// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx push - a URL as messages show it
 */
#include <stdio.h>

#include "push/shown_url.h"

/* Make @shown the scheme, host and port of the URL @text. They are not escaped. */
void shown_url(const struct curl_library *curl, const char *text, char shown[SHOWN_URL])
{
	char *scheme = NULL, *host = NULL, *port = NULL;
	CURLU *url = curl->url();

	snprintf(shown, SHOWN_URL, "another URL");
	if (url && !curl->url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) &&
	    !curl->url_get(url, CURLUPART_SCHEME, &scheme, 0) &&
	    !curl->url_get(url, CURLUPART_HOST, &host, 0)) {
		curl->url_get(url, CURLUPART_PORT, &port, 0);
		snprintf(shown, SHOWN_URL, "%s://%s%s%s", scheme, host, port ? ":" : "",
			 port ? port : "");
	}
	curl->free(scheme);
	curl->free(host);
	curl->free(port);
	curl->url_cleanup(url);
}
