# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Shared by all scripts: paths of the tree and of the cache, and messages. Sourced,
# never run.

TPROF_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TPROF_CACHE=${TPROF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tprof-lx}
TPROF_VENV=$TPROF_CACHE/venv
TPROF_KERNELS=$TPROF_CACHE/kernels	# a root directory with unpacked images and headers
TPROF_SOURCE=$TPROF_CACHE/source	# parts of a kernel source tree
export TPROF_TOP TPROF_CACHE TPROF_VENV TPROF_KERNELS TPROF_SOURCE

# Kernels that the tests boot, by their names for vm.sh -k.
export TPROF_VM_KERNELS="6.1 6.12 6.12-rt"

say()
{
	printf '%s: %s\n' "${0##*/}" "$*"
}

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 2
}

# Is this Arch? On other distributions pacman must not be called: it would create a
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

# Print the version in the name of a tarball of dist.sh.
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

# Print the release of the kernel with the build tree KDIR. Debian's kernel.release
# lacks the flavour; UTS_RELEASE, which is part of vermagic, has it.
tree_release()
{
	sed -n 's/^#define UTS_RELEASE "\(.*\)"$/\1/p' \
		"$1/include/generated/utsrelease.h" 2>/dev/null
}

# Print the build tree of each kernel that a module can be built for: first the trees
# in the cache, then the machine's own. Each release is printed once.
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

# Print the running kernel's build tree, or the newest 6.12 tree if there is none.
default_header_tree()
{
	local running

	running=/lib/modules/$(uname -r)/build
	if [ -e "$running" ]; then
		echo "$running"
	else
		header_trees | grep '/linux-headers-6\.12\.[^/]*-amd64$' |
			grep -v -e '-cloud-' -e '-rt-' | sort -V | tail -n 1
	fi
}
