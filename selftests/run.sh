#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the tests in the guest. The modules are loaded once. Each test runs under the
# guard (harness/guard.c), which limits its time and checks the kernel's log.
#
# Prints a line per test: ok|not ok|skip NAME # REASON. The exit status is 0 if none
# failed.

set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)

usage()
{
	cat <<-END
	usage: run.sh --kver RELEASE --build DIR --results DIR [NAME ...]

	  --kver RELEASE  the kernel that must be running
	  --build DIR     where tprof-lx.ko and selftests/modules/*.ko were built
	  --results DIR   directory for the list of results
	  --tests DIR     where the test programs were built (build/selftests)
	  --programs      only test programs, and no scripts (e2e/)
	  --seconds N     begin no test after N seconds
	  --without NAME  no test whose name contains NAME
	  NAME            only tests whose name contains one of these
	END
}

die()
{
	echo "run.sh: $*" >&2
	exit 2
}

parse()
{
	kver='' build='' results='' tests=$top/build/selftests programs='' without=()
	seconds=''
	while [ $# -gt 0 ]; do
		case $1 in
		--kver) kver=$2; shift ;;
		--build) build=$(readlink -f "$2"); shift ;;
		--results) results=$2; shift ;;
		--tests) tests=$(readlink -f "$2"); shift ;;
		--programs) programs=yes ;;
		--seconds) seconds=$2; shift ;;
		--without) without+=("$2"); shift ;;
		-h | --help) usage; exit 0 ;;
		-*) die "unknown option '$1'" ;;
		*) break ;;
		esac
		shift
	done
	names=("$@")
	if [ -z "$kver" ] || [ -z "$build" ] || [ -z "$results" ]; then
		die "--kver, --build and --results are needed (see -h)"
	fi
	[ "$(uname -r)" = "$kver" ] || die "this is $(uname -r), not $kver"
	[ -e "$build/tprof-lx.ko" ] || die "no tprof-lx.ko in $build"
}

# Print the directory of the perf of this kernel and a colon, if that perf was unpacked. The
# initramfs of a lab guest has it as /bin/perf.
own_perf()
{
	local dir

	# shellcheck disable=SC2016	# the variables of the inner shell
	dir=$(bash -c '. "$1" && perf_of "$2"' bash "$top/scripts/lib.sh" "$kver")/bin
	[ ! -x "$dir/perf" ] || echo "$dir:"
}

# Prepare the guest and load the modules. Copy programs and modules, since the guest reads
# files of the host slowly and does not cache them.
#
# Raise nmi_longest_ns, above which the kernel warns of a slow NMI handler: an emulated
# CPU may pause in the handler while the host runs something else.
prepare()
{
	echo -1000 >/proc/self/oom_score_adj	# see guard.c
	work=$(mktemp -d)
	mkdir -p "$results" "$work/modules" "$work/bin"
	: >"$results/results"
	: >"$results/results.times"
	cp "$build/tprof-lx.ko" "$build"/selftests/modules/*.ko "$work/modules/"
	cp -r "$tests" "$work/tests"
	cp "$top/build/tools/tprof-lx" "$work/bin/"
	tests=$work/tests
	export TPROF_MODULES=$work/modules
	export TPROF_TOP=$top TPROF_TESTS=$tests TPROF_WORK=$work
	PATH=$work/bin:$(own_perf)$PATH
	export PATH
	# The kernel kills a thread if it cannot write the thread's rseq area, which
	# happens when fuzz/ makes user copies fail.
	export GLIBC_TUNABLES=glibc.pthread.rseq=0

	[ -e /sys/kernel/debug/x86 ] ||
		mount -t debugfs debugfs /sys/kernel/debug
	echo 10000000000 >/sys/kernel/debug/x86/nmi_longest_ns
	echo 0 >/proc/sys/kernel/kptr_restrict
	echo 0 >/proc/sys/kernel/printk_ratelimit

	# From here on, each line of the kernel's log belongs to a test. The guard
	# logs a line for each test, so disable the rate limit of /dev/kmsg.
	echo on >/proc/sys/kernel/printk_devkmsg
	exec {TPROF_KMSG}<>/dev/kmsg
	export TPROF_KMSG
	"$tests/guard" --skip || die "cannot read the kernel's log"
	run_aside load/modules "$here/load.sh" tprof-lx tprof-lx-fake tprof-lx-burn
	[ -e /sys/module/tprof_lx_burn ] || die "cannot load the modules"
}

declare -A found	# found[NAME]: a test matches NAME, one of $names

wanted()
{
	local name status=1

	for name in ${without[@]+"${without[@]}"}; do
		[[ $1 != *"$name"* ]] || return 1
	done
	[ ${#names[@]} -gt 0 ] || return 0
	for name in "${names[@]}"; do
		if [[ $1 == *"$name"* ]]; then
			found[$name]=yes
			status=0
		fi
	done
	return $status
}

# Fail for each of $names that no test matches, e.g. after a test was renamed.
all_names_found()
{
	local name

	for name in ${names[@]+"${names[@]}"}; do
		[ -n "${found[$name]:-}" ] ||
			echo "not ok $name # no test has this name" | tee -a "$results/results"
	done
}

# Run one test: NAME COMMAND [ARGUMENT ...].
run()
{
	local status=0 start=$SECONDS

	"$tests/guard" "$1" "${TEST_SECONDS:-900}" "$results/results" "${@:2}" || status=$?
	echo "$((SECONDS - start)) s $1" >>"$work/times"
	[ $status -le 1 ] ||
		echo "not ok $1 # guard ended with status $status" | tee -a "$results/results"
}

# Run a command that is not a test: NAME COMMAND [ARGUMENT ...]. Print a result line only
# if it fails.
run_aside()
{
	"$tests/guard" "$1" "${TEST_SECONDS:-900}" "$work/aside" "${@:2}" >"$work/said" ||
		tee -a "$results/results" <"$work/said"
}

# Print the names of all tests of program $1, as its option -r takes them. The program
# prints the variants of a fixture in one column, and its tests in another.
list_tests()
{
	"$1" -l 2>&1 | awk '
		function flush_fixture(i, j) {
			for (i = 0; i < tests; i++) {
				if (!variants)
					print fixture "." test[i]
				for (j = 0; j < variants; j++)
					print fixture "." variant[j] "." test[i]
			}
			tests = variants = 0
		}
		function field(from, bytes, text) {
			text = substr($0, from, bytes)
			gsub(/ /, "", text)
			return text
		}
		/^# FIXTURE/ { next }
		/^----/ { flush_fixture(); next }
		{
			if (field(1, 20) != "")
				fixture = field(1, 20)
			if (field(22, 25) != "")
				variant[variants++] = field(22, 25)
			if (field(48, 200) != "")
				test[tests++] = field(48, 200)
		}
		END { flush_fixture() }'
}

is_late()
{
	[ -n "$seconds" ] && [ "$SECONDS" -ge "$seconds" ]
}

# Run the command $2... with each of the names in $list, the tests of $1. Skip those that are
# late.
run_list()
{
	local base=$1 test late=0

	for test in "${list[@]}"; do
		wanted "$base/$test" || continue
		if is_late; then
			late=$((late + 1))
		else
			run "$base/$test" "${@:2}" "$test"
		fi
	done
	[ $late -eq 0 ] ||
		echo "skip $base/ # $late tests: $seconds s have passed" |
		tee -a "$results/results"
}

run_programs()
{
	local program base list

	for program in "$tests"/*_test; do
		base=$(basename "$program" _test)
		mapfile -t list < <(list_tests "$program")
		[ ${#list[@]} -gt 0 ] || run "$base/has_tests" false
		run_list "$base" "$program" -r
	done
}

# Each function test_NAME() of a script is a test; the script gets NAME as its
# argument.
run_scripts()
{
	local script base list

	for script in "$here"/e2e/*_test.sh; do
		base=$(basename "$script" _test.sh)
		mapfile -t list < <(sed -n 's/^test_\(.*\)()$/\1/p' "$script")
		run_list "e2e/$base" "$script"
	done
}

# On a debug kernel, check what it has reported during the whole run.
run_last()
{
	local test

	[ -e /sys/kernel/debug/kmemleak ] || [ -e /sys/kernel/debug/kcsan ] || return 0
	# A KASAN report disables lockdep, so check locks before the tests that cause one.
	for test in leaks locks finds_wrong_order_of_locks finds_sleep \
		    finds_leak finds_lost_reference finds_use_after_free finds_race; do
		run "debug/$test" "$here/debug/end_test.sh" "$test"
	done
	# Save the coverage first: it cannot be read under lockdown.
	"$here/debug/keep_coverage.sh"
	run debug/lockdown "$here/debug/end_test.sh" lockdown
}

summary()
{
	local passed failed skipped

	passed=$(grep -c '^ok ' "$results/results")
	failed=$(grep -c '^not ok ' "$results/results")
	skipped=$(grep -c '^skip ' "$results/results")
	echo "The slowest tests:"
	sort -rn "$work/times" | head -n 12 | sed 's/^/  /'
	echo "$kver: $passed passed, $failed failed, $skipped skipped in $SECONDS s"
	[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}

parse "$@"
prepare
trap 'rm -rf "$work"' EXIT
run_programs
[ -n "$programs" ] || run_scripts
run_last
all_names_found
# Check lines of the kernel's log that come after the last test.
run_aside log/end sleep 1
summary
