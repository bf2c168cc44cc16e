#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the CPU time and memory that `tprof-lx annotate` and `perf annotate` need to print the
# functions of libLLVM that have samples, while clang compiles files of this tree. Print the
# figures; no figure makes the script fail. perf needs some minutes.
#
# usage: annotate.sh [RUNS]	default: 1 run

set -eu -o pipefail

cd "$(dirname "$0")/../.."
. scripts/lib.sh
. selftests/bench/beside_perf.sh

# shellcheck disable=SC2034	# used by beside_perf.sh
readonly runs=${1:-1}
dir=$(mktemp -d)
readonly dir file=$dir/clang.data
trap 'rm -rf "$dir"' EXIT

compile()
{
	local source

	for source in tools/profile/*.c tools/perfdata/*.c; do
		clang -O2 -g -std=gnu11 -D_GNU_SOURCE -DTPROF_LX_VERSION='"0"' -Itools \
			-Iinclude/uapi -c -o "$dir/object" "$source"
	done
}

# Print the name of the library libLLVM, which has its version.
llvm_library()
{
	build/tools/tprof-lx report --stdio -s dso -i "$file" | awk '/libLLVM/ { print $NF; exit }'
}

# Print how many functions of library $1 have samples, and how many bytes they have.
size()
{
	build/tools/tprof-lx annotate --json --percent-limit 0 --dso "$1" -i "$file" 2>/dev/null |
		python3 -c '
import json, sys
functions = json.load(sys.stdin)["functions"]
print(len(functions), "functions,", sum(each["length"] for each in functions), "bytes")'
}

have_perf
command -v clang >/dev/null || die "there is no clang to record: apt install clang"
make -s tools
export dir
export -f compile
perf record -q -e cpu-clock -F 5000 -o "$file" bash -c compile
library=$(llvm_library)
[ -n "$library" ] || die "clang does not use libLLVM here"
echo "$library: $(size "$library")"
echo
print_header
compare "annotate" "perf annotate --stdio -d $library -i $file" \
	"build/tools/tprof-lx annotate --stdio --percent-limit 0 --dso $library -i $file"
