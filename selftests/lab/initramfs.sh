#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Make the initramfs of a lab guest: busybox, bash, the modules built for RELEASE, the
# tests and their scripts. Such a guest boots in a few seconds, one of vm.sh in half a
# minute. The modules have no debug information there, as when DKMS installs them: it is 97
# percent of their size, and the emulated kernel takes seconds to read it.
#
# usage: initramfs.sh RELEASE OUT.cpio

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

readonly release=$1 out=$2
readonly modules=$TPROF_KERNELS/lib/modules/$release/kernel
readonly build=$TPROF_TOP/build
readonly in_guest=/tprof

# Add program $1 at path $2. Add its shared libraries at the same paths as on
# the host.
add_program()
{
	local program=$1 to=$2 library

	install -D -m 755 "$program" "$root$to"
	while read -r library; do
		[ -e "$root$library" ] ||
			install -D -m 755 "$library" "$root$library"
	done < <(ldd "$program" 2>/dev/null |
		sed -n 's/^.*[[:space:]]\(\/[^ ]*\) (0x.*$/\1/p')
}

# Add the perf of the kernel if it was unpacked, else that of this machine.
add_perf()
{
	local perf

	perf=$(perf_of "$release")
	if [ -x "$perf/bin/perf" ]; then
		cp -r "$perf" "$root/perf"
		ln -s ../perf/bin/perf "$root/bin/perf"
	else
		add_program "$(command -v perf)" /bin/perf
	fi
}

add_system()
{
	mkdir -p "$root"/{bin,dev,proc,sys,tmp,run,etc,root}
	install -m 755 "$TPROF_TOP/selftests/lab/init" "$root/init"
	add_program /usr/bin/busybox /bin/busybox
	ln -s busybox "$root/bin/sh"
	add_program /bin/bash /bin/bash
	add_program /bin/true /bin/true	# tests need one apart from busybox
	add_perf
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	xz -dc "$modules/arch/x86/kernel/msr.ko.xz" >"$root/msr.ko" 2>/dev/null ||
		cp "$modules/arch/x86/kernel/msr.ko" "$root/msr.ko"
}

add_tree()
{
	local file

	mkdir -p "$root$in_guest/build/$release/selftests/modules"
	for file in "$build/$release"/*.ko "$build/$release"/selftests/modules/*.ko; do
		strip --strip-debug -o "$root$in_guest/${file#"$TPROF_TOP/"}" "$file"
	done
	for file in guard $(cd "$build/selftests" &&
			    find ./*_test workloads corpus -type f); do
		add_program "$build/selftests/$file" \
			"$in_guest/build/selftests/$file"
	done
	add_program "$build/tools/tprof-lx" "$in_guest/build/tools/tprof-lx"
	cp -r "$TPROF_TOP/scripts" "$root$in_guest/"
	mkdir -p "$root$in_guest"/{selftests,Documentation}
	cp -r "$TPROF_TOP/Documentation/man" "$root$in_guest/Documentation/"
	cp -r "$TPROF_TOP"/selftests/{run.sh,load.sh,vm,e2e,bench,debug} "$root$in_guest/selftests/"
}

root=$(mktemp -d "$build/initramfs.XXXXXX")
chmod 755 "$root"	# unprivileged users must be able to enter it
trap 'rm -rf "$root"' EXIT
add_system
add_tree
(cd "$root" && find . -print0 |
	cpio --null --quiet --owner=+0:+0 -H newc -o) >"$out"
