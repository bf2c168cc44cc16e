#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The layers of kmod/, as Documentation/design.md draws them: a file includes
# headers of its own row and of the rows below. The one exception is pmu.h, the
# contract that a back end fulfils for the registry above it.

set -u

. "$(dirname "$0")/../sources.sh"

layers()
{
	cat <<-END
	main
	device device_session device_count
	device_copy
	session session_config session_count session_report session_list
	event attr target track track_list track_mmap track_module track_chain mapping buildid
	cpu
	sample sideband
	later
	unwind snapshot flush pass lane reader pmu
	clock pmu_nmi pmu_timer pmu_tsc pmu_x86
	x86_run
	x86_host
	x86_selftest pmu_intel pmu_amd
	x86_cpu x86_rows nmi
	x86_select x86_counter x86_msr x86_fault
	x86_constraints
	x86_caps
	x86_regs x86_kernel
	ring ring_types fifo mirror stats late
	params tracepoints elfnote kernel compat gfp
	END
}

# shellcheck disable=SC2016	# awk's own variables
check='
NR == FNR {
	for (i = 1; i <= NF; i++)
		row[$i] = NR
	next
}
FNR == 1 {
	file = FILENAME
	sub(/.*\//, "", file)
	sub(/\.[ch]$/, "", file)
	if (!(file in row)) {
		print FILENAME ": in no layer (see scripts/lint/layers.sh)"
		failed = 1
	}
}
/^#[ \t]*include "/ {
	split($0, part, "\"")
	header = part[2]
	sub(/\.h$/, "", header)
	if (!(header in row)) {
		printf "%s:%d: \"%s\" is in no layer\n", FILENAME, FNR, part[2]
		failed = 1
	} else if (row[header] < row[file] && header != "pmu") {
		printf "%s:%d: \"%s\" is above it\n", FILENAME, FNR, part[2]
		failed = 1
	}
}
END { exit failed }'

mapfile -t sources < <(c_sources kmod)
layers | awk "$check" - "${sources[@]}"
