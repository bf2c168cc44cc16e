#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tools by gcc's static analyzer, which follows paths through a file.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# -O1 gives the analyzer enough to see through helpers.
c_sources tools | grep '\.c$' | xargs -r -P "$(nproc)" -I{} \
	gcc-12 -std=gnu11 -O1 -Wall -Wextra -Wno-unused-parameter -fanalyzer \
	-Werror -D_GNU_SOURCE -DTPROF_LX_VERSION='"lint"' \
	-I include/uapi -c {} -o /dev/null
