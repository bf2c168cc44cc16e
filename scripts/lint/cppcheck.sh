#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run cppcheck on the tools. Do not let it check for uninitialized variables: if
# a called function sets a variable, cppcheck assumes that the function reads
# it. gcc checks for uninitialized variables.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	--inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	--suppress=uninitvar --suppress=ctuuninitvar \
	-I include/uapi -I tools tools
