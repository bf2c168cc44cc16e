#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check address spaces, locks and endianness of the module by sparse: on 6.12, and in a full
# check also on the main kernel. The headers of Linux 7 use __typeof_unqual__, which sparse
# knows since 0.6.5. Only sid has that version, in the root directory where gcc 16 builds.

set -u

. "$(dirname "$0")/../sources.sh"

status=0
check()
{
	"$TPROF_TOP/scripts/module.sh" --sparse --strict --selftests "$@" || status=1
}

check "$(kernel_tree 6.12)"
[ -z "${TPROF_FULL:-}" ] || check --gcc 16 "$(kernel_tree "$TPROF_MAIN_KERNEL")"
exit $status
