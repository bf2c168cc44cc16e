#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Use the command line and the module with different versions of the interface; larger.sh
# makes the newer version. Everything that needs no new field must work.

. "$(dirname "$0")/lib.sh"

readonly newer_tools=$TPROF_TOP/build/larger/tools
newer_module=$TPROF_TOP/build/$(uname -r)-larger/tprof-lx.ko
readonly newer_module

for file in "$newer_tools/tprof-lx" "$newer_module"; do
	[ -e "$file" ] || skip "$file was not built"
done

# Run each command that uses the module.
all_commands_work()
{
	must tprof-lx info --json
	jq -e '.backends | length > 1' out >json || { cat out; fail "no back ends"; }
	must tprof-lx list nmi
	must tprof-lx control -C 0
	must tprof-lx doctor --json
	must tprof-lx record -q -g -e nmi -o "$1.data" -- "$hotcold" 1
	must tprof-lx report --stdio -i "$1.data" -S hot
	grep -q hot out || { cat out; fail "hot is not in the report"; }
	must tprof-lx stat -e tsc -- true
	grep -q '[1-9][0-9]* *tsc' out || { cat out; fail "nothing counted"; }
}

test_newer_tools_with_older_module()
{
	PATH=$newer_tools:$PATH
	all_commands_work newer
}

test_older_tools_with_newer_module()
{
	rmmod tprof-lx-burn tprof-lx-fake tprof-lx || fail "cannot unload"
	# Restore the modules for the tests that follow.
	# shellcheck disable=SC2064	# expand $dir now
	trap "rmmod tprof-lx; load_modules tprof-lx tprof-lx-fake tprof-lx-burn
		cd /; rm -rf '$dir'" EXIT
	expect_load
	insmod "$newer_module" || fail "cannot load the newer module"
	all_commands_work older
}

main "$1"
