#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the lab's emulator, $TPROF_CACHE/lab/qemu-system-x86_64, unless it is up to date:
# Debian's QEMU with a model of the x86 PMUs (qemu-pmu.patch). This takes some minutes,
# and installs the packages that the build needs. The source comes from this machine's
# Debian mirror.
#
# usage: build.sh

set -eu -o pipefail

. "$(dirname "$0")/../../scripts/lib.sh"

# The version that the patch was made for. If the mirror does not have it, use the newest
# update of QEMU 7.2.
readonly wanted=1:7.2+dfsg-7+deb12u18

readonly patch=$TPROF_TOP/selftests/lab/qemu-pmu.patch
patch_sum=$(sha256sum <"$patch")
readonly lab=$TPROF_CACHE/lab
readonly apt=$lab/apt
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
	[ -x "$lab/qemu-system-x86_64" ] && [ -d "$lab/share" ] &&
		[ "$(cat "$lab/.patch" 2>/dev/null)" = "$patch_sum" ]
}

install_packages()
{
	local missing

	mapfile -t missing < <(comm -23 \
		<(printf '%s\n' "${packages[@]}" | sort -u) \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
			"${packages[@]}" 2>/dev/null |
			sed -n 's/^installed //p' | sort -u))
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] ||
		die "missing: ${missing[*]}; run 'make lab' once as root"
	say "installing ${#missing[@]} packages: ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	if ! apt-get -qq install --no-install-recommends "${missing[@]}" \
		>"$lab/apt.log" 2>&1; then
		apt-get -qq update
		apt-get -qq install --no-install-recommends "${missing[@]}" \
			>"$lab/apt.log" 2>&1 || { cat "$lab/apt.log"; exit 1; }
	fi
}

# Run apt with this machine's mirrors, but with package lists of its own, so that the
# machine's configuration is not changed.
apt_lab()
{
	local option=$1

	shift
	"$option" -o "Dir::Etc::SourceList=$apt/sources.list" \
		-o "Dir::Etc::SourceParts=/dev/null" \
		-o "Dir::State::Lists=$apt/lists" \
		-o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" \
		-o "APT::Sandbox::User=root" "$@"
}

write_sources()
{
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	mkdir -p "$apt/lists/partial"
	# shellcheck disable=SC2016	# apt's variables, not the shell's
	apt-get indextargets --format '$(REPO_URI)|$(RELEASE)|$(ORIGIN)' \
		'Created-By: Packages' | sort -u |
		awk -F'|' -v key="$keyring" '$3 == "Debian" {
			print "deb-src [signed-by=" key "] " $1, $2, "main"
		}' >"$apt/sources.list"
	[ -s "$apt/sources.list" ] ||
		die "no Debian mirror is configured here: run 'apt-get update'"
}

# Print the version to build: the wanted one, else the newest of Debian 12.
choose_version()
{
	apt_lab apt-cache showsrc --only-source qemu |
		sed -n 's/^Version: \(1:7\.2+dfsg-7+deb12u.*\)$/\1/p' |
		sort -V -u | awk -v wanted="$wanted" '
			{ newest = $0 } $0 == wanted { found = $0 }
			END { print found ? found : newest }'
}

fetch_source()
{
	local version

	write_sources
	apt_lab apt-get -qq update
	version=$(choose_version)
	[ -n "$version" ] || die "the mirror has no source of QEMU 7.2"
	[ "$version" = "$wanted" ] ||
		say "the mirror has $version instead of $wanted: trying that"
	say "fetching qemu $version"
	cd "$work"
	apt_lab apt-get -qq source --download-only "qemu=$version"
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

install_files()
{
	local file

	mkdir -p "$lab/share"
	for file in "${firmware[@]}"; do
		install -m 644 "/usr/share/$file" "$lab/share/"
	done
	strip -o "$lab/qemu-system-x86_64" qemu-system-x86_64
	echo "$patch_sum" >"$lab/.patch"
}

if ! is_built; then
	mkdir -p "$lab"
	rm -rf "$work"
	mkdir "$work"
	trap 'rm -rf "$work"' EXIT
	install_packages
	fetch_source
	compile
	install_files
fi
say "the emulator is $lab/qemu-system-x86_64"
