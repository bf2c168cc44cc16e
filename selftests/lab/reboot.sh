#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that no counter runs any more when the machine reboots, as it does for kexec. The
# guest reboots while an event runs, and the module tprof-lx-rogue logs the state of the
# counters after all other notifiers. Prints a line "ok" or "not ok".
#
# usage: reboot.sh KERNEL

set -u -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

release=$(kernel_release "$1")
console=$(mktemp)
trap 'rm -f "$console"' EXIT
# shellcheck disable=SC2016	# the guest's variables
"$TPROF_TOP/selftests/lab/lab.sh" -i -c2 -k "$1" -l "$console" intel-v4 -- bash -c '
	for module in tprof-lx selftests/modules/tprof-lx-rogue; do
		insmod "build/$0/$module.ko" || exit 1
	done
	tprof-lx stat -a -e instructions,branches -- sleep 1000 >/dev/null 2>&1 &
	for i in {1..100}; do
		tprof-lx control >/tmp/rows 2>/dev/null
		grep -q taken /tmp/rows && break
		sleep 0.1
	done
	grep -m 1 taken /tmp/rows
	echo 7 >/proc/sys/kernel/printk' "$release"
status=$?
[ $status -ne 4 ] || { echo "skip reboot/counters_stop  # no emulator here: make lab"; exit 0; }
lines=$(grep -o 'at reboot, CPU .*' "$console" | tr -d '\r')
if [ "$(wc -l <<<"$lines")" -eq 2 ] && ! grep -v 'counters 0x0 and fixed ones 0x0$' <<<"$lines"; then
	echo "ok reboot/counters_stop"
else
	echo "not ok reboot/counters_stop # ${lines:-the guest did not reboot}"
	exit 1
fi
