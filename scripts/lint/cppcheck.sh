#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run cppcheck on the tools. Uninitialized variables are left to gcc, which
# follows them through calls: cppcheck takes a variable that a called function
# fills in for one that it reads.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	--inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	--suppress=uninitvar --suppress=ctuuninitvar \
	-I include/uapi -I tools tools
