#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-doc comments: well formed, with every parameter and return value told.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

c_sources kmod include | xargs -r "$TPROF_SOURCE/scripts/kernel-doc" \
	-none -Wall -Werror
