#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check what can run in an NMI: how much stack it takes, and that every function
# that it calls is safe there. See nmi.py.

set -u

. "$(dirname "$0")/../sources.sh"

tree=$TPROF_KERNELS/lib/modules/$(kernel_release 6.12)/build
"$TPROF_TOP/scripts/module.sh" --calls "$tree" || exit
# Only the graphs of sources that still exist.
cd "$TPROF_TOP/build/$(tree_release "$tree")-calls/kmod" || exit
graphs=()
for graph in *.ci */*.ci; do
	[ ! -e "${graph%.ci}.c" ] || graphs+=("$graph")
done
"$TPROF_TOP/scripts/lint/nmi.py" "${graphs[@]}"
