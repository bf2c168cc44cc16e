# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Boot a guest, stop it and return the status of its command. Sourced by vm.sh, lab.sh
# and others. The sourcing script defines
#
#   boot            function: boot the guest, set vm to its pid, call await_guest
#   has_begun       function: succeed if the command in the guest has begun
#   command_status  function: print the command's exit status if it has ended
#   guest           the name of the guest, for messages
#   limit, console, run   the time limit in seconds, the console's log file, and a
#                   private directory
#
# If the guest dies before the command ends, the status is 125 and the end of the
# console log is shown. After a time-out, the status is 124.

# How to emulate a kernel and its programs in a third less CPU time.
# - norandmaps: QEMU can reuse translated code of programs at fixed addresses.
# - mitigations=off: page tables that change at each system call, and indirect jumps
#   through thunks, take long. Guests with one CPU keep them, to test with them, too.
# - init_on_alloc=0, and no erms and fsrm: QEMU executes string instructions byte by byte.
# - The initcalls only test ciphers.
# If IPIs may be broadcast, the kernel patches the code that sends them when a CPU comes
# online: see tcg.sh. QEMU 7.2 saves wrong flags if an interrupt arrives right after
# cmpxchg16b, which every kmalloc() uses, so there is no cx16.
# shellcheck disable=SC2034	# used by the sourcing script
readonly FAST_CPU=-cx16,-erms,-fsrm
FAST_KERNEL="norandmaps no_ipi_broadcast=1 mitigations=off init_on_alloc=0"
FAST_KERNEL+=" cryptomgr.notests initcall_blacklist=jent_mod_init,crypto_kdf108_init"
readonly FAST_KERNEL

# What the kernel of each guest gets. An oops must panic, and a panic must end the guest.
# Emulated CPUs use the host's TSC, which the kernel must not mark unstable when the host is
# busy. Neither must it test then whether the timer ticks: it panics if it sees no tick.
# shellcheck disable=SC2034	# used by the sourcing script
readonly GUEST_KERNEL="oops=panic panic=-1 tsc=reliable no_timer_check"

readonly DIED=125
readonly BOOT_LIMIT=${TPROF_BOOT_LIMIT:-480}	# seconds until the command begins, normally 10 to 60

vm='' vm_status=0 guest='' limit=0 console='' run=''

show_console()
{
	tail -n 40 "$console" | sed 's/^/console| /' >&2
}

# Wait until the guest ends. Kill it if the command has not begun after BOOT_LIMIT. $vm is
# timeout(1), which passes the signal on to QEMU.
# shellcheck disable=SC2317,SC2329	# called by boot()
await_guest()
{
	local deadline=$((SECONDS + BOOT_LIMIT))

	until has_begun || [ $SECONDS -ge $deadline ] || ! kill -0 "$vm" 2>/dev/null; do
		sleep 1
	done
	has_begun || kill "$vm" 2>/dev/null
	wait "$vm"
	vm_status=$?
	[ $SECONDS -lt $deadline ] || has_begun || vm_status=$DIED
	vm=
}

timed_out()
{
	[ "$vm_status" -eq 124 ] || [ "$vm_status" -eq 137 ]
}

# The bug in QEMU that tcg.sh describes can also occur at boot, when the kernel patches
# itself, and while tcg.sh runs. So boot again if the guest dies or hangs before the
# command begins.
boot_until_it_begins()
{
	local attempt

	for attempt in 1 2 3; do
		boot
		if has_begun || timed_out || [ "$attempt" -eq 3 ]; then
			return
		fi
		show_console
		say "$guest: did not come up, trying again" >&2
	done
}

verdict()
{
	local status

	status=$(command_status)
	[ -z "$status" ] || return "$status"
	show_console
	if timed_out; then
		say "$guest: still running after $limit s, ended in $(last_test)" >&2
		return 124
	fi
	say "$guest: the guest died in $(last_test)" >&2
	return $DIED
}

# Print the name of the last test that began: guard.c logs it to the console.
last_test()
{
	local name

	name=$(tr -d '\r' <"$console" | sed -n 's/.*selftest: //p' | tail -n 1)
	echo "${name:-the set-up of the tests}"
}

# $vm is timeout(1). It has a process group of its own, so Ctrl-C does not reach
# it. It kills QEMU when it gets a signal.
# shellcheck disable=SC2317	# called by the trap
cleanup()
{
	[ -z "$vm" ] || kill "$vm" 2>/dev/null
	rm -rf "$run"
}

run_guest()
{
	trap cleanup EXIT
	trap 'exit 130' INT TERM
	[ -n "$console" ] || console=$run/console
	boot_until_it_begins
	verdict
}
