#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Install the dependencies of building and testing: Debian packages, virtme-ng, kernels to
# boot and to build against (kernels.sh), the perf of the newest of them (perf.sh), a root
# directory with the release of Debian that can build for it (root.sh), and the kernel's own
# test framework and style checkers.
#
# If everything is up to date, the script takes a second.
#
# usage: deps.sh [page|export]	also install what make check-page or check-export needs

set -eu -o pipefail

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"
. "$(dirname "$0")/kernels.sh"
. "$(dirname "$0")/perf.sh"

readonly with=${1:-}
case $with in
'' | page | export) ;;
*) die "unknown argument '$with': give none, page or export" ;;
esac
readonly virtme_ng=virtme-ng==1.42
# Has axe-core 4.12 (MPL-2.0). Only the script axe.min.js is used, so install it alone.
readonly axe=axe-playwright-python==0.1.8
# Readers of what export writes. chdb-core-lite is chdb without pandas.
readonly oracles=(chdb-core-lite==26.5.0 duckdb==2.0.1 flamegraph-textual==0.1.2
		  gprof2dot==2025.4.14 pyinferno==0.2.6 viztracer==1.1.1)
# flamegraph-textual needs protobuf 4. This one asks for a newer one, but its code runs with 4,
# too, so install it alone.
readonly otlp=opentelemetry-proto==1.45.2
readonly source_package=linux-source-6.12
readonly source_stamp=$TPROF_SOURCE/.version

# Debian 12 and 13 have packages of these names. Packages with a version in their names are
# dependencies of these. gcc-12 is for kernels that it has built, and for analyzer.sh.
packages()
{
	# Compilers, and libraries for the module, the tools and the tests.
	echo gcc gcc-12 g++ make pkg-config libc6-dev clang lld llvm bc bison \
	     flex pahole libclang-rt-dev \
	     libcap-dev libelf-dev libdw-dev libpfm4-dev libiberty-dev libzstd-dev zlib1g-dev \
	     libcurl4-gnutls-dev libzydis-dev libncurses-dev libdebuginfod-dev
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

# Print the direct dependencies of PACKAGE... with names that match PATTERN.
dependencies()
{
	local pattern=$1

	shift
	apt-cache depends --no-recommends "$@" |
		sed -n "s/^ [ |]Depends: \($pattern\)\$/\1/p" | sort -u
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

# Install PACKAGE to directory VENV, without what it depends on.
install_alone()
{
	local venv=$1 package=$2 stamp=$1/.${2%%==*}

	[ "$(cat "$stamp" 2>/dev/null)" != "$package" ] || return 0
	say "installing $package to $venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "$package"
	echo "$package" >"$stamp"
}

# Make the root directory that builds modules for the main kernel, unless this machine can.
make_roots()
{
	local tree

	tree=$(kernel_tree "$TPROF_MAIN_KERNEL")
	kbuild_runs_here "$tree" || "$TPROF_TOP/scripts/root.sh" trixie true
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
read -ra wanted <<<"$(packages | xargs)"
install_packages "${wanted[@]}"
install_venv "$TPROF_VENV" "$virtme_ng"
[ "$with" != page ] || install_alone "$TPROF_VENV" "$axe"
unpack_kernels
unpack_perf "$TPROF_MAIN_KERNEL"
make_roots
unpack_source
if [ "$with" = export ]; then
	install_venv "$TPROF_ORACLES" "${oracles[@]}"
	install_alone "$TPROF_ORACLES" "$otlp"
	unpack_pprof
fi
say "everything is there (cache: $TPROF_CACHE)"
