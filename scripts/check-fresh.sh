#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the checks that fail if scripts/deps.sh misses a dependency, on a new Debian 12 and on
# a new Debian 13, or on the one that is given. It has only make and git. debootstrap makes it;
# it is removed at the end. The committed version is checked. The last line of output is that
# of make check. What debootstrap and dpkg-deb have unpacked of other releases is shared: the
# kernels, the package lists, the roots that build modules, and the images that packages are
# installed in. To unpack it takes no other packages.
#
# usage: check-fresh.sh [12|13] [PART ...]	(unit packages demo)

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/debian.sh"

case ${1:-} in
12 | 13) ;;
*)
	status=0
	for version in 12 13; do
		"$0" $version "$@" || status=1
	done
	exit $status
	;;
esac
readonly version=$1
shift
[ "$(id -u)" = 0 ] || die "only root can make a root file system: sudo make check-fresh"
command -v debootstrap >/dev/null || die "debootstrap is missing: run 'make deps'"
[ $# -gt 0 ] || set -- unit packages demo

readonly shared=("$TPROF_KERNELS" "$TPROF_APT" "$TPROF_CACHE"/{roots,images})
mkdir -p "${shared[@]}"
root=$(mktemp -d -p "$TPROF_CACHE" fresh.XXXXXX)
# It becomes the root directory, which all users must be able to search.
chmod 755 "$root"
leave()
{
	local place

	for place in dev/pts dev/shm dev proc sys tmp run "${shared[@]#/}" .; do
		! mountpoint -q "$root/$place" || umount "$root/$place" || return
	done
	rm -rf --one-file-system "$root"
}
trap leave EXIT

say "making a Debian $version in $root"
make_debian "$(debian_codename "$version")" "$root" make git ca-certificates

# Give it this machine's CA certificates.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

# Make each mount private. If this machine's mounts are shared, the mounts below
# the root would otherwise propagate to other mount namespaces.
mount --bind "$root" "$root"
mount --make-private "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
for place in dev dev/pts "${shared[@]#/}"; do
	mkdir -p "$root/$place"
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
