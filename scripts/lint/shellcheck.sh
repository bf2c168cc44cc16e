#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the scripts by shellcheck, and for a mistake that it does not know:
# `program | grep -q` fails with pipefail when grep has seen enough and exits
# before the program has written all.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

status=0
shell_sources | xargs -r shellcheck || status=1
if shell_sources | xargs -r grep -nE '^[^#]*[^|#]\| *grep (-[a-zA-Z]*q|-m)'; then
	echo "grep exits before the pipe is empty: write to a file first"
	status=1
fi
exit $status
