#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check the manual pages, the shell completions and the standard streams. This needs no
# guest, as the module is not used.
#
# usage: test.sh [NAME]		run one test; or all, with a result line for each

TPROF_TOP=$(cd "$(dirname "$0")/../.." && pwd)
TPROF_WORK=${TMPDIR:-/tmp}
TPROF_TESTS=$TPROF_TOP/build/selftests
export TPROF_TOP TPROF_WORK TPROF_TESTS PATH=$TPROF_TOP/build/tools:$PATH
. "$TPROF_TOP/selftests/e2e/lib.sh"

readonly docs=$TPROF_TOP/build/tools

test_pages_are_clean()
{
	local page

	for page in "$docs"/man/*; do
		must mandoc -T lint -W warning "$page"
		must mandoc -T utf8 "$page"
	done
	[ "$(find "$docs/man" -type f | wc -l)" -ge 10 ] || fail "pages are missing"
}

# Each command must have a manual page that describes all its options.
test_pages_have_all_options()
{
	local command option

	tprof-lx --help | awk '/^ +[a-z]+ +[a-z]/ { print $1 }' >commands
	[ "$(wc -l <commands)" -ge 8 ] || fail "commands are missing"
	while read -r command; do
		mandoc -T ascii "$docs/man/tprof-lx-$command.1" | col -b >page ||
			fail "no page of $command"
		for option in $(tprof-lx "$command" --help | grep -oE '^ +(-.,)? +--[a-z-]+' |
			grep -oE -- '--[a-z-]+'); do
			grep -qE -- "(^| )$option([[ ]|\$)" page || fail "no $option of $command"
		done
	done <commands
}

# Print lines "TYPED|SHOWN": after TYPED and a tab, the shell must show SHOWN. If SHOWN
# begins with @, the shell must not show the rest of it.
typed_and_shown()
{
	cat <<-END
	tprof-lx rec|tprof-lx record
	tprof-lx help rep|tprof-lx help report
	tprof-lx record --all-k|tprof-lx record --all-kernel
	tprof-lx record -e bus|-e bus-cycles
	tprof-lx record -e nmi -e bus|-e nmi -e bus-cycles
	tprof-lx record -e nmi,bus|-e nmi,bus-cycles
	tprof-lx record -e cycles:u,bus|-e cycles:u,bus-cycles
	tprof-lx record --event=bus|--event=bus-cycles
	tprof-lx record -o so|-o some.data
	tprof-lx report --input=so|--input=some.data
	tprof-lx report --symfs pla|--symfs place
	tprof-lx control -C 0 dis|-C 0 disable
	tprof-lx control disable en|@enable
	tprof-lx --ver|--version
	tprof-lx list bus|list bus-cycles
	tprof-lx diff so|diff some.data
	tprof-lx diff --js|diff --json
	tprof-lx merge -o so|-o some.data
	tprof-lx merge so|merge some.data
	tprof-lx filter -i so|-i some.data
	tprof-lx filter -o x --us|-o x --user-only
	tprof-lx export speed|export speedscope
	tprof-lx push --spool pla|--spool place
	tprof-lx push --token-file so|--token-file some.data
	tprof-lx export -i so|-i some.data
	tprof-lx export pprof --inl|pprof --inline
	tprof-lx export pprof -i so|-i some.data
	tprof-lx export pprof speed|@speedscope
	tprof-lx diff some.data --htm|some.data --html
	tprof-lx list nmi --jso|@--json
	tprof-lx record -a -- tprof-c|-a -- tprof-command
	tprof-lx record tprof-c|record tprof-command
	tprof-lx record -o x -e cycles:u -- tprof-c|-- tprof-command
	tprof-lx stat -e nmi -- cat so|cat some.data
	tprof-lx record -- ls --alm|ls --almost-all
	tprof-lx record -- ls --all-k|@--all-kernel
	tprof-lx info so|@some.data
	tprof-lx bogus so|@some.data
	END
}

# Run the command in the arguments with each TYPED text, and check its output.
each_typed()
{
	local line typed shown

	touch some.data
	mkdir -p place bin
	printf '#!/bin/sh\n' >bin/tprof-command
	chmod +x bin/tprof-command
	export PATH=$PWD/bin:$PATH
	while IFS= read -r line; do
		typed=${line%|*} shown=${line#*|}
		"$@" "$typed" >out </dev/null || { cat out; fail "typing '$typed'"; }
		if [ "${shown#@}" != "$shown" ]; then
			! grep -qF -- "${shown#@}" out || { cat out; fail "'$typed' gives ${shown#@}"; }
		else
			grep -qF -- "$shown" out || { cat out; fail "'$typed' is not $shown"; }
		fi
	done < <(typed_and_shown)
}

type_into()
{
	"$TPROF_TOP/selftests/manual/type.py" "$@"
}

type_into_bash()
{
	type_into ". /usr/share/bash-completion/bash_completion" "$1" bash --norc -i
}

test_bash_completes()
{
	[ -r /usr/share/bash-completion/bash_completion ] || skip "no bash-completion here"
	mkdir -p completions
	cp "$docs/completions/tprof-lx.bash" completions/tprof-lx
	export BASH_COMPLETION_USER_DIR=$PWD
	each_typed type_into_bash
}

type_into_zsh()
{
	type_into "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump" \
		"$1" zsh -f -i
}

test_zsh_completes()
{
	command -v zsh >/dev/null || skip "no zsh here"
	mkdir functions
	cp "$docs/completions/tprof-lx.zsh" functions/_tprof-lx
	each_typed type_into_zsh
}

# fish prints only the completed words, so put the typed line before them.
ask_fish()
{
	HOME=$PWD fish -c "source '$docs/completions/tprof-lx.fish'; complete -C '$1'" |
		cut -f1 | sed "s|^|${1% *} |; s|^.* \(--.*=.*\)|\1|"
}

test_fish_completes()
{
	command -v fish >/dev/null || skip "no fish here"
	each_typed ask_fish
}

# stdout and stderr are checked at the end of every command.
test_lost_output_is_an_error()
{
	local command

	for command in "list --names" doctor help --version "report --help"; do
		# shellcheck disable=SC2086
		! tprof-lx $command >&- 2>out || fail "status 0 of $command"
		grep -q 'Bad file descriptor' out || { cat out; fail "no reason from $command"; }
		# shellcheck disable=SC2086
		! tprof-lx $command >/dev/full 2>out || fail "status 0 of $command"
		grep -q 'No space left' out || { cat out; fail "no reason from $command"; }
	done
	must tprof-lx list --names 2>&-
	must tprof-lx list --names <&-
}

# Run all tests. Show the output of a failed test, and the reason of a skipped one.
run_all()
{
	local name names log status failed=0

	log=$(mktemp)
	mapfile -t names < <(sed -n 's/^test_\(.*\)()$/\1/p' "$0")
	for name in "${names[@]}"; do
		status=0
		"$0" "$name" >"$log" 2>&1 || status=$?
		case $status in
		0) echo "ok $name" ;;
		4) echo "skip $name $(sed -n 's/^# SKIP/#/p' "$log")" ;;
		*)
			failed=1
			sed 's/^/    | /' "$log"
			echo "not ok $name # status $status" ;;
		esac
	done
	rm "$log"
	return $failed
}

if [ $# -eq 0 ]; then
	run_all
else
	main "$1"
fi
