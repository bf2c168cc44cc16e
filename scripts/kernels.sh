# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Unpack Debian's kernels and their headers to $TPROF_KERNELS, instead of installing them:
# headers depend on an image, and tests must not change which kernel this machine boots.
# Sourced after lib.sh and apt.sh.

# Print the kernels to unpack, one per line: a name for vm.sh -k, or - if no test boots the
# kernel, and a pattern of its release, of which the newest is taken. Debian's 6.1 and 6.12
# are those of Debian 12, since the programs in their headers run on newer releases, too.
kernels()
{
	cat <<-'END'
	6.1	6\.1\.0-[0-9]+-amd64
	-	6\.1\.0-[0-9]+-cloud-amd64
	-	6\.1\.0-[0-9]+-rt-amd64
	6.12	6\.12\.[0-9.]+\+deb12[0-9.]*-amd64
	-	6\.12\.[0-9.]+\+deb12[0-9.]*-cloud-amd64
	6.12-rt	6\.12\.[0-9.]+\+deb12[0-9.]*-rt-amd64
	-	7\.2\.[0-9.]+\+deb13[0-9.]*-amd64
	7.3	7\.3\.[0-9.]+\+deb13[0-9.]*-amd64
	-	7\.3\.[0-9.]+\+deb13[0-9.]*-cloud-amd64
	7.3-rt	7\.3\.[0-9.]+\+deb13[0-9.]*-rt-amd64
	END
}

# Print the newest release that matches PATTERN and for which there are headers.
newest_release()
{
	suites_apt apt-cache pkgnames linux-headers- |
		sed -nE "s/^linux-headers-($1)\$/\1/p" | sort -V | tail -n 1
}

# Unpack each PACKAGE, unless that has been done.
unpack_packages()
{
	local package todo=()

	for package; do
		[ -e "$TPROF_KERNELS/.unpacked/$package" ] || todo+=("$package")
	done
	[ ${#todo[@]} -gt 0 ] || return 0
	mkdir -p "$TPROF_CACHE/debs" "$TPROF_KERNELS/.unpacked"
	cd "$TPROF_CACHE/debs" || return
	for package in "${todo[@]}"; do
		say "unpacking $package"
		suites_apt apt-get -qq download "$package" ||
			{ update_suites && suites_apt apt-get -qq download "$package"; }
		dpkg-deb --extract "${package}"_*.deb "$TPROF_KERNELS"
		rm -f "${package}"_*.deb
		touch "$TPROF_KERNELS/.unpacked/$package"
	done
	cd "$TPROF_TOP" || return
}

# Debian's header trees refer to each other by absolute paths. Change these paths to point
# into the cache, and make the links build and source of the release point there, too.
relocate_headers()
{
	local release=$1 tree=$TPROF_KERNELS/usr/src/linux-headers-$1 modules

	modules=$TPROF_KERNELS/lib/modules/$release
	sed -Ei "s#^(include |KBUILD_OUTPUT=).*/usr/src/#\\1$TPROF_KERNELS/usr/src/#" "$tree/Makefile"
	mkdir -p "$modules"
	ln -sfn "$tree" "$modules/build"
	ln -sfn "$(sed -n 's|^include \(.*\)/Makefile$|\1|p' "$tree/Makefile")" "$modules/source"
}

unpack_headers()
{
	local release=$1 package=linux-headers-$1 rest

	mapfile -t rest < <(suites_dependencies 'linux-(headers|kbuild)-.*' "$package")
	unpack_packages "$package" "${rest[@]}"
	relocate_headers "$release"
}

# Since 7.0, the package linux-image is empty and depends on those with files, which are
# below usr/lib/modules.
unpack_image()
{
	local release=$1 package=linux-image-$1 rest modules=$TPROF_KERNELS/lib/modules/$1

	mapfile -t rest < <(suites_dependencies "linux-(base|binary|modules)-[0-9].*" "$package")
	unpack_packages "$package" "${rest[@]}"
	if [ -d "$TPROF_KERNELS/usr/lib/modules/$release/kernel" ]; then
		mkdir -p "$modules" "$TPROF_KERNELS/boot"
		cp -al --no-clobber "$TPROF_KERNELS/usr/lib/modules/$release/." "$modules/"
		ln -f "$modules/vmlinuz" "$TPROF_KERNELS/boot/vmlinuz-$release"
	fi
	[ -e "$modules/modules.dep" ] || depmod -b "$TPROF_KERNELS" "$release"
}

# Unpack the newest kernels, if the package lists have changed since the last call.
unpack_kernels()
{
	local stamp=$TPROF_KERNELS/.resolved name pattern release

	if [ "$stamp" -nt /var/lib/apt/lists ] && [ "$stamp" -nt "${BASH_SOURCE[0]}" ]; then
		return
	fi
	[ "$TPROF_APT/lists" -nt /var/lib/apt/lists ] || update_suites
	while read -r name pattern; do
		release=$(newest_release "$pattern")
		[ -n "$release" ] || die "this machine's mirror has no kernel $pattern"
		unpack_headers "$release"
		if [ "$name" != - ]; then
			unpack_image "$release"
			echo "$release" >"$TPROF_KERNELS/$name"
		fi
	done < <(kernels)
	touch "$stamp"
}
