# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The part debug: test programs on kernels with KASAN and with KCSAN. Sourced by check.sh.
#
# These take as long as all other guests, and are skipped if TPROF_CHECK_SECONDS leaves too
# little time for them.

# Least times, in seconds. A guest needs debug_end_seconds of them to boot, to end the test
# that runs when its time is over, and for the tests of the whole run.
readonly debug_guest_seconds=750 debug_kernel_seconds=900 debug_end_seconds=400

# Print how many of TPROF_CHECK_SECONDS are left, but at most $1. Without
# TPROF_CHECK_SECONDS, print $1.
time_left()
{
	local left=$1

	if [ -n "${TPROF_CHECK_SECONDS:-}" ]; then
		left=$((TPROF_CHECK_SECONDS - SECONDS))
		[ "$left" -lt "$1" ] || left=$1
	fi
	echo $((left > 0 ? left : 0))
}

# Record that there is no time left for $1.
skip_debug()
{
	record debug "skip $1  # $SECONDS s have passed: make check-debug runs it"
}

# Run the planned tests on debug kernel $1 in mode $2 of the lab. Return 4 if no guest ran.
debug_guest()
{
	local kernel=$1 mode=$2 name=${1##*-} fuzz=${FUZZ_SECONDS:-9} flood=${FLOOD_SECONDS:-2}
	local limit tests

	limit=$(time_left $((7200 + fuzz + 10 * flood)))
	if [ "$limit" -lt "$debug_guest_seconds" ]; then
		skip_debug "$name/$mode"
		return 4
	fi
	tests=$(guests_of "$kernel" | awk -v mode="$mode" '$2 == mode { print $4 }')
	read -ra tests <<<"$(tests_of "${tests:-checked}" | xargs)"
	lab_guest "$kernel" 2 "$mode" -t "$limit" -m 2G -g "$LOGS/coverage-$name-$mode.tar" -- \
		FUZZ_SECONDS="$fuzz" FLOOD_SECONDS="$flood" TEST_SECONDS=$((900 + fuzz)) \
		--seconds $((limit - debug_end_seconds)) "${tests[@]}"
}

# Record how many lines of the module ran on debug kernel $1, if that kernel
# counts them. $2 is empty if some guests did not run. If all ran, and in the
# default modes, at least 90 percent of the lines must have run.
coverage()
{
	local name=${1##*-} has_all=$2 log=$LOGS/coverage-${1##*-} least=() result=ok

	grep -q '^CONFIG_GCOV_KERNEL=y' "$TPROF_KERNELS/$1.tree/.config" || return 0
	[ -z "$has_all" ] || [ -n "${TPROF_DEBUG_MODES:-}" ] || least=(-m 90)
	scripts/coverage.sh -v ${least[@]+"${least[@]}"} "$(kernel_release "$1")" \
		"$LOGS"/coverage-"$name"-*.tar >"$log" 2>&1 || result='not ok'
	record debug "$result coverage-$name: $(tail -n 1 "$log")"
}

# Build debug kernel $1, and the module for it. Return 4 if there is no time left.
build_debug_kernel()
{
	local kernel=$1 name=${1##*-} needed=$debug_guest_seconds

	scripts/debug-kernel.sh --is-built "$kernel" ||
		needed=$((needed + debug_kernel_seconds))
	if [ "$(time_left "$needed")" -lt "$needed" ]; then
		skip_debug "$name"
		return 4
	fi
	step debug "kernel-$name" scripts/debug-kernel.sh "$kernel" &&
		step debug "module-$name" scripts/module.sh --strict --selftests \
			"$TPROF_KERNELS/$kernel.tree"
}

# Build debug kernel $1 and run its guests, one after the other. If no guest ran,
# as TPROF_DEBUG_MODES may need the lab's emulator, use mode stock.
job_debug()
{
	local kernel=$1 mode modes any='' all=yes

	build_debug_kernel "$kernel" || return
	rm -f "$LOGS/coverage-${kernel##*-}"-*
	modes=${TPROF_DEBUG_MODES:-$(guests_of "$kernel" | cut -d' ' -f2)}
	for mode in $modes; do
		debug_guest "$kernel" "$mode"
		if [ $? -eq 4 ]; then
			all=''
		else
			any=yes
		fi
	done
	if [ -z "$any" ]; then
		debug_guest "$kernel" stock
		[ $? -ne 4 ] || return
	fi
	coverage "$kernel" "$all"
}

# Debug kernels begin last.
debug_jobs()
{
	local name

	for name in ${TPROF_DEBUG_KERNELS:-kasan kcsan}; do
		echo "1 guest debug $TPROF_MAIN_KERNEL-$name"
	done
}
