#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that files of kmod/ and tools/ include only headers of directories that they may
# use, as in Documentation/design.md. A line of the tables below has a directory, and the
# directories that its files may use besides their own. These must be below it in the
# table, so that no two directories depend on each other. Files directly in kmod/ and
# tools/ may use all.

set -u

. "$(dirname "$0")/../sources.sh"

kmod_rooms()
{
	cat <<-END
	dev      session rights tables stream pmu base
	session  target gate rights track sample chain tables stream pmu base
	target   gate rights base
	gate     rights sample stream pmu base
	rights   base
	track    sample chain tables stream base
	sample   chain tables stream pmu base
	chain    tables base
	tables   base
	stream   base
	x86      pmu base
	clock    pmu base
	soft     pmu base
	pmu      base
	base
	END
}

tools_rooms()
{
	cat <<-END
	record   session counts cli live unwind events code world symbols perfdata base
	stat     counts cli live events perfdata base
	top      annotate screen view counts session cli live events profile world symbols perfdata base
	report   annotate screen view cli profile world symbols perfdata base
	diff     html export cli code profile world symbols perfdata base
	merge    cli live world symbols perfdata base
	filter   cli profile world symbols perfdata base
	push     export cli profile symbols perfdata base
	html     annotate export cli live code profile world symbols perfdata base
	annotate view cli code profile world symbols perfdata base
	export   cli profile world symbols perfdata base
	script   cli world symbols perfdata base
	show     cli live events perfdata base
	tables   cli live unwind perfdata base
	doctor   cli live base
	screen   view cli base
	manual   cli
	counts   session cli live events perfdata base
	session  cli live walk unwind events symbols perfdata base
	cli      live events view profile symbols perfdata base
	view     profile world symbols perfdata base
	profile  world symbols perfdata base
	code     symbols perfdata base
	world    symbols perfdata base
	symbols  perfdata base
	walk     unwind perfdata base
	unwind   perfdata base
	live     perfdata base
	events   base
	perfdata base
	base
	END
}

# shellcheck disable=SC2016	# awk's own variables
check='
function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	failed = 1
}
NR == FNR {
	row[$1] = NR
	may[$1, $1] = 1
	for (i = 2; i <= NF; i++) {
		may[$1, $i] = 1
		used[$1] = used[$1] " " $i
	}
	next
}
FNR == 1 {
	if (!is_checked++)
		for (room in used) {
			n = split(used[room], rooms)
			for (i = 1; i <= n; i++)
				if (row[rooms[i]] <= row[room])
					complain("table: " room " uses " rooms[i] ", which is not below it")
		}
	n = split(FILENAME, path, "/")
	room = n == 2 ? "" : path[2]
	if (n > 3 || (n == 3 && !(room in row)))
		complain("this directory is not in the table of scripts/lint/layers.sh")
}
/^#[ \t]*include "/ {
	split($0, part, "\"")
	if (part[2] ~ outside)
		next
	if (split(part[2], path, "/") == 1) {
		if (!(FILENAME ~ "^[a-z]+/" part[2] "$"))
			complain("\"" part[2] "\" has no directory: include it as \"DIR/" part[2] "\"")
	} else if (!(path[1] in row)) {
		complain("\"" part[2] "\" is in a directory that is not in the table")
	} else if (room != "" && !((room, path[1]) in may)) {
		complain(room " may not use \"" part[2] "\"")
	}
}
END { exit failed }'

# Check TREE against the table on stdin. OUTSIDE matches headers of elsewhere.
check_tree()
{
	local tree=$1 outside=$2 sources

	mapfile -t sources < <(c_sources "$tree")
	awk -v outside="$outside" "$check" - "${sources[@]}"
}

# kernel.h and x86_kernel.h are headers of the unit tests, and of tools/walk, which compiles the
# module's walk. They replace the kernel's.
status=0
kmod_rooms | check_tree kmod '^(compat|kernel|x86_kernel)[.]h$' || status=1
tools_rooms | check_tree tools '^(kernel|chain/walk)[.]h$' || status=1
exit $status
