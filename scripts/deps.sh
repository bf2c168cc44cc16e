#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the dependencies of building and testing: Debian packages, virtme-ng, three
# kernels to boot, header trees of six kernels to build against, and the kernel's own
# test framework and style checkers.
#
# Kernels and headers are unpacked to the cache, not installed: Debian's 6.12 headers
# depend on an image, and 'make check' must not change the machine's default kernel.
#
# If everything is up to date, the script takes a second.
#
# usage: deps.sh [page|export]	also install what make check-page or check-export needs

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"

readonly with=${1:-}
case $with in
'' | page | export) ;;
*) die "unknown argument '$with': give none, page or export" ;;
esac
readonly virtme_ng=virtme-ng==1.42
readonly axe=axe-playwright-python==0.1.8	# has axe-core 4.12 (MPL-2.0), a file
# Readers of what export writes. chdb-core-lite is chdb without pandas.
readonly oracles=(chdb-core-lite==26.5.0 duckdb==2.0.1 flamegraph-textual==0.1.2
		  gprof2dot==2025.4.14 pyinferno==0.2.6 viztracer==1.1.1)
readonly source_package=linux-source-6.12
readonly source_stamp=$TPROF_SOURCE/.version

packages()
{
	# Compilers, and libraries for the module, the tools and the tests.
	echo gcc gcc-12 g++ make pkg-config libc6-dev clang lld llvm bc bison \
	     flex pahole libclang-rt-14-dev \
	     libcap-dev libelf-dev libdw-dev libpfm4-dev libiberty-dev libzstd-dev zlib1g-dev \
	     libcurl4-gnutls-dev libzydis-dev libncurses-dev libdebuginfod1
	# Checkers.
	echo sparse cppcheck coccinelle clang-format shellcheck codespell perl python3 \
	     mandoc bash-completion zsh fish "$source_package"
	# Tools to build packages, and to test them.
	echo build-essential debhelper fakeroot lintian rpm makepkg pacman-package-manager \
	     libarchive-tools debootstrap e2fsprogs
	# Tools to boot a guest, and programs that the tests in it run.
	echo qemu-system-x86 busybox-static kmod udev cpio zstd xz-utils file \
	     binutils python3-venv linux-perf dkms rsync procps util-linux \
	     iproute2 sudo jq git sqlite3
	# A terminal for the tests of the screen.
	echo tmux python3-pyte
	[ "$with" != page ] || echo chromium chromium-driver python3-selenium
	[ "$with" != export ] || echo valgrind nodejs
}

# NAME=PACKAGE: the name of a kernel for vm.sh -k, and the meta package that depends on
# its newest image.
readonly image_metas=(6.1=linux-image-amd64 6.12=linux-image-6.12-amd64
		      6.12-rt=linux-image-6.12-rt-amd64)
readonly header_metas=(linux-headers-amd64 linux-headers-cloud-amd64
		       linux-headers-rt-amd64 linux-headers-6.12-amd64
		       linux-headers-6.12-cloud-amd64
		       linux-headers-6.12-rt-amd64)

require_root()
{
	[ "$(id -u)" = 0 ] || die "missing: $*; run 'make deps' once as root"
}

update_package_lists()
{
	require_root "Debian's package lists"
	[ -z "${updated:-}" ] || return 1
	say "updating the package lists"
	apt-get -qq update
	updated=yes
}

# Print the direct dependencies of PACKAGE... with names that match PATTERN.
dependencies()
{
	local pattern=$1

	shift
	apt-cache depends --no-recommends "$@" |
		sed -n "s/^ [ |]Depends: \($pattern\)\$/\1/p" | sort -u
}

missing_packages()
{
	local want

	read -ra want <<<"$(packages | tr '\n' ' ')"
	comm -23 <(printf '%s\n' "${want[@]}" | sort -u) \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
			"${want[@]}" 2>/dev/null |
			sed -n 's/^installed //p' | sort -u)
}

install_packages()
{
	local missing

	mapfile -t missing < <(missing_packages)
	[ ${#missing[@]} -gt 0 ] || return 0
	require_root "${missing[*]}"
	say "installing ${#missing[@]} packages: ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq install --simulate "${missing[@]}" >/dev/null 2>&1 ||
		update_package_lists
	apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends \
		"${missing[@]}" >"$TPROF_CACHE/apt.log" 2>&1 && return
	update_package_lists &&
		apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends \
			"${missing[@]}" >"$TPROF_CACHE/apt.log" 2>&1 && return
	tail -n 20 "$TPROF_CACHE/apt.log" >&2
	die "could not install: ${missing[*]}"
}

# Install PACKAGE... of PyPI to VENV, unless that has been done.
install_venv()
{
	local venv=$1

	shift
	[ "$(cat "$venv/.version" 2>/dev/null)" != "$*" ] || return 0
	say "installing $* to $venv"
	python3 -m venv --clear "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
	echo "$*" >"$venv/.version"
}

# Unpack pprof, which is one file of Debian's 330 MB of Go, to $TPROF_ORACLES.
unpack_pprof()
{
	local package pprof=$TPROF_ORACLES/bin/pprof

	[ ! -x "$pprof" ] || return 0
	apt-cache show golang-go >/dev/null 2>&1 || update_package_lists
	package=$(dependencies 'golang-.*-go' golang-go)
	[ -n "$package" ] || die "cannot resolve golang-go"
	say "unpacking pprof from $package"
	mkdir -p "$TPROF_CACHE/debs"
	cd "$TPROF_CACHE/debs"
	apt-get -qq -o APT::Sandbox::User=root download "$package"
	dpkg-deb --fsys-tarfile "$package"_*.deb |
		tar -x --to-stdout --wildcards './usr/lib/go-*/pkg/tool/linux_amd64/pprof' >pprof
	rm -f "$package"_*.deb
	install -m 755 pprof "$pprof"
	rm pprof
	cd "$TPROF_TOP"
}

# Only the script axe.min.js of the package is used, so do not install what it depends on.
install_axe()
{
	[ "$(cat "$TPROF_VENV/.axe" 2>/dev/null)" != "$axe" ] || return 0
	say "installing $axe to $TPROF_VENV"
	"$TPROF_VENV/bin/pip" install --quiet --disable-pip-version-check --no-deps "$axe"
	echo "$axe" >"$TPROF_VENV/.axe"
}

# Unpack each PACKAGE to $TPROF_KERNELS, unless that has been done.
unpack_packages()
{
	local package todo=()

	for package; do
		[ -e "$TPROF_KERNELS/.unpacked/$package" ] ||
			todo+=("$package")
	done
	[ ${#todo[@]} -gt 0 ] || return 0
	mkdir -p "$TPROF_CACHE/debs" "$TPROF_KERNELS/.unpacked"
	cd "$TPROF_CACHE/debs"
	for package in "${todo[@]}"; do
		say "unpacking $package"
		apt-get -qq -o APT::Sandbox::User=root download "$package" ||
			{ update_package_lists && apt-get -qq -o APT::Sandbox::User=root download "$package"; }
		dpkg-deb --extract "${package}"_*.deb "$TPROF_KERNELS"
		rm -f "${package}"_*.deb
		touch "$TPROF_KERNELS/.unpacked/$package"
	done
	cd "$TPROF_TOP"
}

# Debian's header trees refer to each other by absolute paths. Change these paths, and the
# links build and source of each release, to point into the cache.
relocate_headers()
{
	local package=$1 tree=$TPROF_KERNELS/usr/src/$1 modules link

	modules=$TPROF_KERNELS/lib/modules/${package#linux-headers-}
	sed -i "s|^include .*/usr/src/|include $TPROF_KERNELS/usr/src/|" \
		"$tree/Makefile"
	mkdir -p "$modules"
	for link in build source; do
		[ ! -L "$modules/$link" ] ||
			ln -sfn "../../../usr/src/$(basename \
				"$(readlink "$modules/$link")")" "$modules/$link"
	done
}

unpack_headers()
{
	local headers rest package

	mapfile -t headers < <(dependencies 'linux-headers-.*' \
		"${header_metas[@]}")
	[ ${#headers[@]} -eq ${#header_metas[@]} ] ||
		die "cannot resolve: ${header_metas[*]}"
	mapfile -t rest < <(dependencies \
		'linux-\(headers\|kbuild\)-.*' "${headers[@]}")
	unpack_packages "${headers[@]}" "${rest[@]}"
	for package in "${headers[@]}"; do
		grep -q "^include $TPROF_KERNELS/" \
			"$TPROF_KERNELS/usr/src/$package/Makefile" ||
			relocate_headers "$package"
	done
}

unpack_images()
{
	local pair package release

	for pair in "${image_metas[@]}"; do
		package=$(dependencies 'linux-image-.*' "${pair#*=}")
		[ -n "$package" ] || die "cannot resolve ${pair#*=}"
		release=${package#linux-image-}
		unpack_packages "$package"
		[ -e "$TPROF_KERNELS/lib/modules/$release/modules.dep" ] ||
			depmod -b "$TPROF_KERNELS" "$release"
		echo "$release" >"$TPROF_KERNELS/${pair%%=*}"
	done
}

# Unpack the newest kernels, if the package lists have changed since the last call.
unpack_kernels()
{
	local stamp=$TPROF_KERNELS/.resolved

	if [ "$stamp" -nt /var/lib/apt/lists ] && [ "$stamp" -nt "$0" ]; then
		return
	fi
	apt-cache show "${header_metas[@]}" >/dev/null 2>&1 || update_package_lists
	unpack_headers
	unpack_images
	touch "$stamp"
}

# Unpack the parts of the kernel source that this project uses: kselftest, its include
# files, and the style checkers.
unpack_source()
{
	local version top=$source_package

	version=$(dpkg-query -W -f '${Version}' "$source_package")
	[ "$(cat "$source_stamp" 2>/dev/null)" != "$version" ] || return 0
	say "unpacking scripts and kselftest from $source_package $version"
	rm -rf "$TPROF_SOURCE"
	mkdir -p "$TPROF_SOURCE"
	tar -C "$TPROF_SOURCE" -xf "/usr/src/$source_package.tar.xz" \
		--strip-components=1 --wildcards --no-wildcards-match-slash \
		"$top/scripts" "$top/.clang-format" "$top/tools/include" \
		"$top/tools/scripts" "$top/tools/build" \
		"$top/tools/testing/selftests/kselftest" \
		"$top/tools/testing/selftests/Makefile" \
		"$top/tools/testing/selftests/*.h" \
		"$top/tools/testing/selftests/*.mk" \
		"$top/tools/testing/selftests/*.sh"
	echo "$version" >"$source_stamp"
}

[ -r /etc/debian_version ] ||
	die "this script needs Debian; elsewhere install: $(packages | xargs)"
mkdir -p "$TPROF_KERNELS"
install_packages
install_venv "$TPROF_VENV" "$virtme_ng"
[ "$with" != page ] || install_axe
unpack_kernels
unpack_source
if [ "$with" = export ]; then
	install_venv "$TPROF_ORACLES" "${oracles[@]}"
	unpack_pprof
fi
say "everything is there (cache: $TPROF_CACHE)"
