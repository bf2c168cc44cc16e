# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Guests, and the parts that boot them: vm, lab, quick and demo. Sourced by check.sh.

readonly vm_limit=${TPROF_VM_LIMIT:-2700} lab_limit=1500	# seconds of a guest of these parts

# Variables with which the test fuzz/ repeats its random calls, for all guests.
fuzz_again=(${FUZZ_SEED:+FUZZ_SEED="$FUZZ_SEED"} ${FUZZ_ROUND:+FUZZ_ROUND="$FUZZ_ROUND"})

# Run tests in a guest of vm.sh on kernel $1, and record their results. $2... are arguments of
# run.sh.
host_guest()
{
	local name=$1 release dir log=$LOGS/vm-$1 status

	shift
	release=$(kernel_release "$name")
	dir=build/results/$release
	rm -rf "$dir"
	mkdir -p "$dir"
	say "booting $release"
	selftests/vm/vm.sh -k "$name" -t "$vm_limit" -l "$LOGS/console-$name.log" \
		-- env "${fuzz_again[@]}" \
		selftests/run.sh --kver "$release" --build "build/$release" \
		--results "$dir" "$@" >"$log.log" 2>"$log.err"
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$log.log" "$log.err"
	adopt "vm-$name" "$dir/results" $status "$log.err"
}

# Run tests in mode $3 of the lab, on kernel $1, and record their results. $2 is
# the number of CPUs, or "icount" for one CPU that counts time in instructions. Then come
# options of lab.sh, "--", variables for the guest and arguments of run.sh. Return the status
# of lab.sh.
lab_guest()
{
	local kernel=$1 cpus="-c$2" mode=$3 group=lab-$1-$2cpu release log status
	local options=() variables=("${fuzz_again[@]}")

	if [ "$2" = icount ]; then
		cpus=-i
		group=lab-$1-icount
	fi
	shift 3
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	while [[ ${1:-} =~ ^[A-Z_]+= ]]; do
		variables+=("$1")
		shift
	done
	release=$(kernel_release "$kernel")
	log=$LOGS/$group-$mode
	selftests/lab/lab.sh -k "$kernel" "$cpus" -l "$log.console" "${options[@]}" "$mode" -- \
		env "${variables[@]}" \
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

# Run the set of tests $4 in a guest of the plan: on kernel $1, in mode $2, with $3 CPUs.
job_guest()
{
	local kernel=$1 mode=$2 cpus=$3 tests

	read -ra tests <<<"$(tests_of "$4" | xargs)"
	case $mode in
	host) host_guest "$kernel" "${tests[@]}" ;;
	stock) lab_guest "$kernel" "$cpus" "$mode" -t "$vm_limit" -m 2G -- "${tests[@]}" ;;
	*) lab_guest "$kernel" "$cpus" "$mode" -t "$lab_limit" -m 2G -- "${tests[@]}" ;;
	esac
}

# Print the jobs of the planned guests with a mode that matches the pattern $1, except those on
# debug kernels.
planned_jobs()
{
	local kernel mode cpus tests

	while read -r kernel mode cpus tests; do
		[[ $mode =~ $1 && ! $kernel =~ -k[ac]san$ ]] || continue
		echo "$(seconds_of "$tests") guest guest $kernel $mode $cpus $tests"
	done < <(planned_guests)
}

vm_jobs()
{
	planned_jobs '^(host|stock)$'
}

# Check that no counter runs after a reboot has begun.
job_reboot()
{
	test_run reboot selftests/lab/reboot.sh "$TPROF_MAIN_KERNEL"
}

lab_jobs()
{
	planned_jobs -
	echo "20 guest reboot"
}

# Run the set of tests quick in one guest of the lab. Without the lab's emulator, which takes some
# minutes to build, use mode stock.
job_quick()
{
	local names

	read -ra names <<<"$(tests_of quick)"
	lab_guest "$TPROF_MAIN_KERNEL" 2 intel-v4 -- "${names[@]}"
	[ $? -ne 4 ] || lab_guest "$TPROF_MAIN_KERNEL" 2 stock -- "${names[@]}"
}

quick_jobs()
{
	lint_jobs
	unit_jobs
	echo "60 guest quick"
}

# Build the module and the command line, boot a guest, and record a program there.
job_demo()
{
	step demo demo scripts/demo.sh
}

demo_jobs()
{
	echo "60 guest demo"
}
