# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The scheduler: run jobs beside each other, and measure them. Sourced by check.sh.
#
# A job is a line of what the function PART_jobs prints: CPU_SECONDS KIND NAME ARGUMENT...
# job_NAME ARGUMENT... runs it. The longest jobs begin first, by CPU_SECONDS. KIND is
#   guest   The job boots guests, one after the other. As many guests run at once as there
#           are CPUs: with more, they would be too slow for tests of rates.
#   beside  The job boots none. Guests often sleep, so the job runs beside them, at a low
#           priority.

readonly TIMES=$LOGS/times	# lines "PART<tab>JOB<tab>SECONDS<tab>CPU SECONDS"

# Run a job of part $1, and append its elapsed seconds and CPU seconds to $TIMES. The
# builtin times counts only children of the shell that calls it, so run the job in a
# subshell of its own, and not in a pipe.
run_job()
{
	local part=$1 start=$SECONDS used=$LOGS/times.$BASHPID

	shift
	"job_$1" "${@:2}"
	times >"$used"
	awk -F'[ms ]+' -v part="$part" -v job="$*" -v seconds=$((SECONDS - start)) '
		NR == 2 {
			printf "%s\t%s\t%d\t%d\n", part, job, seconds, $1 * 60 + $2 + $3 * 60 + $4
		}' "$used" >>"$TIMES"
	rm "$used"
}

# Move the first job of file $1 to the array job. Return false if there is none.
take_job()
{
	local lock status=0

	exec {lock}>"$LOGS/queue.lock"
	flock "$lock"
	read -ra job <"$1" || status=1
	sed -i 1d "$1"
	exec {lock}>&-
	return $status
}

# Run the jobs of file $1, one after the other, until other shells have taken all.
run_queue()
{
	local job

	while take_job "$1"; do
		(run_job "${job[@]}") </dev/null
	done
}

# Print the jobs of kind $2 in file $1 as run_queue reads them, the longest first.
jobs_of_kind()
{
	awk -v kind="$2" '$3 == kind' "$1" | sort -k2,2rn | cut -d' ' -f1,4-
}

# Run the jobs of stdin, each preceded by its part. There is a shell for each CPU that runs
# guests, and the jobs of the other kind when no guest is left. One more runs these from the start.
run_jobs()
{
	local queue=$LOGS/queue kind cpu

	cat >"$queue"
	for kind in guest beside; do
		jobs_of_kind "$queue" $kind >"$queue-$kind"
	done
	for ((cpu = 0; cpu <= $(nproc); cpu++)); do
		(
			[ $cpu -eq 0 ] || run_queue "$queue-guest"
			renice -n 10 -p "$BASHPID" >/dev/null
			run_queue "$queue-beside"
		) &
	done
	wait
}

# Print the seconds of each job, and the minutes of each part: the sums of its jobs, which
# run beside each other.
print_times()
{
	printf '\n%-32s %7s %7s\n' job seconds CPU
	sed -E "s,$TPROF_KERNELS/(usr/src/linux-headers-|lib/modules/),,; s,/build\\b,," "$TIMES" |
		awk -F'\t' -v all=$SECONDS '{ printf "%-32s %7d %7d\n", $2, $3, $4; cpu += $4 }
			END { printf "%-32s %7d %7d\n", "all", all, cpu }'
	printf '\n%-12s %7s %7s\n' part minutes CPU
	awk -F'\t' -v all=$SECONDS '
		!($1 in seconds) { parts[++nr] = $1 }
		{ seconds[$1] += $3; cpu[$1] += $4; sum += $4 }
		END {
			for (i = 1; i <= nr; i++)
				printf "%-12s %7.1f %7.1f\n", parts[i],
				       seconds[parts[i]] / 60, cpu[parts[i]] / 60
			printf "%-12s %7.1f %7.1f\n", "all", all / 60, sum / 60
		}' "$TIMES"
}
