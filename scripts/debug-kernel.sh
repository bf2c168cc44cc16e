#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a debug kernel: Debian's source, with selftests/debug/base.config and
# NAME.config. It is cached under a hash of its inputs, so that it is built once. Its name
# for vm.sh -k and lab.sh -k is 6.12-NAME. Modules are built against the tree
# $TPROF_KERNELS/6.12-NAME.tree.
#
# usage: debug-kernel.sh [--is-built] NAME	(kasan kcsan)
#
# With --is-built, build nothing. Succeed if the kernel is in the cache.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

readonly configs=$TPROF_TOP/selftests/debug
readonly archive=/usr/src/linux-source-6.12.tar.xz
readonly cache=$TPROF_CACHE/debug

# Set the directories of the kernel's source and of its build.
name_directories()
{
	local version

	version=$(dpkg-query -W -f '${Version}' linux-source-6.12) ||
		die "no linux-source-6.12 here: run 'make deps'"
	source=$cache/source-$version
	wanted=$cache/$name.config
	cat "$configs/base.config" "$configs/$name.config" >"$wanted"
	tree=$cache/$name-$({ grep '^CONFIG_' "$wanted"; gcc --version; echo "$source"; } |
		sha256sum | cut -c1-12)
	log=$tree.log
}

# Unpack the kernel source, except the register lists of amdgpu: they are its largest
# part, and are not compiled.
unpack()
{
	[ ! -e "$source/.unpacked" ] || return 0
	say "unpacking ${source##*/}"
	rm -rf "$source"
	mkdir -p "$source"
	tar -C "$source" -xf "$archive" --strip-components=1 \
		--exclude='*/drivers/gpu/drm/amd/include/asic_reg'
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
	make -C "$source" O="$tree" LOCALVERSION="-tprof-$name" -j"$(nproc)" \
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
	ln -sfn "$tree" "$TPROF_KERNELS/6.12-$name.tree"
	echo "$release" >"$TPROF_KERNELS/6.12-$name"
}

only_look=''
if [ "${1:-}" = --is-built ]; then
	only_look=yes
	shift
fi
name=${1:-}
if [ ! -e "$configs/$name.config" ] || [ "$name" = base ]; then
	die "usage: debug-kernel.sh NAME, of: $(cd "$configs" &&
		find . -name '*.config' ! -name base.config -printf '%f ' |
		sed 's/\.config//g')"
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
release=$(make -s --no-print-directory -C "$source" kernelversion)-tprof-$name
if [ ! -e "$tree/.built" ]; then
	configure
	build
	remove_older
fi
publish
say "$release: $tree"
