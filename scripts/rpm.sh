#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build source and binary RPM packages in build/rpm. On distributions without RPM,
# build dependencies are not checked.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
cd "$TPROF_TOP"

options=()
rpm -q rpm >/dev/null 2>&1 || options=(--nodeps)
tarball=$(scripts/dist.sh)
version=$(tarball_version "$tarball")
rm -rf build/rpm
mkdir -p build/rpm/SOURCES
cp "$tarball" build/rpm/SOURCES/
tar -xOf "$tarball" "tprof-lx-$version/packaging/tprof-lx.spec" >build/rpm/tprof-lx.spec
rpmbuild -ba ${options[@]+"${options[@]}"} --define "_topdir $PWD/build/rpm" \
	--define "tprof_version $version" build/rpm/tprof-lx.spec
find build/rpm -name '*.rpm'
