#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that kernel-doc comments are well formed and describe every parameter
# and return value.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

c_sources kmod include selftests/modules | xargs -r "$TPROF_SOURCE/scripts/kernel-doc" \
	-none -Wall -Werror
