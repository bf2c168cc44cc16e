/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - match a module's signature with a certificate
 */
#ifndef TPROF_CERTIFICATE_H
#define TPROF_CERTIFICATE_H

#include "base/types.h"

bool certificate_has_signed(const void *certificate, size_t len, const void *signature,
			    size_t signature_len);

#endif /* TPROF_CERTIFICATE_H */
