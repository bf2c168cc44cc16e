#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run steps.sh in a virtual machine that boots a fresh Debian, with its own kernel, init and
# network. This takes half an hour without KVM.
#
# usage: vm.sh [VERSION [SECONDS]]	(of Debian: 12 or 13; by default that of this machine)

set -u -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/debian.sh"
export TPROF_BOOT_LIMIT=${TPROF_BOOT_LIMIT:-900}	# all services of Debian start
. "$(dirname "$0")/../vm/boot.sh"
. "$(dirname "$0")/../vm/serial.sh"
here=$TPROF_TOP/selftests/install

# Make the disk: the image, the packages, and a service that runs guest.sh.
make_disk()
{
	local tree=$run/tree

	mkdir "$tree"
	tar -C "$tree" -xf "$("$here/image.sh" "$debian")" || return
	rm "$tree/usr/sbin/update-initramfs"
	chroot "$tree" sh -c 'dpkg-divert --local --rename --remove /usr/sbin/update-initramfs &&
		update-initramfs -c -k all' >&2 || return
	mkdir "$tree/packages"
	cp -r "$TPROF_TOP/build/install/$debian/." "$here/steps.sh" "$here/guest.sh" \
		"$TPROF_TOP/selftests/vm/tcg.sh" "$tree/packages/"
	cp "$here/steps.service" "$tree/etc/systemd/system/"
	ln -s ../steps.service "$tree/etc/systemd/system/multi-user.target.wants/"
	cp "$tree"/boot/vmlinuz-* "$run/vmlinuz"
	cp "$tree"/boot/initrd.img-* "$run/initrd"
	truncate -s 6G "$run/disk"
	mke2fs -q -t ext4 -d "$tree" "$run/disk"
	rm -rf "$tree"
}

# ../vm/vm.sh explains why cmpxchg16b and random addresses are disabled.
# shellcheck disable=SC2317,SC2329	# called by boot.sh
boot()
{
	timeout --kill-after=10 "$limit" qemu-system-x86_64 -accel tcg,thread=multi \
		-machine q35 -smp 2 -m 2G -cpu max,-la57,-cx16 -nodefaults -display none \
		-no-reboot -serial "file:$console" -serial stdio -serial "file:$run/status" \
		-netdev user,id=net -device virtio-net-pci,netdev=net \
		-drive "file=$run/disk,format=raw,if=virtio,cache=unsafe" \
		-kernel "$run/vmlinuz" -initrd "$run/initrd" -append \
		"root=/dev/vda rw console=ttyS0 $GUEST_KERNEL norandmaps net.ifnames=0" \
		</dev/null &
	vm=$!
	await_guest
}

debian=${1:-$(debian_version)} limit=${2:-3600}
guest="Debian $debian"
console=$TPROF_TOP/build/logs/console-install-$debian
mkdir -p "$TPROF_TOP/build/logs"
run=$(mktemp -d "$TPROF_TOP/build/vm.XXXXXX")
"$here/packages.sh" "$debian" && make_disk || exit
run_guest
