#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the rules of prose in CONTRIBUTING.md, as far as patterns can: see prose.py.
# With arguments, check only these files and directories.

set -u

. "$(dirname "$0")/../sources.sh"

[ $# -gt 0 ] || set -- .ci Documentation include kmod packaging scripts selftests tools \
	Kbuild Makefile dkms.conf CONTRIBUTING.md INSTALL.md README.md
git ls-files -- "$@" |
	grep -vE '\.(patch|words|cocci|png)$|(^|/)(COPYING|prose\.(py|sh)|changelog|copyright)$|^selftests/corpus/.*\.in$' |
	xargs -r scripts/lint/prose.py
