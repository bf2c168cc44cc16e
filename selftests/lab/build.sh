#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the lab's emulator, $TPROF_CACHE/lab/qemu-system-x86_64, unless it is up to date:
# QEMU of Debian 12 with a model of the x86 PMUs (qemu-pmu.patch). This takes some minutes,
# and installs the packages that the build needs. The source comes from this machine's
# Debian mirror. QEMU of Debian 13 is another one, which the patch does not fit, so that of
# Debian 12 is built on Debian 13, too.
#
# usage: build.sh [--is-built]
#
# With --is-built, only check whether lab.sh has an emulator that is up to date. The exit
# status is 4 if the emulator cannot be built here, since this user cannot install packages
# or the mirror cannot be reached.

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/../../scripts/apt.sh"
. "$(dirname "$0")/emulator.sh"

readonly SKIPPED=4

# The version that the patch was made for. If the mirror does not have it, use the newest
# update of QEMU 7.2.
readonly wanted=1:7.2+dfsg-7+deb12u18

readonly patch=$TPROF_TOP/selftests/lab/qemu-pmu.patch
patch_sum=$(sha256sum <"$patch")
readonly lab=$LAB_EMULATOR
readonly work=$lab/work

readonly packages=(dpkg-dev gcc libc6-dev meson ninja-build patch pkg-config
		   python3 libattr1-dev libcap-ng-dev libfdt-dev libglib2.0-dev
		   libpixman-1-dev zlib1g-dev qemu-system-data seabios)

# Firmware that QEMU loads when it boots a kernel directly (-kernel).
readonly firmware=(seabios/bios-256k.bin seabios/bios.bin qemu/kvmvapic.bin
		   qemu/linuxboot.bin qemu/linuxboot_dma.bin
		   qemu/multiboot.bin qemu/multiboot_dma.bin qemu/pvh.bin
		   seabios/vgabios-stdvga.bin seabios/vgabios.bin)

is_built()
{
	[ "$(cat "$lab/.patch" 2>/dev/null)" = "$patch_sum" ] && runs "$lab/qemu-system-x86_64"
}

# Are the libraries of emulator $1 there? Another release of Debian may have others.
runs()
{
	"$1" --version >/dev/null 2>&1
}

skip()
{
	say "$*" >&2
	exit $SKIPPED
}

# Print the version to build: the wanted one, else the newest of Debian 12.
choose_version()
{
	suites_apt apt-cache showsrc --only-source qemu 2>/dev/null |
		sed -n 's/^Version: \(1:7\.2+dfsg-7+deb12u.*\)$/\1/p' |
		sort -V -u | awk -v wanted="$wanted" '
			{ newest = $0 } $0 == wanted { found = $0 }
			END { print found ? found : newest }'
}

# Choose the version to build, and download its source. The package lists may be missing or old.
download()
{
	version=$(choose_version || true)
	[ -n "$version" ] && suites_apt apt-get -qq source --download-only "qemu=$version"
}

fetch_source()
{
	local version

	cd "$work"
	say "fetching the source of QEMU"
	download || { update_suites && download; } ||
		skip "the mirror cannot be reached, or has no source of QEMU 7.2"
	[ "$version" = "$wanted" ] ||
		say "the mirror has $version instead of $wanted: trying that"
	dpkg-source --no-check -x ./qemu_*.dsc qemu >/dev/null
	cd qemu
	patch -p1 --quiet <"$patch" || die "the patch does not fit $version"
}

compile()
{
	say "compiling"
	mkdir "$work/qemu/lab"
	cd "$work/qemu/lab"
	if ! { ../configure --meson=/usr/bin/meson --target-list=x86_64-softmmu \
		--without-default-features --enable-tcg --enable-system \
		--enable-attr --enable-virtfs --enable-cap-ng \
		--disable-werror --disable-docs &&
	       ninja -j "$(nproc)" qemu-system-x86_64; } >"$lab/build.log" 2>&1
	then
		tail -n 30 "$lab/build.log"
		die "the build failed (the log is $lab/build.log)"
	fi
}

install_firmware()
{
	local file

	mkdir -p "$lab/share"
	for file in "${firmware[@]}"; do
		install -m 644 "/usr/share/$file" "$lab/share/"
	done
}

# Boot a kernel of make deps in the new emulator, as far as it comes without a root file
# system. It must find the PMU.
check_emulator()
{
	local release log=$lab/boot.log

	runs ./qemu-system-x86_64 || die "the emulator does not run"
	[ -e "$TPROF_KERNELS/$TPROF_MAIN_KERNEL" ] || return 0
	release=$(kernel_release "$TPROF_MAIN_KERNEL")
	say "booting $release in it"
	timeout --kill-after=5 300 ./qemu-system-x86_64 -L "$lab/share" -accel tcg \
		-machine q35 -m 512M -cpu Skylake-Server,x-pmu=intel-v4 -nodefaults \
		-display none -no-reboot -serial "file:$log" \
		-kernel "$TPROF_KERNELS/boot/vmlinuz-$release" \
		-append "console=ttyS0 panic=-1 tsc=reliable no_timer_check" \
		</dev/null >"$lab/qemu.log" 2>&1 || true
	if ! grep -q 'Performance Events: .*Intel PMU driver' "$log" ||
	   ! grep -q 'Unable to mount root fs' "$log"; then
		tail -n 20 "$lab/qemu.log" "$log"
		die "the emulator does not work (the log is $log)"
	fi
}

install_emulator()
{
	strip -o "$lab/new" qemu-system-x86_64
	mv "$lab/new" "$lab/qemu-system-x86_64"
	echo "$patch_sum" >"$lab/.patch"
}

build()
{
	mkdir -p "$lab"
	exec {lock}>"$lab/.lock"
	flock "$lock"
	! is_built || return 0
	[ "$(id -u)" = 0 ] || [ -z "$(missing_packages "${packages[@]}")" ] ||
		skip "packages are missing: run 'make lab' once as root"
	say "building the lab's emulator, once: this takes some minutes"
	rm -rf "$work"
	mkdir "$work"
	trap 'rm -rf "$work"' EXIT
	install_packages "${packages[@]}"
	fetch_source
	compile
	install_firmware
	check_emulator
	install_emulator
}

case ${1:-} in
--is-built) [ -x "$OTHER_EMULATOR/qemu-system-x86_64" ] || is_built || exit ;;
'')
	build
	say "the emulator is $lab/qemu-system-x86_64"
	;;
*) die "usage: build.sh [--is-built]" ;;
esac
