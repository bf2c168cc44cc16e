# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that list the sources to lint. Sourced; changes the working directory to the
# top of the tree.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$TPROF_TOP" || exit 2

# Print the C files in the given directories; by default, all C files.
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
