#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The formats of `export`, read by the programs that they are for.

. "$(dirname "$0")/lib.sh"

workloads=$(realpath "$(dirname "$0")/../workloads")

compile()
{
	clang -O2 -g -w -I"$workloads" "$@" "$workloads/hotcold.c" || fail "clang"
}

# Clang inlines hot(), which takes 75 percent of the time, and cold() into main(). Were the loop
# of cold() unrolled 8 times, each of its few samples would count 8 times.
test_clang_optimises_by_the_profile()
{
	command -v clang >/dev/null || skip "no clang"
	compile -fdebug-info-for-profiling -fno-unroll-loops -o hotcold
	tprof-lx record -q -- ./hotcold 1 >/dev/null || fail "record"
	tprof-lx export autofdo --dso hotcold -o profile || fail "export"
	awk -F: '
		/^main:/ { main = $2 }
		/: hot:/ { hot = $3 }
		/: cold:/ { cold = $3 }
		END { exit !(hot > 2 * cold && hot + cold > 0.8 * main) }
	' profile || { cat profile; fail "hot() has not most of the weight"; }
	compile -S -emit-llvm -fprofile-sample-use=profile -o optimised
	grep -q '"branch_weights", i32 [1-9]' optimised || fail "clang did not use the profile"
}

main "$@"
