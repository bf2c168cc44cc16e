#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run cppcheck on the tools. Do not let it check for uninitialized variables: if
# a called function sets a variable, cppcheck assumes that the function reads
# it. gcc checks for uninitialized variables. The macros are those of tools/Makefile. Version 2.17
# reports each long function as not checked in all its branches, and fails.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	--inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	--suppress=uninitvar --suppress=ctuuninitvar \
	--suppress=normalCheckLevelMaxBranches \
	-DTPROF_LX_VERSION='"lint"' -DTPROF_LX_TESTED_KERNELS='"lint"' \
	-DTPROF_LX_BUILT_KERNELS='"lint"' \
	-I include/uapi -I tools tools
