#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Keep the kernel of an emulated guest from patching its own code at the tracepoints and
# kprobes that the module uses.
#
# QEMU's multi-threaded TCG can lose a write to code that another CPU is translating
# (often in 7.2, still in 10.0). That CPU then executes the old code, and hits the int3
# of a patch that was completed long ago. The symptom is "Oops: int3" in __schedule(). A
# shell loop that enables and disables the event sched_switch in tracefs triggers it
# within ten seconds, without any module.
#
# The kernel patches
# - a tracepoint, when its first or second probe is added or removed;
# - an address, when its first kprobe is added or its last one is removed;
# - the scheduler's call of perf, when perf's first task event is opened, or one
#   second after the last one is closed;
# - the scheduler and the page fault handler, when perf's first event of a kind of
#   context switches, migrations or faults is opened or the last one is closed;
# - the allocator of slabs and pages, when the first memory cgroup is created, and
#   the network, when the last one is removed too.
# So hold two probes of each tracepoint, one kprobe, one task event of each kind and one
# memory cgroup. After that, adding and removing more of them patches nothing. While this
# script sets them up, only CPU 0 is online, so that no other CPU translates code.
#
# usage: tcg.sh [--emulated]
#
# Without --emulated, do this only if /proc/cpuinfo shows QEMU's emulation.

set -eu

readonly tracing=/sys/kernel/tracing
# The tracepoints of which the module, its tests and perf use probes, and the functions on
# which the module has a kprobe.
readonly events="sched/sched_switch sched/sched_process_fork
		 sched/sched_process_exec sched/sched_process_exit
		 task/task_rename sched/sched_migrate_task lock/contention_begin
		 sched/sched_waking
		 exceptions/page_fault_user exceptions/page_fault_kernel"
readonly functions="perf_event_mmap update_process_times commit_creds"
readonly kinds=context-switches,cpu-migrations,page-faults,minor-faults,major-faults

[ "${1:-}" = --emulated ] || grep -q '^model name.*QEMU TCG' /proc/cpuinfo || exit 0

# Bring the other CPUs online ($1 is 1) or offline (0).
other_cpus()
{
	local online

	for online in /sys/devices/system/cpu/cpu[1-9]*/online; do
		[ ! -e "$online" ] || echo "$1" >"$online"
	done
}

hold_probes()
{
	local instance event function

	grep -q " $tracing " /proc/mounts || mount -t tracefs tracefs $tracing
	for instance in hold1 hold2; do
		mkdir $tracing/instances/$instance
		echo 0 >$tracing/instances/$instance/tracing_on
		for event in $events; do
			echo 1 >"$tracing/instances/$instance/events/$event/enable"
		done
	done
	echo 0 >$tracing/tracing_on
	for function in $functions; do
		echo "p:hold/$function $function" >>$tracing/kprobe_events
		echo 1 >$tracing/events/hold/"$function"/enable
	done
}

# Print how many events process $1 has open.
nr_events()
{
	local fd nr=0

	for fd in /proc/"$1"/fd/*; do
		case $(readlink "$fd") in
		*perf_event*) nr=$((nr + 1)) ;;
		esac
	done
	echo $nr
}

# Keep task events of perf open. Wait until perf has opened them.
hold_events_of_perf()
{
	local perf

	command -v perf >/dev/null || return 0
	perf stat -e "$kinds" -o /dev/null -- sleep 1000000 >/dev/null 2>&1 </dev/null &
	perf=$!
	for _ in $(seq 300); do
		[ "$(nr_events $perf)" -lt "$(tr , '\n' <<<"$kinds" | wc -l)" ] || return 0
		sleep 0.1
	done
	echo "tcg.sh: perf does not open its events" >&2
	return 1
}

# The cgroup stays after the unmount. A kernel without the memory controller of cgroup2
# has nothing to hold.
hold_memory_cgroup()
{
	local root

	root=$(mktemp -d)
	mount -t cgroup2 none "$root" || return 0
	if grep -qw memory "$root/cgroup.controllers"; then
		echo +memory >"$root/cgroup.subtree_control"
		mkdir "$root/hold"
	fi
	umount "$root"
	rmdir "$root"
}

other_cpus 0
hold_probes
hold_events_of_perf
hold_memory_cgroup
other_cpus 1
