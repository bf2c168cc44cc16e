#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Try the module on the newest kernel of any release of Debian, before users do: unpack it,
# build the module with its headers, boot it in a guest and run a few tests. Print what has
# changed since the main kernel: interfaces that are gone, the first error, warnings, and
# tests that fail. The exit status is 0 if the module builds without warnings and all
# tests pass.
#
# Logs are in build/logs/newest-*. To support the kernel, add it to kernels.sh and dkms.conf.
#
# usage: check-newest.sh [RELEASE]	(7.3.4+deb13-amd64; by default, the newest)

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/kernels.sh"
cd "$TPROF_TOP"

readonly FULL=''	# for plan.sh
. scripts/check/plan.sh

readonly logs=$TPROF_TOP/build/logs
readonly limit=1800	# seconds of the guest

# Print the name and all lines of stdin, if there are any. Return false if there are.
none()
{
	local lines

	lines=$(cat)
	[ -n "$lines" ] || return 0
	echo "$1:"
	echo "  ${lines//$'\n'/$'\n  '}"
	return 1
}

# Unpack kernel $1 and its headers.
unpack()
{
	unpack_headers "$1"
	unpack_image "$1"
	echo "$1" >"$TPROF_KERNELS/newest"
}

# Print what the module imports from the main kernel and what tree $1 does not export, or exports
# to other modules only. Not all of that is an error: the headers of another kernel may use
# other symbols.
not_exported()
{
	scripts/interfaces.sh "$main" | sed -n 's/^symbol //p' | awk -F'\t' '
		FNR == NR { others[$2] = $5; is_exported[$2] = 1; next }
		{ name = $0; sub(/ .*/, "", name) }
		!(name in is_exported) { print }
		others[name] { print $0 " (only for " others[name] ")" }
	' "$1/Module.symvers" -
}

# Print the names in /proc/kallsyms of the tracepoints and functions that the module probes.
probed()
{
	scripts/interfaces.sh "$main" | sed -nE 's/^kprobe ([^ ]*).*/\1/p
		s/^tracepoint ([^ ]*).*/__tracepoint_\1/p'
}

# Build the module for tree $2 of kernel $1, and what its tests need. Print the first error, or
# all warnings.
build()
{
	local log=$logs/newest-build.log

	rm -rf "build/$1"	# or what has been compiled before would show no warnings
	if ! scripts/module.sh --selftests "$2" >"$log" 2>&1; then
		scripts/dkms-build.sh --explain <"$log"
		grep -m 1 -A 3 -E 'error: |ERROR: |\*\*\* ' "$log"
		die "the module cannot be built for $1 (log: $log)"
	fi
	sed -n '/warning: /p; /WARNING: /p' "$log" | none "warnings" || has_warnings=yes
	echo "the module is built"
}

# Run the tests in mode $2 of the lab on kernel $1, after a line "gone NAME" for each name that
# the module probes and that the kernel does not have. Return the status of lab.sh.
run_tests()
{
	local release=$1 mode=$2 find run tests

	read -ra tests <<<"$(tests_of quick)"
	# shellcheck disable=SC2016	# variables of awk
	find='{ tr " " "\n" <<<"$0"; cat /proc/kallsyms; } | awk '\''
		NF == 1 { is_wanted[$1] = 1; next }
		{ delete is_wanted[$3] }
		END { for (name in is_wanted) print "gone", name }'\'
	run='exec bash selftests/run.sh "$@"'
	selftests/lab/lab.sh -k newest -t "$limit" -l "$logs/newest-console.log" "$mode" -- \
		bash -c "$find; $run" "$(probed | xargs)" --kver "$release" --build "build/$release" \
		--results /tmp/results "${tests[@]}" \
		>"$logs/newest-tests.log" 2>"$logs/newest-tests.err"
}

# Run the tests, without a PMU if there is no emulator with one. Print what is gone, and the
# tests that fail.
test_module()
{
	local status=0 log=$logs/newest-tests.log

	make --no-print-directory -s tools selftests >"$logs/newest-programs.log" 2>&1 ||
		{ tail -n 20 "$logs/newest-programs.log"; return 1; }
	run_tests "$1" intel-v4 || status=$?
	[ $status -ne 4 ] || { status=0; run_tests "$1" stock || status=$?; }
	sed -n 's/^gone //p' "$log" | none "not in the kernel, but probed" || true
	sed -n '/^not ok /p' "$log" | none "failed tests" || true
	[ $status -eq 0 ] || tail -n 5 "$logs/newest-tests.err"
	echo "tests: $(grep -c '^ok ' "$log") passed, $(grep -c '^not ok ' "$log") failed," \
		"$(grep -c '^skip ' "$log") skipped (log: $log)"
	return $status
}

mkdir -p "$logs"
has_warnings=''
[ $# -gt 0 ] || update_suites
release=${1:-$(newest_release '[0-9][^-]*-amd64')}
main=$(kernel_release "$TPROF_MAIN_KERNEL")
echo "kernel: $release (the main kernel of the tests: $main)"
unpack "$release"
tree=$(kernel_tree newest)
scripts/module.sh "$(kernel_tree "$TPROF_MAIN_KERNEL")" >"$logs/newest-main.log" 2>&1 ||
	die "the module cannot be built for $main: see $logs/newest-main.log"
not_exported "$tree" | none "not exported, but imported on $main" || true
build "$release" "$tree"
test_module "$release" || die "tests of the module fail on $release"
[ -z "$has_warnings" ]
