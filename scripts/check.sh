#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run all checks, even if some fail. For each step and each test, print a line
# with "ok", "not ok" or "skip". Then print two tables: the number of these lines
# in each group, and the times of the jobs. The last line has the total numbers.
# Logs are in build/logs. build/logs/results has the result lines again.
#
# usage: check.sh [PART ...]
#
# The parts are lint, build, dkms, packages, unit, manual, screen, fuzz, vm and lab.
# "all" stands for these and is the default. "all" does not include these parts:
#   debug  the test programs on debug kernels (make check-debug)
#   export what other programs read in exports (make check-export)
#   quick  style, unit tests and one guest (make check-quick)
#   demo   make demo, which boots one guest
#   page   the pages of html and diff in Chromium (make check-page)
#   fresh  some parts in a new Debian 12, with check-fresh.sh
#
# Variables:
#   TPROF_FULL=yes       run each test with every compiler and kernel, and in
#                        every mode of the lab (make check-all); by default, run
#                        it only where it can fail
#   TPROF_CHECK_SECONDS  skip the debug kernels if they could last longer than this,
#                        counted from the start of this script
#   TPROF_SKIP_KERNELS   kernels on which the part vm runs no tests
#   TPROF_SKIP_MODES     modes of the lab in which the part lab runs no tests
#   TPROF_SKIP_CLANG=yes do not build the module with clang
#   TPROF_DEBUG_KERNELS  the debug kernels to run (kasan kcsan)
#   TPROF_DEBUG_MODES    the modes of the lab to run them in
#   TPROF_CHANGED_SINCE  check by checkpatch only what commits have changed since then
#   FUZZ_SECONDS         duration of each fuzzer, and of fuzz/ on debug kernels
#   FLOOD_SECONDS        duration of each flood of flood/ on debug kernels
#   FUZZ_SEED, FUZZ_ROUND  the random calls of fuzz/ in all guests
#
# The function PART_jobs prints the jobs of a part, one per line: the CPU
# seconds that the job takes, its NAME, and the arguments of function job_NAME.
# The longest jobs begin first. As many guests run at once as there are CPUs:
# with more, they would be too slow for tests of rates. Guests often sleep, so
# a job without a guest runs beside them, at a low priority.

set -u -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP" || exit 2

readonly logs=$TPROF_TOP/build/logs
readonly results=$logs/results
readonly times=$logs/times
readonly full=${TPROF_FULL:-}
readonly vm_limit=${TPROF_VM_LIMIT:-2700}	# seconds of one guest
# Least times, in seconds. A guest on a debug kernel needs debug_end_seconds of them to boot, to
# end the test that runs when its time is over, and for the tests of the whole run.
readonly debug_guest_seconds=750 debug_kernel_seconds=900 debug_end_seconds=400

# Tests of amounts and of shares of time take long. If they fail on any kernel,
# they also fail on 6.12.
without_amounts=() without_times=() without_shares=()
if [ -z "$full" ]; then
	without_amounts=(--without explained.thousand_short --without loads_a_hundred_times
			 --without five_million --without gate.short_threads
			 --without tally.some_of_many_threads
			 --without flood.session_starts_whole)
	without_times=(--without blind/ --without rate/)
	# The programs blind/ and sampling/ test the same without perf.
	without_shares=(--without e2e/blind/ --without finds_two_functions)
fi

# Print result line $2 of group $1, and append it to $results.
record()
{
	printf '%s\t%s\n' "$1" "$2" >>"$results"
	printf '[%s] %s\n' "$1" "$2"
}

# Run the command $3... as step $2 of group $1. Keep its output in a log. If the
# command fails, show the end of the log.
step()
{
	local group=$1 name=$2 log

	shift 2
	log=$logs/$group-$name.log
	if "$@" >"$log" 2>&1; then
		record "$group" "ok $name"
		return 0
	fi
	tail -n 60 "$log"
	record "$group" "not ok $name  # see ${log#"$TPROF_TOP/"}"
	return 1
}

# Record the result lines in file $2 for group $1. They are from a test run that
# ended with status $3. Also record "not ok run" if
# - the status is 124 or more: the run died or ran out of time;
# - the run failed, but no test failed;
# - the file has no result line.
# In the first two cases, show the last line of file $4.
adopt()
{
	local group=$1 file=$2 status=$3 errors=$4 line failed='' any=''

	while read -r line; do
		case $line in
		'not ok '*) failed=yes ;;
		'ok '* | 'skip '*) ;;
		*) continue ;;
		esac
		any=yes
		record "$group" "$line"
	done < <(cat "$file" 2>/dev/null)
	if [ "$status" -ge 124 ] || { [ "$status" -ne 0 ] && [ -z "$failed" ]; }; then
		record "$group" "not ok run  # ended with status $status: $(tail -n 1 "$errors")"
	elif [ -z "$any" ]; then
		record "$group" "not ok run  # no test was executed"
	fi
}

# Run a job, and append its elapsed seconds and CPU seconds to $times. The
# builtin times counts only children of the shell that calls it, so do not run
# the job in a pipe.
run_job()
{
	local start=$SECONDS used=$logs/times.$BASHPID

	"job_$1" "${@:2}"
	times >"$used"
	awk -F'[ms ]+' -v job="$*" -v seconds=$((SECONDS - start)) '
		NR == 2 { printf "%s\t%d\t%d\n", job, seconds, $1 * 60 + $2 + $3 * 60 + $4 }
	' "$used" >>"$times"
	rm "$used"
}

# Run the jobs that stdin lists in this order, $1 at once.
run_at_once()
{
	local most=$1 running=0 job

	while read -ra job; do
		[ ${#job[@]} -gt 0 ] || continue
		if [ $running -ge "$most" ]; then
			wait -n
			running=$((running - 1))
		fi
		run_job "${job[@]}" </dev/null &
		running=$((running + 1))
	done
	wait
}

# Jobs that boot a guest.
readonly guest_jobs='^(vm|e2e|lab|debug|demo|fresh|quick)( |$)'

# Run the jobs that stdin lists, the longest first. If no job boots a guest, one
# more job runs at once than there are CPUs.
run_jobs()
{
	local jobs guests others at_once=1

	jobs=$(sort -rn | cut -d' ' -f2-)
	guests=$(grep -E "$guest_jobs" <<<"$jobs")
	others=$(grep -Ev "$guest_jobs" <<<"$jobs")
	[ -n "$guests" ] || at_once=$(($(nproc) + 1))
	(
		renice -n 10 -p "$BASHPID" >/dev/null
		run_at_once $at_once <<<"$others"
	) &
	# In a subshell, wait -n waits for none of the other jobs.
	(run_at_once "$(nproc)" <<<"$guests")
	wait
}

job_lint()
{
	step lint "$1" "scripts/lint/$1.sh"
}

lint_jobs()
{
	local lint

	for lint in scripts/lint/*.sh; do
		echo "20 lint $(basename "$lint" .sh)"
	done
}

# Does the part vm run no tests on kernel $1?
is_skipped()
{
	[[ " ${TPROF_SKIP_KERNELS:-} " = *" $1 "* ]]
}

# Print the names of the kernels that guests boot. The lab boots 6.1 and 6.12, even if the
# part vm does not.
booted_kernels()
{
	local kernel

	for kernel in $TPROF_VM_KERNELS; do
		case $kernel in
		6.1 | 6.12) echo "$kernel" ;;
		*) is_skipped "$kernel" || echo "$kernel" ;;
		esac
	done
}

# Does tree $1 belong to a kernel that guests boot? In a full check, return true
# for every tree.
is_booted()
{
	local kernel

	[ -z "$full" ] || return 0
	for kernel in $(booted_kernels); do
		[ "$(kernel_release "$kernel")" != "$(tree_release "$1")" ] || return 0
	done
	return 1
}

# Is tree $1 the one whose kernel runs most tests? In a full check, return true
# for every tree.
is_main()
{
	[ -n "$full" ] || [ "$(tree_release "$1")" = "$(kernel_release 6.12)" ]
}

# Build the module for tree $1 with compiler $2 and option $3 of module.sh.
job_module()
{
	step build "$(tree_release "$1")-$2" scripts/module.sh --strict "$3" "$1"
}

# Build the module for tree $1 with clang.
job_module_clang()
{
	if [ -n "${TPROF_SKIP_CLANG:-}" ]; then
		record build "skip $(tree_release "$1")-clang  # TPROF_SKIP_CLANG: make check builds it"
	else
		job_module "$1" clang --clang
	fi
}

# Build the programs that guests run.
job_programs()
{
	step build tools make -j"$(nproc)" tools EXTRA_CFLAGS=-Werror
	step build selftests make -j"$(nproc)" selftests
}

# In a full check, build a module with larger structs, too, for e2e/abi/.
#
# The guests load the modules that gcc has built. What clang reports depends on
# the code, hardly on the kernel, so clang builds for one tree only, except in a
# full check.
build_jobs()
{
	local kdir

	echo "100 programs"
	for kdir in $(header_trees); do
		! is_booted "$kdir" || echo "30 module $kdir gcc --selftests"
		! is_main "$kdir" || echo "30 module_clang $kdir"
	done
	[ -z "$full" ] ||
		echo "30 module $TPROF_KERNELS/usr/src/linux-headers-$(kernel_release 6.12) larger --larger"
}

job_dkms()
{
	step dkms "$(tree_release "$1")" scripts/dkms.sh try "$1"
}

# What DKMS does depends on dkms.conf, not on the kernel. So one tree is enough,
# except in a full check.
dkms_jobs()
{
	local kdir

	for kdir in $(header_trees); do
		! is_main "$kdir" || echo "40 dkms $kdir"
	done
}

# Build RPM and Arch packages, and check that the tarball is reproducible. Build
# Debian packages, and install, upgrade and purge them in a new Debian 12.
job_packages()
{
	step packages rpm scripts/rpm.sh
	step packages arch scripts/arch.sh
	step packages reproducible selftests/install/reproducible.sh
	selftests/install/chroot.sh >"$logs/packages-debian.log" 2>&1
	adopt packages "$logs/packages-debian.log" $? "$logs/packages-debian.log"
}

packages_jobs()
{
	echo "200 packages"
}

# Run target $1 of make, which writes its result lines to build/$1/results.
target()
{
	local name=$1 status

	rm -f "build/$name/results"
	make "$name" >"$logs/$name.log" 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$logs/$name.log"
	adopt "$name" "build/$name/results" $status "$logs/$name.log"
}

job_unit()
{
	target unit
}

unit_jobs()
{
	echo "200 unit"
}

# Check the manual pages and the completions.
job_manual()
{
	step manual tools make -j"$(nproc)" tools || return
	selftests/manual/test.sh >"$logs/manual.log" 2>&1
	adopt manual "$logs/manual.log" $? "$logs/manual.log"
}

manual_jobs()
{
	echo "20 manual"
}

# Check the screen of report in a terminal.
job_screen()
{
	build_tools screen || return
	selftests/screen/run.sh >"$logs/screen.log" 2>"$logs/screen.err"
	adopt screen "$logs/screen.log" $? "$logs/screen.err"
}

screen_jobs()
{
	echo "20 screen"
}

# Each fuzzer reads its whole corpus, then new input for FUZZ_SECONDS. The
# default is 8 seconds here; in a full check, it is the same as of make fuzz.
job_fuzz()
{
	[ -n "$full" ] || local -x FUZZ_SECONDS=${FUZZ_SECONDS:-8}
	target fuzz
}

fuzz_jobs()
{
	echo "200 fuzz"
}

# Build the command line for group $1. Another job may build it at the same time.
build_tools()
{
	step "$1" tools flock "$logs/tools.lock" make -j"$(nproc)" tools
}

# Install the programs that read exports, and let them compare exports with report.
job_export()
{
	local log=$logs/export

	step export deps scripts/deps.sh export || return
	build_tools export || return
	selftests/export/run.sh build/tools/tprof-lx >"$log.log" 2>"$log.err"
	adopt export "$log.log" $? "$log.err"
}

export_jobs()
{
	echo "60 export"
}

# Variables with which the test fuzz/ repeats its random calls, for all guests.
fuzz_again=(${FUZZ_SEED:+FUZZ_SEED="$FUZZ_SEED"} ${FUZZ_ROUND:+FUZZ_ROUND="$FUZZ_ROUND"})

guest()
{
	local name=$1 release dir status

	shift
	release=$(kernel_release "$name")
	dir=build/results/$release
	rm -rf "$dir"
	mkdir -p "$dir"
	say "booting $release"
	selftests/vm/vm.sh -k "$name" -t "$vm_limit" -l "$logs/console-$name.log" \
		-- env ${fuzz_again[@]+"${fuzz_again[@]}"} \
		selftests/run.sh --kver "$release" --build "build/$release" \
		--results "$dir" "$@" >"$logs/vm-$name.log" 2>"$logs/vm-$name.err"
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$logs/vm-$name.log" "$logs/vm-$name.err"
	adopt "vm-$name" "$dir/results" $status "$logs/vm-$name.err"
}

# Run the test programs in a guest of lab.sh, which runs from memory.
job_vm()
{
	local kernel=$1 lab_options=(-t "$vm_limit" -m 2G)

	[ "$kernel" != 6.12 ] || local without_amounts=()
	[ "$kernel" = 6.1 ] || local without_times=()
	lab_guest "$kernel" 2 stock --programs ${without_amounts[@]+"${without_amounts[@]}"} \
		${without_times[@]+"${without_times[@]}"}
}

# Record that no guest runs in mode $2 of the lab on kernel $1, because of variable $3.
job_skip()
{
	record "lab-$1-2cpu" "skip $2  # $3 has it: make check runs it"
}

# Run the end-to-end tests in a guest of vm.sh, which has the files of this
# machine.
job_e2e()
{
	guest "$1" ${without_shares[@]+"${without_shares[@]}"} e2e/
}

# The command line does the same on all kernels. So the end-to-end tests run
# only on 6.12, except in a full check.
vm_jobs()
{
	local kernel

	for kernel in $TPROF_VM_KERNELS; do
		if is_skipped "$kernel"; then
			echo "0 skip $kernel stock TPROF_SKIP_KERNELS"
		elif [ "$kernel" = 6.12 ]; then
			echo "1000 e2e $kernel"
			echo "800 vm $kernel"
		else
			[ -z "$full" ] || echo "1000 e2e $kernel"
			echo "300 vm $kernel"
		fi
	done
}

# Run tests in mode $3 of the lab, on kernel $1, and record their results. $2 is
# the number of CPUs, or -i for one CPU that counts time in instructions. $4...
# are arguments of run.sh. The array lab_options has further options of lab.sh,
# and lab_env has variables for the guest. Return the status of lab.sh.
lab_guest()
{
	local kernel=$1 cpus=$2 mode=$3 group release log status

	shift 3
	group=lab-$kernel-${cpus}cpu
	[ "$cpus" != -i ] || group=lab-$kernel-icount
	release=$(kernel_release "$kernel")
	log=$logs/$group-$mode
	[ "$cpus" = -i ] || cpus="-c$cpus"
	selftests/lab/lab.sh -k "$kernel" "$cpus" -l "$log.console" \
		${lab_options[@]+"${lab_options[@]}"} "$mode" -- \
		env ${fuzz_again[@]+"${fuzz_again[@]}"} ${lab_env[@]+"${lab_env[@]}"} \
		bash selftests/run.sh --kver "$release" --build "build/$release" \
		--results /tmp/results "$@" \
		>"$log.log" 2>"$log.err"
	status=$?
	if [ $status -eq 4 ]; then
		record "$group" "skip $mode  # no emulator here: make lab"
		return $status
	fi
	[ $status -eq 0 ] || tail -n 60 "$log.log" "$log.err"
	sed -nE "s,^(ok|not ok|skip) ,&$mode/,p" "$log.log" >"$log.results"
	adopt "$group" "$log.results" $status "$log.err"
	return $status
}

# Tests of counters that belong to processes.
readonly of_processes=(pmu_gate/ seats/ page/ page_right/ stall/ tally.instructions)

# Run tests of hardware counters in a mode of the lab.
job_lab()
{
	local kernel=$1 cpus=$2 mode=$3 where=$1-$2 names options=() lab_options=(-t 1500)

	names=(pmu_count/ pmu_period/ pmu_rows/)
	# Modes with another number of counters need fewer tests, except in a full
	# check.
	case $full-$mode in
	-*-gp?) ;;
	*) names+=(pmu_sample/ pmu_share/ pmu_sleep/ e2e/pmu/count_agrees) ;;
	esac
	# Run the other tests of the command line, and those of call chains, of processes,
	# random calls and floods, in one mode of each vendor only: the command line shows
	# counts and samples in the same way in all others, and the rest takes long. A full
	# check adds some to other modes. The corpus is of call chains, which do not depend on
	# the vendor. The manual's examples use events of an Intel processor.
	[ -z "$full" ] || where=6.12-2 names+=("${of_processes[@]}")
	case $where-$mode in
	*-mute | *-fault) names=(pmu_broken/) ;;
	6.12-2-amd-core) names+=(${full:+e2e/names/ e2e/stat/ e2e/pmu/}) ;;
	6.12-2-intel-v4) names+=(e2e/manual/examples_of_counters e2e/corpus/
				 e2e/doctor/process_with_counter) ;;&
	6.12-2-intel-v4 | 6.12-2-amd-v2)
		names+=(e2e/names/ e2e/stat/ e2e/pmu/ fuzz/ flood/ "${of_processes[@]}")
		options=(${without_amounts[@]+"${without_amounts[@]}"}) ;;
	esac
	lab_guest "$kernel" "$cpus" "$mode" ${options[@]+"${options[@]}"} "${names[@]}"
}

# The jobs are
# - every mode on 6.12 with two CPUs, except intel-v2, intel-v3, intel-v5 and intel-v4-gp7,
#   which differ from other modes in the number and the width of counters only;
# - one mode of each vendor on 6.1 with two CPUs;
# - one mode on 6.12 with one CPU, which counts time in instructions.
# A full check adds every mode on both kernels, with one CPU and with two.
lab_jobs()
{
	selftests/lab/lab.sh --modes | cut -f1 | awk -v full="$full" \
		-v skipped=" ${TPROF_SKIP_MODES:-} " '
		$1 == "stock" { next }
		index(skipped, " " $1 " ") { print 0, "skip 6.12", $1, "TPROF_SKIP_MODES"; next }
		$1 ~ /^intel-(v2|v3|v5|v4-gp7)$/ && !full { next }
		{ print ($1 == "intel-v4" || $1 == "amd-v2" ? 150 : 45), "lab 6.12", 2, $1 }
		full { print 60, "lab 6.12", 1, $1 }
		$1 == "intel-v4" || $1 == "amd-core" || full { print 60, "lab 6.1", 2, $1 }
		full { print 60, "lab 6.1", 1, $1 }
		END { print "80 lab 6.12 -i intel-v4" }'
}

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

# Run test programs on debug kernel $1 in mode $2 of the lab. In AMD's modes,
# run only those that use counters, and fuzz/ and flood/. Return 4 if no guest
# ran.
debug_guest()
{
	local name=$1 mode=$2 fuzz=${FUZZ_SECONDS:-9} flood=${FLOOD_SECONDS:-2}
	local limit names=() lab_options lab_env

	limit=$(time_left $((7200 + fuzz + 10 * flood)))
	if [ "$limit" -lt "$debug_guest_seconds" ]; then
		record debug "skip $name/$mode  # $SECONDS s have passed: make check-debug runs it"
		return 4
	fi
	case $mode in
	amd-fault) names=(pmu_broken/) ;;
	amd-*) names=(pmu_ fuzz/ flood/) ;;
	esac
	lab_options=(-t "$limit" -m 2G -g "$logs/coverage-$name-$mode.tar")
	lab_env=(FUZZ_SECONDS="$fuzz" FLOOD_SECONDS="$flood" TEST_SECONDS=$((900 + fuzz)))
	lab_guest "6.12-$name" 2 "$mode" --programs --seconds $((limit - debug_end_seconds)) \
		${without_amounts[@]+"${without_amounts[@]}"} \
		${without_times[@]+"${without_times[@]}"} ${names[@]+"${names[@]}"}
}

# Record how many lines of the module ran on debug kernel $1, if that kernel
# counts them. $2 is empty if some guests did not run. If all ran, and in the
# default modes, at least 90 percent of the lines must have run.
coverage()
{
	local name=$1 has_all=$2 log=$logs/coverage-$1 least=() result=ok

	grep -q '^CONFIG_GCOV_KERNEL=y' "$TPROF_KERNELS/6.12-$name.tree/.config" || return 0
	[ -z "$has_all" ] || [ -n "${TPROF_DEBUG_MODES:-}" ] || least=(-m 90)
	scripts/coverage.sh -v ${least[@]+"${least[@]}"} "$(kernel_release "6.12-$name")" \
		"$logs"/coverage-"$name"-*.tar >"$log" 2>&1 || result='not ok'
	record debug "$result coverage-$name: $(tail -n 1 "$log")"
}

# Build debug kernel $1, and the module for it. Return 4 if there is no time left.
build_debug_kernel()
{
	local needed=$debug_guest_seconds

	scripts/debug-kernel.sh --is-built "$1" || needed=$((needed + debug_kernel_seconds))
	if [ "$(time_left "$needed")" -lt "$needed" ]; then
		record debug "skip $1  # $SECONDS s have passed: make check-debug runs it"
		return 4
	fi
	step debug "kernel-$1" scripts/debug-kernel.sh "$1" &&
		step debug "module-$1" scripts/module.sh --strict \
			--selftests "$TPROF_KERNELS/6.12-$1.tree"
}

# Build debug kernel $1 and run its guests, one after the other. If no guest ran,
# as TPROF_DEBUG_MODES may need the lab's emulator, use mode stock.
job_debug()
{
	local name=$1 mode any='' all=yes

	build_debug_kernel "$name" || return
	for mode in ${TPROF_DEBUG_MODES:-stock intel-v4 amd-v2 amd-fault}; do
		debug_guest "$name" "$mode"
		if [ $? -eq 4 ]; then
			all=''
		else
			any=yes
		fi
	done
	if [ -z "$any" ]; then
		debug_guest "$name" stock
		[ $? -ne 4 ] || return
	fi
	coverage "$name" "$all"
}

debug_kernels()
{
	echo "${TPROF_DEBUG_KERNELS:-kasan kcsan}"
}

# They take as long as all other guests, and may be skipped. So they begin last.
debug_jobs()
{
	local name

	rm -f "$logs"/coverage-*
	for name in $(debug_kernels); do
		echo "1 debug $name"
	done
}

# Build the module and the command line, boot a guest, and record a program there.
job_demo()
{
	step demo demo scripts/demo.sh
}

demo_jobs()
{
	echo "60 demo"
}

# Check pages in Chromium. Install what this needs, which other parts do not.
job_page()
{
	step page deps scripts/deps.sh page || return
	build_tools page || return
	selftests/page/run.sh >"$logs/page.log" 2>"$logs/page.err"
	adopt page "$logs/page.log" $? "$logs/page.err"
}

page_jobs()
{
	echo "30 page"
}

# Build, test and package what is committed, in a new Debian 12. Record each result
# line that the checks there print.
job_fresh()
{
	local log=$logs/fresh-debian-12 status

	scripts/check-fresh.sh >"$log.log" 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$log.log"
	sed -nE 's,^\[([^]]*)\] (ok|not ok|skip) ,\2 \1/,p' "$log.log" >"$log.results"
	adopt fresh "$log.results" $status "$log.log"
}

fresh_jobs()
{
	echo "1100 fresh"
}

# Run a test of each kind in one guest of the lab. Without the lab's emulator,
# use mode stock.
job_quick()
{
	local names=(abi/ sampling/ read/ state/ tracking/ pmu_count/ e2e/names/)

	lab_guest 6.12 2 intel-v4 "${names[@]}"
	[ $? -ne 4 ] || lab_guest 6.12 2 stock "${names[@]}"
}

quick_jobs()
{
	lint_jobs
	unit_jobs
	echo "60 quick"
}

# Print the jobs that must end before the jobs of parts $@ begin: they build
# what the guests of these parts need.
jobs_before()
{
	local kdir

	kdir=$TPROF_KERNELS/usr/src/linux-headers-$(kernel_release 6.12)
	case " $* " in
	*' build '*) build_jobs ;;
	*' quick '*)
		echo "100 programs"
		echo "30 module $kdir gcc --selftests"
		;;
	*' debug '* | *' manual '*) echo "100 programs" ;;
	esac
}

count()
{
	grep -c "^$1	$2 " "$results"
}

summary()
{
	local group passed failed

	echo
	printf '%-12s %7s %7s %8s\n' group passed failed skipped
	while read -r group; do
		printf '%-12s %7d %7d %8d\n' "$group" "$(count "$group" ok)" \
			"$(count "$group" 'not ok')" "$(count "$group" skip)"
	done < <(cut -f1 "$results" | awk '!seen[$0]++')
	printf '\n%-32s %7s %7s\n' job seconds CPU
	sed "s|$TPROF_KERNELS/usr/src/linux-headers-||" "$times" |
		awk -F'\t' -v all=$SECONDS '{ printf "%-32s %7d %7d\n", $1, $2, $3; cpu += $3 }
			END { printf "%-32s %7d %7d\n", "all", all, cpu }'
	if grep -q '	not ok ' "$results"; then
		printf '\nWhat failed:\n'
		grep '	not ok ' "$results" | tr '\t' ' ' | sed 's/^/  /'
	fi
	passed=$(count '.*' ok)
	failed=$(count '.*' 'not ok')
	printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" \
		"$(count '.*' skip)"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

[ $# -gt 0 ] || set -- all
parts=()
for part; do
	if [ "$part" = all ]; then
		parts+=(lint build dkms packages unit manual screen fuzz vm lab)
	else
		parts+=("$part")
	fi
done
for part in "${parts[@]}"; do
	declare -F "${part}_jobs" >/dev/null || die "there is no part '$part'"
done

mkdir -p "$logs"
: >"$results"
: >"$times"
if step deps deps scripts/deps.sh; then
	jobs_before "${parts[@]}" | run_jobs
	for part in "${parts[@]}"; do
		[ "$part" = build ] || "${part}_jobs"
	done | run_jobs
fi
summary
