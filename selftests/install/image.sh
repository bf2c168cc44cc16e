#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a tarball of a fresh Debian with debootstrap: the base system, a kernel and sudo, with
# all updates. Print its path. The tarball is made again after a week. It has no initramfs: it
# takes a minute to make one, and only vm.sh boots. The kernel of Debian 13 is that of its
# backports, the main kernel of the tests.
#
# usage: image.sh VERSION	(of Debian: 12 or 13)

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/apt.sh"
. "$(dirname "$0")/../../scripts/debian.sh"

codename=$(debian_codename "$1")
tarball=$TPROF_CACHE/images/debian$1.tar
mkdir -p "${tarball%/*}"
exec {lock}>"$tarball.lock"
flock "$lock"
if [ -z "$(find "$tarball" -mtime -7 2>/dev/null)" ]; then
	[ "$(id -u)" = 0 ] || die "only root can make the image"
	dir=$(mktemp -d -p "$TPROF_CACHE")
	trap 'rm -rf "$dir"' EXIT
	# It becomes the root directory, which all users must be able to search.
	chmod 755 "$dir"
	make_debian "$codename" "$dir" systemd-sysv udev sudo procps iproute2 >&2
	if [ "$1" = 13 ]; then
		source_lines deb "$(mirror)" "$codename-backports" >>"$dir/etc/apt/sources.list"
		printf '%s\n' 'Package: linux-*' "Pin: release n=$codename-backports" \
			'Pin-Priority: 500' >"$dir/etc/apt/preferences.d/kernel"
	fi
	chroot "$dir" sh -c 'export DEBIAN_FRONTEND=noninteractive
		apt-get -q update && apt-get -q -y upgrade &&
		dpkg-divert --local --rename --add /usr/sbin/update-initramfs &&
		ln -s /bin/true /usr/sbin/update-initramfs &&
		apt-get -q -y install initramfs-tools linux-image-amd64 && apt-get clean' >&2
	tar -C "$dir" -cf "$tarball.new" .
	mv "$tarball.new" "$tarball"
fi
echo "$tarball"
