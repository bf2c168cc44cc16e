#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a command in a root directory with another release of Debian, which debootstrap makes
# once in the cache. The command sees this source tree and the cache at their paths, and
# begins in this directory.
#
# The headers of a kernel have programs that need the C library of the release that built
# it, and often its compiler.
#
# usage: root.sh RELEASE [-p PACKAGE]... COMMAND [ARGUMENT ...]	(bookworm, trixie, sid)
#
# With -p, install PACKAGE first unless the root has it.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/debian.sh"

usage="usage: root.sh RELEASE [-p PACKAGE]... COMMAND [ARGUMENT ...]"

# What building a module for a kernel of each release takes. Its headers depend on it, but are
# only unpacked.
packages()
{
	echo make pahole zlib1g kmod sparse
	case $release in
	bookworm) echo gcc-12 libelf1 libssl3 ;;
	trixie) echo gcc-14 libelf1t64 libssl3t64 ;;
	sid) echo gcc-16 libelf1t64 libssl3t64 ;;
	*) die "unknown release '$release': give bookworm, trixie or sid" ;;
	esac
}

make_root()
{
	local wanted include

	wanted=$(packages | xargs)
	read -ra include <<<"$wanted"
	[ "$(id -u)" = 0 ] || die "only root can make a root directory: run 'make deps' as root"
	command -v debootstrap >/dev/null || die "debootstrap is missing: run 'make deps'"
	say "making a Debian $release in $root"
	rm -rf --one-file-system "$root.new"
	make_debian "$release" "$root.new" "${include[@]}"
	mv "$root.new" "$root"
}

# Run a command in the root. The mounts end with it, since their name space does.
enter()
{
	# shellcheck disable=SC2016	# the variables of the inner shell
	unshare --mount --propagation private sh -euc '
		root=$1 top=$2 cache=$3 here=$4
		shift 4
		mount --rbind /dev "$root/dev"
		mount -t proc proc "$root/proc"
		mount -t tmpfs tmpfs "$root/tmp"
		mkdir -p "$root$top" "$root$cache"
		mount --bind "$top" "$root$top"
		mount --rbind "$cache" "$root$cache"
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
			sh -c '\''cd "$0" && exec "$@"'\'' "$here" "$@"
	' sh "$root" "$TPROF_TOP" "$TPROF_CACHE" "$PWD" "$@"
}

install_in_root()
{
	local missing

	mapfile -t missing < <(DPKG_ADMINDIR=$root/var/lib/dpkg missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	say "installing ${missing[*]} in $root"
	cp /etc/resolv.conf "$root/etc/"
	enter sh -euc 'apt-get -qq update
		DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
			install --no-install-recommends "$@"' sh "${missing[@]}" >"$root.log" 2>&1 ||
		{ tail -n 20 "$root.log" >&2; die "could not install: ${missing[*]}"; }
}

[ $# -ge 1 ] || die "$usage"
readonly release=$1 root=$TPROF_CACHE/roots/$1
shift
more=()
while [ "${1:-}" = -p ]; do
	more+=("${2:?$usage}")
	shift 2
done
[ $# -gt 0 ] || die "$usage"
mkdir -p "$TPROF_CACHE/roots"
exec {lock}>"$root.lock"
flock "$lock"
[ -d "$root" ] || make_root
[ ${#more[@]} -eq 0 ] || install_in_root "${more[@]}"
exec {lock}>&-
enter "$@"
