#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tools as cppcheck sees them. Uninitialized variables are left to gcc, which
# follows them through calls: cppcheck takes one handed to a function that fills
# it for one that is read.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	--inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	--suppress=uninitvar --suppress=ctuuninitvar \
	-I include/uapi -I tools tools
