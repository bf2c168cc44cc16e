#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the packages that steps.sh installs, in directories of build/install: in "now" the
# packages of make deb; in "next" and "broken" higher versions of the module's package. Their
# module is a small one, which takes less time to compile. In "broken", it calls a function that
# no kernel has.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
cd "$TPROF_TOP"

out=$TPROF_TOP/build/install
version=$(dkms_conf PACKAGE_VERSION)
rm -rf "$out"
mkdir -p "$out"/{now,next,broken}
# Debian's options make the compiler report more than those of tools/Makefile.
DEB_CFLAGS_APPEND=-Werror scripts/deb.sh >&2
cp build/deb/tprof-lx{,-dkms}_*.deb "$out/now/"

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
