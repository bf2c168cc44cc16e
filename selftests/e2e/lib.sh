# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions for end-to-end tests. Sourced. For each function test_NAME() of a test script,
# run.sh runs the script with argument NAME. The test runs in an empty directory of its
# own. It calls fail() to fail, and skip() if it cannot run here.

set -u -o pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../load.sh"

# A program that spends 3/4 of its time in the function hot, and 1/4 in cold.
# shellcheck disable=SC2034
hotcold=$TPROF_TESTS/workloads/hotcold

fail()
{
	printf '# %s\n' "$*"
	exit 1
}

skip()
{
	printf '# SKIP %s\n' "$*"
	exit 4
}

# Run a command that must succeed. Its output goes to the file "out".
must()
{
	"$@" >out 2>&1 || { cat out; fail "status $? of: $*"; }
}

# Run the command $3..., which must exit with status $1. Its output must match $2.
must_fail()
{
	local status=$1 text=$2 seen=0

	shift 2
	"$@" >out 2>&1 </dev/null || seen=$?
	[ "$seen" -eq "$status" ] ||
		{ cat out; fail "status $seen, not $status, of: $*"; }
	grep -qE -- "$text" out || { cat out; fail "no '$text' from: $*"; }
}

same()
{
	diff -u "$1" "$2" | head -n 40 >difference
	[ -s difference ] || return 0
	cat difference
	fail "$1 and $2 differ"
}

# Write to FILE a copy of /proc/kallsyms of which nothing can be used: without the address of
# _text, the commands do not know where that kernel was.
write_useless_kallsyms()
{
	echo "ffffffff81000000 T startup_64" >"$1"
}

# Run perf script, with its warnings in the file perf.err.
perf_script()
{
	perf script --ns -i "$@" 2>perf.err || { cat perf.err; fail "perf script -i $*"; }
}

# Print the percentage of ticks that came late and were merged into a later sample. Ticks
# are late if the host did not run this guest.
late_share()
{
	tprof-lx script -i "$1" -t cgroup | sed 's/[ :]/\n/g; s/=/ /g' | awk '
		$1 == "taken" { taken += $2 }
		$1 == "ticks_merged" { merged = $2 }
		END { printf "%d\n", 100 * merged / (taken + merged) }'
}

# In the ledger of recording $1 (- for stdin), taken = delivered + filtered + lost_ring
# must hold, and delivered must be the number of samples in the recording.
ledger_must_add_up()
{
	tprof-lx info -i "$1" >facts || fail "cannot read $1"
	# shellcheck disable=SC2016
	awk '
		$1 == "SAMPLE" && NF == 2 { samples = $2 }
		/^  cpu=/ {
			for (i = 1; i <= NF; i++) {
				split($i, field, "=")
				sum[field[1]] += field[2]
			}
		}
		END {
			known = sum["delivered"] + sum["filtered"] + sum["lost_ring"]
			print "# taken", sum["taken"], "lost", sum["lost_ring"],
			      "in the file", samples
			exit !(known > 0 && known == sum["taken"] &&
			       sum["delivered"] == samples)
		}' facts || { cat facts; fail "the ledger does not add up"; }
}

# Print the id of a thread that process $1 has created, or will create soon.
second_thread()
{
	local task

	for _ in $(seq 100); do
		for task in "/proc/$1/task"/*; do
			[ "${task##*/}" = "$1" ] || { echo "${task##*/}"; return; }
		done
		sleep 0.1
	done
}

# Wait until a session runs.
await_session()
{
	for _ in $(seq 200); do
		tprof-lx info >sessions
		! grep -q ', running, ' sessions || return 0
		sleep 0.1
	done
	fail "no session runs"
}

have_perf()
{
	command -v perf >/dev/null || skip "no perf here"
}

# Skip the test if there are no working counters: an emulated CPU may enumerate counters
# that do not count. In the lab, fail instead, since counters must work there.
need_counters()
{
	tprof-lx stat -e cycles -- true >counters 2>&1 && return
	cat counters
	[ -z "${TPROF_LAB_MODE:-}" ] || fail "the counters do not work"
	skip "no hardware counters that work"
}

# Print the effective and permitted capabilities of each thread of process $1, sorted.
capabilities_of()
{
	local task

	for task in "/proc/$1/task"/*; do
		sed -nE 's/^Cap[PE][a-z]*:[[:space:]]*0*//p' "$task/status" | paste -sd/
	done | sort
}

# Wait until the threads of process $1 have the capabilities $2, and end the process. Fail if they
# never have them, or if the process fails. The file "out" has its output.
capabilities_must_become()
{
	local has=''

	for _ in $(seq 100); do
		has=$(capabilities_of "$1")
		[ "$has" != "$2" ] || break
		sleep 0.1
	done
	kill -INT "$1"
	wait "$1" || { cat out; fail "status $?"; }
	[ "$has" = "$2" ] || fail "its threads have the capabilities $has"
}

main()
{
	dir=$(mktemp -d -p "$TPROF_WORK")
	trap 'cd /; rm -rf "$dir"' EXIT
	cd "$dir" || exit 1
	# perf keeps copies of recorded binaries in $HOME and never removes them.
	export HOME=$dir
	# Any test can be the first to use the counters: see load.sh.
	expect_counters
	"test_$1"
}
