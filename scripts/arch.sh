#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build Arch packages in build/arch. On other distributions, dependencies are not
# checked.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

tarball=$(scripts/dist.sh)
version=$(tarball_version "$tarball")
rm -rf build/arch
mkdir -p build/arch
# makepkg refuses to run as root, and other users may have no access to this tree, so
# build in a temporary directory.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$tarball" "$dir/"
tar -xOf "$tarball" "tprof-lx-$version/packaging/PKGBUILD" |
	sed -e "s/@VERSION@/$version/" \
		-e "s/@SHA256@/$(sha256sum "$tarball" | cut -d' ' -f1)/" >"$dir/PKGBUILD"
user=() options=()
if [ "$(id -u)" = 0 ]; then
	chown -R nobody "$dir"
	user=(setpriv --reuid nobody --clear-groups)
fi
is_arch || options=(--nodeps)
(cd "$dir" && ${user[@]+"${user[@]}"} makepkg -f ${options[@]+"${options[@]}"})
cp "$dir"/*.pkg.tar* "$dir/PKGBUILD" build/arch/
ls "$PWD"/build/arch/*.pkg.tar*
