#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of chains.sh that runs in the guest: record programs with unwind tables.
#
# usage: chains_guest.sh DIR RUNS PROGRAM...
#
# Each program is recorded once with the tables in DIR/cache, and RUNS times with an empty cache.
# The recordings are DIR/PROGRAM-cached.data and DIR/PROGRAM-empty-N.data.

set -u -o pipefail

readonly dir=$1 runs=$2
. "$(dirname "$0")/chains_work.sh"
shift 2

# Record $program with the cache $1. The result is $dir/$program-$2.data.
record()
{
	mkdir -p "$1"
	set_work "$program"
	if XDG_CACHE_HOME=$1 tprof-lx record -g -e nmi -F 200 --all-user -m 4M \
		-o /tmp/chains.data -- "${work[@]}" >/dev/null 2>/tmp/said; then
		cp /tmp/chains.data "$dir/$program-$2.data"
	fi
	sed "s/^/$program-$2: /" /tmp/said
}

mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
echo 10000000000 >/sys/kernel/debug/x86/nmi_longest_ns
insmod "build/$(uname -r)/tprof-lx.ko" || exit
export PATH=$PWD/build/tools:$PATH
for program; do
	record "$dir/cache" cached
	for run in $(seq "$runs"); do
		record "/tmp/cache-$program-$run" "empty-$run"
	done
done
