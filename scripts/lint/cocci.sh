#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run coccinelle on the module and on the test modules, with the kernel's checks and those
# in this directory.

set -u -o pipefail

. "$(dirname "$0")/../sources.sh"

readonly theirs=$TPROF_SOURCE/scripts/coccinelle

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Run one check over some sources. Print only its findings to stdout.
check()
{
	local rule=$1 name options

	shift
	name=$(basename "$rule" .cocci)
	read -ra options < <(sed -n 's,^// Options:,,p' "$rule")
	if ! spatch -D report --very-quiet --no-show-diff "${options[@]}" \
		-I kmod -I include/uapi --cocci-file "$rule" "$@" \
		>"$out/$name.found" 2>"$out/$name.errors"; then
		echo "$name: coccinelle cannot run it"
		cat "$out/$name.errors"
	fi
	grep . "$out/$name.found"
}

# Test that a check of the kernel and one of this directory find a mistake.
check_checks()
{
	cat >"$out/mistakes.c" <<-END
	int mistake(struct thing *thing)
	{
		kfree(thing);
		return copy_to_user(thing->to, thing->from, thing->bytes);
	}
	END
	check "$theirs/free/kfree.cocci" "$out/mistakes.c" >"$out/freed"
	check scripts/lint/copied.cocci "$out/mistakes.c" >"$out/copied"
	grep -q 'reference preceded by free' "$out/freed" &&
		grep -q 'bytes that were left' "$out/copied"
}

export -f check
export out
mapfile -t sources < <(c_sources kmod selftests/modules | grep '\.c$')
# Skip the check that is written in OCaml, as it needs an OCaml compiler.
mapfile -t rules < <(grep -lr --include='*.cocci' '^virtual report' "$theirs" scripts/lint |
	xargs grep -L 'script:ocaml')
[ ${#rules[@]} -gt 50 ] || die "only ${#rules[@]} checks are there"
check_checks || die "the checks find nothing"
printf '%s\n' "${rules[@]}" |
	xargs -P "$(nproc)" -I{} bash -c "check {} ${sources[*]}" >"$out/all"
echo "${#rules[@]} checks"
! grep . "$out/all"
