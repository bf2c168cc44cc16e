#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What can run in an NMI: how much stack it takes, and that all it calls is fit
# for it. See nmi.py.

set -u

. "$(dirname "$0")/../sources.sh"

tree=$TPROF_KERNELS/lib/modules/$(kernel_release 6.12)/build
"$TPROF_TOP/scripts/module.sh" --calls "$tree" || exit
# Those of sources that there are.
cd "$TPROF_TOP/build/$(tree_release "$tree")-calls/kmod" || exit
graphs=()
for graph in *.ci */*.ci; do
	[ ! -e "${graph%.ci}.c" ] || graphs+=("$graph")
done
"$TPROF_TOP/scripts/lint/nmi.py" "${graphs[@]}"
