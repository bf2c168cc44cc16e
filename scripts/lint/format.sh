#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check with clang-format where blanks and braces are. Ignore the width of blanks and the
# line breaks, since members of structs are aligned in columns; checkpatch.sh checks
# these. Ignore macros: without types, clang-format takes (a) * b for a cast.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# Print the words of the code, each as a line "LINE-NUMBER WORD".
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
