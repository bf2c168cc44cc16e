#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run gcc's static analyzer on the tools, and on the files of the module that compile in
# user space. The rest of the module calls kernel functions that the analyzer does not
# know; sparse and coccinelle check it.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# With -O1, small functions are inlined, so that the analyzer knows what they do.
analyze()
{
	xargs -r -P "$(nproc)" -I{} gcc-12 -std=gnu11 -O1 -Wall -Wextra \
		-Wno-unused-parameter -fanalyzer -Werror -D_GNU_SOURCE \
		-I include/uapi "$@" -c {} -o /dev/null
}

of_module()
{
	printf 'kmod/%s.c\n' stream/ring base/elfnote
	grep -rlE 'compiles?( this file)? in user space' --include='*.c' kmod
}

status=0
# tools/walk compiles the module's walk.
c_sources tools | grep '\.c$' | analyze -I tools -I tools/walk -I kmod -DTPROF_LX_VERSION='"lint"' \
	-DTPROF_LX_TESTED_KERNELS='"lint"' -DTPROF_LX_BUILT_KERNELS='"lint"' || status=1
# Disable the two warnings that the kernel disables, too. -Wmaybe-uninitialized has false
# positives in elfnote.c, where the return value shows what is initialized.
of_module | analyze -Wno-sign-compare -Wno-maybe-uninitialized -I kmod \
	-I selftests/unit -include kernel.h || status=1
exit $status
