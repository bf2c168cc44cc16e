#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Budgets: a function has at most 60 lines, and a file should not have more than
# 400. The longest of each are printed; only a long function fails.
#
# A function's body starts at a brace in the first column and ends at the next
# one: the kernel's style makes that exact.

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
