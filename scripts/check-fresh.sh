#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the checks that fail if scripts/deps.sh misses a dependency, on a new Debian 12 that
# has only make and git. debootstrap makes it; it is removed at the end. The committed
# version is checked. The last line of output is that of make check. The kernels that make
# deps has unpacked are shared: to unpack them takes no other packages.
#
# usage: check-fresh.sh [PART ...]	(unit packages demo)

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] || die "only root can make a root file system: sudo make check-fresh"
command -v debootstrap >/dev/null || die "debootstrap is missing: run 'make deps'"
[ $# -gt 0 ] || set -- unit packages demo

mkdir -p "$TPROF_KERNELS"
root=$(mktemp -d -p "$TPROF_CACHE" fresh.XXXXXX)
# It becomes the root directory, which all users must be able to search.
chmod 755 "$root"
leave()
{
	local place

	for place in dev/pts dev/shm dev proc sys tmp run "${TPROF_KERNELS#/}" .; do
		! mountpoint -q "$root/$place" || umount "$root/$place" || return
	done
	rm -rf --one-file-system "$root"
}
trap leave EXIT

say "making a Debian 12 in $root"
debootstrap --variant=minbase --include=make,git,ca-certificates bookworm "$root" \
	>"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; die "debootstrap failed"; }
rm -f "$root.log"

# This root is deleted at the end, so dpkg need not wait for the disk.
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"

# Give it this machine's name servers, Debian mirrors and CA certificates.
cp /etc/resolv.conf "$root/etc/"
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list /etc/apt/sources.list.d "$root/etc/apt/" 2>/dev/null || true
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

# Make each mount private. If this machine's mounts are shared, the mounts below
# the root would otherwise propagate to other mount namespaces.
mount --bind "$root" "$root"
mount --make-private "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mkdir -p "$root$TPROF_KERNELS"
for place in dev dev/pts "${TPROF_KERNELS#/}"; do
	mount --bind "/$place" "$root/$place"
	mount --make-private "$root/$place"
done
for place in tmp run dev/shm; do
	mount -t tmpfs tmpfs "$root/$place"
done
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"

git clone --quiet --bare "$TPROF_TOP" "$root/tprof-lx.git"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
	TPROF_CACHE="$TPROF_CACHE" \
	PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
	chroot "$root" sh -euc '
		git clone --quiet /tprof-lx.git /root/tprof-lx
		cd /root/tprof-lx
		exec make --no-print-directory check PARTS="$*"' sh "$@" </dev/null
