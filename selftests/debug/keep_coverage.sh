#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# In a guest with CONFIG_GCOV_KERNEL, send the counts of executed lines of our modules
# to lab.sh -g, over the fourth serial line. tar needs the size of a file, which is 0
# in debugfs, so copy the files first.

set -eu

readonly from=/sys/kernel/debug/gcov out=/dev/ttyS3

[ -d $from ] || exit 0
to=$(mktemp -d)
cd $from
find . -path '*/kmod/*.gcda' | while read -r file; do
	cat "$file" >"$to/${file##*/}"
done
stty -F $out raw -echo
tar -c -C "$to" . >$out
