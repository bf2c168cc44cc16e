#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build Debian source and binary packages in DIR, from the tarball of make dist. lintian must
# find nothing in them.
#
# usage: deb.sh [DIR]	(build/deb)

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

tarball=$(scripts/dist.sh)
version=$(tarball_version "$tarball")
out=${1:-build/deb}
rm -rf "$out"
mkdir -p "$out"
cp "$tarball" "$out/tprof-lx_$version.orig.tar.gz"
tar -C "$out" -xf "$tarball"
cd "$out/tprof-lx-$version"
cp -r packaging/debian debian
dpkg-buildpackage -us -uc
cd ..
# Ignore tags that matter only for Debian's archive, and tags about the names of
# distributions and versions of standards, which lintian of other releases does not know.
lintian --suppress-tags \
	initial-upload-closes-no-bugs,no-homepage-field,debian-watch-file-is-missing \
	--suppress-tags bad-distribution-in-changes-file,out-of-date-standards-version \
	--fail-on error,warning,info,pedantic --display-info --pedantic ./*.changes
ls "$PWD"/*.deb
