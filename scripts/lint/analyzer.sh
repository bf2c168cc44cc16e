#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What gcc's static analyzer says, which follows paths through a file: of the tools,
# and of the part of the module that compiles in user space, where the analyzer
# knows every function that is called. The rest is for sparse and coccinelle.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# -O1 gives the analyzer enough to see through helpers.
analyze()
{
	xargs -r -P "$(nproc)" -I{} gcc-12 -std=gnu11 -O1 -Wall -Wextra \
		-Wno-unused-parameter -fanalyzer -Werror -D_GNU_SOURCE \
		-I include/uapi "$@" -c {} -o /dev/null
}

of_module()
{
	printf 'kmod/%s.c\n' ring elfnote
	grep -l 'Compiles in user space' kmod/*.c
}

status=0
c_sources tools | grep '\.c$' | analyze -I tools -DTPROF_LX_VERSION='"lint"' || status=1
# As the kernel has these two: elfnote.c is told by a return value what is filled in.
of_module | analyze -Wno-sign-compare -Wno-maybe-uninitialized -I kmod \
	-I selftests/unit -include kernel.h || status=1
exit $status
