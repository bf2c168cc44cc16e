# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The parts packages and fresh: install what users get, and build from nothing. Sourced by
# check.sh.

# Build RPM and Arch packages, and check that the tarball is reproducible. Build
# Debian packages, and install, upgrade and purge them in a new Debian 12.
job_packages()
{
	step packages rpm scripts/rpm.sh
	step packages arch scripts/arch.sh
	step packages reproducible selftests/install/reproducible.sh
	selftests/install/chroot.sh >"$LOGS/packages-debian.log" 2>&1
	adopt packages "$LOGS/packages-debian.log" $? "$LOGS/packages-debian.log"
}

packages_jobs()
{
	echo "200 beside packages"
}

# Build, test and package what is committed, in a new Debian 12. Record each result
# line that the checks there print.
job_fresh()
{
	local log=$LOGS/fresh-debian-12 status

	scripts/check-fresh.sh >"$log.log" 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 60 "$log.log"
	sed -nE 's,^\[([^]]*)\] (ok|not ok|skip) ,\2 \1/,p' "$log.log" >"$log.results"
	adopt fresh "$log.results" $status "$log.log"
}

fresh_jobs()
{
	echo "1100 guest fresh"
}
