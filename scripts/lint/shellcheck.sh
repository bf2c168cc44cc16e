#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The scripts, by shellcheck, and for what it does not know: `program | grep -q`
# fails with pipefail when grep, having seen enough, leaves before the program
# has written all.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

status=0
shell_sources | xargs -r shellcheck || status=1
if shell_sources | xargs -r grep -nE '^[^#]*[^|#]\| *grep (-[a-zA-Z]*q|-m)'; then
	echo "grep leaves the pipe early: write to a file first"
	status=1
fi
exit $status
