#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run gcc's static analyzer, which follows paths through a file, on the tools and on
# the part of the module that compiles in user space. In the rest of the module it does
# not know all called functions; sparse and coccinelle check that part.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# With -O1, small functions are inlined, so the analyzer sees through them.
analyze()
{
	xargs -r -P "$(nproc)" -I{} gcc-12 -std=gnu11 -O1 -Wall -Wextra \
		-Wno-unused-parameter -fanalyzer -Werror -D_GNU_SOURCE \
		-I include/uapi "$@" -c {} -o /dev/null
}

of_module()
{
	printf 'kmod/%s.c\n' stream/ring track/elfnote
	grep -rl 'Compiles in user space' --include='*.c' kmod
}

status=0
c_sources tools | grep '\.c$' | analyze -I tools -DTPROF_LX_VERSION='"lint"' || status=1
# The kernel disables these two warnings, too. In elfnote.c, the return value says what
# has been initialized.
of_module | analyze -Wno-sign-compare -Wno-maybe-uninitialized -I kmod \
	-I selftests/unit -include kernel.h || status=1
exit $status
