#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that no two functions of the module share a name, nor two structs, and that each name
# of a function has more than one word: an oops, ftrace and profiles show a function's name
# without its file, and pahole and gdb a struct's.

set -u

. "$(dirname "$0")/../sources.sh"

# shellcheck disable=SC2016	# awk's own variables
check='
# The first line of a definition, and the brace of its body, begin in the first column.
/^[a-z].*[ *][a-z_0-9]+\(/ && !/;$/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	line = FNR
}
/^[a-z_0-9]+\(/ { name = $0; sub(/\(.*/, "", name); line = FNR }
/^{/ && name {
	stem = FILENAME
	sub(/\.[ch]$/, "", stem)
	# A header may have a stub of a function that its .c file defines.
	if (name in where && where[name] != stem) {
		printf "%s:%d: %s() is also in %s.c\n", FILENAME, line, name, where[name]
		failed = 1
	}
	if (name !~ /_/) {
		printf "%s:%d: %s() is a name of one word\n", FILENAME, line, name
		failed = 1
	}
	where[name] = stem
	name = ""
}
/^struct [a-z_0-9]+ {$/ {
	tag = "struct " $2
	if (tag in where && where[tag] != FILENAME) {
		printf "%s:%d: %s is also in %s\n", FILENAME, FNR, tag, where[tag]
		failed = 1
	}
	where[tag] = FILENAME
}
END { exit failed }'

c_sources kmod | xargs awk "$check"
