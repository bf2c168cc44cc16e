# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Shared by all scripts: paths in the tree and in the cache, and messages. Sourced.

TPROF_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TPROF_CACHE=${TPROF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tprof-lx}
TPROF_VENV=$TPROF_CACHE/venv
TPROF_ORACLES=$TPROF_CACHE/oracles	# programs that read what export writes
TPROF_KERNELS=$TPROF_CACHE/kernels	# a root directory with unpacked images and headers
TPROF_SOURCE=$TPROF_CACHE/source	# parts of a kernel source tree
export TPROF_TOP TPROF_CACHE TPROF_VENV TPROF_ORACLES TPROF_KERNELS TPROF_SOURCE

# Kernels that the tests boot, by their names for vm.sh -k, and the one on which all of them
# run.
export TPROF_VM_KERNELS="6.1 6.12 6.12-rt 7.3 7.3-rt" TPROF_MAIN_KERNEL=7.3

say()
{
	printf '%s: %s\n' "${0##*/}" "$*"
}

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 2
}

# Is this Arch Linux? On other distributions pacman must not be called: it would create a
# database.
is_arch()
{
	[ -e /etc/arch-release ]
}

# Print the value of KEY in dkms.conf, or in FILE.
dkms_conf()
{
	sed -n "s/^$1=\"\(.*\)\"\$/\1/p" "${2:-$TPROF_TOP/dkms.conf}"
}

# Print the version in $1, the name of a tarball made by dist.sh.
tarball_version()
{
	local name=${1##*/tprof-lx-}

	echo "${name%.tar.gz}"
}

# Print the release of the unpacked kernel NAME (6.12 -> 6.12.90+deb12-amd64).
kernel_release()
{
	cat "$TPROF_KERNELS/$1" 2>/dev/null ||
		die "no kernel '$1' in $TPROF_KERNELS: run 'make deps'"
}

# Print the directory for the perf of kernel RELEASE, which perf.sh may have unpacked.
perf_of()
{
	echo "$TPROF_CACHE/perf/$(cut -d. -f1,2 <<<"$1")"
}

# Print the build tree of the unpacked kernel NAME.
kernel_tree()
{
	echo "$TPROF_KERNELS/lib/modules/$(kernel_release "$1")/build"
}

# Do the programs in build tree KDIR run on this machine? Those of a newer Debian need a newer
# C library.
kbuild_runs_here()
{
	! ldd "$1"/scripts/*/* 2>&1 | grep ': version .* not found' >/dev/null
}

# Print the release of the kernel with build tree KDIR. Use UTS_RELEASE, which is part of
# vermagic: Debian's include/config/kernel.release lacks the flavour.
tree_release()
{
	sed -n 's/^#define UTS_RELEASE "\(.*\)"$/\1/p' \
		"$1/include/generated/utsrelease.h" 2>/dev/null
}

# Print the build trees of kernels, one per release: first the trees in the cache, then
# those of installed kernels.
header_trees()
{
	local kdir release seen=' '

	for kdir in "$TPROF_KERNELS"/usr/src/linux-headers-*-amd64 \
		    /lib/modules/*/build; do
		release=$(tree_release "$kdir") || continue
		[[ $seen != *" $release "* ]] || continue
		seen="$seen$release "
		echo "$kdir"
	done
}

# Print the running kernel's build tree, or that of the main kernel if there is none.
default_header_tree()
{
	local running

	running=/lib/modules/$(uname -r)/build
	if [ -e "$running" ]; then
		echo "$running"
	else
		kernel_tree "$TPROF_MAIN_KERNEL"
	fi
}

# Print the libraries that programs with libtprof.a are linked with, one per line.
tool_libraries()
{
	sed -n 's/^LIBS := //p' "$TPROF_TOP/tools/libs.mk" | tr ' ' '\n'
}
