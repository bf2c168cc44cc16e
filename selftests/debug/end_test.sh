#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run on a debug kernel after all other tests. First check that no memory was leaked
# and that lockdep is still enabled; this unloads the modules. Then provoke bugs, to
# show that the kernel would have reported them.

. "$(dirname "$0")/../e2e/lib.sh"

readonly leaks=/sys/kernel/debug/kmemleak

# Write the leaks of our modules to the file "found". kmemleak reports only objects
# older than five seconds. It may report an object to which only registers of an idle
# task point, but not in two scans, so scan twice.
scan()
{
	sleep 6
	echo scan >$leaks
	echo scan >$leaks
	# Addresses of an unloaded module have no symbols: match their first digits.
	awk '/^unreferenced/ { if (ours) printf "%s", text; text = ""; ours = 0 }
	     { text = text $0 "\n" }
	     /\[tprof_lx|^    0xf/ { ours = 1 }
	     # The kernel allocates these objects; the module holds references to them.
	     / (alloc_empty_file|copy_process|dup_mm|mm_alloc|alloc_pid)\+/ { ours = 1 }
	     END { if (ours) printf "%s", text }' $leaks >found
}

test_leaks()
{
	[ -e $leaks ] || skip "this kernel does not look for leaks"
	scan
	[ ! -s found ] || { cat found; fail "leaks of the modules"; }
	rmmod tprof_lx_burn tprof_lx_fake tprof_lx || fail "rmmod"
	scan
	[ ! -s found ] || { cat found; fail "leaks behind the modules"; }
}

# lockdep disables itself after its first report, whichever code caused it.
test_locks()
{
	[ -e /proc/lockdep_stats ] || skip "this kernel does not prove locks"
	grep -q '^ debug_locks: *1' /proc/lockdep_stats || fail "lockdep gave up"
}

# Provoke the bug $1. If $2 is given, the kernel must log a line that matches it. The
# bug lost-reference needs open files.
make_mistake()
{
	echo "# expect-trouble"
	echo "mistake: $1" >/dev/kmsg
	insmod "$TPROF_MODULES/tprof-lx-mistake.ko" kind="$1" \
		10</dev/null 11</dev/null 12</dev/null 13</dev/null 14</dev/null ||
		fail "insmod"
	rmmod tprof_lx_mistake
	dmesg | sed "1,/mistake: $1/d" >said
	[ -z "${2:-}" ] || grep -q "$2" said || { cat said; fail "not found: $1"; }
}

# Skip unless this is the kernel with KASAN: only that one has kmemleak.
need_kasan()
{
	[ -e $leaks ] || skip "the other kernel finds that"
}

test_finds_wrong_order_of_locks()
{
	need_kasan
	make_mistake locks 'possible circular locking'
}

test_finds_sleep()
{
	need_kasan
	make_mistake sleep 'BUG: sleeping function called'
}

test_finds_leak()
{
	need_kasan
	make_mistake leak
	scan
	[ -s found ] || { cat $leaks; fail "not found"; }
}

test_finds_lost_reference()
{
	need_kasan
	make_mistake lost-reference
	scan
	grep -q alloc_empty_file found || { cat $leaks; fail "not found"; }
}

test_finds_use_after_free()
{
	need_kasan
	make_mistake use-after-free 'BUG: KASAN: .*use-after-free'
}

test_finds_race()
{
	[ -e /sys/kernel/debug/kcsan ] || skip "the other kernel finds that"
	make_mistake race 'BUG: KCSAN: data-race in .*tprof_lx_mistake'
}

# Lockdown cannot be undone, so this test is the last.
test_lockdown()
{
	local state=/sys/kernel/security/lockdown

	[ -e $state ] || mount -t securityfs securityfs /sys/kernel/security
	[ -e $state ] || skip "this kernel knows no lockdown"
	echo "# expect-dmesg: Lockdown"
	expect_load
	[ -e /sys/module/tprof_lx ] || insmod "$TPROF_MODULES/tprof-lx.ko" || fail "insmod"
	echo integrity >$state
	must tprof-lx record -q -a -- true
	echo confidentiality >$state
	must_fail 1 "locked down" tprof-lx record -a -- true
}

main "$1"
