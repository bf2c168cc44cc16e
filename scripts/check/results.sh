# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Result lines: "ok NAME", "not ok NAME" or "skip NAME", each in a group. Record them, adopt
# those of a test run, and print what they add up to. Sourced by check.sh.

readonly LOGS=$TPROF_TOP/build/logs
readonly RESULTS=$LOGS/results	# lines "GROUP<tab>RESULT LINE"

# Print result line $2 of group $1, and append it to $RESULTS.
record()
{
	printf '%s\t%s\n' "$1" "$2" >>"$RESULTS"
	printf '[%s] %s\n' "$1" "$2"
}

# Run the command $3... as step $2 of group $1. Keep its output in a log. If the command ends
# with status 4, it cannot run here. If it fails, show the end of the log.
step()
{
	local group=$1 name=$2 log status

	shift 2
	log=$LOGS/$group-$name.log
	"$@" >"$log" 2>&1
	status=$?
	case $status in
	0) record "$group" "ok $name" ;;
	4) record "$group" "skip $name  # $(tail -n 1 "$log")" ;;
	*)
		tail -n 60 "$log"
		record "$group" "not ok $name  # see ${log#"$TPROF_TOP/"}"
		;;
	esac
	return $status
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

# Run the command $2..., which prints result lines, and record them for group $1.
test_run()
{
	local group=$1 log=$LOGS/$1

	shift
	"$@" >"$log.log" 2>"$log.err"
	adopt "$group" "$log.log" $? "$log.err"
}

# Print how many lines of group $1 begin with $2.
count()
{
	grep -c "^$1	$2 " "$RESULTS"
}

print_groups()
{
	local group

	printf '\n%-12s %7s %7s %8s\n' group passed failed skipped
	while read -r group; do
		printf '%-12s %7d %7d %8d\n' "$group" "$(count "$group" ok)" \
			"$(count "$group" 'not ok')" "$(count "$group" skip)"
	done < <(cut -f1 "$RESULTS" | awk '!seen[$0]++')
}

print_failures()
{
	grep -q '	not ok ' "$RESULTS" || return 0
	printf '\nWhat failed:\n'
	grep '	not ok ' "$RESULTS" | tr '\t' ' ' | sed 's/^/  /'
}

# Print the last line of check.sh. Fail if a test failed, or if none passed.
print_total()
{
	local passed failed

	passed=$(count '.*' ok)
	failed=$(count '.*' 'not ok')
	printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$(count '.*' skip)"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
