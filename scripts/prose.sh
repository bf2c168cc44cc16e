#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Plain English, as far as patterns can hold it: see prose.py. With arguments, only
# these files and directories are read.

set -u

. "$(dirname "$0")/sources.sh"

[ $# -gt 0 ] || set -- .ci Documentation include kmod packaging scripts selftests tools \
	Kbuild Makefile dkms.conf CONTRIBUTING.md README.md
git ls-files -- "$@" |
	grep -vE '\.(patch|words|cocci)$|(^|/)(COPYING|prose\.(py|sh)|changelog|copyright)$|^selftests/corpus/.*\.in$' |
	xargs -r scripts/prose.py
