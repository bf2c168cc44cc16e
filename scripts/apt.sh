# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Packages of this machine's release of Debian, which are installed, and of others, from this
# machine's mirror. Sourced after lib.sh. The package lists of other releases are in the
# cache, so that the machine's own configuration stays as it is. Nothing is installed from
# them.

readonly TPROF_APT=$TPROF_CACHE/apt

# Print those of PACKAGE... that are not installed.
missing_packages()
{
	comm -23 <(printf '%s\n' "$@" | sort -u) \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
			sed -n 's/^installed //p' | sort -u)
}

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

install_quietly()
{
	DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install \
		--no-install-recommends "$@" >"$TPROF_CACHE/apt.log" 2>&1
}

# Install those of PACKAGE... that are missing.
install_packages()
{
	local missing

	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	require_root "${missing[*]}"
	say "installing ${#missing[@]} packages: ${missing[*]}"
	apt-get -qq install --simulate "${missing[@]}" >/dev/null 2>&1 || update_package_lists
	install_quietly "${missing[@]}" && return
	update_package_lists && install_quietly "${missing[@]}" && return
	tail -n 20 "$TPROF_CACHE/apt.log" >&2
	die "could not install: ${missing[*]}"
}

# Run an apt program with the lists of all suites.
suites_apt()
{
	"$1" -o "Dir::Etc::SourceList=$TPROF_APT/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State::Lists=$TPROF_APT/lists" \
		-o "Dir::Cache::pkgcache=$TPROF_APT/pkgcache.bin" \
		-o "Dir::Cache::srcpkgcache=$TPROF_APT/srcpkgcache.bin" \
		-o APT::Sandbox::User=root "${@:2}"
}

# Print the address of this machine's mirror of Debian, or of its security updates if $1
# is -security.
mirror()
{
	# shellcheck disable=SC2016	# apt's variables, not the shell's
	apt-get indextargets --format '$(REPO_URI)|$(CODENAME)|$(ORIGIN)' 'Created-By: Packages' |
		awk -F'|' -v wanted="^[a-z]+${1:-}\$" '
			$3 == "Debian" && $2 ~ wanted { print $1; exit }'
}

# Print the lines of sources.list for suites $3... of type $1 at address $2.
source_lines()
{
	local suite

	for suite in "${@:3}"; do
		echo "$1 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $2 $suite main"
	done
}

# The suites have kernels and headers. The source of QEMU is that of Debian 12.
update_suites()
{
	local archive security

	archive=$(mirror)
	security=$(mirror -security)
	[ -n "$archive" ] || die "no mirror of Debian is configured here: run 'apt-get update'"
	mkdir -p "$TPROF_APT/lists/partial"
	{
		source_lines deb "$archive" bookworm trixie trixie-backports sid
		source_lines deb-src "$archive" bookworm
		[ -z "$security" ] || {
			source_lines deb "$security" bookworm-security trixie-security
			source_lines deb-src "$security" bookworm-security
		}
	} >"$TPROF_APT/sources.list"
	say "updating the package lists of all releases of Debian"
	suites_apt apt-get -qq update
}

# Print the direct dependencies of PACKAGE... with names that match PATTERN.
suites_dependencies()
{
	suites_apt apt-cache depends --no-recommends "${@:2}" |
		sed -nE "s/^ [ |]Depends: ($1)\$/\1/p" | sort -u
}
