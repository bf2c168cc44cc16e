#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the scripts with shellcheck. Also check that they do not contain
# `program | grep -q`, which shellcheck allows. With pipefail, such a pipe can
# fail: grep -q exits at the first match, and then SIGPIPE kills the program if
# it is still writing.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

status=0
shell_sources | xargs -r shellcheck || status=1
if shell_sources | xargs -r grep -nE '^[^#]*[^|#]\| *grep (-[a-zA-Z]*q|-m)'; then
	echo "grep exits before the pipe is empty: write to a file first"
	status=1
fi
exit $status
