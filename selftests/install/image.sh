#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make a tarball of a fresh Debian 12 with debootstrap: the base system, a kernel and
# sudo, with all updates. Print its path. The tarball is made again after a week. It has no
# initramfs: it takes a minute to make one, and only vm.sh boots.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

tarball=$TPROF_CACHE/debian12.tar
if [ -z "$(find "$tarball" -mtime -7 2>/dev/null)" ]; then
	[ "$(id -u)" = 0 ] || die "only root can make the image"
	dir=$(mktemp -d -p "$TPROF_CACHE")
	trap 'rm -rf "$dir"' EXIT
	debootstrap --variant=minbase --include=systemd-sysv,udev,sudo,procps,iproute2 \
		bookworm "$dir" >&2
	mirror=$(sed -nE 's,^deb (\S+) .*,\1,p' "$dir/etc/apt/sources.list" | head -n 1)
	cat >"$dir/etc/apt/sources.list" <<-END
	deb $mirror bookworm main
	deb $mirror bookworm-updates main
	deb $mirror-security bookworm-security main
	END
	cp /etc/resolv.conf "$dir/etc/resolv.conf"
	chroot "$dir" sh -c 'export DEBIAN_FRONTEND=noninteractive
		apt-get -q update && apt-get -q -y upgrade &&
		dpkg-divert --local --rename --add /usr/sbin/update-initramfs &&
		ln -s /bin/true /usr/sbin/update-initramfs &&
		apt-get -q -y install linux-image-amd64 && apt-get clean' >&2
	tar -C "$dir" -cf "$tarball.new" .
	mv "$tarball.new" "$tarball"
fi
echo "$tarball"
