#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that the files of a tree have no circular dependencies, since files in a circle
# cannot be read, tested or replaced one at a time. File A uses file B if A's object needs
# a symbol that B's object defines, or if A includes B's header.
#
# Symbols come from the objects in build/tools and build/RELEASE/kmod, which are built
# first. Includes need no build.
#
# In kmod/, also check that X.h or X_types.h declares what X.c defines for other files. A header
# that declares functions of several files hides circles between them.
#
# usage: circles.sh [TREE...]	tools, kmod (both)

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

# Print the circles in the input, which has lines "FILE FILE SYMBOL": the first file uses
# the second. In a circle, each file reaches each other file.
# shellcheck disable=SC2016	# awk's own variables
readonly find_circles='
function reach(from, at,	i, n, next_files)
{
	n = split(uses[at], next_files)
	for (i = 1; i <= n; i++) {
		if ((from, next_files[i]) in reached)
			continue
		reached[from, next_files[i]] = 1
		reach(from, next_files[i])
	}
}

function show(circle, files,	i, j, n, list)
{
	n = split(files, list)
	printf "%s: a circle of %d files:%s\n", what, n, files
	for (i = 1; i <= n; i++)
		for (j = 1; j <= n; j++)
			if ((list[i], list[j]) in by)
				printf "\t%s uses %s: %s\n", list[i], list[j],
				       by[list[i], list[j]]
}

$1 != $2 && !(($1, $2, $3) in seen) {
	seen[$1, $2, $3] = 1
	if (($1, $2) in by) {
		by[$1, $2] = by[$1, $2] ", " $3
	} else {
		by[$1, $2] = $3
		uses[$1] = uses[$1] " " $2
	}
	if (!($1 in known)) {
		known[$1] = 1
		order[++nr] = $1
	}
}

END {
	for (i = 1; i <= nr; i++)
		reach(order[i], order[i])
	for (i = 1; i <= nr; i++) {
		if (order[i] in shown || !((order[i], order[i]) in reached))
			continue
		files = ""
		for (j = i; j <= nr; j++)
			if ((order[i], order[j]) in reached && (order[j], order[i]) in reached) {
				shown[order[j]] = 1
				files = files " " order[j]
			}
		show(i, files)
		failed = 1
	}
	exit failed
}'

circles()
{
	sort | awk -v what="$1" "$find_circles"
}

# Print the objects below directory $2, without .o. Skip old objects, which have no source
# in the tree any more.
objects()
{
	local tree=$1 built=$2 object

	while read -r object; do
		[ -e "$tree/${object%.o}.c" ] && echo "${object%.o}"
	done < <(cd "$built" && find . -name '*.o' | sed 's,^\./,,' | sort)
}

# Print a line "FILE FILE SYMBOL" for each symbol that one object uses and another defines.
links()
{
	local tree=$1 built=$2 file

	while read -r file; do
		nm "$built/$file.o" | awk -v file="$file" '
			NF == 2 && $1 ~ /^[Uw]$/ { print "needs", file, $2 }
			NF == 3 && $2 ~ /^[ABCDGRSTVW]$/ { print "defines", file, $3 }'
	done < <(objects "$tree" "$built") | awk '
		$1 == "defines" { definer[$3] = $2 }
		$1 == "needs" { user[++nr] = $2; symbol[nr] = $3 }
		END {
			for (i = 1; i <= nr; i++)
				if (symbol[i] in definer)
					print user[i], definer[symbol[i]], symbol[i]
		}'
}

# Print a line "FILE FILE HEADER" for each #include in a tree. X.h and X.c count as one
# file.
includes()
{
	local tree=$1

	find "$tree" -name '*.[ch]' -not -name '*.mod.c' -print0 |
		xargs -0 grep -HoE '^#[ 	]*include "[^"]*"' |
		sed -nE "s,^$tree/(.*)\.[ch]:.*\"(.*)\.h\"\$,\1 \2 \2.h,p" |
		while read -r file used header; do
			[ -e "$tree/$header" ] && echo "$file $used $header"
		done
}

# Headers that list implementations of one contract, which several files define.
readonly contracts=' dev/ioctl clock/clock pmu/overflow x86/x86_cpu '

# Print what the files of tree $1 define for others and declare in no header of theirs. Static
# calls have a prefix.
undeclared()
{
	local tree=$1

	{
		(cd "$tree" && grep -roHE --include='*.h' '\btprof_[a-z0-9_]+' .) |
			sed -E 's,^\./(.*)\.h:,declares \1 ,; s/_types / /'
		links "$tree" "$2" | sed -E 's/ __SC[KT]__/ /'
	} | awk -v contracts="$contracts" '
		$1 == "declares" {
			declares[$2, $3] = 1
			if (index(contracts, " " $2 " "))
				is_contract[$3] = 1
			next
		}
		!(($2, $3) in declares) && !($3 in is_contract) && !seen[$3]++ {
			printf "%s.c defines %s, which its header does not declare\n", $2, $3
			failed = 1
		}
		END { exit failed }'
}

status=0
check()
{
	circles "$1" || status=1
}

# Build a tree, and print the directory of its objects.
built_of()
{
	local kernel

	if [ "$1" = tools ]; then
		make --no-print-directory tools >&2 && echo build/tools
	else
		kernel=$(kernel_tree "$TPROF_MAIN_KERNEL")
		scripts/module.sh "$kernel" >&2 && echo "build/$(tree_release "$kernel")/$1"
	fi
}

[ $# -gt 0 ] || set -- tools kmod
for tree; do
	check "$tree, by includes" < <(includes "$tree")
	built=$(built_of "$tree" 2>/dev/null) || { echo "$tree: cannot build it" >&2; exit 1; }
	check "$built" < <(links "$tree" "$built")
	[ "$tree" != kmod ] || undeclared "$tree" "$built" || status=1
done
exit $status
