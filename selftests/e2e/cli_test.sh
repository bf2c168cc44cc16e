#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The command line itself: help, usage errors, messages that say what to do, JSON.

. "$(dirname "$0")/lib.sh"

test_every_command_has_help()
{
	local command

	must tprof-lx --help
	for command in $(tprof-lx --help | awk '/^ +[a-z]+ +[a-z]/ { print $1 }'); do
		must tprof-lx "$command" --help
		grep -q "^usage: tprof-lx $command" out || fail "$command --help"
	done
	must tprof-lx --version
	grep -q "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$TPROF_TOP/dkms.conf")" out ||
		fail "version"
}

test_mistakes_are_usage_errors()
{
	must_fail 2 "record" tprof-lx recrod
	must_fail 2 "--duration" tprof-lx record --durattion 1 -a
	must_fail 2 "nmi" tprof-lx record -e nim -a
	must_fail 2 "command|-a|-p" tprof-lx record
	must_fail 2 "frequency|rate|number" tprof-lx record -F banana -a
	must_fail 2 "." tprof-lx record -C 0-x -a
	must_fail 2 "no CPU 4099" tprof-lx record -C 0,4099 -a
	must_fail 2 "no CPU 4099" tprof-lx stat -e tsc -C 4099 -- true
	must_fail 2 "no CPU 4099" tprof-lx control -C 4099
	must_fail 2 "json" tprof-lx control disable gp0 --json
	must_fail 2 "no size" tprof-lx record -m 0 -a
	must_fail 2 "watermark" tprof-lx record --watermark 0 -a
	must_fail 2 "flush-ms" tprof-lx record --flush-ms 0 -a
	must_fail 2 "idle" tprof-lx record -p 0
	must_fail 2 "1 ms" tprof-lx record --off-cpu=0 -a
	must_fail 2 "all-user" tprof-lx record --off-cpu --all-user -a
	must_fail 2 "leave out one" tprof-lx record --off-cpu -e nmi,off-cpu -a
	must_fail 2 "modifier I" tprof-lx stat -e cycles:I -- true
	must_fail 2 "." tprof-lx script -F nonesuch -i /dev/null
}

test_impossible_rate_names_the_bounds()
{
	must_fail 1 "100000|100,000" tprof-lx record -F 900000 -a --duration 1
}

test_missing_module_says_what_to_do()
{
	rmmod tprof-lx-burn tprof-lx-fake tprof-lx
	must_fail 1 "modprobe tprof-lx" tprof-lx record -- true
	must_fail 1 "modprobe tprof-lx" tprof-lx list
	load_modules tprof-lx tprof-lx-fake tprof-lx-burn || fail "cannot load"
}

test_unprivileged_user_gets_the_reason()
{
	chmod 755 "$dir" "$TPROF_WORK"
	must_fail 1 "permission|CAP_PERFMON|root" \
		setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$(command -v tprof-lx)" record -o /dev/null -- true
}

# Run a command with a module that seems to lack feature bit $1. The command must be
# refused with text $2, before it opens its output.
must_lack()
{
	must_fail 1 "$2; .*update and reload it" \
		env LACKING=$((1 << $1)) LD_PRELOAD="$TPROF_TESTS/lacking.so" "${@:3}"
	[ ! -e lacking.data ] || fail "there is a recording"
}

test_features_that_the_module_lacks_are_refused()
{
	[ -e "$TPROF_TESTS/lacking.so" ] || skip "not built here"
	must_lack 19 'does not stall events' tprof-lx record --stall -o lacking.data -- true
	must_lack 16 'does not count by thread' tprof-lx record -s -o lacking.data -- true
	must_lack 11 'does not record single threads' tprof-lx record -t $$ -o lacking.data
	must_lack 25 'has no parallelism for --latency' tprof-lx record --latency -o lacking.data -- true
	must tprof-lx record --stall -o lacking.data -- true
}

# Nothing is lost silently if a standard stream is closed, and no file gets its number.
test_closed_streams_are_errors()
{
	local status=0

	timeout 60 tprof-lx record -e nmi -o - -- true >&- 2>err || status=$?
	{ [ $status -eq 1 ] && grep -q 'stdout: Bad file descriptor' err; } ||
		{ cat err; fail "status $status of record"; }
	! tprof-lx stat -e tsc -- true 2>&- || fail "stat lost its counts"
	! tprof-lx stat -e tsc -o - -- true >&- 2>err || fail "stat lost its counts"
	tprof-lx record -q -o x.data -- sh -c '[ ! -e /proc/self/fd/1 ]' >&- ||
		fail "the command has another stdout"
}

test_full_disk_is_named()
{
	must_fail 1 'No space left' tprof-lx stat -e tsc -o /dev/full -- true
	must_fail 1 'No space left' tprof-lx stat -I 100 -e tsc -o /dev/full -- sleep 0.3
	must_fail 1 'No space left' tprof-lx record -o /dev/full -- true
}

test_json_output_is_valid()
{
	must tprof-lx record -- "$hotcold" 0.5
	for command in list info "info -i tprof.data" "script -t sample"; do
		# shellcheck disable=SC2086
		tprof-lx $command --json >json || fail "$command --json"
		python3 -c 'import json, sys
for text in ([sys.stdin.read()] if sys.argv[1] == "whole" else sys.stdin):
    json.loads(text)' "$([ "$command" = "script -t sample" ] || echo whole)" <json ||
			fail "$command --json is not"
	done
}

test_info_lists_running_sessions()
{
	tprof-lx record -a -o x.data >log 2>&1 & recorder=$!
	for _ in $(seq 100); do
		must tprof-lx info
		grep -qE "^  tprof-lx  +pid $recorder, running, 1 events; samples: [1-9]" out &&
			break
		sleep 0.1
	done
	tprof-lx info --json >json
	kill -INT "$recorder"
	wait "$recorder" || { cat log; fail "status $?"; }
	grep -qE "pid $recorder, running, .* 0 lost" out ||
		{ cat out; fail "info does not list the session"; }
	python3 -c 'import json, sys
[session] = json.load(open("json"))["session_list"]
assert session["pid"] == int(sys.argv[1]) and session["taken"] > 0
assert session["state"] == "running"' "$recorder" || { cat json; fail "info --json"; }
}

test_info_counts_calls_and_buffers()
{
	tprof-lx info --json >before || fail "no info"
	must tprof-lx record -q -o x.data -- true
	tprof-lx info --json >after || fail "no info"
	python3 -c 'import json
before, after = json.load(open("before")), json.load(open("after"))
assert after["calls"] > before["calls"] > before["calls_failed"]
assert after["calls_failed"] >= before["calls_failed"]
assert after["buffers"] > before["buffers"]
assert after["buffers_failed"] == before["buffers_failed"]
assert after["ipi_calls"] > before["ipi_calls"]
assert after["cpu_works"] >= before["cpu_works"]
assert after["grace_periods"] > before["grace_periods"]
assert after["total_rounds"] > before["total_rounds"]
assert after["total_lost"] == before["total_lost"]' ||
		{ cat before after; fail "wrong counts"; }
	tprof-lx info >text
	grep -qE '^calls that failed +[0-9]' text || { cat text; fail "no calls in text"; }
}

test_info_lists_who_samples_what()
{
	must tprof-lx info --who
	must_fail 2 "leave out -i" tprof-lx info --who -i x.data
	must tprof-lx record -q -a -e timer:u -F 500 -o x.data -- \
		sh -c 'sleep 1; tprof-lx info --who >text; tprof-lx info --who --json >json'
	grep -qE '^ *[0-9]+ tprof-lx +0 timer +timer +system +user +500 Hz running +[0-9.]+ +[0-9.]+%' \
		text || { cat text; fail "no line of the event"; }
	grep -qE '^ +0 +[0-9.]+%  [0-9.]+%; [0-9.]+%, at [0-9]+ ns' text ||
		{ cat text; fail "no line of CPU 0"; }
	python3 -c 'import json
who = json.load(open("json"))
[event] = who["events"]
assert event["comm"] == "tprof-lx" and event["uid"] == 0 and event["state"] == "running"
assert event["backend"] == event["event"] == "timer" and event["freq"] == 500
assert event["excludes"] == ["kernel"] and event["scope"] == "system" and event["all_cpus"]
assert event["ran_ns"] > 0 and event["handler_ns"] > 0 and event["around_ns"] > 0
assert event["interrupts"] > 0 and event["taken"] > 0
for cpu in who["cpus"]:
	[part] = [part for part in event["cpus"] if part["cpu"] == cpu["cpu"]]
	assert cpu["handlers_percent"] > 0 and cpu["around_percent"] > 0
	assert part["around_ns"] > 0 and cpu["around_ns_of_interrupt"] > 0
assert sum(part["ran_ns"] for part in event["cpus"]) >= event["ran_ns"]' ||
		{ cat json; fail "wrong JSON"; }
}

test_info_escapes_control_characters()
{
	unshare -u sh -c 'printf "a\033[2Jb" >/proc/sys/kernel/hostname; exec tprof-lx record -q -- true' ||
		fail "status $?"
	must tprof-lx info -i tprof.data
	grep -qF 'a\x1b[2Jb' out || { cat -v out; fail "the host name is not escaped"; }
	! grep -q "$(printf '\033')" out || { cat -v out; fail "an escape sequence"; }
}

test_list_has_the_back_ends()
{
	must tprof-lx list
	if ! grep -q '^ *nmi' out || ! grep -q '^ *timer' out; then
		cat out
		fail "a back end is missing"
	fi
}

test_list_picks_by_name()
{
	must tprof-lx list 'nm[i]' timer
	[ "$(grep -cE '^ *(nmi|timer)' out)" = 2 ] || { cat out; fail "not exactly nmi and timer"; }
	must_fail 1 "no event fits 'xyzzy'" tprof-lx list xyzzy
}

test_list_knows_other_processors()
{
	must tprof-lx list --cpu skx 'inst_retired:any*'
	grep -A5 '^  INST_RETIRED ' out >event
	grep -q '^    :ANY_P' event || { cat out; fail "INST_RETIRED:ANY_P is missing"; }
	! grep -q PREC_DIST out || fail "other unit masks are listed"
	tprof-lx list --cpu amd64_fam19h_zen3 --json >json || fail "list --json"
	python3 -c 'import json
events = {e["name"]: e for e in json.load(open("json"))}
assert events["RETIRED_INSTRUCTIONS"]["code"] == "0xc0"
masks = {u["name"]: u["code"] for u in events["RETIRED_SSE_AVX_FLOPS"]["umasks"]}
assert masks["ANY"] == "0xf00"' || fail "events of zen3"
	must_fail 2 "'skl' or 'skx'" tprof-lx list --cpu skz
	must tprof-lx list --cpu help
	grep -q '^  skx  *Intel Skylake X' out || { cat out; fail "skx is not listed"; }
}

test_event_without_counters_says_why()
{
	must tprof-lx list --json
	! grep -q '"counter"' out || skip "there are counters"
	must_fail 1 "needs a hardware counter.*nmi" tprof-lx record -e cycles -- true
	must_fail 1 "needs a hardware counter" tprof-lx record -e r01c2 -- true
	must_fail 2 "'cycles'" tprof-lx record -e cylces -- true
	must_fail 2 "group" tprof-lx record -e '{nmi,timer}' -- true
	must_fail 2 "precise" tprof-lx record -e cycles:pp -- true
	must_fail 2 "stat" tprof-lx record -e tsc -- true
}

test_default_event_is_printed()
{
	must tprof-lx record -o x.data -- true
	grep -qE 'sampling by event (cycles|nmi|timer)' out || { cat out; fail "the event is not printed"; }
	must tprof-lx record -q -o x.data -- true
	[ ! -s out ] || { cat out; fail "-q printed something"; }
}

main "$@"
