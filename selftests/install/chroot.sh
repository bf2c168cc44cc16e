#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run steps.sh in a chroot of a fresh Debian. Skipped if Debian cannot be fetched.
#
# usage: chroot.sh [VERSION]	(of Debian: 12 or 13; by default that of this machine)

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/debian.sh"
debian=${1:-$(debian_version)}
here=$TPROF_TOP/selftests/install

if [ "$(id -u)" != 0 ]; then
	echo "skip install  # only root can make a chroot"
	exit
fi
if ! tarball=$("$here/image.sh" "$debian"); then
	echo "skip install  # no Debian $debian could be fetched to install it in"
	exit
fi
root=$(mktemp -d -p "$TPROF_CACHE")
leave()
{
	umount "$root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$root"
}
trap leave EXIT
mkdir "$root/proc"
if ! mount -t proc proc "$root/proc"; then
	echo "skip install  # nothing can be mounted here"
	exit
fi
"$here/packages.sh" "$debian"
tar -C "$root" -xf "$tarball" --exclude=./proc
mkdir "$root/packages"
cp -r "$TPROF_TOP/build/install/$debian/." "$root/packages/"
cp "$here/steps.sh" "$root/packages/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Packages must not start services in the chroot.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
chroot "$root" /packages/steps.sh /packages chroot
