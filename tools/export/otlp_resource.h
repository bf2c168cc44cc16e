/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - the resource of profiles of OTLP: a service on a host
 */
#ifndef TPROF_EXPORT_OTLP_RESOURCE_H
#define TPROF_EXPORT_OTLP_RESOURCE_H

#include "base/bytes.h"
#include "base/interned.h"
#include "export/export.h"

void otlp_resource(const struct export *export, struct interned *names, const char *host,
		   struct bytes *out);

#endif /* TPROF_EXPORT_OTLP_RESOURCE_H */
