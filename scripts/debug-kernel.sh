#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a debug kernel: Debian's source of a series, with the options of base.config,
# SERIES.config and KIND.config in selftests/debug. It is cached under a hash of its inputs, so that it is built once. SERIES-KIND
# is its name for vm.sh -k and lab.sh -k, too. Modules are built against the tree
# $TPROF_KERNELS/SERIES-KIND.tree.
#
# usage: debug-kernel.sh [--is-built] SERIES-KIND	(7.3-kasan 7.3-kcsan 6.12-kasan ...)
#
# With --is-built, build nothing. Succeed if the kernel is in the cache.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

readonly configs=$TPROF_TOP/selftests/debug
readonly cache=$TPROF_CACHE/debug

# Set the directories of the kernel's source and of its build. The newest source that is
# here stays in use, so that a kernel is not built again for each update.
name_directories()
{
	source=$(find "$cache" -maxdepth 1 -name "source-$series*" | sort -V | tail -n 1)
	if [ -z "$source" ]; then
		[ -d "$TPROF_APT/lists" ] || update_suites
		version=$(suites_apt apt-cache madison "$package" |
			awk -F ' *[|] *' '$3 ~ /Packages/ { print $2 }' | sort -V | tail -n 1)
		[ -n "$version" ] || die "this machine's mirror has no $package"
		source=$cache/source-$version
	fi
	version=${source##*/source-}
	wanted=$cache/$name.config
	cat "$configs"/{base,"$series","$kind"}.config >"$wanted"
	tree=$cache/$name-$({ grep '^CONFIG_' "$wanted"; gcc --version; echo "$source"; } |
		sha256sum | cut -c1-12)
	log=$tree.log
}

# Unpack the kernel source, except the register lists of amdgpu: they are its largest
# part, and are not compiled.
unpack()
{
	[ ! -e "$source/.unpacked" ] || return 0
	say "unpacking $package $version"
	rm -rf "$source"
	mkdir -p "$source"
	(cd "$source" && suites_apt apt-get -qq download "$package=$version")
	dpkg-deb --fsys-tarfile "$source"/*.deb | tar -x --to-stdout "./usr/src/$package.tar.xz" |
		xz -dc | tar -C "$source" -x --strip-components=1 \
			--exclude='*/drivers/gpu/drm/amd/include/asic_reg'
	rm "$source"/*.deb
	touch "$source/.unpacked"
}

# Check that the configuration has every requested option: kconfig silently drops an
# option with missing dependencies.
check_config()
{
	local missing

	missing=$(comm -23 <(grep -hE '^CONFIG_' "$wanted" | sort -u) \
		<(sort -u "$tree/.config"))
	[ -z "$missing" ] || die "kconfig dropped: $missing"
}

configure()
{
	mkdir -p "$tree"
	make -C "$source" O="$tree" KCONFIG_ALLCONFIG="$wanted" allnoconfig \
		>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "cannot configure"; }
	check_config
}

# Build the kernel and msr.ko, the only module of the kernel that tests load. Keep the
# object directory, since modules are built against it.
build()
{
	say "building $release, which takes some minutes (log: $log)"
	make -C "$source" O="$tree" LOCALVERSION="-tprof-$kind" -j"$(nproc)" \
		bzImage modules >>"$log" 2>&1 ||
		{ tail -n 40 "$log" >&2; die "cannot build the kernel"; }
	[ "$(tree_release "$tree")" = "$release" ] ||
		die "this is $(tree_release "$tree"), not $release"
	touch "$tree/.built"
}

# Remove older builds: each takes a gigabyte and is not used again.
remove_older()
{
	local older

	for older in "$cache/$name"-*; do
		[ "$older" = "$tree" ] || [ "$older" = "$log" ] || rm -rf "$older"
	done
}

publish()
{
	local modules=$TPROF_KERNELS/lib/modules/$release/kernel

	mkdir -p "$TPROF_KERNELS/boot" "$modules/arch/x86/kernel"
	cp "$tree/arch/x86/kernel/msr.ko" "$modules/arch/x86/kernel/"
	cp "$tree/arch/x86/boot/bzImage" "$TPROF_KERNELS/boot/vmlinuz-$release"
	ln -sfn "$tree" "$TPROF_KERNELS/$name.tree"
	echo "$release" >"$TPROF_KERNELS/$name"
}

only_look=''
if [ "${1:-}" = --is-built ]; then
	only_look=yes
	shift
fi
name=${1:-} series=${name%-*} kind=${name##*-}
package=linux-source-$series
if [ "$series" = "$name" ] || [ ! -e "$configs/$series.config" ] ||
	[ ! -e "$configs/$kind.config" ]; then
	die "usage: debug-kernel.sh [--is-built] SERIES-KIND, such as 7.3-kasan or 6.12-kcsan"
fi
mkdir -p "$cache"
name_directories
if [ -n "$only_look" ]; then
	[ -e "$tree/.built" ]
	exit
fi
exec {lock}>"$cache/.lock"
flock "$lock"
unpack
release=$(make -s --no-print-directory -C "$source" kernelversion)-tprof-$kind
if [ ! -e "$tree/.built" ]; then
	configure
	build
	remove_older
fi
publish
say "$release: $tree"
