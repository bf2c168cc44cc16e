# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Make Debian 12 or 13, or sid, in a directory. Sourced after lib.sh and apt.sh.

# Print the version of Debian that this machine has: 12, 13 ...
debian_version()
{
	sed -n 's/^VERSION_ID="\(.*\)"$/\1/p' /etc/os-release
}

# Print the name of Debian VERSION.
debian_codename()
{
	case $1 in
	12) echo bookworm ;;
	13) echo trixie ;;
	*) die "unknown version of Debian '$1': give 12 or 13" ;;
	esac
}

# Print what sources.list of release CODENAME has.
debian_sources()
{
	local security

	if [ "$1" = sid ]; then
		source_lines deb "$(mirror)" sid
		return
	fi
	source_lines deb "$(mirror)" "$1" "$1-updates"
	security=$(mirror -security)
	[ -z "$security" ] || source_lines deb "$security" "$1-security"
}

# Make release CODENAME in directory DIR, with the base system and PACKAGE...
make_debian()
{
	local codename=$1 dir=$2 log=$2.log include

	shift 2
	include=$(echo "$@" | tr ' ' ,)
	mkdir -p "$dir/etc/dpkg/dpkg.cfg.d"
	# The directory can be made again, so dpkg need not wait for the disk.
	echo force-unsafe-io >"$dir/etc/dpkg/dpkg.cfg.d/unsafe-io"
	debootstrap --variant=minbase --include="$include" "$codename" "$dir" "$(mirror)" \
		>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "debootstrap failed (log: $log)"; }
	rm -rf "$log" "$dir/var/cache/apt/archives"/*.deb
	debian_sources "$codename" >"$dir/etc/apt/sources.list"
	# How to reach this machine's mirror, and whether it may be a snapshot of the past.
	apt-config dump | grep -E '^Acquire::(Check-Valid-Until|https?::Proxy) ' \
		>"$dir/etc/apt/apt.conf.d/mirror" || true
	cp /etc/resolv.conf "$dir/etc/"
	# debootstrap has the package list of CODENAME alone. Which mirror has security updates is
	# known only by their list.
	chroot "$dir" apt-get -qq update || die "the package lists of $codename cannot be updated"
}
