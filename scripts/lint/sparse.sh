#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check address spaces, locks and endianness of the module by sparse.

set -u

. "$(dirname "$0")/../sources.sh"

"$TPROF_TOP/scripts/module.sh" --sparse --strict --selftests \
	"$(kernel_tree "$TPROF_MAIN_KERNEL")"
