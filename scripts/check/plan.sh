# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The plan: which tests run in which guest, and why. Sourced by check.sh.
#
# The module is written for the newest kernel, so all tests run on that one: the main kernel,
# TPROF_MAIN_KERNEL of lib.sh. On the oldest kernel, and on one with PREEMPT_RT, run only the
# tests that can fail there alone: the sets kernel, rt and shared. Each branch of compat.h is
# the oldest kernel's or the main kernel's, so 6.12 runs less: the set brief.

# Print the plan, a table. A cell has a set of tests, which tests_of defines, or "-" for none.
# In A/B, A is for make check and B for make check-all.
#
# A column has a kernel. The columns rt, kasan and kcsan are of the same release as the main
# kernel. kasan and kcsan are the part debug.
#
# A row has a kind of guest: a mode of lab.sh, and the number of CPUs. With icount, one CPU
# counts time in instructions. "host" is a guest of vm.sh, which has the files of this machine,
# so that the scripts of the command line can run. "every" stands for each other mode but stock:
# with one CPU, it gets the same tests as with two.
#
# make check leaves out the modes that differ from others in the number and the width of
# counters only.
plan()
{
	cat <<-END
	mode           cpus   main           rt       6.12         6.1          6.12-rt  kasan   kcsan
	host           2      e2e            -/e2e    -/e2e        -/e2e        -/e2e    -       -
	stock          2      all            -/all    -/all        -/all        -        checked checked
	intel-v4       2      intel          rt/tasks brief/kernel kernel/tasks -/rt     checked checked
	amd-v2         2      amd            -/tasks  -/tasks      -/tasks      -        pmu     pmu
	amd-core       2      counters/amd   -        -/tasks      shared/tasks -        -       -
	amd-fault      2      broken         -        -/broken     -/broken     -        broken  broken
	amd-mute       2      -/broken       -        -/broken     -/broken     -        -       -
	intel-v1       2      rows/tasks     -        -/tasks      -/tasks      -        -       -
	intel-v2       2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v3       2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v5       2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-max      2      -/tasks        -        -/tasks      -/tasks      -        -       -
	amd-k7         2      rows/tasks     -        -/tasks      -/tasks      -        -       -
	amd-v2-zen4    2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v2-32bit 2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v1-gp1   2      rows/tasks     -        -/tasks      -/tasks      -        -       -
	intel-v3-gp5   2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v4-gp7   2      -/tasks        -        -/tasks      -/tasks      -        -       -
	intel-v5-gp8   2      rows/tasks     -        -/tasks      -/tasks      -        -       -
	amd-v2-gp5     2      -/tasks        -        -/tasks      -/tasks      -        -       -
	alder-lake     4      counters/tasks -        -            -            -        -       -
	lunar-lake     4      counters/tasks -        -            -            -        -       -
	intel-v4       icount counters       -        -            -            -        -       -
	intel-v4       64     -/many         -        -            -            -        -       -
	every          1      -/same         -        -/same       -/same       -        -       -
	END
}

# Tests of amounts, of rates and of shares of time take long. If they fail on any kernel and in
# any mode, they also fail in the set all, so make check runs them only there. The programs blind/
# and sampling/ test the same shares without perf. Crowds of sessions with counters share these
# in the same way on all processors: make check runs them in the set intel. Comparisons of many
# recordings with perf, and floods of tasks on a screen, take minutes in an emulated CPU: only
# make check-all runs them.
amounts=() rates=() shares=() crowds=() minutes=()
if [ -z "$FULL" ]; then
	amounts=(--without explained.thousand_short --without load.loads_a_hundred_times
		 --without loss.five_million --without gate.short_threads
		 --without tally.some_of_many_threads --without tally.crowds_of_threads
		 --without flood.session_starts_whole --without flood.modest_session)
	crowds=(--without seats.many_processes)
	rates=(--without blind/ --without rate/)
	shares=(--without e2e/blind/ --without e2e/perf/nmi_finds_two_functions
		--without e2e/perf/timer_finds_two_functions)
	minutes=(--without e2e/perf_files/forms_of_recordings
		 --without e2e/annotate/programs_agree
		 --without e2e/report/call_chains_of_perf
		 --without e2e/record/each_failed_write_to_a_pipe
		 --without e2e/top/fork_storm --without e2e/top/screen_has_the_colours)
fi

# Print the set of tests $1, as arguments of run.sh.
tests_of()
{
	case $1 in
	# Test programs.
	all)	echo --programs ;;
	checked) echo --programs "${amounts[@]}" "${rates[@]}" ;;
	# What depends on the kernel: compat.h has a branch for it, or it uses what the kernel
	# changes from release to release. That is done with counters and without, so it runs in
	# a mode with counters.
	kernel)
		echo --programs "${amounts[@]}"
		# tracepoints of tasks: fork, exec, exit, rename, switch, wakeup
		echo tracking/ attach/ ending/ gate/ parallelism/ tally/ wakeups/
		# execve(2), credentials and dumpability
		echo access/ degree/
		# mmap(2) and the flags of mappings, paths and build-ids of files and of modules
		echo mapping/ advance/
		# page faults and the scheduler's own times
		echo soft/ soft_sample/
		# entry and exit of the kernel, task work, access to memory of users
		echo chain/ deferred/ table/ table_change/ stall/
		# hrtimers and NMIs, the hotplug of CPUs, the loader of modules
		echo sampling/ hotplug/ load/
		tests_of shared
		;;
	# What other programs and the kernel's data structures do to the module, once each.
	brief)
		echo --programs "${amounts[@]}"
		echo tracking/ access/ mapping/ soft/ deferred/ sampling/ hotplug/ pmu_share/
		;;
	# Hardware that the kernel uses too, in its own way: NMIs, the counters with perf and the
	# watchdog, suspend, and the right to execute RDPMC.
	shared)	echo pmu_sample/ pmu_gate/ pmu_share/ pmu_sleep/ page/ page_right/ ;;
	# With PREEMPT_RT, spinlocks sleep, and timers and irq_work run in threads: what concerns
	# locks, clocks, workers, the reader, and sessions that end.
	rt)
		echo --programs "${amounts[@]}"
		echo tracking/ attach/ ending/ gate/ tally/ wakeups/ soft/ soft_sample/
		echo deferred/ table_change/ stall/ sampling/ hotplug/
		echo read/ wait/ flood/ lifetime/ multi/
		tests_of shared
		;;
	# Scripts of the command line.
	e2e)	echo "${shares[@]}" "${minutes[@]}" e2e/ ;;
	# What depends on the number of counters and on their width.
	rows)	echo pmu_count/ pmu_period/ pmu_rows/ ;;
	# What depends on the version of the counters.
	counters)
		tests_of rows
		echo pmu_sample/ pmu_share/ pmu_sleep/ pmu_foreign/ pmu_intruder/ pmu_hybrid/
		echo e2e/pmu/count_agrees
		;;
	# Counters that belong to processes, too.
	tasks)
		tests_of counters
		echo pmu_gate/ pmu_calls/ seats/ page/ page_right/ degree/ stall/ tally.instructions
		echo parallelism/counted
		;;
	# What takes long and is the same with all counters of a vendor: what the command line
	# shows, random calls and floods.
	vendor)
		echo "${amounts[@]}"
		tests_of tasks
		echo e2e/names/ e2e/pmu/ fuzz/ flood/
		;;
	amd)
		echo "${crowds[@]}"
		tests_of vendor
		;;
	# The tables of counts do not depend on the vendor. The manual's examples use events of
	# an Intel processor. The corpus is of call chains. The set e2e has it too, with NMIs of
	# another source.
	intel)
		tests_of vendor
		echo e2e/stat/ e2e/manual/examples_of_counters e2e/doctor/process_with_counter
		[ -z "$FULL" ] || echo e2e/corpus/
		;;
	broken)	echo pmu_broken/ ;;
	# What depends on the number of CPUs. These count operations, samples and bytes, and no time,
	# as 64 emulated CPUs are slow.
	many)	echo calls/ every_cpu/ rings/ hotplug.cpu_that_was_offline_at_start_is_sampled ;;
	# A test of each kind.
	quick)	echo abi/ sampling/ read/ state/ tracking/ pmu_count/ e2e/names/ ;;
	# What uses counters, on a debug kernel that has run all else in another mode.
	pmu)	echo --programs "${amounts[@]}" pmu_ fuzz/ flood/ ;;
	*)	die "the plan has no set of tests '$1'" ;;
	esac
}

# Print about how many CPU seconds the set of tests $1 takes, of which 40 are for booting.
seconds_of()
{
	case $1 in
	e2e) echo 1600 ;;
	all | checked) echo 700 ;;
	rt) echo 450 ;;
	kernel) echo 300 ;;
	intel | amd) echo 250 ;;
	brief | tasks | shared | many) echo 130 ;;
	counters) echo 90 ;;
	*) echo 55 ;;
	esac
}

# Print the guests of this check, a line each: KERNEL MODE CPUS SET.
planned_guests()
{
	plan | awk -v full="$FULL" -v main="$TPROF_MAIN_KERNEL" '
		function choice(cell, sets)
		{
			return split(cell, sets, "/") > 1 && full ? sets[2] : sets[1]
		}
		function plan_guest(kernel, mode, cpus, set)
		{
			if (set != "-")
				print kernel, mode, cpus, set
		}
		NR == 1 {
			for (i = 3; i <= NF; i++)
				kernel[i] = $i ~ /^[0-9]/ ? $i : $i == "main" ? main : main "-" $i
			next
		}
		$1 == "every" {
			for (i = 3; i <= NF; i++)
				for (n = 1; n <= modes && choice($i) == "same"; n++)
					plan_guest(kernel[i], mode[n], $2, set_of[i, n])
			next
		}
		{
			if ($2 == 2 && $1 !~ /^(host|stock)$/)
				mode[++modes] = $1
			for (i = 3; i <= NF; i++) {
				if (mode[modes] == $1 && $2 == 2)
					set_of[i, modes] = choice($i)
				plan_guest(kernel[i], $1, $2, choice($i))
			}
		}'
}

# Print the kernels that guests of this check boot, except debug kernels.
booted_kernels()
{
	planned_guests | awk '$1 !~ /-k[ac]san$/ && !seen[$1]++ { print $1 }'
}

# Print the planned guests of kernel $1.
guests_of()
{
	planned_guests | awk -v kernel="$1" '$1 == kernel'
}
