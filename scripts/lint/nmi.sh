#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the code that can run in an NMI: its stack is bounded, and it calls only
# functions that are safe in an NMI. See nmi.py.

set -u

. "$(dirname "$0")/../sources.sh"

tree=$(kernel_tree "$TPROF_MAIN_KERNEL")
"$TPROF_TOP/scripts/module.sh" "$tree" || exit
# Skip call graphs of sources that no longer exist.
cd "$TPROF_TOP/build/$(tree_release "$tree")/kmod" || exit
graphs=()
for graph in *.ci */*.ci; do
	[ ! -e "${graph%.ci}.c" ] || graphs+=("$graph")
done
"$TPROF_TOP/scripts/lint/nmi.py" "${graphs[@]}"
