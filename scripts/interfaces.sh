#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# List what the module takes from the kernel, one interface per line:
#
#	symbol NAME DIRECTORY...	imported by tprof-lx.ko; the directories of kmod/, or main
#	tracepoint NAME DIRECTORY...	found by name when it is needed
#	kprobe NAME DIRECTORY...	a function with a kprobe
#
# Symbols are those of the module that module.sh has built for a kernel. They depend on the
# kernel, its configuration and the compiler.
#
# usage: interfaces.sh RELEASE

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

# Print a line "NAME DIRECTORY" for each symbol that an object of the module imports from the
# kernel, not from another object. Objects that kbuild adds have no directory.
imported()
{
	local objects

	mapfile -t objects < <(sed 's|.*/kmod/|kmod/|' tprof-lx.mod)
	{
		nm -u tprof-lx.ko | sed 's/^ *[Uw] //'
		nm -A -u "${objects[@]}" |
			sed -nE 's|^kmod/([a-z0-9]+)(/[^/]*)?\.o: +[Uw] (.*)|\3 \1|p'
	} | awk 'NF == 1 { is_imported[$1] = 1; print } is_imported[$1]'
}

# Change matches in files of the module that grep prints, as FILE:MATCH, to lines "NAME
# DIRECTORY". The name ends the match.
named()
{
	sed -nE 's|^kmod/([^/]*)/.*[^a-z0-9_]([a-z0-9_]+)"?$|\2 \1|p'
}

# Print the names of tracepoints: the strings of one word in files that look them up.
tracepoints()
{
	local files

	mapfile -t files < <(grep -rl '#include "base/tracepoints.h"' kmod --include='*.c')
	grep -HoE '^[^#]*"[a-z0-9_]+"' "${files[@]}" | grep -v '\.symbol_name' | named
}

# Print one line of kind $1 for each name in the lines "NAME DIRECTORY" on stdin.
list()
{
	sort -u | awk -v kind="$1" '
		$1 != name { if (name) print kind, name places; name = $1; places = "" }
		NF > 1 { places = places " " $2 }
		END { if (name) print kind, name places }'
}

[ $# -eq 1 ] || die "usage: interfaces.sh RELEASE"
cd "$TPROF_TOP/build/$1" || die "the module is not built for $1: run 'make modules KDIR=...'"
imported | list symbol
cd "$TPROF_TOP"
tracepoints | list tracepoint
grep -rHoE '\.symbol_name = "[a-z0-9_]+"' kmod --include='*.c' | named | list kprobe
