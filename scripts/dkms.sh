#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Handle the module as a DKMS package: copy its sources, install it on this machine, or
# uninstall it. "try" checks in temporary directories that DKMS can add, build, install
# and remove it for a given kernel, and what the log says about a kernel without a function.

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

name=$(dkms_conf PACKAGE_NAME)
version=$(dkms_conf PACKAGE_VERSION)

# Copy the files that the build needs to DIR.
copy_sources()
{
	mkdir -p "$1/scripts"
	cp -r "$TPROF_TOP"/{Kbuild,dkms.conf,include,kmod} "$1/"
	cp "$TPROF_TOP"/scripts/dkms{.mk,-build.sh} "$1/scripts/"
}

# Install the module. --force also replaces an installed module of a higher version.
install_module()
{
	uninstall_module
	copy_sources "/usr/src/$name-$version"
	dkms install --force -m "$name" -v "$version"
}

is_packaged()
{
	dpkg-query -S "$1" || rpm -qf "$1" || { is_arch && pacman -Qo "$1"; }
} >/dev/null 2>&1

# Print the versions of the module that DKMS has, and the version of this tree.
versions()
{
	local known

	for known in "/var/lib/dkms/$name"/*/source; do
		[ ! -L "$known" ] || basename "$(dirname "$known")"
	done
	echo "$version"
}

source_of()
{
	echo "/usr/src/$name-$1"
}

# Check that the sources to replace or remove do not belong to a package, and are not this
# tree.
check_sources()
{
	local known source

	for known in $(versions); do
		source=$(source_of "$known")
		! is_packaged "$source" || die "$source belongs to a package: remove that first"
		[ ! "$source" -ef "$TPROF_TOP" ] ||
			die "the module's sources are copied to $source: move this tree elsewhere"
	done
}

uninstall_module()
{
	local known

	check_sources
	for known in $(versions); do
		[ -z "$(dkms status -m "$name" -v "$known")" ] ||
			dkms remove -m "$name" -v "$known" --all
		rm -rf "$(source_of "$known")"
	done
}

# Make DIR/headers, a copy of build tree KDIR in which <linux/miscdevice.h> does not declare
# misc_register(). In Debian, the headers that do not depend on the configuration are in
# another tree, from which the Makefile of KDIR includes that of the kernel.
make_lacking_tree()
{
	local kdir=$1 dir=$2 common header=include/linux/miscdevice.h

	common=$(sed -n 's|^include \(.*\)/Makefile$|\1|p' "$kdir/Makefile")
	cp -rs "$(realpath "${common:-$kdir}")" "$dir/common"
	cp --remove-destination "$(realpath "$dir/common/$header")" "$dir/common/$header"
	sed -i '/misc_register(/d' "$dir/common/$header"
	if [ -z "$common" ]; then
		mv "$dir/common" "$dir/headers"
	else
		cp -rs "$(realpath "$kdir")" "$dir/headers"
		rm "$dir/headers/Makefile"
		sed "s|^include $common/|include $dir/common/|" "$kdir/Makefile" >"$dir/headers/Makefile"
	fi
}

# Check that the build fails for a kernel that lacks a function, and that the log of DKMS
# names the function. $@ are options of dkms build.
try_lacking_kernel()
{
	local log=$dir/tree/$name/$version/build/make.log

	make_lacking_tree "$kdir" "$dir"
	! dkms build -m "$name" -v "$version" -k "$release" --kernelsourcedir "$dir/headers" \
		"${trees[@]}" || die "dkms built the module without misc_register()"
	grep "^$name: this kernel has no misc_register(): kmod/dev/device.c:[0-9]" "$log" ||
		{ cat "$log" >&2; die "the log does not say that misc_register() is missing"; }
}

# Add, build, install and remove the module without changing the machine: the three trees
# of DKMS are in a temporary directory. Disable signing, as DKMS would create a key.
try_module()
{
	local kdir=$1 release dir trees kernel

	export sign_file=/nonexistent
	release=$(tree_release "$kdir") || die "$kdir is not the build tree of a kernel"
	dir=$(mktemp -d)
	# shellcheck disable=SC2064	# expand $dir now
	trap "rm -rf '$dir'" EXIT
	mkdir -p "$dir"/{tree,source,install/"$release"}
	copy_sources "$dir/source/$name-$version"
	trees=(--dkmstree "$dir/tree" --sourcetree "$dir/source"
	       --installtree "$dir/install")
	kernel=(-k "$release" --kernelsourcedir "$kdir")

	dkms add -m "$name" -v "$version" "${trees[@]}"
	try_lacking_kernel
	dkms build -m "$name" -v "$version" "${kernel[@]}" "${trees[@]}" || {
		cat "$dir/tree/$name/$version/build/make.log" >&2
		return 1
	}
	dkms install -m "$name" -v "$version" "${kernel[@]}" --no-depmod "${trees[@]}"
	find "$dir/install/$release" -name "$name.ko*" | grep . ||
		die "dkms installed no $name.ko for $release"
	dkms status "${trees[@]}" | grep -F "$release" | grep installed
	dkms remove -m "$name" -v "$version" --all --no-depmod "${trees[@]}"
	[ -z "$(find "$dir/install" "$dir/tree" -name "$name.ko*")" ] ||
		die "dkms did not remove $name.ko"
}

case ${1:-} in
copy) copy_sources "${2:?a directory}" ;;
check) check_sources ;;
install) install_module ;;
uninstall) uninstall_module ;;
try) try_module "${2:?the build tree of a kernel}" ;;
*) die "usage: dkms.sh copy DIR | check | install | uninstall | try KDIR" ;;
esac
