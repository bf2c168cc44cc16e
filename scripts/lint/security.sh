#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Check that each line of the tables in Documentation/security.md has the name of a test,
# and that the named tests exist.

set -u

. "$(dirname "$0")/../sources.sh"

# Print the source file of a test program or script, e.g. of e2e/record.
file_of()
{
	case $1 in
	debug) echo selftests/debug/end_test.sh ;;
	e2e/*) echo "selftests/e2e/${1#*/}_test.sh" ;;
	*) echo "selftests/guest/${1}_test.c" ;;
	esac
}

# Does the test exist? In open/node.is_for_root_only, the function after the dot is the
# test.
exists()
{
	local file name=${1##*/}

	file=$(file_of "${1%/*}")
	name=${name##*.}
	[ -e "$file" ] || return
	[ "$name" != '*' ] || return 0
	grep -qE "^test_$name\(\)|^TEST[A-Z_]*\(.*\<$name\>" "$file"
}

status=0
# shellcheck disable=SC2016	# quotes of the text
while read -r test; do
	exists "$test" || { say "there is no test $test"; status=1; }
done < <(grep '^|' Documentation/security.md | grep -oE '`[a-z0-9_]+/[a-z0-9_./*]+`' |
	tr -d '`' | sort -u)

# Check unit tests, in the form `x_test`, and fuzzers, in the form `fuzz` reader.
# shellcheck disable=SC2016	# quotes of the text
while read -r test; do
	[ -n "$(find selftests/unit -name "$test.*")" ] ||
		{ say "there is no unit test $test"; status=1; }
done < <(grep '^|' Documentation/security.md | grep -oE '`[a-z0-9_]+_test`' | tr -d '`' | sort -u)
# shellcheck disable=SC2016	# quotes of the text
while read -r _ target; do
	[ -e "selftests/fuzz/${target}_fuzzer.c" ] ||
		{ say "nothing fuzzes '$target'"; status=1; }
done < <(grep '^|' Documentation/security.md | grep -oE '`fuzz` [a-z]+')

# The last column of each line must have a test in `quotes`, or begin with the word unit.
while read -r line; do
	[[ $line =~ \|[^\|]*(\`[^\|]*|unit[^\|]*)\|$ ]] || { say "no test in: $line"; status=1; }
done < <(grep '^|' Documentation/security.md | grep -vE '^\|(---|.*\| Test \|$)')
exit $status
