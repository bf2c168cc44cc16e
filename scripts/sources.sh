# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# List the sources that lint steps check. Sourced, never run; changes the directory to
# the top of the tree.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$TPROF_TOP" || exit 2

# Print the C files of the given directories, or of all.
c_sources()
{
	[ $# -gt 0 ] || set -- kmod include tools selftests
	find "$@" -name '*.[ch]' -not -name '*.mod.c' 2>/dev/null | sort
}

shell_sources()
{
	grep -rlE '^#!/bin/(ba|da)?sh|shellcheck shell=' .ci packaging scripts selftests \
		tools/manual 2>/dev/null | sort
}
