#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the modules for every header tree, with gcc and with clang. A warning or an error
# does not stop the script, but makes it fail at the end.

set -u

. "$(dirname "$0")/lib.sh"

status=0
for kdir in $(header_trees); do
	for cc in '' --clang; do
		"$TPROF_TOP/scripts/module.sh" --strict --selftests $cc "$kdir" ||
			status=1
	done
done
exit $status
