#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a possible future version of the interface, in which each struct of an ioctl has
# more fields at its end. For e2e/abi_test.sh, either the command line or the module is
# built with it.
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

# Some structs must not grow: struct tprof_lx_ledger is a member of other structs, struct
# tprof_lx_chain is part of a record, and a table has arrays of rows and rules.
# shellcheck disable=SC2016	# awk's own variables
replace include/uapi/linux/tprof_lx.h awk '
	/^struct tprof_lx_/ { grows = !/_(ledger|chain|unwind_row|unwind_rule) \{$/ }
	/^};$/ && grows { print "\t__u64\tlarger[2];" }
	/^};$/ { grows = 0 }
	/^#define TPROF_LX_ABI_VERSION/ { $0 = $1 " " $2 " " $3 + 1 }
	{ print }'

# Delete the assertions on the sizes of structs in the current version.
if [ -d "$dir/kmod" ]; then
	for file in kmod/dev/device_session.c kmod/dev/device_count.c kmod/dev/device_target.c \
		    kmod/dev/device_table.c; do
		replace "$file" sed '/^static_assert(sizeof(struct tprof_lx_/d'
	done
fi
