#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that no function is longer than 60 lines, and print the length of the longest. List
# files longer than 400 lines: they are allowed, but should be exceptions.
#
# In the kernel's style, a function's body starts at a brace in the first column and
# ends at the next one.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# shellcheck disable=SC2016	# awk's own variables
measure='
/^[a-zA-Z_].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^{/		{ start = FNR }
/^}/ && start	{
	n = FNR - start + 1
	functions++
	if (n > longest) {
		longest = n
		where = FILENAME ": " name "()"
	}
	if (n > 60) {
		printf "%s:%d: %s() has %d lines\n", FILENAME, start, name, n
		failed = 1
	}
	start = 0
}
FNR == 1	{ start = 0 }
		{ lines[FILENAME] = FNR; total++ }
END {
	for (file in lines) {
		files++
		if (lines[file] > 400)
			printf "%s has %d lines\n", file, lines[file]
	}
	printf "%d files, %d lines, %d functions, the longest %s: %d lines\n",
	       files, total, functions, where, longest
	exit failed
}'

c_sources | xargs -r awk "$measure"
