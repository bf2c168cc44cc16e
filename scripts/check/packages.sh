# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The parts packages and fresh: install what users get, and build from nothing. Sourced by
# check.sh.

# Check that the tarball is reproducible. Build Debian packages, and install, upgrade and purge
# them in a new Debian of this machine's release. In a full check, also build RPM and Arch
# packages, which have the same files.
job_packages()
{
	if [ -n "$FULL" ]; then
		step packages rpm scripts/rpm.sh
		step packages arch scripts/arch.sh
	fi
	step packages reproducible selftests/install/reproducible.sh
	selftests/install/chroot.sh >"$LOGS/packages-debian.log" 2>&1
	adopt packages "$LOGS/packages-debian.log" $? "$LOGS/packages-debian.log"
}

packages_jobs()
{
	echo "200 beside packages"
}

# Build, test and package what is committed, in a new Debian of each release that deps.sh knows.
# Record each result line that the checks there print. Both share what make deps unpacks, so they
# do not run at once.
job_fresh()
{
	local release log status

	for release in 12 13; do
		log=$LOGS/fresh-$release
		scripts/check-fresh.sh $release >"$log.log" 2>&1
		status=$?
		[ $status -eq 0 ] || tail -n 60 "$log.log"
		sed -nE 's,^\[([^]]*)\] (ok|not ok|skip) ,\2 \1/,p' "$log.log" >"$log.results"
		adopt "fresh-$release" "$log.results" $status "$log.log"
	done
}

fresh_jobs()
{
	echo "2200 guest fresh"
}
