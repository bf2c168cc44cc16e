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
mkdir "$out/sources"

# Run check $1 on all sources in directory $2. Print only its findings to stdout. With
# --dir, each file is checked by itself, and files without the words of the check are
# skipped. If spatch gets several files by name, it takes them for one program, and misses
# mistakes.
check()
{
	local rule=$1 dir=$2 name options

	name=$(basename "$rule" .cocci)
	read -ra options < <(sed -n 's,^// Options:,,p' "$rule")
	if ! spatch -D report --very-quiet --no-show-diff "${options[@]}" \
		-I kmod -I include/uapi --cocci-file "$rule" --dir "$dir" \
		>"$out/$name.found" 2>"$out/$name.errors"; then
		echo "$name: coccinelle cannot run it"
		cat "$out/$name.errors"
	fi
	sed "s,^$dir/,," "$out/$name.found" | grep .
}

# Test that a check of the kernel and one of this directory find a mistake.
check_checks()
{
	mkdir "$out/mistakes"
	cat >"$out/mistakes/mistakes.c" <<-END
	int mistake(struct thing *thing)
	{
		kfree(thing);
		return copy_to_user(thing->to, thing->from, thing->bytes);
	}
	END
	check "$theirs/free/kfree.cocci" "$out/mistakes" >"$out/freed"
	check scripts/lint/copied.cocci "$out/mistakes" >"$out/copied"
	grep -q 'reference preceded by free' "$out/freed" &&
		grep -q 'bytes that were left' "$out/copied"
}

export -f check
export out
# mistake.c makes mistakes on purpose.
c_sources kmod selftests/modules | grep -v '/mistake\.c$' | xargs cp --parents -t "$out/sources"
# Skip the check that is written in OCaml, as it needs an OCaml compiler. Skip minmax, which
# checks style only, and takes as long as 30 others.
mapfile -t rules < <(grep -lr --include='*.cocci' '^virtual report' "$theirs" scripts/lint |
	xargs grep -L 'script:ocaml' | grep -v '/minmax\.cocci$')
[ ${#rules[@]} -gt 50 ] || die "only ${#rules[@]} checks are there"
check_checks || die "the checks find nothing"
printf '%s\n' "${rules[@]}" |
	xargs -P "$(nproc)" -I{} bash -c "check {} $out/sources" >"$out/all"
echo "${#rules[@]} checks"
! grep . "$out/all"
