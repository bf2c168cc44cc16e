#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which lines of the module ran in some guests: a line for each file, and one for
# all of them. What each guest knows is a FILE that lab.sh -g has written.
#
# usage: coverage.sh [-v] [-m PERCENT] RELEASE FILE...
#	 -v  name the lines that did not run
#	 -m  fail if fewer than so many percent did

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

options=()
while getopts vm: option; do
	case $option in
	v) options+=(--missed) ;;
	m) options+=(--least "$OPTARG") ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || die "usage: coverage.sh [-v] [-m PERCENT] RELEASE FILE..."
objects=$TPROF_TOP/build/$1/kmod
[ -d "$objects" ] || die "no module for $1 in build/"
shift

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for file; do
	mkdir "$dir/one"
	tar -x -C "$dir/one" -f "$file" 2>/dev/null || true
	[ -n "$(ls "$dir/one")" ] ||
		die "$file: of a guest that did not end, or was not asked"
	if [ -e "$dir/all" ]; then
		gcov-tool merge "$dir/all" "$dir/one" -o "$dir/sum" >/dev/null
		rm -rf "$dir/all" "$dir/one"
		mv "$dir/sum" "$dir/all"
	else
		mv "$dir/one" "$dir/all"
	fi
done
for counts in "$dir"/all/*.gcda; do
	cp "$objects"/*/"$(basename "$counts" .gcda).gcno" "$dir/all/"
done
cd "$TPROF_KERNELS"
gcov --json-format --stdout "$dir"/all/*.gcda >"$dir/lines" 2>"$dir/errors" ||
	die "gcov: $(tail -n 1 "$dir/errors")"
# gcov passes over what another build of the module ran, and succeeds.
! grep mismatch "$dir/errors" >&2 || die "that ran another build of the module"
"$TPROF_TOP/scripts/coverage.py" ${options[@]+"${options[@]}"} <"$dir/lines"
