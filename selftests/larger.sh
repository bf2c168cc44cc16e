#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a possible later version of the interface: each struct of an ioctl keeps its
# fields and gets more at its end. For e2e/abi_test.sh, one side is built with it and
# the other is not.
#
# usage: larger.sh DIR	a copy of the tree's sources, in which files are replaced

set -eu

dir=$1
mkdir -p "$dir"

# Replace FILE in DIR by the output of awk or sed on the tree's FILE. The result gets
# the time stamp of the tree's FILE, so that make rebuilds only after a change.
replace()
{
	local file=$1 from

	from=$(readlink -f "$(dirname "$0")/../$file")
	shift
	mkdir -p "$(dirname "$dir/$file")"
	rm -f "$dir/$file"
	"$@" "$from" >"$dir/$file"
	touch -r "$from" "$dir/$file"
}

# Two structs cannot grow: struct tprof_lx_ledger is part of other structs, and struct
# tprof_lx_chain is a record.
# shellcheck disable=SC2016	# it is awk's
replace include/uapi/linux/tprof_lx.h awk '
	/^struct tprof_lx_/ { grows = !/_(ledger|chain) \{$/ }
	/^};$/ && grows { print "\t__u64\tlarger[2];" }
	/^};$/ { grows = 0 }
	/^#define TPROF_LX_ABI_VERSION/ { $0 = $1 " " $2 " " $3 + 1 }
	{ print }'

# Drop the assertions on the sizes of the present version.
if [ -d "$dir/kmod" ]; then
	for file in kmod/dev/device_session.c kmod/dev/device_count.c; do
		replace "$file" sed '/^static_assert(sizeof(struct tprof_lx_/d'
	done
fi
