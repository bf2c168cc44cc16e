# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Unpack the perf of a kernel's series to perf_of(), for tests that compare with it: an older
# perf does not name all functions of a newer kernel, and a newer attr is too large for it.
# The libraries of its release of Debian are unpacked too, and its own dynamic loader runs it.
# Sourced after lib.sh and apt.sh.

# The release of Debian with the libraries of the newest perf.
readonly perf_release=trixie

perf_apt()
{
	suites_apt "$1" -o "APT::Default-Release=$perf_release" "${@:2}"
}

# Print the newest version of perf of series $1.
newest_perf()
{
	perf_apt apt-cache madison linux-perf |
		awk -v series="$1." '$1 == "linux-perf" && index($3, series) == 1 { print $3 }' |
		sort -V | tail -n 1
}

# Print linux-perf of version $1 and the packages with its libraries.
perf_packages()
{
	echo "linux-perf=$1"
	perf_apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts \
		--no-breaks --no-replaces --no-enhances "linux-perf=$1" |
		grep -E '^lib' | grep -vE 'perl|stdlib' | sort -u
}

# Remove the libraries that perf in $1 does not load.
remove_unused()
{
	local file needed

	needed=$("$1/bin/perf-loader" --library-path "$1/lib" --list "$1/bin/perf-program") ||
		return
	for file in "$1/lib"/*; do
		[[ $needed == *"$file"* ]] || rm "$file"
	done
}

# perf runs as the program "perf", but its name in /proc is that of the loader.
write_wrapper()
{
	cat >"$1" <<-'END'
	#!/bin/bash
	dir=$(dirname "$(readlink -f "$0")")
	exec -a perf "$dir/perf-loader" --library-path "${dir%/bin}/lib" "$dir/perf-program" "$@"
	END
	chmod 755 "$1"
}

# Put the perf of version $1 into directory $2.
make_perf()
{
	local version=$1 dir=$2 debs=$TPROF_CACHE/debs/perf package packages

	rm -rf "$dir" "$debs"
	mkdir -p "$dir/bin" "$dir/lib" "$debs/root"
	cd "$debs" || return
	mapfile -t packages < <(perf_packages "$version")
	perf_apt apt-get -qq download "${packages[@]}" || return
	for package in *.deb; do
		dpkg-deb --extract "$package" root || return
	done
	cp -L root/usr/lib/x86_64-linux-gnu/*.so* "$dir/lib/"
	mv root/usr/bin/perf "$dir/bin/perf-program"
	mv "$dir/lib/ld-linux-x86-64.so.2" "$dir/bin/perf-loader"
	cd "$TPROF_TOP" || return
	rm -rf "$debs"
	remove_unused "$dir"
	write_wrapper "$dir/bin/perf"
}

# Unpack the newest perf of the kernel NAME, if other kernels were unpacked since the last call.
unpack_perf()
{
	local dir version

	dir=$(perf_of "$(kernel_release "$1")")
	[ ! "$dir/.version" -nt "$TPROF_KERNELS/.resolved" ] || return 0
	version=$(newest_perf "${dir##*/}")
	[ -n "$version" ] || die "this machine's mirror has no perf ${dir##*/}"
	if [ "$(cat "$dir/.version" 2>/dev/null)" = "$version" ]; then
		touch "$dir/.version"
		return
	fi
	say "unpacking perf $version"
	make_perf "$version" "$dir.new"
	"$dir.new/bin/perf" version >/dev/null || die "perf $version does not run"
	rm -rf "$dir"
	mv "$dir.new" "$dir"
	echo "$version" >"$dir/.version"
}
