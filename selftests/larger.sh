#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The interface as a later version may have it: what is in a struct of an ioctl stays
# where it is, and there is more behind it. Who is built with that talks to who is not
# in e2e/abi_test.sh.
#
# usage: larger.sh DIR	a copy of the tree's sources, whose files are replaced

set -eu

dir=$1
mkdir -p "$dir"

# Replace FILE by what awk or sed makes of the project's own, as old as that is: make
# has nothing to do when it was not changed.
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

# A ledger is inside of other structs, and a chain is a record: these cannot grow.
# shellcheck disable=SC2016	# it is awk's
replace include/uapi/linux/tprof_lx.h awk '
	/^struct tprof_lx_/ { grows = !/_(ledger|chain) \{$/ }
	/^};$/ && grows { print "\t__u64\tlarger[2];" }
	/^};$/ { grows = 0 }
	/^#define TPROF_LX_ABI_VERSION/ { $0 = $1 " " $2 " " $3 + 1 }
	{ print }'

# Sizes of the version that there is.
if [ -d "$dir/kmod" ]; then
	for file in kmod/dev/device_session.c kmod/dev/device_count.c; do
		replace "$file" sed '/^static_assert(sizeof(struct tprof_lx_/d'
	done
fi
