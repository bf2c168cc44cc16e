#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check blanks and braces with .clang-format. The width of blanks and line breaks are
# not compared, as members of a struct are aligned in columns; checkpatch.sh checks the
# rest. Macros are not compared: without types, clang-format takes (a) * b for a cast.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# Print the words of the code, one a line, each after the number of its line.
# shellcheck disable=SC2016	# awk's own variables
readonly split='
{ macro = /^[ \t]*#/ || continued; continued = macro && /\\$/ }
!macro { for (i = 1; i <= NF; i++) print FNR, $i }'

words()
{
	awk "$split" | cut -d' ' -f2-
}

check()
{
	local file=$1 formatted first line

	formatted=$(clang-format --style=file "$file") || return
	first=$(cmp <(words <"$file") <(words <<<"$formatted") |
		sed 's/.* line //')
	[ -n "$first" ] || return 0
	line=$(awk "$split" "$file" | sed -n "${first}p" | cut -d' ' -f1)
	printf '%s:%s: %s\n' "$file" "$line" \
		"$(sed -n "${line}p" "$file" | sed 's/^[[:space:]]*//')"
	printf '\tclang-format: %s\n' \
		"$(words <<<"$formatted" | sed -n "$first,$((first + 5))p" | xargs -d '\n')"
	return 1
}

status=0
while read -r file; do
	check "$file" || status=1
done < <(c_sources)
exit $status
