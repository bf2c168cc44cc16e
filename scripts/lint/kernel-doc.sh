#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that kernel-doc comments are well formed and describe every parameter and return
# value. A parameter with the name of its struct needs no description, and must not have one
# that only repeats the name: see kernel-doc.py.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

mapfile -t sources < <(c_sources kmod include selftests/modules)
"$TPROF_SOURCE/scripts/kernel-doc" -none -Wall "${sources[@]}" 2>&1 |
	scripts/lint/kernel-doc.py "${sources[@]}"
