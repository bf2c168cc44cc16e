#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print how many lines of the module were executed in one or more guests, for each source
# file and in total. Each FILE is the output of lab.sh -g for one guest.
#
# usage: coverage.sh [-v] [-m PERCENT] RELEASE FILE...
#	 -v  list the lines that were not executed
#	 -m  fail if fewer than PERCENT of all lines were executed

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
		die "$file: its guest did not end, or did not record lines"
	if [ -e "$dir/all" ]; then
		gcov-tool merge "$dir/all" "$dir/one" -o "$dir/sum" >/dev/null
		rm -rf "$dir/all" "$dir/one"
		mv "$dir/sum" "$dir/all"
	else
		mv "$dir/one" "$dir/all"
	fi
done
# gcov needs the *.gcno files, which are in kmod/ and below, beside the *.gcda files.
for counts in "$dir"/all/*.gcda; do
	find "$objects" -name "$(basename "$counts" .gcda).gcno" -exec cp -t "$dir/all/" {} +
done
cd "$TPROF_KERNELS"
gcov --json-format --stdout "$dir"/all/*.gcda >"$dir/lines" 2>"$dir/errors" ||
	die "gcov: $(tail -n 1 "$dir/errors")"
# If counts are from another build of the module, gcov skips them but does not fail.
! grep mismatch "$dir/errors" >&2 || die "the guests ran another build of the module"
"$TPROF_TOP/scripts/coverage.py" ${options[@]+"${options[@]}"} <"$dir/lines"
