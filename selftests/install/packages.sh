#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the packages that steps.sh installs, in directories of build/install/VERSION: in "now"
# the packages of make deb; in "next" and "broken" higher versions of the module's package.
# Their module is a small one, which takes less time to compile. In "broken", it calls a
# function that no kernel has.
#
# usage: packages.sh VERSION	(of Debian: 12 or 13)

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/apt.sh"
. "$(dirname "$0")/../../scripts/debian.sh"
cd "$TPROF_TOP"

readonly debian=$1
out=build/install/$debian
version=$(dkms_conf PACKAGE_VERSION)

# Print what builds Debian's packages.
build_packages()
{
	echo build-essential fakeroot git lintian
	sed -n '/^Build-Depends:/,/^Standards-Version:/ {
		/^Standards-Version:/d; s/^Build-Depends://; s/([^)]*)//g; s/,//g; s/-compat//; p
	}' packaging/debian/control
}

# Debian's options make the compiler report more than those of tools/Makefile. The command
# line needs libraries of the release that it is built on.
build_debs()
{
	local options=() package build=(env DEB_CFLAGS_APPEND=-Werror scripts/deb.sh "$out/deb")

	if [ "$(debian_version)" = "$debian" ]; then
		"${build[@]}"
		return
	fi
	for package in $(build_packages); do
		options+=(-p "$package")
	done
	scripts/root.sh "$(debian_codename "$debian")" "${options[@]}" "${build[@]}"
}

rm -rf "$out"
mkdir -p "$out"/{now,next,broken}
build_debs >&2
mv "$out"/deb/tprof-lx{,-dkms}_*.deb "$out/now/"
rm -r "$out/deb"

# Replace the module in directory $1 by a small one.
make_small()
{
	rm -r "$1/kmod" "$1/include"
	mkdir "$1/kmod"
	cat >"$1/Kbuild" <<-'END'
	obj-m := tprof-lx.o
	tprof-lx-y := kmod/main.o
	tprof-version := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"$$/\1/p' $(src)/dkms.conf)
	ccflags-y := -DTPROF_LX_VERSION='"$(tprof-version)"'
	END
	cat >"$1/kmod/main.c" <<-'END'
	#include <linux/module.h>
	MODULE_DESCRIPTION("tprof-lx of a later version");
	MODULE_VERSION(TPROF_LX_VERSION);
	MODULE_LICENSE("GPL");
	END
}

# Make version $2 of the module's package in directory $1, by repacking that of "now".
repack()
{
	local name=$1 new=$2 dir=$out/tree

	dpkg-deb -R "$out"/now/tprof-lx-dkms_*.deb "$dir"
	mv "$dir/usr/src/tprof-lx-$version" "$dir/usr/src/tprof-lx-$new"
	make_small "$dir/usr/src/tprof-lx-$new"
	sed -i "s/${version//./\\.}/$new/" "$dir/DEBIAN/control" \
		"$dir/usr/src/tprof-lx-$new/dkms.conf" "$dir/usr/lib/tprof-lx-dkms/build-module"
	[ "$name" != broken ] ||
		echo 'int tprof_broken(void) { return gone_in_the_future(); }' \
			>>"$dir/usr/src/tprof-lx-$new/kmod/main.c"
	(cd "$dir" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
	dpkg-deb --root-owner-group -b "$dir" "$out/$name/" >&2
	rm -rf "$dir"
}

repack next "$version.1"
repack broken "$version.2"
