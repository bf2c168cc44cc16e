#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that Documentation/kernel-interfaces.md has all that the module takes from the kernel,
# with users and a reason, and nothing else. See interfaces.py.
#
# The modules are those of the kernels that tests boot. The main kernel's module is built if
# it is missing. What only a missing module takes looks stale. So the lint looks for stale
# lines only if no module is missing, as in make check.

set -u

. "$(dirname "$0")/../sources.sh"

releases=() missing=()
for kernel in $TPROF_VM_KERNELS; do
	release=$(kernel_release "$kernel") || exit
	if [ "$kernel" != "$TPROF_MAIN_KERNEL" ] && [ ! -e "build/$release/tprof-lx.ko" ]; then
		missing+=("$kernel")
		continue
	fi
	scripts/module.sh "$(kernel_tree "$kernel")" || exit
	releases+=("$release")
done
[ ${#missing[@]} -eq 0 ] ||
	say "stale lines are not looked for: the module is not built for ${missing[*]}"

list=$(mktemp)
trap 'rm "$list"' EXIT
for release in "${releases[@]}"; do
	scripts/interfaces.sh "$release" >>"$list" || exit
done
scripts/lint/interfaces.py ${missing[0]:+--partial} Documentation/kernel-interfaces.md <"$list"
