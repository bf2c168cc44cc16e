#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run steps.sh in a chroot of a fresh Debian 12. Skipped if Debian cannot be fetched.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
here=$TPROF_TOP/selftests/install

if [ "$(id -u)" != 0 ]; then
	echo "skip install  # only root can make a chroot"
	exit
fi
if ! tarball=$("$here/image.sh"); then
	echo "skip install  # no Debian 12 could be fetched to install it in"
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
"$here/packages.sh"
tar -C "$root" -xf "$tarball" --exclude=./proc
mkdir "$root/packages"
cp -r "$TPROF_TOP/build/install/." "$root/packages/"
cp "$here/steps.sh" "$root/packages/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# The root is deleted at the end, so dpkg need not wait for the disk.
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
# Packages must not start services in the chroot.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
chroot "$root" /packages/steps.sh /packages chroot
