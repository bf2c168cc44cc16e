#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Pack the sources of HEAD as build/dist/tprof-lx-VERSION.tar.gz. The tarball of a commit
# is reproducible. Without .git, as in a tree unpacked from such a tarball, pack the whole
# tree.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

# Pack HEAD, with the version in HEAD's dkms.conf.
committed()
{
	[ -z "$(git status --porcelain --untracked-files=no)" ] ||
		say "changes that are not committed are left out" >&2
	version=$(git show HEAD:dkms.conf | dkms_conf PACKAGE_VERSION -)
	git -c tar.umask=0022 archive --format=tar --prefix="tprof-lx-$version/" HEAD
}

unpacked()
{
	tar -cf - --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w \
		--exclude=./build --transform "s,^\.,tprof-lx-$version," .
}

version=$(dkms_conf PACKAGE_VERSION)
mkdir -p build/dist
if [ -e .git ]; then
	committed >build/dist/new
else
	unpacked >build/dist/new
fi
gzip -9 -n <build/dist/new >"build/dist/tprof-lx-$version.tar.gz"
rm build/dist/new
echo "build/dist/tprof-lx-$version.tar.gz"
